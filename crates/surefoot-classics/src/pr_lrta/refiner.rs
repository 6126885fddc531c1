//! How an abstract move becomes moves on the ground: A* in the states under one or two nodes.

use alloc::vec::Vec;

use surefoot::search::{CalendarQueue, Meter, Run, Scratch, SearchArea, SearchCounts};
use surefoot::space::{Cell, Cost, State, World};

use crate::abstraction::Abstraction;
use crate::abstraction::corridor::{Corridor, Outcome, drive};

/// A node of an abstraction: its level and its number.
pub(super) type NodeName = (usize, u32);

/// The node that a state lies under on a level, or the top of its component if that is lower. `None` if the
/// abstraction is not one of this world, or does not know the state.
pub(super) fn node_of(
    world: &impl World,
    abstraction: &Abstraction,
    level: usize,
    state: State,
) -> Option<NodeName> {
    if world.state_limit() != abstraction.node_count(0) || !world.contains(state) {
        return None;
    }
    let mut node = (0, state.0);
    while node.0 < level
        && let Some(parent) = abstraction.parent(node.0, node.1)
    {
        node = (node.0 + 1, parent);
    }
    Some(node)
}

/// The most states that lie under one node of a level, or under the top of a component that is lower.
pub(super) fn largest_region(abstraction: &Abstraction, level: usize) -> u64 {
    let mut below: Vec<u64> = Vec::new();
    let mut largest = 1;
    for level in 1..=level.min(abstraction.levels() - 1) {
        let nodes = abstraction.level(level);
        let states_under = |node: u32| -> u64 {
            let children = nodes.children(node);
            if below.is_empty() {
                return children.len() as u64;
            }
            children.map(|child| below[child as usize]).sum()
        };
        below = (0..nodes.count() as u32).map(states_under).collect();
        largest = largest.max(below.iter().copied().max().unwrap_or(0));
    }
    largest
}

/// Where a refined path ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// At this state.
    State(State),
    /// At a state under this node, on the way to its middle.
    Under(NodeName),
}

/// A* in corridors, with its memory.
#[derive(Clone, Debug)]
pub(super) struct Refiner {
    corridor: Corridor,
    scratch: Scratch<CalendarQueue>,
    stack: Vec<NodeName>,
}

impl Refiner {
    pub(super) fn new() -> Self {
        Self { corridor: Corridor::WHOLE, scratch: Scratch::default(), stack: Vec::new() }
    }

    /// Finds a cheapest way in the states under `from` and, if it is to end under another node, under that.
    /// It is written to `rest`, its last state first and without the start. Says whether there is one, and
    /// what it took.
    pub(super) fn refine(
        &mut self,
        world: &impl World,
        abstraction: &Abstraction,
        (start, from): (State, NodeName),
        end: End,
        rest: &mut Vec<State>,
        meter: &mut Meter,
    ) -> (bool, SearchCounts) {
        rest.clear();
        self.corridor.make_room(world.state_limit());
        self.corridor.clear();
        self.add_states_under(abstraction, from);
        if let End::Under(node) = end {
            self.add_states_under(abstraction, node);
        }
        let aim = match end {
            End::State(state) => state,
            End::Under(node) => middle_of(world, abstraction, node),
        };
        let is_consistent = world.is_consistent();
        let key = |state: State, g: Cost| {
            if is_consistent { g.saturating_add(world.estimate(state, aim)) } else { g }
        };
        let is_end = |state: State| match end {
            End::State(wanted) => state == wanted,
            End::Under((level, node)) => abstraction.ancestor(state, level) == Some(node),
        };
        let corridor = &self.corridor;
        let run = Run::within(world, corridor, &mut self.scratch, start, key);
        let mut counts = SearchCounts::default();
        let outcome = drive(run, is_end, &mut { u64::MAX }, &mut counts, |run, state, g| {
            meter.charge_expansion(state);
            run.expand(state, g);
        });
        let Outcome::Found(mut state, _) = outcome else { return (false, counts) };
        while state != start.0
            && let Some(slot) = corridor.slot(State(state))
        {
            rest.push(State(state));
            state = self.scratch.parent(slot).0;
        }
        (true, counts)
    }

    /// Adds the states under a node to the corridor.
    fn add_states_under(&mut self, abstraction: &Abstraction, node: NodeName) {
        self.stack.push(node);
        while let Some((level, node)) = self.stack.pop() {
            if level == 0 {
                self.corridor.add(node);
            } else {
                self.stack.extend(abstraction.level(level).children(node).map(|child| (level - 1, child)));
            }
        }
    }
}

/// The cell in the middle of the states under a node, which need not be free; without a grid, the first of
/// these states.
fn middle_of(world: &impl World, abstraction: &Abstraction, (level, node): NodeName) -> State {
    let bits = abstraction.fraction_bits();
    let place = abstraction.level(level).place(node);
    let cell = place.map(|(x, y)| Cell::new(x >> bits, y >> bits));
    match world.octile_grid().zip(cell) {
        Some((space, cell)) if space.grid().contains(cell) => space.state_of(cell),
        _ => abstraction.first_state(level, node),
    }
}
