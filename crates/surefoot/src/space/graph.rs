//! Any directed graph with positive costs.

use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use super::sorting;
use super::{
    Components, Cost, Heuristic, QueryError, Reachability, Revision, Role, SpaceError, State, StateSpace,
};

/// A weighted directed graph. Edges lie in one array, sorted by where they start; edges from the same state
/// keep the order in which they were given, which is the order of successors.
#[derive(Clone, Debug)]
pub struct Graph {
    /// Where the edges of each state start, and one more.
    starts: Vec<usize>,
    targets: Vec<u32>,
    costs: Vec<u32>,
    components: Components,
    reversible: bool,
    cheapest_move: Cost,
    revision: Revision,
}

impl Graph {
    /// A graph of `states` states from a list of edges (from, to, cost). Costs are whole numbers; scale
    /// fractions up before.
    ///
    /// # Errors
    /// If an edge has an end that is no state or a cost of zero, or there are too many states.
    pub fn from_edges(states: usize, edges: &[(u32, u32, u32)]) -> Result<Self, SpaceError> {
        if states >= u32::MAX as usize {
            return Err(SpaceError::TooManyStates(states));
        }
        let mut starts = vec![0; states + 1];
        for (edge, &(from, to, cost)) in edges.iter().enumerate() {
            if from as usize >= states || to as usize >= states {
                return Err(SpaceError::EdgeOutside { edge, from, to, states });
            }
            if cost == 0 {
                return Err(SpaceError::FreeEdge { edge, from, to });
            }
            starts[from as usize + 1] += 1;
        }
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut next = starts.clone();
        let (mut targets, mut costs) = (vec![0; edges.len()], vec![0; edges.len()]);
        for &(from, to, cost) in edges {
            let place = &mut next[from as usize];
            targets[*place] = to;
            costs[*place] = cost;
            *place += 1;
        }
        let components = Components::strong(states, |v| &targets[starts[v]..starts[v + 1]]);
        let reversible = has_all_return_edges(edges);
        let cheapest_move = Cost::from(costs.iter().copied().min().unwrap_or(1));
        Ok(Self { starts, targets, costs, components, reversible, cheapest_move, revision: Revision::new() })
    }

    /// The number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// The strongly connected components.
    #[must_use]
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// The state that can be reached from `from` and is nearest to `target` by `heuristic`: what takes the
    /// place of a goal that cannot be reached. Equally near ones: the lowest number. Takes one pass over what
    /// `from` can reach.
    ///
    /// # Errors
    /// If `from` or `target` is no state.
    pub fn nearest_reachable(
        &self,
        heuristic: &impl Heuristic,
        from: State,
        target: State,
    ) -> Result<State, QueryError> {
        self.locate(from).map_err(|error| error.at(Role::Start))?;
        self.locate(target).map_err(|error| error.at(Role::Goal))?;
        let mut seen = vec![false; self.state_count()];
        let mut pending = vec![from];
        seen[from.index()] = true;
        let mut best = (heuristic.estimate(from, target), from);
        while let Some(state) = pending.pop() {
            best = best.min((heuristic.estimate(state, target), state));
            self.for_each_successor(state, |next, _| {
                if !core::mem::replace(&mut seen[next.index()], true) {
                    pending.push(next);
                }
            });
        }
        Ok(best.1)
    }

    /// `state` itself, if it is a state of this graph.
    ///
    /// # Errors
    /// If it is none.
    pub fn locate(&self, state: State) -> Result<State, QueryError> {
        if self.contains(state) {
            Ok(state)
        } else {
            Err(QueryError::NoState { role: Role::State, state: state.0, limit: self.state_count() })
        }
    }
}

impl StateSpace for Graph {
    fn state_limit(&self) -> usize {
        self.state_count()
    }

    fn contains(&self, state: State) -> bool {
        state.index() < self.state_count()
    }

    #[inline]
    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        let edges = self.starts[state.index()]..self.starts[state.index() + 1];
        for (&to, &cost) in self.targets[edges.clone()].iter().zip(&self.costs[edges]) {
            visit(State(to), Cost::from(cost));
        }
    }

    fn cheapest_move(&self) -> Cost {
        self.cheapest_move
    }

    fn is_reversible(&self) -> bool {
        self.reversible
    }

    fn reachability(&self, from: State, to: State) -> Reachability {
        // Components are numbered so that moves never lead to a higher number.
        match self.components.of(from).cmp(&self.components.of(to)) {
            core::cmp::Ordering::Equal => Reachability::Yes,
            core::cmp::Ordering::Less => Reachability::No,
            core::cmp::Ordering::Greater => Reachability::Unknown,
        }
    }

    fn revision(&self) -> Option<Revision> {
        self.reversible.then_some(self.revision)
    }

    fn describe(&self, state: State) -> String {
        format!("state {}", state.0)
    }
}

/// Whether each edge has one in the other direction at the same cost. Of parallel edges all count.
fn has_all_return_edges(edges: &[(u32, u32, u32)]) -> bool {
    let mut forth: Vec<_> = edges.to_vec();
    let mut back: Vec<_> = edges.iter().map(|&(from, to, cost)| (to, from, cost)).collect();
    for list in [&mut forth, &mut back] {
        sorting::sort(list);
        list.dedup();
    }
    forth == back
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::FnHeuristic;

    #[test]
    fn bad_edges_are_refused_by_number() {
        assert_eq!(
            Graph::from_edges(2, &[(0, 1, 1), (1, 2, 1)]).unwrap_err(),
            SpaceError::EdgeOutside { edge: 1, from: 1, to: 2, states: 2 }
        );
        assert_eq!(
            Graph::from_edges(2, &[(0, 1, 0)]).unwrap_err(),
            SpaceError::FreeEdge { edge: 0, from: 0, to: 1 }
        );
    }

    #[test]
    fn successors_keep_their_order() {
        let graph = Graph::from_edges(3, &[(1, 2, 7), (0, 2, 5), (1, 0, 3), (0, 1, 4)]).unwrap();
        let mut seen = Vec::new();
        graph.for_each_successor(State(1), |to, cost| seen.push((to.0, cost)));
        graph.for_each_successor(State(0), |to, cost| seen.push((to.0, cost)));
        assert_eq!(seen, [(2, 7), (0, 3), (2, 5), (1, 4)]);
    }

    #[test]
    fn one_way_moves_are_noticed() {
        assert!(Graph::from_edges(2, &[(0, 1, 4), (1, 0, 4)]).unwrap().is_reversible());
        assert!(!Graph::from_edges(2, &[(0, 1, 4), (1, 0, 5)]).unwrap().is_reversible());
        let one_way = Graph::from_edges(3, &[(0, 1, 4), (1, 2, 4)]).unwrap();
        assert!(!one_way.is_reversible());
        assert_eq!(one_way.reachability(State(2), State(0)), Reachability::No);
        assert_eq!(one_way.reachability(State(0), State(2)), Reachability::Unknown);
    }

    #[test]
    fn the_nearest_reachable_state_is_searched_among_what_can_be_reached() {
        let graph = Graph::from_edges(5, &[(0, 1, 1), (1, 0, 1), (1, 2, 1), (4, 3, 1)]).unwrap();
        let by_number = FnHeuristic::new(|a: State, b: State| Cost::from(a.0.abs_diff(b.0)));
        assert_eq!(graph.nearest_reachable(&by_number, State(0), State(4)), Ok(State(2)));
        assert_eq!(graph.nearest_reachable(&by_number, State(4), State(0)), Ok(State(3)));
        assert!(graph.nearest_reachable(&by_number, State(9), State(0)).is_err());
    }
}
