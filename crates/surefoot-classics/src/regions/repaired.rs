//! A database with the repairer that keeps it right: what records and covers have in common.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use surefoot::space::{Cell, GridSpace};
use surefoot::store::{Database, Edited, Maintained, Upkeep};

/// What it takes to climb a leg of a record or a path again, in work: flat, for it is not counted there.
const LEG_WORK: u64 = 50;
/// The same to find a record, or the chains to a region, anew.
const RENEWAL_WORK: u64 = 2_000;

/// What repairs a database, leg by leg.
pub(crate) trait Repairer: Clone + fmt::Debug + Send + Sync + Sized + 'static {
    type Database: Database;

    /// Looks at all legs on the map as it is. How many there are comes with it. `None` if it is another map.
    fn begin(space: &GridSpace, database: &Arc<Self::Database>) -> Option<(Self, u64)>;

    /// Takes over that cells have changed. How many legs were climbed. `None` if it is another map.
    fn follow(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<u64>;

    /// Finds one of those that wait anew.
    fn renew_one(&mut self, space: &GridSpace);

    /// How many wait.
    fn waiting(&self) -> usize;

    /// The database as it is now.
    fn database(&self) -> &Arc<Self::Database>;
}

/// A database, and what keeps it right once the map was edited.
#[derive(Debug)]
pub(crate) struct Repaired<R: Repairer> {
    database: Arc<R::Database>,
    repairer: Option<Box<R>>,
}

impl<R: Repairer> Repaired<R> {
    pub(crate) fn new(database: Arc<R::Database>) -> Self {
        Self { database, repairer: None }
    }
}

impl<R: Repairer> Maintained for Repaired<R> {
    fn database(&self) -> Arc<dyn Database> {
        Arc::<R::Database>::clone(&self.database)
    }

    fn edit(&mut self, space: &GridSpace, changed: &[Cell]) -> Option<Edited> {
        let legs = match &mut self.repairer {
            Some(repairer) => repairer.follow(space, changed)?,
            // The first time all legs are looked at on the map as it is.
            None => {
                let (repairer, legs) = R::begin(space, &self.database)?;
                self.repairer = Some(Box::new(repairer));
                legs
            }
        };
        self.database = Arc::clone(self.repairer.as_ref()?.database());
        Some(Edited { work: legs * LEG_WORK, is_new: true, retired: Vec::new() })
    }

    fn is_upkeep_due(&self) -> bool {
        self.repairer.as_ref().is_some_and(|repairer| repairer.waiting() > 0)
    }

    fn upkeep(&mut self, space: &GridSpace) -> Option<Upkeep> {
        let repairer = self.repairer.as_mut().filter(|repairer| repairer.waiting() > 0)?;
        repairer.renew_one(space);
        let is_last = repairer.waiting() == 0;
        if is_last {
            self.database = Arc::clone(repairer.database());
        }
        Some(Upkeep { work: RENEWAL_WORK, is_last })
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(Self { database: Arc::clone(&self.database), repairer: self.repairer.clone() })
    }
}
