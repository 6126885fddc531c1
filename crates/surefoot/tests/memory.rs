//! A search pays for the states that it looks at, not for the map. In a file, and so in a process, of its own: what is
//! measured is the whole process.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // the functions below are part of the test

use surefoot::search::{AStar, Dijkstra};
use surefoot::space::{Cost, Reachability, State, StateSpace, Zero};

/// Many states in a row, each a move away from the next.
struct Row(u32);

impl StateSpace for Row {
    fn state_limit(&self) -> usize {
        self.0 as usize
    }

    fn contains(&self, state: State) -> bool {
        state.0 < self.0
    }

    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        if state.0 + 1 < self.0 {
            visit(State(state.0 + 1), 1);
        }
    }

    fn cheapest_move(&self) -> Cost {
        1
    }

    fn is_reversible(&self) -> bool {
        false
    }

    fn reachability(&self, from: State, to: State) -> Reachability {
        if from <= to { Reachability::Yes } else { Reachability::No }
    }

    fn describe(&self, state: State) -> String {
        format!("state {}", state.0)
    }
}

/// The most memory that this process has had, in megabytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

#[test]
fn short_searches_on_large_maps_take_little_memory() {
    // Written out, the nodes of each search take 960 MB and the distances of the field 480 MB.
    let space = Row(60_000_000);
    let before = peak();
    let near = State(10);
    assert_eq!(AStar::new().find(&space, &Zero, State(0), near).unwrap().cost(), Some(10));
    let mut dijkstra = Dijkstra::new();
    assert_eq!(dijkstra.distances_to(&space, State(0), &[near]), Ok(vec![Some(10)]));
    let field = dijkstra.field_within(&space, State(0), 10).unwrap();
    assert_eq!((field.distance(near), field.distance(State(11))), (Some(10), None));
    assert!(peak() < before + 100, "{} MB before, {} MB after", before, peak());
}
