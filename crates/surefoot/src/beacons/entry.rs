//! `beacon*` in a roster.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;

use super::{BeaconAgent, BeaconConfig, BeaconDatabase, Labelled};
use crate::agent::{Agent, Algorithm, Bound, Entry, Parameter, Recipe, Scale, Spec};
use crate::store::{Database, DatabaseConfig, shared_as};
use crate::transit::{TransitAgent, TransitDatabase};

/// `beacon*`.
pub const ENTRY: Entry = Entry {
    name: "beacon*",
    summary: "walks from corner to corner of the map by ways whose cost is known; optimal, learns nothing",
    optimal: true,
    complete: true,
    takes_weights: true,
    parameters: &[
        Parameter {
            name: "bound",
            default: "auto",
            meaning: "the most that a move looks up, 1 to 1000000000; auto: as much as a decision takes",
        },
        Parameter {
            name: "labels",
            default: "auto",
            meaning: "which corners have labels: all, core, or auto: all where these are few",
        },
    ],
    bound: Bound::PerMove(
        "2 expansions, and lookups as the database says: what two cells see and its labels, or bound",
    ),
    needs: "beacons",
    paper: "none: surefoot's own; from subgoal graphs (2013) and hub labels (2014)",
    scale: Scale::Fixed,
    make: |arguments| {
        let named = Labelled::NAMES.into_iter().find(|(name, _)| *name == arguments.text("labels"));
        let labels = named.ok_or_else(|| arguments.error("labels", &"expected auto, all or core"))?.1;
        let bound = arguments.number_unless("bound", "auto", 1..=1_000_000_000)?;
        let config = BeaconConfig { bound, labels };
        Ok(Box::new(Beacons { config, names_bound: arguments.gives("bound") }))
    },
};

/// `beacon*` with its usual parameters.
#[must_use]
pub fn beacon_star() -> Algorithm {
    let config = BeaconConfig::default();
    Algorithm::new(Spec::of_name(ENTRY.name), &ENTRY, Box::new(Beacons { config, names_bound: false }))
}

/// Where ground has weights there are no beacons: transit nodes stand in for them.
struct Beacons {
    config: BeaconConfig,
    names_bound: bool,
}

impl Recipe for Beacons {
    fn database(&self, _: u64) -> Option<Box<dyn DatabaseConfig>> {
        Some(Box::new(self.config))
    }

    fn agent(&self, database: Option<&Arc<dyn Database>>) -> Result<Box<dyn Agent>, Option<String>> {
        let database = database.ok_or(None)?;
        if let Some(nodes) = shared_as::<TransitDatabase>(database) {
            return Ok(Box::new(TransitAgent::new(nodes)));
        }
        let beacons = shared_as::<BeaconDatabase>(database).ok_or(None)?;
        let (asked, built) = (self.config, beacons.config());
        if self.names_bound && asked.bound != built.bound {
            return Err(Some(format!(
                "this database is {built}, but {asked} is asked for: build it anew, or change the spec"
            )));
        }
        Ok(Box::new(BeaconAgent::new(beacons)))
    }
}
