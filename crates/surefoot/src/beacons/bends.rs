//! Where whole paths turn, found from their corners alone: no cell in between is looked at.

use alloc::vec::Vec;

use super::BeaconDatabase;
use super::turns::Sectors;
use super::ways::two_runs;
use crate::hub_labels::Stop;
use crate::space::{Cell, Cost, GridSpace, MoveRule, Runs, State, StateSpace as _};

impl BeaconDatabase {
    /// Fills a list with the cells at which a cheapest path changes its direction, its ends included, and
    /// tells what it costs. Between two of them all moves have one direction. It is the path that
    /// [`path`](Self::path) has cell by cell. `None` if there is none; then the list is empty.
    ///
    /// Once the list has room enough, nothing is allocated.
    #[must_use]
    pub fn straight_runs(
        &self,
        space: &GridSpace,
        from: State,
        to: State,
        points: &mut Vec<Cell>,
    ) -> Option<Cost> {
        points.clear();
        if !space.contains(from) || !space.contains(to) {
            return None;
        }
        let (start, goal) = (space.cell(from), space.cell(to));
        let mut decision = self.new_decision();
        decision.begin(start, goal);
        decision.complete(self, space);
        let cost = decision.way().and_then(|way| {
            let stops = decision.stops();
            stops.clear();
            let top = way.over.map_or(Some(0), |over| self.fill_stops(over, stops))?;
            let (mut runs, rule) = (Runs::new(points, start), space.rule());
            if let Some(first) = stops.first() {
                runs.go(rule, self.cell(first.corner()));
            }
            for (at, ends) in stops.windows(2).enumerate() {
                let end = self.cell(ends[1].corner());
                if self.ways.is_thin() && !self.begins_as_usual(rule, ends, at < top) {
                    go_the_other_way(&mut runs, rule, end);
                } else {
                    runs.go(rule, end);
                }
            }
            runs.go(rule, goal);
            Some(way.cost)
        });
        self.recycle(decision);
        cost
    }

    /// Whether a leg of the core, which leads up or down, can be walked in the usual order: diagonal moves
    /// first, or those along a row. Bent legs begin with one of their runs only, and what they begin with
    /// tells the order.
    #[inline]
    fn begins_as_usual(&self, rule: MoveRule, ends: &[Stop], is_up: bool) -> bool {
        // What is first on the way up is last on the way down.
        let last_runs = match (rule, is_up) {
            (MoveRule::Cardinal, true) => BY_COLUMN,
            (MoveRule::Cardinal, false) => BY_ROW,
            (_, true) => STRAIGHT,
            (_, false) => DIAGONAL,
        };
        let leg = ends[usize::from(!is_up)].leg as usize;
        self.ways.leaves.get(leg).is_none_or(|leaves| leaves & !last_runs != 0)
    }
}

/// The sectors of straight runs, and those of diagonal ones.
const STRAIGHT: Sectors = BY_ROW | BY_COLUMN;
const DIAGONAL: Sectors = 0x4444;
/// The sectors of runs along a row, and of those along a column.
const BY_ROW: Sectors = 0x0101;
const BY_COLUMN: Sectors = 0x1010;

/// Goes on along a leg whose runs have to be made in the other order.
fn go_the_other_way(runs: &mut Runs<'_>, rule: MoveRule, to: Cell) {
    match two_runs(rule, runs.at(), to) {
        Some(two) => two.into_iter().rev().for_each(|(direction, moves)| runs.run(direction, moves)),
        None => runs.go(rule, to),
    }
}
