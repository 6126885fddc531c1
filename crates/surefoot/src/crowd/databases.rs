//! The databases of a kind: how they follow edits, and how they came to be what they are.
//!
//! What an edit breaks is put right or retired before the next frame. What takes long and can wait, hub
//! labels and records that are made anew, is done piece by piece. Everything that is done is written down, so
//! that a crowd that is loaded does the same to the files that it was saved with, and has the same databases.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::beacons::{BeaconDatabase, BeaconId};
use crate::space::{Cell, GridSpace, State};
use crate::store::{Database, Follows, Maintained, shared_as};

/// What was done to databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// They were begun to be built in frames, on the map as it was. It is the first event if there is one.
    Begin,
    /// A position was blocked or freed.
    Toggle(State),
    /// These bits of the weight of a position are others.
    Weigh(State, u8),
    /// They were told of the positions before.
    Settle,
    /// So many pieces of what could wait were done, of that of the algorithm or of its relief.
    Upkeep {
        /// Which.
        of_relief: bool,
        /// How many.
        pieces: u32,
    },
}

/// A position that was blocked or freed, or that has another weight. Twice the same is no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) cell: Cell,
    /// The bits of its weight that are others; 0 if it was blocked or freed.
    pub(super) bits: u8,
}

impl Change {
    /// It was blocked or freed.
    pub(super) fn toggle(cell: Cell) -> Self {
        Self { cell, bits: 0 }
    }

    /// Makes the change on a map. Whether it can be made.
    pub(super) fn make(self, space: &mut GridSpace) -> bool {
        if self.bits == 0 {
            let is_free = space.grid().is_free(self.cell);
            space.set(self.cell, !is_free);
            return true;
        }
        let weight = space.weight(self.cell).unwrap_or(0) ^ self.bits;
        space.set_weight(self.cell, weight).is_ok()
    }

    /// As something that was done to databases.
    pub(super) fn event(self, space: &GridSpace) -> Event {
        let state = space.state(self.cell);
        if self.bits == 0 { Event::Toggle(state) } else { Event::Weigh(state, self.bits) }
    }
}

impl Event {
    /// The change of the map that it is, where rows have so many cells. `None` if it is something else.
    pub(super) fn change(self, width: u32) -> Option<Change> {
        let (state, bits) = match self {
            Self::Toggle(state) => (state, 0),
            Self::Weigh(state, bits) => (state, bits),
            _ => return None,
        };
        Some(Change { cell: Cell::new(state.0 % width, state.0 / width), bits })
    }
}

/// The databases that the units of a kind go by.
#[derive(Clone, Debug, Default)]
pub(super) struct Databases {
    /// That of the algorithm.
    pub(super) main: Option<Held>,
    /// The beacons of units that have learned as much as they may.
    pub(super) relief: Option<Held>,
    /// What was done to them since they were built.
    pub(super) log: Vec<Event>,
}

/// What came of something that was done to databases.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    /// What it took.
    pub(super) work: u64,
    /// Whether agents have to be given that of the algorithm.
    pub(super) is_new: bool,
    /// Whether there are other hub labels.
    pub(super) is_labelled: bool,
    /// Whether all of it was put in the place of others, so that no number means what it did.
    pub(super) is_replaced: bool,
    /// Whether the database of the kind was built, and was not there before.
    pub(super) is_built: bool,
    /// Whether a build was given up.
    pub(super) is_given_up: bool,
    /// The beacons that nobody can go by any more, in order.
    pub(super) retired: Vec<BeaconId>,
}

/// A database of a kind. Beacons are told apart once, and not for every unit in every frame.
#[derive(Clone, Debug)]
pub(super) enum Held {
    Beacons(Arc<BeaconDatabase>),
    Other(Box<dyn Maintained>),
}

impl Held {
    pub(super) fn new(database: Arc<dyn Database>) -> Self {
        match shared_as(&database) {
            Some(beacons) => Self::Beacons(beacons),
            None => Self::Other(database.maintained()),
        }
    }

    /// The beacons that it is. `None` if it is something else.
    #[inline]
    pub(super) fn beacons(&self) -> Option<&BeaconDatabase> {
        match self {
            Self::Beacons(beacons) => Some(beacons),
            Self::Other(_) => None,
        }
    }
}

impl core::ops::Deref for Held {
    type Target = dyn Maintained;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Beacons(beacons) => beacons,
            Self::Other(other) => &**other,
        }
    }
}

impl core::ops::DerefMut for Held {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Beacons(beacons) => beacons,
            Self::Other(other) => &mut **other,
        }
    }
}

/// Whether a database is beacons.
pub(super) fn are_beacons(database: &dyn Database) -> bool {
    database.downcast_ref::<BeaconDatabase>().is_some()
}

impl Databases {
    pub(super) fn new(main: Option<Arc<dyn Database>>, relief: Option<Arc<dyn Database>>) -> Self {
        let [main, relief] = [main, relief].map(|database| database.map(Held::new));
        Self { main, relief, log: Vec::new() }
    }

    /// Whether there is none.
    pub(super) fn are_none(&self) -> bool {
        self.main.is_none() && self.relief.is_none()
    }

    /// Whether the algorithm goes by beacons.
    #[inline]
    pub(super) fn is_main_beacons(&self) -> bool {
        self.main.as_ref().and_then(Held::beacons).is_some()
    }

    /// That of the algorithm, as it is now.
    pub(super) fn main(&self) -> Option<Arc<dyn Database>> {
        self.main.as_ref().map(|main| main.database())
    }

    /// Those whose files stay what they were when they are repaired, as they are now.
    pub(super) fn with_history(&self) -> Self {
        let has = |database: &&Held| database.database().kind().follows == Follows::BesideFile;
        let [main, relief] =
            [&self.main, &self.relief].map(|database| database.as_ref().filter(has).cloned());
        Self { main, relief, log: Vec::new() }
    }

    /// Takes over changes of the map. What cannot be repaired stays as it is: agents find legal ways all the
    /// same.
    pub(super) fn repair(&mut self, space: &GridSpace, changed: &[Change]) -> Done {
        self.log.extend(changed.iter().map(|change| change.event(space)));
        self.log.push(Event::Settle);
        let cells: Vec<Cell> = changed.iter().map(|change| change.cell).collect();
        self.settle(space, &cells)
    }

    fn settle(&mut self, space: &GridSpace, changed: &[Cell]) -> Done {
        let mut done = Done::default();
        // Units hold numbers of those that they go by: the algorithm's, or else those of the relief.
        let are_of_main = self.is_main_beacons();
        for (is_main, database) in [(true, &mut self.main), (false, &mut self.relief)] {
            if let Some(edited) = database.as_mut().and_then(|database| database.edit(space, changed)) {
                done.work += edited.work;
                done.is_new |= is_main && edited.is_new;
                if is_main == are_of_main {
                    done.retired.extend(edited.retired);
                }
            }
        }
        done.retired.sort_unstable();
        done
    }

    /// Whether there is something that could wait.
    pub(super) fn have_work(&self) -> bool {
        [&self.main, &self.relief].into_iter().flatten().any(|database| database.is_upkeep_due())
    }

    /// Does a piece of what could wait. `None` if there is nothing to do.
    pub(super) fn work_on(&mut self, space: &GridSpace) -> Option<Done> {
        self.work_on_those(space, |_| true)
    }

    /// The same for those that know no way without it.
    pub(super) fn work_on_needed(&mut self, space: &GridSpace) -> Option<Done> {
        self.work_on_those(space, Maintained::needs_upkeep)
    }

    fn work_on_those(&mut self, space: &GridSpace, are_those: fn(&dyn Maintained) -> bool) -> Option<Done> {
        for of_relief in [false, true] {
            let database = if of_relief { &self.relief } else { &self.main };
            if !database.as_deref().is_some_and(are_those) {
                continue;
            }
            if let Some(done) = self.keep_up(space, of_relief) {
                match self.log.last_mut() {
                    Some(Event::Upkeep { of_relief: last, pieces })
                        if *last == of_relief && *pieces < u32::MAX =>
                    {
                        *pieces += 1;
                    }
                    _ => self.log.push(Event::Upkeep { of_relief, pieces: 1 }),
                }
                return Some(done);
            }
        }
        None
    }

    fn keep_up(&mut self, space: &GridSpace, of_relief: bool) -> Option<Done> {
        let database = if of_relief { &mut self.relief } else { &mut self.main }.as_mut()?;
        let piece = database.upkeep(space)?;
        // Units read beacons where they lie. Agents get what is new when all of it is done, so that they do
        // not choose anew all the time.
        let are_beacons = database.beacons().is_some();
        Some(Done {
            work: piece.work,
            is_new: piece.is_last && !of_relief && !are_beacons,
            is_labelled: piece.is_last && are_beacons,
            ..Done::default()
        })
    }

    /// Does to databases as they were built what was done to others, on their map, which follows. One whose
    /// file is of what it is now is not among them.
    pub(super) fn replay(&mut self, space: &mut GridSpace, log: &[Event]) {
        let mut changed = Vec::new();
        for event in log {
            if let Some(change) = event.change(space.grid().width()) {
                // One that cannot be made was never made: whoever loads it looks at the map that it leads to.
                change.make(space);
                changed.push(change.cell);
            }
            match *event {
                Event::Begin | Event::Toggle(_) | Event::Weigh(..) => {}
                Event::Settle => {
                    // What could not be repaired then is not now.
                    self.settle(space, &changed);
                    changed.clear();
                }
                // Where there is nothing left to do the log says too much.
                Event::Upkeep { of_relief, pieces } => {
                    let _ = (0..pieces).all(|_| self.keep_up(space, of_relief).is_some());
                }
            }
        }
        self.log = log.to_vec();
    }
}
