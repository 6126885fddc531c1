//! The databases of a kind: how they follow edits, and how they came to be what they are.
//!
//! What an edit breaks is put right or retired before the next frame. What takes long and can wait, hub labels and records that are made
//! anew, is done piece by piece. Everything that is done is written down, so that a crowd that is loaded does the same to the files that it was
//! saved with, and has the same databases.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::records::RecordKeeper;
use crate::database::Database;
use crate::space::{Cell, GridSpace, State, StateSpace as _};

/// Copying and repairing an abstraction takes about so many states' time for one unit of work.
const STATES_COPIED: usize = 16;

/// What was done to databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A position was blocked or freed.
    Toggle(State),
    /// They were told of the positions before.
    Settle,
    /// A record of subgoals or chains of a cover were found anew, or some were seen to be cut off.
    Renew,
    /// So many pieces of legs and hub labels were made, of those of the algorithm or of its relief.
    Label {
        /// Which.
        of_relief: bool,
        /// How many.
        pieces: u32,
    },
}

/// The databases that the units of a kind go by.
#[derive(Clone, Debug, Default)]
pub(super) struct Databases {
    /// That of the algorithm.
    pub(super) main: Option<Database>,
    /// The beacons of units that have learned as much as they may.
    pub(super) relief: Option<Database>,
    /// What keeps records of subgoals or paths of a cover right, once the map was edited.
    records: Option<RecordKeeper>,
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
    /// The beacons that nobody can go by any more, in order.
    pub(super) retired: Vec<u32>,
}

impl Databases {
    pub(super) fn new(main: Option<Database>, relief: Option<Database>) -> Self {
        Self { main, relief, records: None, log: Vec::new() }
    }

    /// Whether there is none.
    pub(super) fn are_none(&self) -> bool {
        self.main.is_none() && self.relief.is_none()
    }

    /// Those whose files stay what they were when they are repaired, beacons, subgoals and covers, as they are now.
    pub(super) fn with_history(&self) -> Self {
        let has = |database: &&Database| {
            matches!(
                database,
                Database::Beacons(_) | Database::Transit(_) | Database::Subgoals(_) | Database::Cover(_)
            )
        };
        let [main, relief] =
            [&self.main, &self.relief].map(|database| database.as_ref().filter(has).cloned());
        Self::new(main, relief)
    }

    /// Takes over that positions were blocked or freed. What cannot be repaired stays as it is: agents find legal ways all the same.
    pub(super) fn repair(&mut self, space: &GridSpace, changed: &[Cell]) -> Done {
        self.log.extend(changed.iter().map(|&cell| Event::Toggle(space.state(cell))));
        self.log.push(Event::Settle);
        let mut done = self.settle(space, changed);
        if let Some(Database::Abstraction(shared)) = &mut self.main {
            // Agents have the old one, so that it has to be copied.
            let mut abstraction = (**shared).clone();
            if abstraction.repair(space, changed.iter().copied()).is_ok() {
                *shared = Arc::new(abstraction);
                done.is_new = true;
            }
            done.work += (space.state_limit() / STATES_COPIED) as u64;
        }
        done
    }

    /// The same for those whose files stay what they were.
    fn settle(&mut self, space: &GridSpace, changed: &[Cell]) -> Done {
        let mut done = Done::default();
        if let Some(database) = &mut self.main {
            let told = match &mut self.records {
                Some(records) => records.repair(space, changed),
                // The first time all records are looked at on the map as it is.
                None => RecordKeeper::new(space, database).map(|(records, work)| {
                    self.records = Some(records);
                    work
                }),
            };
            if let Some((records, work)) = self.records.as_ref().zip(told) {
                *database = records.database();
                (done.is_new, done.work) = (true, work);
            }
        }
        for database in [&mut self.main, &mut self.relief] {
            if let Some(Database::Beacons(beacons)) = database
                && let Ok(report) = Arc::make_mut(beacons).repair_but_labels(space, changed.iter().copied())
            {
                done.work += report.work;
                done.retired.extend(report.retired);
            }
        }
        if let Some(Database::Transit(transit)) = &mut self.main
            && let Ok(work) = Arc::make_mut(transit).repair_but_labels(space, changed.iter().copied())
        {
            // Agents keep their ways, and wait for new ones where they are blocked.
            done.work += work;
            done.is_new = true;
        }
        done.retired.sort_unstable();
        done
    }

    /// Whether there is something that could wait.
    pub(super) fn have_work(&self) -> bool {
        let is_labelling = |database: &Option<Database>| match database {
            Some(Database::Beacons(beacons)) => beacons.is_labelling(),
            Some(Database::Transit(transit)) => transit.is_labelling(),
            _ => false,
        };
        is_labelling(&self.main)
            || is_labelling(&self.relief)
            || self.records.as_ref().is_some_and(RecordKeeper::has_waiting)
    }

    /// Does a piece of what could wait; nothing if there is nothing to do.
    pub(super) fn work_on(&mut self, space: &GridSpace) -> Option<Done> {
        self.label_on(space).or_else(|| self.renew(space))
    }

    /// Makes a piece of legs and hub labels.
    pub(super) fn label_on(&mut self, space: &GridSpace) -> Option<Done> {
        for (of_relief, database) in [(false, &mut self.main), (true, &mut self.relief)] {
            if let Some(done) = label_on(database, space) {
                match self.log.last_mut() {
                    Some(Event::Label { of_relief: last, pieces })
                        if *last == of_relief && *pieces < u32::MAX =>
                    {
                        *pieces += 1;
                    }
                    _ => self.log.push(Event::Label { of_relief, pieces: 1 }),
                }
                return Some(done);
            }
        }
        None
    }

    /// Finds a record anew. Agents get the records when none waits any more, so that they do not choose anew all the time.
    fn renew(&mut self, space: &GridSpace) -> Option<Done> {
        let records = self.records.as_mut().filter(|records| records.has_waiting())?;
        self.log.push(Event::Renew);
        let mut done = Done { work: records.renew(space), ..Done::default() };
        if let Some(database) = self.main.as_mut().filter(|_| !records.has_waiting()) {
            *database = records.database();
            done.is_new = true;
        }
        Some(done)
    }

    /// Does to databases as they were built what was done to others, on their map, which follows. An abstraction is not among them: its file is of what
    /// it is now.
    pub(super) fn replay(&mut self, space: &mut GridSpace, log: &[Event]) {
        let mut changed = Vec::new();
        for event in log {
            match *event {
                Event::Toggle(state) => {
                    let cell = space.cell(state);
                    toggle(space, cell);
                    changed.push(cell);
                }
                Event::Settle => {
                    // What could not be repaired then is not now.
                    self.settle(space, &changed);
                    changed.clear();
                }
                Event::Renew => drop(self.renew(space)),
                Event::Label { of_relief, pieces } => self.label(space, of_relief, pieces),
            }
        }
        self.log = log.to_vec();
    }

    /// Makes so many pieces of the legs and hub labels of one database.
    fn label(&mut self, space: &GridSpace, of_relief: bool, pieces: u32) {
        let database = if of_relief { &mut self.relief } else { &mut self.main };
        // Where there is nothing left to do the log says too much.
        let _ = (0..pieces).all(|_| label_on(database, space).is_some());
    }
}

/// Makes a piece of the legs and hub labels of a database, if there are any to be made.
fn label_on(database: &mut Option<Database>, space: &GridSpace) -> Option<Done> {
    match database {
        Some(Database::Beacons(beacons)) if beacons.is_labelling() => {
            let piece = Arc::make_mut(beacons).label_on(space)?;
            Some(Done { work: piece.work, is_labelled: piece.is_last, ..Done::default() })
        }
        Some(Database::Transit(transit)) if transit.is_labelling() => {
            let piece = Arc::make_mut(transit).label_on(space)?;
            Some(Done {
                work: piece.work,
                is_labelled: piece.is_last,
                is_new: piece.is_last,
                ..Done::default()
            })
        }
        _ => None,
    }
}

/// Blocks a free cell, or frees a blocked one.
pub(super) fn toggle(space: &mut GridSpace, cell: Cell) {
    let is_free = space.grid().is_free(cell);
    space.set(cell, !is_free);
}
