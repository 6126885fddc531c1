//! Which states can reach each other.

use alloc::vec;
use alloc::vec::Vec;

use super::{Cell, Grid, MoveRule};

/// The connected components of a grid, as labelled runs of free cells: a few bytes for each run, not for each
/// cell. Looking a cell up is a binary search in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridComponents {
    /// The runs of each row. Every row has a list of its own, so that an edit moves no runs of other rows.
    pub(super) rows: Vec<Vec<CellRun>>,
    pub(super) components: Vec<Component>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellRun {
    pub from: u32,
    pub to: u32,
    pub label: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Component {
    /// The row and the column of its first cell: components are numbered by these.
    pub first: (u32, u32),
    pub size: u64,
}

impl GridComponents {
    /// Finds the components of `grid` under `rule`, numbered in the order of their first cells.
    #[must_use]
    pub fn new(grid: &Grid, rule: MoveRule) -> Self {
        Self::of_runs((0..grid.height()).map(|y| grid.row_runs(y)), rule)
    }

    /// The components of rows of runs.
    pub(super) fn of_runs<R: Iterator<Item = (u32, u32)>>(
        runs: impl Iterator<Item = R>,
        rule: MoveRule,
    ) -> Self {
        let mut rows: Vec<Vec<CellRun>> = Vec::with_capacity(runs.size_hint().0);
        let mut parents: Vec<u32> = Vec::new();
        // Runs of neighbouring rows join where they overlap, or touch at a corner if the rule allows that.
        let reach = u32::from(rule.joins_corners());
        // Runs are counted through all rows, and until all are joined a label is the run's own number.
        let mut count = 0;
        for runs in runs {
            let mut row: Vec<CellRun> = Vec::new();
            let above = rows.last().map_or(&[][..], Vec::as_slice);
            let mut candidate = 0;
            for (from, to) in runs {
                row.push(CellRun { from, to, label: count });
                parents.push(count);
                while candidate < above.len() && above[candidate].to + reach <= from {
                    candidate += 1;
                }
                let touching = above[candidate..].iter().take_while(|other| other.from < to + reach);
                touching.for_each(|other| join(&mut parents, count, other.label));
                count += 1;
            }
            row.shrink_to_fit();
            rows.push(row);
        }
        let mut components: Vec<Component> = Vec::new();
        let mut labels: Vec<u32> = Vec::with_capacity(parents.len());
        for (y, row) in (0..).zip(&mut rows) {
            for run in row {
                let root = find(&mut parents, run.label);
                // A root is the earliest run of its component, so it has been labelled before any other.
                if root == run.label {
                    labels.push(components.len() as u32);
                    components.push(Component { first: (y, run.from), size: 0 });
                } else {
                    labels.push(labels[root as usize]);
                }
                run.label = labels[run.label as usize];
                components[run.label as usize].size += u64::from(run.to - run.from);
            }
        }
        Self { rows, components }
    }

    /// The component of `cell`, if that is free.
    #[must_use]
    pub fn of(&self, cell: Cell) -> Option<u32> {
        let row = self.rows.get(cell.y as usize)?;
        let run = row[..row.partition_point(|run| run.from <= cell.x)].last()?;
        (cell.x < run.to).then_some(run.label)
    }

    /// Whether both cells are free and each can be reached from the other.
    #[must_use]
    pub fn same(&self, a: Cell, b: Cell) -> bool {
        self.of(a).is_some_and(|label| self.of(b) == Some(label))
    }

    /// The number of components.
    #[must_use]
    pub fn count(&self) -> usize {
        self.components.len()
    }

    /// How many cells a component has.
    ///
    /// # Panics
    /// If there is no such component.
    #[must_use]
    pub fn size(&self, component: u32) -> u64 {
        self.components[component as usize].size
    }

    /// The component with the most cells, the first of them if several have as many.
    #[must_use]
    pub fn largest(&self) -> Option<u32> {
        // Of equal ones the last is the greatest, so they are looked at from the last to the first.
        (0..self.components.len() as u32).rev().max_by_key(|&label| self.size(label))
    }

    /// The runs of row `y` from one of them on.
    pub(super) fn row_from(&self, y: u32, run: usize) -> &[CellRun] {
        self.rows.get(y as usize).and_then(|row| row.get(run..)).unwrap_or_default()
    }

    /// The runs of row `y` as (first column, one past the last, component).
    pub fn row(&self, y: u32) -> impl Iterator<Item = (u32, u32, u32)> {
        let row = self.rows.get(y as usize).map_or(&[][..], Vec::as_slice);
        row.iter().map(|run| (run.from, run.to, run.label))
    }
}

/// The root of `item`'s tree; the path to it is halved on the way.
fn find(parents: &mut [u32], mut item: u32) -> u32 {
    while parents[item as usize] != item {
        let grandparent = parents[parents[item as usize] as usize];
        parents[item as usize] = grandparent;
        item = grandparent;
    }
    item
}

/// Joins two trees under the earlier root.
fn join(parents: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(parents, a), find(parents, b));
    parents[a.max(b) as usize] = a.min(b);
}

/// The strongly connected components of a directed graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    labels: Vec<u32>,
    count: usize,
}

impl Components {
    /// Tarjan's algorithm without recursion. `successors(v)` are the states that v's moves lead to.
    /// Components are numbered so that every move leads to the same or a lower number.
    pub(crate) fn strong<'a>(states: usize, successors: impl Fn(usize) -> &'a [u32]) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let mut order = vec![UNSEEN; states];
        let mut low = vec![0_u32; states];
        let mut labels = vec![UNSEEN; states];
        let (mut next_order, mut count) = (0_u32, 0_u32);
        let mut pending: Vec<u32> = Vec::new();
        let mut calls: Vec<(u32, u32)> = Vec::new();
        for root in 0..states as u32 {
            if order[root as usize] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some((state, edge)) = calls.pop() {
                let v = state as usize;
                if edge == 0 {
                    order[v] = next_order;
                    low[v] = next_order;
                    next_order += 1;
                    pending.push(state);
                }
                if let Some(&to) = successors(v).get(edge as usize) {
                    calls.push((state, edge + 1));
                    if order[to as usize] == UNSEEN {
                        calls.push((to, 0));
                    } else if labels[to as usize] == UNSEEN {
                        low[v] = low[v].min(order[to as usize]);
                    }
                    continue;
                }
                if low[v] == order[v] {
                    while let Some(member) = pending.pop() {
                        labels[member as usize] = count;
                        if member == state {
                            break;
                        }
                    }
                    count += 1;
                }
                if let Some(&(parent, _)) = calls.last() {
                    low[parent as usize] = low[parent as usize].min(low[v]);
                }
            }
        }
        Self { labels, count: count as usize }
    }

    /// The component of a state.
    ///
    /// # Panics
    /// If there is no such state.
    #[must_use]
    pub fn of(&self, state: super::State) -> u32 {
        self.labels[state.index()]
    }

    /// The number of components.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&str]) -> Grid {
        Grid::from_fn(rows[0].len() as u32, rows.len() as u32, |cell| {
            rows[cell.y as usize].as_bytes()[cell.x as usize] == b'.'
        })
        .unwrap()
    }

    #[test]
    fn corners_join_only_under_squeeze() {
        let grid = grid(&["..@@", "@@..", "..@@"]);
        assert_eq!(GridComponents::new(&grid, MoveRule::Squeeze).count(), 1);
        for rule in [MoveRule::OneFree, MoveRule::NoCut, MoveRule::Cardinal] {
            assert_eq!(GridComponents::new(&grid, rule).count(), 3);
        }
    }

    #[test]
    fn a_u_turn_is_one_component() {
        let grid = grid(&[".@.@.", ".@.@.", ".....", "@@@@@", "..@.."]);
        let components = GridComponents::new(&grid, MoveRule::NoCut);
        assert_eq!(components.count(), 3);
        assert_eq!(components.largest(), Some(0));
        assert_eq!(components.size(0), 11);
        assert!(components.same(Cell::new(0, 0), Cell::new(4, 0)));
        assert!(!components.same(Cell::new(0, 4), Cell::new(4, 4)));
        assert_eq!(components.of(Cell::new(1, 0)), None);
        assert_eq!(components.of(Cell::new(9, 9)), None);
    }

    #[test]
    fn strong_components_need_a_way_back() {
        let edges: [&[u32]; 5] = [&[1], &[2], &[0, 3], &[4], &[]];
        let components = Components::strong(5, |v| edges[v]);
        assert_eq!(components.count(), 3);
        let label = |v| components.of(crate::space::State(v));
        assert!(label(0) == label(1) && label(1) == label(2));
        assert!(label(2) > label(3) && label(3) > label(4));
    }
}
