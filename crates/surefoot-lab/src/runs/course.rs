//! One map after the other: its problems, its databases, and the units that are walked on it.

use std::sync::Arc;

use surefoot::space::{GridSpace, State};
use surefoot::store::{Database, DatabaseConfig};

use super::store::{Problem, Store};
use super::trees::Folds;
use super::units::Unit;
use super::walks::{Walking, of_buckets};
use super::worlds::World;
use super::{DatabaseFacts, Host, MapFacts, RunError, UnitResult};
use crate::episode::EpisodeError;
use crate::maps::Symmetry;
use crate::plan::Plan;
use crate::rows::Row;

/// A map with its problems, and the database that was used last.
pub(super) struct Course<'w> {
    world: &'w World,
    space: GridSpace,
    facts: MapFacts,
    problems: Vec<Problem>,
    database: Option<(Arc<dyn Database>, DatabaseFacts)>,
    config: Option<Box<dyn DatabaseConfig>>,
}

impl<'w> Course<'w> {
    /// Reads or makes the map of a world and its problems.
    pub(super) fn new(
        plan: &Plan,
        world: &'w World,
        store: &Store<'_>,
        host: &mut dyn Host,
    ) -> Result<Self, RunError> {
        let entry = &plan.maps[world.entry];
        let as_it_is = world.space(entry)?;
        let mut problems = store.problems(world, entry, &as_it_is, host)?;
        let space = match world.symmetry {
            Symmetry::NONE => as_it_is,
            symmetry => {
                let grid = as_it_is.grid();
                problems.iter_mut().for_each(|own| own.lay(symmetry, (grid.width(), grid.height())));
                GridSpace::new(symmetry.lay(grid)?, entry.rule, entry.cost)
            }
        };
        let facts = MapFacts { symmetry: world.symmetry, ..MapFacts::of(&world.name, &space) };
        Ok(Self { world, space, facts, problems, database: None, config: None })
    }

    /// The map.
    pub(super) fn space(&self) -> &GridSpace {
        &self.space
    }

    /// Where its problems begin and end.
    pub(super) fn ends(&self) -> Result<Vec<(State, State)>, RunError> {
        let ends = self.problems.iter().map(|own| self.space.locate_ends(own.start(), own.goal()));
        ends.collect::<Result<_, _>>().map_err(|error| EpisodeError::from(error).into())
    }

    /// Walks the problems of a unit; `folds` are the trees of the part, and which problem is whose.
    pub(super) fn run(
        &mut self,
        plan: &Plan,
        unit: &Unit,
        folds: Option<&Folds>,
        store: &Store<'_>,
        host: &mut dyn Host,
    ) -> Result<UnitResult, RunError> {
        if self.config != unit.config {
            // The one before makes room first.
            self.database = None;
            self.config.clone_from(&unit.config);
            self.database =
                unit.config.as_deref().map(|config| store.database(&self.space, config, host)).transpose()?;
        }
        let (part, planned) = (&plan.parts[unit.part], &unit.planned);
        let walking = Walking {
            map: &self.world.name,
            space: &self.space,
            spec: &planned.spec,
            tree: None,
            database: self.database.as_ref().map(|(database, _)| database),
            most_moves: part.most_moves.or(plan.most_moves),
            timed: part.timed,
            game: plan.game,
            passes: part.passes,
            stop: store.stop,
        };
        let problems = of_buckets(&self.problems, part.every_bucket, &self.space);
        let rows = match folds {
            Some(folds) => rows_by_folds(&walking, &problems, folds, unit.world)?,
            None => walking.rows(&problems)?,
        };
        Ok(UnitResult {
            experiment: plan.name.clone(),
            part: planned.part.clone(),
            map: self.facts.clone(),
            spec: planned.spec.clone(),
            seed: planned.seed,
            timed: planned.timed,
            database: self.database.as_ref().map(|(_, facts)| facts.clone()),
            provenance: store.provenance.clone(),
            rows,
        })
    }
}

/// The rows of the problems of a world, in their order, each walked with the tree of its fold.
fn rows_by_folds(
    walking: &Walking<'_>,
    problems: &[&Problem],
    folds: &Folds,
    world: usize,
) -> Result<Vec<Row>, RunError> {
    let fold_of = &folds.of_problems[world];
    let mut rows: Vec<(usize, Row)> = Vec::with_capacity(problems.len());
    for (fold, tree) in folds.trees.iter().enumerate() {
        let places: Vec<usize> =
            (0..problems.len()).filter(|&place| fold_of.get(place) == Some(&fold)).collect();
        let own: Vec<&Problem> = places.iter().map(|&place| problems[place]).collect();
        let walked = Walking { tree: Some(tree), ..*walking }.rows(&own)?;
        rows.extend(places.into_iter().zip(walked));
    }
    rows.sort_by_key(|own| own.0);
    Ok(rows.into_iter().map(|own| own.1).collect())
}
