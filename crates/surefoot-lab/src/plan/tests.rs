use super::*;

const SMALL: &str = r#"title = "small"
timed = false

[[maps]]
generate = "game"
width = 40
height = 30
rule = "no-cut"
cost = "sqrt2"
problems = { count = 5, min-cost = 5, max-cost = 20 }

[[algorithms]]
specs = ["a*", "lrta*(d={1..3})"]
"#;

#[test]
fn the_plans_of_the_papers_are_sound() {
    for (name, _) in BUILT_IN {
        let plan = Plan::built_in(name).unwrap().unwrap_or_else(|error| panic!("{name}: {error}"));
        let quick = plan.quick();
        assert!(!quick.maps.is_empty() && !quick.parts.is_empty(), "{name}");
        let count = |plan: &Plan| plan.parts.iter().map(|part| part.specs.len()).sum::<usize>();
        assert!(count(&quick) <= count(&plan), "{name}");
        // A quick run is part of the whole: it shows nothing that the whole does not.
        for part in &quick.parts {
            let whole = plan.parts.iter().find(|whole| whole.name == part.name).unwrap();
            assert!(part.specs.iter().all(|spec| whole.specs.contains(spec)), "{name}, {}", part.name);
        }
    }
    assert!(Plan::built_in("knn2010").is_none());
}

#[test]
fn the_plans_have_the_rows_of_the_tables() {
    let has = |name: &str, specs: &[&str]| {
        let plan = Plan::built_in(name).unwrap().unwrap();
        let own: Vec<String> =
            plan.parts.iter().flat_map(|part| part.specs.iter().map(Spec::to_string)).collect();
        for spec in specs {
            assert!(own.iter().any(|own| own == spec), "{spec} in {name}");
        }
    };
    has("knn2009", &["lrta*(d=3)", "knn-lrta-2009*(n=5000)", "d-lrta*(level=7,d=3)", "d-lrta*(level=3,d=3)"]);
    has(
        "jair2010",
        &[
            "knn-lrta*(n=80000)",
            "d-lrta*(level=9,d=1,aligned=yes)",
            "d-lrta*(level=12,d=1,aligned=yes)",
            "tba*(slice=100)",
            "a*",
        ],
    );
    has(
        "beyond",
        &[
            "beacon*",
            "knn-lrta*(n=60000)",
            "hcdps*",
            "dba*",
            "tba*(slice=50)",
            "pra*(k=16)",
            "k-lrta*",
            "jps",
            "a*",
        ],
    );
    has(
        "jair2008",
        &[
            "a*",
            "weighted-a*(gamma=0.2)",
            "pra*",
            "pr-lrta*(f,g,level=4,d=5,gamma=1,distance=euclidean)",
            "lrta*(pdb,pdb,level=3,cap=3000,trace=straight-first)",
            "lrta*(f,pdb,level=3,d=14,trace=straight-first)",
            "lrta*(dt,g,dmax=20)",
            "pr-lrta*(pdb,g,level=3,level2=+0,cap=1000,distance=euclidean)",
            "lrta*(d=15)",
            "lrta*(oracle,g,dmax=30)",
        ],
    );
    has("jair2008-original", &["lrta*(d=4)", "lrta*(oracle,g,dmax=30)", "lrta*(pdb,g,level=3,cap=1000)"]);
    has("pra2005", &["a*", "pra*", "pra*(k=2)", "pra*(k=16)", "tba*(slice=1000)", "d-lrta*"]);
}

#[test]
fn a_plan_is_read() {
    let plan = Plan::parse("small", SMALL).unwrap();
    assert_eq!(
        (plan.name.as_str(), plan.title.as_str(), plan.seeds, plan.timed),
        ("small", "small", 1, false)
    );
    let specs: Vec<String> = plan.parts[0].specs.iter().map(Spec::to_string).collect();
    assert_eq!(specs, ["a*", "lrta*(d=1)", "lrta*(d=2)", "lrta*(d=3)"]);
    assert_eq!(plan.maps[0].terrain, TerrainSet::GROUND);
    assert_eq!(plan.quick(), plan);
}

#[test]
fn algorithms_are_named_with_their_stars() {
    let read = |specs: &str| Plan::parse("small", &SMALL.replace("\"a*\"", specs));
    let specs: Vec<String> = read("\"beacon\"").unwrap().parts[0].specs.iter().map(Spec::to_string).collect();
    assert_eq!(specs[0], "beacon*");
    assert!(read("\"beacon\", \"beacon*\"").unwrap_err().to_string().contains("beacon* is there twice"));
}

#[test]
fn a_part_may_be_timed_where_others_are_not() {
    let text = format!("{SMALL}\n[[algorithms]]\nspecs = [\"jps\"]\ntimed = true\n");
    let plan = Plan::parse("small", &text).unwrap();
    let timed = |plan: &Plan| plan.parts.iter().map(|part| part.timed).collect::<Vec<_>>();
    assert_eq!((timed(&plan), timed(&plan.quick())), (vec![false, true], vec![false, true]));
    let plan = Plan::parse("small", &text.replace("timed = false", "timed = true")).unwrap();
    assert_eq!(timed(&plan), [true, true]);
}

#[test]
fn a_part_may_have_seeds_moves_and_ways_of_its_own() {
    let part = "\n[[algorithms]]\nspecs = [\"jps\"]\nsymmetries = true\nseeds = 9\nmost-moves = 70\n";
    let read = |more: &str| Plan::parse("small", &format!("{SMALL}{part}{more}")).unwrap();
    let own = |plan: &Plan| {
        let parts = plan.parts.iter().map(|part| (part.ways(), part.seeds, part.most_moves));
        parts.collect::<Vec<_>>()
    };
    assert_eq!(own(&read("")), [(1, None, None), (8, Some(9), Some(70))]);
    assert_eq!(own(&read("").quick()), own(&read("")));
    let quick = read("[quick]\nsymmetries = false\nseeds = 2\nmost-moves = 7\n").quick();
    assert_eq!(own(&quick), [(1, None, None), (1, Some(2), Some(7))]);
    let error = Plan::parse("small", &format!("{SMALL}{}", part.replace("= 9", "= 0"))).unwrap_err();
    assert!(error.to_string().contains("seeds is 0"), "{error}");
    let plan = read("");
    assert_eq!(units(&plan.parts[1..], plan.seeds, 3).unwrap(), 24);
}

#[test]
fn a_quick_run_leaves_out() {
    let text = SMALL.replace("specs =", "quick = [\"lrta*(d=2)\"]\npasses = 3\nspecs =")
        + "[quick]\nproblems = 2\nscale = 2\nmost-moves = 10\npasses = 1\n";
    let text = text.replace("rule =", "scale = 3\nrule =");
    let quick = Plan::parse("small", &text).unwrap().quick();
    assert_eq!((quick.parts[0].specs.len(), quick.maps[0].scale), (1, 2));
    assert_eq!((quick.most_moves, quick.parts[0].passes), (Some(10), 1));
    assert!(matches!(quick.maps[0].problems, Problems::Drawn { count: 2, .. }));
}

#[test]
fn mistakes_are_placed_and_say_what_there_is() {
    let message = |from: &str, to: &str| {
        let text = SMALL.replace(from, to);
        assert_ne!(text, SMALL, "{from}");
        Plan::parse("small", &text).unwrap_err().to_string()
    };
    for (from, to, place, words) in [
        ("timed = false", "timed = maybe", "line 2, column 9", ""),
        (
            "timed = false",
            "timd = false",
            "line 2, column 1",
            "unknown field `timd`, expected one of `title`, `timed`",
        ),
        ("width = 40", "width = -40", "line 6, column 9", ""),
        ("width = 40\n", "", "line 4, column 1", "a generated map needs a width and a height"),
        ("\"game\"", "\"gam\"", "line 5, column 12", "unknown kind of map \"gam\"; expected one of: rooms"),
        ("\"no-cut\"", "\"cut\"", "line 8, column 8", "squeeze"),
        ("\"sqrt2\"", "\"2\"", "line 9, column 8", "sqrt2"),
        ("count = 5, ", "", "line 10, column 12", "beside = true"),
        ("count = 5", "beside = true", "line 10, column 12", "not both"),
        ("max-cost = 20", "max-cost = 2", "line 10, column 12", "min-cost <= max-cost"),
        ("\"a*\"", "\"b*\"", "line 13, column 10", "there is no algorithm of this name; there are: a*, "),
        ("\"a*\"", "\"a*\", \"a*\"", "line 12, column 1", "a* is there twice"),
        ("{1..3}", "{1..x}", "line 13, column 25", "is no range"),
        ("d={1..3}", "x={1..3}", "line 13, column 16", "there is no parameter \"x\"; lrta* takes: d=3"),
        ("generate = \"game\"\n", "", "line 4, column 1", "say where maps come from"),
        ("timed = false", "timed = false\ngame = {}", "line 2, column 9", "expansions-per-ms"),
        (
            "timed = false",
            "timed = true\ngame = {}\n[[algorithms]]\nspecs = [\"a*\"]\ntimed = false",
            "line 6, column 9",
            "expansions-per-ms",
        ),
        ("title = \"small\"", "", "line 1, column 1", "missing field `title`"),
    ] {
        let message = message(from, to);
        assert!(
            message.starts_with(&format!("{place}: ")) && message.contains(words),
            "{from} {to}: {message}"
        );
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn plans_that_are_too_large_are_refused_at_the_number_that_makes_them_so() {
    for (from, to, place, words) in [
        (
            "timed = false",
            "timed = false\nseeds = 99999999999",
            "line 3, column 9",
            "seeds is 99999999999, and the plan comes to 100000000004 units",
        ),
        (
            "count = 5",
            "count = 99999999999",
            "line 10, column 22",
            "count is 99999999999, and the plan comes to 599999999994 walks",
        ),
        ("specs =", "passes = 4294967295\nspecs =", "line 13, column 10", "lower passes, or split the plan"),
        ("{1..3}", "{1..99999999999}", "line 13, column 25", "at most 10000 can be run"),
        ("width = 40", "width = 4294967295", "line 4, column 1", "lower width, height or scale"),
        ("width = 40", "width = 40\nscale = 4294967295", "line 4, column 1", "at most 1073741824 cells"),
    ] {
        // Databases of records depend on a seed, those of beacons do not, and the others have none.
        let text = SMALL.replace("{1..3})\"", "{1..3})\", \"knn-lrta*\", \"beacon*\"").replace(from, to);
        let message = Plan::parse("small", &text).unwrap_err().to_string();
        assert!(message.starts_with(place) && message.contains(words), "{from} {to}: {message}");
    }
}

#[test]
fn trees_of_ones_own_are_for_algorithms_with_trees() {
    let with = |specs: &str, trees: &str| {
        let text = format!("{SMALL}\n[[algorithms]]\nspecs = [{specs}]\ntrees = {trees}\n");
        Plan::parse("small", &text)
    };
    let plan = with("\"lrta*(dt,g;dmax={5,10})\"", "{ folds = 10, leaf = 25, pruning = 0.05 }").unwrap();
    let own = plan.parts.iter().map(|part| part.trees).collect::<Vec<_>>();
    assert_eq!(own, [None, Some(OwnTrees { folds: 10, leaf: 25, pruning: 0.05 })]);
    for (specs, trees, problem) in [
        ("\"lrta*(d=2)\"", "{ folds = 10, leaf = 25, pruning = 0.05 }", "has no tree"),
        ("\"lrta*(dt,g)\"", "{ folds = 1, leaf = 25, pruning = 0.05 }", "folds from 2"),
        ("\"lrta*(dt,g)\"", "{ folds = 10, leaf = 0, pruning = 0.05 }", "a leaf of at least 1"),
        ("\"lrta*(dt,g)\"", "{ folds = 10, leaf = 1, pruning = 0.6 }", "at most 0.5"),
    ] {
        let error = with(specs, trees).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
