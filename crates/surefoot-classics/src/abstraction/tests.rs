//! Abstractions of drawn and random spaces, held against what the definitions say.

use alloc::vec;

use crate::test_maps::with_changed_body;
use proptest::prelude::*;
use surefoot::formats::grid_from_art;
use surefoot::space::{Cell, FnHeuristic, Graph, Grid, GridSpace, Guided, MoveRule, Reachability, Zero};

use super::*;

fn space(art: &str, rule: MoveRule) -> GridSpace {
    GridSpace::new(grid_from_art(art).unwrap(), rule, CostModel::Sqrt2)
}

fn configs() -> impl Iterator<Item = AbstractionConfig> {
    let distances = [AbstractDistance::Octile, AbstractDistance::Euclidean];
    [false, true]
        .into_iter()
        .flat_map(move |aligned| distances.map(|distance| AbstractionConfig { aligned, distance }))
}

#[test]
fn an_open_square_halves_its_sides_on_every_level() {
    let open = GridSpace::new(Grid::from_fn(16, 16, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    for config in configs() {
        let abstraction = Abstraction::build(&open, config).unwrap();
        let counts: Vec<usize> =
            (0..abstraction.levels()).map(|level| abstraction.node_count(level)).collect();
        assert_eq!(counts, [256, 64, 16, 4, 1], "{config}");
        abstraction.verify_cliques(&open).unwrap();
        assert_eq!(abstraction.position(1, 0), Some((0.5, 0.5)));
        assert_eq!(abstraction.position(4, 0), Some((7.5, 7.5)));
        // Two neighbouring squares of four: four moves straight across and, with both diagonals, two by two.
        let (to, capacity, _) = abstraction.edges(1, 0).next().unwrap();
        assert_eq!((to, capacity), (1, 4));
    }
}

/// Figure 2 of the paper: two cliques of four, an orphan of the first, a lone node between them and a node
/// with an orphan of its own become four nodes, then two, then one.
#[test]
fn the_graph_of_the_paper_is_abstracted_as_in_its_figure() {
    let clique = |first: u32| (first..first + 4).flat_map(move |a| (a + 1..first + 4).map(move |b| (a, b)));
    let others = [(0, 8), (1, 9), (4, 9), (2, 10), (5, 10), (10, 11)];
    let edges: Vec<(u32, u32, u32)> =
        clique(0).chain(clique(4)).chain(others).flat_map(|(a, b)| [(a, b, 1), (b, a, 1)]).collect();
    assert_eq!(edges.len(), 36);
    let world = Guided { space: Graph::from_edges(12, &edges).unwrap(), heuristic: Zero };
    let abstraction = Abstraction::build(&world, AbstractionConfig::default()).unwrap();
    abstraction.verify_cliques(&world).unwrap();
    let groups: Vec<Vec<u32>> = (0..4).map(|group| abstraction.children(1, group).collect()).collect();
    assert_eq!(groups, [vec![0, 1, 2, 3, 8], vec![4, 5, 6, 7], vec![9], vec![10, 11]]);
    assert_eq!(abstraction.edge_count(1), 8);
    let counts: Vec<usize> = (0..abstraction.levels()).map(|level| abstraction.node_count(level)).collect();
    assert_eq!(counts, [12, 4, 2, 1]);
}

#[test]
fn a_hub_of_many_edges_takes_time_by_its_edges_alone() {
    let edges: Vec<(u32, u32, u32)> = (1..=20_000_u32)
        .flat_map(|rim| [(0, rim), (rim, rim % 20_000 + 1)])
        .flat_map(|(a, b)| [(a, b, 1), (b, a, 1)])
        .collect();
    let world = Guided { space: Graph::from_edges(20_001, &edges).unwrap(), heuristic: Zero };
    let abstraction = Abstraction::build(&world, AbstractionConfig::default()).unwrap();
    abstraction.verify_cliques(&world).unwrap();
    assert!(abstraction.levels() < 30, "{} levels", abstraction.levels());
}

#[test]
fn one_way_graphs_are_refused() {
    let world = Guided { space: Graph::from_edges(2, &[(0, 1, 1)]).unwrap(), heuristic: Zero };
    let error = Abstraction::build(&world, AbstractionConfig::default()).unwrap_err();
    assert!(error.to_string().contains("can be undone"), "{error}");
}

#[test]
fn the_verifier_notices_what_is_wrong() {
    let drawn = space("....#\n.##..\n.....", MoveRule::NoCut);
    let other = space("....#\n.###.\n.....", MoveRule::NoCut);
    let abstraction = Abstraction::build(&drawn, AbstractionConfig::default()).unwrap();
    assert!(abstraction.verify(&drawn).is_ok());
    let fault = abstraction.verify(&other).unwrap_err();
    assert_eq!(fault.level, 0, "{fault}");
    // The same cells without diagonal moves: the groups may be the same, but not what joins them.
    let open = space("....\n....", MoveRule::NoCut);
    let abstraction = Abstraction::build(&open, AbstractionConfig::default()).unwrap();
    let fault = abstraction.verify(&space("....\n....", MoveRule::Cardinal)).unwrap_err();
    assert_eq!(fault.level, 1, "{fault}");
}

/// Graphs that differ from that of the abstraction inside a group or in weights alone.
#[test]
fn the_verifier_looks_into_groups() {
    let world = |edges: &[(u32, u32, u32)]| {
        let both: Vec<_> = edges.iter().flat_map(|&(a, b, cost)| [(a, b, cost), (b, a, cost)]).collect();
        Guided { space: Graph::from_edges(8, &both).unwrap(), heuristic: Zero }
    };
    let fault = |built: &[(u32, u32, u32)], other: &[(u32, u32, u32)]| {
        let abstraction = Abstraction::build(&world(built), AbstractionConfig::default()).unwrap();
        abstraction.verify_cliques(&world(built)).unwrap();
        let other = world(other);
        (
            abstraction.verify(&other).map_err(|fault| fault.problem),
            abstraction.verify_cliques(&other).is_ok(),
        )
    };
    // A ring of two pairs, and the same with nothing but what joins the pairs, or at another cost.
    let ring = [(0, 1, 1), (2, 3, 1), (0, 2, 1), (1, 3, 1)];
    let (apart, is_clique) = fault(&ring, &ring[..2]);
    assert!(apart.unwrap_err().contains("not connected") && !is_clique);
    let (dear, _) = fault(&ring, &[(0, 1, 3), (2, 3, 3), (0, 2, 1), (1, 3, 1)]);
    assert!(dear.unwrap_err().contains("the edge from node"));
    // Four with an orphan each, and the same without one of the edges between the four.
    let four = [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 2, 1), (1, 3, 1), (2, 3, 1)];
    let four: Vec<_> = four.into_iter().chain((0..4).map(|node| (node, node + 4, 1))).collect();
    assert_eq!(fault(&four, &four[1..]), (Ok(()), false));
}

/// A* on a level need not open a node twice only if no detour is shorter than an edge.
#[test]
fn distances_keep_the_triangle_inequality() {
    let places: Vec<(u32, u32)> = (0..7)
        .flat_map(|x| (0..7).map(move |y| (x * x * 3, y * 11 + x)))
        .chain([(u32::MAX, u32::MAX)])
        .collect();
    for costs in [CostModel::Sqrt2, CostModel::Diagonal14] {
        for metric in [Metric::new(costs, false), Metric::new(costs, true)] {
            for &a in &places {
                for &b in &places {
                    let direct = metric.distance(a, b);
                    assert_eq!(direct == 0, a == b);
                    let by = |&c: &(u32, u32)| metric.distance(a, c) + metric.distance(c, b);
                    assert!(places.iter().map(by).all(|by| by >= direct), "{metric:?} {a:?} {b:?}");
                }
            }
        }
    }
}

fn spaces() -> impl Strategy<Value = GridSpace> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    (1_u32..20, 1_u32..16, prop_oneof![Just(0.95), Just(0.7), Just(0.5)], rule).prop_flat_map(
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

fn graphs() -> impl Strategy<Value = Graph> {
    (1_u32..40).prop_flat_map(|states| {
        prop::collection::vec((0..states, 0..states, 1_u32..9), 0..80).prop_map(move |edges| {
            let both: Vec<_> =
                edges.into_iter().flat_map(|(a, b, cost)| [(a, b, cost), (b, a, cost)]).collect();
            Graph::from_edges(states as usize, &both).unwrap()
        })
    })
}

/// Everything that holds of any abstraction of a world.
fn check(world: &impl World, config: AbstractionConfig) {
    let abstraction = Abstraction::build(world, config).unwrap();
    abstraction.verify_cliques(world).unwrap();
    let states: Vec<State> =
        (0..world.state_limit() as u32).map(State).filter(|&state| world.contains(state)).collect();
    assert_eq!(abstraction.ground_states(), states.len() as u64);
    for &from in &states {
        for &to in &states {
            let is_open = world.reachability(from, to) == Reachability::Yes;
            assert_eq!(abstraction.same_component(from, to), is_open, "{from:?} {to:?}");
            let path = abstraction.quick_path(world, from, to);
            assert_eq!(path.is_some(), is_open, "{from:?} {to:?}");
            if let Some(path) = path {
                path.check(world).unwrap();
                assert_eq!((path.states.first(), path.states.last()), (Some(&from), Some(&to)));
            }
        }
    }
    let opened = Abstraction::from_bytes(world, abstraction.to_bytes().into_owned()).unwrap();
    assert_eq!(opened.states(), abstraction.states());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn abstractions_of_grids_keep_what_is_connected(space in spaces(), config in 0_usize..4) {
        check(&space, configs().nth(config).unwrap());
    }

    #[test]
    fn abstractions_of_graphs_keep_what_is_connected(space in graphs()) {
        check(&Guided { space, heuristic: FnHeuristic::new(|_, _| 0) }, AbstractionConfig::default());
    }

    /// Whoever means harm sees to the checksum.
    #[test]
    fn bytes_that_were_changed_and_sealed_again_are_refused_or_right(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let space = space("......#...\n.####.#.#.\n......#.#.\n.#.##...#.", MoveRule::NoCut);
        let bytes = Abstraction::build(&space, AbstractionConfig::default()).unwrap().to_bytes().into_owned();
        let changed = with_changed_body(&bytes, |body| {
            for (at, byte) in changes {
                let at = at.index(body.len());
                body[at] = byte;
            }
        });
        let _ = Abstraction::inspect(&changed);
        if let Ok(opened) = Abstraction::from_bytes(&space, changed) {
            opened.verify(&space).unwrap();
        }
    }
}

#[test]
fn every_flipped_bit_and_every_cut_is_noticed() {
    let space = space("...#.\n.#...", MoveRule::Squeeze);
    let bytes = Abstraction::build(&space, AbstractionConfig::default()).unwrap().to_bytes().into_owned();
    for length in 0..bytes.len() {
        assert!(Abstraction::from_bytes(&space, bytes[..length].to_vec()).is_err(), "{length} bytes");
    }
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1 << (place % 8);
        assert!(Abstraction::from_bytes(&space, changed).is_err(), "byte {place}");
    }
}

#[test]
fn hostile_bytes_behind_a_proper_checksum_are_refused() {
    let space = space("......#...\n.####.#.#.\n......#.#.\n.#.##...#.", MoveRule::NoCut);
    let bytes = Abstraction::build(&space, AbstractionConfig::default()).unwrap().to_bytes().into_owned();
    let (mut accepted, mut refused) = (0, 0);
    for place in 0..bytes.len() - 28 {
        for change in [1, 2, 0x7f, 0x80, 0xff] {
            let changed = with_changed_body(&bytes, |body| body[place] ^= change);
            match Abstraction::from_bytes(&space, changed) {
                Ok(opened) => {
                    accepted += 1;
                    opened.verify(&space).unwrap();
                }
                Err(_) => refused += 1,
            }
        }
        let cut = with_changed_body(&bytes, |body| body.truncate(place));
        assert!(Abstraction::from_bytes(&space, cut).is_err());
    }
    // Only the two bytes that say how it was built can change without a contradiction.
    assert!(accepted <= 2 && refused > 1000, "{accepted} {refused}");
}

#[test]
fn an_abstraction_of_another_kind_or_world_is_refused() {
    let drawn = space("....", MoveRule::NoCut);
    let abstraction = Abstraction::build(&drawn, AbstractionConfig::default()).unwrap();
    let longer = space(".....", MoveRule::NoCut);
    let message = |space: &GridSpace, bytes: &[u8]| {
        Abstraction::from_bytes(space, bytes.to_vec()).unwrap_err().to_string()
    };
    assert!(message(&longer, &abstraction.to_bytes()).contains("was built for a map of 4 x 1 cells"));
    let info = Abstraction::inspect(&abstraction.to_bytes()).unwrap();
    assert_eq!((info.version, info.levels), (1, vec![(4, 0), (2, 2), (1, 0)]));
    assert_eq!(abstraction.ancestor(drawn.state_of(Cell::new(3, 0)), 1), Some(1));
}
