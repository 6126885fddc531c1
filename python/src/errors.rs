//! What is wrong, as Python's exceptions: one family, which the package has in `surefoot/errors.py`.

use pyo3::{PyErr, import_exception};
use surefoot::agent::SpecError;
use surefoot::space::{LinkError, SpaceError};
use surefoot::store::part::PartError;
use surefoot::store::{DatabaseError, ViewError};
use surefoot::{CodecError, CrowdError, MapError, NavigatorError, NoWay, QueryError};
use surefoot_lab::episode::EpisodeError;
use surefoot_lab::plan::PlanError;
use surefoot_lab::problems::ProblemsError;
use surefoot_lab::runs::RunError;

/// The exceptions themselves.
pub(crate) mod python {
    use super::import_exception;

    import_exception!(surefoot.errors, ArgumentError);
    import_exception!(surefoot.errors, CrowdError);
    import_exception!(surefoot.errors, DatabaseError);
    import_exception!(surefoot.errors, LabError);
    import_exception!(surefoot.errors, MapError);
    import_exception!(surefoot.errors, NoWay);
    import_exception!(surefoot.errors, QueryError);
    import_exception!(surefoot.errors, SpecError);
}

/// What something that went wrong is in Python. Errors of the library and exceptions are both of this kind,
/// so that `?` takes either.
pub(crate) struct Problem(PyErr);

/// What a function of the module comes to.
pub(crate) type Outcome<T> = Result<T, Problem>;

/// An argument that is not what it should be.
pub(crate) fn argument(words: impl Into<String>) -> Problem {
    Problem(python::ArgumentError::new_err(words.into()))
}

impl From<PyErr> for Problem {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<Problem> for PyErr {
    fn from(problem: Problem) -> Self {
        problem.0
    }
}

/// Each kind of error with its exception. The words are the library's.
macro_rules! becomes {
    ($($error:ty => $exception:ident),* $(,)?) => {
        $(impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                Self(python::$exception::new_err(in_python(&error.to_string())))
            }
        })*
    };
}

/// What the program calls by its options has other names here.
fn in_python(words: &str) -> String {
    let names = [
        (" (--resume)", ""),
        (" (--map)", ""),
        ("say --mix", "say mix=True"),
        ("--mix", "mix=True"),
        ("--", ""),
    ];
    names.iter().fold(words.to_string(), |words, (own, here)| words.replace(own, here))
}

becomes! {
    CodecError => DatabaseError,
    CrowdError => CrowdError,
    DatabaseError => DatabaseError,
    EpisodeError => QueryError,
    LinkError => MapError,
    MapError => MapError,
    NavigatorError => DatabaseError,
    NoWay => NoWay,
    PartError => DatabaseError,
    PlanError => LabError,
    ProblemsError => QueryError,
    QueryError => QueryError,
    RunError => LabError,
    SpaceError => MapError,
    SpecError => SpecError,
    ViewError => ArgumentError,
}

/// What is wrong with a question of many, and with which.
pub(crate) fn in_row(number: usize, error: &QueryError) -> Problem {
    Problem(python::QueryError::new_err(format!("row {number}: {error}")))
}

/// The same of units.
pub(crate) fn unit_row(number: usize, error: &CrowdError) -> Problem {
    Problem(python::CrowdError::new_err(format!("row {number}: {error}")))
}
