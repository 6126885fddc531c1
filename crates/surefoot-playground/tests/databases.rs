//! Databases: built, kept, saved, opened, drawn.

#![allow(clippy::unwrap_used)] // the helpers below are part of the tests

use std::ops::ControlFlow;

use serde_json::Value;
use surefoot::Cell;
use surefoot::store::BuildEvent;
use surefoot_classics::ROSTER;
use surefoot_playground::maps::generate;
use surefoot_playground::world::World;

fn quietly(_: BuildEvent) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn world_of(kind: &str, seed: u64) -> World {
    World::new(&generate(kind, 40, 40, seed).unwrap(), 40, 40, "no-cut", "sqrt2").unwrap()
}

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

fn two_cells(world: &World) -> (Cell, Cell) {
    let space = world.space();
    let component = space.components().largest().unwrap();
    let mut inside = space.grid().free_cells().filter(|&cell| space.components().of(cell) == Some(component));
    (inside.next().unwrap(), inside.last().unwrap())
}

#[test]
fn every_database_is_the_librarys_byte_for_byte_and_can_be_opened_and_drawn() {
    let mut world = world_of("rooms", 2);
    let (start, goal) = two_cells(&world);
    let space = world.space().clone();
    let (mut kinds, mut shown) = (Vec::new(), Vec::new());
    for entry in ROSTER.entries() {
        let spec = entry.quick_spec(space.grid().free_count() as usize);
        let expected = ROSTER.build_database(&spec.parse().unwrap(), &space, 9).unwrap();
        let built = world.build(&spec, 9, &mut quietly).unwrap();
        let Some(expected) = expected else {
            assert_eq!(built, None, "{spec}");
            continue;
        };
        let facts = read(&built.unwrap());
        assert_eq!(facts["kind"], expected.kind().name, "{spec}");
        assert_eq!(facts["entries"], expected.entries(), "{spec}");
        assert_eq!(facts["bytes"], expected.to_bytes().len(), "{spec}");
        assert!(!facts["facts"].as_array().unwrap().is_empty(), "{spec}");
        let bytes = world.database_bytes(None).unwrap();
        assert!(*bytes == *expected.to_bytes(), "{spec}");
        assert!(world.database_bytes(Some(&spec)).unwrap() == bytes, "{spec}");

        let walk = world.walk(&spec, start, goal, 10_000).unwrap();
        let mut other = world_of("rooms", 2);
        assert_eq!(read(&other.open_database(bytes, Some(&spec)).unwrap()), facts, "{spec}");
        assert_eq!(other.walk(&spec, start, goal, 10_000).unwrap(), walk, "{spec}");

        let whole = read(&other.sketch(None, None, None, None).unwrap());
        assert!(!whole["panels"][0]["marks"].as_array().unwrap().is_empty(), "{spec}");
        // What it says that it shows it does, and nothing else.
        let shows = &facts["shows"];
        let mut is_drawn =
            |way, record, level| other.sketch(Some(&spec), way, record, level).map(|json| read(&json));
        let way = is_drawn(Some((start, goal)), None, None);
        assert_eq!(way.is_ok(), shows["way"] == true, "{spec}: {way:?}");
        let of = |value: &Value, place: usize| value[place].as_u64().map(|number| number as u32);
        for place in [0, 1] {
            for (numbers, is_level) in [(&shows["records"], false), (&shows["levels"], true)] {
                let number = of(numbers, place);
                let views = |number: u32| if is_level { (None, Some(number)) } else { (Some(number), None) };
                let (record, level) = views(number.unwrap_or(1));
                assert_eq!(is_drawn(None, record, level).is_ok(), number.is_some(), "{spec}: {shows}");
                let (record, level) = views(of(numbers, 1).unwrap_or(1) + 1);
                assert!(is_drawn(None, record, level).is_err(), "{spec}: {shows}");
            }
        }
        shown.extend(
            ["way", "records", "levels"]
                .iter()
                .filter(|&&what| shows[what].is_array() || shows[what] == true),
        );
        kinds.push(expected.kind().name);
    }
    for kind in ROSTER.kinds() {
        assert!(kinds.contains(&kind.name), "{kind:?}");
    }
    assert!(["way", "records", "levels"].iter().all(|what| shown.contains(&what)));
}

#[test]
fn a_build_tells_of_its_progress_and_can_be_cancelled() {
    for (spec, tells) in
        [("beacon*", true), ("knn-lrta*(n=500)", true), ("lrta*(pdb,g;level=2)", true), ("hcdps", false)]
    {
        let mut world = world_of("rooms", 2);
        let mut told = 0;
        let mut cancel = |_| {
            told += 1;
            ControlFlow::Break(())
        };
        let built = world.build(spec, 1, &mut cancel);
        assert_eq!(told, u32::from(tells), "{spec}: who is told to stop asks no more");
        // What is built in one go cannot be cancelled.
        assert_eq!(built.err().as_deref(), tells.then_some("the build was cancelled"), "{spec}");
        assert_eq!(world.database_bytes(None).is_err(), tells, "{spec}: nothing is left of it");
        assert!(world.build(spec, 1, &mut quietly).is_ok(), "{spec}");
    }
}

#[test]
fn a_database_that_is_there_is_not_built_again() {
    let mut world = world_of("rooms", 2);
    let (start, goal) = two_cells(&world);
    let mut stages = 0;
    let mut count = |_| {
        stages += 1;
        ControlFlow::Continue(())
    };
    let first = world.build("knn-lrta*(n=50)", 5, &mut count).unwrap();
    let other = world.build("beacon*", 5, &mut count).unwrap();
    assert!(first != other);
    let mut never = |event| panic!("{event}");
    assert_eq!(world.build("knn-lrta*(n=50)", 5, &mut never).unwrap(), first);
    assert_eq!(world.build("beacon*", 5, &mut never).unwrap(), other);
    // Of several that serve, a walk goes by the one that is just what it asks for.
    let walk = |world: &mut World, spec| world.walk(spec, start, goal, 10_000).unwrap().database.unwrap();
    assert_eq!(walk(&mut world, "knn-lrta*(n=50)"), read(&first.clone().unwrap())["config"]);
    let all = world.build("knn-lrta*", 5, &mut quietly).unwrap();
    assert_eq!(walk(&mut world, "knn-lrta*(n=50)"), read(&first.clone().unwrap())["config"]);
    assert_eq!(walk(&mut world, "knn-lrta*"), read(&all.unwrap())["config"]);
    // A file is what was chosen last: the algorithms that it serves go by it.
    let file = world.database_bytes(Some("knn-lrta*(n=50)")).unwrap();
    world.open_database(file, None).unwrap();
    assert_eq!(walk(&mut world, "knn-lrta*"), read(&first.unwrap())["config"]);
    let needs_none = world.walk("lrta*", start, goal, 10_000).unwrap().database;
    assert_eq!((needs_none, world.database_bytes(Some("lrta*")).is_ok()), (None, false));
    assert!(stages > 2);
}

#[test]
fn a_seed_that_was_built_for_is_walked_by() {
    let mut world = world_of("rooms", 2);
    let (start, goal) = two_cells(&world);
    for seed in [1, 2, 1] {
        let facts = world.build("knn-lrta*(n=50)", seed, &mut quietly).unwrap().unwrap();
        let walk = world.walk("knn-lrta*(n=50)", start, goal, 10_000).unwrap();
        assert_eq!(walk.database.unwrap(), read(&facts)["config"], "seed {seed}");
        let spec = "knn-lrta*(n=50)".parse().unwrap();
        let expected = ROSTER.build_database(&spec, world.space(), seed).unwrap().unwrap();
        assert!(*world.database_bytes(None).unwrap() == *expected.to_bytes(), "seed {seed}");
    }
}

#[test]
fn only_so_many_databases_are_kept() {
    let mut world = world_of("rooms", 2);
    for n in 1..=12 {
        world.build(&format!("knn-lrta*(n={n})"), 1, &mut quietly).unwrap();
    }
    let mut is_there = |n: u32| world.database_bytes(Some(&format!("knn-lrta*(n={n})"))).is_ok();
    assert!((1..=4).all(|n| !is_there(n)));
    assert!((5..=12).all(is_there));
}

#[test]
fn records_and_levels_are_drawn() {
    let mut world = world_of("rooms", 2);
    world.build("knn-lrta*(n=50)", 1, &mut quietly).unwrap();
    assert!(read(&world.sketch(None, None, Some(1), None).unwrap())["panels"].is_array());
    let error = world.sketch(None, None, Some(9999), None).unwrap_err();
    assert!(error.contains("there is no record 9999"), "{error}");
    let error = world.sketch(None, None, None, Some(1)).unwrap_err();
    assert!(error.starts_with("level is for other databases"), "{error}");
    world.build("pra*", 1, &mut quietly).unwrap();
    assert!(read(&world.sketch(Some("pra*"), None, None, Some(1)).unwrap())["panels"].is_array());
    assert!(world.sketch(Some("pra*"), None, None, Some(99)).is_err());
}
