//! Hill-climbing: the agent that the databases of subgoals are made for ("Case-based subgoaling", JAIR 2010,
//! Figure 7, as an agent). It goes to the best-looking neighbour and stops where none looks better. It learns
//! nothing, so it gets stuck in the first depression: not complete by itself.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use surefoot::agent::{Agent, Bound, Entry, Errand, Memory, Plain, Scale, Step, parameters};
use surefoot::search::{Meter, Ties, Work, climb_step};
use surefoot::space::{QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader};

#[derive(Clone, Debug)]
pub(super) struct HillClimber {
    ties: Ties,
    errand: Errand,
}

impl HillClimber {
    pub(super) fn new(ties: Ties) -> Self {
        Self { ties, errand: Errand::NONE }
    }
}

impl<W: World> Agent<W> for HillClimber {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, start, goal)?;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(world, self.errand.position, goal)?;
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(world) {
            return step;
        }
        meter.charge_expansion(self.errand.position);
        match climb_step(world, self.errand.position, self.errand.goal, self.ties) {
            Some((next, _)) => self.errand.go(next),
            None => Step::Stuck,
        }
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        vec![self.errand.goal]
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(1))
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.errand.save(out);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        self.errand = Errand::restore(world, saved)?;
        Ok(())
    }
}

/// `hill-climbing`.
pub(super) const ENTRY: Entry = Entry {
    name: "hill-climbing",
    summary: "goes to the best-looking neighbour, and stops where none looks better",
    optimal: false,
    complete: false,
    takes_weights: true,
    parameters: &[parameters::TIES_HIGH],
    bound: Bound::PerMove("1 expansion"),
    needs: "nothing",
    paper: "Bulitko, Bjornsson, Lawrence 2010, Figure 7",
    scale: Scale::Fixed,
    make: |arguments| Plain::recipe(HillClimber::new(arguments.ties()?)),
};
