//! Trees of `lrta*(dt,g)` that a part grows from the plan's own problems: one for each fold of them.

use std::sync::Arc;

use rayon::prelude::*;
use surefoot::agent::Spec;
use surefoot_classics::depth::{DepthTree, TreeSettings};

use super::course::Course;
use super::store::Store;
use super::units::Study;
use super::{Host, RunError};
use crate::episode::unless_stopped;
use crate::maps::Symmetry;
use crate::plan::OwnTrees;
use crate::training::{Lesson, TrainingError, TreeConfig, collect, grow_in_folds};

/// No more lessons of one walk than this: those of a walk that is cut off would outweigh all others.
const MOST_LESSONS: u64 = 10_000;

/// Which walks are in which fold does not depend on anything else.
const SEED: u64 = 1;

/// The trees of one depth, and who walks with which.
pub(super) struct Folds {
    /// One for each fold, which has not seen its walks.
    pub(super) trees: Vec<Arc<DepthTree>>,
    /// For each world the fold of each of its problems.
    pub(super) of_problems: Vec<Vec<usize>>,
}

/// The trees that were grown so far.
#[derive(Default)]
pub(super) struct Forest {
    grown: Vec<(OwnTrees, u32, Arc<Folds>)>,
}

impl Forest {
    /// The trees for an algorithm.
    pub(super) fn folds(
        &mut self,
        study: &Study<'_>,
        spec: &Spec,
        own: OwnTrees,
        store: &Store<'_>,
        host: &mut dyn Host,
    ) -> Result<Arc<Folds>, RunError> {
        let arguments = surefoot_classics::ROSTER.arguments(spec)?;
        let deepest = arguments.number("dmax", 1..=100)? as u32;
        if let Some((.., known)) = self.grown.iter().find(|known| (known.0, known.1) == (own, deepest)) {
            return Ok(Arc::clone(known));
        }
        let folds = Arc::new(grow(study, deepest, own, store, host)?);
        self.grown.push((own, deepest, Arc::clone(&folds)));
        Ok(folds)
    }
}

fn grow(
    study: &Study<'_>,
    deepest: u32,
    own: OwnTrees,
    store: &Store<'_>,
    host: &mut dyn Host,
) -> Result<Folds, RunError> {
    let settings = TreeSettings { deepest, ..TreeSettings::default() };
    let broken = |error: TrainingError| RunError::Broken(error.to_string());
    let mut walks: Vec<Vec<Lesson>> = Vec::new();
    let mut counts = Vec::new();
    for world in &study.worlds {
        // Maps that are laid in other ways have the same lessons once more: no walk with own trees is on
        // them.
        if world.symmetry != Symmetry::NONE {
            counts.push(0);
            continue;
        }
        host.progress(&format!("{}: lessons, dmax={deepest}", world.name), 0, 0);
        let course = Course::new(&study.plan, world, store, host)?;
        let lessons = course.ends()?.into_par_iter().map(|ends| {
            if unless_stopped(store.stop).is_break() {
                return Err(RunError::Stopped);
            }
            collect(course.space(), ends, settings, MOST_LESSONS).map_err(broken)
        });
        let lessons: Vec<Vec<Lesson>> = lessons.collect::<Result<_, _>>()?;
        counts.push(lessons.len());
        walks.extend(lessons);
    }
    host.progress(&format!("trees, dmax={deepest}"), 0, 0);
    let config = TreeConfig { least_in_leaf: own.leaf, confidence: own.pruning };
    let (trees, mut fold_of) = grow_in_folds(&walks, settings, &config, own.folds, SEED)
        .map_err(|error| RunError::Broken(error.to_string()))?;
    let of_problems = counts.into_iter().map(|count| fold_of.drain(..count).collect()).collect();
    Ok(Folds { trees: trees.into_iter().map(Arc::new).collect(), of_problems })
}
