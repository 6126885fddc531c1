//! Changes of the map.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use surefoot::crowd::LinkId;

use crate::border::{In, Out};
use crate::handles::{Handle as _, SurefootCrowd};
use crate::problem::{SurefootResult, done};
use crate::values::{self, SurefootCell, SurefootKind, SurefootLink};

/// Frees some cells, or blocks them if `free` is 0. If one lies outside the map, none is changed. `changed`
/// is how many that changes, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_set_cells(
    crowd: SurefootCrowd,
    cells: In<SurefootCell>,
    count: usize,
    free: i32,
    changed: Out<u64>,
) -> SurefootResult {
    done(|| {
        let changed = changed.maybe("changed")?;
        let cells = cells.list(count, "cells")?.into_iter().map(|cell| (cell.into(), free != 0));
        crowd.write(|crowd| changed.answer(crowd.crowd.set_cells(cells)?))
    })
}

/// Says what some cells cost units of a kind: a weight of 1 to 255. `changed` is how many that changes, or
/// NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_set_weights(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    cells: In<SurefootCell>,
    count: usize,
    weight: u8,
    changed: Out<u64>,
) -> SurefootResult {
    done(|| {
        let (changed, kind) = (changed.maybe("changed")?, values::kind(kind)?);
        let cells = cells.list(count, "cells")?.into_iter().map(|cell| (cell.into(), weight));
        crowd.write(|crowd| changed.answer(crowd.crowd.set_weights(kind, cells)?))
    })
}

/// Adds an extra move for units of a kind. `id` is what it is removed by, or NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_add_link(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    link: SurefootLink,
    id: Out<u32>,
) -> SurefootResult {
    done(|| {
        let (id, kind) = (id.maybe("id")?, values::kind(kind)?);
        crowd.write(|crowd| id.answer(crowd.crowd.add_link(kind, link.into())?.to_bits()))
    })
}

/// Removes it again.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_remove_link(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    id: u32,
) -> SurefootResult {
    done(|| {
        let kind = values::kind(kind)?;
        crowd.write(|crowd| Ok(crowd.crowd.remove_link(kind, LinkId::from_bits(id))?))
    })
}
