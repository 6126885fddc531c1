//! Regions in colours, no two that touch in the same.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use surefoot::space::{Cell, GridSpace, State};
use surefoot::store::{Mark, Shade};

use super::RegionId;

/// A number for each of `count` areas, so that no two neighbours share one; as small as can easily be had. An
/// area is a region, or a node of an abstraction.
pub(crate) fn colour_all<I: Iterator<Item = u32>>(count: u32, neighbours: impl Fn(u32) -> I) -> Vec<u8> {
    let mut colours: Vec<u8> = Vec::with_capacity(count as usize);
    for area in 0..count {
        let taken: Vec<u8> =
            neighbours(area).filter_map(|neighbour| colours.get(neighbour as usize).copied()).collect();
        colours.push((0..u8::MAX).find(|colour| !taken.contains(colour)).unwrap_or(0));
    }
    colours
}

/// What legends say of regions.
pub(crate) const REGIONS: (Shade, &str) = (Shade::Region(0), "a region: those beside it have other colours");

/// Paints so many regions; `region` says which one a state is in.
pub(crate) fn paint_labelled(
    space: &GridSpace,
    count: u32,
    region: impl Fn(State) -> Option<RegionId>,
) -> Vec<Mark> {
    let area = |state| region(state).map(RegionId::number);
    let mut neighbours: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); count as usize];
    let area_at = |x: u32, y: u32| {
        let cell = Cell::new(x, y);
        space.state_at(cell).filter(|_| space.grid().is_free(cell)).and_then(area)
    };
    for cell in space.grid().free_cells() {
        let Some(own) = area_at(cell.x, cell.y) else { continue };
        let (left, right, below) = (cell.x.wrapping_sub(1), cell.x + 1, cell.y + 1);
        for (x, y) in [(right, cell.y), (left, below), (cell.x, below), (right, below)] {
            if let Some(other) = area_at(x, y).filter(|&other| other != own) {
                neighbours[own as usize].insert(other);
                neighbours[other as usize].insert(own);
            }
        }
    }
    let colours = colour_all(count, |area| neighbours[area as usize].iter().copied());
    paint(space, &colours, area)
}

/// Paints every cell in the colour of its area.
pub(crate) fn paint(space: &GridSpace, colours: &[u8], area: impl Fn(State) -> Option<u32>) -> Vec<Mark> {
    let most = colours.iter().max().map_or(0, |most| usize::from(*most) + 1);
    let mut cells: Vec<Vec<Cell>> = vec![Vec::new(); most];
    for cell in space.grid().free_cells() {
        if let Some(area) = space.state_at(cell).and_then(&area) {
            cells[usize::from(colours[area as usize])].push(cell);
        }
    }
    (0..).zip(cells).map(|(colour, cells)| Mark::Cells(cells, Shade::Region(colour))).collect()
}
