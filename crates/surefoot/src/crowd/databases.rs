//! The databases of a kind: how they follow edits, and how they came to be what they are.
//!
//! What an edit breaks is put right or retired before the next frame. What takes long and can wait, hub
//! labels and records that are made anew, is done piece by piece. When that is done, and now and then on the
//! way, there is a *checkpoint*: what the database is then. What is done to it afterwards is written down, so
//! that a crowd that is loaded resumes the checkpoint, does the same to it, and has the same database.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::CrowdError;
use super::tuning::{LONG, MOST_NOTED};
use crate::beacons::{BeaconDatabase, BeaconId};
use crate::space::{Cell, GridSpace, State};
use crate::store::{Checkpoint, Database, Edited, Follows, Maintained, Upkeep, shared_as};

/// What was done to a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A position was blocked or freed.
    Toggle(State),
    /// It was told of the positions before.
    Settle,
    /// So many pieces of what could wait were done.
    Upkeep(u32),
}

/// The databases that the units of a kind go by.
#[derive(Clone, Debug, Default)]
pub(super) struct Databases {
    /// That of the algorithm.
    pub(super) main: Option<Held>,
    /// The beacons of units that have learned as much as they may.
    pub(super) relief: Option<Held>,
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
    /// The beacons that nobody can go by any more, in order.
    pub(super) retired: Vec<BeaconId>,
}

/// A database of a kind, and how it came to be what it is.
#[derive(Clone, Debug)]
pub(super) struct Held {
    live: Live,
    pub(super) past: Past,
}

/// A database as it is. Beacons are told apart once, and not for every unit in every frame.
#[derive(Clone, Debug)]
enum Live {
    Beacons(Arc<BeaconDatabase>),
    Other(Box<dyn Maintained>),
}

/// How a database came to be what it is.
#[derive(Clone, Debug)]
pub(super) enum Past {
    /// Its file is of what it is now.
    InFile,
    /// It stays what it was. The map differs from its own in these positions.
    Fixed(BTreeSet<State>),
    /// It was this, and that was done to it since.
    Since(Arc<dyn Checkpoint>, Vec<Event>),
}

impl Held {
    /// A database that was built for the map as it is.
    pub(super) fn new(database: Arc<dyn Database>) -> Result<Self, CrowdError> {
        let follows = database.kind().follows;
        let live = match shared_as(&database) {
            Some(beacons) => Live::Beacons(beacons),
            None => Live::Other(database.maintained()),
        };
        let past = match follows {
            Follows::No => Past::Fixed(BTreeSet::new()),
            Follows::InFile => Past::InFile,
            Follows::BesideFile(_) => {
                Past::Since(live.get().checkpoint().ok_or(CrowdError::RepairedDatabase)?, Vec::new())
            }
        };
        Ok(Self { live, past })
    }

    /// One that was resumed from a checkpoint.
    pub(super) fn resumed(resumed: Box<dyn Maintained>) -> Result<Self, CrowdError> {
        let checkpoint = resumed.checkpoint().ok_or(CrowdError::RepairedDatabase)?;
        let live = match shared_as(&resumed.database()) {
            Some(beacons) => Live::Beacons(beacons),
            None => Live::Other(resumed),
        };
        Ok(Self { live, past: Past::Since(checkpoint, Vec::new()) })
    }

    /// The beacons that it is. `None` if it is something else.
    #[inline]
    pub(super) fn beacons(&self) -> Option<&BeaconDatabase> {
        match &self.live {
            Live::Beacons(beacons) => Some(beacons),
            Live::Other(_) => None,
        }
    }

    /// The database as it is now.
    pub(super) fn database(&self) -> Arc<dyn Database> {
        self.live.get().database()
    }

    /// Whether there is something that could wait.
    pub(super) fn is_upkeep_due(&self) -> bool {
        self.live.get().is_upkeep_due()
    }

    /// Takes over that positions were blocked or freed. What cannot be repaired stays as it is: agents find
    /// legal ways all the same.
    pub(super) fn settle(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let edited = self.live.get_mut().edit(space, changed);
        let states = changed.iter().map(|&cell| space.state(cell));
        let is_long = match &mut self.past {
            Past::InFile => false,
            Past::Fixed(differing) => {
                for state in states {
                    if !differing.remove(&state) {
                        differing.insert(state);
                    }
                }
                false
            }
            Past::Since(_, log) => {
                log.extend(states.map(Event::Toggle));
                log.push(Event::Settle);
                log.len() >= LONG
            }
        };
        let work = if is_long { self.keep_checkpoint() } else { 0 };
        edited.map(|edited| Edited { work: edited.work + work, ..edited })
    }

    /// Does a piece of what could wait. `None` if there is nothing to do.
    pub(super) fn keep_up(&mut self, space: &GridSpace) -> Option<Upkeep> {
        let mut piece = self.live.get_mut().upkeep(space)?;
        if let Past::Since(_, log) = &mut self.past {
            match log.last_mut() {
                Some(Event::Upkeep(pieces)) if *pieces < u32::MAX => *pieces += 1,
                _ => log.push(Event::Upkeep(1)),
            }
        }
        if piece.is_milestone {
            piece.work += self.keep_checkpoint();
        }
        Some(piece)
    }

    /// Begins a new log, unless something is half done. What that took.
    fn keep_checkpoint(&mut self) -> u64 {
        let Past::Since(last, log) = &mut self.past else { return 0 };
        let Some(checkpoint) = self.live.get().checkpoint() else { return 0 };
        *last = checkpoint;
        log.clear();
        last.work()
    }

    /// Does to a checkpoint what was done to the database since, on the map of then. `None` if there
    /// would have been another checkpoint since.
    pub(super) fn replay(&mut self, mut space: Cow<'_, GridSpace>, log: &[Event]) -> Option<()> {
        let mut changed = Vec::new();
        for event in log {
            match *event {
                Event::Toggle(state) => changed.push(space.cell(state)),
                Event::Settle => {
                    toggle_all(space.to_mut(), &changed);
                    // What could not be repaired then is not now.
                    self.settle(&space, &changed);
                    changed.clear();
                }
                Event::Upkeep(pieces) => {
                    for _ in 0..pieces {
                        self.keep_up(&space)?;
                    }
                }
            }
        }
        matches!(&self.past, Past::Since(_, done) if done == log).then_some(())
    }
}

impl Live {
    fn get(&self) -> &dyn Maintained {
        match self {
            Self::Beacons(beacons) => beacons,
            Self::Other(other) => &**other,
        }
    }

    fn get_mut(&mut self) -> &mut dyn Maintained {
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
    pub(super) fn new(
        main: Option<Arc<dyn Database>>,
        relief: Option<Arc<dyn Database>>,
    ) -> Result<Self, CrowdError> {
        Ok(Self { main: main.map(Held::new).transpose()?, relief: relief.map(Held::new).transpose()? })
    }

    /// All that there are.
    pub(super) fn all(&self) -> impl Iterator<Item = &Held> {
        [&self.main, &self.relief].into_iter().flatten()
    }

    /// Whether there is none.
    pub(super) fn are_none(&self) -> bool {
        self.all().next().is_none()
    }

    /// Whether the algorithm goes by beacons.
    #[inline]
    pub(super) fn is_main_beacons(&self) -> bool {
        self.main.as_ref().and_then(Held::beacons).is_some()
    }

    /// That of the algorithm, as it is now.
    pub(super) fn main(&self) -> Option<Arc<dyn Database>> {
        self.main.as_ref().map(Held::database)
    }

    /// Takes over that positions were blocked or freed.
    pub(super) fn repair(&mut self, space: &GridSpace, changed: &[Cell]) -> Done {
        let mut done = Done::default();
        // Units hold numbers of those that they go by: the algorithm's, or else those of the relief.
        let are_of_main = self.is_main_beacons();
        for (is_main, database) in [(true, &mut self.main), (false, &mut self.relief)] {
            if let Some(edited) = database.as_mut().and_then(|database| database.settle(space, changed)) {
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
        self.all().any(Held::is_upkeep_due)
    }

    /// Does a piece of what could wait. `None` if there is nothing to do.
    pub(super) fn work_on(&mut self, space: &GridSpace) -> Option<Done> {
        for (is_main, database) in [(true, &mut self.main), (false, &mut self.relief)] {
            let Some(database) = database else { continue };
            if let Some(Upkeep { work, is_last, .. }) = database.keep_up(space) {
                // Units read beacons where they lie. Agents get what is new when all of it is done, so that
                // they do not choose anew all the time.
                let are_beacons = database.beacons().is_some();
                let (is_new, is_labelled) = (is_last && is_main && !are_beacons, is_last && are_beacons);
                return Some(Done { work, is_new, is_labelled, retired: Vec::new() });
            }
        }
        None
    }
}

/// Blocks free cells and frees blocked ones. One that is there twice stays what it is.
pub(super) fn toggle_all(space: &mut GridSpace, cells: &[Cell]) {
    let mut free: BTreeMap<(u32, u32), bool> = BTreeMap::new();
    for &cell in cells {
        let free = free.entry((cell.y, cell.x)).or_insert_with(|| space.grid().is_free(cell));
        *free = !*free;
    }
    let changes = free.into_iter().map(|((y, x), free)| (Cell::new(x, y), free));
    if cells.len() > MOST_NOTED {
        space.set_all(changes);
    } else {
        changes.for_each(|(cell, free)| space.set(cell, free));
    }
}
