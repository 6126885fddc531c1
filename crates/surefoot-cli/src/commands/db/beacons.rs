//! What `surefoot db verify` and `surefoot db show` do with beacons.

use std::collections::BTreeMap;
use std::sync::Arc;

use surefoot::agents::{Step, roster};
use surefoot::database::{BeaconDatabase, Database};
use surefoot::formats::{Colour, Picture};
use surefoot::search::Budget;
use surefoot::space::{GridSpace, Heuristic as _, State};

use super::verify::Arguments as VerifyArguments;
use super::ways::Ways;
use crate::algorithm;
use crate::databases::BeaconProgress;
use crate::failure::Failure;
use crate::output;
use crate::parallel;
use crate::regions::with_labelled_regions;
use crate::table::{Table, labelled, thousands};

const WALK: Colour = Colour::of_path(0);
const STOPS: Colour = Colour::of_path(1);
/// Indigo and vermilion: regions have pale colours, and a dot is a single cell.
const TRUNK: Colour = Colour { red: 0x4b, green: 0x00, blue: 0x82 };
const TWIGS: Colour = Colour::of_path(0);

/// Climbs from every state to the beacon of its region and back, and builds everything again.
pub(super) fn verify(
    arguments: &VerifyArguments,
    beacons: &BeaconDatabase,
    space: &GridSpace,
) -> Result<(), Failure> {
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    let mut progress = BeaconProgress::new("building them anew".to_string());
    let verified = pool.install(|| beacons.verify_with(space, |stage| progress.begin(stage)));
    drop(progress);
    verified.map_err(|fault| {
        Failure::Other(format!("{}: {fault}; build it anew", arguments.source.file.display()))
    })?;
    let states = thousands(space.grid().free_count());
    let count = thousands(u64::from(beacons.beacons()));
    output::print(&labelled(&[
        ("built for", beacons.built_for().to_string()),
        ("states", format!("{states}, each with climbs to the beacon of its region and back")),
        ("beacons", format!("{count}; every leg can be climbed both ways")),
        ("rebuilt", "all of it is what is built from the map anew".to_string()),
    ]))
}

/// The way that an agent walks.
pub(super) struct Walk {
    states: Vec<State>,
    /// The beacons and at the end the goal, each with the place in the walk where the agent was there.
    stops: Vec<(State, usize)>,
}

impl Ways for Arc<BeaconDatabase> {
    const CONTENTS: &'static str = "beacons and legs between them";

    type Way = Walk;

    fn way(&self, space: &GridSpace, (start, goal): (State, State)) -> Option<Walk> {
        let spec = algorithm::DEFAULT.parse().ok()?;
        let mut agent = roster::agent_with(&spec, Some(&Database::Beacons(Arc::clone(self)))).ok()?;
        agent.begin(space, start, goal).ok()?;
        let mut walk = Walk { states: vec![start], stops: Vec::new() };
        loop {
            match agent.step(space, &mut Budget::unlimited()) {
                Step::Moved(state) => {
                    walk.states.push(state);
                    // Where it is now it was heading for, if it goes on from there to something else.
                    if agent.plan().first() == Some(&state) {
                        walk.stops.push((state, walk.states.len() - 1));
                    }
                }
                Step::Arrived => return Some(walk),
                _ => return None,
            }
        }
    }

    fn draw_regions<'a>(&self, picture: Picture<'a>, space: &GridSpace) -> Picture<'a> {
        let picture = with_labelled_regions(picture, space, self.regions(), |state| self.region(state));
        let dots = |numbers: std::ops::Range<u32>| numbers.map(|beacon| space.cell(self.state(beacon)));
        picture.with_dots(dots(self.twigs()), TWIGS).with_dots(dots(self.trunk()), TRUNK)
    }

    fn draw_way<'a>(&self, picture: Picture<'a>, walk: &Walk, space: &GridSpace) -> Picture<'a> {
        let cell = |state: State| space.cell(state);
        let Some((&start, &goal)) = walk.states.first().zip(walk.states.last()) else { return picture };
        let stops = walk.stops.iter().map(|&(state, _)| state).filter(|&state| state != goal);
        picture
            .with_path(walk.states.iter().map(|&state| cell(state)), WALK)
            .with_spots(stops.map(cell), STOPS)
            .with_start(cell(start))
            .with_goal(cell(goal))
    }

    fn table(&self, walk: &Walk, space: &GridSpace) -> Table {
        let numbers: BTreeMap<State, u32> =
            self.trunk().chain(self.twigs()).map(|beacon| (self.state(beacon), beacon)).collect();
        let mut table = Table::new(&["next", "what it is", "moves", "cost"]);
        let mut before = 0;
        for (place, &(state, at)) in walk.stops.iter().enumerate() {
            let is_goal = place + 1 == walk.stops.len();
            let what = match numbers.get(&state) {
                _ if is_goal => "the goal".to_string(),
                Some(beacon) if self.trunk().contains(beacon) => format!("beacon {beacon}"),
                Some(beacon) => format!("beacon {beacon}, a twig"),
                None => "a state".to_string(),
            };
            let leg = &walk.states[before..=at];
            // Of neighbours the estimate is what the move costs.
            let cost = leg.windows(2).map(|pair| space.estimate(pair[0], pair[1])).sum();
            table.row(vec![
                space.cell(state).to_string(),
                what,
                (leg.len() - 1).to_string(),
                format!("{:.2}", space.units().to_f64(cost)),
            ]);
            before = at;
        }
        table
    }
}
