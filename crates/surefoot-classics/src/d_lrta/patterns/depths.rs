//! The shallowest lookahead that makes a move of a cheapest path (2008, section 5), for one goal after
//! another around the same start.

use alloc::vec::Vec;

use surefoot::search::{Horizon, Lookahead, Meter, Ties};
use surefoot::space::{Cost, State, World};

/// No state: lookaheads towards it end nowhere.
const NOWHERE: State = State(u32::MAX);

/// Lookaheads around one start. Which states are met after how many actions, and from where, does not depend
/// on the goal. So the layers are grown once, and each goal only weighs them.
#[derive(Clone, Debug)]
pub(crate) struct Depths {
    layers: Lookahead,
    /// How many layers there are.
    reach: u32,
    start: State,
    /// Looks towards one goal, where a layer is not all that a lookahead sees.
    single: Lookahead,
    /// The f of each state that was weighed for the goal at hand, by its place.
    weighed: Vec<Cost>,
}

impl Default for Depths {
    fn default() -> Self {
        Self {
            layers: Lookahead::past_goals(),
            reach: 0,
            start: NOWHERE,
            single: Lookahead::new(),
            weighed: Vec::new(),
        }
    }
}

impl Depths {
    /// Looks from here from now on.
    pub(crate) fn stand_on(&mut self, start: State) {
        (self.start, self.reach) = (start, 0);
    }

    /// The least number of actions from which a lookahead towards `goal` makes one of the moves that are
    /// best, or the cap.
    pub(crate) fn shallowest(
        &mut self,
        world: &impl World,
        (goal, best_moves): (State, &[State]),
        cap: u32,
        ties: Ties,
    ) -> u32 {
        if best_moves.is_empty() {
            return cap;
        }
        let h = |state| world.estimate(state, goal);
        let look = |single: &mut Lookahead, start, depth| {
            let outlook =
                single.look(world, h, (start, goal), Horizon::Plies(depth), ties, &mut Meter::new());
            outlook.is_some_and(|outlook| best_moves.contains(&outlook.first_step))
        };
        if cap > 1 && look(&mut self.single, self.start, 1) {
            return 1;
        }
        self.weighed.clear();
        for depth in 2..cap {
            if depth > self.reach {
                self.reach = (2 * depth).min(cap - 1);
                self.layers.look_by_layers(
                    world,
                    |_| 0,
                    (self.start, NOWHERE),
                    self.reach,
                    &mut Meter::new(),
                );
            }
            // Where states have more than eight neighbours, a lookahead may end before its last layer.
            let first = self.layers.met_within(depth as usize - 1);
            if first as u64 > Horizon::Plies(depth).most_expansions() {
                if look(&mut self.single, self.start, depth) {
                    return depth;
                }
                continue;
            }
            let met_earlier = self.layers.place_of(goal).filter(|&place| (place as usize) < first);
            let best = met_earlier.or_else(|| self.weigh(&h, depth as usize, ties));
            let first_step = best.and_then(|place| self.layers.path_to(place).last().copied());
            if first_step.is_some_and(|step| best_moves.contains(&step)) {
                return depth;
            }
            if met_earlier.is_some() || best.is_none() {
                // Deeper lookaheads end at the goal, too, or see nothing more.
                return cap;
            }
        }
        cap
    }

    /// The place of the best state of a layer. `None` if it is empty.
    fn weigh(&mut self, h: &impl Fn(State) -> Cost, depth: usize, ties: Ties) -> Option<u32> {
        let weighed = &mut self.weighed;
        let new = self.layers.met_within(depth) - weighed.len();
        for (state, g, parent) in self.layers.met_from(weighed.len()).take(new) {
            // Path-max: along a branch g + h never falls. The start has no parent.
            let before = weighed.get(parent as usize).copied().unwrap_or(0);
            weighed.push(before.max(g + h(state)));
        }
        let layer = self.layers.layer(depth);
        layer
            .min_by_key(|&(place, _, g)| (self.weighed[place as usize], ties.rank(g), place))
            .map(|best| best.0)
    }
}

/// The moves from `start` that lie on a cheapest path to where distances are measured from. Empty if there is
/// no way.
pub(super) fn best_moves(
    world: &impl World,
    start: State,
    distance: impl Fn(State) -> Option<Cost>,
) -> Vec<State> {
    let mut moves = Vec::new();
    if let Some(whole) = distance(start) {
        world.for_each_successor(start, |next, cost| {
            if distance(next).is_some_and(|rest| rest.saturating_add(cost) == whole) {
                moves.push(next);
            }
        });
    }
    moves
}
