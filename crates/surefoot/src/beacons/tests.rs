use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::corners::Corners;
use super::turns::Turns;
use super::{BeaconConfig, BeaconDatabase, Labelled};
use crate::space::{Cell, Cost, CostModel, Grid, GridSpace, MoveRule, State, StateSpace, bends_of};
use crate::store::draws::Draws;
use crate::store::{BuildProgress, BuildState};
use crate::test_maps::{quick_or_long, with_changed_body};

/// What the cheapest paths from a state cost.
fn costs_from(space: &GridSpace, from: State) -> Vec<Option<Cost>> {
    let mut costs = vec![None; space.state_limit()];
    let mut open = BinaryHeap::from([Reverse((0, from.0))]);
    while let Some(Reverse((cost, state))) = open.pop() {
        if costs[state as usize].is_none() {
            costs[state as usize] = Some(cost);
            space.for_each_successor(State(state), |to, more| open.push(Reverse((cost + more, to.0))));
        }
    }
    costs
}

/// Makes sure that the answers from every `step`th free cell to all others are exact, and paths are legal.
fn check(space: &GridSpace, database: &BeaconDatabase, step: usize) {
    let cells: Vec<State> = space.grid().free_cells().map(|cell| space.state(cell)).collect();
    let mut points = Vec::new();
    for &from in cells.iter().step_by(step) {
        let exact = costs_from(space, from);
        for &to in &cells {
            let expected = exact[to.index()];
            let case = || alloc::format!("{} from {from:?} to {to:?} on {:?}", space.rule(), space.grid());
            assert_eq!(database.cost(space, from, to), expected, "{}", case());
            assert_eq!(database.reachable(space, from, to), expected.is_some(), "{}", case());
            let path = database.path(space, from, to);
            let mut path_cells: Vec<Cell> = Vec::new();
            assert_eq!(path.as_ref().map(|path| path.cost), expected, "{}", case());
            if let Some(path) = path {
                path.check(space).unwrap_or_else(|error| panic!("{error}: {}", case()));
                assert_eq!((path.states[0], path.states[path.moves()]), (from, to));
                path_cells.extend(path.states.iter().map(|&state| space.cell(state)));
            }
            // Where it turns is found without its cells.
            assert_eq!(database.straight_runs(space, from, to, &mut points), expected, "{}", case());
            assert!(points.iter().copied().eq(bends_of(&path_cells)), "{points:?}: {}", case());
        }
        let goals: Vec<State> = cells.iter().copied().step_by(7).collect();
        let nearest = goals.iter().filter_map(|goal| exact[goal.index()]).min();
        let found = database.nearest_of(space, from, &goals).map(|(_, cost)| cost);
        assert_eq!(found, nearest, "{} from {from:?} on {:?}", space.rule(), space.grid());
    }
}

fn build(space: &GridSpace) -> BeaconDatabase {
    BeaconDatabase::build(space, BeaconConfig::default()).unwrap()
}

fn build_core(space: &GridSpace) -> BeaconDatabase {
    BeaconDatabase::build(space, BeaconConfig { labels: Labelled::Core, ..BeaconConfig::default() }).unwrap()
}

/// Maps of blocks, of scattered cells, or of diagonal walls with something behind, up to a size.
fn random_map(draws: &mut Draws, most: u64) -> Grid {
    let mut below = |limit: u64| draws.below(limit) as u32;
    let (width, height) = (2 + below(most - 1), 2 + below(most - 1));
    let kind = below(3);
    if kind == 0 {
        let share = 2 + below(55);
        return Grid::from_fn(width, height, |_| below(100) >= share).unwrap();
    }
    let mut grid = Grid::from_fn(width, height, |_| true).unwrap();
    if kind == 1 {
        for _ in 0..1 + below(5) {
            let (x, y, long) = (below(width.into()), below(height.into()), 2 + below(12));
            let (to_left, thick) = (below(2) == 0, 1 + below(3));
            for (step, aside) in (0..long).flat_map(|step| (0..thick).map(move |aside| (step, aside))) {
                let x = if to_left { (x + aside).wrapping_sub(step) } else { x + step + aside };
                if x < width && y + step < height {
                    grid.set(Cell::new(x, y + step), false);
                }
            }
        }
        return grid;
    }
    for _ in 0..below(14) {
        let (x, y, wide, high) = (below(width.into()), below(height.into()), 1 + below(5), 1 + below(5));
        for cell in
            (y..height.min(y + high)).flat_map(|y| (x..width.min(x + wide)).map(move |x| Cell::new(x, y)))
        {
            grid.set(cell, false);
        }
    }
    grid
}

/// Maps of four by four cells, some of all that there are under each rule.
#[test]
fn answers_are_exact_on_small_maps() {
    let apart = ((1 << 16) / quick_or_long(5_041)) | 1;
    for (number, rule) in (0..).zip(MoveRule::ALL) {
        for bits in (number..1_u32 << 16).step_by(apart as usize) {
            let grid = Grid::from_fn(4, 4, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            let space = GridSpace::new(grid, rule, CostModel::Sqrt2);
            check(&space, &build(&space), 3);
            check(&space, &build_core(&space), 3);
        }
    }
}

#[test]
fn answers_are_exact_on_random_maps() {
    let mut draws = Draws::new(11, 0);
    for round in 0..quick_or_long(400) as usize {
        let rule = MoveRule::ALL[round % 4];
        let costs = if round % 8 < 4 { CostModel::Sqrt2 } else { CostModel::Diagonal14 };
        let space = GridSpace::new(random_map(&mut draws, 26), rule, costs);
        let database = if round % 3 == 0 { build(&space) } else { build_core(&space) };
        check(&space, &database, 5);
        let opened = BeaconDatabase::from_bytes(&space, database.as_bytes().to_vec()).unwrap();
        assert_eq!((opened.figures(), opened.checksum()), (database.figures(), database.checksum()));
        check(&space, &opened, 50);
        database.verify(&space).unwrap();
    }
}

#[test]
fn edited_maps_are_answered_exactly_and_can_be_saved() {
    let mut draws = Draws::new(12, 0);
    for round in 0..24 {
        let rule = MoveRule::ALL[round % 4];
        let mut space = GridSpace::new(random_map(&mut draws, 24), rule, CostModel::Sqrt2);
        let (width, height) = (u64::from(space.grid().width()), u64::from(space.grid().height()));
        let mut database = if round / 4 % 2 == 0 { build(&space) } else { build_core(&space) };
        for edit in 0..30 {
            // Some edits at once now and then: then all labels are made anew.
            let count = if edit % 10 == 9 { 20 } else { 1 + draws.below(3) };
            let cells: Vec<Cell> = (0..count)
                .map(|_| Cell::new(draws.below(width) as u32, draws.below(height) as u32))
                .collect();
            for &cell in &cells {
                space.set(cell, !space.grid().is_free(cell));
            }
            database.repair(&space, cells).unwrap();
            assert_eq!(database.corners().count(), Corners::new(space.grid(), &Turns::new(rule)).count());
            check(&space, &database, 60);
        }
        let saved = database.renewed(&space).unwrap();
        let saved = BeaconDatabase::from_bytes(&space, saved.as_bytes().to_vec()).unwrap();
        check(&space, &saved, 11);
    }
}

#[test]
fn no_bytes_make_it_panic_or_wrong() {
    let space = GridSpace::new(random_map(&mut Draws::new(3, 0), 24), MoveRule::NoCut, CostModel::Sqrt2);
    let bytes = build(&space).as_bytes().to_vec();
    let length = crate::test_maps::with_changed_body(&bytes, |_| {}).len();
    for place in 0..length {
        for change in [1, 0x80, 0xff] {
            let changed = with_changed_body(&bytes, |body| {
                if let Some(byte) = body.get_mut(place) {
                    *byte ^= change;
                }
            });
            // Whatever is opened answers exactly: nothing but an order of importance is taken from the file.
            if let Ok(opened) = BeaconDatabase::from_bytes(&space, changed) {
                check(&space, &opened, 97);
            }
        }
    }
}

/// The same bytes on any number of threads.
#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_builds_the_same_bytes() {
    let space = GridSpace::new(random_map(&mut Draws::new(9, 0), 80), MoveRule::Squeeze, CostModel::Sqrt2);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| build(&space).as_bytes().to_vec())
    };
    assert!(with(1) == with(3));
}

/// Whoever has not been told of edits gets no panic, only answers that may be wrong.
#[test]
fn edits_that_were_not_told_do_no_harm() {
    let mut draws = Draws::new(13, 0);
    for round in 0..40 {
        let mut space =
            GridSpace::new(random_map(&mut draws, 30), MoveRule::ALL[round % 4], CostModel::Sqrt2);
        let database = build(&space);
        for _ in 0..30 {
            let state = State(draws.below(space.state_limit() as u64) as u32);
            space.set(space.cell(state), !space.contains(state));
        }
        let cells: Vec<State> = space.grid().free_cells().map(|cell| space.state(cell)).collect();
        for (&from, &to) in cells.iter().zip(cells.iter().rev()) {
            let _ = (database.cost(&space, from, to), database.turning_points(&space, from, to));
        }
    }
}

/// The legs of all corners, by the cells that they lead between.
fn legs_by_cells(database: &BeaconDatabase) -> Vec<(Cell, Cell, Cost)> {
    let mut legs = Vec::new();
    let of_all = database.edits.as_ref().and_then(|edits| edits.legs()).unwrap_or(&database.ways.graph);
    for corner in database.corners() {
        let of_corner = of_all.legs_of_corner(corner);
        legs.extend(of_corner.map(|(end, cost)| (database.cell(corner), database.cell(end), cost)));
    }
    legs.sort_unstable_by_key(|&(from, to, _)| (from.y, from.x, to.y, to.x));
    legs
}

/// What is in view is what single looks see, and who is seen sees.
#[test]
fn views_are_what_looks_see() {
    let mut draws = Draws::new(23, 0);
    for round in 0..40 {
        let rule = MoveRule::ALL[round % 4];
        let space = GridSpace::new(random_map(&mut draws, 40), rule, CostModel::Sqrt2);
        let database = build(&space);
        let sight = database.sight(&space);
        for from in space.grid().free_cells() {
            let mut in_view = Vec::new();
            sight.all_in_view(from, |corner| in_view.push(corner));
            for corner in database.corners() {
                let cell = database.cell(corner);
                let is_seen = sight.sees(from, cell).0;
                assert_eq!(
                    is_seen,
                    sight.sees(cell, from).0,
                    "{rule}: {from} and {cell} on {:?}",
                    space.grid()
                );
                assert_eq!(
                    in_view.contains(&corner),
                    is_seen,
                    "{rule}: {cell} from {from} on {:?}",
                    space.grid()
                );
            }
        }
    }
}

/// Whatever is edited, and whenever: in the end the legs are those that are found when all corners look.
#[test]
fn only_corners_that_see_an_edit_look_again() {
    let mut draws = Draws::new(21, 0);
    let (mut looked, mut all) = (0, 0);
    for round in 0..quick_or_long(160) as usize {
        let rule = MoveRule::ALL[round % 4];
        let mut space = GridSpace::new(random_map(&mut draws, 60), rule, CostModel::Sqrt2);
        let (width, height) = (u64::from(space.grid().width()), u64::from(space.grid().height()));
        let mut database = if round / 4 % 2 == 0 { build(&space) } else { build_core(&space) };
        for edit in 0..30 {
            let count = if edit % 10 == 9 { 12 } else { 1 + draws.below(2) };
            let cells: Vec<Cell> = (0..count)
                .map(|_| Cell::new(draws.below(width) as u32, draws.below(height) as u32))
                .collect();
            for &cell in &cells {
                space.set(cell, !space.grid().is_free(cell));
            }
            database.repair_but_labels(&space, cells).unwrap();
            if draws.below(3) == 0 {
                // The next edit comes in the middle of it.
                for _ in 0..draws.below(120) {
                    database.label_on(&space);
                }
                continue;
            }
            while database.label_on(&space).is_some() {}
            let anew = build(&space);
            assert!(legs_by_cells(&database) == legs_by_cells(&anew), "{rule}, round {round}, edit {edit}");
            looked += database.edits.as_ref().unwrap().looked();
            all += database.corners.count();
        }
    }
    // Maps as small as these are seen as a whole from many places.
    assert!(looked * 2 < all, "{looked} of {all} looked again");
}

/// Where much is edited all labels are made anew, in the order that a build has; at once or piece by piece,
/// it is the same.
#[test]
fn bulk_edits_are_built_anew() {
    let mut draws = Draws::new(22, 0);
    for round in 0..8 {
        let rule = MoveRule::ALL[round % 4];
        let mut space = GridSpace::new(random_map(&mut draws, 70), rule, CostModel::Sqrt2);
        let (width, height) = (u64::from(space.grid().width()), u64::from(space.grid().height()));
        let is_thin = round >= 4;
        let build = if is_thin { build_core } else { build };
        let mut at_once = build(&space);
        let mut in_pieces = at_once.clone();
        for edit in 0..10 {
            // Now and then so little that labels are updated, or so much that this is given up.
            let count = if edit % 2 == 0 { width * height / 4 } else { 1 + draws.below(8) };
            let cells: Vec<Cell> = (0..count)
                .map(|_| Cell::new(draws.below(width) as u32, draws.below(height) as u32))
                .collect();
            for &cell in &cells {
                space.set(cell, !space.grid().is_free(cell));
            }
            at_once.repair(&space, cells.iter().copied()).unwrap();
            in_pieces.repair_but_labels(&space, cells).unwrap();
            while in_pieces.label_on(&space).is_some() {}
            let [ours, theirs] = [&at_once.ways, &in_pieces.ways];
            assert!(ours.labels == theirs.labels && ours.graph == theirs.graph, "{rule}, {edit}");
            assert!(ours.leaves == theirs.leaves && ours.legs() == theirs.legs(), "{rule}, {edit}");
            assert_eq!(at_once.corners, in_pieces.corners);
            assert_eq!(at_once.figures(), in_pieces.figures());
            let anew = build(&space);
            assert!(legs_by_cells(&at_once) == legs_by_cells(&super::tests::build(&space)));
            // As few hubs as a build has, but for those who were corners once.
            let gone = at_once.corners.slots() - at_once.corners.count();
            let (ours, theirs) = (at_once.figures().hubs - gone as u64, anew.figures().hubs);
            assert!(
                edit % 2 == 1 || ours * 10 < theirs * 11 + 100,
                "{rule}: {ours} hubs, {theirs} of a build"
            );
            check(&space, &at_once, 100);
        }
    }
}

/// Labels that are made piece by piece, with an edit after every so many pieces.
fn label_in_pieces(
    space: &mut GridSpace,
    labels: Labelled,
    every: usize,
    draws: &mut Draws,
) -> BeaconDatabase {
    let config = BeaconConfig { labels, ..BeaconConfig::default() };
    let mut database = BeaconDatabase::without_labels(space, config).unwrap();
    let (mut pieces, mut edits) = (0, 0);
    while database.is_labelling() {
        if let BuildState::UnderWay(BuildProgress { stage, done, all }) = database.state_of_first() {
            assert!(done <= all, "{stage}: {done} of {all}");
        }
        database.label_on(space).unwrap();
        pieces += 1;
        if pieces % every == 0 && edits < 40 {
            edits += 1;
            let cell = space.cell(State(draws.below(space.state_limit() as u64) as u32));
            let is_free = space.grid().is_free(cell);
            space.set(cell, !is_free);
            database.repair_but_labels(space, [cell]).unwrap();
        }
    }
    database
}

#[test]
fn labels_that_are_made_piece_by_piece_are_those_of_a_build() {
    let mut draws = Draws::new(77, 0);
    for case in 0..40 {
        let grid = random_map(&mut draws, 24);
        let rule = MoveRule::ALL[case % MoveRule::ALL.len()];
        let mut space = GridSpace::new(grid, rule, CostModel::Sqrt2);
        let labels = Labelled::NAMES[case % 3].1;
        let built =
            BeaconDatabase::build(&space, BeaconConfig { labels, ..BeaconConfig::default() }).unwrap();
        let made = label_in_pieces(&mut space, labels, usize::MAX, &mut draws);
        assert!(made.as_bytes() == built.as_bytes(), "{case}");
        assert_eq!((made.figures(), made.checksum()), (built.figures(), built.checksum()), "{case}");
        // With edits meanwhile they are exact all the same.
        let edited = label_in_pieces(&mut space, labels, 1 + case % 7, &mut draws);
        check(&space, &edited, 11);
    }
}

/// Where all corners have too many hubs the core gets labels, as in a build, and clutter is told as such.
#[test]
fn the_first_labels_are_chosen_as_in_a_build() {
    let mut draws = Draws::new(5, 0);
    let clutter = Grid::from_fn(150, 150, |_| draws.below(100) >= 30).unwrap();
    let mut space = GridSpace::new(clutter, MoveRule::NoCut, CostModel::Sqrt2);
    let built = build(&space);
    assert!(built.figures().is_thin, "{:?}", built.figures());
    let made = label_in_pieces(&mut space, Labelled::Auto, usize::MAX, &mut draws);
    assert!(made.as_bytes() == built.as_bytes());
    let edited = label_in_pieces(&mut space, Labelled::Auto, 9001, &mut draws);
    check(&space, &edited, 1999);
    let hopeless = Grid::from_fn(700, 700, |_| draws.below(100) >= 10).unwrap();
    let space = GridSpace::new(hopeless, MoveRule::NoCut, CostModel::Sqrt2);
    let mut made = BeaconDatabase::without_labels(&space, BeaconConfig::default()).unwrap();
    while made.state_of_first() != BuildState::TooLarge {
        made.label_on(&space).unwrap();
    }
    assert!(BeaconDatabase::build(&space, BeaconConfig::default()).is_err());
}
