//! `exact`: what `beacon*` answers and walks, beside Dijkstra's algorithm, on maps of every kind, before and
//! after edits. What is counted are pairs of cells: each is asked for its cost and its path, and walked.

use std::sync::Arc;

use surefoot::agent::{Agent, Step};
use surefoot::beacons::BeaconDatabase;
use surefoot::search::{Dijkstra, DistanceField, Meter};
use surefoot::space::{Cell, Cost, CostModel, Grid, GridSpace, MoveRule, State, TerrainSet};
use surefoot::store::{Database, shared_as};
use surefoot_classics::ROSTER;
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::random::Rng;

use super::run::Watch;
use super::{Campaign, Case, Found, Setup};
use crate::stress::checks::{Checked, legal_move, within_bound};
use crate::stress::world::{Scale, between, draw_edit, draw_grid, pick};
use crate::stress::{catch, face};

/// Cells that ways are asked from, on a map as it is.
const SOURCES: u64 = 6;
/// Cells that ways are asked to, from each.
const GOALS: u64 = 200;
/// Edits of a map; pairs are drawn before and after each.
const EDITS: u64 = 2;
/// Of a database so few pairs are told that are wrong.
const MOST_TOLD: usize = 5;

/// Kinds of maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// As the lab makes them.
    Made(MapKind),
    /// Cells that are blocked by chance, at a density that is drawn.
    Scattered,
    /// No more than a few blocked cells.
    Open,
    /// As `stress` draws them: single cells, checkerboards, walls with a door each, thin strips.
    Odd,
}

const SHAPES: [Shape; 8] = [
    Shape::Made(MapKind::Rooms),
    Shape::Made(MapKind::Caves),
    Shape::Made(MapKind::Maze),
    Shape::Made(MapKind::Game),
    Shape::Made(MapKind::Random),
    Shape::Scattered,
    Shape::Open,
    Shape::Odd,
];

impl Shape {
    fn draw(self, random: &mut Rng) -> Result<Grid, String> {
        let most = match random.below(100) {
            0..30 => 20,
            30..80 => 70,
            80..97 => 160,
            _ => 250,
        };
        let (width, height) = (between(random, 2, most) as u32, between(random, 2, most) as u32);
        let grid = match self {
            Self::Made(kind) => {
                generate(kind, width, height, random.next_u64()).map(|map| map.grid(TerrainSet::GROUND))
            }
            Self::Scattered => {
                let density = between(random, 1, 99) as f64 / 100.0;
                Grid::from_fn(width, height, |_| random.chance(density))
            }
            Self::Open => {
                let blocked = pick(random, &[0.0, 0.0, 0.001, 0.01]);
                Grid::from_fn(width, height, |_| !random.chance(blocked))
            }
            Self::Odd => Ok(draw_grid(random, Scale::Any)),
        };
        grid.map_err(|error| error.to_string())
    }
}

/// Random maps of a seed.
struct Exact {
    seed: u64,
}

/// Opens the campaign.
///
/// # Errors
/// None.
pub fn open(setup: &Setup) -> Result<Box<dyn Campaign>, String> {
    Ok(Box::new(Exact { seed: setup.seed }))
}

impl Campaign for Exact {
    fn case(&mut self, number: u64, watch: &Watch) -> Result<Case, String> {
        let mut case = Case::default();
        let mut done = Ok(());
        let panicked = catch(|| done = run(self.seed, number, watch, &mut case));
        if let Some((place, message)) = panicked {
            case.findings
                .push(Found { key: format!("panic at {place}"), text: format!("{place}: {message}") });
        }
        done.map(|()| case)
    }

    fn again(&self, seed: u64, number: u64) -> String {
        format!("cargo run --release -p surefoot-bench -- campaign exact --seed {seed} --case {number}")
    }
}

/// The settings of a case, by its number, so that all go with all: shapes, rules, costs, labels.
fn settings(number: u64) -> (Shape, MoveRule, CostModel, &'static str) {
    let (shapes, rules) = (SHAPES.len() as u64, MoveRule::ALL.len() as u64);
    let (shape, rest) = (SHAPES[(number % shapes) as usize], number / shapes);
    let (rule, rest) = (MoveRule::ALL[(rest % rules) as usize], rest / rules);
    let (costs, rest) = (CostModel::ALL[(rest % 2) as usize], rest / 2);
    (shape, rule, costs, ["auto", "all", "core"][(rest % 3) as usize])
}

fn run(seed: u64, number: u64, watch: &Watch, case: &mut Case) -> Result<(), String> {
    let mut random = Rng::new(seed, number);
    let (shape, rule, costs, labels) = settings(number);
    let mut space = GridSpace::new(shape.draw(&mut random)?, rule, costs);
    let bound = pick(&mut random, &["auto", "auto", "1", "7", "100"]);
    let spec = format!("beacon*(labels={labels},bound={bound})");
    let spec = spec.parse().map_err(|error| format!("{spec}: {error:?}"))?;
    let (width, height) = (space.grid().width(), space.grid().height());
    let map = format!("{shape:?} {width} x {height}, {rule}, {costs}, {spec}");
    watch.say(&map);
    let database = ROSTER.build_database(&spec, &space, 1).map_err(|error| format!("{map}: {error}"))?;
    let mut maintained = database.ok_or_else(|| format!("{map}: no database was built"))?.maintained();
    for edits in 0..=EDITS {
        if edits > 0 {
            let cells = draw_edit(&mut random, space.grid(), None);
            space.set_all(cells.iter().copied());
            let changed: Vec<Cell> = cells.iter().map(|&(cell, _)| cell).collect();
            maintained.edit_fully(&space, &changed);
        }
        let database = maintained.database();
        let agent = ROSTER.agent_with(&spec, Some(&database)).map_err(|error| format!("{map}: {error}"))?;
        // Where there are too many corners, transit nodes stand in, and those are not exact.
        let Some(mut asked) = Asked::new(&space, &database, agent) else { return Ok(()) };
        let wrong = asked.pairs(&mut random, &mut case.count)?;
        let phase = if edits == 0 { "as it was built".to_owned() } else { format!("after edit {edits}") };
        for (who, what) in wrong {
            case.findings
                .push(Found { key: format!("{who}, {phase}"), text: format!("{map}, {phase}: {what}") });
        }
    }
    Ok(())
}

/// Who answers, on a map as it is.
struct Asked<'a> {
    space: &'a GridSpace,
    beacons: Arc<BeaconDatabase>,
    agent: Box<dyn Agent>,
    dijkstra: Dijkstra,
}

impl<'a> Asked<'a> {
    /// `None` if the database is another one.
    fn new(space: &'a GridSpace, database: &Arc<dyn Database>, agent: Box<dyn Agent>) -> Option<Self> {
        let beacons = shared_as::<BeaconDatabase>(database)?;
        Some(Self { space, beacons, agent, dijkstra: Dijkstra::new() })
    }

    /// Asks and walks random pairs, which are counted. Who was wrong, and how.
    fn pairs(&mut self, random: &mut Rng, count: &mut u64) -> Result<Vec<(&'static str, String)>, String> {
        let space = self.space;
        let states: Vec<State> = space.grid().free_cells().map(|cell| face::state(space, cell)).collect();
        let mut wrong = Vec::new();
        if states.is_empty() {
            return Ok(wrong);
        }
        let all = states.len() as u64;
        let mut draw = || states[random.below(all) as usize];
        for _ in 0..SOURCES.min(all) {
            let start = draw();
            let field = self.dijkstra.field(space, start).map_err(|error| error.to_string())?;
            for _ in 0..GOALS.min(all) {
                let goal = draw();
                *count += 1;
                if let Err((who, what)) = self.pair(&field, goal)
                    && wrong.len() < MOST_TOLD
                {
                    let (start, goal) = (space.cell(start), space.cell(goal));
                    wrong.push((who, format!("{who} from {start} to {goal}: {what}")));
                }
            }
        }
        Ok(wrong)
    }

    /// Asks and walks a pair.
    fn pair(&mut self, field: &DistanceField, goal: State) -> Result<(), (&'static str, String)> {
        let (space, start) = (self.space, field.source());
        let truth = field.distance(goal);
        let cost = self.beacons.cost(space, start, goal);
        same_cost(truth, cost).map_err(|what| ("cost()", what))?;
        let path = self.beacons.path(space, start, goal);
        same_cost(truth, path.as_ref().map(|path| path.cost)).map_err(|what| ("path()", what))?;
        if let Some(path) = path {
            let ends = (path.states.first(), path.states.last());
            if ends != (Some(&start), Some(&goal)) {
                return Err(("path()", format!("it leads from {:?} to {:?}", ends.0, ends.1)));
            }
            let walked = cost_of(space, &path.states).map_err(|what| ("path()", what))?;
            same_cost(truth, Some(walked)).map_err(|what| ("moves of path()", what))?;
        }
        let walked = walk(space, &mut *self.agent, start, goal).map_err(|what| ("walk", what))?;
        same_cost(truth, walked).map_err(|what| ("walk", what))
    }
}

/// A cost is the one that it should be; `None` is no way.
fn same_cost(truth: Option<Cost>, cost: Option<Cost>) -> Checked {
    let words = |cost: Option<Cost>| cost.map_or("no way".to_owned(), |cost| cost.to_string());
    if truth == cost { Ok(()) } else { Err(format!("{}, and it is {}", words(cost), words(truth))) }
}

/// What a path costs, move by move. An error if one of them is none.
fn cost_of(space: &GridSpace, states: &[State]) -> Result<Cost, String> {
    states.windows(2).map(|pair| legal_move(space, pair[0], pair[1])).sum()
}

/// Walks: what that costs, `None` if the agent says that there is no way. No move is illegal or takes more
/// than its bound.
fn walk(space: &GridSpace, agent: &mut dyn Agent, start: State, goal: State) -> Result<Option<Cost>, String> {
    agent.begin(space, start, goal).map_err(|error| error.to_string())?;
    let (mut at, mut cost) = (start, 0);
    let bound = agent.bound();
    let mut meter = Meter::new();
    // A decision that takes more than a move may is spread over several.
    let most = 100_000 + 100 * space.grid().cell_count() as u64;
    for _ in 0..most {
        meter.renew();
        let step = agent.step(space, &mut meter);
        within_bound(&meter.spent(), bound.as_ref())?;
        match step {
            Step::Moved(next) => {
                cost += legal_move(space, at, next)?;
                at = next;
            }
            Step::Arrived if at == goal => return Ok(Some(cost)),
            Step::Arrived => return Err("says that it arrived, and stands elsewhere".to_owned()),
            Step::Unreachable => return Ok(None),
            Step::Stuck => return Err("does not know how to go on".to_owned()),
            _ => {}
        }
    }
    Err(format!("is not there after {most} steps"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_settings_go_with_all() {
        let all: BTreeSet<String> = (0..192).map(|number| format!("{:?}", settings(number))).collect();
        assert_eq!(all.len(), 192);
    }

    #[test]
    fn wrong_costs_are_seen() {
        assert_eq!((same_cost(Some(7), Some(7)), same_cost(None, None)), (Ok(()), Ok(())));
        for (truth, cost) in [(Some(7), Some(8)), (Some(7), Some(6)), (Some(7), None), (None, Some(7))] {
            assert!(same_cost(truth, cost).is_err());
        }
    }

    /// Beacons and an agent of one map, asked and walked on another one.
    fn asked_of(built_for: &str, asked_on: &str) -> Vec<(&'static str, String)> {
        let space = |art: &str| {
            let grid = surefoot::formats::grid_from_art(art).unwrap();
            GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2)
        };
        let spec = "beacon*".parse().unwrap();
        let (built_for, asked_on) = (space(built_for), space(asked_on));
        let database = ROSTER.build_database(&spec, &built_for, 1).unwrap().unwrap();
        let agent = ROSTER.agent_with(&spec, Some(&database)).unwrap();
        let mut count = 0;
        let mut asked = Asked::new(&asked_on, &database, agent).unwrap();
        let wrong = asked.pairs(&mut Rng::new(1, 0), &mut count).unwrap();
        assert!(count >= 36);
        wrong
    }

    #[test]
    fn beacons_that_an_edit_left_behind_are_seen() {
        let (without, with) = (".......\n.#####.\n.......", ".......\n.##.##.\n.......");
        assert_eq!(asked_of(without, without), []);
        assert_eq!(asked_of(with, with), []);
        let wrong = asked_of(without, with);
        assert!(!wrong.is_empty(), "there is a shorter way now");
    }

    #[test]
    fn an_agent_that_walks_no_cheapest_way_is_seen() {
        let grid = surefoot::formats::grid_from_art("....\n.#..\n...#\n....").unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let mut dijkstra = Dijkstra::new();
        let spec = "hill-climbing".parse().unwrap();
        let mut agent = ROSTER.agent_with(&spec, None).unwrap();
        let states: Vec<State> = space.grid().free_cells().map(|cell| face::state(&space, cell)).collect();
        let mut wrong = 0;
        for &start in &states {
            let field = dijkstra.field(&space, start).unwrap();
            for &goal in &states {
                let walked = walk(&space, &mut *agent, start, goal);
                wrong += u32::from(walked.and_then(|cost| same_cost(field.distance(goal), cost)).is_err());
            }
        }
        assert!(wrong > 0, "it gets stuck, or goes round");
    }

    #[test]
    fn paths_with_a_jump_in_them_are_seen() {
        let grid = surefoot::formats::grid_from_art("...\n.#.").unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        assert!(cost_of(&space, &[State(0), State(1), State(2)]).is_ok());
        assert!(cost_of(&space, &[State(0), State(2)]).is_err());
    }
}
