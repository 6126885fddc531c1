//! Which states can reach each other.

use alloc::vec;
use alloc::vec::Vec;

use super::{Cell, Grid, MoveRule};

/// The connected components of a grid, as labelled runs of free cells: a few bytes for each run, not for each
/// cell. Looking a cell up is a binary search in its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GridComponents {
    /// Where each row's runs start, and one more.
    row_starts: Vec<u32>,
    runs: Vec<Run>,
    sizes: Vec<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Run {
    from: u32,
    to: u32,
    label: u32,
}

impl GridComponents {
    /// Finds the components of `grid` under `rule`, numbered in the order of their first cells.
    #[must_use]
    pub fn new(grid: &Grid, rule: MoveRule) -> Self {
        let mut row_starts = Vec::with_capacity(grid.height() as usize + 1);
        let mut runs: Vec<Run> = Vec::new();
        let mut parents: Vec<u32> = Vec::new();
        // Runs of neighbouring rows join where they overlap, or touch at a corner if the rule allows that.
        let reach = u32::from(rule.joins_corners());
        let mut above = 0..0;
        for y in 0..grid.height() {
            let start = runs.len();
            row_starts.push(start as u32);
            let mut candidate = above.start;
            for (from, to) in grid.row_runs(y) {
                let own = runs.len() as u32;
                runs.push(Run { from, to, label: 0 });
                parents.push(own);
                while candidate < above.end && runs[candidate].to + reach <= from {
                    candidate += 1;
                }
                let mut other = candidate;
                while other < above.end && runs[other].from < to + reach {
                    join(&mut parents, own, other as u32);
                    other += 1;
                }
            }
            above = start..runs.len();
        }
        row_starts.push(runs.len() as u32);
        let mut sizes: Vec<u64> = Vec::new();
        for index in 0..runs.len() {
            let root = find(&mut parents, index as u32) as usize;
            // A root is the earliest run of its component, so it has been labelled before any other.
            if root == index {
                runs[index].label = sizes.len() as u32;
                sizes.push(0);
            } else {
                runs[index].label = runs[root].label;
            }
            sizes[runs[index].label as usize] += u64::from(runs[index].to - runs[index].from);
        }
        Self { row_starts, runs, sizes }
    }

    /// The component of `cell`, if that is free.
    #[must_use]
    pub fn of(&self, cell: Cell) -> Option<u32> {
        let row = self.row_slice(cell.y)?;
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
        self.sizes.len()
    }

    /// How many cells a component has.
    ///
    /// # Panics
    /// If there is no such component.
    #[must_use]
    pub fn size(&self, component: u32) -> u64 {
        self.sizes[component as usize]
    }

    /// The component with the most cells, the first of them if several have as many.
    #[must_use]
    pub fn largest(&self) -> Option<u32> {
        (0..self.sizes.len())
            .max_by_key(|&label| (self.sizes[label], usize::MAX - label))
            .map(|label| label as u32)
    }

    /// The runs of row `y` as (first column, one past the last, component).
    pub fn row(&self, y: u32) -> impl Iterator<Item = (u32, u32, u32)> {
        self.row_slice(y).unwrap_or_default().iter().map(|run| (run.from, run.to, run.label))
    }

    fn row_slice(&self, y: u32) -> Option<&[Run]> {
        let start = *self.row_starts.get(y as usize)?;
        let end = *self.row_starts.get(y as usize + 1)?;
        self.runs.get(start as usize..end as usize)
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
    /// Tarjan's algorithm without recursion. `successors(v)` are the states that v's moves lead to. Components
    /// are numbered so that every move leads to the same or a lower number.
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
