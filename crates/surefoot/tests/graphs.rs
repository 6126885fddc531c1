//! Search on weighted directed graphs, against Bellman and Ford's algorithm.

use proptest::prelude::*;
use surefoot::search::{AStar, Dijkstra, Gamma};
use surefoot::space::{
    Cost, FnHeuristic, Graph, QueryError, Reachability, State, StateSpace, Zero, check_consistency,
};

/// Distances from `source`, by relaxing all edges until nothing changes.
fn bellman_ford(states: usize, edges: &[(u32, u32, u32)], source: u32) -> Vec<Option<Cost>> {
    let mut distances = vec![None; states];
    distances[source as usize] = Some(0);
    for _ in 0..states {
        for &(from, to, cost) in edges {
            if let Some(distance) = distances[from as usize] {
                let through: Cost = distance + Cost::from(cost);
                if distances[to as usize].is_none_or(|known| through < known) {
                    distances[to as usize] = Some(through);
                }
            }
        }
    }
    distances
}

fn graphs() -> impl Strategy<Value = (usize, Vec<(u32, u32, u32)>)> {
    (1_usize..25).prop_flat_map(|states| {
        let end = 0..states as u32;
        // Costs of very different sizes: near ties, and keys far ahead of the queue's ring.
        let cost = prop_oneof![1_u32..5, 1_u32..2000, Just(u32::MAX)];
        (Just(states), prop::collection::vec((end.clone(), end, cost), 0..80))
    })
}

proptest! {
    #[test]
    fn searches_agree_with_bellman_and_ford((states, edges) in graphs(), seed in any::<u32>()) {
        let graph = Graph::from_edges(states, &edges).unwrap();
        let mut reversed: Vec<_> = edges.iter().map(|&(from, to, cost)| (to, from, cost)).collect();
        reversed.sort_unstable();
        let goal = State(seed % states as u32);
        let to_goal = bellman_ford(states, &reversed, goal.0);
        // Exact distances scaled down at random: admissible, hardly ever consistent.
        let uneven = FnHeuristic::new(|state: State, _| {
            to_goal[state.index()].map_or(0, |d| d / (1 + u64::from((state.0 ^ seed) % 3)))
        });
        // Exact distances: consistent, if "unreachable" counts as very far.
        let exact = FnHeuristic::consistent(|state: State, _| to_goal[state.index()].unwrap_or(1 << 50));
        prop_assert_eq!(check_consistency(&graph, &exact, goal), Ok(()));
        let (mut a_star, mut dijkstra) = (AStar::new(), Dijkstra::new());
        for start in (0..states as u32).map(State) {
            let truth = bellman_ford(states, &edges, start.0);
            let field = dijkstra.field(&graph, start).unwrap();
            for state in (0..states as u32).map(State) {
                prop_assert_eq!(field.distance(state), truth[state.index()]);
                match graph.reachability(start, state) {
                    Reachability::Yes => prop_assert!(truth[state.index()].is_some()),
                    Reachability::No => prop_assert!(truth[state.index()].is_none()),
                    Reachability::Unknown => {}
                }
            }
            let expected = truth[goal.index()];
            let answers = [
                a_star.find(&graph, &Zero, start, goal).unwrap(),
                a_star.find(&graph, &uneven, start, goal).unwrap(),
                a_star.find(&graph, &exact, start, goal).unwrap(),
                dijkstra.find(&graph, start, goal).unwrap(),
            ];
            for answer in answers {
                prop_assert_eq!(answer.cost(), expected);
                if let Some(path) = answer.path {
                    prop_assert_eq!(path.check(&graph), Ok(()));
                }
            }
            // A weighted search is not optimal, but within 1/gamma of it.
            let weighted = AStar::weighted("0.5".parse::<Gamma>().unwrap())
                .find(&graph, &exact, start, goal)
                .unwrap();
            prop_assert_eq!(weighted.cost().is_some(), expected.is_some());
            if let (Some(cost), Some(expected)) = (weighted.cost(), expected) {
                prop_assert!(cost >= expected && cost <= expected * 2 + 2);
            }
        }
    }
}

#[test]
fn fields_towards_a_state_refuse_one_way_moves() {
    let one_way = Graph::from_edges(2, &[(0, 1, 3)]).unwrap();
    let refused = Dijkstra::new().field_towards(&one_way, State(1)).unwrap_err();
    assert!(matches!(refused, QueryError::NotReversible { .. }));
    assert!(refused.to_string().contains("one-way moves"));
    let two_way = Graph::from_edges(2, &[(0, 1, 3), (1, 0, 3)]).unwrap();
    assert_eq!(Dijkstra::new().field_towards(&two_way, State(1)).unwrap().distance(State(0)), Some(3));
}

#[test]
fn numbers_that_are_no_states_are_refused() {
    let graph = Graph::from_edges(2, &[(0, 1, 3)]).unwrap();
    let message = AStar::new().find(&graph, &Zero, State(0), State(2)).unwrap_err().to_string();
    assert_eq!(message, "goal 2 is not a state; this space has 2, numbered from 0");
    for targets in [&[][..], &[State(0)], &[State(1), State(9)]] {
        assert!(Dijkstra::new().distances_to(&graph, State(2), targets).is_err(), "{targets:?}");
    }
    assert_eq!(Dijkstra::new().distances_to(&graph, State(0), &[]), Ok(Vec::new()));
}

/// The largest number, added to a cost so far, must not wrap round to a small one.
#[test]
fn a_heuristic_may_call_a_state_hopeless() {
    // 0 → 1 → 3 costs 9, and 2 is a dead end.
    let graph = Graph::from_edges(4, &[(0, 2, 1), (0, 1, 4), (1, 3, 5)]).unwrap();
    let hopeless = |state: State, _| if state.0 == 2 { Cost::MAX } else { 0 };
    for heuristic in [FnHeuristic::new(hopeless), FnHeuristic::consistent(hopeless)] {
        for gamma in ["1", "0.5"] {
            let mut search = AStar::weighted(gamma.parse::<Gamma>().unwrap());
            let answer = search.find(&graph, &heuristic, State(0), State(3)).unwrap();
            assert_eq!((answer.cost(), answer.counts.expanded), (Some(9), 2), "the dead end is left alone");
        }
    }
    // Where all is hopeless the search still ends.
    let graph = Graph::from_edges(4, &[(0, 1, 1), (0, 2, 1), (2, 3, 1)]).unwrap();
    let all = FnHeuristic::consistent(|state: State, goal| if state == goal { 0 } else { Cost::MAX });
    let answer = AStar::new().find(&graph, &all, State(0), State(1)).unwrap();
    assert_eq!(answer.cost(), Some(1));
    // 2 cannot reach 1, which only a search can tell.
    let graph = Graph::from_edges(4, &[(0, 2, 1), (0, 3, 1), (1, 3, 1)]).unwrap();
    for goal in 1..4 {
        let truth = Dijkstra::new().find(&graph, State(0), State(goal)).unwrap().cost();
        assert_eq!(AStar::new().find(&graph, &all, State(0), State(goal)).unwrap().cost(), truth);
    }
}
