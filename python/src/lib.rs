//! surefoot for Python: the extension module of the package `surefoot`.
//!
//! The classes here are the library's own nouns, as Python has them. Comments on them become docstrings, so
//! they speak of Python, and their examples are tests.
//!
//! - A cell is a pair `(x, y)`. A list of cells is an array of shape (n, 2). An array of a map has a row for
//!   each row of cells: it is read as `array[y, x]`.
//! - Whatever is wrong with an argument is a `SurefootError` with the library's words.
//! - Objects may be used by several threads at once. What can take long is done without the interpreter, and
//!   Ctrl-C ends it.

#![forbid(unsafe_code)]
// What Python passes is made for the call, and belongs to it.
#![allow(clippy::needless_pass_by_value)]

mod arguments;
mod arrays;
mod crowd;
mod database;
mod drawing;
mod errors;
mod files;
mod lab;
mod long;
mod map;
mod navigator;
mod path;
mod problems;
mod roster;
mod walk;
mod walker;

use pyo3::prelude::pymodule;

/// What the package `surefoot` has from Rust.
#[pymodule]
mod _surefoot {
    #[pymodule_export]
    use crate::crowd::{Crowd, Frame};
    #[pymodule_export]
    use crate::database::Database;
    #[pymodule_export]
    use crate::lab::{Plan, write_report};
    #[pymodule_export]
    use crate::map::Map;
    #[pymodule_export]
    use crate::navigator::Navigator;
    #[pymodule_export]
    use crate::path::Path;
    #[pymodule_export]
    use crate::problems::{Problems, read_scen};
    #[pymodule_export]
    use crate::roster::algorithms;
    #[pymodule_export]
    use crate::walk::Walk;
    #[pymodule_export]
    use crate::walker::Walker;

    /// The version of the library.
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // As Python has it.
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
