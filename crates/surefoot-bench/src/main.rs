//! scratch
use std::time::Instant;
use surefoot::search::*;
use surefoot::space::*;

fn load(path: &std::path::Path) -> Grid {
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<&[u8]> = text.lines().skip(4).map(str::as_bytes).collect();
    Grid::from_fn(rows[0].len() as u32, rows.len() as u32, |c| {
        TerrainSet::GROUND.contains(rows[c.y as usize][c.x as usize])
    })
    .unwrap()
}

fn main() {
    let root = std::path::PathBuf::from(std::env::args().nth(1).unwrap());
    if std::env::args().nth(2).as_deref() == Some("big") {
        return big(&root);
    }
    let every: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    let which = std::env::args().nth(3).unwrap_or("all".into());
    let (mut a, mut j) = (AStar::new(), JumpPoints::new());
    let mut total = [0.0_f64; 4];
    let mut exp_a0 = 0;
    let (mut n, mut exp_a, mut exp_j, mut gen_j) = (0u64, 0u64, 0u64, 0u64);
    for folder in ["bg512", "sc1", "dao"] {
        let mut sub = [0.0_f64; 4];
        let mut paths: Vec<_> = std::fs::read_dir(root.join(folder))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().unwrap() == "map")
            .collect();
        paths.sort();
        let mut sub_n = 0;
        for path in paths {
            let space = GridSpace::new(load(&path), MoveRule::NoCut, CostModel::Sqrt2);
            let scen = std::fs::read_to_string(path.with_extension("map.scen")).unwrap();
            let problems: Vec<(Cell, Cell, f64)> = scen
                .lines()
                .skip(1)
                .filter(|l| !l.trim().is_empty())
                .map(|l| {
                    let f: Vec<&str> = l.split_whitespace().rev().collect();
                    let num = |i: usize| f[i].parse::<u32>().unwrap();
                    (Cell::new(num(4), num(3)), Cell::new(num(2), num(1)), f[0].parse::<f64>().unwrap())
                })
                .filter(|p| p.2 >= 100.0 && p.2 <= 512.0)
                .step_by(every)
                .collect();
            let h = space.octile();
            let mut costs = vec![];
            if which != "jps" {
                let mut best = f64::MAX;
                for _ in 0..5 {
                    costs.clear();
                    exp_a = exp_a0;
                    let t = Instant::now();
                    for p in &problems {
                        let r = a.find(&space, &h, space.state(p.0), space.state(p.1)).unwrap();
                        exp_a += r.counts.expanded;
                        costs.push(r.cost());
                    }
                    best = best.min(t.elapsed().as_secs_f64());
                }
                sub[0] += best;
                exp_a0 = exp_a;
            }
            let t = Instant::now();
            for (i, p) in problems.iter().enumerate() {
                let r = j.find(&space, space.state(p.0), space.state(p.1)).unwrap();
                exp_j += r.counts.expanded;
                gen_j += r.counts.generated;
                if !costs.is_empty() {
                    assert_eq!(r.cost(), costs[i]);
                }
            }
            sub[1] += t.elapsed().as_secs_f64();
            if which == "all" {
                let t = Instant::now();
                for p in &problems {
                    let goal = p.1;
                    let gs = space.state(goal);
                    let r = pathfinding::directed::astar::astar(
                        &space.state(p.0),
                        |&c| {
                            let space = &space;
                            space.moves(c).iter().map(move |d| (space.step(c, d), space.step_cost(d)))
                        },
                        |&c| h.estimate(c, gs),
                        |&c| c == gs,
                    )
                    .unwrap();
                    assert_eq!(Some(r.1), costs[sub[3] as usize]);
                    sub[3] += 1.0;
                    std::hint::black_box(r);
                }
                sub[2] += t.elapsed().as_secs_f64();
            }
            sub[3] = 0.0;
            sub_n += problems.len();
        }
        println!(
            "{folder} {sub_n} a* {:.1} us, jps {:.1} us, pathfinding {:.1} us",
            sub[0] / sub_n as f64 * 1e6,
            sub[1] / sub_n as f64 * 1e6,
            sub[2] / sub_n as f64 * 1e6
        );
        n += sub_n as u64;
        for i in 0..4 {
            total[i] += sub[i];
        }
    }
    println!(
        "all {n}: a* {:.1} us ({:.2} M exp/s), jps {:.1} us ({} exp, {} gen), pathfinding {:.1} us; a* {:.1}x jps {:.1}x",
        total[0] / n as f64 * 1e6,
        exp_a as f64 / total[0] / 1e6,
        total[1] / n as f64 * 1e6,
        exp_j / n,
        gen_j / n,
        total[2] / n as f64 * 1e6,
        total[2] / total[0],
        total[2] / total[1]
    );
}
fn big(root: &std::path::Path) {
    for (m, k) in [("bg512/AR0011SR", 9u32), ("sc1/BigGameHunters", 8), ("wc3maps512/thecrucible", 12)] {
        let g = load(&root.join(format!("{m}.map")));
        let big =
            Grid::from_fn(g.width() * k, g.height() * k, |c| g.is_free(Cell::new(c.x / k, c.y / k))).unwrap();
        drop(g);
        let t = Instant::now();
        let space = GridSpace::new(big, MoveRule::NoCut, CostModel::Sqrt2);
        let build = t.elapsed();
        let comp = space.components().largest().unwrap();
        let cells = space.grid().cell_count() as u64;
        let mut seed = 12345u64;
        let mut rnd = || loop {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let s = State(((seed >> 20) % cells) as u32);
            if space.components().of(space.cell(s)) == Some(comp) {
                return s;
            }
        };
        let (mut a, mut j) = (AStar::new(), JumpPoints::new());
        let pairs: Vec<_> = (0..201).map(|_| (rnd(), rnd())).collect();
        let mut times: Vec<f64> = vec![];
        let mut c = vec![];
        let mut ex = 0;
        for p in &pairs {
            let t = Instant::now();
            let r = j.find(&space, p.0, p.1).unwrap();
            times.push(t.elapsed().as_secs_f64() * 1e6);
            ex += r.counts.expanded;
            c.push(r.cost());
        }
        times.sort_by(f64::total_cmp);
        for p in pairs.iter().take(10) {
            a.find(&space, &space.octile(), p.0, p.1).unwrap();
        }
        let mut e = 0;
        let t = Instant::now();
        for (i, p) in pairs.iter().take(10).enumerate() {
            let r = a.find(&space, &space.octile(), p.0, p.1).unwrap();
            e += r.counts.expanded;
            assert_eq!(r.cost(), c[i]);
        }
        let ta = t.elapsed().as_secs_f64();
        println!(
            "{m} x{k}: {} states, build {build:?}, jps median {:.0} us, p95 {:.0}, max {:.0}, {} exp; a* {:.2} M exp/s",
            space.components().size(comp),
            times[100],
            times[190],
            times[200],
            ex / 201,
            e as f64 / ta / 1e6
        );
    }
}
