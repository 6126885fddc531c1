//! Studies: plans, run whole or unit by unit.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use surefoot_lab::io_problem;
use surefoot_lab::papers::report;
use surefoot_lab::plan::BUILT_IN;
use surefoot_lab::report::html;
use surefoot_lab::runs::{self, Host, Provenance, RunError, Setting, Which};

use crate::arguments;
use crate::errors::{Outcome, python};
use crate::files;
use crate::long::{self, Teller};

/// An experiment: which algorithms walk which problems on which maps.
///
/// >>> plan = surefoot.lab.Plan.built_in("knn2009")
/// >>> plan.name, plan.title.startswith("kNN")
/// ('knn2009', True)
#[pyclass(frozen, module = "surefoot.lab")]
pub(crate) struct Plan {
    plan: surefoot_lab::plan::Plan,
}

/// Writes the files of a run, and passes on what it tells.
struct PythonHost<'a> {
    teller: &'a Teller,
}

impl Host for PythonHost<'_> {
    fn write(
        &mut self,
        path: &Path,
        fill: &mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), String> {
        let written = files::write_with(path, |file| {
            let mut buffer = BufWriter::new(file);
            fill(&mut buffer)?;
            buffer.flush()
        });
        written.map_err(|error| format!("cannot write {}: {}", path.display(), io_problem(&error)))
    }

    fn tell(&mut self, message: &str) {
        self.teller.note(message);
    }

    fn progress(&mut self, label: &str, done: u64, total: u64) {
        // Whether the run goes on is asked elsewhere, and more often.
        let _ = self.teller.tell(label, done, total);
    }
}

/// Where and how a plan is run, as Python passes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Place {
    maps: PathBuf,
    out: PathBuf,
    cache: PathBuf,
    quick: bool,
    mix: bool,
    worker: Option<String>,
    threads: Option<usize>,
}

impl Plan {
    /// Runs something of a plan in its place.
    fn act<T: Send>(
        &self,
        py: Python<'_>,
        place: &Place,
        progress: Option<&Bound<'_, PyAny>>,
        act: impl FnOnce(&surefoot_lab::plan::Plan, &Setting<'_>, &mut dyn Host) -> Result<T, RunError> + Send,
    ) -> Outcome<T> {
        let pool = arguments::pool(place.threads)?;
        let done = long::run(py, progress, |teller| {
            let here = Provenance::here(option_env!("SUREFOOT_REVISION"), option_env!("SUREFOOT_COMPILER"));
            let setting = Setting {
                quick: place.quick,
                maps: &place.maps,
                out: &place.out,
                cache: &place.cache,
                mix: place.mix,
                provenance: here.on(place.worker.as_deref()),
                stop: teller.stop(),
            };
            pool.install(|| act(&self.plan, &setting, &mut PythonHost { teller }))
        })?;
        Ok(done?)
    }
}

#[pymethods]
impl Plan {
    /// Reads a plan from text: `docs/reproduce/lab.md` has the format. What is wrong is told with its line
    /// and column.
    #[classmethod]
    #[pyo3(signature = (text, *, name = "plan"))]
    fn parse(_class: &Bound<'_, PyType>, text: &str, name: &str) -> Outcome<Self> {
        Ok(Self { plan: surefoot_lab::plan::Plan::parse(name, text)? })
    }

    /// Reads a plan from a `.toml` file.
    #[classmethod]
    fn open(_class: &Bound<'_, PyType>, path: PathBuf) -> Outcome<Self> {
        let wrong = |problem: String| python::LabError::new_err(format!("{}: {problem}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(io_problem(&error)))?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let plan = surefoot_lab::plan::Plan::parse(&name, &text).map_err(|error| wrong(error.to_string()))?;
        Ok(Self { plan })
    }

    /// A plan of a paper: "knn2009", "jair2008", "jair2008-original", "jair2010" or "pra2005"; or "beyond".
    #[classmethod]
    fn built_in(_class: &Bound<'_, PyType>, name: &str) -> Outcome<Self> {
        match surefoot_lab::plan::Plan::built_in(name) {
            Some(plan) => Ok(Self { plan: plan? }),
            None => {
                let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                let words = format!("there is no plan \"{name}\"; there are: {}", names.join(", "));
                Err(python::LabError::new_err(words).into())
            }
        }
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.plan.name
    }

    /// What it is about, in a line.
    #[getter]
    fn title(&self) -> &str {
        &self.plan.title
    }

    /// The plan as it was written.
    #[getter]
    fn text(&self) -> &str {
        &self.plan.text
    }

    /// The units of the plan in their order: one algorithm with one database on the problems of one map each.
    /// Their `file` names them on every machine. `maps` is where the plan's paths begin.
    #[pyo3(signature = (maps = PathBuf::from("."), *, quick = false))]
    fn units<'py>(&self, py: Python<'py>, maps: PathBuf, quick: bool) -> Outcome<Vec<Bound<'py, PyDict>>> {
        let units = py.detach(|| runs::planned(&self.plan, &maps, quick))?;
        let unit = |unit: runs::PlannedUnit| {
            let fields = PyDict::new(py);
            fields.set_item("file", unit.file)?;
            fields.set_item("part", unit.part)?;
            fields.set_item("spec", unit.spec.to_string())?;
            fields.set_item("seed", unit.seed)?;
            fields.set_item("map", unit.map)?;
            fields.set_item("timed", unit.timed)?;
            fields.set_item("database", unit.database)?;
            Ok(fields)
        };
        units.into_iter().map(unit).collect()
    }

    /// Every file that the units need, as paths relative to `maps`: a machine that has these comes to the
    /// same rows.
    #[pyo3(signature = (maps = PathBuf::from("."), *, quick = false))]
    fn inputs(&self, py: Python<'_>, maps: PathBuf, quick: bool) -> Outcome<Vec<PathBuf>> {
        Ok(py.detach(|| runs::inputs(&self.plan, &maps, quick))?)
    }

    /// The files of those units that are finished in the folder `out`, and whole.
    #[pyo3(signature = (out, maps = PathBuf::from("."), *, quick = false))]
    fn finished(&self, py: Python<'_>, out: PathBuf, maps: PathBuf, quick: bool) -> Outcome<Vec<String>> {
        Ok(py.detach(|| {
            let units = runs::planned(&self.plan, &maps, quick)?;
            let finished = units.into_iter().filter(|unit| unit.is_finished_in(&out));
            Ok::<_, RunError>(finished.map(|unit| unit.file).collect())
        })?)
    }

    /// Does what is not finished of the plan and writes its tables: how many rows there are.
    #[pyo3(signature = (place, progress))]
    fn _run(&self, py: Python<'_>, place: Place, progress: Option<&Bound<'_, PyAny>>) -> Outcome<usize> {
        self.act(py, &place, progress, |plan, setting, host| Ok(rows(&runs::run(plan, setting, host)?)))
    }

    /// Does what is not finished of some units, named by their files.
    #[pyo3(signature = (place, units, progress))]
    fn _run_units(
        &self,
        py: Python<'_>,
        place: Place,
        units: BTreeSet<String>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<()> {
        self.act(py, &place, progress, |plan, setting, host| {
            runs::run_units(plan, setting, &Which::Named(units), host).map(drop)
        })
    }

    /// Writes the tables of units that are all finished, here or in the folders `others`: how many rows there
    /// are.
    #[pyo3(signature = (place, others, progress))]
    fn _merge(
        &self,
        py: Python<'_>,
        place: Place,
        others: Vec<PathBuf>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> Outcome<usize> {
        self.act(py, &place, progress, |plan, setting, host| {
            Ok(rows(&runs::merge(plan, setting, &others, host)?))
        })
    }

    fn __repr__(&self) -> String {
        format!("<surefoot.lab.Plan {}: {}>", self.plan.name, self.plan.title)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>, py: Python<'py>) -> Outcome<(Bound<'py, PyAny>, (String,))> {
        let own = slf.get();
        let keywords = PyDict::new(py);
        keywords.set_item("name", own.name())?;
        let parse = slf.get_type().getattr("parse")?;
        let parse = py.import("functools")?.call_method("partial", (parse,), Some(&keywords))?;
        Ok((parse, (own.text().to_string(),)))
    }
}

fn rows(results: &runs::ResultSet) -> usize {
    results.units.iter().map(|unit| unit.rows.len()).sum()
}

/// Writes the report on the results in a folder, or in the folders in it: the page.
#[pyfunction]
pub(crate) fn write_report(py: Python<'_>, folder: PathBuf) -> Outcome<String> {
    let report = long::run(py, None, |teller| report::write_report(&folder, &mut PythonHost { teller }))?;
    Ok(html::page(&report?))
}
