//! A crowd at play with everything that it can do, at once and for long: groups, speeds, weights, links,
//! walls, kinds that are built while the game runs, and units that come and go.
//!
//! After each frame it is checked that moves are legal and that the report tells all of them. Everything
//! follows from the rules: a game is the same on any number of threads, on every machine, and if it was saved
//! on the way. [`crate::play`] is the simpler one, for measurements.

mod orders;
mod saved;

use std::collections::{BTreeMap, VecDeque};

use surefoot::crowd::{
    Crowd, CrowdConfig, CrowdError, FrameBudget, FrameReport, Kind, KindId, LinkId, Move, UnitId,
};
use surefoot::space::{
    Cell, CellWeights, CostModel, GridSpace, MoveRule, SpaceError, StateSpace as _, TerrainSet,
};

use crate::maps::{MapKind, generate};
use crate::random::Rng;

/// Draws of the beginning; each frame has the stream of its number.
const BEGINNING: u64 = u64::MAX;
/// How many kinds come while the game runs.
const COMING_KINDS: usize = 3;

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How many cells the map is wide and high.
    pub side: u32,
    /// How many units there are at the beginning.
    pub units: u32,
    /// The work that a frame may take.
    pub budget: u64,
    /// Whether units are in each other's way.
    pub are_units_obstacles: bool,
    /// Frames between one change of kinds and the next: first they come, later their units leave and come
    /// back. Ten at least.
    pub season: u64,
    /// Frames between one wall and the next. One at least.
    pub wall_every: u64,
    /// Which of the many games.
    pub seed: u64,
}

/// What has happened in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Moves.
    pub moves: u64,
    /// Units that got to their goal.
    pub arrived: u64,
    /// Groups that came to rest.
    pub settled: u64,
    /// Units that could not get on.
    pub blocked: u64,
    /// Moves over links.
    pub over_links: u64,
    /// Kinds that were built in frames.
    pub built: u64,
    /// Units that were pushed out of walls.
    pub pushed_out: u64,
    /// Units that left the crowd with all of their kind.
    pub left: u64,
    /// Units that came back.
    pub returned: u64,
    /// The longest that somebody waited, in frames.
    pub longest_wait: u64,
}

/// Why a game stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The map could not be made.
    #[error(transparent)]
    Map(#[from] SpaceError),
    /// The crowd refused what it should not.
    #[error("frame {frame}: the crowd refuses: {error}")]
    Refused {
        /// The frame.
        frame: u64,
        /// What it said.
        error: CrowdError,
    },
    /// Something is not as it should be.
    #[error("frame {frame}: {what}")]
    Wrong {
        /// The frame.
        frame: u64,
        /// What was seen.
        what: String,
    },
    /// What was saved is not a game.
    #[error("this is no saved game: {0}")]
    Saved(String),
}

/// A game, and what the checks know of it.
pub struct FullPlay {
    rules: Rules,
    crowd: Crowd,
    frame: u64,
    random: Rng,
    /// The kinds, in the order in which they came.
    kinds: Vec<KindId>,
    units: Vec<UnitId>,
    places: BTreeMap<UnitId, Cell>,
    links: VecDeque<(KindId, LinkId)>,
    walls: VecDeque<Cell>,
    tally: Tally,
}

impl FullPlay {
    /// A game at its beginning. On several threads a crowd is served by the pool that it is called from.
    ///
    /// # Errors
    /// If there can be no such map, or a crowd refuses what it should not.
    pub fn new(rules: Rules, is_parallel: bool) -> Result<Self, Fault> {
        let map = generate(MapKind::Game, rules.side, rules.side, rules.seed)?.grid(TerrainSet::GROUND);
        let config = CrowdConfig::default()
            .with_parallel(is_parallel)
            .with_units_as_obstacles(rules.are_units_obstacles);
        let even = CellWeights::even(&map);
        let refused = |error| Fault::Refused { frame: 0, error };
        let mut crowd = Crowd::with_config(map, config);
        let scouts = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).map_err(refused)?;
        let mud = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_weights(even);
        let mud = crowd.add_kind(mud).map_err(refused)?;
        let mut play = Self {
            rules,
            crowd,
            frame: 0,
            random: Rng::new(rules.seed, BEGINNING),
            kinds: vec![scouts, mud],
            units: Vec::new(),
            places: BTreeMap::new(),
            links: VecDeque::new(),
            walls: VecDeque::new(),
            tally: Tally::default(),
        };
        // Nine of ten are scouts.
        for number in 0..rules.units {
            play.add(if number % 10 == 9 { mud } else { scouts })?;
        }
        Ok(play)
    }

    /// Plays a frame, and checks what came of it.
    ///
    /// # Errors
    /// If something is not as it should be.
    pub fn frame(&mut self) -> Result<(), Fault> {
        self.random = Rng::new(self.rules.seed, self.frame);
        self.give_orders()?;
        self.crowd.frame(FrameBudget::Work(self.rules.budget));
        self.check()?;
        self.give_new_goals()?;
        self.frame += 1;
        Ok(())
    }

    /// How many frames were played.
    #[must_use]
    pub fn frames(&self) -> u64 {
        self.frame
    }

    /// What is played.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// What has happened so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The crowd.
    #[must_use]
    pub fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// The frame after which all kinds are there, so that memory has no reason to grow.
    #[must_use]
    pub fn all_have_come(rules: Rules) -> u64 {
        rules.season * (COMING_KINDS as u64 + 1)
    }

    fn refused(&self) -> impl Fn(CrowdError) -> Fault + use<> {
        let frame = self.frame;
        move |error| Fault::Refused { frame, error }
    }

    /// Holds the report of the frame against what the game knows.
    fn check(&mut self) -> Result<(), Fault> {
        let frame = self.frame;
        let wrong = |what: String| Fault::Wrong { frame, what };
        let report = self.crowd.report();
        for made in &report.moves {
            let kind = self.crowd.kind_of(made.unit).map_err(self.refused())?;
            let space = self.crowd.space(kind).map_err(self.refused())?;
            let links = self.crowd.links(kind).map_err(self.refused())?;
            let is_link = is_link_taken(made, space, links.map(|(_, link)| (link.from, link.to)));
            self.tally.over_links += u64::from(is_link.map_err(wrong)?);
            if self.places.insert(made.unit, made.to) != Some(made.from) {
                return Err(wrong(format!("{made:?} begins where the unit did not stand")));
            }
        }
        for &unit in &self.units {
            let place = self.crowd.position(unit).map_err(self.refused())?;
            if self.places.get(&unit) != Some(&place) {
                return Err(wrong(format!("unit {unit} stands on {place}, and no move led there")));
            }
        }
        check_report(report).map_err(wrong)?;
        self.tally.moves += report.moves.len() as u64;
        self.tally.arrived += report.arrived.len() as u64;
        self.tally.settled += report.settled.len() as u64;
        self.tally.blocked += report.blocked.len() as u64;
        self.tally.built += report.built.len() as u64;
        self.tally.longest_wait = self.tally.longest_wait.max(report.longest_wait.into());
        Ok(())
    }
}

/// Whether a move is one over a link and not one of the map. An error if it is neither.
fn is_link_taken(
    made: &Move,
    space: &GridSpace,
    mut links: impl Iterator<Item = (Cell, Cell)>,
) -> Result<bool, String> {
    let outside = || format!("{made:?} is not on the map");
    let from = space.state_at(made.from).ok_or_else(outside)?;
    let to = space.state_at(made.to).ok_or_else(outside)?;
    let mut is_move = false;
    space.for_each_successor(from, |state, _| is_move |= state == to);
    let is_link = space.contains(to) && links.any(|link| link == (made.from, made.to));
    if !is_move && !is_link {
        return Err(format!("{made:?} is no move of the map, and there is no such link"));
    }
    Ok(!is_move)
}

/// Nobody took more work than he may, or waited for longer than was stated.
fn check_report(report: &FrameReport) -> Result<(), String> {
    if report.overdrawn > 0 {
        return Err(format!("{} units took more than their bound", report.overdrawn));
    }
    match report.wait_bound {
        Some(bound) if u64::from(report.longest_wait) > bound => {
            Err(format!("somebody waited for {} frames, and {bound} were stated", report.longest_wait))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use surefoot::formats::grid_from_art;

    #[test]
    fn moves_that_are_none_are_seen() {
        let grid = grid_from_art("...\n.#.").unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let unit = UnitId::from_number(0);
        let taken = |from: (u32, u32), to: (u32, u32)| {
            let made = Move { unit, from: Cell::new(from.0, from.1), to: Cell::new(to.0, to.1) };
            let links = [(Cell::new(0, 1), Cell::new(2, 1)), (Cell::new(0, 0), Cell::new(1, 1))];
            is_link_taken(&made, &space, links.into_iter())
        };
        assert_eq!(taken((0, 0), (1, 0)), Ok(false));
        assert_eq!(taken((0, 1), (2, 1)), Ok(true));
        for (from, to) in [((0, 0), (2, 0)), ((2, 1), (0, 1)), ((0, 1), (1, 0)), ((0, 0), (9, 0))] {
            assert!(taken(from, to).is_err(), "{from:?} {to:?}");
        }
        assert!(taken((0, 0), (1, 1)).is_err(), "a link into a wall");
    }

    #[test]
    fn reports_that_tell_of_too_much_are_seen() {
        let mut report = FrameReport::default();
        assert_eq!(check_report(&report), Ok(()));
        (report.longest_wait, report.wait_bound) = (5, Some(5));
        assert_eq!(check_report(&report), Ok(()));
        report.longest_wait = 6;
        assert!(check_report(&report).is_err());
        (report.wait_bound, report.overdrawn) = (None, 1);
        assert!(check_report(&report).is_err());
    }
}
