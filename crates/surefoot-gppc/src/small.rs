//! Whether a map is so small that jump points take less than labels.
//!
//! That depends on how far cells see and on how often paths turn, not on the size alone. So some paths are
//! found both ways, and what was looked at is counted. Clocks are not asked: two runs have to agree.

use surefoot::search::JumpPoints;
use surefoot::{Cell, Navigator};

/// On maps with more free cells than this, labels take less or nearly as little in the mean, and far less
/// where paths are long.
const MOST_CELLS: u64 = 5_000;
/// So many paths are found both ways.
const SAMPLES: u64 = 64;

/// What paths take, in nanoseconds: a part that all have, one for each thing that is looked at, and one for
/// each move. A fit to 75 generated maps of five kinds, with sides of 25 to 100 cells; it is off by 9 to 13 %
/// in the mean. Only the ratio of the two matters, and near one it does not matter much.
struct Price {
    path: u64,
    look: u64,
    cell: u64,
}

/// By jump points: looks are at jump points that were found.
const SEARCH: Price = Price { path: 110, look: 35, cell: 12 };
/// By labels: looks are at lines, corners and hubs.
const LABELS: Price = Price { path: 585, look: 7, cell: 7 };

impl Price {
    fn of(&self, looks: u64, moves: u64) -> u64 {
        self.path + self.look * looks + self.cell * moves
    }
}

/// Whether jump points take less than what was built.
pub(crate) fn is_search_faster(navigator: &Navigator, search: &mut JumpPoints) -> bool {
    let space = navigator.map().space();
    let free = space.grid().free_count();
    if !(2..=MOST_CELLS).contains(&free) {
        return false;
    }
    let cells: Vec<Cell> = space.grid().free_cells().collect();
    let mut draws = Draws { state: free };
    let (mut by_search, mut by_labels) = (0, 0);
    for _ in 0..SAMPLES {
        let [start, goal] = [(); 2].map(|()| cells[draws.below(cells.len())]);
        let Ok(mut walker) = navigator.walker(start, goal) else { continue };
        let Ok((from, to)) = space.locate_ends(start, goal) else { continue };
        let Ok(answer) = search.find(space, from, to) else { continue };
        let Some(path) = answer.path.filter(|path| path.moves() > 0) else { continue };
        let _ = walker.next_move();
        let moves = path.moves() as u64;
        by_search += SEARCH.of(answer.counts.generated, moves);
        by_labels += LABELS.of(walker.work().total(), moves);
    }
    by_search < by_labels
}

/// Numbers that look drawn, the same for the same map.
struct Draws {
    state: u64,
}

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % limit.max(1)
    }
}
