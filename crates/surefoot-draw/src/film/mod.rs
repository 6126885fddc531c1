//! Films of recorded walks and of crowds. A walk is cut into scenes first, before it is decided what kind of
//! film they become.
//!
//! A film shows the part of the map where something happened. Long walks are thinned: a scene then stands for
//! several steps, and shows what was expanded in all of them. What a plan took is seen as long as it is
//! walked by.

mod animation;
mod crowd;
mod gif;
mod palette;

pub use crowd::{CrowdCast, CrowdFilm, CrowdScene, CrowdStage, UnitGroup};

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use surefoot::space::{Cell, Cost, GridSpace, Heuristic as _, SpaceError, State, TerrainMap};
use surefoot::tape::{Replay, Tape};

use crate::Colour;

/// The most scenes of a film, its first one aside.
const MOST_SCENES: u64 = 600;

/// Cells around the part of the map where something happened.
const MARGIN: u32 = 5;

/// How many shades tell how much a value was raised.
pub(super) const SHADES: u8 = 6;

/// What was expanded in the scene at hand.
pub(super) const EXPANDED: Colour = Colour { red: 0x9A, green: 0xD1, blue: 0xF5 };

/// The colour of a raised value, from 0, hardly raised, to `SHADES` − 1.
pub(super) fn shade(index: u8) -> Colour {
    let between = |from: u16, to: u16| {
        let (index, last) = (u16::from(index.min(SHADES - 1)), u16::from(SHADES - 1));
        ((from * (last - index) + to * index) / last) as u8
    };
    Colour { red: between(0xFA, 0x7A), green: between(0xDD, 0x3C), blue: between(0xA5, 0x10) }
}

/// A film that could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// A walk that covers too much of a map for a film as SVG.
    #[error(
        "this walk covers {side} cells from one end to the other, and a film as .svg {most} at most; make it a .gif",
        most = animation::MOST_CELLS
    )]
    TooWide {
        /// The cells from one end to the other.
        side: u32,
    },
    /// A film that cannot be encoded as GIF.
    #[error(transparent)]
    Encoding(#[from] ::gif::EncodingError),
}

/// A recorded walk as a film: scenes on a piece of a map, whose cells they count from 0.
#[derive(Clone, Debug)]
pub struct Film {
    map: TerrainMap,
    start: Cell,
    scenes: Vec<Scene>,
    steps_per_scene: u64,
}

/// What is seen at a time, or changes from the scene before.
#[derive(Clone, Debug)]
struct Scene {
    /// Where the agent stands.
    position: Cell,
    /// Lines where it has gone since the scene before and never earlier.
    trail: Vec<Vec<Cell>>,
    /// What it expanded last, each cell once: since the scene before, or earlier if nothing since.
    expanded: Arc<[Cell]>,
    /// Cells that are shaded otherwise from now on; `None` for those that are no longer.
    shades: Vec<(Cell, Option<u8>)>,
    goal: Cell,
    subgoal: Option<Cell>,
}

impl Film {
    /// The film of a walk that was recorded in `space`, a world on `map`.
    ///
    /// # Errors
    /// Never, for the map that the walk was recorded on.
    ///
    /// # Panics
    /// If the walk leaves the map: it was recorded on another one.
    pub fn new(map: &TerrainMap, space: &GridSpace, tape: &Tape) -> Result<Self, SpaceError> {
        let header = tape.header();
        let mut window = Window::around(space.cell(header.start));
        window.include(space.cell(header.goal));
        let (mut steps, mut highest) = (0, 0);
        let mut replay = Replay::new(tape);
        while replay.advance() {
            steps += 1;
            let ends = [Some(replay.position()), Some(replay.goal()), replay.subgoal()];
            let touched = replay.expanded().iter().chain(replay.raised_now());
            for &state in touched.chain(ends.iter().flatten()) {
                window.include(space.cell(state));
            }
            let rises = replay.raised_now().iter().map(|&state| rise(&replay, space, state));
            highest = rises.fold(highest, Cost::max);
        }
        window.add_margin(map);
        let steps_per_scene = u64::max(1, steps_per_scene(steps));
        let scenes = scenes(space, tape, &window, steps_per_scene, highest);
        let start = window.inside(space.cell(header.start));
        Ok(Self { map: window.cut_out(map)?, start, scenes, steps_per_scene })
    }

    fn map(&self) -> &TerrainMap {
        &self.map
    }

    fn start(&self) -> Cell {
        self.start
    }

    fn scenes(&self) -> &[Scene] {
        &self.scenes
    }

    /// How many frames the film has: one for each scene.
    #[must_use]
    pub fn frames(&self) -> usize {
        self.scenes.len()
    }

    /// Draws the film as an animated GIF image. `done` hears how many frames are drawn.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn to_gif(&self, done: &mut dyn FnMut(u64)) -> Result<Vec<u8>, FilmError> {
        Ok(gif::write(self, done)?)
    }

    /// Writes the film as SVG that browsers play, without a script.
    ///
    /// # Errors
    /// If the walk covers more than 16,384 cells from one end to the other.
    pub fn to_svg(&self) -> Result<String, FilmError> {
        animation::write(self)
    }

    /// For how many steps of the walk a frame stands: 1 unless the walk is long.
    #[must_use]
    pub fn steps_per_frame(&self) -> u64 {
        self.steps_per_scene
    }

    /// How long a scene is seen, in hundredths of a second, and how long the last one. Short films are slow
    /// enough to follow, long ones take under half a minute.
    fn times(&self) -> (u16, u16) {
        let each = (2000 / self.scenes.len().max(1)).clamp(4, 25) as u16;
        (each, 200)
    }
}

fn steps_per_scene(steps: u64) -> u64 {
    steps.div_ceil(MOST_SCENES)
}

/// By how much the value of a state was raised.
fn rise(replay: &Replay<'_>, space: &GridSpace, state: State) -> Cost {
    let value = replay.raised().get(&state).copied().unwrap_or(0);
    value.saturating_sub(space.estimate(state, replay.goal()))
}

fn scenes(
    space: &GridSpace,
    tape: &Tape,
    window: &Window,
    steps_per_scene: u64,
    highest: Cost,
) -> Vec<Scene> {
    let cell = |state| window.inside(space.cell(state));
    let cells = |states: &[State]| states.iter().map(|&state| cell(state)).collect::<Vec<Cell>>();
    let mut replay = Replay::new(tape);
    let mut shown: BTreeMap<State, u8> = BTreeMap::new();
    let mut trail = Trail::new(cell(replay.position()));
    let mut scenes = vec![Scene {
        position: cell(replay.position()),
        trail: Vec::new(),
        expanded: Arc::default(),
        shades: Vec::new(),
        goal: cell(replay.goal()),
        subgoal: None,
    }];
    loop {
        let (mut expanded, mut touched) = (Vec::new(), Vec::new());
        let goal = replay.goal();
        let mut steps = 0;
        while steps < steps_per_scene && replay.advance() {
            steps += 1;
            trail.go_to(cell(replay.position()));
            expanded.extend(cells(replay.expanded()));
            touched.extend_from_slice(replay.raised_now());
        }
        if steps == 0 {
            return scenes;
        }
        if replay.goal() != goal {
            // Other values count now.
            touched = shown.keys().chain(replay.raised().keys()).copied().collect();
        }
        touched.sort_unstable();
        touched.dedup();
        let mut shades = Vec::new();
        for state in touched {
            let shade = replay.raised().contains_key(&state).then(|| {
                let part = u128::from(rise(&replay, space, state)) * u128::from(SHADES);
                (part / u128::from(highest.max(1))).min(u128::from(SHADES - 1)) as u8
            });
            let before = match shade {
                Some(shade) => shown.insert(state, shade),
                None => shown.remove(&state),
            };
            if before != shade {
                shades.push((cell(state), shade));
            }
        }
        expanded.sort_unstable();
        expanded.dedup();
        let expanded = match scenes.last() {
            Some(last) if expanded.is_empty() => Arc::clone(&last.expanded),
            _ => expanded.into(),
        };
        scenes.push(Scene {
            position: cell(replay.position()),
            trail: trail.take_new(),
            expanded,
            shades,
            goal: cell(replay.goal()),
            subgoal: replay.subgoal().map(cell),
        });
    }
}

/// Where the agent has gone. Walks that learn go the same ways again and again, and each is drawn once.
struct Trail {
    position: Cell,
    /// Moves that were drawn, in either direction.
    drawn: HashSet<(Cell, Cell)>,
    new: Vec<Vec<Cell>>,
}

impl Trail {
    fn new(start: Cell) -> Self {
        Self { position: start, drawn: HashSet::new(), new: Vec::new() }
    }

    fn go_to(&mut self, next: Cell) {
        let from = std::mem::replace(&mut self.position, next);
        if from == next || !self.drawn.insert((from.min(next), from.max(next))) {
            return;
        }
        match self.new.last_mut() {
            Some(line) if line.last() == Some(&from) => line.push(next),
            _ => self.new.push(vec![from, next]),
        }
    }

    fn take_new(&mut self) -> Vec<Vec<Cell>> {
        std::mem::take(&mut self.new)
    }
}

/// A piece of a map: first and last column and row.
struct Window {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Window {
    fn around(cell: Cell) -> Self {
        Self { left: cell.x, top: cell.y, right: cell.x, bottom: cell.y }
    }

    fn include(&mut self, cell: Cell) {
        self.left = self.left.min(cell.x);
        self.top = self.top.min(cell.y);
        self.right = self.right.max(cell.x);
        self.bottom = self.bottom.max(cell.y);
    }

    fn add_margin(&mut self, map: &TerrainMap) {
        self.left = self.left.saturating_sub(MARGIN);
        self.top = self.top.saturating_sub(MARGIN);
        self.right = (self.right + MARGIN).min(map.width() - 1);
        self.bottom = (self.bottom + MARGIN).min(map.height() - 1);
    }

    /// A cell of the map as one of the piece.
    fn inside(&self, cell: Cell) -> Cell {
        Cell::new(cell.x - self.left, cell.y - self.top)
    }

    fn cut_out(&self, map: &TerrainMap) -> Result<TerrainMap, SpaceError> {
        let (width, height) = (self.right - self.left + 1, self.bottom - self.top + 1);
        let columns = self.left as usize..=self.right as usize;
        let rows = map.rows().skip(self.top as usize).take(height as usize);
        TerrainMap::new(width, height, rows.flat_map(|row| row[columns.clone()].iter().copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::parse_art;
    use surefoot::search::Meter;
    use surefoot::space::{CostModel, MoveRule, TerrainSet};
    use surefoot::tape::Header;

    /// A walk to and fro between two cells of row 8. Each of its first `planned` moves expands a cell.
    fn film_of(steps: u64, planned: u64) -> Film {
        let mut rows = [".................."; 16];
        rows[8] = ".......#..........";
        let map = parse_art(rows.join("\n").as_bytes()).unwrap();
        let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
        let (a, b) = (space.state_at(Cell::new(8, 8)).unwrap(), space.state_at(Cell::new(9, 8)).unwrap());
        let mut meter = Meter::new();
        meter.record_on(Tape::new(Header::of_grid(&space, a, b, "made up")));
        for step in 1..=steps {
            let (from, to) = if step % 2 == 1 { (a, b) } else { (b, a) };
            if step <= planned {
                meter.charge_expansion(from);
            }
            meter.note_raise(a, space.costs().cardinal() * (step + 1));
            meter.note_move(to);
        }
        Film::new(&map, &space, &meter.take_tape().unwrap()).unwrap()
    }

    fn film(steps: u64) -> Film {
        film_of(steps, steps)
    }

    #[test]
    fn a_film_shows_where_something_happened() {
        let film = film(3);
        assert_eq!((film.map().width(), film.map().height()), (12, 11));
        assert_eq!(film.map().letter(Cell::new(4, 5)), Some(b'@'), "the wall left of the start");
        assert_eq!(film.start(), Cell::new(5, 5));
        assert_eq!(film.scenes().len(), 4);
        let positions: Vec<u32> = film.scenes().iter().map(|scene| scene.position.x).collect();
        assert_eq!(positions, [5, 6, 5, 6]);
        assert_eq!(*film.scenes()[1].expanded, [Cell::new(5, 5)]);
        assert_eq!(film.scenes()[0].shades, []);
        assert_eq!(film.scenes()[3].shades, [(Cell::new(5, 5), Some(SHADES - 1))], "raised the most");
    }

    #[test]
    fn what_a_plan_took_is_seen_as_long_as_it_is_walked_by() {
        let film = film_of(4, 2);
        let expanded: Vec<&[Cell]> = film.scenes().iter().map(|scene| &*scene.expanded).collect();
        let (first, second) = ([Cell::new(5, 5)], [Cell::new(6, 5)]);
        assert_eq!(expanded, [&[][..], &first, &second, &second, &second]);
        let drawn = |film: &Film| film.to_svg().unwrap().matches(&EXPANDED.to_string()).count();
        assert_eq!(drawn(&film), 2, "one element as long as nothing else is expanded");
    }

    #[test]
    fn long_walks_are_thinned() {
        for (steps, scenes, each) in [(600, 601, 1), (601, 302, 2), (6000, 601, 10), (0, 1, 1)] {
            let film = film(steps);
            assert_eq!((film.scenes().len(), film.steps_per_frame()), (scenes, each));
            let expected = if each == 1 { 1 } else { 2 };
            // The last scene may have fewer steps than the others.
            let whole = film.scenes().iter().skip(1).rev().skip(1);
            assert!(whole.clone().all(|scene| scene.expanded.len() == expected), "each cell once");
            let lines: Vec<&Vec<Cell>> = film.scenes().iter().flat_map(|scene| &scene.trail).collect();
            assert_eq!(lines.len(), usize::from(steps > 0), "a way to and fro is one line");
        }
    }

    #[test]
    fn shades_go_from_light_to_dark() {
        let bright =
            |colour: Colour| u32::from(colour.red) + u32::from(colour.green) + u32::from(colour.blue);
        for index in 1..SHADES {
            assert!(bright(shade(index)) < bright(shade(index - 1)));
        }
    }
}
