//! Abstractions as one of many kinds of databases.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString as _};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};

use surefoot::agent::{Agent, Arguments, Parameter, Recipe, SpecError, WithDatabase};
use surefoot::space::{Cell, GridSpace, StateSpace as _};
use surefoot::store::{
    BuiltFor, Database, DatabaseConfig, DatabaseError, DatabaseKind, Edited, Fact, Figure, FileInfo, Follows,
    Maintained, Mark, Shade, Sketch, View, ViewError, Watch, thousands,
};

use super::{AbstractDistance, Abstraction, AbstractionConfig, AbstractionFileInfo, CONTENTS};
use crate::regions::colours::{colour_all, paint};

/// The kind of database that abstractions are.
pub static KIND: DatabaseKind = DatabaseKind {
    name: CONTENTS,
    follows: Follows::InFile,
    open: |space, bytes| Ok(Arc::new(Abstraction::from_shared(space, &bytes)?)),
    inspect: |bytes| Abstraction::inspect(bytes).map(AbstractionFileInfo::describe),
    blocks: None,
};

/// Copying and repairing an abstraction takes about so many states' time for one unit of work.
const STATES_COPIED: usize = 16;

impl DatabaseConfig for AbstractionConfig {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    /// It is so fast that there is no progress to tell of.
    fn build(&self, space: &GridSpace, _: Watch<'_>) -> Result<Arc<dyn Database>, DatabaseError> {
        Ok(Arc::new(Abstraction::build(space, *self)?))
    }
}

impl Database for Abstraction {
    fn kind(&self) -> &'static DatabaseKind {
        &KIND
    }

    fn built_for(&self) -> Cow<'_, BuiltFor> {
        Cow::Owned(self.built_for())
    }

    fn config(&self) -> &dyn DatabaseConfig {
        self.config()
    }

    fn to_bytes(&self) -> Cow<'_, [u8]> {
        self.to_bytes()
    }

    fn states(&self) -> u64 {
        self.states()
    }

    /// The nodes above the ground.
    fn entries(&self) -> u64 {
        self.states() - self.ground_states()
    }

    fn maintained(self: Arc<Self>) -> Box<dyn Maintained> {
        Box::new(Levels(self))
    }

    /// Every group and edge is counted again.
    fn verify(&self, space: &GridSpace, _: u64, _: u64, _: Watch<'_>) -> Result<Vec<Fact>, String> {
        self.verify_cliques(space).map_err(|fault| fault.to_string())?;
        let nodes: Vec<String> =
            (1..self.levels()).map(|level| thousands(self.node_count(level) as u64)).collect();
        Ok(Vec::from([
            Fact::new("states", format!("{}, each in one group", thousands(self.ground_states()))),
            Fact::new("levels", format!("of {} nodes", nodes.join(", "))),
            Fact::new("recounted", "groups are cliques with orphans, edges and capacities are right"),
        ]))
    }

    /// The regions of every level, or of one.
    fn sketch(&self, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
        let contents = "levels";
        if view.way.is_some() || view.record.is_some() {
            let option = if view.way.is_some() { "--from" } else { "--record" };
            return Err(ViewError::NotForThis { option, contents });
        }
        let highest = self.levels().saturating_sub(1);
        let levels = match view.level.map(|level| level as usize) {
            None => 1..=highest,
            Some(level) if (1..=highest).contains(&level) => level..=level,
            Some(level) => {
                let (number, most) = (level as u32, highest as u32);
                return Err(ViewError::NoSuch { what: "level", number, least: 1, most });
            }
        };
        let panel = |level: usize| {
            let count = self.node_count(level);
            let nodes =
                if count == 1 { "1 node".to_string() } else { format!("{} nodes", thousands(count as u64)) };
            (format!("level {level}"), nodes, regions_of_level(self, space, level))
        };
        let (head, rows) = table(self, space);
        let legend = vec![(Shade::Region(0), "the cells of a node: those beside it have other colours")];
        Ok(Sketch { panels: levels.map(panel).collect(), legend, ..Sketch::default() }.with_table(head, rows))
    }
}

/// The regions of a level, no two that touch in one colour.
#[must_use]
pub fn regions_of_level(abstraction: &Abstraction, space: &GridSpace, level: usize) -> Vec<Mark> {
    // A component that is one region on a lower level has none here.
    paint(space, &colours_of_level(abstraction, level), |state| abstraction.ancestor(state, level))
}

/// A number for each node of a level above the ground, so that no two neighbours share one.
#[must_use]
pub fn colours_of_level(abstraction: &Abstraction, level: usize) -> Vec<u8> {
    let neighbours = |node| abstraction.edges(level, node).map(|(neighbour, ..)| neighbour);
    colour_all(abstraction.node_count(level) as u32, neighbours)
}

/// The levels, the ground first.
fn table(abstraction: &Abstraction, space: &GridSpace) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let head =
        vec!["level", "nodes", "edges", "degree", "children", "largest group", "orphans", "tops", "bytes"];
    let row = |(level, stats): (usize, &super::LevelStats)| {
        // The cells of the map have no children.
        let of_group = |figure: String| if level == 0 { "-".to_string() } else { figure };
        vec![
            level.to_string(),
            thousands(stats.nodes),
            thousands(stats.edges),
            format!("{:.2}", stats.mean_degree()),
            of_group(format!("{:.2}", stats.mean_children())),
            of_group(thousands(stats.largest_group)),
            of_group(thousands(stats.orphans)),
            thousands(stats.tops),
            thousands(stats.bytes),
        ]
    };
    (head, abstraction.level_stats(space).iter().enumerate().map(row).collect())
}

/// Agents have the old one, so that it has to be copied.
#[derive(Clone, Debug)]
struct Levels(Arc<Abstraction>);

impl Maintained for Levels {
    fn database(&self) -> Arc<dyn Database> {
        Arc::<Abstraction>::clone(&self.0)
    }

    fn edit(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let mut abstraction = (*self.0).clone();
        abstraction.repair(space, changed.iter().copied()).ok()?;
        self.0 = Arc::new(abstraction);
        let work = (space.state_limit() / STATES_COPIED) as u64;
        Some(Edited { work, is_new: true, retired: Vec::new() })
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(self.clone())
    }
}

impl AbstractionFileInfo {
    /// What there is to say of it.
    fn describe(self) -> FileInfo {
        let above: Vec<u64> = self.levels.iter().skip(1).map(|&(nodes, _)| nodes).collect();
        let named: Vec<String> = above.iter().map(|&nodes| thousands(nodes)).collect();
        let [nodes, edges]: [Vec<u64>; 2] = [
            self.levels.iter().map(|&(nodes, _)| nodes).collect(),
            self.levels.iter().map(|&(_, edges)| edges).collect(),
        ];
        let all: u64 = above.iter().sum();
        let facts = Vec::from([
            Fact::new("levels", format!("{} above the map, of {} nodes", above.len(), named.join(", ")))
                .with("nodes", Figure::Counts(nodes))
                .with("edges", Figure::Counts(edges)),
            Fact::new(
                "bytes",
                format!(
                    "{}, {:.2} for each node above the map",
                    thousands(self.bytes),
                    self.bytes as f64 / all.max(1) as f64
                ),
            ),
        ]);
        let Self { version, built_for, config, bytes, sections, .. } = self;
        let contents = CONTENTS.to_string();
        FileInfo { contents, version, built_for, config: Box::new(config), facts, bytes, sections }
    }
}

/// The recipe of agents that go by an abstraction.
pub(crate) fn recipe(
    arguments: &Arguments<'_>,
    agent: impl Fn(Arc<Abstraction>) -> Result<Box<dyn Agent>, String> + Send + Sync + 'static,
) -> Result<Box<dyn Recipe>, SpecError> {
    let distance = match arguments.text("distance") {
        "octile" => AbstractDistance::Octile,
        "euclidean" => AbstractDistance::Euclidean,
        _ => return Err(arguments.error("distance", &"expected octile or euclidean")),
    };
    let config = AbstractionConfig { aligned: arguments.flag("aligned")?, distance };
    let [aligned, distance] = ["aligned", "distance"].map(|key| arguments.gives(key));
    WithDatabase::recipe(
        move |_| config,
        move |asked: &AbstractionConfig, built| {
            (!aligned || asked.aligned == built.aligned) && (!distance || asked.distance == built.distance)
        },
        agent,
    )
}

/// How cells are grouped first.
pub(crate) const ALIGNED: Parameter = Parameter {
    name: "aligned",
    default: "yes",
    meaning: "whether the abstraction groups aligned squares first: yes or no",
};
/// How far apart abstract nodes are.
pub(crate) const DISTANCE: Parameter = Parameter {
    name: "distance",
    default: "octile",
    meaning: "how far apart abstract nodes are: octile or euclidean",
};
