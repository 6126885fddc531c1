//! Records as one of many kinds of databases.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::ops::Range;

use surefoot::search::{Meter, climb_step, reachable};
use surefoot::space::{Cell, GridSpace, State};
use surefoot::store::blocks::{BlockBuilder, build_in_blocks};
use surefoot::store::codec::Reader;
use surefoot::store::parallel::{in_parallel, threads};
use surefoot::store::{
    BuildEvent, BuiltFor, Database, DatabaseConfig, DatabaseError, DatabaseKind, Fact, Figure, FileInfo,
    Follows, Maintained, Mark, Shade, SharedBytes, Sketch, View, ViewError, Watch, thousands,
};

use super::blocks::{Builder, FORMAT};
use super::subgoals::{SubgoalConfig, SubgoalDatabase, SubgoalFileInfo, SubgoalRepairer};
use super::{KNN, KNN_2009, RecordForm};
use crate::regions::repaired::{Repaired, Repairer};
use crate::{ROSTER, draw_problems};

/// The kind of database that records are.
pub static KIND: DatabaseKind = DatabaseKind {
    name: "subgoals",
    follows: Follows::BesideFile(Repaired::<SubgoalRepairer>::resume),
    open: |space, bytes| Ok(Arc::new(SubgoalDatabase::from_shared(space, &bytes)?)),
    inspect: |bytes| SubgoalDatabase::inspect(bytes).map(SubgoalFileInfo::describe),
    blocks: Some(FORMAT),
};

/// Records that are climbed at a time.
const PIECE: u32 = 1024;

const ENDS: Shade = Shade::Path(0);
const SUBGOALS: Shade = Shade::Path(1);
/// Legs of a record, one after the other.
const LEGS: [Shade; 2] = [Shade::Path(3), Shade::Path(4)];
const STARTS: Shade = Shade::Path(2);

impl DatabaseConfig for SubgoalConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn build(&self, space: &GridSpace, watch: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        build_in_blocks(&Builder::new(space, *self), |done, all| {
            watch(BuildEvent::progress("records", done, all)).is_continue()
        })
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn blocks<'w>(&self, space: &'w GridSpace) -> Result<Option<Box<dyn BlockBuilder + 'w>>, DatabaseError> {
        Ok(Some(Box::new(Builder::new(space, *self))))
    }

    fn smaller(&self, parts: u64) -> Option<Box<dyn DatabaseConfig>> {
        let records = self.records.div_ceil(parts);
        (parts <= self.records).then(|| Box::new(Self { records, ..*self }) as _)
    }
}

impl Database for SubgoalDatabase {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn built_for(&self) -> Cow<'_, BuiltFor> {
        Cow::Borrowed(self.built_for())
    }

    fn is_repaired(&self) -> bool {
        self.has_changes()
    }

    fn config(&self) -> &dyn DatabaseConfig {
        self.config()
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.as_bytes())
    }

    fn states(&self) -> u64 {
        self.states()
    }

    fn entries(&self) -> u64 {
        self.len() as u64
    }

    fn maintained(self: Arc<Self>) -> Box<dyn Maintained> {
        Box::new(Repaired::<SubgoalRepairer>::new(self))
    }

    /// Every leg of every record is climbed. Then random problems are drawn, and it is counted how an agent
    /// with default parameters would begin.
    fn verify(
        &self,
        space: &GridSpace,
        sample: u64,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Vec<Fact>, String> {
        climb_all(self, space, watch)?;
        let coverage = Coverage::sample(self, space, sample, seed, watch)?;
        let (records, states) = (thousands(self.len() as u64), thousands(self.states()));
        let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / coverage.drawn.max(1) as f64);
        Ok(Vec::from([
            Fact::new("records", format!("{records} of {states} states; every leg can be climbed")),
            Fact::new(
                "sampled",
                format!(
                    "{} random problems, as {} begins them:",
                    thousands(coverage.drawn),
                    coverage.algorithm
                ),
            ),
            Fact::new("  direct", format!("{}, a climb gets to the goal", share(coverage.direct))),
            Fact::new("  by record", share(coverage.by_record)),
            Fact::new("  fall back", format!("{}, no record fits", share(coverage.fall_back))),
        ]))
    }

    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        let contents = "records";
        let option = match view {
            View { way: Some(_), .. } => "--from",
            View { level: Some(_), .. } => "--level",
            View { record: Some(_), .. } if self.is_empty() => {
                return Err(ViewError::NotForThis { option: "--record", contents: "no records" });
            }
            View { record: None, .. } => {
                let legend =
                    vec![(STARTS, "where records begin"), (ENDS, "where they end"), (SUBGOALS, "subgoals")];
                return Ok(Sketch { legend, ..Sketch::of(all_records(self, space)) });
            }
            View { record: Some(record), .. } if (*record as usize) < self.len() => {
                let legend = vec![
                    (SUBGOALS, "subgoals"),
                    (LEGS[0], "a leg: a climb gets over it"),
                    (LEGS[1], "the next leg"),
                ];
                return Ok(Sketch { legend, ..Sketch::of(one_record(self, space, *record)) });
            }
            View { record: Some(record), .. } => {
                let most = (self.len() as u32).saturating_sub(1);
                return Err(ViewError::NoSuch { what: "record", number: *record, least: 0, most });
            }
        };
        Err(ViewError::NotForThis { option, contents })
    }
}

impl Repairer for SubgoalRepairer {
    type Database = SubgoalDatabase;

    fn begin(space: &GridSpace, database: &Arc<SubgoalDatabase>) -> Option<(Self, u64)> {
        Some((Self::new(space, Arc::clone(database)).ok()?, database.len() as u64))
    }

    fn follow(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<u64> {
        Some(self.repair(space, changed.iter().copied()).ok()?.legs)
    }

    fn renew_one(&mut self, space: &GridSpace) {
        // The map is the one that it was told of.
        let _ = self.renew(space, 1);
    }

    fn waiting(&self) -> usize {
        self.waiting()
    }

    fn database(&self) -> &Arc<SubgoalDatabase> {
        self.database()
    }

    fn save(&self, out: &mut Vec<u8>) {
        self.put_beside(out);
    }

    fn save_changes(database: &SubgoalDatabase, out: &mut Vec<u8>) {
        database.put_changes(out);
    }

    fn open(space: &GridSpace, file: &SharedBytes) -> Result<SubgoalDatabase, DatabaseError> {
        SubgoalDatabase::from_shared(space, file)
    }

    fn resume(space: &GridSpace, file: &SharedBytes, reader: &mut Reader<'_>) -> Result<Self, DatabaseError> {
        Self::resumed(space, SubgoalDatabase::with_changes(space, file, reader)?, reader)
    }
}

impl SubgoalFileInfo {
    /// What there is to say of it.
    fn describe(self) -> FileInfo {
        let (width, height) = self.built_for.size;
        let cells = u64::from(width) * u64::from(height);
        let relative = (cells > 0).then(|| self.states as f64 / cells as f64);
        let in_words = relative.map_or_else(String::new, |size| format!("{size:.4} states a cell, "));
        let mut facts = sizes(self.records, self.states, self.bytes);
        let mut paper = Fact::new(
            "in the papers",
            format!("{in_words}{} bytes at 4 a state", thousands(4 * self.states)),
        )
        .with_count("paper_bytes", 4 * self.states);
        if let Some(relative) = relative {
            paper = paper.with("relative_size", Figure::Ratio(relative));
        }
        facts.push(paper);
        let Self { contents, version, built_for, config, bytes, sections, .. } = self;
        FileInfo { contents, version, built_for, config: Box::new(config), facts, bytes, sections }
    }
}

/// What there is to say of the size of records.
pub(crate) fn sizes(records: u64, states: u64, bytes: u64) -> Vec<Fact> {
    let per = |whole: u64, parts: u64| whole as f64 / parts.max(1) as f64;
    Vec::from([
        Fact::new("records", thousands(records)).with_count("records", records),
        Fact::new("states", format!("{}, {:.2} a record", thousands(states), per(states, records)))
            .with_count("states", states)
            .with("states_per_record", Figure::Ratio(per(states, records))),
        Fact::new("bytes", format!("{}, {:.2} a state", thousands(bytes), per(bytes, states)))
            .with("bytes_per_state", Figure::Ratio(per(bytes, states))),
    ])
}

/// Climbs every leg.
fn climb_all(records: &SubgoalDatabase, space: &GridSpace, watch: Watch<'_>) -> Result<(), String> {
    let count = records.len() as u32;
    let pieces: Vec<Range<u32>> =
        (0..count).step_by(PIECE as usize).map(|from| from..from.saturating_add(PIECE).min(count)).collect();
    for some in pieces.chunks(threads() * 4) {
        let broken = in_parallel(some, || (), |(), piece| records.first_broken_leg(space, piece.clone()));
        if let Some((record, from, to)) = broken.into_iter().flatten().min() {
            let (from, to) = (space.cell(from), space.cell(to));
            return Err(format!("record {record} is broken: a climb from {from} does not get to {to}"));
        }
        let done = some.last().map_or(0, |last| last.end);
        let _ = watch(BuildEvent::progress("climbing records", done.into(), count.into()));
    }
    Ok(())
}

/// How random problems would begin.
struct Coverage {
    algorithm: &'static str,
    drawn: u64,
    direct: u64,
    by_record: u64,
    fall_back: u64,
}

impl Coverage {
    fn sample(
        records: &SubgoalDatabase,
        space: &GridSpace,
        sample: u64,
        seed: u64,
        watch: Watch<'_>,
    ) -> Result<Self, String> {
        let entry = match records.config().form {
            RecordForm::Farthest | RecordForm::BeforeFirstMiss => KNN_2009,
            _ => KNN,
        };
        let shared: Arc<dyn Database> = Arc::new(records.clone());
        let spec = entry.name.parse().map_err(|error: surefoot::agent::SpecError| error.to_string())?;
        let mut agent = ROSTER.agent_with(&spec, Some(&shared)).map_err(|error| error.to_string())?;
        let cutoff = entry.parameters.iter().find(|parameter| parameter.name == "cutoff");
        let cutoff = cutoff.and_then(|parameter| parameter.default.parse().ok()).unwrap_or(0);
        let mut coverage = Self { algorithm: entry.name, drawn: 0, direct: 0, by_record: 0, fall_back: 0 };
        for (start, goal) in draw_problems(space, sample, seed) {
            coverage.drawn += 1;
            let mut meter = Meter::new();
            agent.begin(space, start, goal).map_err(|error| error.to_string())?;
            agent.step(space, &mut meter);
            if reachable(space, start, goal, cutoff, records.config().ties, &mut meter) {
                coverage.direct += 1;
            } else if agent.fallbacks() > 0 {
                coverage.fall_back += 1;
            } else {
                coverage.by_record += 1;
            }
            let _ = watch(BuildEvent::progress("sampling", coverage.drawn, sample));
        }
        Ok(coverage)
    }
}

fn all_records(records: &SubgoalDatabase, space: &GridSpace) -> Vec<Mark> {
    let (mut starts, mut between, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for record in 0..records.len() as u32 {
        let cells: Vec<Cell> = records.record(record).into_iter().map(|state| space.cell(state)).collect();
        if let [start, middle @ .., end] = &cells[..] {
            starts.push(*start);
            between.extend_from_slice(middle);
            ends.push(*end);
        }
    }
    // The subgoals last: they crowd at corners, where the ends would hide them.
    vec![Mark::Dots(starts, STARTS), Mark::Dots(ends, ENDS), Mark::Dots(between, SUBGOALS)]
}

fn one_record(records: &SubgoalDatabase, space: &GridSpace, record: u32) -> Vec<Mark> {
    let states = records.record(record);
    let cell = |state: &State| space.cell(*state);
    let mut marks = Vec::new();
    for (pair, shade) in states.windows(2).zip(LEGS.into_iter().cycle()) {
        let walk = climb(space, records, pair[0], pair[1]);
        marks.push(Mark::Path(walk.iter().map(cell).collect(), shade));
    }
    if let [start, middle @ .., end] = &states[..] {
        marks.push(Mark::Spots(middle.iter().map(cell).collect(), SUBGOALS));
        marks.extend([Mark::Start(cell(start)), Mark::Goal(cell(end))]);
    }
    marks
}

/// The states of a climb, as far as it gets.
fn climb(space: &GridSpace, records: &SubgoalDatabase, from: State, to: State) -> Vec<State> {
    let mut states = vec![from];
    let mut at = from;
    while let Some((next, _)) = climb_step(space, at, to, records.config().ties) {
        states.push(next);
        at = next;
    }
    states
}
