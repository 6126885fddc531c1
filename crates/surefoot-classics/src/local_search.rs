//! Agents that look ahead as A* does, and learn about all that they have seen.
//!
//! - `k-lrta*`: LSS-LRTA* (Koenig and Sun 2009; the K LRTA* of JAIR 2008 after Koenig 2004). A* from the
//!   agent with the learned values, cut off after so many expansions; then every expanded state learns the
//!   exact cost of the best way out, by a Dijkstra search from the rim inwards.
//! - `rtaa*`: RTAA* (Koenig and Likhachev 2006). The same lookahead, and a weaker but cheaper lesson: the h
//!   of an expanded state becomes f* − g, where f* is the lowest f at the rim.
//! - `da-rtaa*`: after Hernández and Baier (2012). As RTAA*, but the agent heads for the rim state whose
//!   value has been raised least, which leads it out of depressions; ties go to the lower f, then to the
//!   larger g.
//!
//! Deviations: one move is made per lookahead by default, which bounds every move by itself; `moves=all`
//! follows the path to its end, as the original papers do. The papers count expansions of the lookahead only;
//! states settled in the backup are counted apart.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Reverse;

use surefoot::agent::{
    Agent, Arguments, Bound, Entry, Errand, Learner, Memory, Parameter, Plain, Recipe, Scale, SpecError, Step,
};
use surefoot::search::{LocalAStar, Meter, Work};
use surefoot::space::{Cost, QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_states};

/// What is learned after a lookahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lesson {
    /// The exact cost of the best way out.
    Backup,
    /// The lowest f at the rim, less g.
    Adaptive,
}

/// Which state of the rim the agent heads for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    /// The one with the lowest f.
    Best,
    /// The one whose value has been raised least.
    LeastRaised,
}

#[derive(Clone, Debug)]
pub(super) struct LocalSearchAgent {
    expansions: u64,
    lesson: Lesson,
    heading: Preference,
    follows_whole_path: bool,
    learner: Learner,
    search: LocalAStar,
    /// What is left of the path to the last target, the next state last.
    rest: Vec<State>,
}

impl LocalSearchAgent {
    pub(super) fn new(
        expansions: u64,
        lesson: Lesson,
        heading: Preference,
        follows_whole_path: bool,
    ) -> Self {
        Self {
            expansions,
            lesson,
            heading,
            follows_whole_path,
            learner: Learner::new(),
            search: LocalAStar::default(),
            rest: Vec::new(),
        }
    }

    /// The place of the rim state to head for.
    fn target(&self, world: &impl World, best: u32) -> u32 {
        let goal = self.learner.errand.goal;
        if self.heading == Preference::Best || self.search.nodes[best as usize].state == goal {
            return best;
        }
        let raise = |h: Cost, state| h - world.estimate(state, goal).min(h);
        let rim = (0..).zip(&self.search.nodes).filter(|(_, node)| !node.is_closed);
        rim.min_by_key(|(_, node)| (raise(node.h, node.state), node.f(), Reverse(node.g)))
            .map_or(best, |(place, _)| place)
    }

    fn learn(&mut self, world: &impl World, best: u32, meter: &mut Meter) {
        let lowest = self.search.nodes[best as usize].f();
        if self.lesson == Lesson::Backup {
            self.search.back_up(meter);
        } else {
            meter.charge_backups(self.search.sizes().0);
        }
        for node in self.search.nodes.iter().filter(|node| node.is_closed) {
            let value = match self.lesson {
                Lesson::Backup => node.h,
                Lesson::Adaptive => lowest.saturating_sub(node.g),
            };
            self.learner.learned.raise(world, node.state, value, meter);
        }
    }
}

impl<W: World> Agent<W> for LocalSearchAgent {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.learner.begin(world, start, goal)?;
        self.rest.clear();
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.learner.set_goal(world, goal)?;
        self.rest.clear();
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.learner.errand.foregone(world) {
            return step;
        }
        if self.follows_whole_path
            && let Some(&next) = self.rest.last()
            && self.learner.errand.can_go(world, next)
        {
            self.rest.pop();
            return self.learner.errand.go(next);
        }
        let Errand { position, goal, .. } = self.learner.errand;
        let h = |state| self.learner.value(world, state);
        let Some(best) = self.search.search(world, h, (position, goal), self.expansions, meter) else {
            return Step::Unreachable;
        };
        let (closed, open) = self.search.sizes();
        self.learner.lists.note(open, closed);
        self.rest = self.search.path_to(self.target(world, best));
        self.learn(world, best, meter);
        match self.rest.pop() {
            Some(next) => self.learner.errand.go(next),
            None => Step::Unreachable,
        }
    }

    fn position(&self) -> State {
        self.learner.errand.position
    }

    fn plan(&self) -> Vec<State> {
        self.rest.iter().rev().copied().collect()
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(self.expansions).with_backups(self.expansions))
    }

    fn memory(&self) -> Memory {
        self.learner.memory()
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.learner.save(out);
        put_states(out, &self.rest);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let learner = Learner::restore(world, saved)?;
        self.rest = saved.states(world.state_limit())?;
        self.learner = learner;
        Ok(())
    }
}

/// `k-lrta*`.
pub(super) const K_LRTA: Entry = Entry {
    name: "k-lrta*",
    summary: "LSS-LRTA*: looks ahead as A* does, learns the best way out of all it has seen",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[EXPANSIONS, MOVES],
    bound: Bound::PerMove("as many expansions as it says, and as many backups"),
    needs: "nothing",
    paper: "Koenig 2004; Koenig, Sun 2009",
    scale: Scale::Fixed,
    make: |arguments| recipe(arguments, Lesson::Backup, Preference::Best),
};

/// `rtaa*`.
pub(super) const RTAA: Entry = Entry {
    name: "rtaa*",
    summary: "looks ahead as A* does, raises all it has seen by one cheap rule",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[EXPANSIONS, MOVES],
    bound: Bound::PerMove("as many expansions as it says, and as many backups"),
    needs: "nothing",
    paper: "Koenig, Likhachev 2006",
    scale: Scale::Fixed,
    make: |arguments| recipe(arguments, Lesson::Adaptive, Preference::Best),
};

/// `da-rtaa*`.
pub(super) const DA_RTAA: Entry = Entry {
    name: "da-rtaa*",
    summary: "RTAA* that heads for where values were raised least, out of depressions",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[EXPANSIONS, MOVES],
    bound: Bound::PerMove("as many expansions as it says, and as many backups"),
    needs: "nothing",
    paper: "after Hernandez, Baier 2012",
    scale: Scale::Fixed,
    make: |arguments| recipe(arguments, Lesson::Adaptive, Preference::LeastRaised),
};

const EXPANSIONS: Parameter =
    Parameter { name: "expansions", default: "30", meaning: "states expanded in a lookahead, 1 to 1000000" };
const MOVES: Parameter = Parameter {
    name: "moves",
    default: "one",
    meaning: "moves after a lookahead: one, or all that it found",
};

fn recipe(
    arguments: &Arguments<'_>,
    lesson: Lesson,
    heading: Preference,
) -> Result<Box<dyn Recipe>, SpecError> {
    let expansions = arguments.number("expansions", 1..=1_000_000)?;
    let follows_whole_path = match arguments.text("moves") {
        "one" => false,
        "all" => true,
        _ => return Err(arguments.error("moves", &"expected one or all")),
    };
    Plain::recipe(LocalSearchAgent::new(expansions, lesson, heading, follows_whole_path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::space::{FnHeuristic, Graph, Guided, Zero};

    /// States that no way leads out of are learned to be hopeless; what is added to that must not overflow.
    #[test]
    fn one_way_dead_ends_are_hopeless() {
        // 0 and 1 lie on the way to 5; 2 and 3 can be entered, but not left.
        let edges = [(0, 1, 2), (1, 0, 2), (1, 2, 1), (2, 3, 1), (3, 2, 1), (0, 2, 1), (1, 4, 9), (4, 5, 9)];
        let heuristic = FnHeuristic::consistent(|state: State, goal: State| Cost::from(state != goal));
        let world = Guided { space: Graph::from_edges(6, &edges).unwrap(), heuristic };
        for lesson in [Lesson::Backup, Lesson::Adaptive] {
            let mut agent = LocalSearchAgent::new(4, lesson, Preference::Best, false);
            agent.begin(&world, State(0), State(5)).unwrap();
            let mut steps = 0;
            while let Step::Moved(_) = agent.step(&world, &mut Meter::new()) {
                steps += 1;
                assert!(steps < 100);
            }
            assert_eq!(Agent::<Guided<Graph, Zero>>::position(&agent), State(5));
        }
    }
}
