//! Cheapest paths that stay inside a sector: no more states are expanded than it has.

use alloc::vec::Vec;

use surefoot::search::{CalendarQueue, Meter, Run, Scratch, SearchArea};
use surefoot::space::{Cost, GridSpace, Heuristic, State, StateSpace};

use crate::regions::partition::Sector;

#[derive(Clone, Copy)]
struct InSector<'a> {
    space: &'a GridSpace,
    sector: Sector,
}

impl SearchArea for InSector<'_> {
    fn slots(&self, _: &impl StateSpace) -> usize {
        self.sector.len()
    }

    #[inline]
    fn slot(&self, state: State) -> Option<usize> {
        self.sector.slot(self.space.cell(state))
    }
}

/// A* inside sectors, with its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct SectorSearch {
    scratch: Scratch<CalendarQueue>,
    /// The states on the way, the last one first; the start is not among them.
    way: Vec<State>,
}

impl SectorSearch {
    /// Finds a path from one state to another in the sector of both. `None` if there is none. The way lies
    /// there, the last state first and without the start, until the next search.
    pub(super) fn find(
        &mut self,
        space: &GridSpace,
        side: u32,
        (start, goal): (State, State),
        meter: &mut Meter,
    ) -> Option<&[State]> {
        let part = InSector { space, sector: Sector::around(space, space.cell(start), side) };
        part.slot(goal)?;
        let octile = space.octile();
        let key = |state, g: Cost| g + octile.estimate(state, goal);
        let mut run = Run::within(space, part, &mut self.scratch, start, key);
        loop {
            let (state, g) = run.settle_next()?;
            if state == goal {
                break;
            }
            meter.charge_expansion(state);
            run.expand(state, g);
        }
        self.way.clear();
        let mut state = goal;
        while state != start {
            self.way.push(state);
            state = self.scratch.parent(part.slot(state)?);
        }
        Some(&self.way)
    }
}
