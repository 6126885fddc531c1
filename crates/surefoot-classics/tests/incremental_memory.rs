//! Memory grows in small steps: no move of a real-time agent copies or clears a table that has grown large, or the map.
//! Counted by the allocator, so in a file, and so in a process, of its own.
#![allow(clippy::unwrap_used)] // the walk below is part of the test

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use surefoot::agent::Bound;
use surefoot::agent::{Agent, Step};
use surefoot::search::{Meter, Work};
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, StateSpace};
use surefoot_classics::ROSTER;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What one move may ask the allocator for, by its bound: tables grow in pieces of 4 KB, one for each new state, and lists
/// in pieces of up to 24 KB.
fn most_bytes(bound: Work) -> usize {
    64 * 1024 + 5 * 1024 * bound.expansions as usize
}

/// A wall across the way of an agent, with its gap far off: much to learn.
fn deep_trap(side: u32) -> GridSpace {
    let grid = Grid::from_fn(side, side, |cell| {
        let in_wall = cell.y == side / 2 && cell.x < side - 2;
        !in_wall
    });
    GridSpace::new(grid.unwrap(), MoveRule::Squeeze, CostModel::Diagonal14)
}

/// The most bytes that one step asked for, and the states held in the end.
fn walk(agent: &mut dyn Agent, space: &GridSpace, moves: u64) -> (usize, u64) {
    let side = space.grid().width();
    let (start, goal) = (
        space.state_at(Cell::new(3, side / 2 - 30)).unwrap(),
        space.state_at(Cell::new(3, side - 1)).unwrap(),
    );
    agent.begin(space, start, goal).unwrap();
    let mut most = 0;
    for step in 0..moves {
        let region = Region::new(ALLOCATOR);
        let taken = agent.step(space, &mut Meter::new());
        let change = region.change();
        let bytes = change.bytes_allocated + usize::try_from(change.bytes_reallocated.max(0)).unwrap();
        // The first steps make scratch memory, whose size the parameters set.
        if step > 10 {
            most = most.max(bytes);
        }
        if taken == Step::Arrived {
            break;
        }
    }
    (most, agent.memory().states())
}

#[test]
fn no_move_takes_much_memory() {
    let space = deep_trap(600);
    let mut held_most = 0;
    for entry in ROSTER.entries().iter().filter(|entry| matches!(entry.bound, Bound::PerMove(_))) {
        let mut agent =
            ROSTER.agent_for(&entry.quick_spec(space.state_limit()).parse().unwrap(), &space, 1).unwrap();
        let (most, held) = walk(&mut *agent, &space, 60_000);
        let limit = most_bytes(agent.bound().unwrap());
        assert!(most <= limit, "{} takes {most} bytes on one move while it holds {held} states", entry.name);
        // A whole table would be more than that.
        assert!(held < 50_000 || limit < 16 * held as usize, "{}: {held} states, {limit} bytes", entry.name);
        held_most = held_most.max(held);
    }
    assert!(held_most > 50_000, "some agent must have grown large for this to say anything: {held_most}");
}
