//! Kinds that are added without stopping the game: their databases are built on another thread, or piece by
//! piece within the budgets of frames.
//!
//! Until its database is there, the units of a kind walk by an exact search in slices. When it comes, all of
//! them begin anew where they stand. What was edited while it was built on a thread is told to it as one
//! edit; one that is built in frames hears of every edit, as databases in use do.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::ControlFlow;

use super::databases::{Change, Done, Held, make_all};
use super::kind::KindState;
use super::lane::Lane;
use super::unit::UnitStatus;
use super::walker::UnitWalker;
use super::{Crowd, CrowdError, Kind, KindId};
use crate::agent::Algorithm;
use crate::space::{Cell, GridSpace, StateSpace as _};
use crate::store::{BuildProgress, BuildState, BuiltFor, Database, Watch};

impl Held {
    /// A database that is built piece by piece, within the budgets of frames. It has just begun, on the map
    /// as it is now.
    fn begun(kind: &Kind, space: &GridSpace) -> Result<Self, CrowdError> {
        let config = kind.algorithm.database_config(kind.seed);
        let begun = config.map(|config| config.begin(space)).transpose()?.flatten();
        let not_in_frames = || CrowdError::NotInFrames { algorithm: kind.algorithm.spec().to_string() };
        Self::new(begun.ok_or_else(not_in_frames)?)
    }
}

/// What it takes to build the database of a kind, apart from the crowd: for another thread.
/// [`Crowd::build_of`] makes one.
#[derive(Clone)]
pub struct KindBuild {
    algorithm: Algorithm,
    seed: u64,
    space: GridSpace,
}

impl KindBuild {
    /// What a unit of the kind sees of the map, as it was when this was made.
    #[must_use]
    pub fn space(&self) -> &GridSpace {
        &self.space
    }

    /// Builds the database, on all cores with the feature `rayon`. `watch` hears of each stage, and may
    /// cancel it.
    ///
    /// # Errors
    /// If there can be no such database, or the build was cancelled.
    pub fn run(self, watch: Watch<'_>) -> Result<BuiltKind, CrowdError> {
        let config = self.algorithm.database_config(self.seed).ok_or_else(|| needless(&self.algorithm))?;
        let database = config.build(&self.space, watch)?;
        Ok(BuiltKind { database, space: self.space })
    }

    /// The same, without anybody to watch.
    ///
    /// # Errors
    /// If there can be no such database.
    pub fn run_quietly(self) -> Result<BuiltKind, CrowdError> {
        self.run(&mut |_| ControlFlow::Continue(()))
    }

    /// Takes a database that was built before, for this very [space](Self::space): from a file, say.
    ///
    /// # Errors
    /// If it was built for another map.
    pub fn take(self, database: Arc<dyn Database>) -> Result<BuiltKind, CrowdError> {
        check_built_for(&*database, &self.space)?;
        Ok(BuiltKind { database, space: self.space })
    }
}

impl fmt::Debug for KindBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KindBuild").field(&self.algorithm).finish()
    }
}

/// The database of a kind, with the map that it was built for. [`Crowd::give_database`] takes it.
#[derive(Clone)]
pub struct BuiltKind {
    database: Arc<dyn Database>,
    space: GridSpace,
}

impl BuiltKind {
    /// The database: to be saved, say.
    #[must_use]
    pub fn database(&self) -> &Arc<dyn Database> {
        &self.database
    }
}

impl fmt::Debug for BuiltKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BuiltKind").field(&self.database).finish()
    }
}

fn needless(algorithm: &Algorithm) -> CrowdError {
    CrowdError::UselessDatabase { algorithm: algorithm.spec().to_string(), needs: "no database" }
}

/// Makes sure that a database was built for a map.
pub(super) fn check_built_for(database: &dyn Database, space: &GridSpace) -> Result<(), CrowdError> {
    let (expected, found) = (BuiltFor::of(space), database.built_for());
    if expected == *found {
        return Ok(());
    }
    Err(CrowdError::OtherDatabase { expected: expected.to_string(), found: found.to_string() })
}

impl Crowd {
    /// Adds a kind of units whose database is built later: by [`build_in_frames`](Self::build_in_frames), or
    /// on another thread by [`build_of`](Self::build_of) and [`give_database`](Self::give_database). Units
    /// can be added at once. Until it is there they walk by the kind's [relief](Kind::relief), or else by an
    /// exact search in slices, `tba*`.
    ///
    /// A kind that has its database, or needs none, is added as by [`add_kind`](Self::add_kind).
    ///
    /// # Errors
    /// If the weights or the database are for another map, it has links, or there are too many kinds.
    pub fn add_kind_unbuilt(&mut self, kind: Kind) -> Result<KindId, CrowdError> {
        if !kind.links.is_empty() {
            return Err(CrowdError::NotBuilt);
        }
        self.add_kind_state(|map| KindState::with_or_without(kind, map, false))
    }

    /// Whether the units of a kind go by its algorithm: its database is there, or it needs none.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn is_built(&self, kind: KindId) -> Result<bool, CrowdError> {
        Ok(!self.kind_state(kind)?.is_unbuilt)
    }

    /// Whether the databases of a kind know all of the map as it is: whoever sets out now takes a way that is
    /// as good as on a map that was never edited. It becomes so a number of frames after an edit. A database
    /// that does not follow edits counts as if it did.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn is_up_to_date(&self, kind: KindId) -> Result<bool, CrowdError> {
        let state = self.kind_state(kind)?;
        let has_work = state.databases.have_work() || state.links.are_due();
        Ok(!state.is_unbuilt && state.changed.is_empty() && !has_work)
    }

    /// What it takes to build the database of a kind on another thread, of the map as it is now. The kind may
    /// have one already: then the new one takes its place when it is [given](Self::give_database).
    ///
    /// # Errors
    /// If there is no such kind, or it needs no database.
    pub fn build_of(&self, kind: KindId) -> Result<KindBuild, CrowdError> {
        let state = self.kind_state(kind)?;
        let (algorithm, seed) = (state.kind.algorithm.clone(), state.kind.seed);
        if algorithm.database_config(seed).is_none() {
            return Err(needless(&algorithm));
        }
        Ok(KindBuild { algorithm, seed, space: state.space.clone() })
    }

    /// Gives a kind a database that was built on another thread. What was edited in the meantime is told to
    /// it as one edit. All units of the kind begin anew where they stand. A build in frames is cancelled.
    ///
    /// Players in lockstep give the same databases in the same frames.
    ///
    /// # Errors
    /// If there is no such kind, or the database is for another rule, other costs or a map of another size.
    pub fn give_database(&mut self, kind: KindId, built: BuiltKind) -> Result<(), CrowdError> {
        let state = self.kinds.get_mut(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        let taken = state.take_database(built)?;
        let told = self.begin_anew(kind.0);
        self.debt = self.debt.saturating_add(taken + told);
        Ok(())
    }

    /// Begins to build the database of a kind within the budgets of the next frames, as part of their upkeep.
    /// What comes of it is the same on all machines: players in lockstep call it in the same frame. If it is
    /// being built already that goes on.
    ///
    /// # Errors
    /// If there is no such kind, it has its database, or what its algorithm needs is built in one go.
    pub fn build_in_frames(&mut self, kind: KindId) -> Result<(), CrowdError> {
        let state = self.kinds.get_mut(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        if !state.is_unbuilt {
            return Err(CrowdError::Built(kind));
        }
        if state.build.is_none() {
            // What was edited since the last frame is told when the next one begins. It was not there before.
            let mut space = state.space.clone();
            make_all(&mut space, state.changed.iter().copied());
            state.build = Some(Box::new(Held::begun(&state.kind, &space)?));
            self.debt = self.debt.saturating_add(looked_over(&space));
            self.lanes.iter_mut().for_each(Lane::take_back);
        }
        Ok(())
    }

    /// How far the build of a kind's database in frames is. `None` if there is none under way.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn build_progress(&self, kind: KindId) -> Result<Option<BuildProgress>, CrowdError> {
        Ok(self.kind_state(kind)?.build.as_ref().and_then(|build| match build.build_state() {
            BuildState::UnderWay(progress) => Some(progress),
            _ => None,
        }))
    }

    /// Cancels the build of a kind's database in frames. Its units go on as they are. Whether there was one.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn cancel_build(&mut self, kind: KindId) -> Result<bool, CrowdError> {
        let state = self.kinds.get_mut(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))?;
        Ok(state.build.take().is_some())
    }

    pub(super) fn kind_state(&self, kind: KindId) -> Result<&KindState, CrowdError> {
        self.kinds.get(usize::from(kind.0)).ok_or(CrowdError::NoKind(kind))
    }

    /// Tells of a build in frames that has ended. How many units were told.
    pub(super) fn tell_of_build(&mut self, number: u8, is_built: bool) -> u64 {
        let report = Arc::make_mut(&mut self.report);
        if is_built { &mut report.built } else { &mut report.not_built }.push(KindId(number));
        if is_built { self.begin_anew(number) } else { 0 }
    }

    /// Lets all units of a kind begin anew where they stand, by what there is to go by now. How many that
    /// are.
    pub(super) fn begin_anew(&mut self, number: u8) -> u64 {
        let kind = &self.kinds[usize::from(number)];
        let mut begun = 0;
        for lane in &mut self.lanes {
            lane.take_back();
            for at in 0..lane.units.len() {
                if lane.units[at].kind != number || lane.units[at].walker.is_gone() {
                    continue;
                }
                let (place, goal) = (lane.place(at), lane.units[at].walker.goal());
                let walker = UnitWalker::begin(kind, place, goal);
                let unit = &mut lane.units[at];
                unit.walker = walker.unwrap_or_else(|_| UnitWalker::stranded(place, goal));
                if unit.status == UnitStatus::Stuck {
                    unit.set_out(self.frame);
                }
                lane.clear(at);
                begun += 1;
            }
        }
        begun
    }
}

impl KindState {
    /// Tells a database that is being built of changes of the map. What that took.
    pub(super) fn note_for_build(&mut self, changed: &[Change]) -> u64 {
        let Some(build) = self.build.as_deref_mut() else { return 0 };
        build.settle(&self.space, changed).map_or(0, |edited| edited.work)
    }

    /// Does a piece of building a database. `None` if none is being built.
    pub(super) fn build_on(&mut self) -> Option<Done> {
        let build = self.build.as_deref_mut()?;
        let work = build.keep_up(&self.space).map_or(1, |piece| piece.work);
        match build.build_state() {
            BuildState::UnderWay(_) => return Some(Done { work, ..Done::default() }),
            BuildState::TooLarge => {
                self.build = None;
                return Some(Done { work, is_given_up: true, ..Done::default() });
            }
            BuildState::Built => {}
        }
        let built = *self.build.take()?;
        let is_built = self.install(built).is_ok();
        Some(Done { work, is_built, is_given_up: !is_built, ..Done::default() })
    }

    /// Takes a database in the place of the one that the algorithm had.
    fn install(&mut self, database: Held) -> Result<(), CrowdError> {
        self.databases.main = Some(database);
        (self.build, self.is_unbuilt) = (None, false);
        self.make_prototype()
    }

    /// Takes a database that was built apart from the crowd. What that took.
    fn take_database(&mut self, BuiltKind { database, space: then }: BuiltKind) -> Result<u64, CrowdError> {
        if !database.built_for().is_like(&self.space) {
            check_built_for(&*database, &self.space)?;
        }
        // What it has no use for is refused now.
        drop(self.kind.algorithm.agent(Some(&database))?);
        // What was edited since the last frame is told when the next one begins.
        let mut undone = None;
        if !self.changed.is_empty() {
            let mut space = self.space.clone();
            make_all(&mut space, self.changed.iter().copied());
            undone = Some(space);
        }
        let settled = undone.as_ref().unwrap_or(&self.space);
        let changes = differences(&then, settled);
        let mut taken = Held::new(database)?;
        let mut edited = None;
        if !changes.is_empty() {
            edited = taken.settle(settled, &changes);
        }
        let looked_over = looked_over(settled);
        self.install(taken)?;
        if edited.as_ref().is_some_and(|edited| edited.is_new) {
            self.renew_prototype()?;
        }
        Ok(edited.map_or(0, |edited| edited.work) + looked_over)
    }
}

/// What it takes to look at all cells of a map, 64 at a time.
fn looked_over(space: &GridSpace) -> u64 {
    1 + space.state_limit() as u64 / 64
}

/// The changes that make one map from another of the same size, row by row.
fn differences(from: &GridSpace, to: &GridSpace) -> Vec<Change> {
    let (width, height) = (to.grid().width(), to.grid().height());
    let mut changes = Vec::new();
    for cell in (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y))) {
        if from.grid().is_free(cell) != to.grid().is_free(cell) {
            changes.push(Change::toggle(cell));
        }
        let bits = from.weight(cell).unwrap_or(1) ^ to.weight(cell).unwrap_or(1);
        if bits != 0 {
            changes.push(Change { cell, bits });
        }
    }
    changes
}
