//! Databases of any algorithm: built whole or in shards, saved, opened, looked at.

use std::any::Any;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple, PyType};
use rayon::prelude::*;
use surefoot::agent::{Algorithm, Spec};
use surefoot::space::GridSpace;
use surefoot::store::blocks::BlockBuilder;
use surefoot::store::part::Part;
use surefoot::store::{DatabaseConfig, DatabaseError, Figure, View, ViewError};
use surefoot_classics::ROSTER;

use crate::arguments;
use crate::drawing;
use crate::errors::{Outcome, argument};
use crate::files;
use crate::long::{self, Teller};
use crate::map::Map;

/// What an algorithm computed for a map once: records, patterns, an abstraction, beacons. `Map.database`
/// builds it.
///
/// >>> map = surefoot.Map.generate("rooms", 64, 64)
/// >>> database = map.database("knn-lrta*(n=200)")
/// >>> surefoot.Database.from_bytes(map, database.to_bytes()).config == database.config
/// True
#[pyclass(frozen, module = "surefoot")]
pub(crate) struct Database {
    pub(crate) database: Arc<dyn surefoot::store::Database>,
    map: surefoot::Map,
}

/// The algorithm of a spec.
pub(crate) fn algorithm(spec: &str) -> Outcome<Algorithm> {
    Ok(ROSTER.algorithm(&spec.parse::<Spec>()?)?)
}

/// What the algorithm of a spec needs of a map.
fn config(spec: &str, seed: u64) -> Outcome<Box<dyn DatabaseConfig>> {
    let config = algorithm(spec)?.database_config(seed);
    config.ok_or_else(|| argument(format!("{spec} needs no database")))
}

impl Database {
    /// Builds a database.
    pub(crate) fn build(
        config: &dyn DatabaseConfig,
        map: &surefoot::Map,
        teller: &Teller,
    ) -> Result<Self, DatabaseError> {
        let space = map.space();
        let database = match config.blocks(space)? {
            Some(builder) => builder.finish(&make_shard(&*builder, space, (1, 1), teller)?.blocks)?,
            None => config.build(space, &mut |event| teller.hear(&event))?,
        };
        Ok(Self { database, map: map.clone() })
    }

    /// The database, if it was built for a map and is what an algorithm needs.
    pub(crate) fn fit_for(
        &self,
        map: &surefoot::Map,
        needed: Option<&dyn DatabaseConfig>,
        spec: &str,
    ) -> Outcome<Arc<dyn surefoot::store::Database>> {
        if needed.is_none() {
            return Err(argument(format!("{spec} needs no database; leave it out")));
        }
        self.database.built_for().check(map.space())?;
        Ok(Arc::clone(&self.database))
    }

    fn open_bytes(map: surefoot::Map, bytes: Vec<u8>) -> Result<Self, DatabaseError> {
        Ok(Self { database: ROSTER.open(map.space(), bytes)?, map })
    }

    fn view(&self, way: Option<Way<'_>>, record: Option<u32>, level: Option<u32>) -> Outcome<View> {
        let space = self.map.space();
        let ends = way.map(|(from, to)| {
            Ok::<_, crate::errors::Problem>(
                space.locate_ends(arguments::cell(&from)?, arguments::cell(&to)?)?,
            )
        });
        Ok(View { way: ends.transpose()?, record, level })
    }
}

type Way<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Makes a shard of a database, block by block on all threads of the pool that this is called in. It ends
/// between two blocks if it is to stop.
fn make_shard(
    builder: &dyn BlockBuilder,
    space: &GridSpace,
    shard: (u32, u32),
    teller: &Teller,
) -> Result<Part, DatabaseError> {
    let mut part = Part::new(space, builder, shard);
    let head = &part.head;
    let (unit, all, done) = (head.plan.unit(), head.pieces(), AtomicU64::new(0));
    let numbers: Vec<u64> = head.blocks().collect();
    let make = |scratch: &mut Box<dyn Any + Send>, number: u64| {
        if teller.flow().is_break() {
            return Err(DatabaseError::Cancelled);
        }
        let block = builder.make(number, &mut **scratch);
        let pieces = head.pieces_of(number);
        let _ = teller.tell(unit, done.fetch_add(pieces, Ordering::Relaxed) + pieces, all);
        Ok((number, block))
    };
    part.blocks = numbers.into_par_iter().map_init(|| builder.scratch(), make).collect::<Result<_, _>>()?;
    Ok(part)
}

#[pymethods]
impl Map {
    /// Builds what an algorithm needs of the map. `progress` is called with the stage, how much is done, and
    /// how much there is; if it raises, the build ends. So does Ctrl-C. The same spec and seed give the same
    /// bytes, on any number of threads and in any number of shards.
    #[pyo3(signature = (spec = "beacon*", *, seed = 1, progress = None, threads = None))]
    fn database(
        &self,
        py: Python<'_>,
        spec: &str,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> Outcome<Database> {
        let (map, config, pool) = (self.now(), config(spec, seed)?, arguments::pool(threads)?);
        let built =
            long::run(py, progress, |teller| pool.install(|| Database::build(&*config, &map, teller)))?;
        Ok(built?)
    }

    /// Builds shard `shard` of `of` of a database, counted from 1: bytes for `merge`, the same as a file of
    /// `surefoot build --shard`. Records and patterns are built in shards; all else in one go, in seconds.
    #[pyo3(signature = (spec, shard, of, *, seed = 1, progress = None, threads = None))]
    #[allow(clippy::too_many_arguments)] // As many as `database` has, and which shard.
    fn database_shard<'py>(
        &self,
        py: Python<'py>,
        spec: &str,
        shard: u32,
        of: u32,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> Outcome<Bound<'py, PyBytes>> {
        if shard == 0 || shard > of {
            return Err(argument(format!("there is no shard {shard} of {of}; they are counted from 1")));
        }
        let (map, config, pool) = (self.now(), config(spec, seed)?, arguments::pool(threads)?);
        let made = long::run(py, progress, |teller| {
            let Some(builder) = config.blocks(map.space())? else {
                return Err(DatabaseError::Unsuitable {
                    problem: "it is built in one go, and has no shards",
                });
            };
            pool.install(|| Ok(make_shard(&*builder, map.space(), (shard, of), teller)?.to_bytes()))
        })?;
        Ok(PyBytes::new(py, &made?))
    }

    /// Puts the shards of a database together, in whichever order they come. The database is the same, byte
    /// for byte, as one that is built in one piece.
    fn merge_shards(&self, py: Python<'_>, shards: Vec<Vec<u8>>) -> Outcome<Database> {
        let map = self.now();
        let merged = long::run(py, None, |_| {
            let parts = shards.iter().map(|bytes| Part::from_bytes(bytes, ROSTER.kinds()));
            let bytes = Part::merge(Some(map.space()), parts.collect::<Result<_, _>>()?)?;
            Ok::<_, surefoot::store::part::PartError>(Database::open_bytes(map, bytes)?)
        })?;
        Ok(merged?)
    }

    /// Whether what an algorithm needs can be built in shards; `None` if it needs nothing.
    #[staticmethod]
    #[pyo3(signature = (spec, *, seed = 1))]
    fn has_shards(spec: &str, seed: u64) -> Outcome<Option<bool>> {
        Ok(algorithm(spec)?.database_config(seed).map(|config| config.kind().blocks.is_some()))
    }
}

#[pymethods]
impl Database {
    /// Opens a database of a map from a file, as `save` and `surefoot build` write it.
    #[classmethod]
    fn open(_class: &Bound<'_, PyType>, py: Python<'_>, map: &Map, path: PathBuf) -> Outcome<Self> {
        let map = map.now();
        let bytes = files::read(&path)?;
        Ok(long::run(py, None, |_| Self::open_bytes(map, bytes))??)
    }

    /// Opens a database of a map from bytes.
    #[classmethod]
    fn from_bytes(_class: &Bound<'_, PyType>, py: Python<'_>, map: &Map, bytes: Vec<u8>) -> Outcome<Self> {
        let map = map.now();
        Ok(long::run(py, None, |_| Self::open_bytes(map, bytes))??)
    }

    /// The database as bytes, the same on every machine. The map is not in them.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &py.detach(|| self.database.to_bytes()))
    }

    /// Saves the database, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> Outcome<()> {
        py.detach(|| files::write(FilePath::new(&path), &self.database.to_bytes()))
    }

    /// The map that it was built for.
    #[getter]
    fn map(&self) -> Map {
        self.map.clone().into()
    }

    /// What it was built from, in words.
    #[getter]
    fn config(&self) -> String {
        self.database.config().to_string()
    }

    /// The bytes that it takes in memory.
    #[getter]
    fn memory_bytes(&self) -> usize {
        self.database.memory_bytes()
    }

    /// All that is known of it, by name, as `surefoot db info` tells it.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for fact in self.database.describe()?.facts {
            facts.set_item(fact.label, fact.text)?;
            for (name, figure) in fact.figures {
                match figure {
                    Figure::Count(count) => facts.set_item(name, count)?,
                    Figure::Counts(counts) => facts.set_item(name, counts)?,
                    Figure::Flag(flag) => facts.set_item(name, flag)?,
                    Figure::Ratio(ratio) => facts.set_item(name, ratio)?,
                    _ => {}
                }
            }
        }
        Ok(facts)
    }

    /// Builds or climbs everything again and makes sure that the database keeps its promises: what was found,
    /// line by line. It raises `DatabaseError` if it does not. `sample` limits how much is checked.
    #[pyo3(signature = (*, sample = None, seed = 1, progress = None))]
    fn verify(
        &self,
        py: Python<'_>,
        sample: Option<u64>,
        seed: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<Vec<String>> {
        let (pool, space) = (arguments::pool(None)?, self.map.space());
        let verified = long::run(py, progress, |teller| {
            let watch = &mut |event| teller.hear(&event);
            pool.install(|| self.database.verify(space, sample.unwrap_or(u64::MAX), seed, watch))
        })?;
        let facts = verified.map_err(crate::errors::python::DatabaseError::new_err)?;
        Ok(facts.into_iter().map(|fact| format!("{}: {}", fact.label, fact.text)).collect())
    }

    /// What is in it, as a PNG: records, regions, corners and legs. `way` is a pair of cells, for databases
    /// that know ways; `record` and `level` choose one of several.
    #[pyo3(signature = (side = 640, *, way = None, record = None, level = None))]
    fn to_png<'py>(
        &self,
        py: Python<'py>,
        side: u32,
        way: Option<Way<'py>>,
        record: Option<u32>,
        level: Option<u32>,
    ) -> Outcome<Bound<'py, PyBytes>> {
        let view = self.view(way, record, level)?;
        let picture = py.detach(|| {
            let sketch = self.database.sketch(self.map.space(), &view)?;
            Ok::<_, ViewError>(drawing::sketch_png(&self.map, &sketch, side))
        })?;
        Ok(PyBytes::new(py, &picture))
    }

    /// The same as SVG, with words that say what the colours mean.
    #[pyo3(signature = (side = 640, *, way = None, record = None, level = None))]
    fn to_svg(
        &self,
        side: u32,
        way: Option<Way<'_>>,
        record: Option<u32>,
        level: Option<u32>,
    ) -> Outcome<String> {
        let sketch = self.database.sketch(self.map.space(), &self.view(way, record, level)?)?;
        Ok(drawing::sketch_svg(&self.map, &sketch, side))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> Outcome<Bound<'py, PyBytes>> {
        self.to_png(py, drawing::NOTEBOOK_SIDE, None, None, None)
    }

    fn __repr__(&self) -> String {
        let bytes = self.database.to_bytes().len();
        format!("<surefoot.Database {}, {bytes} bytes>", self.database.config())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
    ) -> Outcome<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let own = slf.get();
        let parts = (own.map(), own.to_bytes(py)).into_pyobject(py)?;
        Ok((slf.get_type().getattr("from_bytes")?, parts))
    }
}
