//! Components of a grid of which a cell is freed or blocked: mostly only the row of the cell changes.

use super::components::{CellRun, Component};
use super::sorting;
use super::{Cell, Direction, DirectionSet, Grid, GridComponents, MoveRule};

/// How far around a blocked cell a way is looked for that goes around it, before all of the map is searched:
/// mostly it is short.
const WINDOWS: [u32; 3] = [8, 32, 128];

impl GridComponents {
    /// Takes over that `cell` was freed or blocked in `grid`, which differs in no other cell from what the
    /// components were found in. They are then those of a new search, numbers and all; or, if it says
    /// `false`, as they were: then they must be found anew.
    ///
    /// Where the cell joins and separates nothing only its row changes. Where a freed one joins components,
    /// or is one by itself, a pass over the runs gives them other numbers, if it `may_renumber`. Where ways
    /// around a blocked one are long, or there are none, it takes a search.
    pub(super) fn update(&mut self, grid: &Grid, rule: MoveRule, cell: Cell, may_renumber: bool) -> bool {
        match (self.of(cell), grid.is_free(cell)) {
            (None, true) => self.free(grid, rule, cell, may_renumber),
            (Some(label), false) => self.block(grid, rule, (cell, label), may_renumber),
            _ => true,
        }
    }

    /// Joins what a freed cell joins, if the components stay in their order.
    fn free(&mut self, grid: &Grid, rule: MoveRule, cell: Cell, may_renumber: bool) -> bool {
        let place = (cell.y, cell.x);
        let mut joined = [0; 8];
        let mut count = 0;
        for direction in joining(rule, grid.free_neighbours(cell)).iter() {
            let label = grid.neighbour(cell, direction).and_then(|neighbour| self.of(neighbour));
            if let Some(label) = label.filter(|label| !joined[..count].contains(label)) {
                joined[count] = label;
                count += 1;
            }
        }
        let joined = &mut joined[..count];
        sorting::sort(joined);
        if joined.len() != 1 && !may_renumber {
            return false;
        }
        let Some((&label, others)) = joined.split_first() else {
            let label = self.components.partition_point(|component| component.first < place);
            self.components.insert(label, Component { first: place, size: 1 });
            let label = label as u32;
            self.relabel(cell.y, |old| old + u32::from(old >= label));
            self.add_to_row(cell, label);
            return true;
        };
        let index = label as usize;
        let is_in_order = index == 0 || self.components[index - 1].first < place;
        if !is_in_order {
            return false;
        }
        let size: u64 = others.iter().map(|&other| self.size(other)).sum();
        let component = &mut self.components[index];
        component.first = component.first.min(place);
        component.size += size + 1;
        if let Some(&next) = others.first() {
            let row = self.components[next as usize].first.0;
            self.relabel(row, |old| match others.binary_search(&old) {
                Ok(_) => label,
                Err(before) => old - before as u32,
            });
            for &other in others.iter().rev() {
                self.components.remove(other as usize);
            }
        }
        self.add_to_row(cell, label);
        true
    }

    /// Takes a blocked cell from its component, if that is known to stay in one piece and the components in
    /// their order.
    fn block(&mut self, grid: &Grid, rule: MoveRule, (cell, label): (Cell, u32), may_renumber: bool) -> bool {
        let index = label as usize;
        let neighbours = grid.free_neighbours(cell);
        let groups = groups(rule, neighbours);
        if groups == 0 {
            if may_renumber {
                self.take_from_row(cell);
                self.components.remove(index);
                self.relabel(cell.y, |old| old - u32::from(old > label));
            }
            return may_renumber;
        }
        let Component { mut first, size } = self.components[index];
        if first == (cell.y, cell.x) {
            let Some(next) = self.next_cell(cell, label) else { return false };
            if self.components.get(index + 1).is_some_and(|following| following.first < next) {
                return false;
            }
            first = next;
        }
        self.take_from_row(cell);
        if groups > 1 && !self.has_way_around(rule, cell, joining(rule, neighbours)) {
            self.add_to_row(cell, label);
            return false;
        }
        self.components[index] = Component { first, size: size - 1 };
        true
    }

    /// Whether all the `neighbours` of a blocked cell are known to reach each other.
    fn has_way_around(&self, rule: MoveRule, cell: Cell, neighbours: DirectionSet) -> bool {
        WINDOWS.into_iter().any(|reach| {
            let (left, top) = (cell.x.saturating_sub(reach), cell.y.saturating_sub(reach));
            let (right, bottom) = (cell.x.saturating_add(reach), cell.y.saturating_add(reach));
            let bottom = (bottom as usize).min(self.rows.len() - 1);
            let window = self.rows[top as usize..=bottom].iter().map(|row| {
                let runs = &row[row.partition_point(|run| run.to <= left)..];
                let runs = runs.iter().take_while(move |run| run.from <= right);
                runs.map(move |run| (run.from.max(left), run.to.min(right + 1)))
            });
            let window = Self::of_runs(window, rule);
            let mut labels = neighbours.iter().map(|direction| {
                let (dx, dy) = direction.delta();
                window.of(Cell::new(cell.x.wrapping_add_signed(dx), (cell.y - top).wrapping_add_signed(dy)))
            });
            let first = labels.next();
            labels.all(|label| Some(label) == first)
        })
    }

    /// The row and the column of the first cell of a component after one of its cells.
    fn next_cell(&self, cell: Cell, label: u32) -> Option<(u32, u32)> {
        let mut rows = (cell.y..).zip(&self.rows[cell.y as usize..]);
        rows.find_map(|(y, row)| {
            let after = if y == cell.y { cell.x + 1 } else { 0 };
            let run = row.iter().find(|run| run.label == label && run.to > after)?;
            Some((y, run.from.max(after)))
        })
    }

    /// Gives the runs from a row on other labels.
    fn relabel(&mut self, from: u32, label: impl Fn(u32) -> u32) {
        for run in self.rows[from as usize..].iter_mut().flatten() {
            run.label = label(run.label);
        }
    }

    fn add_to_row(&mut self, Cell { x, y }: Cell, label: u32) {
        let row = &mut self.rows[y as usize];
        let at = row.partition_point(|run| run.to < x);
        let touches_next = |run: &CellRun| run.from == x + 1;
        match row.get(at).copied() {
            Some(run) if run.to == x => {
                row[at].to = x + 1;
                if row.get(at + 1).is_some_and(touches_next) {
                    row[at].to = row[at + 1].to;
                    row.remove(at + 1);
                }
            }
            Some(run) if touches_next(&run) => row[at].from = x,
            _ => row.insert(at, CellRun { from: x, to: x + 1, label }),
        }
    }

    fn take_from_row(&mut self, Cell { x, y }: Cell) {
        let row = &mut self.rows[y as usize];
        let at = row.partition_point(|run| run.to <= x);
        let run = row[at];
        match (run.from == x, run.to == x + 1) {
            (true, true) => {
                row.remove(at);
            }
            (true, false) => row[at].from = x + 1,
            (false, true) => row[at].to = x,
            (false, false) => {
                row[at].from = x + 1;
                row.insert(at, CellRun { to: x, ..run });
            }
        }
    }
}

/// Of the free neighbours of a cell those that it is joined with: by straight moves, and where corners join
/// by diagonal ones too.
fn joining(rule: MoveRule, neighbours: DirectionSet) -> DirectionSet {
    let is_joined = |direction: &Direction| rule.joins_corners() || !direction.is_diagonal();
    neighbours.iter().filter(is_joined).fold(DirectionSet::NONE, DirectionSet::with)
}

/// Into how many groups the cells around a cell fall that are joined with it, if ways lead only through the
/// eight cells around it.
fn groups(rule: MoveRule, neighbours: DirectionSet) -> u32 {
    use Direction::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
    const AROUND: [Direction; 8] = [East, SouthEast, South, SouthWest, West, NorthWest, North, NorthEast];
    let is_free = |at: usize| neighbours.contains(AROUND[at % 8]);
    // A corner counts as part of the way around if the straight neighbours on its sides are joined by it or
    // without it.
    let is_way = |at: usize| match (AROUND[at % 8].is_diagonal(), rule.joins_corners()) {
        (false, _) => is_free(at),
        (true, false) => is_free(at) && is_free(at + 7) && is_free(at + 1),
        (true, true) => is_free(at) || is_free(at + 7) && is_free(at + 1),
    };
    let beginnings = (0..8).filter(|&at| is_way(at) && !is_way(at + 7)).count() as u32;
    if (0..8).all(is_way) { 1 } else { beginnings }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CostModel, GridSpace};
    use crate::test_maps::maps;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// What the groups are by a search among the eight cells around a cell.
    fn groups_by_search(rule: MoveRule, neighbours: DirectionSet) -> u32 {
        let around = Grid::from_fn(3, 3, |cell| {
            let delta = (cell.x as i32 - 1, cell.y as i32 - 1);
            delta != (0, 0) && neighbours.contains(Direction::from_delta(delta.0, delta.1))
        });
        let around = around.unwrap();
        let components = GridComponents::new(&around, rule);
        let middle = Cell::new(1, 1);
        let joined = joining(rule, neighbours);
        let mut labels: Vec<_> = joined
            .iter()
            .map(|direction| components.of(around.neighbour(middle, direction).unwrap()))
            .collect();
        labels.sort_unstable();
        labels.dedup();
        labels.len() as u32
    }

    #[test]
    fn groups_are_those_of_a_search_around_the_cell() {
        for rule in MoveRule::ALL {
            for neighbours in (0..=255).map(DirectionSet) {
                assert_eq!(
                    groups(rule, neighbours),
                    groups_by_search(rule, neighbours),
                    "{rule} {neighbours:?}"
                );
            }
        }
    }

    #[test]
    fn an_edit_in_the_open_or_at_a_wall_needs_no_search() {
        let grid = Grid::from_fn(9, 7, |cell| cell.y != 3 || cell.x > 4).unwrap();
        for (x, y) in [(2, 1), (0, 2), (8, 6), (4, 3), (6, 2), (0, 0)] {
            let (cell, mut edited) = (Cell::new(x, y), grid.clone());
            let mut components = GridComponents::new(&grid, MoveRule::NoCut);
            edited.set(cell, !grid.is_free(cell));
            assert!(components.update(&edited, MoveRule::NoCut, cell, false), "{cell}");
            assert_eq!(components, GridComponents::new(&edited, MoveRule::NoCut), "{cell}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn after_every_edit_components_are_those_of_a_new_search(
            mut space in maps(40),
            edits in prop::collection::vec(any::<u32>(), 100),
        ) {
            for edit in edits {
                let cell = space.cell(crate::space::State(edit % space.grid().cell_count() as u32));
                space.set(cell, !space.grid().is_free(cell));
                prop_assert_eq!(space.components(), &GridComponents::new(space.grid(), space.rule()));
            }
        }

        #[test]
        fn many_edits_at_once_are_as_many_one_by_one(
            space in maps(16),
            edits in prop::collection::vec((any::<u32>(), any::<bool>()), 0..12),
        ) {
            let cells = space.grid().cell_count() as u32;
            let changes: Vec<_> = edits
                .into_iter()
                .map(|(edit, free)| (space.cell(crate::space::State(edit % cells)), free))
                .collect();
            let (mut at_once, mut one_by_one) = (space.clone(), space);
            at_once.set_all(changes.iter().copied());
            changes.into_iter().for_each(|(cell, free)| one_by_one.set(cell, free));
            prop_assert_eq!(at_once.components(), one_by_one.components());
            prop_assert_eq!(at_once.grid(), one_by_one.grid());
            let fresh = GridSpace::new(at_once.grid().clone(), at_once.rule(), CostModel::Sqrt2);
            prop_assert_eq!(at_once.components(), fresh.components());
        }
    }
}
