//! LRTA* that chooses how far to look ahead for every move, without a database: by a decision tree, or by an
//! oracle.
//!
//! "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008), sections 5.1 and 7.1 and Appendix A. In the
//! paper's notation LRTA*(DT, G) and LRTA*(ORACLE, G): line 3 of Figure 2 is here, the rest is LRTA*.
//!
//! - The oracle's depth is the shallowest from which on, up to the deepest, every lookahead takes the same
//!   step: what a tree is trained to guess. The paper has it as a reference point, and so have we: what is
//!   charged is the lookahead of the depth that it chose. The search by which it chose is not, and takes as
//!   long as the deepest lookahead. It is no algorithm for use.
//! - The tree's depth is charged in full: the pre-search, which gives it its features, and the lookahead.
//! - A teacher walks as LRTA* with the deepest lookahead does, and tells for every move what a tree would
//!   have known and what it should have answered.
//!
//! Readings:
//! - In the first moves, where there is no state of n moves ago, the history begins with the start.
//! - The open rim (f5) is that of a grid with eight neighbours, whatever the move rule. With four, no share
//!   is above one half: such maps want a tree that was trained on such maps.
//! - "Direction" (f8) is the difference between the numbers of two states, which on a grid tells the same.
//! - With a new goal the history begins anew.

mod depth_tree;
mod entry;
mod features;
mod history;
#[cfg(test)]
mod tests;
mod tree_text;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

pub use self::depth_tree::{DepthTree, TreeError, TreeNode, TreeSettings};
pub use self::entry::{WITH_ORACLE, WITH_TREE, agent_with_tree};
pub use self::features::{Feature, Features};
use surefoot::agent::{Agent, Memory, Step};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Lookahead, Meter, Ties, Work};
use surefoot::space::{Cost, QueryError, State, World};
use surefoot::store::codec::{CodecError, Reader, put_number};

use self::history::History;

/// LRTA* whose depth is chosen for every move by a [`DepthTree`] or an oracle.
#[derive(Clone, Debug)]
pub struct DepthLrtaStar {
    control: Control,
    ties: Ties,
    lrta: LrtaStar,
    /// For the pre-search and the oracle.
    lookahead: Lookahead,
    history: History,
    lesson: Option<(Features, u32)>,
}

/// What chooses the depth.
#[derive(Clone, Debug)]
enum Control {
    Oracle { deepest: u32 },
    Tree(Arc<DepthTree>),
    Teacher(TreeSettings),
}

impl DepthLrtaStar {
    /// An agent that looks as far as a tree says: LRTA*(DT, G).
    #[must_use]
    pub fn with_tree(tree: Arc<DepthTree>, ties: Ties) -> Self {
        let TreeSettings { deepest, history, .. } = tree.settings();
        Self::new(Control::Tree(tree), deepest, history, ties)
    }

    /// An agent that looks no further than it must to step as it would with the deepest lookahead:
    /// LRTA*(ORACLE, G).
    #[must_use]
    pub fn with_oracle(deepest: u32, ties: Ties) -> Self {
        let deepest = deepest.max(1);
        Self::new(Control::Oracle { deepest }, deepest, 0, ties)
    }

    /// An agent that always takes the deepest lookahead, and has a [lesson](Self::lesson) for a tree after
    /// every move.
    ///
    /// # Errors
    /// If no tree can have such settings.
    pub fn teacher(settings: TreeSettings, ties: Ties) -> Result<Self, TreeError> {
        settings.check()?;
        Ok(Self::new(Control::Teacher(settings), settings.deepest, settings.history, ties))
    }

    fn new(control: Control, deepest: u32, history: u32, ties: Ties) -> Self {
        Self {
            control,
            ties,
            lrta: LrtaStar::new(Horizon::Plies(deepest), ties),
            lookahead: Lookahead::new(),
            history: History::new(history),
            lesson: None,
        }
    }

    /// What a tree would have known before the last move, and the depth that it should have chosen. Only a
    /// [teacher](Self::teacher) has it, once it has moved.
    #[must_use]
    pub fn lesson(&self) -> Option<(Features, u32)> {
        self.lesson
    }

    /// What was learned for the goal at hand.
    #[must_use]
    pub fn learned(&self) -> &surefoot::agent::LearnedHeuristic {
        self.lrta.learned()
    }

    /// Where the agent stands, and where it is to go.
    fn ends(&self, world: &impl World) -> (State, State) {
        (position(&self.lrta, world), self.lrta.goal())
    }

    /// The shallowest depth that leads where the deepest does.
    fn least_depth(&mut self, world: &impl World, deepest: u32) -> Option<u32> {
        let ends = self.ends(world);
        let h = |state| self.lrta.learned().value(world, state);
        self.lookahead.least_depth(world, h, ends, deepest, self.ties, &mut Meter::new())
    }

    /// Line 3: the depth for this move. `None` if it is seen that there is no way.
    fn choose(&mut self, world: &impl World, meter: &mut Meter) -> Option<u32> {
        match &self.control {
            &Control::Oracle { deepest } => self.least_depth(world, deepest),
            Control::Tree(tree) => {
                let tree = Arc::clone(tree);
                let features = self.observe(world, tree.settings().pre_search, meter)?;
                Some(tree.depth(&features))
            }
            &Control::Teacher(TreeSettings { deepest, pre_search, .. }) => {
                let features = self.observe(world, pre_search, meter)?;
                self.lesson = Some((features, self.least_depth(world, deepest)?));
                Some(deepest)
            }
        }
    }

    /// Appendix A: what is known before the search, with a shallow search made for it. `None` if that one's
    /// rim is empty.
    fn observe(&mut self, world: &impl World, pre_search: u32, meter: &mut Meter) -> Option<Features> {
        let (state, goal) = self.ends(world);
        let (learned, history) = (self.lrta.learned(), &self.history);
        let before = meter.spent().expansions;
        let h = |state| learned.value(world, state);
        self.lookahead.look_by_layers(world, h, (state, goal), pre_search, meter);
        let next = self.lookahead.outlook_at(pre_search, goal, self.ties)?.first_step;
        let (rim, raised_rim) =
            self.lookahead.layer(pre_search as usize).fold((0, 0), |(count, raised), (_, state, _)| {
                (count + 1, raised + u64::from(learned.is_raised(state)))
            });

        let mut features = Features::default();
        let mut set_distance =
            |feature, distance: Cost| features.set_ratio(feature, distance, world.cheapest_move());
        set_distance(Feature::GoalDistance, world.estimate(state, goal));
        set_distance(Feature::Headway, history.oldest().map_or(0, |oldest| world.estimate(state, oldest)));
        set_distance(Feature::Raised, history.raised());
        features.set_ratio(Feature::DistinctStates, history.distinct(), 1);
        features.set_ratio(Feature::OpenRim, rim, 8 * u64::from(pre_search));
        // The goal alone may be the rim, met before it.
        features.set_ratio(Feature::RaisedRim, raised_rim, rim.max(1));
        features.set_flag(Feature::SameStep, history.step_from(state) == Some(next));
        // Numbers of states differ alike along lines of a grid.
        let direction = |from: State, to: State| i64::from(to.0) - i64::from(from.0);
        let goes_on = |last| direction(last, state) == direction(state, next);
        features.set_flag(Feature::StraightOn, history.last().is_some_and(goes_on));
        features.set_ratio(Feature::Slope, h(state), h(next));
        features.set_flag(Feature::RaisedAhead, learned.is_raised(next));
        features.set_flag(Feature::Downhill, h(state) > h(next));
        self.lrta.note_lists(self.lookahead.met(), meter.spent().expansions - before);
        Some(features)
    }
}

/// `LrtaStar` is an agent in every world; which one is meant does not matter here.
fn position<W: World>(lrta: &LrtaStar, _: &W) -> State {
    Agent::<W>::position(lrta)
}

impl<W: World> Agent<W> for DepthLrtaStar {
    fn begin(&mut self, world: &W, start: State, goal: State) -> Result<(), QueryError> {
        self.lrta.begin(world, start, goal)?;
        self.history.clear();
        self.lesson = None;
        Ok(())
    }

    fn set_goal(&mut self, world: &W, goal: State) -> Result<(), QueryError> {
        self.lrta.set_goal(world, goal)?;
        self.history.clear();
        self.lesson = None;
        Ok(())
    }

    fn step(&mut self, world: &W, meter: &mut Meter) -> Step {
        if let Some(step) = self.lrta.foregone(world) {
            return step;
        }
        let Some(depth) = self.choose(world, meter) else { return Step::Unreachable };
        let (state, _) = self.ends(world);
        let before = self.lrta.learned().value(world, state);
        self.lrta.set_horizon(Horizon::Plies(depth));
        let step = self.lrta.step(world, meter);
        if let Step::Moved(next) = step
            && self.history.length() > 0
        {
            let after = self.lrta.learned().value(world, state);
            self.history.add(state, next, after.saturating_sub(before));
        }
        step
    }

    fn position(&self) -> State {
        Agent::<W>::position(&self.lrta)
    }

    fn plan(&self) -> Vec<State> {
        Agent::<W>::plan(&self.lrta)
    }

    fn bound(&self) -> Option<Work> {
        let (deepest, pre_search) = match &self.control {
            Control::Oracle { deepest } => (*deepest, None),
            Control::Tree(tree) => (tree.settings().deepest, Some(tree.settings().pre_search)),
            Control::Teacher(settings) => (settings.deepest, Some(settings.pre_search)),
        };
        let square = |depth: u32| (2 * u64::from(depth) - 1).pow(2);
        Some(Work::of_expansions(square(deepest) + pre_search.map_or(0, square)))
    }

    fn memory(&self) -> Memory {
        Agent::<W>::memory(&self.lrta)
    }

    fn clone_box(&self) -> Box<dyn Agent<W>> {
        Box::new(self.clone())
    }

    fn save(&self, _: &W, out: &mut Vec<u8>) {
        self.lrta.put(out);
        if let Control::Tree(tree) = &self.control {
            put_number(out, tree.fingerprint());
        }
        self.history.save(out);
    }

    fn restore(&mut self, world: &W, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        let mut lrta = self.lrta.clone();
        lrta.restore(world, saved)?;
        if let Control::Tree(tree) = &self.control
            && saved.number()? != tree.fingerprint()
        {
            return Err(saved.malformed("the agent was saved with another tree"));
        }
        let history = History::restore(self.history.length(), world.state_limit(), saved)?;
        (self.lrta, self.history, self.lesson) = (lrta, history, None);
        Ok(())
    }
}
