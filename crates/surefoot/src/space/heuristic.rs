//! Estimates of the distance between two states.

use alloc::string::String;

use super::{Cost, GridSpace, Reachability, Revision, State, StateSpace};

/// An estimate of the cost of the way from one state to another.
pub trait Heuristic {
    /// The estimate. Zero where both are the same.
    fn estimate(&self, from: State, to: State) -> Cost;

    /// Whether the estimate never falls by more than a move costs, along any move, for any goal. A search
    /// then never has to take back what it has settled, and runs faster. `false` is always safe.
    fn is_consistent(&self) -> bool;

    /// The grid itself, if this is one with the octile distance as its estimate: searches have short cuts
    /// there. Its cells may have weights; the estimate is then the octile distance times the lowest.
    #[inline]
    fn octile_grid(&self) -> Option<&GridSpace> {
        None
    }
}

impl<H: Heuristic + ?Sized> Heuristic for &H {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        (**self).estimate(from, to)
    }

    fn is_consistent(&self) -> bool {
        (**self).is_consistent()
    }

    #[inline]
    fn octile_grid(&self) -> Option<&GridSpace> {
        (**self).octile_grid()
    }
}

/// No estimate: A* becomes Dijkstra's algorithm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl Heuristic for Zero {
    #[inline]
    fn estimate(&self, _: State, _: State) -> Cost {
        0
    }

    fn is_consistent(&self) -> bool {
        true
    }
}

/// An estimate given by a function, for graphs. Its consistency is not taken for granted; say
/// [`FnHeuristic::consistent`] if it is known, and see [`check_consistency`].
#[derive(Clone, Copy, Debug)]
pub struct FnHeuristic<F> {
    function: F,
    consistent: bool,
}

impl<F: Fn(State, State) -> Cost> FnHeuristic<F> {
    /// An estimate that never exceeds the true distance.
    pub fn new(function: F) -> Self {
        Self { function, consistent: false }
    }

    /// An estimate that is known to be consistent as well.
    pub fn consistent(function: F) -> Self {
        Self { function, consistent: true }
    }
}

impl<F: Fn(State, State) -> Cost> Heuristic for FnHeuristic<F> {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        (self.function)(from, to)
    }

    fn is_consistent(&self) -> bool {
        self.consistent
    }
}

/// An estimate multiplied by numerator / denominator. Above 1 it may exceed the true distance.
#[derive(Clone, Copy, Debug)]
pub struct Weighted<H> {
    inner: H,
    numerator: u32,
    denominator: u32,
}

impl<H: Heuristic> Weighted<H> {
    /// `inner` times `numerator` / `denominator`.
    ///
    /// # Panics
    /// If `denominator` is 0.
    pub fn new(inner: H, numerator: u32, denominator: u32) -> Self {
        assert!(denominator != 0, "a weight's denominator must not be 0");
        Self { inner, numerator, denominator }
    }
}

impl<H: Heuristic> Heuristic for Weighted<H> {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        let product = u128::from(self.inner.estimate(from, to)) * u128::from(self.numerator);
        Cost::try_from(product / u128::from(self.denominator)).unwrap_or(Cost::MAX)
    }

    fn is_consistent(&self) -> bool {
        self.inner.is_consistent() && self.numerator <= self.denominator
    }
}

/// The larger of two estimates: admissible and consistent if both are.
#[derive(Clone, Copy, Debug)]
pub struct MaxOf<A, B>(pub A, pub B);

impl<A: Heuristic, B: Heuristic> Heuristic for MaxOf<A, B> {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        self.0.estimate(from, to).max(self.1.estimate(from, to))
    }

    fn is_consistent(&self) -> bool {
        self.0.is_consistent() && self.1.is_consistent()
    }
}

/// A space with a heuristic of one's own choice, as one world.
#[derive(Clone, Copy, Debug)]
pub struct Guided<S, H> {
    /// The space.
    pub space: S,
    /// The heuristic.
    pub heuristic: H,
}

/// Not with short cuts: the heuristic may be that of another grid than the space.
impl<S, H: Heuristic> Heuristic for Guided<S, H> {
    #[inline]
    fn estimate(&self, from: State, to: State) -> Cost {
        self.heuristic.estimate(from, to)
    }

    fn is_consistent(&self) -> bool {
        self.heuristic.is_consistent()
    }
}

impl<S: StateSpace, H> StateSpace for Guided<S, H> {
    fn state_limit(&self) -> usize {
        self.space.state_limit()
    }

    fn contains(&self, state: State) -> bool {
        self.space.contains(state)
    }

    #[inline]
    fn for_each_successor(&self, state: State, visit: impl FnMut(State, Cost)) {
        self.space.for_each_successor(state, visit);
    }

    #[inline]
    fn for_each_successor_after(&self, state: State, parent: State, visit: impl FnMut(State, Cost)) {
        self.space.for_each_successor_after(state, parent, visit);
    }

    fn cheapest_move(&self) -> Cost {
        self.space.cheapest_move()
    }

    fn is_reversible(&self) -> bool {
        self.space.is_reversible()
    }

    fn reachability(&self, from: State, to: State) -> Reachability {
        self.space.reachability(from, to)
    }

    fn revision(&self) -> Option<Revision> {
        self.space.revision()
    }

    fn describe(&self, state: State) -> String {
        self.space.describe(state)
    }
}

/// A move along which an estimate falls by more than the move costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the estimate is {estimate} in state {} and {next_estimate} in state {}, but the move between them costs {cost}",
    from.0, to.0)]
pub struct ConsistencyViolation {
    /// Where the move starts.
    pub from: State,
    /// Where it ends.
    pub to: State,
    /// What it costs.
    pub cost: Cost,
    /// The estimate where it starts.
    pub estimate: Cost,
    /// The estimate where it ends.
    pub next_estimate: Cost,
}

/// Checks along every move that the estimate for `goal` falls by no more than the move costs, and is 0 at the
/// goal. Then it never exceeds the true distance either. Takes one pass over the space.
///
/// # Errors
/// The first move that breaks the rule.
pub fn check_consistency(
    space: &impl StateSpace,
    heuristic: &impl Heuristic,
    goal: State,
) -> Result<(), ConsistencyViolation> {
    let at_goal = heuristic.estimate(goal, goal);
    if at_goal != 0 {
        return Err(ConsistencyViolation {
            from: goal,
            to: goal,
            cost: 0,
            estimate: at_goal,
            next_estimate: 0,
        });
    }
    for state in (0..space.state_limit() as u32).map(State).filter(|&state| space.contains(state)) {
        let estimate = heuristic.estimate(state, goal);
        let mut violation = None;
        space.for_each_successor(state, |to, cost| {
            let next_estimate = heuristic.estimate(to, goal);
            if estimate > next_estimate.saturating_add(cost) {
                violation.get_or_insert(ConsistencyViolation {
                    from: state,
                    to,
                    cost,
                    estimate,
                    next_estimate,
                });
            }
        });
        if let Some(violation) = violation {
            return Err(violation);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::division::FastDivision;
    use crate::space::{Cell, Grid, GridSpace};
    use crate::space::{CostModel, GridHeuristic, HeuristicKind, MoveRule};

    fn open(rule: MoveRule, costs: CostModel) -> GridSpace {
        GridSpace::new(Grid::from_fn(24, 20, |_| true).unwrap(), rule, costs)
    }

    #[test]
    fn the_check_agrees_with_the_distances_on_an_open_grid() {
        for rule in MoveRule::ALL {
            for costs in CostModel::ALL {
                let space = open(rule, costs);
                for kind in HeuristicKind::ALL {
                    let least = [costs.cardinal(), costs.diagonal()];
                    let estimate = GridHeuristic::new(kind, costs, least, FastDivision::by(24));
                    let consistent = space
                        .grid()
                        .free_cells()
                        .all(|goal| check_consistency(&space, &estimate, space.state(goal)).is_ok());
                    assert_eq!(consistent, kind.check(rule, costs).is_ok(), "{kind} {rule} {costs}");
                }
            }
        }
    }

    #[test]
    fn distances_are_what_their_names_say() {
        let space = open(MoveRule::Cardinal, CostModel::Diagonal14);
        let (a, b) = (space.state(Cell::new(1, 1)), space.state(Cell::new(4, 5)));
        let value = |kind| space.heuristic(kind).unwrap().estimate(a, b);
        assert_eq!(value(HeuristicKind::Octile), 3 * 7 + 5);
        assert_eq!(value(HeuristicKind::Manhattan), 7 * 5);
        assert_eq!(value(HeuristicKind::Chebyshev), 4 * 5);
        assert_eq!(value(HeuristicKind::Euclidean), 5 * 5);
        assert_eq!(Weighted::new(space.octile(), 3, 2).estimate(a, b), 39);
        assert!(!Weighted::new(space.octile(), 3, 2).is_consistent());
        let both = MaxOf(space.octile(), space.heuristic(HeuristicKind::Manhattan).unwrap());
        assert_eq!(both.estimate(a, b), 35);
        assert!(both.is_consistent());
    }

    #[test]
    fn a_reference_answers_as_what_it_points_to() {
        fn answers<H: Heuristic>(heuristic: &H) -> (Cost, bool, Option<*const GridSpace>) {
            let estimate = heuristic.estimate(State(0), State(50));
            (estimate, heuristic.is_consistent(), heuristic.octile_grid().map(core::ptr::from_ref))
        }
        let space = open(MoveRule::NoCut, CostModel::Sqrt2);
        assert_eq!(answers(&space).2, Some(core::ptr::from_ref(&space)));
        assert_eq!(answers(&&space), answers(&space));
        assert_eq!(answers(&&&space), answers(&space));
        let loose = FnHeuristic::new(|from, to| u64::from(from.0.abs_diff(to.0)));
        assert_eq!(answers(&&loose), (50, false, None));
    }

    /// A space whose answers are those of no other, so that none is there by default.
    struct Odd(Revision);

    impl StateSpace for Odd {
        fn state_limit(&self) -> usize {
            77
        }

        fn contains(&self, state: State) -> bool {
            state.0 % 3 == 1
        }

        fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
            visit(State(state.0 + 1), 11);
        }

        fn for_each_successor_after(&self, _: State, parent: State, mut visit: impl FnMut(State, Cost)) {
            visit(parent, 13);
        }

        fn cheapest_move(&self) -> Cost {
            9
        }

        fn is_reversible(&self) -> bool {
            false
        }

        fn reachability(&self, _: State, _: State) -> Reachability {
            Reachability::Unknown
        }

        fn revision(&self) -> Option<Revision> {
            Some(self.0)
        }

        fn describe(&self, state: State) -> String {
            alloc::format!("odd {}", state.0)
        }
    }

    #[test]
    fn a_guided_space_answers_as_the_space_does() {
        fn successors(space: &impl StateSpace) -> [(State, Cost); 2] {
            let mut seen = [(State(0), 0); 2];
            space.for_each_successor(State(5), |state, cost| seen[0] = (state, cost));
            space.for_each_successor_after(State(5), State(4), |state, cost| seen[1] = (state, cost));
            seen
        }
        let revision = Revision::new();
        let guided = Guided { space: Odd(revision), heuristic: Zero };
        assert_eq!(successors(&guided), [(State(6), 11), (State(4), 13)]);
        assert_eq!((guided.state_limit(), guided.cheapest_move(), guided.is_reversible()), (77, 9, false));
        assert_eq!([State(4), State(5)].map(|state| guided.contains(state)), [true, false]);
        assert_eq!(guided.reachability(State(1), State(4)), Reachability::Unknown);
        assert_eq!((guided.revision(), guided.describe(State(4)).as_str()), (Some(revision), "odd 4"));
        // The heuristic is the one that was chosen, and none of its own short cuts leads past the space.
        let space = open(MoveRule::NoCut, CostModel::Sqrt2);
        let guided = Guided { space: Odd(revision), heuristic: &space };
        assert!(guided.octile_grid().is_none() && guided.is_consistent());
        assert_eq!(guided.estimate(State(0), State(50)), space.estimate(State(0), State(50)));
    }

    #[test]
    fn an_estimate_that_is_not_zero_at_the_goal_is_refused() {
        let space = open(MoveRule::NoCut, CostModel::Sqrt2);
        let wrong = FnHeuristic::new(|_, _| 1);
        assert!(check_consistency(&space, &wrong, State(0)).is_err());
        assert!(check_consistency(&space, &Zero, State(0)).is_ok());
    }
}
