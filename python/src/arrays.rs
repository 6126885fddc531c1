//! Arrays of any type of numbers, read where they lie.

use numpy::ndarray::ArrayView2;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods as _, PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyTuple};

use crate::errors::{Outcome, Problem, argument};

/// What reads a table of numbers of any one type.
pub(crate) trait Reading {
    /// What comes of it.
    type Output;

    /// Reads the table.
    fn read<T: Number>(self, table: ArrayView2<'_, T>) -> Outcome<Self::Output>;
}

/// A number as arrays have it.
pub(crate) trait Number: Element + Copy + std::fmt::Display {
    /// Whether the type has two values only.
    const IS_FLAG: bool = false;

    /// The number as a whole one from 0 on. `None` if it is none.
    fn large(self) -> Option<u64>;

    /// The number as a whole one from 0 to `u32::MAX`. `None` if it is none.
    fn whole(self) -> Option<u32> {
        self.large().and_then(|number| u32::try_from(number).ok())
    }
}

impl Number for bool {
    const IS_FLAG: bool = true;

    fn large(self) -> Option<u64> {
        Some(self.into())
    }
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {
        $(impl Number for $number {
            fn large(self) -> Option<u64> {
                u64::try_from(self).ok()
            }
        })*
    };
}

whole_numbers!(u8 u16 u32 u64 i8 i16 i32 i64);

/// From here on floating-point numbers leave whole ones out.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

impl Number for f64 {
    fn large(self) -> Option<u64> {
        // What is no number, or not whole, is another number after it was there and back.
        let whole = self as u64;
        (whole as Self == self && self < MOST_EXACT).then_some(whole)
    }
}

/// Reads what Python takes for a table of numbers. `what` it is for is said where it is none.
pub(crate) fn read_table<R: Reading>(value: &Bound<'_, PyAny>, what: &str, reading: R) -> Outcome<R::Output> {
    let array = as_array(value, what)?;
    let shape = array.shape();
    if shape.len() != 2 {
        return Err(argument(format!("{what} must be a table of two dimensions, not of shape {shape:?}")));
    }
    macro_rules! try_types {
        ($($number:ty)*) => {
            $(if let Ok(table) = array.cast::<PyArray2<$number>>() {
                let table = table.try_readonly().map_err(|error| argument(format!("{what}: {error}")))?;
                return reading.read(table.as_array());
            })*
        };
    }
    try_types!(bool u8 u32 i64 i32 u16 i16 i8 u64 f64);
    Err(argument(format!("{what} must be whole numbers or bools, not of type {}", array.dtype())))
}

/// Two whole numbers, if they are a tuple or an array of one of the usual types: what most cells come as.
pub(crate) fn pair(value: &Bound<'_, PyAny>) -> Option<(u32, u32)> {
    if let Ok(tuple) = value.cast::<PyTuple>() {
        return tuple.extract().ok();
    }
    macro_rules! try_types {
        ($($number:ty)*) => {
            $(if let Ok(array) = value.cast::<PyArray1<$number>>() {
                let array = array.try_readonly().ok()?;
                let array = array.as_array();
                return if array.len() == 2 { array[0].whole().zip(array[1].whole()) } else { None };
            })*
        };
    }
    // What is not aligned is left to others.
    if value.cast::<PyUntypedArray>().is_ok_and(|array| !is_aligned(array)) {
        return None;
    }
    try_types!(u32 i64);
    None
}

fn is_aligned(array: &Bound<'_, PyUntypedArray>) -> bool {
    let flags = array.getattr("flags").and_then(|flags| flags.getattr("aligned"));
    flags.and_then(|aligned| aligned.extract()).unwrap_or(false)
}

/// What is wrong with a value that raised an error. What is to end the program, such as Ctrl-C, does.
pub(crate) fn unless_it_ends(py: Python<'_>, error: PyErr, words: impl FnOnce() -> String) -> Problem {
    if error.is_instance_of::<PyException>(py) { argument(words()) } else { error.into() }
}

/// The value as an array whose numbers lie in memory as this machine has them. Only what does not is copied.
pub(crate) fn as_array<'py>(value: &Bound<'py, PyAny>, what: &str) -> Outcome<Bound<'py, PyUntypedArray>> {
    let py = value.py();
    let numpy = py.import("numpy")?;
    if value.hasattr("mask")? && value.hasattr("filled")? {
        return Err(argument(format!(
            "{what} must not be a masked array; say what masked cells are: array.filled(0)"
        )));
    }
    let array = numpy.call_method1("asarray", (value,)).map_err(|error| {
        let words = format!("{what} must be an array: {}", error.value(py));
        unless_it_ends(py, error, || words)
    })?;
    let dtype = array.getattr("dtype")?;
    // Objects and words are no numbers, and complex ones have no place on a map. Other floats become float64.
    let kind: String = dtype.getattr("kind")?.extract()?;
    let array = match kind.as_str() {
        "f" if dtype.getattr("itemsize")?.extract::<usize>()? != 8 => {
            array.call_method1("astype", ("f8",))?
        }
        "b" | "i" | "u" | "f" => array,
        _ => {
            return Err(argument(format!("{what} must be whole numbers or bools, not of type {dtype}")));
        }
    };
    // Numbers of the other byte order, or between two places of memory, are moved.
    let native = array.getattr("dtype")?.call_method1("newbyteorder", ("=",))?;
    let keywords = [("requirements", "A")].into_py_dict(py)?;
    let array = numpy.call_method("require", (array, native), Some(&keywords))?;
    Ok(array.cast_into::<PyUntypedArray>().map_err(PyErr::from)?)
}
