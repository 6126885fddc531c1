//! `home*`: everybody goes home. The database knows how far it is from every state; the agent goes where that is least.
//!
//! A toy, whole: config, database, file, edits, agent, entry.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use surefoot::agent::{
    Agent, Bound, Entry, Errand, Memory, Parameter, Scale, Step, UselessDatabase, WithDatabase,
};
use surefoot::search::{Dijkstra, Meter, Work};
use surefoot::space::{Cell, Cost, GridSpace, QueryError, State, StateSpace as _};
use surefoot::store::codec::{CodecError, Reader, put_number};
use surefoot::store::container::{Container, malformed};
use surefoot::store::{
    BuiltFor, Database, DatabaseConfig, DatabaseError, DatabaseKind, Edited, Fact, FileInfo, Follows,
    Maintained, Mark, Shade, SharedBytes, Sketch, View, ViewError, Watch, shared_as, thousands,
};

/// The line for the roster of databases.
pub(crate) static KIND: DatabaseKind = DatabaseKind {
    name: "home",
    follows: Follows::InFile,
    open: |space, bytes| Ok(Arc::new(HomeField::open(space, &bytes)?)),
    inspect: |bytes| {
        let (container, config) = HomeField::head(bytes)?;
        let states = container.built_for.states;
        let facts = vec![Fact::new("states", thousands(states)).with_count("states", states)];
        Ok(FileInfo::new(bytes, &container, config, facts))
    },
    blocks: None,
};

/// The line for the roster of algorithms.
pub(crate) const ENTRY: Entry = Entry {
    name: "home*",
    summary: "goes home, whatever else it is told",
    optimal: true,
    complete: false,
    takes_weights: true,
    parameters: &[
        Parameter { name: "x", default: "0", meaning: "the column of home" },
        Parameter { name: "y", default: "0", meaning: "the row of home" },
    ],
    bound: Bound::PerMove("1 expansion"),
    needs: "the way home",
    paper: "none",
    scale: Scale::Fixed,
    make: |arguments| {
        let number = |key| arguments.number(key, 0..=u64::from(u32::MAX)).map(|number| number as u32);
        let config = HomeConfig { home: Cell::new(number("x")?, number("y")?) };
        WithDatabase::recipe(
            move |_| config,
            |asked: &HomeConfig, built| asked == built,
            |field| Ok(Box::new(HomeAgent::new(field))),
        )
    },
};

/// Where home is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HomeConfig {
    home: Cell,
}

impl fmt::Display for HomeConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "home(x={}, y={})", self.home.x, self.home.y)
    }
}

impl DatabaseConfig for HomeConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn build(&self, space: &GridSpace, _: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        Ok(Arc::new(HomeField::build(space, *self)))
    }
}

/// How far it is home.
#[derive(Clone, Debug)]
pub(crate) struct HomeField {
    config: HomeConfig,
    built_for: BuiltFor,
    distances: Vec<Option<Cost>>,
}

impl HomeField {
    fn build(space: &GridSpace, config: HomeConfig) -> Self {
        let field = space.locate(config.home).ok().and_then(|home| Dijkstra::new().field(space, home).ok());
        let distance = |state| field.as_ref().and_then(|field| field.distance(State(state)));
        let distances = (0..space.state_limit() as u32).map(distance).collect();
        Self { config, built_for: BuiltFor::of(space), distances }
    }

    fn write(&self) -> Vec<u8> {
        let mut conf = Vec::new();
        put_number(&mut conf, self.config.home.x.into());
        put_number(&mut conf, self.config.home.y.into());
        let mut far = Vec::new();
        self.distances.iter().for_each(|far_home| put_number(&mut far, far_home.map_or(0, |cost| cost + 1)));
        Container::write(KIND.name, &self.built_for, &[(*b"conf", conf), (*b"dist", far)])
    }

    fn head(bytes: &[u8]) -> Result<(Container, HomeConfig), DatabaseError> {
        let container = Container::read_of(KIND.name, bytes)?;
        let mut reader = Reader::new(&bytes[container.section("conf")?]);
        let mut side = || reader.number_up_to(u32::MAX.into(), "no map is so large").map(|side| side as u32);
        let home = Cell::new(side()?, side()?);
        reader.finish()?;
        Ok((container, HomeConfig { home }))
    }

    fn open(space: &GridSpace, bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let bytes: &[u8] = (**bytes).as_ref();
        let (container, config) = Self::head(bytes)?;
        container.built_for.check(space)?;
        let mut reader = Reader::new(&bytes[container.section("dist")?]);
        let mut distances = Vec::new();
        for _ in 0..space.state_limit() {
            distances.push(reader.number()?.checked_sub(1));
        }
        reader.finish()?;
        // No file leads astray: it is what is built anew.
        let built = Self::build(space, config);
        if built.distances != distances {
            return Err(malformed("dist", "these are not the ways home".to_string()));
        }
        Ok(built)
    }
}

impl Database for HomeField {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn built_for(&self) -> Cow<'_, BuiltFor> {
        Cow::Borrowed(&self.built_for)
    }

    fn config(&self) -> &dyn DatabaseConfig {
        &self.config
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.write())
    }

    fn states(&self) -> u64 {
        self.distances.len() as u64
    }

    fn maintained(self: Arc<Self>) -> Box<dyn Maintained> {
        Box::new(Kept(self))
    }

    fn verify(&self, space: &GridSpace, _: u64, _: u64, _: Watch<'_>) -> Result<Vec<Fact>, String> {
        let is_right = Self::build(space, self.config).distances == self.distances;
        if is_right { Ok(vec![Fact::new("rebuilt", "all is right")]) } else { Err("it is wrong".to_string()) }
    }

    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        if view.way.is_some() {
            return Err(ViewError::NotForThis { option: "--from and --to", contents: "one home" });
        }
        let known =
            |cell: &Cell| space.state_at(*cell).is_some_and(|state| self.distances[state.index()].is_some());
        let cells = space.grid().free_cells().filter(known).collect();
        Ok(Sketch::of(vec![Mark::Cells(cells, Shade::Region(0)), Mark::Goal(self.config.home)]))
    }
}

/// It is made anew with every edit.
#[derive(Clone, Debug)]
struct Kept(Arc<HomeField>);

impl Maintained for Kept {
    fn database(&self) -> Arc<dyn Database> {
        Arc::<HomeField>::clone(&self.0)
    }

    fn edit(&mut self, space: &GridSpace, _: &[Cell]) -> Option<Edited> {
        self.0 = Arc::new(HomeField::build(space, self.0.config));
        Some(Edited { work: space.state_limit() as u64, is_new: true, retired: Vec::new() })
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(self.clone())
    }
}

/// An agent that goes home.
#[derive(Clone, Debug)]
pub(crate) struct HomeAgent {
    field: Arc<HomeField>,
    errand: Errand,
}

impl HomeAgent {
    /// An agent that has nothing to do yet.
    pub(crate) fn new(field: Arc<HomeField>) -> Self {
        Self { field, errand: Errand::NONE }
    }
}

impl Agent for HomeAgent {
    fn begin(&mut self, space: &GridSpace, start: State, goal: State) -> Result<(), QueryError> {
        self.errand = Errand::new(space, start, goal)?;
        Ok(())
    }

    fn set_goal(&mut self, space: &GridSpace, goal: State) -> Result<(), QueryError> {
        self.begin(space, self.errand.position, goal)
    }

    fn step(&mut self, space: &GridSpace, meter: &mut Meter) -> Step {
        if let Some(step) = self.errand.foregone(space) {
            return step;
        }
        meter.charge_expansion(self.errand.position);
        let mut best = None;
        space.for_each_successor(self.errand.position, |next, cost| {
            let far = self.field.distances[next.index()].map(|far| (far + cost, next));
            best = [best, far].into_iter().flatten().min();
        });
        best.map_or(Step::Stuck, |(_, next)| self.errand.go(next))
    }

    fn position(&self) -> State {
        self.errand.position
    }

    fn plan(&self) -> Vec<State> {
        Vec::new()
    }

    fn bound(&self) -> Option<Work> {
        Some(Work::of_expansions(1))
    }

    fn memory(&self) -> Memory {
        Memory::default()
    }

    fn use_database(&mut self, database: &Arc<dyn Database>) -> Result<(), UselessDatabase> {
        self.field = shared_as(database).ok_or(UselessDatabase)?;
        Ok(())
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }

    fn save(&self, _: &GridSpace, out: &mut Vec<u8>) {
        self.errand.save(out);
    }

    fn restore(&mut self, space: &GridSpace, saved: &mut Reader<'_>) -> Result<(), CodecError> {
        self.errand = Errand::restore(space, saved)?;
        Ok(())
    }
}
