//! The world that a map is for one who walks on it: the options of it, and the places in it.
//!
//! Ground and water are worlds of their own. Unless it is said what is passable, a problem belongs to the
//! world that its start lies in, and a goal in the other one cannot be reached.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use surefoot::crowd::Kind;
use surefoot::formats::read_weights;
use surefoot::space::{
    Cell, CellWeights, CostModel, CostUnits, GridSpace, MoveRule, QueryError, Reachability, Role, State,
    StateSpace as _, TerrainMap, TerrainSet,
};
use surefoot::store::BuiltFor;

use crate::algorithm::Algorithm;
use crate::failure::Failure;
use crate::number;

/// The options that make a map a world.
#[derive(Clone, Debug, Args)]
pub(crate) struct WorldOptions {
    /// When a diagonal move is allowed: squeeze (always), one-free (if one of the two cells beside it is
    /// free), no-cut (if both are), cardinal (never)
    #[arg(long, value_name = "RULE", default_value = "no-cut")]
    pub(crate) rule: MoveRule,

    /// What a diagonal step costs: sqrt2 or 1.4
    #[arg(long, value_name = "COST", default_value = "sqrt2")]
    pub(crate) cost: CostModel,

    /// What can be walked on: ground, water, or terrain letters such as .GSW [default: ground, or water for
    /// problems that start on water]
    #[arg(long, value_name = "TERRAIN")]
    pub(crate) passable: Option<TerrainSet>,

    #[command(flatten)]
    pub(crate) weights: WeightOptions,

    #[command(flatten)]
    pub(crate) size: SizeOption,
}

/// The option that says how large those are who walk.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SizeOption {
    /// How large a unit is, in cells: it stands on a square, whose top left cell is its place, and all of it
    /// must be free
    #[arg(long, value_name = "CELLS", default_value_t = 1, value_parser = number::whole::<u32>(1..=64), allow_negative_numbers = true)]
    pub(crate) size: u32,
}

impl Default for SizeOption {
    fn default() -> Self {
        Self { size: 1 }
    }
}

/// The option that gives the map's ground weights.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct WeightOptions {
    /// How heavy the ground is in each cell, 1 to 255: a text file with a row of numbers for each row of the
    /// map, or a grey .png or .bmp with a pixel for each cell [default: 1 everywhere]
    #[arg(long, value_name = "FILE")]
    pub(crate) weights: Option<PathBuf>,
}

impl WeightOptions {
    /// The file, if one was named: no output may take its place.
    pub(crate) fn input(&self) -> Option<&Path> {
        self.weights.as_deref()
    }

    /// The weights, if they are for this map and those who walk on `passable`.
    pub(crate) fn read(
        &self,
        map: &TerrainMap,
        passable: TerrainSet,
    ) -> Result<Option<CellWeights>, Failure> {
        let Some(file) = self.input() else { return Ok(None) };
        let weights = read_weights(file)?;
        weights
            .check(&map.grid(passable))
            .map_err(|error| Failure::Other(format!("{}: {error}", file.display())))?;
        Ok(Some(weights))
    }
}

/// What the options are if none is given.
impl Default for WorldOptions {
    fn default() -> Self {
        let (weights, size) = (WeightOptions::default(), SizeOption::default());
        Self { rule: MoveRule::NoCut, cost: CostModel::Sqrt2, passable: None, weights, size }
    }
}

impl WorldOptions {
    /// The worlds of a map.
    ///
    /// # Errors
    /// If there are no weights in the file that was named, or not for this map.
    pub(crate) fn worlds(&self, map: TerrainMap) -> Result<Worlds, Failure> {
        // Problems may start on water, too.
        let passable = self.passable.unwrap_or(TerrainSet::GROUND.or(TerrainSet::WATER));
        let weights = self.weights.read(&map, passable)?;
        let worlds =
            Worlds { map, weights, options: self.clone(), main: OnceCell::new(), water: OnceCell::new() };
        // The heaviest cell under a large unit counts, and that may come to too much.
        if worlds.weights.is_some() && self.size.size > 1 {
            worlds.space(worlds.passable())?;
            self.passable.map_or_else(|| worlds.space(TerrainSet::WATER).map(drop), |_| Ok(()))?;
        }
        Ok(worlds)
    }

    /// Refuses algorithms that do not take weights, if there are any.
    pub(crate) fn check(&self, command: &'static str, algorithms: &[Algorithm]) -> Result<(), Failure> {
        let takes_them = |algorithm: &&Algorithm| algorithm.entry().is_some_and(|entry| entry.takes_weights);
        match algorithms.iter().find(|algorithm| !takes_them(algorithm)) {
            Some(algorithm) if self.weights.input().is_some() => {
                let (name, needs) = (algorithm.name(), algorithm.entry().map_or("", |entry| entry.needs));
                Err(Failure::usage(command, format!("{name} takes no --weights: it needs {needs}; use a*")))
            }
            _ => Ok(()),
        }
    }
}

/// The worlds of a map, made when they are first asked for.
pub(crate) struct Worlds {
    map: TerrainMap,
    /// Checked for all that its worlds can be made of.
    weights: Option<CellWeights>,
    options: WorldOptions,
    /// What was said to be passable; ground if nothing was.
    main: OnceCell<GridSpace>,
    water: OnceCell<GridSpace>,
}

/// A problem in its world.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub(crate) space: &'a GridSpace,
    pub(crate) start: State,
    pub(crate) goal: Goal,
}

/// Where a goal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// In the same world as the start.
    Here(State),
    /// On land when the start is in water, or the other way round.
    OtherWorld,
}

impl Placed<'_> {
    /// The goal, if there is a way to it.
    pub(crate) fn reachable_goal(&self) -> Option<State> {
        match self.goal {
            Goal::Here(goal) if self.space.reachability(self.start, goal) != Reachability::No => Some(goal),
            _ => None,
        }
    }
}

impl Worlds {
    /// The worlds of a map under the rule and the costs that a database was built for. Which cells are
    /// passable the file does not say: if nobody does, it is ground, unless the file was built for the map's
    /// water.
    pub(crate) fn of_built_for(
        built_for: &BuiltFor,
        map: &TerrainMap,
        passable: Option<TerrainSet>,
        weights: &WeightOptions,
        size: SizeOption,
    ) -> Result<Self, Failure> {
        let (Ok(rule), Ok(costs)) =
            (built_for.rule.parse::<MoveRule>(), built_for.costs.parse::<CostUnits>())
        else {
            return Err(Failure::Other(format!("this database was built for {built_for}, not for a map")));
        };
        if costs.is_weighted() != weights.input().is_some() {
            let what = if costs.is_weighted() { "weights: name them with --weights" } else { "no weights" };
            return Err(Failure::Other(format!("the map that this database was built for has {what}")));
        }
        let worlds = |passable: TerrainSet| {
            let options = WorldOptions {
                rule,
                cost: costs.model(),
                passable: Some(passable),
                weights: weights.clone(),
                size,
            };
            options.worlds(map.clone())
        };
        let is_its_own = |passable: TerrainSet| {
            worlds(passable).is_ok_and(|worlds| BuiltFor::of(worlds.main()) == *built_for)
        };
        let passable = passable.unwrap_or_else(|| {
            let is_water = !is_its_own(TerrainSet::GROUND) && is_its_own(TerrainSet::WATER);
            if is_water { TerrainSet::WATER } else { TerrainSet::GROUND }
        });
        worlds(passable)
    }

    /// The map.
    pub(crate) fn map(&self) -> &TerrainMap {
        &self.map
    }

    /// The world of what was said to be passable; of ground if nothing was.
    pub(crate) fn main(&self) -> &GridSpace {
        self.main.get_or_init(|| self.checked_space(self.passable()))
    }

    /// What was said to be passable; ground if nothing was.
    fn passable(&self) -> TerrainSet {
        self.options.passable.unwrap_or(TerrainSet::GROUND)
    }

    /// The world that a problem with this start belongs to.
    pub(crate) fn of_start(&self, start: Cell) -> &GridSpace {
        if self.options.passable.is_none() && self.lies_on(start, TerrainSet::WATER) {
            self.water.get_or_init(|| self.checked_space(TerrainSet::WATER))
        } else {
            self.main()
        }
    }

    /// The state of a cell in the world that a problem with this start belongs to.
    fn locate(&self, start: Cell, role: Role, cell: Cell) -> Result<State, QueryError> {
        let space = self.of_start(start);
        let is_water = self.water.get().is_some_and(|water| std::ptr::eq(water, space));
        let is_free = self.lies_on(cell, if is_water { TerrainSet::WATER } else { self.passable() });
        let size = self.options.size.size;
        space.locate(cell).map_err(|error| error.for_size(size, cell, is_free).at(role))
    }

    /// Finds the world of a problem and its ends in it.
    ///
    /// # Errors
    /// If an end lies outside the map or on what nobody can walk on.
    pub(crate) fn place(&self, start: Cell, goal: Cell) -> Result<Placed<'_>, QueryError> {
        let first = self.locate(start, Role::Start, start)?;
        let goal = match self.locate(start, Role::Goal, goal) {
            Ok(state) => Goal::Here(state),
            Err(QueryError::Blocked { .. }) if self.is_of_some_world(goal) => Goal::OtherWorld,
            Err(error) => return Err(error),
        };
        Ok(Placed { space: self.of_start(start), start: first, goal })
    }

    fn is_of_some_world(&self, cell: Cell) -> bool {
        self.options.passable.is_none()
            && (self.lies_on(cell, TerrainSet::GROUND) || self.lies_on(cell, TerrainSet::WATER))
    }

    fn lies_on(&self, cell: Cell, terrain: TerrainSet) -> bool {
        self.map.letter(cell).is_some_and(|letter| terrain.contains(letter))
    }

    /// What a unit of the size that was asked for sees of the map.
    fn space(&self, passable: TerrainSet) -> Result<GridSpace, Failure> {
        let mut kind = Kind::new(self.options.rule, self.options.cost);
        (kind.size, kind.weights) = (self.options.size.size, self.weights.clone());
        kind.space(&self.map.grid(passable)).map_err(Failure::other)
    }

    fn checked_space(&self, passable: TerrainSet) -> GridSpace {
        self.space(passable).expect("size and weights were checked when the worlds were made")
    }
}

/// A cell as written on the command line: `X,Y`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellArgument(pub(crate) Cell);

impl FromStr for CellArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected X,Y: two whole numbers from 0 and a comma, as in 12,5";
        let (x, y) = text.split_once(',').ok_or(expected)?;
        let number = |digits: &str| match digits.trim() {
            digits if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse::<u32>().map_err(|_| format!("{digits} is larger than any map"))
            }
            _ => Err(expected.to_string()),
        };
        Ok(Self(Cell::new(number(x)?, number(y)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worlds(passable: Option<TerrainSet>) -> Worlds {
        let map = TerrainMap::new(4, 2, b"..WW.TWW".to_vec()).unwrap();
        WorldOptions { passable, ..WorldOptions::default() }.worlds(map).unwrap()
    }

    #[test]
    fn the_start_chooses_the_world() {
        let worlds = worlds(None);
        let on_land = worlds.place(Cell::new(0, 0), Cell::new(1, 0)).unwrap();
        assert!(on_land.reachable_goal().is_some());
        let in_water = worlds.place(Cell::new(2, 0), Cell::new(3, 1)).unwrap();
        assert!(in_water.reachable_goal().is_some());
        for (start, goal) in [(Cell::new(0, 0), Cell::new(2, 0)), (Cell::new(2, 0), Cell::new(0, 0))] {
            assert_eq!(worlds.place(start, goal).unwrap().goal, Goal::OtherWorld);
        }
        assert!(matches!(worlds.place(Cell::new(0, 0), Cell::new(1, 1)), Err(QueryError::Blocked { .. })));
        assert!(matches!(worlds.place(Cell::new(9, 0), Cell::new(1, 1)), Err(QueryError::Outside { .. })));
    }

    #[test]
    fn what_is_passable_can_be_said() {
        let ground = worlds(Some(TerrainSet::GROUND));
        assert!(matches!(ground.place(Cell::new(0, 0), Cell::new(2, 0)), Err(QueryError::Blocked { .. })));
        let both = worlds(Some(".W".parse().unwrap()));
        assert!(both.place(Cell::new(0, 0), Cell::new(3, 1)).unwrap().reachable_goal().is_some());
    }

    #[test]
    fn large_units_need_room() {
        let map = TerrainMap::new(6, 2, b"..WW.T..WW..".to_vec()).unwrap();
        let options = WorldOptions { size: SizeOption { size: 2 }, ..WorldOptions::default() };
        let worlds = options.worlds(map).unwrap();
        let place = |from: (u32, u32), to: (u32, u32)| {
            worlds.place(Cell::new(from.0, from.1), Cell::new(to.0, to.1)).map(|placed| placed.goal)
        };
        assert!(matches!(place((0, 0), (0, 0)), Ok(Goal::Here(_))));
        assert!(matches!(place((2, 0), (2, 0)), Ok(Goal::Here(_))));
        assert_eq!(place((0, 0), (2, 0)), Ok(Goal::OtherWorld));
        let no_room = |role, x, y| Err(QueryError::NoRoom { role, cell: Cell::new(x, y), size: 2 });
        assert_eq!(place((1, 0), (0, 0)), no_room(Role::Start, 1, 0));
        assert_eq!(place((0, 0), (4, 0)), no_room(Role::Goal, 4, 0));
        assert_eq!(place((3, 0), (2, 0)), no_room(Role::Start, 3, 0));
        assert!(matches!(place((5, 0), (0, 0)), Err(QueryError::Blocked { .. })));
    }

    #[test]
    fn cells_are_two_numbers() {
        assert_eq!("3, 4".parse::<CellArgument>().unwrap().0, Cell::new(3, 4));
        for wrong in ["", "3", "3,", ",4", "-1,4", "3,4,5", "3;4", "x,y", "+3,4"] {
            assert!(wrong.parse::<CellArgument>().unwrap_err().starts_with("expected X,Y"), "{wrong}");
        }
        assert!("99999999999,0".parse::<CellArgument>().unwrap_err().contains("larger"));
    }
}
