use alloc::vec;
use alloc::vec::Vec;
use alloc::collections::BinaryHeap;
use core::cmp::Reverse;

use super::corners::Corners;
use super::sight::{Sight, Steps};
use super::turns::Turns;
use crate::space::{Cell, Cost, CostModel, Grid, GridSpace, MoveRule, State, StateSpace};

fn exact_all(space: &GridSpace, from: State) -> Vec<Cost> {
    let mut dist = vec![Cost::MAX; space.state_limit()];
    let mut open = BinaryHeap::new();
    dist[from.index()] = 0;
    open.push(Reverse((0, from.0)));
    while let Some(Reverse((d, s))) = open.pop() {
        if d > dist[s as usize] { continue; }
        space.for_each_successor(State(s), |to, c| {
            if d + c < dist[to.index()] {
                dist[to.index()] = d + c;
                open.push(Reverse((d + c, to.0)));
            }
        });
    }
    dist
}

/// Distances by corner graph.
struct Web { legs: Vec<Vec<(u32, Cost)>>, }

fn web(sight: Sight<'_>) -> Web {
    let n = sight.corners.count();
    let mut legs = vec![Vec::new(); n];
    for u in 0..n as u32 {
        let turn = sight.corners.turn(sight.turns, u);
        sight.look(sight.corners.cell(u), turn.leaves, turn.shadows, |seen| {
            let cost = seen.steps.cost(sight.space);
            legs[u as usize].push((seen.corner, cost));
            legs[seen.corner as usize].push((u, cost));
        });
    }
    for l in &mut legs { l.sort_unstable(); l.dedup(); }
    Web { legs }
}

fn check(grid: Grid, rule: MoveRule) -> (usize, usize) {
    let space = GridSpace::new(grid, rule, CostModel::Sqrt2);
    let turns = Turns::new(rule);
    let corners = Corners::new(space.grid(), &turns);
    let sight = Sight { space: &space, turns: &turns, corners: &corners };
    let web = web(sight);
    let n = corners.count();
    // seen from all cells
    let cells: Vec<Cell> = space.grid().free_cells().collect();
    let seen: Vec<Vec<(u32, Cost)>> = cells.iter().map(|&c| {
        let mut v = Vec::new();
        sight.look(c, u16::MAX, 0, |s| v.push((s.corner, s.steps.cost(&space))));
        v
    }).collect();
    for (i, &a) in cells.iter().enumerate() {
        let exact = exact_all(&space, space.state(a));
        // dijkstra over corners
        let mut dist = vec![Cost::MAX; n];
        let mut open = BinaryHeap::new();
        for &(c, d) in &seen[i] { if d < dist[c as usize] { dist[c as usize] = d; open.push(Reverse((d, c))); } }
        while let Some(Reverse((d, c))) = open.pop() {
            if d > dist[c as usize] { continue; }
            for &(t, w) in &web.legs[c as usize] {
                if d + w < dist[t as usize] { dist[t as usize] = d + w; open.push(Reverse((d + w, t))); }
            }
        }
        for (j, &b) in cells.iter().enumerate() {
            let (sees, _) = sight.sees(a, b);
            let mut best = if sees { Steps::between(rule, a, b).cost(&space) } else { Cost::MAX };
            for &(c, d) in &seen[j] { if dist[c as usize] != Cost::MAX { best = best.min(dist[c as usize] + d); } }
            let want = exact[space.state(b).index()];
            assert_eq!(best, want, "{rule} from {a} to {b} on {:?}: {} / {}", space.grid(), space.units().to_f64(best.min(1<<50)), space.units().to_f64(want.min(1<<50)));
        }
    }
    (n, web.legs.iter().map(Vec::len).sum())
}

#[test]
fn small_maps_all() {
    for rule in MoveRule::ALL {
        for bits in 0..1u32 << 16 {
            if bits % 7 != 0 { continue; }
            let grid = Grid::from_fn(4, 4, |c| bits >> (c.y * 4 + c.x) & 1 == 1).unwrap();
            check(grid, rule);
        }
    }
}

#[test]
fn random_maps() {
    let mut seed = 1u64;
    let mut next = move || { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (seed >> 33) as u32 };
    for rule in MoveRule::ALL {
        let (mut cs, mut ls) = (0, 0);
        for round in 0..400 {
            let (w, h) = (5 + next() % 20, 5 + next() % 20);
            let density = 2 + next() % 48;
            let lumps = round % 2 == 0;
            let mut grid = Grid::from_fn(w, h, |_| next() % 100 >= density).unwrap();
            if lumps {
                grid = Grid::from_fn(w, h, |_| true).unwrap();
                for _ in 0..next() % 12 {
                    let (x, y, a, b) = (next() % w, next() % h, 1 + next() % 5, 1 + next() % 5);
                    for yy in y..(y + b).min(h) { for xx in x..(x + a).min(w) { grid.set(Cell::new(xx, yy), false); } }
                }
            }
            let (c, l) = check(grid, rule);
            cs += c; ls += l;
        }
        std::eprintln!("{rule}: {cs} corners {ls} legs");
    }
}

pub fn read_map(path: &std::path::Path) -> Grid {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    lines.next();
    let h: u32 = lines.next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    let w: u32 = lines.next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
    lines.next();
    let rows: Vec<Vec<u8>> = lines.map(|l| l.as_bytes().to_vec()).collect();
    Grid::from_fn(w, h, |c| matches!(rows[c.y as usize][c.x as usize], b'.' | b'G' | b'S')).unwrap()
}
pub fn scale(grid: &Grid, by: u32) -> Grid { Grid::from_fn(grid.width() * by, grid.height() * by, |c| grid.is_free(Cell::new(c.x / by, c.y / by))).unwrap() }

#[test]
#[ignore]
fn measure() {
    let name = std::env::var("MAPS").unwrap();
    for rule in [MoveRule::NoCut, MoveRule::Squeeze, MoveRule::OneFree, MoveRule::Cardinal] {
    for path in name.split(':') {
        let by: u32 = std::env::var("SCALE").ok().map_or(1, |s| s.parse().unwrap());
        let space = GridSpace::new(scale(&read_map(path.as_ref()), by), rule, CostModel::Sqrt2);
        let t = std::time::Instant::now();
        let turns = Turns::new(rule);
        let t1 = t.elapsed();
        let corners = Corners::new(space.grid(), &turns);
        let t2 = t.elapsed();
        let sight = Sight { space: &space, turns: &turns, corners: &corners };
        let web = web(sight);
        let t3 = t.elapsed();
        let cells: Vec<Cell> = space.grid().free_cells().collect();
        let (mut n, mut seen, mut max, mut lines) = (0, 0, 0, 0);
        let step = (cells.len() / 10000).max(1);
        let mut acc = 0u64;
        for &c in cells.iter().step_by(step) {
            let mut here = 0;
            lines += sight.look(c, u16::MAX, 0, |s| { here += 1; acc += u64::from(s.corner); });
            n += 1; seen += here; max = max.max(here);
        }
        let t4 = t.elapsed();
        let m = web.legs.iter().map(Vec::len).max().unwrap_or(0);
        std::println!("{rule} {} {} corners {} legs/corner {:.1} max {m}; seen {:.1} max {max} lines {:.1}; turns {t1:?} corners {:?} legs {:?} look {:?} {acc}", path.rsplit('/').next().unwrap(), cells.len(), corners.count(),
            web.legs.iter().map(Vec::len).sum::<usize>() as f64 / corners.count() as f64, seen as f64 / n as f64, lines as f64 / n as f64, t2 - t1, t3 - t2, (t4 - t3) / n);
    }
    }
}

#[test]
fn labels_and_paths() {
    let mut seed = 5u64;
    let mut next = move || { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (seed >> 33) as u32 };
    for rule in MoveRule::ALL {
        for round in 0..60 {
            let (w, h) = (5 + next() % 20, 5 + next() % 20);
            let density = 2 + next() % 48;
            let grid = Grid::from_fn(w, h, |_| next() % 100 >= density).unwrap();
            let costs = if round % 2 == 0 { CostModel::Sqrt2 } else { CostModel::Diagonal14 };
            let space = GridSpace::new(grid, rule, costs);
            let db = super::BeaconDatabase::build(&space, super::BeaconConfig::default()).unwrap();
            let again = super::BeaconDatabase::from_bytes(&space, db.as_bytes().to_vec()).unwrap();
            assert_eq!(again.as_bytes(), db.as_bytes());
            let cells: Vec<Cell> = space.grid().free_cells().collect();
            for &a in &cells {
                let exact = exact_all(&space, space.state(a));
                for &b in &cells {
                    let want = Some(exact[space.state(b).index()]).filter(|&c| c != Cost::MAX);
                    assert_eq!(db.cost(&space, space.state(a), space.state(b)), want, "{rule} {a} {b} {:?}", space.grid());
                    let path = db.path(&space, space.state(a), space.state(b));
                    assert_eq!(path.is_some(), want.is_some());
                    if let Some(path) = path {
                        assert_eq!(Some(path.cost), want);
                        path.check(&space).unwrap(); assert_eq!((path.states.first(), path.states.last()), (Some(&space.state(a)), Some(&space.state(b))));
                    }
                }
            }
        }
    }
}

#[test]
fn edits_are_exact() {
    let mut seed = 9u64;
    let mut next = move || { seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407); (seed >> 33) as u32 };
    for rule in MoveRule::ALL {
        for _ in 0..10 {
            let (w, h) = (5 + next() % 20, 5 + next() % 20);
            let density = 2 + next() % 48;
            let mut space = GridSpace::new(Grid::from_fn(w, h, |_| next() % 100 >= density).unwrap(), rule, CostModel::Sqrt2);
            let mut db = super::BeaconDatabase::build(&space, super::BeaconConfig::default()).unwrap();
            for _ in 0..30 {
                let cells: Vec<Cell> = (0..1 + next() % 4).map(|_| Cell::new(next() % w, next() % h)).collect();
                for &c in &cells { let free = space.grid().is_free(c); space.set(c, !free); }
                db.repair(&space, cells).unwrap();
                let fresh = Corners::new(space.grid(), &Turns::new(rule));
                assert_eq!(fresh.count(), db.corners().count());
                let saved = db.renewed(&space).unwrap();
                let saved = super::BeaconDatabase::from_bytes(&space, saved.as_bytes().to_vec()).unwrap();
                let free: Vec<Cell> = space.grid().free_cells().collect();
                if free.is_empty() { continue; }
                for _ in 0..3 {
                    let a = free[next() as usize % free.len()];
                    let exact = exact_all(&space, space.state(a));
                    for &b in &free {
                        let want = Some(exact[space.state(b).index()]).filter(|&c| c != Cost::MAX);
                        assert_eq!(db.cost(&space, space.state(a), space.state(b)), want, "{rule} {a} {b} {:?}", space.grid());
                        assert_eq!(saved.cost(&space, space.state(a), space.state(b)), want);
                    }
                }
            }
        }
    }
}
