//! Crowds side by side: the same calls on one thread, on several, and on a crowd that was saved and loaded,
//! and what must hold of all of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuilder};
use surefoot::crowd::{Crowd, CrowdConfig, FrameReport, Kind, KindId, UnitId, UnitStatus};
use surefoot::space::{Cell, Grid, GridSpace, StateSpace as _};
use surefoot_classics::ROSTER;

use super::calls::{Call, Outcome, Share};
use super::checks::{self, Waits};
use super::face;
use super::report::Log;

/// After so many calls that edit the map, spaces are held against new ones.
const SPACES_AFTER: u64 = 8;

/// Numbers of threads that crowds are served on.
const THREADS: [(usize, &str); 3] = [(1, "one thread"), (2, "two threads"), (3, "three threads")];

fn pool(threads: usize) -> &'static ThreadPool {
    static POOLS: [OnceLock<ThreadPool>; THREADS.len()] = [const { OnceLock::new() }; THREADS.len()];
    POOLS[threads - 1].get_or_init(|| {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
    })
}

/// A crowd that does all that the first one does.
struct Side {
    name: &'static str,
    crowd: Crowd,
    pool: Option<&'static ThreadPool>,
}

impl Side {
    fn apply(&mut self, call: &Call, kinds: &[KindId]) -> Outcome {
        let crowd = &mut self.crowd;
        match self.pool {
            Some(pool) => pool.install(|| call.apply(crowd, kinds)),
            None => call.apply(crowd, kinds),
        }
    }
}

/// A kind that was added.
pub struct KnownKind {
    /// Its name in the crowd.
    pub id: KindId,
    /// What it was made from, without databases.
    pub kind: Kind,
    /// The name of its algorithm.
    pub entry: &'static str,
    is_complete: bool,
}

/// Some crowds that are to do the same, and what is known of them.
pub struct Stage {
    crowd: Crowd,
    sides: Vec<Side>,
    /// The kinds, in the order in which they were added.
    pub kinds: Vec<KnownKind>,
    /// The units, and the number of the kind of each.
    pub units: BTreeMap<UnitId, usize>,
    /// Those that were removed.
    pub gone: Vec<UnitId>,
    /// Those that pursue another one, or did before it was removed: they go where it is, and stay next to it.
    pursuers: BTreeSet<UnitId>,
    places: BTreeMap<UnitId, Cell>,
    waits: Waits,
    last_share: Option<Share>,
    edits: u64,
    /// The work that units and databases took.
    pub work: u64,
}

impl Stage {
    /// A crowd, and others beside it on so many threads each (1 to 3).
    #[must_use]
    pub fn new(map: &Grid, config: CrowdConfig, threads: &[usize]) -> Self {
        let (mut alone, mut parallel) = (config, config);
        (alone.is_parallel, parallel.is_parallel) = (false, true);
        let side = |&threads: &usize| Side {
            name: THREADS[threads - 1].1,
            crowd: Crowd::with_config(map.clone(), parallel),
            pool: Some(pool(threads)),
        };
        Self {
            crowd: Crowd::with_config(map.clone(), alone),
            sides: threads.iter().map(side).collect(),
            kinds: Vec::new(),
            units: BTreeMap::new(),
            gone: Vec::new(),
            pursuers: BTreeSet::new(),
            places: BTreeMap::new(),
            waits: Waits::default(),
            last_share: None,
            edits: 0,
            work: 0,
        }
    }

    /// The crowd that the others are compared with.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// What a kind sees of the map.
    #[must_use]
    pub fn space(&self, kind: usize) -> &GridSpace {
        self.crowd.space(self.kinds[kind].id).expect("a kind that was added")
    }

    /// Makes a call on all crowds, and checks what comes of it.
    pub fn perform(&mut self, call: &Call, log: &mut Log) {
        log.step += 1;
        log.trace(|| format!("{call:?}"));
        if *call == Call::SaveAndLoad {
            return self.save_and_load(log);
        }
        let kinds: Vec<KindId> = self.kinds.iter().map(|kind| kind.id).collect();
        let before = self.crowd.checksum();
        let begin = Instant::now();
        let outcome = call.apply(&mut self.crowd, &kinds);
        let time = begin.elapsed();
        match &outcome {
            Outcome::Frame(report) => {
                let work = report.work + report.upkeep + self.crowd.len();
                log.note_time(|| self.describe(call), time, work);
            }
            _ => log.note_call(call.name(), time),
        }
        if outcome.refusal().is_some()
            && !matches!(call, Call::SetCells(_))
            && self.crowd.checksum() != before
        {
            log.find(
                "refused",
                call.name(),
                format!("a call that was refused changed the crowd [{outcome:?}]"),
            );
        }
        self.compare(call, &kinds, &outcome, log);
        self.note(call, &outcome, log);
        if let Outcome::Frame(report) = &outcome {
            self.check_frame(call, report, log);
        }
    }

    fn describe(&self, call: &Call) -> String {
        let specs: Vec<String> =
            self.kinds.iter().map(|kind| kind.kind.algorithm.spec().to_string()).collect();
        let map = self.crowd.map();
        format!(
            "{call:?} of {} units by {} on {} x {} cells",
            self.units.len(),
            specs.join(", "),
            map.width(),
            map.height()
        )
    }

    /// Makes the call on the others. Those that do something else are dropped.
    fn compare(&mut self, call: &Call, kinds: &[KindId], outcome: &Outcome, log: &mut Log) {
        let checksum = self.crowd.checksum();
        let mut sides = std::mem::take(&mut self.sides);
        sides.retain_mut(|side| {
            let theirs = side.apply(call, kinds);
            let result = match (outcome, &theirs) {
                (Outcome::Frame(ours), Outcome::Frame(theirs)) => checks::same_report(ours, theirs),
                _ => checks::same(call.name(), outcome, &theirs),
            };
            let result = result.and_then(|()| checks::same("checksum", &checksum, &side.crowd.checksum()));
            log.check("another course", side.name, result.map_err(|what| self.with_kinds(&what)))
        });
        self.sides = sides;
    }

    /// A message with the algorithms of the crowd, which tell more than the crowd's numbers.
    fn with_kinds(&self, what: &str) -> String {
        let names: Vec<&str> = self.kinds.iter().map(|kind| kind.entry).collect();
        format!("{what} [by {}]", names.join(", "))
    }

    /// Keeps count of what there is.
    fn note(&mut self, call: &Call, outcome: &Outcome, log: &mut Log) {
        match (call, outcome) {
            (Call::AddKind(draw), Outcome::Kind(Ok(id))) => {
                let entry = ROSTER.entry(&draw.spec.algorithm()).expect("specs are drawn from the roster");
                let kind = draw.plain(self.crowd.map()).expect("it was added just now");
                self.kinds.push(KnownKind { id: *id, kind, entry: entry.name, is_complete: entry.complete });
                log.tally.entries.entry(entry.name).or_default().walks += 1;
            }
            (Call::AddKind(_), Outcome::Kind(Err(error))) => log.tally.note_refusal(&error.to_string()),
            (Call::Add(kind, start, ..), Outcome::Unit(Ok(unit))) => {
                self.units.insert(*unit, *kind);
                self.places.insert(*unit, *start);
            }
            (Call::Remove(unit), Outcome::Done(Ok(()))) => {
                self.units.remove(unit);
                self.places.remove(unit);
                self.pursuers.remove(unit);
                self.gone.push(*unit);
            }
            (Call::Pursue(unit, _), Outcome::Done(Ok(()))) => {
                self.pursuers.insert(*unit);
            }
            (Call::SetGoal(unit, _), Outcome::Done(Ok(())))
            | (Call::SetGoalOrNearest(unit, _), Outcome::Cell(Ok(_))) => {
                self.pursuers.remove(unit);
            }
            (Call::SetCell(..) | Call::SetCells(_), Outcome::Changed(Ok(changed))) => {
                log.tally.edits += changed;
                self.edits += u64::from(*changed > 0);
            }
            _ => {}
        }
        match call {
            Call::Frame(share) if self.last_share == Some(*share) => {}
            Call::Frame(share) => {
                self.last_share = Some(*share);
                self.waits.begin_anew();
            }
            _ => self.waits.begin_anew(),
        }
    }

    /// Saves the crowd; the one that is loaded takes the place of the one that was loaded before.
    fn save_and_load(&mut self, log: &mut Log) {
        log.tally.saves += 1;
        self.sides.retain(|side| side.pool.is_some());
        let begin = Instant::now();
        let bytes = self.crowd.save();
        log.note_call("save", begin.elapsed());
        let begin = Instant::now();
        let loaded = Crowd::load_with(&bytes, &ROSTER);
        log.note_call("load", begin.elapsed());
        match loaded {
            Err(error) => {
                // Where in the file it is says less than why.
                let why = error.to_string();
                let why = why.split_once(": ").map_or(&*why, |(_, why)| why);
                log.find("does not load", "crowd", self.with_kinds(why));
            }
            Ok(crowd) => {
                let result = checks::same("checksum", &self.crowd.checksum(), &crowd.checksum())
                    .and_then(|()| checks::same("units", &self.crowd.memory().states, &crowd.memory().states))
                    .and_then(|()| checks::same("bytes", &(crowd.save() == bytes), &true));
                log.check("loaded at once", "crowd", result.map_err(|what| self.with_kinds(&what)));
                self.sides.push(Side { name: "loaded crowd", crowd, pool: None });
            }
        }
    }

    /// What must hold after every frame.
    fn check_frame(&mut self, call: &Call, report: &FrameReport, log: &mut Log) {
        let Call::Frame(share) = *call else { return };
        log.tally.frames += 1;
        log.tally.moves += report.moves.len() as u64;
        self.work += report.work + report.upkeep;
        let places: BTreeMap<UnitId, Cell> =
            self.crowd.units().filter_map(|unit| Some((unit, self.crowd.position(unit).ok()?))).collect();
        let known: Vec<&UnitId> = self.units.keys().collect();
        log.check("units", "crowd", checks::same("units", &places.keys().collect::<Vec<_>>(), &known));
        log.check("moves", "crowd", checks::moves_of_frame(&self.places, &places, &report.moves));
        for made in &report.moves {
            let Some(&kind) = self.units.get(&made.unit) else { continue };
            let space = self.space(kind);
            let (from, to) = (face::state(space, made.from), face::state(space, made.to));
            let size = self.kinds[kind].kind.size;
            let name = self.kinds[kind].kind.algorithm.spec().to_string();
            if let Err(what) = checks::legal_move(space, from, to) {
                log.find("illegal move", &name, format!("{what} by {}", made.unit));
            }
            if !is_room(self.crowd.map(), made.to, size) {
                log.find(
                    "illegal move",
                    &name,
                    format!("no room [unit {} of size {size} on {}]", made.unit, made.to),
                );
            }
        }
        self.places = places;
        if self.crowd.config().are_units_obstacles {
            let squares = self.places.iter().map(|(unit, &place)| {
                (*unit, place, self.units.get(unit).map_or(1, |&kind| self.kinds[kind].kind.size))
            });
            log.check("shared cell", "crowd", checks::nobody_shares_a_cell(self.crowd.map(), squares));
        }
        if report.overdrawn > 0 {
            log.find(
                "bound",
                "crowd",
                self.with_kinds(&format!("{} units overdrew their bounds", report.overdrawn)),
            );
        }
        if share == Share::Everyone && report.waiting > 0 {
            log.find("waits", "crowd", format!("{} wait in a frame for everyone", report.waiting));
        }
        // Pursuers are given goals in every frame.
        if !self.pursuers.is_empty() {
            self.waits.begin_anew();
        }
        let waits = self.waits.frame(report.longest_wait, report.wait_bound);
        log.check(
            "wait bound",
            "crowd",
            waits.map_err(|what| self.with_kinds(&format!("{what} [{share:?}]"))),
        );
        self.check_units(share, log);
        if self.edits >= SPACES_AFTER {
            self.edits = 0;
            self.check_spaces(log);
        }
    }

    /// What units say of themselves is true.
    fn check_units(&self, share: Share, log: &mut Log) {
        let is_obstructed = self.crowd.config().are_units_obstacles;
        for (&unit, &kind) in &self.units {
            let known = &self.kinds[kind];
            let (Ok(status), Ok(place), Ok(goal)) =
                (self.crowd.status(unit), self.crowd.position(unit), self.crowd.goal(unit))
            else {
                continue;
            };
            if self.pursuers.contains(&unit) {
                continue;
            }
            let space = self.space(kind);
            let is_open = || {
                let (from, to) = (face::state(space, place), face::state(space, goal));
                space.contains(from) && space.contains(to) && space.components().same(place, goal)
            };
            let problem = match status {
                UnitStatus::Arrived if place != goal => "has arrived, and stands elsewhere",
                UnitStatus::Unreachable if is_open() => "has no way, and there is one",
                UnitStatus::Stuck if known.is_complete => "does not know how to go on, and should",
                UnitStatus::Walking
                    if share == Share::Everyone && !is_obstructed && place != goal && !is_open() =>
                {
                    "walks, and there is no way"
                }
                _ => continue,
            };
            let name = known.kind.algorithm.spec();
            log.find("status", "crowd", format!("{problem} [unit {unit} by {name} on {place} for {goal}]"));
        }
    }

    /// Spaces that were edited are as new ones.
    fn check_spaces(&self, log: &mut Log) {
        for (number, known) in self.kinds.iter().enumerate() {
            match known.kind.space(self.crowd.map()) {
                Ok(fresh) => {
                    log.check("edited space", "crowd", checks::same_space(self.space(number), &fresh));
                }
                Err(error) => log.find("edited space", "crowd", error.to_string()),
            }
        }
    }
}

/// Whether a unit of a size fits where it stands.
#[must_use]
pub fn is_room(map: &Grid, at: Cell, size: u32) -> bool {
    (at.y..at.y + size).all(|y| (at.x..at.x + size).all(|x| map.is_free(Cell::new(x, y))))
}
