//! Crowds whose kinds have links.

use alloc::collections::BTreeMap;

use super::*;
use crate::crowd::saved::SAVED_CROWD;
use crate::space::{CellWeights, Cost, Grid, Link, LinkError, LinkedSpace, Links, PathCost};
use crate::store::codec;
use crate::store::draws::Draws;
use crate::test_maps::linked_maps;

/// A crowd on a map, with one kind that sees it as `space` does, and these links.
fn crowd_on(space: &GridSpace, links: &Links, config: CrowdConfig) -> (Crowd, KindId) {
    let mut crowd = Crowd::with_config(space.grid().clone(), config);
    let mut kind = Kind::new(space.rule(), space.costs());
    kind.weights = space.weights().cloned();
    let kind = crowd.add_kind(kind).unwrap();
    for &link in links {
        crowd.add_link(kind, link).unwrap();
    }
    (crowd, kind)
}

fn links_of(crowd: &Crowd, kind: KindId) -> Links {
    Links::new(crowd.map(), crowd.links(kind).unwrap().map(|(_, link)| link)).unwrap()
}

fn cheapest(space: &GridSpace, links: &Links, from: Cell, to: Cell) -> Option<Cost> {
    let linked = LinkedSpace::new(space, links);
    let [from, to] = [from, to].map(|cell| space.state(cell));
    if !space.contains(from) || !space.contains(to) {
        return None;
    }
    Dijkstra::new().find(&linked, from, to).unwrap().path.map(|path| path.cost)
}

/// What the moves of the last frame cost, by unit. Each must be legal.
fn costs_of_moves(crowd: &Crowd, kind: KindId) -> Vec<(UnitId, Cost)> {
    let (space, links) = (crowd.space(kind).unwrap(), links_of(crowd, kind));
    let linked = LinkedSpace::new(space, &links);
    let cost = |made: &Move| {
        let mut least = None;
        linked.for_each_successor(space.state(made.from), |state, cost| {
            if state == space.state(made.to) {
                least = Some(least.map_or(cost, |least: Cost| least.min(cost)));
            }
        });
        assert_eq!(crowd.position(made.unit), Ok(made.to));
        (made.unit, least.unwrap_or_else(|| panic!("{made:?} is no legal move")))
    };
    assert_eq!(crowd.report().overdrawn, 0);
    crowd.report().moves.iter().map(cost).collect()
}

fn free_cell(crowd: &Crowd, kind: KindId, draws: &mut Draws) -> Cell {
    let free: Vec<Cell> = crowd.space(kind).unwrap().grid().free_cells().collect();
    free[draws.below(free.len() as u64) as usize]
}

#[test]
fn walks_over_links_are_cheapest() {
    let (mut over_links, mut unreachable) = (0, 0);
    for (number, (space, links)) in (0..).zip(linked_maps(360, 41)) {
        let (mut crowd, kind) = crowd_on(&space, &links, CrowdConfig::default());
        let mut draws = Draws::new(1, number);
        let ends: Vec<[Cell; 2]> =
            (0..5).map(|_| [0, 1].map(|_| free_cell(&crowd, kind, &mut draws))).collect();
        let units: Vec<UnitId> =
            ends.iter().map(|&[from, to]| crowd.add(kind, from, to, Priority::Normal).unwrap()).collect();
        let mut costs = BTreeMap::<UnitId, Cost>::new();
        let budget = if number % 2 == 0 { FrameBudget::Everyone } else { FrameBudget::Work(200) };
        let mut stated = u64::MAX;
        for _ in 0..5_000 {
            let report = crowd.frame(budget);
            assert!(u64::from(report.longest_wait) <= stated.max(u64::from(crowd.config().patience) + 1));
            stated = report.wait_bound.unwrap();
            for (unit, cost) in costs_of_moves(&crowd, kind) {
                *costs.entry(unit).or_default() += cost;
            }
            let is_over = |&unit: &UnitId| crowd.status(unit) != Ok(UnitStatus::Walking);
            if units.iter().all(is_over) {
                break;
            }
        }
        for (&unit, &[from, to]) in units.iter().zip(&ends) {
            let expected = cheapest(&space, &links, from, to);
            assert_eq!(crowd.goal(unit), Ok(to));
            let Some(expected) = expected else {
                unreachable += 1;
                assert_eq!(crowd.status(unit), Ok(UnitStatus::Unreachable));
                continue;
            };
            assert_eq!((crowd.status(unit), crowd.position(unit)), (Ok(UnitStatus::Arrived), Ok(to)));
            let walked = costs.get(&unit).copied().unwrap_or(0);
            if space.is_weighted() {
                assert!(walked >= expected && walked <= 2 * expected, "{number}: {walked} {expected}");
            } else {
                assert_eq!(walked, expected, "{number}: from {from} to {to}, {links:?}");
            }
            over_links += u32::from(Some(expected) != cheapest(&space, &Links::default(), from, to));
        }
        assert!(crowd.lanes.iter().all(|lane| lane.units.iter().enumerate().all(|(at, unit)| {
            unit.status != UnitStatus::Arrived || !lane.courses.contains_key(&(at as u32))
        })));
    }
    assert!(over_links > 100 && unreachable > 100, "{over_links} {unreachable}");
}

/// Does something to a crowd, by a draw.
fn meddle(crowd: &mut Crowd, kind: KindId, draws: &mut Draws) {
    let (width, height) = (crowd.map().width(), crowd.map().height());
    let any_cell =
        |draws: &mut Draws| Cell::new(draws.below(width.into()) as u32, draws.below(height.into()) as u32);
    match draws.below(8) {
        0..2 => {
            let (from, to) = (any_cell(draws), any_cell(draws));
            let moves = 1 + draws.below(5) as u32;
            let added = crowd.add_link(kind, Link { from, to, moves });
            assert_eq!(added.is_err(), from == to);
        }
        2 => {
            let links: Vec<LinkId> = crowd.links(kind).unwrap().map(|(id, _)| id).collect();
            if !links.is_empty() {
                let link = links[draws.below(links.len() as u64) as usize];
                crowd.remove_link(kind, link).unwrap();
                assert_eq!(crowd.remove_link(kind, link), Err(CrowdError::NoLink(link)));
            }
        }
        3..6 => {
            let cell = any_cell(draws);
            let is_free = crowd.map().is_free(cell);
            crowd.set_cell(cell, !is_free).unwrap();
        }
        6 => {
            let units: Vec<UnitId> = crowd.units().collect();
            let unit = units[draws.below(units.len() as u64) as usize];
            let _ = crowd.set_goal_or_nearest(unit, any_cell(draws));
        }
        _ => {
            let units: Vec<UnitId> = crowd.units().collect();
            let [unit, target] = [0, 1].map(|_| units[draws.below(units.len() as u64) as usize]);
            let _ = crowd.pursue(unit, target);
        }
    }
}

#[test]
fn links_and_cells_change_under_units_on_their_way() {
    let (mut arrived, mut is_saved) = (0, 0);
    for (number, (space, links)) in (0..).zip(linked_maps(150, 97)) {
        let config = CrowdConfig { are_units_obstacles: number % 3 == 1, ..CrowdConfig::default() };
        let (mut crowd, kind) = crowd_on(&space, &links, config);
        let mut draws = Draws::new(9, number);
        for _ in 0..6 {
            let [from, to] = [0, 1].map(|_| free_cell(&crowd, kind, &mut draws));
            let _ = crowd.add(kind, from, to, Priority::Normal);
        }
        let mut copy: Option<Crowd> = None;
        for frame in 0..120 {
            if draws.below(3) == 0 {
                let mut same = draws.clone();
                meddle(&mut crowd, kind, &mut draws);
                if let Some(copy) = &mut copy {
                    meddle(copy, kind, &mut same);
                }
            }
            if frame == 10 + number % 50 {
                copy = Some(Crowd::load(&crowd.save()).unwrap());
                is_saved += 1;
            }
            let budget = if number % 2 == 0 { FrameBudget::Everyone } else { FrameBudget::Work(3_000) };
            let report = crowd.frame(budget);
            costs_of_moves(&crowd, kind);
            for &unit in &report.arrived {
                arrived += 1;
                if crowd.target(unit) == Ok(None) {
                    assert_eq!(crowd.position(unit), crowd.goal(unit));
                }
            }
            if let Some(copy) = &mut copy {
                assert_eq!(*copy.frame(budget), *report, "{number}, frame {frame}");
                assert_eq!(copy.checksum(), crowd.checksum());
            }
            if config.are_units_obstacles {
                let mut places: Vec<Cell> = crowd.units().map(|unit| crowd.position(unit).unwrap()).collect();
                places.sort_unstable_by_key(|cell| (cell.y, cell.x));
                assert!(places.windows(2).all(|pair| pair[0] != pair[1]));
            }
        }
        if let Some(copy) = &copy {
            assert_eq!(copy.save(), crowd.save());
        }
        if config.are_units_obstacles {
            continue;
        }
        // Nobody meddles any more: everyone gets there, or there is no way.
        for unit in crowd.units().collect::<Vec<_>>() {
            if crowd.target(unit) != Ok(None) {
                crowd.stop(unit).unwrap();
            }
        }
        for _ in 0..3_000 {
            crowd.frame(FrameBudget::Everyone);
            costs_of_moves(&crowd, kind);
        }
        let (space, links) = (crowd.space(kind).unwrap(), links_of(&crowd, kind));
        for unit in crowd.units() {
            let (place, goal) = (crowd.position(unit).unwrap(), crowd.goal(unit).unwrap());
            let is_open = cheapest(space, &links, place, goal).is_some();
            let is_there = crowd.status(unit) == Ok(UnitStatus::Arrived);
            assert!(is_there || !is_open, "{number}: {unit} {place} {goal} {:?}", crowd.status(unit));
            assert!(is_there || crowd.status(unit) == Ok(UnitStatus::Unreachable));
        }
    }
    assert!(arrived > 300 && is_saved == 150, "{arrived} {is_saved}");
}

#[test]
fn questions_know_links() {
    for (number, (space, links)) in (0..).zip(linked_maps(120, 55)) {
        let (mut crowd, kind) = crowd_on(&space, &links, CrowdConfig::default());
        let mut draws = Draws::new(3, number);
        for round in 0..3 {
            if round == 2 {
                // The database has not heard of it: a search does.
                let cell = free_cell(&crowd, kind, &mut draws);
                if crowd.map().free_count() > 2 {
                    crowd.set_cell(cell, false).unwrap();
                }
            }
            let [from, to] = [0, 1].map(|_| free_cell(&crowd, kind, &mut draws));
            let expected = cheapest(crowd.space(kind).unwrap(), &links, from, to);
            let units = crowd.space(kind).unwrap().units();
            assert_eq!(crowd.reachable(kind, from, to), Ok(expected.is_some()));
            let cost = crowd.cost(kind, from, to).unwrap();
            assert_eq!(crowd.nearest_of(kind, from, [to]).unwrap().map(|(_, cost)| cost), cost);
            let path = crowd.path_between(kind, from, to).unwrap();
            assert_eq!(path.as_ref().map(|path| path.cells().last().copied()), expected.map(|_| Some(to)));
            if !space.is_weighted() || round == 2 {
                let cheapest = expected.map(|cost| PathCost::new(cost, units));
                assert_eq!((cost, path.map(|path| path.cost())), (cheapest, cheapest));
            }
            let unit = crowd.add(kind, from, to, Priority::Normal).unwrap();
            if !space.is_weighted() || round == 2 {
                assert_eq!(crowd.cost_left(unit).unwrap().map(PathCost::amount), expected);
                assert_eq!(crowd.smooth_path(unit).unwrap().is_some(), expected.is_some());
                let ahead = crowd.path(unit).unwrap();
                assert_eq!(ahead.map(|path| path.cost().amount()), expected);
            }
            crowd.remove(unit).unwrap();
        }
    }
}

fn run(crowd: &mut Crowd, frames: u32) -> (Vec<UnitId>, Vec<UnitId>, Vec<UnitId>) {
    let mut all = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..frames {
        let report = crowd.frame(FrameBudget::Everyone);
        all.0.extend_from_slice(&report.arrived);
        all.1.extend_from_slice(&report.unreachable);
        all.2.extend_from_slice(&report.reachable);
    }
    all
}

#[test]
fn a_one_way_door_is_one_way() {
    let grid = Grid::from_fn(9, 3, |cell| cell.x != 4).unwrap();
    let mut crowd = Crowd::new(grid);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let there = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 2), Priority::Normal).unwrap();
    let back = crowd.add(kind, Cell::new(8, 0), Cell::new(0, 2), Priority::Normal).unwrap();
    assert_eq!(run(&mut crowd, 2), (Vec::new(), [there, back].to_vec(), Vec::new()));
    let door = crowd.add_link(kind, Link::new((3, 1), (5, 1))).unwrap();
    assert_eq!(crowd.links(kind).unwrap().collect::<Vec<_>>(), [(door, Link::new((3, 1), (5, 1)))]);
    assert_eq!(run(&mut crowd, 10), ([there].to_vec(), Vec::new(), [there].to_vec()));
    assert_eq!(crowd.status(back), Ok(UnitStatus::Unreachable));
    // The other kind of units knows nothing of it.
    let other = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let stays = crowd.add(other, Cell::new(0, 0), Cell::new(8, 2), Priority::Normal).unwrap();
    assert_eq!(run(&mut crowd, 2).1, [stays]);
    // It opens to the other side now.
    crowd.remove_link(kind, door).unwrap();
    crowd.add_link(kind, Link::new((5, 1), (3, 1))).unwrap();
    crowd.set_goal(there, Cell::new(0, 0)).unwrap();
    assert_eq!(run(&mut crowd, 20), ([there, back].to_vec(), Vec::new(), [back].to_vec()));
}

#[test]
fn a_link_with_a_closed_end_waits_for_it_to_be_freed() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 1, |cell| cell.x != 4).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    crowd.set_cell(Cell::new(6, 0), false).unwrap();
    crowd.add_link(kind, Link::new((2, 0), (6, 0))).unwrap();
    crowd.set_cell(Cell::new(5, 0), false).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 0), Priority::Normal).unwrap();
    assert_eq!(run(&mut crowd, 3), (Vec::new(), [unit].to_vec(), Vec::new()));
    crowd.set_cell(Cell::new(6, 0), true).unwrap();
    // It is closed again when the unit stands before it.
    assert_eq!(run(&mut crowd, 2), (Vec::new(), Vec::new(), [unit].to_vec()));
    crowd.set_cell(Cell::new(6, 0), false).unwrap();
    assert_eq!(run(&mut crowd, 5), (Vec::new(), [unit].to_vec(), Vec::new()));
    assert_eq!((crowd.position(unit), crowd.goal(unit)), (Ok(Cell::new(2, 0)), Ok(Cell::new(8, 0))));
    crowd.set_cell(Cell::new(6, 0), true).unwrap();
    assert_eq!(run(&mut crowd, 5), ([unit].to_vec(), Vec::new(), [unit].to_vec()));
}

#[test]
fn two_floors_side_by_side() {
    // Ten columns each, and one of rock between them.
    let mut crowd = Crowd::new(Grid::from_fn(21, 10, |cell| cell.x != 10).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let stairs = Link::new((9, 9), (20, 9)).costing(3);
    for link in [stairs, stairs.reversed()] {
        crowd.add_link(kind, link).unwrap();
    }
    let up = crowd.add(kind, Cell::new(0, 9), Cell::new(12, 9), Priority::Normal).unwrap();
    let down = crowd.add(kind, Cell::new(12, 8), Cell::new(0, 8), Priority::Normal).unwrap();
    assert_eq!(crowd.cost(kind, (0, 9), (12, 9)).unwrap().unwrap().to_f64(), 9.0 + 3.0 + 8.0);
    let (mut arrived, ..) = run(&mut crowd, 30);
    arrived.sort_unstable();
    assert_eq!(arrived, [up, down]);
    // A pursuer takes the stairs, too, and the nearest place may be on another floor.
    let hunter = crowd.add(kind, Cell::new(3, 3), Cell::new(3, 3), Priority::Normal).unwrap();
    crowd.pursue(hunter, up).unwrap();
    assert!(run(&mut crowd, 60).0.contains(&hunter));
    assert_eq!(crowd.position(hunter), crowd.position(up));
    crowd.set_cell(Cell::new(0, 0), false).unwrap();
    assert_eq!(crowd.set_goal_or_nearest(up, Cell::new(0, 0)), Ok(Cell::new(1, 0)));
    assert!(run(&mut crowd, 60).0.contains(&up));
}

#[test]
fn where_no_two_stand_on_one_cell_units_wait_for_the_exit() {
    let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
    let mut crowd = Crowd::with_config(Grid::from_fn(12, 1, |cell| cell.x != 5).unwrap(), config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    crowd.add_link(kind, Link::new((4, 0), (6, 0))).unwrap();
    let first = crowd.add(kind, Cell::new(6, 0), Cell::new(6, 0), Priority::Normal).unwrap();
    let goals = [11, 10, 9].map(|x| Cell::new(x, 0));
    let units: Vec<UnitId> = (2..5)
        .rev()
        .zip(goals)
        .map(|(x, goal)| crowd.add(kind, Cell::new(x, 0), goal, Priority::Normal).unwrap())
        .collect();
    // They wait for some turns before they push whoever stands in the exit.
    run(&mut crowd, u32::from(crate::crowd::tuning::SIDE_STEP) - 1);
    assert!(units.iter().all(|&unit| crowd.position(unit).unwrap().x < 5), "somebody stands in the exit");
    crowd.set_goal(first, Cell::new(7, 0)).unwrap();
    run(&mut crowd, 2);
    crowd.remove(first).unwrap();
    run(&mut crowd, 80);
    for (unit, goal) in units.into_iter().zip(goals) {
        assert_eq!(crowd.position(unit), Ok(goal));
    }
}

/// A map's links are those of its units, and a kind that cannot have its links is not added.
#[test]
fn kinds_bring_links_along() {
    let link = Link::new((0, 0), (8, 0));
    let map = crate::Map::from_art("....#....").unwrap().with_links([link]).unwrap();
    let mut crowd = Crowd::new(&map);
    let kind = crowd.add_kind(Kind::from(&map)).unwrap();
    assert_eq!(crowd.links(kind).unwrap().map(|(_, link)| link).collect::<Vec<_>>(), [link]);
    assert_eq!(crowd.reachable(kind, (1, 0), (7, 0)), Ok(true));
    let outside = Kind::from(&map).with_links([Link::new((0, 0), (9, 0))]);
    assert!(matches!(crowd.add_kind(outside), Err(CrowdError::Link(_))));
    assert_eq!(crowd.add_kind_unbuilt(Kind::from(&map)), Err(CrowdError::NotBuilt));
    let unbuilt = crowd.add_kind_unbuilt(Kind::from(&map).with_links([])).unwrap();
    assert_eq!(unbuilt, KindId(1), "the others were not added");
    assert_eq!(crowd.add_link(unbuilt, link), Err(CrowdError::NotBuilt));
}

#[test]
fn links_that_cannot_be_are_refused() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 1, |_| true).unwrap());
    let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
    kind.algorithm = algorithm("lrta*");
    let learners = crowd.add_kind(kind).unwrap();
    let error = crowd.add_link(learners, Link::new((0, 0), (8, 0))).unwrap_err().to_string();
    assert!(error.contains("lrta*") && error.contains("use beacon* or transit*"), "{error}");
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    let outside = crowd.add_link(kind, Link::new((0, 0), (9, 0)));
    assert!(matches!(outside, Err(CrowdError::Link(LinkError::Outside { .. }))));
    for at in 0..256 {
        crowd.add_link(kind, Link::new((at % 8, 0), (8, 0))).unwrap();
    }
    assert_eq!(crowd.add_link(kind, Link::new((0, 0), (8, 0))), Err(LinkError::TooMany.into()));
    assert!(matches!(crowd.add_link(KindId(7), Link::new((0, 0), (8, 0))), Err(CrowdError::NoKind(_))));
}

#[test]
fn damaged_bytes_with_links_do_no_harm() {
    let weights = CellWeights::new(9, 3, [2; 27].to_vec()).unwrap();
    for weights in [None, Some(weights)] {
        let mut crowd = Crowd::new(Grid::from_fn(9, 3, |cell| cell.x != 4).unwrap());
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.weights = weights;
        let kind = crowd.add_kind(kind).unwrap();
        for link in [Link::new((3, 1), (5, 1)), Link::new((7, 1), (1, 1))] {
            crowd.add_link(kind, link).unwrap();
        }
        let unit = crowd.add(kind, Cell::new(0, 0), Cell::new(8, 2), Priority::Normal).unwrap();
        crowd.frame(FrameBudget::Everyone);
        let body = codec::open(&SAVED_CROWD, &crowd.save()).unwrap().to_vec();
        for at in 0..body.len() {
            for with in [0, 1, 0x7f, 0xff] {
                let mut body = body.clone();
                body[at] = with;
                if let Ok(mut crowd) = Crowd::load(&codec::seal(&SAVED_CROWD, &body)) {
                    for _ in 0..4 {
                        crowd.frame(FrameBudget::Everyone);
                    }
                    let _ = crowd.path(unit);
                }
            }
        }
    }
}

#[test]
fn with_a_speed_a_link_takes_as_long_as_it_costs() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 1, |cell| cell.x != 4).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    crowd.add_link(kind, Link::new((3, 0), (5, 0)).costing(4)).unwrap();
    let [quick, paced] =
        [0, 1].map(|_| crowd.add(kind, Cell::new(0, 0), Cell::new(8, 0), Priority::Normal).unwrap());
    crowd.set_speed(paced, Speed::new(1, 1)).unwrap();
    let mut frames = BTreeMap::new();
    for frame in 1..20 {
        for &unit in &crowd.frame(FrameBudget::Everyone).arrived {
            frames.insert(unit, frame);
        }
        if frame == 6 {
            let progress = crowd.progress(paced).unwrap();
            assert_eq!((progress.from, progress.to), (Cell::new(3, 0), Cell::new(5, 0)));
            assert!(progress.share > 0.2 && progress.share < 0.8, "{progress:?}");
        }
    }
    // Four moves over the link in place of one, and a last one until it is there.
    assert_eq!(frames[&quick], 7);
    assert!((10..=11).contains(&frames[&paced]), "{frames:?}");
}

#[test]
fn a_group_takes_the_stairs() {
    let config = CrowdConfig { are_units_obstacles: true, ..CrowdConfig::default() };
    let mut crowd = Crowd::with_config(Grid::from_fn(21, 10, |cell| cell.x != 10).unwrap(), config);
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    crowd.add_link(kind, Link::new((9, 5), (11, 5)).costing(2)).unwrap();
    let units: Vec<UnitId> = (0..12)
        .map(|at| crowd.add(kind, Cell::new(at % 4, at / 4), Cell::new(at % 4, at / 4), Priority::Normal))
        .collect::<Result<_, _>>()
        .unwrap();
    let group = crowd.send(units.iter().copied(), (16, 5)).unwrap();
    let mut is_settled = false;
    for _ in 0..300 {
        is_settled |= crowd.frame(FrameBudget::Everyone).settled.contains(&group);
        costs_of_moves(&crowd, kind);
    }
    assert!(is_settled && units.iter().all(|&unit| crowd.position(unit).unwrap().x > 10));
}

#[test]
fn links_stay_when_ground_gets_weights() {
    let mut crowd = Crowd::new(Grid::from_fn(9, 3, |cell| cell.x != 4).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    crowd.add_link(kind, Link::new((3, 1), (5, 1)).costing(2)).unwrap();
    let unit = crowd.add(kind, Cell::new(0, 1), Cell::new(8, 1), Priority::Normal).unwrap();
    for weight in [3, 5] {
        crowd.set_weight(kind, Cell::new(1, 1), weight).unwrap();
        let (space, links) = (crowd.space(kind).unwrap(), links_of(&crowd, kind));
        let expected = cheapest(space, &links, Cell::new(0, 1), Cell::new(8, 1));
        let cost = crowd.cost(kind, (0, 1), (8, 1)).unwrap().map(PathCost::amount);
        assert!(cost.is_some() && cost == expected, "{cost:?} {expected:?}");
    }
    assert_eq!(run(&mut crowd, 60).0, [unit]);
}

#[test]
fn a_kind_is_up_to_date_when_its_links_are() {
    let mut crowd = Crowd::new(Grid::from_fn(20, 20, |cell| cell.x != 10 || cell.y > 17).unwrap());
    let kind = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
    for y in 0..12 {
        crowd.add_link(kind, Link { from: Cell::new(9, y), to: Cell::new(11, y), moves: 3 }).unwrap();
    }
    let frames_until = |crowd: &mut Crowd| {
        let wait = |_: &u32| {
            crowd.frame(FrameBudget::Work(50));
            crowd.is_up_to_date(kind) == Ok(true)
        };
        (1..10_000).find(wait).unwrap()
    };
    frames_until(&mut crowd);
    crowd.set_cell(Cell::new(5, 5), false).unwrap();
    assert_eq!(crowd.is_up_to_date(kind), Ok(false));
    assert!(frames_until(&mut crowd) > 1, "the links take some frames, too");
    assert!(!crowd.kinds[0].links.are_due());
}
