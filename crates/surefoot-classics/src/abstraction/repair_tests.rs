//! Abstractions of maps that are edited, held against the verifier and against the map.

use alloc::vec;

use proptest::prelude::*;
use surefoot::formats::grid_from_art;
use surefoot::space::{Cell, Graph, Grid, GridSpace, Guided, MoveRule, Reachability, StateSpace, Zero};
use surefoot::store::draws::Draws;

use super::*;

fn space(art: &str, rule: MoveRule) -> GridSpace {
    GridSpace::new(grid_from_art(art).unwrap(), rule, CostModel::Sqrt2)
}

fn open(width: u32, height: u32, rule: MoveRule) -> GridSpace {
    GridSpace::new(Grid::from_fn(width, height, |_| true).unwrap(), rule, CostModel::Sqrt2)
}

fn built(space: &GridSpace) -> Abstraction {
    Abstraction::build(space, AbstractionConfig::default()).unwrap()
}

/// Turns a cell into its opposite and repairs.
fn flip(space: &mut GridSpace, abstraction: &mut Abstraction, cell: Cell) {
    space.set(cell, !space.grid().is_free(cell));
    abstraction.repair(space, [cell]).unwrap();
}

/// Everything that holds of any abstraction of a map: groups are cliques with orphans, components are those
/// of the map (which finds its own), and there are no more levels and nodes than needed.
fn check(space: &GridSpace, abstraction: &Abstraction) {
    abstraction.verify_cliques(space).unwrap();
    let grid = space.grid();
    assert_eq!(abstraction.ground_states(), grid.free_count());
    assert_eq!(abstraction.built_for(), BuiltFor::of(space));
    let free: Vec<State> = grid.free_cells().map(|cell| space.state_of(cell)).collect();
    for &from in &free {
        for &to in &free {
            let is_open = space.reachability(from, to) == Reachability::Yes;
            assert_eq!(abstraction.same_component(from, to), is_open, "{from:?} {to:?}");
        }
    }
    for level in 1..abstraction.levels() {
        assert!(abstraction.node_count(level) > 0, "level {level} is empty");
        // Level 0 counts blocked cells too.
        assert!(level == 1 || abstraction.node_count(level) < abstraction.node_count(level - 1));
    }
    for node in 0..space.state_limit() as u32 {
        assert!(space.contains(State(node)) || abstraction.parent(0, node).is_none());
    }
}

/// There is a quick path if there is a way, and it is legal.
fn check_quick_path(space: &GridSpace, abstraction: &Abstraction, from: State, to: State) {
    let path = abstraction.quick_path(space, from, to);
    assert_eq!(path.is_some(), space.reachability(from, to) == Reachability::Yes, "{from:?} {to:?}");
    if let Some(path) = path {
        path.check(space).unwrap();
        assert_eq!((path.states.first(), path.states.last()), (Some(&from), Some(&to)));
    }
}

fn spaces() -> impl Strategy<Value = GridSpace> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    let side = || prop_oneof![Just(1_u32), 2_u32..24];
    (side(), side(), prop_oneof![Just(1.0), Just(0.8), Just(0.55)], rule).prop_flat_map(
        |(width, height, density, rule)| {
            prop::collection::vec(prop::bool::weighted(density), (width * height) as usize).prop_map(
                move |free| {
                    let grid = Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]);
                    GridSpace::new(grid.unwrap(), rule, CostModel::Diagonal14)
                },
            )
        },
    )
}

fn cell_of(space: &GridSpace, index: prop::sample::Index) -> Cell {
    space.cell(State(index.index(space.state_limit()) as u32))
}

fn configs() -> impl Strategy<Value = AbstractionConfig> {
    let distance = prop::sample::select(vec![AbstractDistance::Octile, AbstractDistance::Euclidean]);
    (any::<bool>(), distance).prop_map(|(aligned, distance)| AbstractionConfig { aligned, distance })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_edit_leaves_a_proper_abstraction(
        mut space in spaces(),
        config in configs(),
        edits in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        ends in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let mut abstraction = Abstraction::build(&space, config).unwrap();
        for edit in edits {
            let cell = cell_of(&space, edit);
            flip(&mut space, &mut abstraction, cell);
            check(&space, &abstraction);
            let (from, to) = (space.state_of(cell_of(&space, ends.0)), space.state_of(cell_of(&space, ends.1)));
            if space.contains(from) && space.contains(to) {
                check_quick_path(&space, &abstraction, from, to);
            }
        }
    }

    /// Many cells at once, some of them named twice or not changed at all.
    #[test]
    fn many_cells_can_change_at_once(
        mut space in spaces(),
        rounds in prop::collection::vec(prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..60), 1..4),
    ) {
        let mut abstraction = built(&space);
        for round in rounds {
            let cells: Vec<(Cell, bool)> = round.iter().map(|&(at, free)| (cell_of(&space, at), free)).collect();
            for &(cell, free) in &cells {
                space.set(cell, free);
            }
            abstraction.repair(&space, cells.iter().map(|edit| edit.0)).unwrap();
            check(&space, &abstraction);
        }
    }

    /// What was saved and opened again goes on as what was not; and the same edits give the same bytes.
    #[test]
    fn saved_abstractions_go_on_as_if_they_had_not_been(
        space in spaces(),
        edits in prop::collection::vec(any::<prop::sample::Index>(), 2..20),
    ) {
        let mut runs = Vec::new();
        for save_at in [usize::MAX, usize::MAX, edits.len() / 2] {
            let mut space = space.clone();
            let mut abstraction = built(&space);
            for (place, &edit) in edits.iter().enumerate() {
                let cell = cell_of(&space, edit);
                flip(&mut space, &mut abstraction, cell);
                if place == save_at {
                    let bytes = abstraction.to_bytes().into_owned();
                    abstraction = Abstraction::from_bytes(&space, bytes).unwrap();
                    check(&space, &abstraction);
                }
            }
            let bytes = abstraction.to_bytes().into_owned();
            let opened = Abstraction::from_bytes(&space, bytes.clone()).unwrap();
            prop_assert_eq!(opened.states(), abstraction.states());
            for level in 0..opened.levels() {
                prop_assert_eq!(opened.edge_count(level), abstraction.edge_count(level));
            }
            runs.push(bytes);
        }
        prop_assert!(runs[0] == runs[1] && runs[0] == runs[2]);
    }

    /// Who forgets to name a cell gets a wrong abstraction, which the verifier notices, and no panic.
    #[test]
    fn cells_that_are_not_named_do_no_harm(
        mut space in spaces(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..40),
    ) {
        let mut abstraction = built(&space);
        let mut forgotten = Vec::new();
        for (edit, is_named) in edits {
            let cell = cell_of(&space, edit);
            space.set(cell, !space.grid().is_free(cell));
            if is_named {
                abstraction.repair(&space, [cell]).unwrap();
            } else {
                forgotten.push(cell);
            }
            let _ = (abstraction.verify(&space), abstraction.to_bytes());
            let (from, to) = (space.grid().free_cells().next(), space.grid().free_cells().last());
            if let Some((from, to)) = from.zip(to) {
                let _ = abstraction.quick_path(&space, space.state_of(from), space.state_of(to));
            }
        }
        // Named late, they are made up for.
        abstraction.repair(&space, forgotten).unwrap();
        check(&space, &abstraction);
    }
}

#[test]
fn a_door_joins_and_parts_two_rooms() {
    let mut space = space("....#....\n....#....\n....#....\n....#....", MoveRule::NoCut);
    let mut abstraction = built(&space);
    let (west, east) = (space.state_of(Cell::new(0, 0)), space.state_of(Cell::new(8, 3)));
    let (door, levels) = (Cell::new(4, 2), abstraction.levels());
    for _ in 0..3 {
        assert!(!abstraction.same_component(west, east));
        flip(&mut space, &mut abstraction, door);
        assert!(abstraction.same_component(west, east));
        assert!(abstraction.levels() > levels, "the two tops need one above them");
        check(&space, &abstraction);
        flip(&mut space, &mut abstraction, door);
        check(&space, &abstraction);
        assert_eq!(abstraction.levels(), levels);
    }
}

/// Under the rule against cut corners a blocked cell parts its neighbours, which it was not between on any
/// straight way.
#[test]
fn a_cell_in_the_corner_of_a_move_counts() {
    let mut space = space("..\n#.", MoveRule::OneFree);
    space.set(Cell::new(0, 1), true);
    let mut abstraction = built(&space);
    for cell in [Cell::new(0, 1), Cell::new(1, 0)] {
        flip(&mut space, &mut abstraction, cell);
        check(&space, &abstraction);
    }
    assert!(!abstraction.same_component(State(0), State(3)));
    let mut squeezed = open(2, 2, MoveRule::Squeeze);
    let mut abstraction = built(&squeezed);
    for cell in [Cell::new(0, 1), Cell::new(1, 0)] {
        flip(&mut squeezed, &mut abstraction, cell);
        check(&squeezed, &abstraction);
    }
    assert!(abstraction.same_component(State(0), State(3)));
}

#[test]
fn a_map_can_be_walled_up_and_opened_again() {
    for (width, height) in [(12, 9), (1, 30), (30, 1), (2, 2), (1, 1)] {
        for rule in MoveRule::ALL {
            let mut space = open(width, height, rule);
            let mut abstraction = built(&space);
            let fresh = abstraction.states();
            let cells: Vec<Cell> = space.grid().free_cells().collect();
            for &cell in &cells {
                flip(&mut space, &mut abstraction, cell);
                check(&space, &abstraction);
            }
            assert_eq!((abstraction.levels(), abstraction.states()), (1, 0));
            for &cell in cells.iter().rev() {
                flip(&mut space, &mut abstraction, cell);
            }
            check(&space, &abstraction);
            let states = abstraction.states();
            assert!(
                states <= fresh + fresh / 5 + 2,
                "{width} x {height}, {rule}: {states} states, {fresh} fresh"
            );
        }
    }
}

/// A cell that is blocked and freed again is part of its square again.
#[test]
fn squares_close_again() {
    let mut space = open(16, 16, MoveRule::NoCut);
    let mut abstraction = built(&space);
    for cell in [Cell::new(0, 0), Cell::new(7, 8), Cell::new(15, 3)] {
        flip(&mut space, &mut abstraction, cell);
        check(&space, &abstraction);
        flip(&mut space, &mut abstraction, cell);
        check(&space, &abstraction);
        let (x, y) = (cell.x & !1, cell.y & !1);
        let square = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
        let group = abstraction.parent(0, space.state_of(cell).0).unwrap();
        assert!(abstraction.children(1, group).eq(square.map(|(x, y)| space.state_of(Cell::new(x, y)).0)));
        assert_eq!(abstraction.node_count(1), 64);
    }
}

/// Who has an abstraction for himself does not pay for a copy.
#[test]
fn what_nobody_shares_is_repaired_in_place() {
    let mut space = open(9, 9, MoveRule::NoCut);
    let mut abstraction = built(&space);
    flip(&mut space, &mut abstraction, Cell::new(4, 4));
    let place = |abstraction: &Abstraction| match &abstraction.storage {
        Storage::Edited(edited) => Arc::as_ptr(edited),
        Storage::Packed(..) => panic!("it was repaired"),
    };
    let before = place(&abstraction);
    flip(&mut space, &mut abstraction, Cell::new(2, 2));
    assert_eq!(place(&abstraction), before);
    let shared = abstraction.clone();
    flip(&mut space, &mut abstraction, Cell::new(2, 2));
    assert_ne!(place(&abstraction), place(&shared));
}

/// Whether there is room enough is known before anything is changed.
#[test]
fn the_room_that_lists_need_is_known_beforehand() {
    for space in [open(33, 20, MoveRule::Squeeze), space(".#...#\n..#.#.\n.#....", MoveRule::NoCut)] {
        let mut abstraction = built(&space);
        let foreseen = Edited::longest_pool((0..abstraction.levels()).map(|level| abstraction.level(level)));
        abstraction.repair(&space, []).unwrap();
        let Storage::Edited(edited) = &abstraction.storage else { panic!("it may be changed now") };
        let pools = edited.levels.iter().flat_map(|level| [&level.children.pool, &level.edges.pool]);
        assert_eq!(pools.map(|pool| pool.len() as u64).max(), Some(foreseen));
    }
}

#[test]
fn others_keep_the_abstraction_that_they_share() {
    let mut space = open(9, 9, MoveRule::NoCut);
    let mut abstraction = built(&space);
    flip(&mut space, &mut abstraction, Cell::new(4, 4));
    let (old_space, shared, bytes) =
        (space.clone(), abstraction.clone(), abstraction.to_bytes().into_owned());
    flip(&mut space, &mut abstraction, Cell::new(2, 2));
    check(&space, &abstraction);
    check(&old_space, &shared);
    assert!(shared.to_bytes() == bytes && abstraction.to_bytes() != bytes);
}

#[test]
fn abstractions_of_other_spaces_are_not_repaired() {
    let mut abstraction = built(&open(5, 4, MoveRule::NoCut));
    let before = abstraction.to_bytes().into_owned();
    for other in [open(4, 5, MoveRule::NoCut), open(5, 4, MoveRule::Squeeze)] {
        let message = abstraction.repair(&other, [Cell::new(0, 0)]).unwrap_err().to_string();
        assert!(message.contains("was built for a map of 5 x 4 cells, rule no-cut"), "{message}");
    }
    assert_eq!(abstraction.to_bytes(), before);
    // Cells outside are none.
    let space = open(5, 4, MoveRule::NoCut);
    abstraction.repair(&space, [Cell::new(5, 0), Cell::new(0, u32::MAX)]).unwrap();
    assert_eq!(abstraction.to_bytes(), before);
    let edges = [(0, 1, 1), (1, 0, 1)];
    let graph = Guided { space: Graph::from_edges(2, &edges).unwrap(), heuristic: Zero };
    let mut of_graph = Abstraction::build(&graph, AbstractionConfig::default()).unwrap();
    assert!(of_graph.repair(&space, [Cell::new(0, 0)]).is_err());
}

/// After thousands of edits there are about as many nodes as in a fresh build.
#[test]
fn the_hierarchy_does_not_decay() {
    for (free_percent, rule) in [(90, MoveRule::NoCut), (75, MoveRule::Squeeze)] {
        let mut draws = Draws::new(1, 0);
        let mut below = |limit: u64| draws.below(limit);
        let grid = Grid::from_fn(64, 64, |_| below(100) < free_percent).unwrap();
        let mut space = GridSpace::new(grid, rule, CostModel::Sqrt2);
        let mut abstraction = built(&space);
        for edits in 1..=5000 {
            let cell = Cell::new(below(64) as u32, below(64) as u32);
            space.set(cell, below(100) < free_percent);
            abstraction.repair(&space, [cell]).unwrap();
            // What is wrong may be made up for by chance: looked for now and then, it is found.
            if edits % 20 == 0 {
                abstraction.verify_cliques(&space).unwrap();
            }
        }
        // Room that was given up is used again.
        let Storage::Edited(edited) = &abstraction.storage else { panic!("it was repaired") };
        for level in &edited.levels[1..] {
            for lists in [&level.children, &level.edges] {
                assert!(
                    lists.pool.len() < 4 * lists.total() + 100,
                    "{} for {}",
                    lists.pool.len(),
                    lists.total()
                );
            }
        }
        let fresh = built(&space);
        assert!(abstraction.levels() <= fresh.levels() + 2);
        // The highest levels have so few nodes that chance decides.
        for level in (1..fresh.levels()).filter(|&level| fresh.node_count(level) >= 30) {
            let (now, anew) = (abstraction.node_count(level), fresh.node_count(level));
            assert!(now <= anew + anew / 6, "{rule}, level {level}: {now} nodes, {anew} anew");
        }
    }
}
