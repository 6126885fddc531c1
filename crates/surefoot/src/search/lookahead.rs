//! The local search of LRTA*: all states within a horizon of the agent, and the most promising one at its
//! rim.
//!
//! Two readings of "within a horizon" are in use. In "Dynamic control in real-time heuristic search"
//! (JAIR 2008) and in the kNN LRTA* paper of 2009 it counts actions; in "Case-based subgoaling" (JAIR 2010,
//! Figure 1) it is a cost. Both use a breadth-first search that meets each state once, and path-max (2008,
//! section 3): along a branch g + h never falls, which mends what learning makes inconsistent.
//!
//! A lookahead ends where the goal comes up for expansion, and the goal is what it finds: what lies beyond is
//! of no use. No paper says so in words, but the states a move of the 2009 paper come out that way only.
//! [`Lookahead::past_goals`] goes on to its horizon instead.

use alloc::vec::Vec;
use core::ops::Range;

use super::queue::{HeapQueue, Queue};
use super::state_index::StateIndex;
use super::{Gamma, Meter, millionths_of, way_back};
use crate::space::{Cost, State, StateSpace};

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Horizon {
    /// So many actions: the rim is what is first met at that depth. In spaces with more than eight neighbours
    /// it may lie closer: no more than [`most_expansions`](Self::most_expansions) are made. A depth of 0
    /// counts as 1.
    Plies(u32),
    /// As far as this cost reaches, in millionths of the cheapest move (on a grid: of a straight one). The
    /// rim is what has a neighbour beyond it, and what a single move from the agent leads to beyond it. In
    /// spaces with more than eight neighbours it may lie closer, as above.
    Cost(u64),
}

impl Horizon {
    /// The most states that a lookahead expands: (2d − 1)², which is what a grid with eight neighbours needs
    /// for d actions, or for the cost of d of the cheapest moves.
    #[must_use]
    pub fn most_expansions(self) -> u64 {
        let depth = match self {
            Self::Plies(depth) => u64::from(depth),
            Self::Cost(millionths) => millionths / 1_000_000,
        };
        let side = 2 * depth.max(1) - 1;
        side.saturating_mul(side)
    }
}

/// Which of several rim states with the lowest g + h is the best. What still ties goes to the one met first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// The nearest one, with the lowest g.
    Near,
    /// The farthest one, with the highest g.
    Far,
}

impl Ties {
    /// The lower, the better.
    #[inline]
    pub fn rank(self, g: Cost) -> Cost {
        match self {
            Self::Near => g,
            Self::Far => Cost::MAX - g,
        }
    }
}

/// What a lookahead found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The best state at the rim.
    pub best: State,
    /// Its g + h, at least that of every state on the way to it.
    pub f: Cost,
    /// The first step of the way to it.
    pub first_step: State,
}

/// A local search with its scratch memory, which grows with the horizon and not with the map.
#[derive(Clone, Debug, Default)]
pub struct Lookahead {
    nodes: Vec<Node>,
    index: StateIndex,
    queue: HeapQueue,
    /// Where each layer begins, if the search went by layers.
    layers: Vec<usize>,
    met: u64,
    /// Whether it goes on where it meets the goal.
    goes_on: bool,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    g: Cost,
    f: Cost,
    parent: u32,
    is_expanded: bool,
}

impl Node {
    fn new(state: State, g: Cost, f: Cost, parent: u32) -> Self {
        Self { state, g, f, parent, is_expanded: false }
    }
}

impl Lookahead {
    /// A search with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A search that goes on to its horizon where it meets the goal.
    #[must_use]
    pub fn past_goals() -> Self {
        Self { goes_on: true, ..Self::default() }
    }

    /// Looks around `start` for the way to `goal`, where `h` is the heuristic at hand. `None` if the rim is
    /// empty: all that can be reached lies inside, and the goal is not there. `start` must not be the goal.
    pub fn look(
        &mut self,
        space: &impl StateSpace,
        h: impl Fn(State) -> Cost,
        (start, goal): (State, State),
        horizon: Horizon,
        ties: Ties,
        meter: &mut Meter,
    ) -> Option<Outlook> {
        if matches!(horizon, Horizon::Plies(0 | 1)) {
            return self.look_one_ply(space, h, start, ties, meter);
        }
        self.start(start, h(start));
        let best = match horizon {
            Horizon::Plies(depth) => {
                self.grow_by_layers(space, &h, goal, depth, meter);
                self.best_at(depth as usize, goal, ties)
            }
            Horizon::Cost(millionths) => {
                let limit = millionths_of(space.cheapest_move(), millionths);
                let rim = self.grow_by_cost(space, &h, goal, (limit, horizon.most_expansions()), meter);
                self.best_of(rim.into_iter(), ties)
            }
        }?;
        self.outlook(best)
    }

    fn outlook(&self, best: u32) -> Option<Outlook> {
        let first_step = *self.path_to(best).last()?;
        let Node { state, f, .. } = self.nodes[best as usize];
        Some(Outlook { best: state, f, first_step })
    }

    /// What a lookahead of `depth` actions finds, once [`look_by_layers`](Self::look_by_layers) has gone as
    /// deep or deeper: what is met up to a layer does not depend on how many come after it.
    pub fn outlook_at(&self, depth: u32, goal: State, ties: Ties) -> Option<Outlook> {
        self.outlook(self.best_at(depth as usize, goal, ties)?)
    }

    /// The same, but best is the rim state with the lowest γg + h; its `f` is g + h all the same. γ weighs
    /// "on g in line 5 of Figure 1" (JAIR 2008, section 7.2), where that state is found, and not in line 6,
    /// which learns.
    pub fn outlook_weighing(&self, depth: u32, goal: State, gamma: Gamma, ties: Ties) -> Option<Outlook> {
        let best = self.rim_at(depth as usize, goal).min_by_key(|&place| {
            let Node { g, f, .. } = self.nodes[place as usize];
            (gamma.of(g).saturating_add(f - g), ties.rank(g), place)
        });
        self.outlook(best?)
    }

    /// The least number of actions from which on, up to `deepest`, every lookahead makes the same first step.
    /// "Dynamic control in real-time heuristic search" (JAIR 2008), section 5.1: shallower and shallower
    /// searches, until one differs. All of them are layers of one search. `None` if the rim of the deepest
    /// is empty.
    pub fn least_depth(
        &mut self,
        space: &impl StateSpace,
        h: impl Fn(State) -> Cost,
        (start, goal): (State, State),
        deepest: u32,
        ties: Ties,
        meter: &mut Meter,
    ) -> Option<u32> {
        self.look_by_layers(space, &h, (start, goal), deepest, meter);
        let first_step = self.outlook_at(deepest, goal, ties)?.first_step;
        let is_same = |outlook: Option<Outlook>| outlook.is_some_and(|it| it.first_step == first_step);
        let mut depth = deepest;
        while depth > 2 && is_same(self.outlook_at(depth - 1, goal, ties)) {
            depth -= 1;
        }
        // One action has a search of its own, which weighs ties by what the neighbours' values are without
        // path-max.
        if depth == 2 && is_same(self.look_one_ply(space, &h, start, ties, meter)) {
            depth = 1;
        }
        Some(depth)
    }

    /// The neighbours only: what a lookahead of one action comes to, without its bookkeeping.
    #[inline]
    fn look_one_ply(
        &mut self,
        space: &impl StateSpace,
        h: impl Fn(State) -> Cost,
        start: State,
        ties: Ties,
        meter: &mut Meter,
    ) -> Option<Outlook> {
        meter.charge_expansion(start);
        self.met = 1;
        let mut best: Option<(Cost, Cost, State)> = None;
        space.for_each_successor(start, |state, cost| {
            self.met += 1;
            let f = cost + h(state);
            let tie = ties.rank(cost);
            if best.is_none_or(|known| (f, tie) < (known.0, known.1)) {
                best = Some((f, tie, state));
            }
        });
        let (f, _, best) = best?;
        // Path-max: no less than the state itself.
        Some(Outlook { best, f: f.max(h(start)), first_step: best })
    }

    /// Looks `depth` actions around `start`, for searches that weigh the layers by themselves: see
    /// [`layer`](Self::layer) and [`path_to`](Self::path_to).
    pub fn look_by_layers(
        &mut self,
        space: &impl StateSpace,
        h: impl Fn(State) -> Cost,
        (start, goal): (State, State),
        depth: u32,
        meter: &mut Meter,
    ) {
        self.start(start, h(start));
        self.grow_by_layers(space, &h, goal, depth, meter);
    }

    /// The states that the last look met, from a place on, with their distances and the places of their
    /// parents, which come before them.
    pub fn met_from(&self, place: usize) -> impl Iterator<Item = (State, Cost, u32)> {
        self.nodes[place..].iter().map(|node| (node.state, node.g, node.parent))
    }

    /// How many states the last look met within so many actions: they have the first places.
    pub fn met_within(&self, depth: usize) -> usize {
        self.layer_places(depth).end as usize
    }

    /// The states first met after so many actions, with their places and distances.
    pub fn layer(&self, depth: usize) -> impl Iterator<Item = (u32, State, Cost)> {
        self.layer_places(depth).map(|at| (at, self.nodes[at as usize].state, self.nodes[at as usize].g))
    }

    fn layer_places(&self, depth: usize) -> Range<u32> {
        let begin = |layer: usize| self.layers.get(layer).copied().unwrap_or(self.nodes.len()) as u32;
        begin(depth)..begin(depth + 1)
    }

    /// The place of a state that was met.
    pub fn place_of(&self, state: State) -> Option<u32> {
        self.index.get(state.0)
    }

    /// The states on the way to a place, the last one first; the start is left out.
    pub fn path_to(&self, place: u32) -> Vec<State> {
        way_back(place, |at| (self.nodes[at as usize].state, self.nodes[at as usize].parent))
    }

    fn start(&mut self, start: State, h: Cost) {
        self.nodes.clear();
        self.index.clear();
        self.layers.clear();
        self.index.place_or(start.0, 0);
        self.nodes.push(Node::new(start, 0, h, 0));
    }

    /// How many states the last look met, its start included.
    #[must_use]
    pub fn met(&self) -> u64 {
        self.met
    }

    /// Fills the nodes layer by layer. Of several ways to a state within one layer the cheapest counts.
    fn grow_by_layers(
        &mut self,
        space: &impl StateSpace,
        h: &impl Fn(State) -> Cost,
        goal: State,
        depth: u32,
        meter: &mut Meter,
    ) {
        let Self { nodes, index, layers, met, goes_on, .. } = self;
        let mut layer = 0..nodes.len();
        layers.push(0);
        let most = Horizon::Plies(depth).most_expansions();
        'layers: for _ in 0..depth {
            let next_layer = nodes.len();
            if next_layer as u64 > most {
                break;
            }
            for place in layer {
                let node = nodes[place];
                if node.state == goal {
                    if *goes_on {
                        continue;
                    }
                    layers.push(next_layer);
                    break 'layers;
                }
                meter.charge_expansion(node.state);
                space.for_each_successor(node.state, |state, cost| {
                    let g = node.g + cost;
                    let (found, is_new) = index.place_or(state.0, nodes.len() as u32);
                    if is_new {
                        nodes.push(Node::new(state, g, node.f.max(g + h(state)), place as u32));
                    } else if found as usize >= next_layer {
                        let known = &mut nodes[found as usize];
                        if g < known.g {
                            *known = Node::new(state, g, node.f.max(g + h(state)), place as u32);
                        }
                    }
                });
            }
            layer = next_layer..nodes.len();
            layers.push(next_layer);
        }
        *met = nodes.len() as u64;
    }

    /// Fills the nodes with all states whose true distance is at most `limit`, as far as `most` expansions
    /// go; gives the places of the rim.
    ///
    /// Every way from the start to the goal goes through the rim, and costs up to there no less than the g it
    /// has: so the lowest f of the rim is no more than the start's distance, if no h exceeds that of its own
    /// state.
    fn grow_by_cost(
        &mut self,
        space: &impl StateSpace,
        h: &impl Fn(State) -> Cost,
        goal: State,
        (limit, most): (Cost, u64),
        meter: &mut Meter,
    ) -> Vec<u32> {
        let Self { nodes, index, queue, met, goes_on, .. } = self;
        let reach = limit.saturating_sub(space.cheapest_move());
        let mut expanded = 0;
        queue.clear();
        queue.push(0, 0);
        while let Some((g, place)) = queue.pop() {
            let node = nodes[place as usize];
            // An entry whose state was reached more cheaply since is out of date.
            if g != node.g || node.is_expanded {
                continue;
            }
            if node.state == goal {
                if *goes_on {
                    continue;
                }
                *met = nodes.len() as u64;
                return Vec::from([place]);
            }
            if g > reach || expanded == most {
                break;
            }
            expanded += 1;
            nodes[place as usize].is_expanded = true;
            meter.charge_expansion(node.state);
            space.for_each_successor(node.state, |state, cost| {
                let g = node.g + cost;
                if g > limit {
                    return;
                }
                let (found, is_new) = index.place_or(state.0, nodes.len() as u32);
                if is_new || g < nodes[found as usize].g {
                    let node = Node::new(state, g, node.f.max(g + h(state)), place);
                    if is_new {
                        nodes.push(node);
                    } else {
                        nodes[found as usize] = node;
                    }
                    queue.push(g, found);
                }
            });
        }
        let is_inner = |place: u32| {
            let mut inner = nodes[place as usize].is_expanded;
            if inner {
                space.for_each_successor(nodes[place as usize].state, |state, _| {
                    inner &= index.get(state.0).is_some();
                });
            }
            inner
        };
        let mut rim: Vec<u32> = (1..nodes.len() as u32).filter(|&place| !is_inner(place)).collect();
        // Where the start itself has neighbours beyond the limit, they are the rim there: it must not be its
        // own.
        let start = nodes[0];
        let within = nodes.len();
        space.for_each_successor(start.state, |state, g| {
            let (found, is_new) = index.place_or(state.0, nodes.len() as u32);
            let node = Node::new(state, g, start.f.max(g + h(state)), 0);
            if is_new {
                rim.push(found);
                nodes.push(node);
            } else if found as usize >= within && g < nodes[found as usize].g {
                nodes[found as usize] = node;
            }
        });
        *met = nodes.len() as u64;
        rim
    }

    /// The best place at the rim of a lookahead of so many actions.
    fn best_at(&self, depth: usize, goal: State, ties: Ties) -> Option<u32> {
        self.best_of(self.rim_at(depth, goal), ties)
    }

    /// The places at the rim of a lookahead of so many actions; or of fewer, if the last look did not go so
    /// far.
    fn rim_at(&self, depth: usize, goal: State) -> impl Iterator<Item = u32> {
        let rim = self.layer_places(depth.min(self.layers.len().saturating_sub(1)));
        let met_earlier = self.index.get(goal.0).filter(|&place| place < rim.start);
        // Where the goal was met, the lookahead ended.
        let has_ended = met_earlier.is_some() && !self.goes_on;
        met_earlier.into_iter().chain(if has_ended { 0..0 } else { rim })
    }

    fn best_of(&self, places: impl Iterator<Item = u32>, ties: Ties) -> Option<u32> {
        places.min_by_key(|&place| {
            let Node { g, f, .. } = self.nodes[place as usize];
            (f, ties.rank(g), place)
        })
    }
}
