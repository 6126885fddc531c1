//! Everything that can be called on a crowd, as data: so that the same is called on several crowds side by
//! side.

use std::fmt;

use surefoot::agent::Spec;
use surefoot::crowd::{Crowd, CrowdError, FrameBudget, FrameReport, Kind, KindId, Priority, UnitId};
use surefoot::space::{Cell, CostModel, Grid, MoveRule};
use surefoot_classics::ROSTER;

use super::face;
use super::world::Ground;

/// A kind of units, in few words.
#[derive(Clone, PartialEq)]
pub struct KindDraw {
    /// Which moves its units make, and what those cost.
    pub moves: (MoveRule, CostModel),
    /// How large they are.
    pub size: u32,
    /// What ground costs them.
    pub ground: Option<Ground>,
    /// How they find their way.
    pub spec: Spec,
    /// Whether the database is built first, and given.
    pub is_given: bool,
    /// Whether there are beacons for those who have learned too much.
    pub has_relief: bool,
    /// Which of the many databases.
    pub seed: u64,
}

impl KindDraw {
    /// The kind itself on a map, without databases.
    ///
    /// # Errors
    /// If there is no such algorithm.
    pub fn plain(&self, map: &Grid) -> Result<Kind, CrowdError> {
        let mut kind = Kind::new(self.moves.0, self.moves.1);
        kind.size = self.size;
        kind.weights = self.ground.map(|ground| ground.weights(map));
        kind.algorithm = ROSTER.algorithm(&self.spec)?;
        kind.seed = self.seed;
        Ok(kind)
    }

    /// The same with what it is to be given.
    fn kind(&self, map: &Grid) -> Result<Kind, CrowdError> {
        let mut kind = self.plain(map)?;
        if self.is_given {
            kind.database = kind.algorithm.build_database(&kind.space(map)?, kind.seed)?;
        }
        if self.has_relief {
            kind.relief = ROSTER.build_database(&"beacon*".parse()?, &kind.space(map)?, kind.seed)?;
        }
        Ok(kind)
    }
}

impl fmt::Debug for KindDraw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, size, ground, spec, is_given, has_relief, seed } = self;
        write!(f, "{spec}, {moves:?}, size {size}, {ground:?}, seed {seed}")?;
        write!(f, ", database given: {is_given}, relief: {has_relief}")
    }
}

/// What a frame may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Whatever it takes.
    Everyone,
    /// So much work.
    Work(u64),
    /// Time without end, or none at all. Anything between would not repeat.
    Time(bool),
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// [`Crowd::add_kind`].
    AddKind(Box<KindDraw>),
    /// [`Crowd::add`], by the number of the kind.
    Add(usize, Cell, Cell, Priority),
    /// [`Crowd::remove`].
    Remove(UnitId),
    /// [`Crowd::set_goal`].
    SetGoal(UnitId, Cell),
    /// [`Crowd::set_goal_or_nearest`].
    SetGoalOrNearest(UnitId, Cell),
    /// [`Crowd::set_priority`].
    SetPriority(UnitId, Priority),
    /// [`Crowd::pursue`].
    Pursue(UnitId, UnitId),
    /// [`Crowd::set_cell`].
    SetCell(Cell, bool),
    /// [`Crowd::set_cells`].
    SetCells(Vec<(Cell, bool)>),
    /// [`Crowd::frame`].
    Frame(Share),
    /// [`Crowd::save`] and [`Crowd::load`]: the crowd that is loaded goes on beside the others.
    SaveAndLoad,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A kind.
    Kind(Result<KindId, CrowdError>),
    /// A unit.
    Unit(Result<UnitId, CrowdError>),
    /// Nothing but that it was done.
    Done(Result<(), CrowdError>),
    /// A cell.
    Cell(Result<Cell, CrowdError>),
    /// How many cells were changed.
    Changed(Result<u64, CrowdError>),
    /// A frame.
    Frame(Box<FrameReport>),
}

impl Outcome {
    /// Why it was refused, if it was.
    #[must_use]
    pub fn refusal(&self) -> Option<&CrowdError> {
        match self {
            Self::Kind(result) => result.as_ref().err(),
            Self::Unit(result) => result.as_ref().err(),
            Self::Done(result) => result.as_ref().err(),
            Self::Cell(result) => result.as_ref().err(),
            Self::Changed(result) => result.as_ref().err(),
            Self::Frame(_) => None,
        }
    }
}

impl Call {
    /// Its name, as the library has it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::AddKind(_) => "add_kind",
            Self::Add(..) => "add",
            Self::Remove(_) => "remove",
            Self::SetGoal(..) => "set_goal",
            Self::SetGoalOrNearest(..) => "set_goal_or_nearest",
            Self::SetPriority(..) => "set_priority",
            Self::Pursue(..) => "pursue",
            Self::SetCell(..) => "set_cell",
            Self::SetCells(_) => "set_cells",
            Self::Frame(_) => "frame",
            Self::SaveAndLoad => "save and load",
        }
    }

    /// Makes the call. To save and load is not for one crowd alone, and does nothing here.
    pub fn apply(&self, crowd: &mut Crowd, kinds: &[KindId]) -> Outcome {
        match self {
            Self::AddKind(draw) => {
                let kind = draw.kind(crowd.map());
                Outcome::Kind(kind.and_then(|kind| crowd.add_kind(kind)))
            }
            &Self::Add(kind, start, goal, priority) => match kinds.get(kind) {
                Some(&kind) => Outcome::Unit(crowd.add(kind, start, goal, priority)),
                None => Outcome::Done(Ok(())),
            },
            &Self::Remove(unit) => Outcome::Done(crowd.remove(unit)),
            &Self::SetGoal(unit, goal) => Outcome::Done(crowd.set_goal(unit, goal)),
            &Self::SetGoalOrNearest(unit, goal) => Outcome::Cell(crowd.set_goal_or_nearest(unit, goal)),
            &Self::SetPriority(unit, priority) => Outcome::Done(crowd.set_priority(unit, priority)),
            &Self::Pursue(unit, target) => Outcome::Done(crowd.pursue(unit, target)),
            &Self::SetCell(cell, free) => Outcome::Changed(crowd.set_cell(cell, free).map(u64::from)),
            Self::SetCells(cells) => Outcome::Changed(crowd.set_cells(cells.iter().copied())),
            Self::Frame(share) => {
                let report = match *share {
                    Share::Everyone => face::frame(crowd, FrameBudget::Everyone),
                    Share::Work(work) => face::frame(crowd, FrameBudget::Work(work)),
                    Share::Time(is_left) => face::frame(crowd, FrameBudget::Time(&move || is_left)),
                };
                Outcome::Frame(Box::new(report))
            }
            Self::SaveAndLoad => Outcome::Done(Ok(())),
        }
    }
}
