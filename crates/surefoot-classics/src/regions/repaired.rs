//! A database with the repairer that keeps it right: what records and covers have in common.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use surefoot::space::{Cell, GridSpace};
use surefoot::store::codec::{Reader, put_number};
use surefoot::store::{
    Checkpoint, Database, DatabaseError, Edited, Maintained, Resumed, SharedBytes, Upkeep,
};

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

    /// Writes what it knows beside the database and the map.
    fn save(&self, out: &mut Vec<u8>);

    /// Writes what is not in the file of a database that was repaired.
    fn save_changes(database: &Self::Database, out: &mut Vec<u8>);

    /// Opens the file of a database that was not repaired.
    fn open(space: &GridSpace, file: &SharedBytes) -> Result<Self::Database, DatabaseError>;

    /// Reads what was written of both for this map, behind the file.
    fn resume(space: &GridSpace, file: &SharedBytes, reader: &mut Reader<'_>) -> Result<Self, DatabaseError>;
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

    /// What a checkpoint was of, for the map as it was then.
    pub(crate) fn resume(space: &GridSpace, bytes: &[u8]) -> Resumed {
        let mut reader = Reader::new(bytes);
        let length = reader.count(1)?;
        let file = Arc::new(reader.bytes(length)?.to_vec()) as SharedBytes;
        let resumed = match reader.number_up_to(1, "this should be 0 or 1")? {
            0 => Self::new(Arc::new(R::open(space, &file)?)),
            _ => {
                let repairer = R::resume(space, &file, &mut reader)?;
                Self { database: Arc::clone(repairer.database()), repairer: Some(Box::new(repairer)) }
            }
        };
        reader.finish()?;
        Ok(Box::new(resumed))
    }
}

/// What a database was at some time, and what its repairer knew beside it, as bytes.
#[derive(Debug)]
struct RepairedState<R: Repairer> {
    database: Arc<R::Database>,
    beside: Option<Vec<u8>>,
}

impl<R: Repairer> Checkpoint for RepairedState<R> {
    fn to_bytes(&self) -> Vec<u8> {
        let (file, mut out) = (self.database.to_bytes(), Vec::new());
        put_number(&mut out, file.len() as u64);
        out.extend_from_slice(&file);
        put_number(&mut out, u64::from(self.beside.is_some()));
        if let Some(beside) = &self.beside {
            R::save_changes(&self.database, &mut out);
            out.extend_from_slice(beside);
        }
        out
    }

    /// What is beside the database was written now.
    fn work(&self) -> u64 {
        self.beside.as_ref().map_or(0, |beside| beside.len() as u64 / 16)
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
        Some(Upkeep { work: RENEWAL_WORK, is_last, is_milestone: is_last })
    }

    /// While some wait, agents may have another database than the repairer.
    fn checkpoint(&self) -> Option<Arc<dyn Checkpoint>> {
        let mut beside = None;
        if let Some(repairer) = &self.repairer {
            if !Arc::ptr_eq(&self.database, repairer.database()) {
                return None;
            }
            repairer.save(beside.insert(Vec::new()));
        }
        Some(Arc::new(RepairedState::<R> { database: Arc::clone(&self.database), beside }))
    }

    fn clone_box(&self) -> Box<dyn Maintained> {
        Box::new(Self { database: Arc::clone(&self.database), repairer: self.repairer.clone() })
    }
}
