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
use crate::space::{Cell, GridSpace, State, sorting};
use crate::store::{BuildState, Checkpoint, Database, Edited, Follows, Maintained, Upkeep, shared_as};

/// What was done to a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A position was blocked or freed.
    Toggle(State),
    /// These bits of the weight of a position are others.
    Weigh(State, u8),
    /// It was told of the positions before.
    Settle,
    /// So many pieces of what could wait were done.
    Upkeep(u32),
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
    /// Whether the database of the kind was built, and was not there before.
    pub(super) is_built: bool,
    /// Whether a build was given up.
    pub(super) is_given_up: bool,
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
    /// It stays what it was. The map differs from its own by this.
    Fixed(Differences),
    /// It was this, and that was done to it since.
    Since(Arc<dyn Checkpoint>, Vec<Event>),
}

/// In what two maps differ: a position may be blocked in one of them, and weigh more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Differences {
    toggled: BTreeSet<Cell>,
    weighed: BTreeMap<Cell, u8>,
}

impl Differences {
    /// One of the maps has changed.
    pub(super) fn note(&mut self, Change { cell, bits }: Change) {
        if bits == 0 {
            if !self.toggled.remove(&cell) {
                self.toggled.insert(cell);
            }
            return;
        }
        let all = self.weighed.entry(cell).or_default();
        *all ^= bits;
        if *all == 0 {
            self.weighed.remove(&cell);
        }
    }

    /// The changes that make one map of the other.
    pub(super) fn changes(&self) -> impl Iterator<Item = Change> {
        let toggled = self.toggled.iter().map(|&cell| Change::toggle(cell));
        toggled.chain(self.weighed.iter().map(|(&cell, &bits)| Change { cell, bits }))
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Cell>() * self.toggled.len() + size_of::<(Cell, u8)>() * self.weighed.len()
    }
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
            Follows::No => Past::Fixed(Differences::default()),
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

    /// How far it is, if it is being built in frames.
    pub(super) fn build_state(&self) -> BuildState {
        self.live.get().build_state()
    }

    /// Takes over changes of the map. What cannot be repaired stays as it is: agents find legal ways all the
    /// same.
    pub(super) fn settle(&mut self, space: &GridSpace, changed: &[Change]) -> Option<Edited> {
        let cells: Vec<Cell> = changed.iter().map(|change| change.cell).collect();
        let edited = self.live.get_mut().edit(space, &cells);
        let is_long = match &mut self.past {
            Past::InFile => false,
            Past::Fixed(differing) => {
                changed.iter().for_each(|&change| differing.note(change));
                false
            }
            Past::Since(_, log) => {
                log.extend(changed.iter().map(|change| change.event(space)));
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
                Event::Toggle(_) | Event::Weigh(..) => changed.extend(event.change(space.grid().width())),
                Event::Settle => {
                    if !make_all(space.to_mut(), changed.iter().copied()) {
                        return None;
                    }
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

    /// Takes over changes of the map.
    pub(super) fn repair(&mut self, space: &GridSpace, changed: &[Change]) -> Done {
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
        sorting::sort(&mut done.retired);
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
                return Some(Done { work, is_new, is_labelled, ..Done::default() });
            }
        }
        None
    }
}

/// Makes changes on a map, as if at once. Those that are there twice change nothing. Whether all can be made.
pub(super) fn make_all(space: &mut GridSpace, changes: impl IntoIterator<Item = Change>) -> bool {
    let (mut free, mut bits): (BTreeMap<_, bool>, BTreeMap<_, u8>) = (BTreeMap::new(), BTreeMap::new());
    for change in changes {
        let place = (change.cell.y, change.cell.x);
        if change.bits == 0 {
            let free = free.entry(place).or_insert_with(|| space.grid().is_free(change.cell));
            *free = !*free;
        } else {
            *bits.entry(place).or_default() ^= change.bits;
        }
    }
    let cell = |(y, x): (u32, u32)| Cell::new(x, y);
    let is_much = free.len() > MOST_NOTED;
    let toggled = free.into_iter().map(|(place, free)| (cell(place), free));
    if is_much {
        space.set_all(toggled);
    } else {
        toggled.for_each(|(cell, free)| space.set(cell, free));
    }
    let weights = bits.into_iter().map(|(place, bits)| {
        let before = space.weight(cell(place)).unwrap_or(0);
        (cell(place), before, before ^ bits)
    });
    let mut weights: Vec<(Cell, u8, u8)> = weights.filter(|&(_, before, after)| before != after).collect();
    // What gets lighter comes first: all together is never too much on the way.
    sorting::sort_stably_by_key(&mut weights, |&(_, before, after)| after > before);
    weights.into_iter().all(|(cell, _, after)| space.set_weight(cell, after).is_ok())
}
