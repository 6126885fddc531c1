//! `surefoot problems`

use crate::Workplace;

/// Optimal costs and buckets of a `.scen` file.
fn costs(scen: &str) -> Vec<(u32, f64)> {
    scen.lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            (columns[0].parse().unwrap(), columns[8].parse().unwrap())
        })
        .collect()
}

fn workplace() -> Workplace {
    let place = Workplace::empty();
    place.succeed(&[
        "map",
        "generate",
        "caves",
        "--width",
        "80",
        "--height",
        "60",
        "--seed",
        "2",
        "--out",
        "caves.map",
    ]);
    place
}

#[test]
fn costs_lie_in_the_range_and_seeds_repeat() {
    let place = workplace();
    let draw = |seed: &str, out: &str| {
        place.succeed(&[
            "problems",
            "caves.map",
            "--count",
            "40",
            "--min-cost",
            "10",
            "--max-cost",
            "30",
            "--seed",
            seed,
            "--out",
            out,
        ]);
        place.text(out)
    };
    let first = draw("3", "a.scen");
    assert_eq!(first, draw("3", "b.scen"));
    assert_ne!(first, draw("4", "c.scen"));
    assert!(first.starts_with("version 1\n"));
    assert!(first.contains("\tcaves.map\t80\t60\t"));
    let costs = costs(&first);
    assert_eq!(costs.len(), 40);
    for (bucket, cost) in costs {
        assert!((10.0..=30.0).contains(&cost), "{cost}");
        assert_eq!(bucket, (cost / 4.0) as u32);
    }
}

#[test]
fn every_bucket_gets_its_share() {
    let place = workplace();
    let text = place.succeed(&[
        "problems",
        "caves.map",
        "--count",
        "5",
        "--per-bucket",
        "--min-cost",
        "8",
        "--max-cost",
        "20",
        "--out",
        "-",
    ]);
    let costs = costs(&text);
    for bucket in 2..5 {
        assert_eq!(costs.iter().filter(|(own, _)| *own == bucket).count(), 5, "bucket {bucket}");
    }
}

#[test]
fn what_is_drawn_can_be_run() {
    let place = workplace();
    for (rule, cost) in [("squeeze", "1.4"), ("one-free", "sqrt2"), ("cardinal", "1.4")] {
        place.succeed(&[
            "problems",
            "caves.map",
            "--count",
            "20",
            "--max-cost",
            "40",
            "--rule",
            rule,
            "--cost",
            cost,
            "--out",
            "p.scen",
        ]);
        let rows = place.succeed(&[
            "run",
            "--map",
            "caves.map",
            "--scen",
            "p.scen",
            "--rule",
            rule,
            "--cost",
            cost,
            "--algorithm",
            "dijkstra",
            "--out",
            "-",
        ]);
        for row in rows.lines().skip(1) {
            let columns: Vec<&str> = row.split(',').collect();
            let (file, ours): (f64, f64) = (columns[6].parse().unwrap(), columns[7].parse().unwrap());
            assert!((file - ours).abs() < 1e-6, "{row}");
        }
    }
}
