//! Walks of any algorithm, move by move.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use numpy::{IntoPyArray as _, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use surefoot::Cell;
use surefoot::search::{GridPlanner, Planner as _, Work};
use surefoot::space::{GridSpace, Heuristic as _, State};
use surefoot::tape::{Event, Header, Tape};
use surefoot_draw::Film;
use surefoot_lab::episode::{Episode, Taken, watch};

use crate::arguments;
use crate::database::{Database, algorithm};
use crate::drawing;
use crate::errors::{Outcome, argument};
use crate::long;
use crate::map::Map;

/// Steps between two looks for Ctrl-C.
const STEPS_BETWEEN_LOOKS: u64 = 4096;

/// A walk from a start to a goal, or as far as it got: `Map.walk` makes it.
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Walk {
    spec: String,
    map: surefoot::Map,
    ends: (State, State),
    bound: Option<Work>,
    episode: Episode,
    steps: Steps,
    tape: Option<Tape>,
    optimal: OnceLock<Option<u64>>,
}

/// What every step took, a list for each measure.
#[derive(Default)]
struct Steps {
    works: [Vec<u64>; 5],
    ns: Vec<u64>,
    moved: Vec<bool>,
}

const WORKS: [&str; 5] = ["expansions", "backups", "trace_steps", "climb_steps", "probes"];

fn parts_of(work: Work) -> [u64; 5] {
    [work.expansions, work.backups, work.trace_steps, work.climb_steps, work.probes]
}

impl Steps {
    fn add(&mut self, taken: &Taken) {
        for (list, amount) in self.works.iter_mut().zip(parts_of(taken.work)) {
            list.push(amount);
        }
        self.ns.push(taken.ns);
        self.moved.push(taken.moved.is_some());
    }
}

impl Walk {
    fn space(&self) -> &GridSpace {
        self.map.space()
    }

    fn recorded(&self) -> Outcome<&Tape> {
        let words = "this walk was not recorded; ask for it: map.walk(..., tape=True)";
        self.tape.as_ref().ok_or_else(|| argument(words))
    }

    /// A number for each cell, from what the tape tells.
    fn heat<'py>(
        &self,
        py: Python<'py>,
        fill: f64,
        mut take: impl FnMut(&mut [f64], Event),
    ) -> Outcome<Bound<'py, PyArray2<f64>>> {
        let (height, width) = (self.map.height() as usize, self.map.width() as usize);
        let mut numbers = vec![fill; height * width];
        // States of a grid are numbered row after row.
        self.recorded()?.events().for_each(|event| take(&mut numbers, event));
        arguments::table(py, height, width, numbers)
    }

    fn place(&self, state: State) -> usize {
        let cell = self.space().cell(state);
        cell.y as usize * self.map.width() as usize + cell.x as usize
    }
}

#[pymethods]
impl Map {
    /// Lets an algorithm of the roster walk from one cell to another. `spec` names it with its parameters, as
    /// in "lrta*(d=3)"; `surefoot.algorithms()` lists them.
    ///
    /// What it needs is built with `seed` if no `database` is given: build it once with `Map.database` for
    /// more than one walk. Walks of more than `max_moves` moves are cut off. With `tape=True` all that
    /// happens is recorded, for `Walk.tape`, `Walk.learned`, `Walk.expanded` and films.
    ///
    /// >>> map = surefoot.Map.parse("......\n.####.\n......")
    /// >>> walk = map.walk("lrta*(d=1)", (1, 0), (3, 2))
    /// >>> walk.solved, len(walk), walk.cost >= walk.optimal_cost
    /// (True, 8, True)
    #[pyo3(signature = (spec, start, goal, *, database = None, seed = 1, max_moves = None, tape = false))]
    #[allow(clippy::too_many_arguments)] // Each has its name in Python.
    fn walk(
        &self,
        py: Python<'_>,
        spec: &str,
        start: &Bound<'_, PyAny>,
        goal: &Bound<'_, PyAny>,
        database: Option<&Database>,
        seed: u64,
        max_moves: Option<u64>,
        tape: bool,
    ) -> Outcome<Walk> {
        let map = self.now();
        if !map.links().is_empty() {
            return Err(argument(
                "algorithms know nothing of links; ask Map.navigator, or take map.with_moves(links=[])",
            ));
        }
        let algorithm = algorithm(spec)?;
        let ends = map.space().locate_ends(arguments::cell(start)?, arguments::cell(goal)?)?;
        let built = match (database, algorithm.database_config(seed)) {
            (Some(given), needed) => Some(given.fit_for(&map, needed.as_deref(), spec)?),
            (None, Some(config)) => {
                let pool = arguments::pool(None)?;
                let built =
                    long::run(py, None, |teller| pool.install(|| Database::build(&*config, &map, teller)))?;
                Some(built?.database)
            }
            (None, None) => None,
        };
        let mut agent = algorithm.agent(built.as_ref())?;
        let spec = algorithm.spec().to_string();
        let tape = tape.then(|| Tape::new(Header::of_grid(map.space(), ends.0, ends.1, &spec)));
        let (mut steps, mut raised, mut count) = (Steps::default(), None, 0_u64);
        let walked = py.detach(|| {
            watch(tape, map.space(), &mut *agent, ends, max_moves, true, |taken| {
                steps.add(&taken);
                count += 1;
                if count.is_multiple_of(STEPS_BETWEEN_LOOKS) {
                    raised = long::signal();
                }
                if raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
        });
        if let Some(raised) = raised {
            return Err(raised.into());
        }
        let (episode, tape) = walked?;
        Ok(Walk { spec, map, ends, bound: agent.bound(), episode, steps, tape, optimal: OnceLock::new() })
    }
}

#[pymethods]
impl Walk {
    /// The algorithm.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Where it began.
    #[getter]
    fn start(&self) -> (u32, u32) {
        let Cell { x, y } = self.space().cell(self.ends.0);
        (x, y)
    }

    /// Where it was to go.
    #[getter]
    fn goal(&self) -> (u32, u32) {
        let Cell { x, y } = self.space().cell(self.ends.1);
        (x, y)
    }

    /// The most work that the algorithm takes for any move, all kinds together; `None` if it has no bound.
    #[getter]
    fn work_bound(&self) -> Option<u64> {
        self.bound.map(|bound| bound.total())
    }

    /// Whether it arrived.
    #[getter]
    fn solved(&self) -> bool {
        self.episode.solved
    }

    /// Whether it found that there is no way.
    #[getter]
    fn unreachable(&self) -> bool {
        self.episode.unreachable
    }

    /// What the moves cost together.
    #[getter]
    fn cost(&self) -> f64 {
        self.space().units().to_f64(self.episode.travel_cost)
    }

    /// What a cheapest path costs; `None` if there is no way. It is searched for when it is first asked for.
    #[getter]
    fn optimal_cost(&self, py: Python<'_>) -> Outcome<Option<f64>> {
        let space = self.space();
        let (start, goal) = self.ends;
        let cost = match self.optimal.get() {
            Some(cost) => *cost,
            None => {
                let cost = py.detach(|| GridPlanner::fastest().plan(space, start, goal))?.cost();
                *self.optimal.get_or_init(|| cost)
            }
        };
        Ok(cost.map(|cost| space.units().to_f64(cost)))
    }

    /// By how many percent the walk costs more than a cheapest path; `None` if it did not arrive.
    #[getter]
    fn suboptimality(&self, py: Python<'_>) -> Outcome<Option<f64>> {
        let optimal = self.optimal_cost(py)?.filter(|_| self.episode.solved);
        Ok(optimal.map(|optimal| if optimal > 0.0 { 100.0 * (self.cost() / optimal - 1.0) } else { 0.0 }))
    }

    /// The cells that it stood on, the start first, one more for each move: an array of shape (n, 2).
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<u32>>> {
        let cells: Vec<Cell> = self.episode.states.iter().map(|&state| self.space().cell(state)).collect();
        arguments::array_of(py, &cells)
    }

    /// What every step took, as arrays by name: each kind of work, `total`, planning time in nanoseconds as
    /// `ns`, and whether the agent `moved` or only planned.
    #[getter]
    fn work<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        let lists = PyDict::new(py);
        for (name, list) in WORKS.iter().zip(&self.steps.works) {
            lists.set_item(name, list.clone().into_pyarray(py))?;
        }
        let total: Vec<u64> = (0..self.steps.ns.len())
            .map(|step| self.steps.works.iter().map(|list| list[step]).sum())
            .collect();
        lists.set_item("total", total.into_pyarray(py))?;
        lists.set_item("ns", self.steps.ns.clone().into_pyarray(py))?;
        let moved: Bound<'_, PyArray1<bool>> = self.steps.moved.clone().into_pyarray(py);
        lists.set_item("moved", moved)?;
        Ok(lists)
    }

    /// States expanded over all steps, steps of hill-climbing checks included, as the papers count.
    #[getter]
    fn expansions(&self) -> u64 {
        self.episode.expansions_total
    }

    /// Moves to cells where it had been before.
    #[getter]
    fn revisits(&self) -> u64 {
        self.episode.revisits
    }

    /// How often its database had nothing to offer.
    #[getter]
    fn fallbacks(&self) -> u64 {
        self.episode.fallbacks
    }

    /// The walk as a tape, for `surefoot replay`; `None` if it was not recorded.
    #[getter]
    fn tape<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.tape.as_ref().map(|tape| PyBytes::new(py, &tape.to_bytes()))
    }

    /// How often each cell was expanded, as an array of the map's shape. The walk must have been recorded.
    fn expanded<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<f64>>> {
        self.heat(py, 0.0, |numbers, event| {
            if let Event::Expanded(state) = event {
                numbers[self.place(state)] += 1.0;
            }
        })
    }

    /// By how much the value of each cell was raised above the first estimate at the end of the walk, in
    /// straight moves, as an array of the map's shape; 0 where nothing was learned. The walk must have been
    /// recorded.
    fn learned<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyArray2<f64>>> {
        let straight = self.space().units().of_steps(1, 0) as f64;
        let mut heading = self.ends.1;
        self.heat(py, 0.0, |numbers, event| match event {
            Event::Subgoal(state) | Event::Goal(state) => heading = state,
            Event::Raised { state, value } => {
                // Values are for what the agent heads for.
                let rise = value.saturating_sub(self.space().estimate(state, heading));
                numbers[self.place(state)] = rise as f64 / straight;
            }
            _ => {}
        })
    }

    /// The walk as a film for notebooks and pages: an animated GIF. It must have been recorded.
    fn to_gif<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyBytes>> {
        let (map, tape) = (&self.map, self.recorded()?);
        let made = long::run(py, None, |_| {
            let terrain = surefoot::space::TerrainMap::from_grid(map.space().grid());
            let film = Film::new(&terrain, map.space(), tape).map_err(|error| error.to_string())?;
            film.to_gif(&mut |_| ()).map_err(|error| error.to_string())
        })?;
        Ok(PyBytes::new(py, &made.map_err(argument)?))
    }

    /// The way on its map, as a PNG.
    #[pyo3(signature = (side = 640))]
    fn to_png<'py>(&self, py: Python<'py>, side: u32) -> Bound<'py, PyBytes> {
        let cells: Vec<Cell> = self.episode.states.iter().map(|&state| self.space().cell(state)).collect();
        PyBytes::new(py, &py.detach(|| drawing::path(&self.map, &cells, side)))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.to_png(py, drawing::NOTEBOOK_SIDE)
    }

    /// The map.
    #[getter]
    fn map(&self) -> Map {
        self.map.clone().into()
    }

    /// A walk without moves is one, too.
    fn __bool__(&self) -> bool {
        true
    }

    /// The number of moves.
    fn __len__(&self) -> usize {
        self.episode.moves as usize
    }

    fn __repr__(&self) -> String {
        let end = match &self.episode {
            Episode { solved: true, .. } => "arrived",
            Episode { unreachable: true, .. } => "no way",
            _ => "cut off",
        };
        let (moves, cost, expansions) = (self.episode.moves, self.cost(), self.episode.expansions_total);
        format!(
            "<surefoot.Walk {}, {end}, {moves} moves, cost {cost:.4}, {expansions} expansions>",
            self.spec
        )
    }
}
