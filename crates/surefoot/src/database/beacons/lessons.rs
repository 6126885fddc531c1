//! Where beacons are needed: random problems are solved exactly, and where the way over the beacons is longer than it need be, the bends
//! of the cheapest path become beacons, too.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::BeaconConfig;
use super::web::{Leg, Web, WebSearch};
use crate::database::compress::costs_along;
use crate::database::draws::Draws;
use crate::database::parallel::in_parallel;
use crate::database::partition::Regions;
use crate::database::sampler::Sampler;
use crate::search::{GridPlanner, Path, Planner};
use crate::space::{Cell, Cost, DirectionSet, GridSpace, Heuristic, Reachability, State, StateSpace};

/// How many problems are tried against the same web at most: enough for all cores, few enough that not many teach the same.
const BATCH: usize = 128;
/// At first there is much to learn from each: fewer are tried at once.
const FIRST_BATCH: usize = 8;
/// The most problems that lead across the map: on a large one each takes long to solve.
const MOST_FAR: u32 = 1_400;
/// When such problems, and near ones that lead far around, have expanded so many states, and one for every [`STATES_A_FAR_ONE`] of the map, no more of them are tried: among many
/// jagged walls each takes longer still.
const FAR_WORK: u64 = 100_000;
const STATES_A_FAR_ONE: u64 = 10;
/// A beacon within so many cells of a bend takes its place, if a cheapest path leads over it: on jagged walls there are many such paths, each with other bends.
const NEAR_BEND: u32 = 8;

/// What the beacons are tried on.
struct Problem {
    start: State,
    goal: State,
    is_far: bool,
}

/// What a problem taught: the bends of its cheapest path, and the regions of its ends.
struct Lesson {
    bends: Vec<State>,
    ends: (u32, u32),
}

/// A web in the making, and for each region the beacons beyond its own legs that ways from it began or ended with.
pub(super) struct Learner<'a, 'w> {
    pub(super) web: &'w mut Web<'a>,
    pub(super) regions: &'w Regions,
    /// The beacon of each region that has one.
    pub(super) beacon_of: &'w [Option<u32>],
    /// For each region the nearest one that has a beacon.
    pub(super) main_of: &'w [u32],
    /// The most steps of a climb within a region.
    pub(super) cutoff: u32,
    pub(super) views: BTreeMap<u32, Vec<u32>>,
}

impl Learner<'_, '_> {
    /// Tries problems on the web, and adds what they teach. `progress` hears how many were tried.
    pub(super) fn learn(&mut self, config: &BeaconConfig, mut progress: impl FnMut(u32)) {
        let space = self.web.space;
        let sampler = Sampler::new(space);
        let count = config.problems_for(space);
        let numbers: Vec<u32> = (0..count).collect();
        let (mut tried, mut far_work) = (0, 0);
        let most_far_work = FAR_WORK + space.grid().free_count() / STATES_A_FAR_ONE;
        while tried < numbers.len() && !config.are_enough(tried, self.web.states.len(), space) {
            let size = (tried / 8).clamp(FIRST_BATCH, BATCH).min(numbers.len() - tried);
            let batch = &numbers[tried..tried + size];
            tried += size;
            let scratch = || (GridPlanner::fastest(), WebSearch::default());
            let may_go_far = far_work < most_far_work;
            let lessons = in_parallel(batch, scratch, |(planner, search), &number| {
                let Problem { start, goal, is_far } =
                    self.problem(config.seed, &sampler, number, may_go_far)?;
                // Most near goals are climbed to at the cost of the estimate: there is nothing to learn from them, nor to solve.
                if self.web.climb(start, goal) == Some(space.estimate(start, goal)) {
                    return None;
                }
                let detour = self.detour(start, goal);
                if !may_go_far && self.is_detour(search, start, goal, detour) {
                    return None;
                }
                let answer = planner.plan(space, start, goal).ok()?;
                let path = answer.path?;
                let work = if is_far || path.cost >= detour { answer.counts.expanded } else { 0 };
                Some((work, self.lesson(config, search, &path)))
            });
            far_work += lessons.iter().flatten().map(|&(work, _)| work).sum::<u64>();
            let lessons = lessons.into_iter().flatten().map(|(_, lesson)| lesson);
            let lessons: Vec<Lesson> = lessons.flatten().collect();
            self.web.add(lessons.iter().flat_map(|lesson| lesson.bends.iter().copied()));
            for lesson in lessons {
                self.take_in(&lesson);
            }
            progress(tried as u32);
        }
    }

    /// One problem in sixteen leads, as long as they may, across the map, some across several regions, most from one region to the next: far ways are made of near
    /// ones, and what is amiss is mostly how they begin and end.
    fn problem(&self, seed: u64, sampler: &Sampler, number: u32, may_go_far: bool) -> Option<Problem> {
        let space = self.web.space;
        let mut draws = Draws::new(seed, u64::from(number));
        let start = sampler.draw(space, &mut draws)?;
        let is_far = number.is_multiple_of(16) && number / 16 < MOST_FAR && may_go_far;
        let goal = match number % 16 {
            _ if is_far => sampler.draw(space, &mut draws)?,
            1..4 => near(space, start, self.cutoff.saturating_mul(8), &mut draws)?,
            _ => near(space, start, self.cutoff.saturating_mul(2), &mut draws)?,
        };
        let can_be_solved = start != goal && space.reachability(start, goal) == Reachability::Yes;
        can_be_solved.then_some(Problem { start, goal, is_far })
    }

    /// What a way costs that leads far around, though its ends are near. Over heavy ground any way costs as much.
    fn detour(&self, start: State, goal: State) -> Cost {
        let space = self.web.space;
        if space.is_weighted() {
            return Cost::MAX;
        }
        space.estimate(start, goal) * 2 + space.units().of_steps(u64::from(self.cutoff) * 4, 0)
    }

    /// Whether ways over the beacons lead far around. If none leads to either end there is much to learn.
    fn is_detour(&self, search: &mut WebSearch, start: State, goal: State, detour: Cost) -> bool {
        let [starts, last] = self.ends(start, goal);
        let has_ends = detour < Cost::MAX && !starts.is_empty() && !last.is_empty();
        has_ends && search.cost(self.web, &starts, &last, goal, detour) == detour
    }

    /// The beacons that a way between two states is thought of to begin with, and those to end with.
    fn ends(&self, start: State, goal: State) -> [Vec<Leg>; 2] {
        let starts = self.first_legs(start, |beacon| self.web.climb(start, beacon));
        [starts, self.first_legs(goal, |beacon| self.web.climb(beacon, goal))]
    }

    /// What a problem teaches: nothing if the way over the beacons is good enough.
    fn lesson(&self, config: &BeaconConfig, search: &mut WebSearch, path: &Path) -> Option<Lesson> {
        let (&start, &goal) = path.states.first().zip(path.states.last())?;
        let ends = (self.regions.labels[start.index()], self.regions.labels[goal.index()]);
        let good_enough = path.cost + (u128::from(path.cost) * u128::from(config.slack) / 10_000) as Cost;
        if self.web.climb(start, goal).is_some_and(|cost| cost <= good_enough) {
            return None;
        }
        // One more than is good enough: that is to be found.
        let [starts, last] = self.ends(start, goal);
        if search.cost(self.web, &starts, &last, goal, good_enough + 1) <= good_enough {
            return None;
        }
        Some(Lesson { bends: self.web.bends(path), ends })
    }

    /// The beacons that a way from or to a state is thought of to begin or end with, as the agent does.
    fn first_legs(&self, state: State, cost: impl Fn(State) -> Option<Cost>) -> Vec<Leg> {
        let region = self.regions.labels[state.index()];
        // A nook has no beacon yet; those around it see about as much.
        let own = self.beacon_of[self.main_of[region as usize] as usize];
        let around = own.into_iter().flat_map(|own| &self.web.legs[own as usize]).map(|&(to, _)| to);
        let views = self.views.get(&region).into_iter().flatten().copied();
        let seen = own.into_iter().chain(around).chain(views);
        seen.filter_map(|to| Some((to, cost(self.web.states[to as usize])?))).collect()
    }

    /// Joins the bends of a path, which are beacons now, and notes its ends.
    fn take_in(&mut self, lesson: &Lesson) {
        let numbers: Vec<u32> = lesson.bends.iter().filter_map(|&state| self.web.number(state)).collect();
        for pair in numbers.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|number| self.web.states[number as usize]);
            if let Some(cost) = self.web.leg(a, b) {
                self.web.put_leg(pair[0], pair[1], cost);
            }
        }
        let Some((&first, &last)) = numbers.first().zip(numbers.last()) else { return };
        for (region, beacon) in [(lesson.ends.0, first), (lesson.ends.1, last)] {
            let own = self.beacon_of[region as usize];
            let legs = own.map_or(&[][..], |own| &self.web.legs[own as usize]);
            let is_leg = own == Some(beacon) || legs.binary_search_by_key(&beacon, |&(to, _)| to).is_ok();
            let views = self.views.entry(region).or_default();
            if !is_leg && !views.contains(&beacon) {
                views.push(beacon);
            }
        }
    }
}

/// A state within some cells of another, along either axis.
fn near(space: &GridSpace, state: State, span: u32, draws: &mut Draws) -> Option<State> {
    let here = space.cell(state);
    let mut place = |at: u32, side: u32| {
        let (first, after) = (at.saturating_sub(span), at.saturating_add(span).saturating_add(1).min(side));
        first + draws.below(u64::from(after - first)) as u32
    };
    (0..16).find_map(|_| {
        let cell = Cell::new(place(here.x, space.grid().width()), place(here.y, space.grid().height()));
        let there = space.state(cell);
        space.contains(there).then_some(there)
    })
}

/// Those who know beacons and legs.
pub(super) trait Beacons {
    /// What a leg between two states costs.
    fn leg(&self, a: State, b: State) -> Option<Cost>;

    fn is_beacon(&self, state: State) -> bool;

    /// The beacons within so many cells of a state along both axes.
    fn near(&self, state: State, span: u32) -> impl Iterator<Item = State>;
}

/// States on a cheapest path between the ends of this one, such that from each to the next, its ends included, there is a leg that costs what the path does, of
/// at most `span` moves or some few more. Those where the path turns at a wall are taken first, beacons before others: other paths turn there, too.
pub(super) fn bends(space: &GridSpace, path: &Path, span: u32, known: &impl Beacons) -> Vec<State> {
    let states = &path.states;
    let Some((&start, last)) = states.first().zip(states.len().checked_sub(1)) else { return Vec::new() };
    let costs = costs_along(space, states);
    let turns_at_wall = |at: usize| {
        let [before, here, after] =
            [states[at - 1], states[at], states[at + 1]].map(|state| space.cell(state));
        let turns = (here.x.wrapping_sub(before.x), here.y.wrapping_sub(before.y))
            != (after.x.wrapping_sub(here.x), after.y.wrapping_sub(here.y));
        turns && space.moves(states[at]) != DirectionSet(u8::MAX)
    };
    // A leg of so many moves is no longer than one that is looked for.
    let span = span as usize;
    let mut bends = Vec::new();
    // The last bend, what it costs from the start, and how far the path is done with.
    let (mut bend, mut spent, mut at) = (start, 0, 0);
    while at < last {
        let holds = |to: usize| {
            to - at <= span
                && costs[to].checked_sub(spent).is_some_and(|cost| known.leg(bend, states[to]) == Some(cost))
        };
        if holds(last) {
            break;
        }
        let (mut next, mut low, mut high) = (at + 1, at + 2, last - 1);
        while low <= high {
            let middle = (low + high) / 2;
            if holds(middle) {
                next = middle;
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        let turns = (at + 1..=next).rev().filter(|&turn| turns_at_wall(turn));
        let beacon = turns.clone().find(|&turn| known.is_beacon(states[turn]) && holds(turn));
        let turn = beacon.or_else(|| turns.clone().next().filter(|&turn| holds(turn)));
        let turn = turn.unwrap_or(next);
        // From a beacon nearby the path is to go on a little farther behind the turn.
        let behind = (turn + NEAR_BEND as usize).min(last);
        let takes_its_place = |other: State| {
            let cost = spent + known.leg(bend, other)?;
            let left = costs[behind].checked_sub(cost)?;
            (known.leg(other, states[behind])? == left).then_some((other, cost, behind - 1))
        };
        let others = beacon.is_none().then(|| known.near(states[turn], NEAR_BEND)).into_iter().flatten();
        let other = others.filter(|&other| other != bend).find_map(takes_its_place);
        (bend, spent, at) = other.unwrap_or((states[turn], costs[turn], turn));
        // The path may come once more to a beacon that has taken the place of a bend, or to its end.
        if bends.last() != Some(&bend) && bend != states[last] {
            bends.push(bend);
        }
    }
    bends
}
