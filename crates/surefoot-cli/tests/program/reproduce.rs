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
        "PRA*, 2005: 1 maps, ",
        "work at 2200 expansions a millisecond",
        "Figure 5: ",
        "Figure 6 a: ",
        "Figure 6 b: ",
        "Figure 6 c: ",
        "Figure 7, 10 ms",
        "Figure 7, 2 ms",
        "Figure 7, 1 ms",
        "pra*(k=16)",
        "Beyond the paper: ",
        "\nda-rtaa* ",
        "published: ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let figures = place.text("figures/pra2005.csv");
    assert!(figures.starts_with("measure,algorithm,of,planning_ms_per_frame,bucket,"), "{figures}");
    // A* is optimal, on every path of every bucket.
    let of_a_star: Vec<&str> = figures.lines().filter(|line| line.starts_with("length_ratio,a*,")).collect();
    assert!(of_a_star.len() > 10);
    assert!(of_a_star.iter().all(|line| line.ends_with(",0,1.0,1.0,1.0,1.0,1.0")), "{of_a_star:?}");
    // What is counted repeats.
    assert_eq!(place.succeed(&arguments), text);
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
    let arguments = ["reproduce", "jair2008", "--benchmarks", "maps", "--quick", "--problems", "3"];
    let text = place.succeed(&[&arguments[..], &["--out", "figures"]].concat());
    for part in [
        "\nlrta*(f,pdb,level=4,d=1) ",
        "Best under a limit",
        "Disqualified at 1,000 states a move: ",
        "patterns(level=7, aligned=yes, subgoals, ties=low-g)",
        "The worst move of LRTA*(F, PDB) expands exactly (2d - 1)^2 states.",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let figures = place.text("figures/jair2008.csv");
    let line = figures.lines().find(|line| line.starts_with("\"a*\",")).unwrap();
    assert!(line.starts_with("\"a*\",0.0000,0.0000,0.0000,") && line.ends_with(",9,0"), "{line}");
    assert!(figures.lines().count() > 20);
}

#[test]
fn missing_maps_and_stray_options_are_told() {
    let place = Workplace::empty();
    fs::create_dir(place.path("maps")).unwrap();
    let reproduce = |paper| ["reproduce", paper, "--benchmarks", "maps", "--quick"];
    place.fail(&reproduce("pra2005"), 1, "there is no map in bg512 or wc3maps512");
    place.fail(&reproduce("knn2009"), 2, "--quick and --out are for pra2005 and jair2008");
    place.fail(&reproduce("jair2008"), 1, "darkforest.map");
    let paths = ["reproduce", "jair2008", "--benchmarks", "maps", "--paths", "3"];
    place.fail(&paths, 2, "--rate and --paths are for pra2005");
    place.fail(&["reproduce", "pra2005", "--benchmarks", "nowhere"], 1, "there is no folder of benchmarks");
}
