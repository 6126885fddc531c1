//! One map after the other: its problems, its databases, and the units that are walked on it.

use std::sync::Arc;

use surefoot::space::GridSpace;
use surefoot::store::{Database, DatabaseConfig};

use super::store::{Problem, Store};
use super::units::Unit;
use super::walks::{Walking, of_buckets};
use super::worlds::World;
use super::{DatabaseFacts, Host, MapFacts, RunError, UnitResult};
use crate::maps::Symmetry;
use crate::plan::Plan;

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

    /// Walks the problems of a unit.
    pub(super) fn run(
        &mut self,
        plan: &Plan,
        unit: &Unit,
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
            database: self.database.as_ref().map(|(database, _)| database),
            most_moves: part.most_moves.or(plan.most_moves),
            timed: part.timed,
            game: plan.game,
            passes: part.passes,
            stop: store.stop,
        };
        let problems = of_buckets(&self.problems, part.every_bucket, &self.space);
        Ok(UnitResult {
            experiment: plan.name.clone(),
            part: planned.part.clone(),
            map: self.facts.clone(),
            spec: planned.spec.clone(),
            seed: planned.seed,
            timed: planned.timed,
            database: self.database.as_ref().map(|(_, facts)| facts.clone()),
            provenance: store.provenance.clone(),
            rows: walking.rows(&problems)?,
        })
    }
}
