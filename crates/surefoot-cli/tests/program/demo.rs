//! `surefoot demo`

use crate::{Workplace, json, names_in};

#[test]
fn the_demo_needs_nothing_and_shows_everything() {
    let place = Workplace::empty();
    let outcome = place.run(&["demo", "--all"]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(place.names(), ["demo"]);
    let files = names_in(&place.path("demo"));
    assert_eq!(files, ["demo.map", "demo.map.scen", "index.html", "picture.svg", "rows.csv"]);
    for file in &files {
        assert!(outcome.stderr.contains(&format!("wrote demo/{file}")), "{}", outcome.stderr);
    }
    let page = place.text("demo/index.html");
    let list = json(&place.succeed(&["list", "--json"]));
    for entry in list.as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        // Those that need a database are called with the number of its records, or the level of its regions.
        let name = name.trim_end_matches(')');
        let (row, cell) = (format!("\n{name}"), format!("<td class=\"name\">{name}"));
        let is_followed = |text: &str, part: &str, ends: [&str; 5]| {
            ends.iter().any(|end| text.contains(&format!("{part}{end}")))
        };
        assert!(
            is_followed(&outcome.stdout, &row, [" ", ")", "(n=", "(level=", ",level="]),
            "{name} in {}",
            outcome.stdout
        );
        assert!(
            is_followed(&page, &cell, ["</td>", ")</td>", "(n=", "(level=", ",level="]),
            "{name} in the page"
        );
    }
    assert_eq!(outcome.stdout.lines().nth(3).unwrap().split(' ').next(), Some("beacon*"), "it comes first");
    assert!(page.contains("The first, <code>beacon*</code>, is surefoot's own"), "and it is said why");
    assert!(page.contains("The database of <code>knn-lrta*(n="), "databases are told of");
    // Thirty lines in six colours would tell nothing: few are seen at first.
    assert_eq!(page.matches("type=\"checkbox\" checked").count(), 3, "of the names three are ticked");
    let lines = |page: &str, which: &str| page.lines().filter(|line| line.contains(which)).count();
    for svg in [&page, &place.text("demo/picture.svg")] {
        let (all, hidden) = (lines(svg, "<polyline id=\"line-"), lines(svg, "style=\"display:none\""));
        assert_eq!((all, all - hidden), (list.as_array().unwrap().len(), 3));
    }
    assert!(!page.contains("{{"), "a placeholder was left");
    // Names have no spaces: unless they may break, the longest makes the page wider than a telephone.
    assert!(page.contains(".name, code, dt { overflow-wrap: anywhere; min-width: 0; }"), "names may break");
    assert!(
        page.contains("Expansions and the steps of climbs are counted together"),
        "it is said what is counted"
    );
    // The name of the SVG format is an address that no browser asks for; there is no other.
    let addresses =
        page.replace("http://www.w3.org/2000/svg", "").replace("src=\"data:image/gif;base64,R0lGODlh", "");
    for link in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!addresses.contains(link), "{link} in the page");
    }
}

#[test]
fn the_demo_repeats_by_seed_and_can_be_run_again() {
    let place = Workplace::empty();
    for (seed, folder) in [("3", "a"), ("3", "b"), ("4", "c")] {
        let table = place.succeed(&["demo", "--seed", seed, "--out", folder]);
        let names: Vec<&str> = table
            .lines()
            .skip_while(|line| !line.starts_with('-'))
            .skip(1)
            .map_while(|line| line.split(' ').next().filter(|name| !name.is_empty()))
            .collect();
        assert_eq!(names, ["beacon*", "a*", "lrta*"], "{table}");
        assert!(
            place.text(&format!("{folder}/index.html")).contains("<code>surefoot demo --all</code> has all")
        );
    }
    for file in ["demo.map", "demo.map.scen", "picture.svg"] {
        assert!(place.read(&format!("a/{file}")) == place.read(&format!("b/{file}")), "{file}");
        assert!(place.read(&format!("a/{file}")) != place.read(&format!("c/{file}")), "{file}");
    }
    let again = [
        "run",
        "--map",
        "a/demo.map",
        "--scen",
        "a/demo.map.scen",
        "--algorithm",
        "a*",
        "--out",
        "again.csv",
    ];
    place.succeed(&again);
    assert!(place.text("again.csv").lines().count() > 100);
}

#[test]
fn a_demo_that_cannot_be_written_leaves_no_part_of_it() {
    let place = Workplace::empty();
    std::fs::create_dir_all(place.path("demo/index.html")).unwrap();
    let outcome = place.run(&["demo"]);
    assert_eq!(outcome.code, 1, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("cannot write demo/index.html: it names a folder"), "{}", outcome.stderr);
    assert_eq!(names_in(&place.path("demo")), ["index.html"]);
}
