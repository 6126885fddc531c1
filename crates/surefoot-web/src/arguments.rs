//! What JavaScript passes, checked.
//!
//! A number may be anything: NaN, -1, 1.5, 1e99. What is meant for a list may be anything, too.

use js_sys::{Array, ArrayBuffer, Float64Array, Reflect, Uint8Array, Uint8ClampedArray, Uint32Array};
use surefoot::crowd::LinkId;
use surefoot::{Cell, KindId, Speed, UnitId};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::Problem;
use crate::types::Num;

/// A number, whatever else it is. `what` it is for is said where it is none.
pub(crate) fn number(value: &JsValue, what: &str) -> Result<f64, Problem> {
    value.as_f64().ok_or_else(|| other(value, what, "a number"))
}

/// A whole number that fits in 32 bits.
pub(crate) fn whole(number: f64, what: &str) -> Result<u32, Problem> {
    // What is out of range, or no number, is another number after it was there and back.
    let whole = number as u32;
    if f64::from(whole) == number {
        Ok(whole)
    } else {
        Err(Problem::new(format!("{what} {number} is not a whole number from 0 to {}", u32::MAX)))
    }
}

/// A weight. Which ones there can be is for the library to say.
pub(crate) fn weight(value: &Num) -> Result<u8, Problem> {
    byte(number(value, "weight")?)
}

fn byte(weight: f64) -> Result<u8, Problem> {
    let byte = weight as u8;
    if f64::from(byte) == weight {
        Ok(byte)
    } else {
        Err(Problem::new(format!("weight {weight} is not a whole number from 1 to 255")))
    }
}

/// A cell. Whether it lies on a map is for the library to say.
pub(crate) fn cell(x: &Num, y: &Num) -> Result<Cell, Problem> {
    cell_at(number(x, "x")?, number(y, "y")?)
}

fn cell_at(x: f64, y: f64) -> Result<Cell, Problem> {
    let no_cell = |_| Problem::new(format!("({x}, {y}) is no cell; x and y are whole numbers from 0"));
    Ok(Cell::new(whole(x, "x").map_err(no_cell)?, whole(y, "y").map_err(no_cell)?))
}

/// Width and height of a map.
pub(crate) fn sides(width: &Num, height: &Num) -> Result<(u32, u32), Problem> {
    Ok((whole(number(width, "width")?, "width")?, whole(number(height, "height")?, "height")?))
}

/// Makes sure that there are `per_cell` values for each cell of a map.
pub(crate) fn check_count((width, height): (u32, u32), given: usize, per_cell: u64) -> Result<(), Problem> {
    let cells = u64::from(width) * u64::from(height);
    if cells.checked_mul(per_cell) == Some(given as u64) {
        Ok(())
    } else {
        let each = if per_cell == 1 { String::new() } else { format!(", {per_cell} for each") };
        Err(Problem::new(format!("{given} values do not make a map of {width} x {height} cells{each}")))
    }
}

/// A unit. Whether it is one of a crowd's is for the crowd to say.
pub(crate) fn unit(value: &Num) -> Result<UnitId, Problem> {
    unit_of(number(value, "unit")?)
}

fn unit_of(number: f64) -> Result<UnitId, Problem> {
    let bits = number as u64;
    UnitId::from_bits(bits).filter(|_| bits as f64 == number).ok_or_else(|| {
        Problem::new(format!("there is no unit {number}: take the numbers that Crowd.add and addMany gave"))
    })
}

/// A kind. Whether it is one of a crowd's is for the crowd to say.
pub(crate) fn kind(value: &Num) -> Result<KindId, Problem> {
    kind_of(number(value, "kind")?)
}

fn kind_of(number: f64) -> Result<KindId, Problem> {
    let bits = number as u32;
    KindId::from_bits(bits)
        .filter(|_| f64::from(bits) == number)
        .ok_or_else(|| Problem::new(format!("there is no kind {number}; add it to this crowd first")))
}

/// A link. Whether a kind has it is for the crowd to say.
pub(crate) fn link(value: &Num) -> Result<LinkId, Problem> {
    whole(number(value, "link")?, "link").map(LinkId::from_bits)
}

/// So many cells in so many frames; a move a frame if neither is given.
pub(crate) fn speed(cells: Option<f64>, frames: Option<f64>) -> Result<Speed, Problem> {
    let Some(cells) = cells else {
        return Ok(Speed::MOVE_A_FRAME);
    };
    let (cells, frames) = (whole(cells, "cells")?, whole(frames.unwrap_or(1.0), "frames")?);
    if frames == 0 {
        return Err(Problem::new("no unit gets anywhere in 0 frames; give cells and frames, as in 1, 2"));
    }
    Ok(Speed::new(cells, frames))
}

/// Numbers in pairs, as cells.
pub(crate) fn pairs(numbers: &[u32]) -> Result<Vec<Cell>, Problem> {
    let (pairs, rest) = numbers.as_chunks::<2>();
    if !rest.is_empty() {
        let words = format!("{} numbers are no list of cells; each cell is two: x, y", numbers.len());
        return Err(Problem::new(words));
    }
    Ok(pairs.iter().map(|&[x, y]| Cell::new(x, y)).collect())
}

/// Cells as numbers.
pub(crate) fn numbers(cells: &[Cell]) -> Vec<u32> {
    cells.iter().flat_map(|cell| [cell.x, cell.y]).collect()
}

/// A list of cells.
pub(crate) fn cells(value: &JsValue) -> Result<Vec<Cell>, Problem> {
    if let Some(array) = value.dyn_ref::<Uint32Array>() {
        let mut numbers = zeros(array.length())?;
        array.copy_to(&mut numbers);
        return pairs(&numbers);
    }
    let numbers =
        list(value).ok_or_else(|| other(value, "a list of cells", "a Uint32Array x, y, x, y, …"))?;
    pairs(&numbers.into_iter().map(|number| whole(number, "coordinate")).collect::<Result<Vec<_>, _>>()?)
}

/// A list of units.
pub(crate) fn units(value: &JsValue) -> Result<Vec<UnitId>, Problem> {
    let numbers = match value.dyn_ref::<Float64Array>() {
        Some(array) => {
            let mut numbers = zeros(array.length())?;
            array.copy_to(&mut numbers);
            Some(numbers)
        }
        None => list(value),
    };
    numbers
        .ok_or_else(|| other(value, "a list of units", "a Float64Array"))?
        .into_iter()
        .map(unit_of)
        .collect()
}

/// An array of numbers. `None` if it is no array; what is no number in it is NaN.
fn list(value: &JsValue) -> Option<Vec<f64>> {
    let array = value.dyn_ref::<Array>()?;
    Some(array.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect())
}

/// Bytes.
pub(crate) fn bytes(value: &JsValue) -> Result<Vec<u8>, Problem> {
    let array = if let Some(array) = value.dyn_ref::<Uint8Array>() {
        array.clone()
    } else if let Some(array) = value.dyn_ref::<Uint8ClampedArray>() {
        Uint8Array::new_with_byte_offset_and_length(&array.buffer(), array.byte_offset(), array.length())
    } else if value.is_instance_of::<ArrayBuffer>() {
        Uint8Array::new(value)
    } else {
        return Err(other(value, "bytes", "a Uint8Array"));
    };
    let mut bytes = zeros(array.length())?;
    array.copy_to(&mut bytes);
    Ok(bytes)
}

/// Room for what is copied from JavaScript, if there is memory for it.
fn zeros<T: Clone + Default>(length: u32) -> Result<Vec<T>, Problem> {
    let mut values = Vec::new();
    values.try_reserve_exact(length as usize)?;
    values.resize(length as usize, T::default());
    Ok(values)
}

/// What a property of an object is. `None` if it is not there.
pub(crate) fn property(object: Option<&JsValue>, name: &str) -> Result<Option<JsValue>, Problem> {
    let Some(object) = object else { return Ok(None) };
    if !object.is_object() {
        return Err(other(object, "options", "an object"));
    }
    let value = Reflect::get(object, &name.into()).map_err(Problem::Thrown)?;
    Ok(Some(value).filter(|value| !value.is_undefined() && !value.is_null()))
}

/// A property that is a name.
pub(crate) fn text(object: Option<&JsValue>, name: &str) -> Result<Option<String>, Problem> {
    let Some(value) = property(object, name)? else { return Ok(None) };
    value.as_string().map(Some).ok_or_else(|| other(&value, name, "a string"))
}

/// What is to be said of a value of another type.
pub(crate) fn other(value: &JsValue, what: &str, expected: &str) -> Problem {
    let found = value.js_typeof().as_string().unwrap_or_default();
    Problem::new(format!("{what} must be {expected}, not of type {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What JavaScript has for numbers, and none of which is a cell's, a unit's or anything else's.
    const WRONG: [f64; 9] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -1.0,
        -0.5,
        0.5,
        1.5,
        1e99,
        18_446_744_073_709_551_616.0,
    ];

    #[test]
    fn whatever_is_no_whole_number_is_refused() {
        for wrong in WRONG {
            assert!(whole(wrong, "x").is_err(), "{wrong}");
            assert!(byte(wrong).is_err(), "{wrong}");
            assert!(cell_at(wrong, 0.0).is_err() && cell_at(0.0, wrong).is_err(), "{wrong}");
            assert!(unit_of(wrong).is_err(), "{wrong}");
            assert!(kind_of(wrong).is_err(), "{wrong}");
            assert!(speed(Some(wrong), None).is_err() && speed(Some(1.0), Some(wrong)).is_err(), "{wrong}");
        }
        assert!(byte(256.0).is_err() && kind_of(256.0).is_err() && whole(4_294_967_296.0, "x").is_err());
        assert!(unit_of(2_f64.powi(48)).is_err() && speed(Some(1.0), Some(0.0)).is_err());
    }

    #[test]
    fn what_is_one_stays_what_it_is() {
        assert_eq!(cell_at(4_294_967_295.0, -0.0).ok(), Some(Cell::new(u32::MAX, 0)));
        let last = 2_f64.powi(48) - 1.0;
        assert_eq!(unit_of(last).ok().map(|unit| unit.to_bits() as f64), Some(last));
        assert_eq!(kind_of(255.0).ok().map(KindId::to_bits), Some(255));
        assert_eq!(speed(None, None).ok(), Some(Speed::MOVE_A_FRAME));
        assert_eq!(speed(Some(1.0), Some(2.0)).ok(), Some(Speed::new(1, 2)));
        assert!(check_count((3, 2), 24, 4).is_ok() && check_count((3, 2), 6, 1).is_ok());
        assert!(check_count((3, 2), 23, 4).is_err() && check_count((u32::MAX, u32::MAX), 24, 4).is_err());
    }

    #[test]
    fn lists_of_cells_are_numbers_in_pairs() {
        assert_eq!(pairs(&[1, 2, 3, 4]).ok(), Some(vec![Cell::new(1, 2), Cell::new(3, 4)]));
        assert_eq!(numbers(&[Cell::new(1, 2), Cell::new(3, 4)]), [1, 2, 3, 4]);
        assert!(pairs(&[1, 2, 3]).is_err());
    }
}
