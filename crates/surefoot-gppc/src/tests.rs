//! The entry, held against an exact search of the library on maps that change.

use std::path::Path as FilePath;

use surefoot::search::Dijkstra;
use surefoot::space::{Cost, CostModel, Grid, GridSpace, MoveRule};
use surefoot::{Cell, Map};

use super::border::{self, GppcPatch, GppcPath, GppcPoint};
use super::*;

/// Numbers that look drawn.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        (self.0 >> 33) as u32 % limit
    }
}

fn bytes_of(grid: &Grid) -> Vec<u8> {
    let mut bytes = vec![0; Bits::bytes_of(grid.width(), grid.height())];
    for cell in grid.free_cells() {
        let at = (cell.y * grid.width() + cell.x) as usize;
        bytes[at / 8] |= 1 << (at % 8);
    }
    bytes
}

fn bits<'a>(bytes: &'a [u8], grid: &Grid) -> Bits<'a> {
    Bits::new(bytes, grid.width(), grid.height()).unwrap()
}

fn entry(way: Way, grid: &Grid, file: Option<&FilePath>) -> Entry {
    Entry::open(way, bits(&bytes_of(grid), grid), file).unwrap()
}

fn random_grid(draws: &mut Draws, width: u32, height: u32) -> Grid {
    let mut grid = Grid::from_fn(width, height, |_| true).unwrap();
    for _ in 0..draws.below(12) {
        let (x, y, wide, high) =
            (draws.below(width), draws.below(height), 1 + draws.below(6), 1 + draws.below(6));
        for cell in (y..height.min(y + high)).flat_map(|y| (x..width.min(x + wide)).map(move |x| (x, y))) {
            grid.set(cell.into(), false);
        }
    }
    grid
}

/// A whole path: all of its pieces.
fn whole_path(entry: &mut Entry, start: Cell, goal: Cell) -> Vec<Cell> {
    let mut cells = Vec::new();
    for _ in 0..10_000 {
        let part = entry.path(start, goal);
        cells.extend_from_slice(part.cells);
        if !part.is_incomplete {
            return cells;
        }
    }
    panic!("the path from {start} to {goal} does not end");
}

/// What a path costs, if every step of it is legal.
fn cost_of(space: &GridSpace, points: &[Cell]) -> Option<Cost> {
    let mut cost = 0;
    for ends in points.windows(2) {
        let (dx, dy) = (ends[1].x as i32 - ends[0].x as i32, ends[1].y as i32 - ends[0].y as i32);
        let is_run = (dx == 0) != (dy == 0) || dx != 0 && dx.abs() == dy.abs();
        let mut at = ends[0];
        while is_run && at != ends[1] {
            let next =
                Cell::new(at.x.wrapping_add_signed(dx.signum()), at.y.wrapping_add_signed(dy.signum()));
            let free = |x, y| space.grid().is_free(Cell::new(x, y));
            if !(free(at.x, at.y) && free(next.x, next.y) && free(at.x, next.y) && free(next.x, at.y)) {
                return None;
            }
            cost += space.costs().of_steps(u64::from(dx == 0 || dy == 0), u64::from(dx != 0 && dy != 0));
            at = next;
        }
        if !is_run {
            return None;
        }
    }
    Some(cost)
}

/// Holds some paths against Dijkstra's algorithm.
fn check(entry: &mut Entry, grid: &Grid, draws: &mut Draws, is_exact: bool) {
    let space = GridSpace::new(grid.clone(), MoveRule::NoCut, CostModel::Sqrt2);
    for _ in 0..20 {
        let [start, goal] =
            [(); 2].map(|()| Cell::new(draws.below(grid.width() + 1), draws.below(grid.height())));
        let ends = space.locate_ends(start, goal).ok();
        let exact = ends.and_then(|(from, to)| Dijkstra::new().find(&space, from, to).unwrap().cost());
        let path = whole_path(entry, start, goal);
        match exact {
            Some(exact) if exact > 0 => {
                assert_eq!((path[0], path[path.len() - 1]), (start, goal));
                let cost = cost_of(&space, &path).expect("every step is legal");
                assert!(cost == exact || !is_exact && cost > exact, "{cost} {exact} {path:?}");
            }
            _ => assert_eq!(path, [], "from {start} to {goal}"),
        }
    }
}

#[test]
fn paths_are_cheapest_while_the_map_changes() {
    let mut draws = Draws(5);
    for round in 0..30 {
        let (width, height) = (2 + draws.below(70), 2 + draws.below(70));
        let mut grid = random_grid(&mut draws, width, height);
        let mut entries = [Way::Whole, Way::InPieces].map(|way| entry(way, &grid, None));
        for change in 0..4 {
            // A few cells, or much at once.
            let most = if (round + change) % 2 == 0 { 5 } else { 70 };
            let patch = random_grid(&mut draws, 1 + width.min(most) / 2, 1 + height.min(most) / 2);
            let place = Cell::new(draws.below(width), draws.below(height));
            for cell in (0..patch.height()).flat_map(|y| (0..patch.width()).map(move |x| Cell::new(x, y))) {
                let at = Cell::new(place.x + cell.x, place.y + cell.y);
                if grid.contains(at) {
                    grid.set(at, patch.is_free(cell));
                }
            }
            let bytes = bytes_of(&patch);
            for entry in &mut entries {
                let mut changes = Changes::default();
                changes.add(entry.map(), bits(&bytes, &patch), place);
                entry.change(&changes);
                assert_eq!(entry.map().space().grid(), &grid);
                check(entry, &grid, &mut draws, true);
            }
        }
    }
}

/// Makes the whole map as a grid of its size.
fn become_like(entry: &mut Entry, grid: &Grid) {
    let (bytes, mut changes) = (bytes_of(grid), Changes::default());
    changes.add(entry.map(), bits(&bytes, grid), Cell::new(0, 0));
    entry.change(&changes);
}

#[test]
fn maps_of_rock_and_of_one_row_are_maps() {
    let mut draws = Draws(8);
    for (width, height) in [(1, 1), (1, 2), (2, 1), (1, 90), (90, 1), (2, 60), (9, 9)] {
        let scattered = Grid::from_fn(width, height, |_| draws.below(4) > 0).unwrap();
        let [rock, open] = [false, true].map(|free| Grid::from_fn(width, height, |_| free).unwrap());
        for way in [Way::Whole, Way::InPieces] {
            let mut entry = entry(way, &rock, None);
            check(&mut entry, &rock, &mut draws, true);
            for grid in [&open, &scattered, &rock, &scattered, &open] {
                become_like(&mut entry, grid);
                check(&mut entry, grid, &mut draws, true);
            }
        }
    }
}

#[test]
fn two_runs_agree_whether_there_was_a_file_or_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index");
    for way in [Way::Whole, Way::InPieces] {
        let run = |is_with_file: bool| {
            let mut draws = Draws(11);
            let grid = random_grid(&mut draws, 90, 80);
            Entry::preprocess(bits(&bytes_of(&grid), &grid), &file).unwrap();
            let mut entry = entry(way, &grid, is_with_file.then_some(&file));
            let mut given = Vec::new();
            for _ in 0..8 {
                for _ in 0..20 {
                    let [start, goal] = [(); 2].map(|()| Cell::new(draws.below(90), draws.below(80)));
                    given.push(whole_path(&mut entry, start, goal));
                }
                let patch = random_grid(&mut draws, 12, 9);
                let mut changes = Changes::default();
                for _ in 0..2 {
                    let place = Cell::new(draws.below(90), draws.below(80));
                    changes.add(entry.map(), bits(&bytes_of(&patch), &patch), place);
                }
                entry.change(&changes);
            }
            given
        };
        let first = run(false);
        assert!(first.iter().any(|path| path.len() > 4));
        assert!(first == run(false) && first == run(true));
    }
}

#[test]
fn what_is_kept_does_not_grow_with_the_number_of_changes() {
    let mut draws = Draws(21);
    let grid = random_grid(&mut draws, 70, 70);
    let mut entry = entry(Way::InPieces, &grid, None);
    let mut after_so_many = |count: u32| {
        for _ in 0..count {
            // A wall comes somewhere, and goes again.
            let (wall, place) =
                (Grid::from_fn(3, 2, |_| false).unwrap(), Cell::new(draws.below(70), draws.below(70)));
            let (before, mut changes) = (Grid::from(entry.map()), Changes::default());
            changes.add(entry.map(), bits(&bytes_of(&wall), &wall), place);
            entry.change(&changes);
            become_like(&mut entry, &before);
        }
        check(&mut entry, &grid, &mut draws, true);
        entry.navigator.as_ref().unwrap().memory_bytes()
    };
    let few = after_so_many(20);
    let many = after_so_many(120);
    assert!(many < few + few / 4, "{few} bytes, then {many}");
}

#[test]
fn what_patches_leave_as_it_is_is_no_change() {
    let map = Map::from_art("....\n.##.\n....").unwrap();
    let (full, none) = ([0xff; 2], [0; 2]);
    let add = |changes: &mut Changes, bytes: &'static [u8; 2], x, y| {
        changes.add(&map, Bits::new(bytes, 2, 1).unwrap(), Cell::new(x, y));
    };
    let (full, none): (&'static [u8; 2], &'static [u8; 2]) =
        (Box::leak(Box::new(full)), Box::leak(Box::new(none)));
    let mut changes = Changes::default();
    add(&mut changes, none, 1, 1);
    add(&mut changes, full, 0, 0);
    assert!(changes.is_empty());
    // The second undoes one cell of the first; what lies outside counts for nothing.
    add(&mut changes, full, 1, 1);
    add(&mut changes, none, 2, 1);
    add(&mut changes, none, 9, 9);
    assert_eq!(changes.len(), 2);
    let cells: Vec<(u32, u32)> = changes.edits().map(|edit| (edit.cell().x, edit.cell().y)).collect();
    assert_eq!(cells, [(1, 1), (3, 1)]);
}

#[test]
fn files_of_other_maps_are_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index");
    let mut draws = Draws(3);
    let (one, other) = (random_grid(&mut draws, 40, 30), random_grid(&mut draws, 40, 31));
    Entry::preprocess(bits(&bytes_of(&one), &one), &file).unwrap();
    let written = std::fs::read(&file).unwrap();
    for grid in [&one, &other] {
        check(&mut entry(Way::Whole, grid, Some(&file)), grid, &mut draws, true);
    }
    std::fs::write(&file, &written[..written.len() / 2]).unwrap();
    check(&mut entry(Way::Whole, &one, Some(&file)), &one, &mut draws, true);
    assert!(Entry::preprocess(bits(&bytes_of(&one), &one), &folder.path().join("no/such/folder")).is_err());
}

#[test]
fn a_piece_of_a_path_is_short() {
    let grid = Grid::from_fn(400, 3, |_| true).unwrap();
    let mut entry = entry(Way::InPieces, &grid, None);
    let (start, goal) = (Cell::new(0, 1), Cell::new(399, 1));
    let part = entry.path(start, goal);
    assert!(part.is_incomplete && part.cells[0] == start && part.cells.len() == 2);
    assert!((20..100).contains(&part.cells[1].x));
    // Another question begins anew, and so does this one afterwards.
    assert_eq!(entry.path(goal, start).cells[0], goal);
    assert_eq!(entry.path(start, goal).cells[0], start);
    assert_eq!(whole_path(&mut entry, start, goal).last(), Some(&goal));
    for other in [goal, start, Cell::new(400, 0)] {
        assert!(entry.path(start, goal).is_incomplete);
        assert_eq!(entry.path(other, other).cells, []);
        assert_eq!(entry.path(start, goal).cells[0], start, "after a question from {other} to itself");
        assert_eq!(entry.path(other, other).cells, []);
    }
}

#[test]
fn small_maps_are_searched_and_large_ones_are_not() {
    let open = Grid::from_fn(20, 20, |cell| cell.x % 7 != 3 || cell.y % 5 != 2).unwrap();
    assert!(entry(Way::Whole, &open, None).is_searching());
    let mut draws = Draws(1);
    let large = Grid::from_fn(300, 300, |_| draws.below(20) > 0).unwrap();
    let mut entry = entry(Way::Whole, &large, None);
    assert!(!entry.is_searching());
    check(&mut entry, &large, &mut draws, true);
}

#[test]
fn the_scale_of_a_change_decides() {
    assert!(!is_build_faster(0, 0) && !is_build_faster(35, 100_000));
    assert!(is_build_faster(26_700, 40_000) && is_build_faster(usize::MAX, 1));
}

#[allow(unsafe_code)]
#[test]
fn nothing_that_c_passes_makes_it_panic() {
    let none = GppcPatch { bits: std::ptr::null(), width: 3, height: 3, place: GppcPoint::default() };
    let bytes = [0xff_u8; 2];
    let map = GppcPatch { bits: bytes.as_ptr(), width: 4, height: 4, ..none };
    let (here, there) = (GppcPoint { x: 0, y: 0 }, GppcPoint { x: 3, y: 3 });
    let length = |path: GppcPath| (path.length, path.incomplete);
    // SAFETY: what is not null is there to be read, and the entry is ended once.
    unsafe {
        border::preprocess(none, std::ptr::null());
        border::preprocess(map, c"".as_ptr());
        assert!(border::begin::<Whole>(none, std::ptr::null()).is_null());
        let data = border::begin::<Whole>(map, c"/no/such/file".as_ptr());
        assert_eq!(length(border::path(data, here, there)), (2, 0));
        assert_eq!(length(border::path(data, here, here)), (0, 0));
        assert_eq!(length(border::path(data, here, GppcPoint { x: 4, y: 0 })), (0, 0));
        border::change(data, &raw const none, 1);
        let closed = [0_u8; 2];
        let wall = GppcPatch { bits: closed.as_ptr(), width: 1, height: 9, place: GppcPoint { x: 2, y: 0 } };
        border::change(data, &raw const wall, 1);
        assert_eq!(length(border::path(data, here, there)), (0, 0));
        assert_eq!(length(border::path(std::ptr::null_mut(), here, there)), (0, 0));
        border::end(data);
        border::end(std::ptr::null_mut());
    }
}
