use alloc::vec;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::ball::Ball;
use super::complete::{Groups, has_node};
use super::corners::CornerGraph;
use super::walks::{Extent, WalkGraph as _, least_radius, most_cells_within};
use super::*;
use crate::search::{Dijkstra, StatePath};
use crate::space::{Cell, CellWeights, CostModel, Grid, MoveRule};
use crate::test_maps::{quick_or_long, states, with_changed_body};

/// Maps of all rules, densities and weights.
pub(crate) fn worlds(most: u32) -> impl Strategy<Value = GridSpace> {
    let cells = prop::collection::vec((0_u8..20, 0_u8..255), (most * most) as usize);
    let kinds = (0_u8..9, 0_usize..MoveRule::ALL.len(), 0_usize..CostModel::ALL.len(), 0_u8..4);
    (1..most, 1..most, cells, kinds).prop_map(move |(width, height, cells, (walls, rule, costs, weights))| {
        let at = |cell: Cell| cells[(cell.y * most + cell.x) as usize];
        let grid = Grid::from_fn(width, height, |cell| at(cell).0 >= walls).unwrap();
        let (rule, costs) = (MoveRule::ALL[rule], CostModel::ALL[costs]);
        let weight = |cell: Cell| match weights {
            1 => 1 + at(cell).1 % 8,
            2 => 1 + at(cell).1,
            _ => 1 + 9 * ((cell.x / 6 + cell.y / 6) % 3) as u8,
        };
        if weights == 0 {
            return GridSpace::new(grid, rule, costs);
        }
        let weights = CellWeights::from_fn(width, height, weight).unwrap();
        GridSpace::weighted(grid, rule, costs, weights).unwrap()
    })
}

fn config(reach: u32) -> TransitConfig {
    TransitConfig { reach, ..TransitConfig::default() }
}

fn cost_of(space: &GridSpace, path: &StatePath) -> Cost {
    let step = |pair: &[State]| {
        let mut found = None;
        space.for_each_successor(pair[0], |to, cost| found = if to == pair[1] { Some(cost) } else { found });
        found.expect("every move is legal")
    };
    path.states.windows(2).map(step).sum()
}

/// Ways lead wherever the map has one, at the cost that is said, and never cost less than the cheapest. What
/// all cost, and the cheapest ones.
fn check_ways(space: &GridSpace, database: &TransitDatabase) -> (Cost, Cost) {
    let all: Vec<State> = states(space).collect();
    let (mut sum, mut least) = (0, 0);
    for &from in all.iter().step_by(7) {
        for &to in all.iter().step_by(11) {
            let exact = Dijkstra::new().find(space, from, to).unwrap().cost();
            let path = database.path(space, from, to);
            assert_eq!(
                path.is_some(),
                exact.is_some(),
                "{from:?} {to:?}, {:?}",
                database.route(space, from, to)
            );
            let (Some(path), Some(exact)) = (path, exact) else { continue };
            assert_eq!((path.states.first(), path.states.last()), (Some(&from), Some(&to)));
            assert_eq!(cost_of(space, &path), path.cost);
            assert_eq!(database.cost(space, from, to), Some(path.cost), "{from:?} {to:?}");
            assert!(path.cost >= exact);
            let mut ball = Ball::default();
            ball.begin_at(space, from);
            ball.grow(space, Some(&database.network.nodes), Extent::Count(database.figures().reach as usize));
            if ball.settled(space, to).is_some() {
                assert_eq!(path.cost, exact, "what is near is exact: {from:?} {to:?}");
            }
            (sum, least) = (sum + path.cost, least + exact);
        }
    }
    (sum, least)
}

/// Each cell has a node within reach, or sees all that it can get to; and legs connect whatever the map
/// connects.
fn check_completeness(space: &GridSpace, database: &TransitDatabase) {
    let Network { nodes, legs, .. } = &*database.network;
    let mut ball = Ball::default();
    for state in states(space) {
        let has_node = has_node(&mut ball, space, nodes, state, database.config.reach());
        let component = space.components().of(space.cell(state)).unwrap();
        let is_small = space.components().size(component) <= database.config.reach() as u64;
        assert!(has_node || is_small, "{state:?}");
    }
    let mut groups = Groups::new(nodes.len());
    for node in 0..nodes.len() as u32 {
        for (to, cost, number) in legs.of(node) {
            groups.join(node, to);
            assert!(legs.is_open(space, nodes.state(node).unwrap(), number, to < node, cost));
        }
    }
    assert_eq!(groups.next_apart(space, nodes), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(quick_or_long(96)))]

    #[test]
    fn transit_ways_lead_wherever_the_map_has_one(space in worlds(34), reach in 1_u32..120) {
        let database = TransitDatabase::build(&space, config(reach)).unwrap();
        check_completeness(&space, &database);
        check_ways(&space, &database);
        let opened = TransitDatabase::from_bytes(&space, database.as_bytes().to_vec()).unwrap();
        prop_assert_eq!(opened.figures(), database.figures());
        prop_assert_eq!(&opened.network.legs, &database.network.legs);
        prop_assert_eq!(&opened.network.labels, &database.network.labels);
        prop_assert_eq!(opened.verify(&space), Ok(()));
    }

    /// Over corners ways cost what they cost over cells.
    #[test]
    fn corners_know_what_ways_cost(space in worlds(30), spacing in 2_u32..5) {
        prop_assume!(!space.is_weighted());
        let graph = CornerGraph::new(&space, 1 << spacing);
        let (mut over_corners, mut over_cells) = (Ball::default(), Ball::default());
        for root in (0..graph.limit() as u32).step_by(5).map(State) {
            over_corners.begin_at(&graph, root);
            over_corners.grow(&graph, None, Extent::Count(usize::MAX));
            over_cells.begin_at(&space, graph.on_map(&space, root));
            over_cells.grow(&space, None, Extent::Count(usize::MAX));
            for to in (0..graph.limit() as u32).map(State) {
                let exact = over_cells.settled(&space, graph.on_map(&space, to)).map(|at| over_cells.at(at).cost);
                let found = over_corners.settled(&graph, to).map(|at| over_corners.at(at).cost);
                if space.rule() == MoveRule::NoCut {
                    prop_assert_eq!(found, exact, "{:?} {:?}", root, to);
                }
                prop_assert!(found.is_none() || found >= exact);
            }
        }
    }

    /// Cells settle bucket by bucket, all that cost less than the radius among them, at what Dijkstra's
    /// search says.
    #[test]
    fn balls_know_what_cells_cost(space in worlds(24), count in 1_usize..300) {
        let Some(root) = states(&space).next() else { return Ok(()) };
        let mut ball = Ball::default();
        for _ in 0..2 {
            ball.begin_at(&space, root);
            ball.grow(&space, None, Extent::Count(count));
        }
        prop_assert!(ball.len() <= count);
        for state in states(&space) {
            let exact = Dijkstra::new().find(&space, root, state).unwrap().cost();
            match ball.settled(&space, state) {
                Some(place) => prop_assert_eq!(Some(ball.at(place).cost), exact),
                None => prop_assert!(exact.is_none_or(|cost| cost >= ball.radius(count))),
            }
        }
    }

    #[test]
    fn transit_ways_follow_edits(space in worlds(26), reach in 3_u32..80, edits in prop::collection::vec((any::<u32>(), 1_usize..9), 1..6)) {
        let mut space = space;
        let mut database = TransitDatabase::build(&space, config(reach)).unwrap();
        let count = space.state_limit() as u32;
        for (first, many) in edits {
            let cells: Vec<Cell> = (0..many as u32).map(|at| space.cell(State(first.wrapping_mul(at + 1) % count))).collect();
            for &cell in &cells {
                let is_free = space.grid().is_free(cell);
                space.set(cell, !is_free);
            }
            let mark = database.checksum();
            database.repair(&space, cells).unwrap();
            prop_assert!(!database.is_labelling() && mark != database.checksum());
            check_ways(&space, &database);
            let Network { nodes, legs, labels, .. } = &*database.network;
            let graph = &legs.graph;
            let anew = HubLabels::build_in_order(graph, space.costs(), labels.order(), |_| core::ops::ControlFlow::Continue(())).unwrap();
            prop_assert_eq!(&anew, labels);
            prop_assert_eq!(nodes.len(), labels.nodes());
        }
        prop_assert_eq!(database.renewed(&space).unwrap().verify(&space), Ok(()));
    }

    #[test]
    fn damaged_transit_files_are_refused(space in worlds(24), reach in 2_u32..40, at in any::<prop::sample::Index>(), bits in 1_u8..) {
        let database = TransitDatabase::build(&space, config(reach)).unwrap();
        let mut bytes = database.as_bytes().to_vec();
        let place = at.index(bytes.len());
        bytes[place] ^= bits;
        prop_assert!(TransitDatabase::from_bytes(&space, bytes.clone()).is_err());
        // The same with a checksum that fits: whatever is opened can be used.
        let forged = with_changed_body(database.as_bytes(), |body| {
            let place = at.index(body.len());
            body[place] ^= bits;
        });
        let _ = TransitDatabase::inspect(&forged);
        if let Ok(opened) = TransitDatabase::from_bytes(&space, forged) {
            for from in states(&space).step_by(9) {
                for to in states(&space).step_by(13) {
                    let _ = opened.path(&space, from, to);
                }
            }
        }
    }
}

/// A map with patches of heavy ground and some obstacles.
fn country(side: u32, walls: u64) -> GridSpace {
    use crate::store::draws::mix;
    let free = |cell: Cell| mix(u64::from(cell.y) << 32 | u64::from(cell.x)) % 100 >= walls;
    let weight = |cell: Cell| 1 + (mix(u64::from(cell.y / 9) << 32 | u64::from(cell.x / 9)) % 8) as u8;
    let grid = Grid::from_fn(side, side, free).unwrap();
    let weights = CellWeights::from_fn(side, side, weight).unwrap();
    GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap()
}

#[test]
fn transit_ways_are_little_too_long() {
    let space = country(80, 15);
    let database = TransitDatabase::build(&space, config(150)).unwrap();
    check_completeness(&space, &database);
    let sample: Vec<State> = states(&space).step_by(91).collect();
    let (mut sum, mut least) = (0, 0);
    for &from in &sample {
        for &to in &sample {
            let exact = Dijkstra::new().find(&space, from, to).unwrap().cost();
            (sum, least) = (sum + database.cost(&space, from, to).unwrap_or(0), least + exact.unwrap_or(0));
        }
    }
    assert!(sum >= least && sum * 100 <= least * 103, "{sum} {least}");
}

#[test]
fn cells_within_a_cost_are_counted() {
    for costs in CostModel::ALL {
        let space = GridSpace::new(Grid::from_fn(41, 41, |_| true).unwrap(), MoveRule::NoCut, costs);
        let mut ball = Ball::default();
        ball.begin_at(&space, space.state(Cell::new(20, 20)));
        ball.grow(&space, None, Extent::Count(usize::MAX));
        for tenths in 0..200 {
            let cost = space.cheapest_move() * tenths / 10;
            let counted = ball.reached().iter().filter(|entry| entry.cost <= cost).count() as u64;
            assert_eq!(most_cells_within(&space, cost), counted, "{costs:?} {tenths}");
            assert!(least_radius(&space, counted) >= cost);
        }
    }
}

#[cfg(feature = "rayon")]
#[test]
fn transit_bytes_do_not_depend_on_threads() {
    let space = country(300, 10);
    let bytes = [1, 2, 5].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let open = GridSpace::new(space.grid().clone(), space.rule(), space.costs());
        pool.install(|| {
            [&space, &open].map(|space| {
                TransitDatabase::build(space, TransitConfig::default()).unwrap().as_bytes().to_vec()
            })
        })
    });
    assert!(bytes.iter().all(|other| *other == bytes[0]));
}

/// The figures of docs/understand/transit.md: `TRANSIT=name.map,… cargo test --release … -- --ignored`. A
/// name can be `clutterN` or `openN`, and end in `:r8` or `:patches`.
#[cfg(feature = "std")]
#[test]
#[ignore = "measures, and takes long"]
fn transit_figures() {
    use crate::store::draws::{Draws, mix};
    let number = |name: &str, default: u32| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    for name in std::env::var("TRANSIT").unwrap().split(',') {
        let (map, weights) = name.split_once(':').unwrap_or((name, "one"));
        let side = |prefix: &str| map.strip_prefix(prefix).map(|side| side.parse::<u32>().unwrap());
        let grid = match (side("clutter"), side("open")) {
            (Some(side), _) => Grid::from_fn(side, side, |cell| {
                !mix(u64::from(cell.y) << 32 | u64::from(cell.x)).is_multiple_of(10)
            })
            .unwrap(),
            (_, Some(side)) => Grid::from_fn(side, side, |_| true).unwrap(),
            _ => crate::formats::read_map(std::path::Path::new(map))
                .unwrap()
                .grid(crate::space::TerrainSet::GROUND),
        };
        let (width, height) = (grid.width(), grid.height());
        let weight = |cell: Cell| match weights {
            "r8" => 1 + (mix(u64::from(cell.y) << 32 | u64::from(cell.x)) % 8) as u8,
            _ => [1, 3, 8][(mix(u64::from(cell.y / 20) << 32 | u64::from(cell.x / 20)) % 3) as usize],
        };
        let space = match weights {
            "one" => GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2),
            _ => GridSpace::weighted(
                grid,
                MoveRule::NoCut,
                CostModel::Sqrt2,
                CellWeights::from_fn(width, height, weight).unwrap(),
            )
            .unwrap(),
        };
        let began = std::time::Instant::now();
        let mut stages = vec![];
        let config = TransitConfig { reach: number("REACH", 1000), left: number("LEFT", 500), bound: None };
        let database = TransitDatabase::build_with(&space, config, |stage| {
            if !matches!(stage, TransitStage::Hubs(done, ..) if done > 0) || stages.len() < 3 {
                stages.push(began.elapsed().as_secs_f32());
            }
            core::ops::ControlFlow::Continue(())
        })
        .unwrap();
        let built = began.elapsed().as_secs_f32();
        let opening = std::time::Instant::now();
        let opened = TransitDatabase::from_bytes(&space, database.as_bytes().to_vec()).unwrap();
        std::println!(
            "{name}: {} of {} free, built in {built:.1} s (legs from {:.1}, labels from {:.1}), {} bytes, {} in memory, opened in {:.1} s; {:?}",
            database.figures().nodes,
            space.grid().free_count(),
            stages[1],
            stages.get(2).unwrap_or(&0.0),
            database.as_bytes().len(),
            opened.memory_bytes(),
            opening.elapsed().as_secs_f32(),
            database.figures()
        );
        let free: Vec<State> = states(&space).collect();
        let (mut ratios, mut expansions, mut probes, mut times) = (vec![], vec![], vec![], vec![]);
        let mut draws = Draws::new(4242, 0);
        while ratios.len() < number("PROBLEMS", 300) as usize {
            let [from, to] = [(); 2].map(|()| free[draws.below(free.len() as u64) as usize]);
            let Some(exact) = crate::search::AStar::new()
                .find(&space, &space, from, to)
                .unwrap()
                .cost()
                .filter(|&cost| cost > 0)
            else {
                continue;
            };
            let began = std::time::Instant::now();
            let mut decision = database.new_decision();
            decision.begin(&space, from, to, 0);
            let mut work = crate::search::Work::default();
            loop {
                let (more, is_done) = decision.advance(&database, &space);
                (work.expansions, work.probes) =
                    (work.expansions + more.expansions, work.probes + more.probes);
                if is_done {
                    break;
                }
            }
            times.push(began.elapsed().as_secs_f64() * 1e6);
            let route = decision.route(&database).unwrap();
            database.recycle(decision);
            ratios.push((route.cost as f64 / exact as f64 - 1.0) * 100.0);
            expansions.push(work.expansions as f64);
            probes.push(work.probes as f64);
        }
        for (what, figures) in [
            ("% too long", &mut ratios),
            ("expansions", &mut expansions),
            ("hubs", &mut probes),
            ("µs", &mut times),
        ] {
            figures.sort_by(f64::total_cmp);
            let mean = figures.iter().sum::<f64>() / figures.len() as f64;
            std::println!(
                "  {what}: mean {mean:.3}, 99 % {:.2}, most {:.2}",
                figures[figures.len() * 99 / 100],
                figures[figures.len() - 1]
            );
        }
    }
}
