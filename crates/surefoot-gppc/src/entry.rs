//! What an entry does, in safe Rust.

use std::ffi::CStr;
use std::path::Path as FilePath;
use std::task::Poll;

use surefoot::search::JumpPoints;
use surefoot::space::{CostModel, MoveRule};
use surefoot::{Cell, Map, Navigator, NavigatorError, Walker};

use crate::changes::{Bits, Changes, is_build_faster};
use crate::small::is_search_faster;

/// A piece of a path has so many moves at most. It has to lead farther than 20, which is what the field times
/// first steps by.
const MOVES_A_PIECE: u32 = 32;

/// How an entry gives paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Way {
    /// Whole cheapest paths.
    Whole,
    /// Piece by piece, each within a constant amount of planning.
    InPieces,
}

/// A library of the entry: how it gives paths, and its name.
pub trait Variant {
    /// How it gives paths.
    const WAY: Way;
    /// What it is called in tables.
    const NAME: &'static CStr;
}

/// What is wrong with a map or its file.
#[derive(Debug)]
#[non_exhaustive]
pub enum EntryError {
    /// There can be no such map.
    Map(surefoot::MapError),
    /// The file cannot be written, or nothing can be built for the map.
    Navigator(NavigatorError),
}

impl std::fmt::Display for EntryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Map(error) => write!(f, "{error}"),
            Self::Navigator(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for EntryError {}

/// A piece of a path: the cells where it turns, and whether more is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The cells. Those of the first piece begin with the start, those of the last one end with the goal.
    /// None at all, and nothing to come: there is no way, or nowhere to go.
    pub cells: &'a [Cell],
    /// Whether the next call with the same ends has more.
    pub is_incomplete: bool,
}

/// An entry on a map that changes.
#[derive(Debug)]
pub struct Entry {
    way: Way,
    map: Map,
    /// What was built for the map. `None` if it is searched.
    pub(crate) navigator: Option<Navigator>,
    /// Whether it is searched because nothing exact can be built for it.
    is_cluttered: bool,
    /// Whether it is searched because that takes less.
    is_small: bool,
    /// How many cells have changed since that was decided.
    changed: usize,
    search: JumpPoints,
    cells: Vec<Cell>,
    /// A path that was given in part, by its ends.
    underway: Option<(Cell, Cell, Walker)>,
}

impl Entry {
    /// Builds for a map, and writes a file. It appears as a whole, or not at all.
    ///
    /// # Errors
    /// If there can be no such map, nothing can be built for it, or the file cannot be written.
    pub fn preprocess(bits: Bits<'_>, file: &FilePath) -> Result<(), EntryError> {
        let navigator = map_of(bits)?.navigator().map_err(EntryError::Navigator)?;
        navigator.save(file).map_err(EntryError::Navigator)
    }

    /// An entry on a map, by the file that was written for it. If there is none, or it is of another map, it
    /// is built now.
    ///
    /// # Errors
    /// If there can be no such map.
    pub fn open(way: Way, bits: Bits<'_>, file: Option<&FilePath>) -> Result<Self, EntryError> {
        let map = map_of(bits)?;
        let opened = file.and_then(|file| Navigator::open(&map, file).ok());
        let navigator = opened.or_else(|| map.navigator().ok());
        let (search, cells) = (JumpPoints::new(), Vec::new());
        let mut entry = Self {
            way,
            map,
            navigator: None,
            is_cluttered: false,
            is_small: false,
            changed: 0,
            search,
            cells,
            underway: None,
        };
        entry.decide(navigator);
        Ok(entry)
    }

    /// The map as it is now.
    #[must_use]
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// Whether the map is searched: because nothing exact can be built for it, or because it is so small that
    /// a search takes less.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.navigator.is_none()
    }

    /// Takes note of what patches change. Where that is little, what was built is edited; else it is built
    /// anew. Where a small map is searched, nothing is built until much of it is another.
    pub fn change(&mut self, changes: &Changes) {
        if changes.is_empty() {
            return;
        }
        self.underway = None;
        self.changed += changes.len();
        let free_cells = self.map.space().grid().free_count() as usize;
        let navigator = self.navigator.take();
        if let Some(mut navigator) = navigator
            && !is_build_faster(changes.len(), free_cells)
            && navigator.edit(changes.edits()).is_ok()
        {
            self.map = navigator.map().clone();
            self.navigator = self.fitting(Some(navigator));
            return;
        }
        // They lie within the map: `Changes` leaves out what does not.
        let _ = self.map.edit(changes.edits());
        if !self.is_cluttered && (!self.is_small || is_build_faster(self.changed, free_cells)) {
            let built = self.map.navigator().ok();
            self.decide(built);
        }
    }

    /// Decides whether to go by what was built.
    fn decide(&mut self, built: Option<Navigator>) {
        self.changed = 0;
        let navigator = self.fitting(built);
        self.is_small = match &navigator {
            Some(navigator) if self.way == Way::Whole => is_search_faster(navigator, &mut self.search),
            _ => false,
        };
        self.navigator = navigator.filter(|_| !self.is_small);
    }

    /// What was built, if it gives what is asked for. If it does not, the map is searched from now on: to
    /// build for clutter takes long.
    fn fitting(&mut self, built: Option<Navigator>) -> Option<Navigator> {
        let fitting = built.filter(|built| self.way == Way::InPieces || built.is_exact());
        self.is_cluttered = fitting.is_none();
        fitting
    }

    /// A path, or the next piece of it. Ends that are blocked or outside the map have none.
    pub fn path(&mut self, start: Cell, goal: Cell) -> Part<'_> {
        self.cells.clear();
        let is_incomplete = match (&self.navigator, self.way) {
            _ if start == goal => {
                self.underway = None;
                false
            }
            (Some(navigator), Way::Whole) => {
                if !matches!(navigator.turning_points(start, goal, &mut self.cells), Ok(Some(_))) {
                    self.cells.clear();
                }
                false
            }
            (Some(_), Way::InPieces) => self.go_on(start, goal),
            (None, _) => {
                self.search(start, goal);
                false
            }
        };
        Part { cells: &self.cells, is_incomplete }
    }

    /// Gives the next piece of a path. Whether more is to come.
    fn go_on(&mut self, start: Cell, goal: Cell) -> bool {
        let Some(navigator) = &self.navigator else { return false };
        let underway = self.underway.take().filter(|&(from, to, _)| (from, to) == (start, goal));
        let mut walker = match underway {
            Some((_, _, walker)) => walker,
            None => {
                let Ok(walker) = navigator.walker(start, goal) else { return false };
                self.cells.push(start);
                walker
            }
        };
        let (most, mut spent) = (navigator.work_bound().total(), 0);
        let mut runs = Runs { last: walker.position(), direction: None };
        for _ in 0..MOVES_A_PIECE {
            match walker.poll_move() {
                Poll::Ready(Ok(Some(cell))) => runs.go(cell, &mut self.cells),
                Poll::Ready(Ok(None)) => return false,
                Poll::Ready(Err(_)) => {
                    self.cells.clear();
                    return false;
                }
                Poll::Pending => {}
            }
            if walker.has_arrived() {
                return false;
            }
            spent += walker.work().total();
            if spent >= most {
                break;
            }
        }
        self.underway = Some((start, goal, walker));
        true
    }

    /// Searches for a path.
    fn search(&mut self, start: Cell, goal: Cell) {
        let space = self.map.space();
        if let Ok((from, to)) = space.locate_ends(start, goal) {
            // What could be wrong with the ends was looked at, and cells have no weights.
            let _ = self.search.turning_points(space, from, to, &mut self.cells);
        }
    }
}

/// Puts cells of a path together to straight runs.
struct Runs {
    last: Cell,
    direction: Option<(u32, u32)>,
}

impl Runs {
    /// Goes on to a neighbour.
    fn go(&mut self, cell: Cell, cells: &mut Vec<Cell>) {
        let direction = (cell.x.wrapping_sub(self.last.x), cell.y.wrapping_sub(self.last.y));
        match cells.last_mut() {
            // It goes straight on.
            Some(last) if self.direction == Some(direction) => *last = cell,
            _ => cells.push(cell),
        }
        (self.last, self.direction) = (cell, Some(direction));
    }
}

/// The field's grid: eight neighbours, 1 and √2, no corners cut.
fn map_of(bits: Bits<'_>) -> Result<Map, EntryError> {
    let (width, height) = bits.size();
    let map = Map::from_fn(width, height, |cell| bits.is_free(cell)).map_err(EntryError::Map)?;
    Ok(map.with_rule(MoveRule::NoCut).with_costs(CostModel::Sqrt2))
}
