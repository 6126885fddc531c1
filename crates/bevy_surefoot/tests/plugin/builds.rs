//! Databases that are built while the game runs.

use bevy_surefoot::prelude::*;

use crate::app::{bare, cell, kind, ticks};

fn caves() -> Map {
    Map::from_fn(160, 160, |cell| (cell.x * 7 + cell.y * 13 + cell.x * cell.y) % 5 != 0).unwrap()
}

#[test]
fn a_kind_is_built_on_the_task_pool_while_its_units_walk() {
    let mut app = bare();
    let mut navigation = Navigation::new(&caves());
    let scouts = navigation.add_kind_in_background(kind()).unwrap();
    let start = navigation.map().free_cells().next().unwrap();
    app.insert_resource(navigation);
    let unit =
        app.world_mut().spawn((Agent::new(scouts), Position(start), Destination::near((150, 150)))).id();
    let (mut built, mut said) = (Vec::new(), Vec::new());
    for _ in 0..100_000 {
        said.extend(crate::app::navigation(&app).progress(scouts));
        built.extend(ticks::<Built>(&mut app, 1));
        if !built.is_empty() {
            break;
        }
        std::thread::yield_now();
    }
    assert_eq!(built, [Built { kind: scouts }]);
    assert!(crate::app::navigation(&app).is_built(scouts));
    assert!(!said.is_empty(), "nothing was said of the build");
    ticks::<Arrived>(&mut app, 400);
    assert!(cell(&app, unit).x > 100, "{}", cell(&app, unit));
}

#[test]
fn builds_in_frames_are_the_same_on_every_run() {
    let run = || {
        let mut app = bare();
        let mut navigation = Navigation::new(&caves()).with_budget(Budget::Work(40_000));
        let scouts = navigation.add_kind_in_frames(kind()).unwrap();
        let start = navigation.map().free_cells().next().unwrap();
        app.insert_resource(navigation);
        app.world_mut().spawn((Agent::new(scouts), Position(start), Destination::near((150, 150))));
        let mut is_told = false;
        for tick in 0..2_000 {
            is_told |= crate::app::navigation(&app).progress(scouts).is_some();
            if !ticks::<Built>(&mut app, 1).is_empty() {
                return (is_told, tick, crate::app::navigation(&app).checksum());
            }
        }
        panic!("it was not built in 2,000 ticks");
    };
    let first = run();
    assert!(first.0);
    assert_eq!(first, run());
}

#[test]
fn a_database_is_given_as_bytes() {
    let map = Map::from_art("....\n.##.\n....").unwrap();
    let bytes = map.navigator().unwrap().to_bytes().unwrap();
    let mut app = bare();
    let mut navigation = Navigation::new(&map);
    let scouts = navigation.add_kind_in_background(kind()).unwrap();
    navigation.give_database(scouts, bytes.clone()).unwrap();
    assert!(navigation.is_built(scouts));
    assert!(navigation.give_database(scouts, vec![1, 2, 3]).is_err());
    let other = Map::from_art("....\n....\n....").unwrap();
    let mut other = Navigation::new(&other);
    let strangers = other.add_kind(kind()).unwrap();
    assert!(other.give_database(strangers, bytes).is_err());
    app.insert_resource(navigation);
    app.update();
    assert_eq!(crate::app::navigation(&app).progress(scouts), None);
}
