//! `surefoot reproduce`

use std::fs;

use crate::Workplace;

#[test]
fn the_pra_paper_on_a_small_map() {
    let place = Workplace::empty();
    fs::create_dir_all(place.path("maps/bg512")).unwrap();
    let size = ["--width", "50", "--height", "40", "--seed", "3", "--out", "maps/bg512/small.map"];
    place.succeed(&[&["map", "generate", "game"], &size[..]].concat());
    let arguments = ["reproduce", "pra2005", "--benchmarks", "maps", "--quick", "--rate", "2200"];
    let text = place.succeed(&[&arguments[..], &["--out", "figures"]].concat());
    for part in [
        "PRA*, 2005\n",
        "1 maps at 512 × 512 with ",
        "Planning time is work at a fixed rate",
        "paths of PRA*(∞) within 1 % of optimal (%)",
        "Figure 5 a: run time of A*, percentiles: figures/",
        "Figure 6 b: ",
        "Figure 7, 1 ms",
        "Beyond the paper: ",
        "\nda-rtaa* ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // A* is optimal, on every path.
    let rows = place.text("figures/pra2005/rows.csv");
    let of_a_star: Vec<&str> =
        rows.lines().filter_map(|line| line.split_once(",a*,")?.1.split(',').nth(8)).collect();
    assert!(of_a_star.len() > 10 && of_a_star.iter().all(|over| *over == "0.0"), "{of_a_star:?}");
    // What is counted repeats, whether it is done again or only read again.
    assert_eq!(place.succeed(&[&arguments[..], &["--out", "figures"]].concat()), text);
    assert_eq!(place.succeed(&arguments), text);
    let rows = |out: &str| {
        let text = place.text(&format!("{out}/pra2005/rows.csv"));
        // But for the building times of databases. No cell before them has a comma.
        let times = text.split(',').position(|name| name == "build_seconds").unwrap();
        let without_times = |line: &str| {
            line.split(',')
                .enumerate()
                .filter(|(at, _)| *at != times)
                .map(|(_, cell)| cell.to_string())
                .collect::<Vec<_>>()
        };
        text.lines().map(without_times).collect::<Vec<_>>()
    };
    assert_eq!(rows("figures"), rows("results"));
}

#[test]
fn the_dynamic_control_paper_on_small_maps() {
    let place = Workplace::empty();
    fs::create_dir_all(place.path("maps/wc3maps512")).unwrap();
    for (name, seed) in [("darkforest", "1"), ("thecrucible", "2"), ("divideandconquer", "3")] {
        let file = format!("maps/wc3maps512/{name}.map");
        let size = ["--width", "70", "--height", "70", "--seed", seed, "--out", &file];
        place.succeed(&[&["map", "generate", "game"], &size[..]].concat());
    }
    let arguments = ["reproduce", "jair2008", "--benchmarks", "maps", "--quick"];
    let text = place.succeed(&[&arguments[..], &["--out", "figures"]].concat());
    for part in [
        "Table 3: algorithms of high performance",
        "Table 4: the best under a limit",
        "Algorithms that a limit on the states expanded in a move disqualifies",
        "Table 5: pattern databases",
        "The worst move of LRTA*(F, PDB) expands exactly (2d − 1)² states.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let rows = place.text("figures/jair2008/rows.csv");
    assert!(rows.lines().filter(|line| line.contains(",lrta*(dt,g,dmax=10),") || line.contains("\"lrta*(dt,g,dmax=10)\",")).count() == 30, "{rows}");
    assert!(place.path("figures/jair2008/rows.parquet").is_file());
    assert!(place.path("figures/cache").is_dir());
}

#[test]
fn the_paper_of_2009_on_a_small_map() {
    let place = Workplace::empty();
    fs::create_dir_all(place.path("maps/knn2009")).unwrap();
    let map = "maps/knn2009/small.map";
    place.succeed(&["map", "generate", "rooms", "--width", "40", "--height", "30", "--out", map]);
    let range =
        ["--count", "8", "--min-cost", "10", "--max-cost", "30", "--rule", "squeeze", "--cost", "1.4"];
    place.succeed(&[&["problems", map], &range[..], &["--out", "maps/knn2009/small.map.scen"]].concat());
    let text = place.succeed(&["reproduce", "knn2009", "--benchmarks", "maps", "--quick", "--out", "out"]);
    for part in [
        "This was a quick run",
        "Table 1: resources and performance, means",
        "\nknn-lrta-2009*(n=1000)",
        "447.95",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let rows = place.text("out/knn2009/rows.csv");
    assert_eq!(rows.lines().filter(|line| line.contains("knn-lrta-2009*(n=5000)")).count(), 2, "{rows}");
}

#[test]
fn missing_maps_and_stray_options_are_told() {
    let place = Workplace::empty();
    fs::create_dir(place.path("maps")).unwrap();
    let reproduce = |paper| ["reproduce", paper, "--benchmarks", "maps", "--quick"];
    place.fail(&reproduce("pra2005"), 1, "there is no map in maps: the plan asks for bg512, wc3maps512");
    place.fail(&reproduce("jair2008"), 1, "darkforest.map");
    place.fail(&reproduce("knn2009"), 1, "knn2009");
    let rate = ["reproduce", "jair2008", "--benchmarks", "maps", "--rate", "3"];
    place.fail(&rate, 2, "--rate is for pra2005");
    place.fail(&["reproduce", "pra2005", "--benchmarks", "nowhere"], 1, "there is no folder of benchmarks");
}
