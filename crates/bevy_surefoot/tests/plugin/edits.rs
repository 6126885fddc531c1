//! Walls and doors that come and go.

use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;

use crate::app::{app, cell, command, navigation, ticks};

#[test]
fn doors_open_and_close() {
    let (mut app, kind) = app("..........");
    let door = app.world_mut().spawn(Blocking::cell((5, 0))).id();
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(9, 0))).id();
    assert_eq!(ticks::<NoWay>(&mut app, 3), [NoWay { entity: unit }]);
    assert_eq!(cell(&app, unit), Cell::new(0, 0));
    app.world_mut().get_mut::<Blocking>(door).unwrap().is_open = true;
    assert_eq!(ticks::<WayOpen>(&mut app, 1), [WayOpen { entity: unit }]);
    assert_eq!(ticks::<Arrived>(&mut app, 9).len(), 1);
}

#[test]
fn what_was_a_wall_before_is_one_after() {
    let (mut app, _) = app(".#...\n.....");
    let below = app.world_mut().spawn(Blocking::area((0, 0), 3, 1)).id();
    let above = app.world_mut().spawn(Blocking::area((2, 0), 99, 1)).id();
    app.update();
    let free = |app: &bevy_app::App| -> Vec<u32> {
        navigation(app).map().free_cells().filter(|cell| cell.y == 0).map(|cell| cell.x).collect()
    };
    assert_eq!(free(&app), []);
    app.world_mut().despawn(below);
    app.update();
    assert_eq!(free(&app), [0]);
    // What is edited below shows when the wall goes.
    command(&mut app, |commands| commands.block_cell((3, 0)));
    app.world_mut().entity_mut(above).remove::<Blocking>();
    app.update();
    assert_eq!(free(&app), [0, 2, 4]);
}

#[test]
fn buildings_push_units_out() {
    let (mut app, kind) = app("....\n....\n....");
    let unit = app.world_mut().spawn((Agent::new(kind), Position::new(1, 1))).id();
    app.update();
    let building = app.world_mut().spawn(Blocking::area((0, 0), 3, 3)).id();
    app.update();
    assert_eq!(cell(&app, unit).x, 3);
    app.world_mut().despawn(building);
    app.world_mut().resource_mut::<Navigation>().pushes_out = false;
    app.world_mut().spawn(Blocking::area((3, 0), 1, 3));
    app.world_mut().entity_mut(unit).insert(Destination::new(0, 0));
    // From within a wall there is no way to anywhere.
    assert_eq!(ticks::<Refused>(&mut app, 2)[0].entity, Some(unit));
}

#[test]
fn commands_edit_all_cells_or_none() {
    let (mut app, _) = app("....");
    let cells = [(Cell::new(1, 0), false), (Cell::new(1, 9), false)];
    command(&mut app, move |commands| commands.set_cells(cells));
    let refused = ticks::<Refused>(&mut app, 1);
    assert!(refused[0].error.to_string().contains("(1, 9)"), "{refused:?}");
    assert_eq!(navigation(&app).map().free_count(), 4);
}

#[test]
fn ground_gets_a_price() {
    let (mut app, _) = app("...\n...\n...");
    let even = surefoot::space::CellWeights::even(navigation(&app).map());
    let kind = crate::app::kind().with_weights(even);
    let carts = app.world_mut().resource_mut::<Navigation>().add_kind(kind).unwrap();
    command(&mut app, move |commands| commands.set_weights(carts, [(Cell::new(1, 0), 50)]));
    let unit = app.world_mut().spawn((Agent::new(carts), Destination::new(2, 0))).id();
    ticks::<Arrived>(&mut app, 20);
    assert_eq!(cell(&app, unit), Cell::new(2, 0));
    assert_eq!(navigation(&app).crowd().weight(carts, Cell::new(1, 0)), Ok(50));
}

#[test]
fn commands_without_a_navigation_are_refused() {
    let mut app = crate::app::bare();
    command(&mut app, |commands| commands.block_cell((0, 0)));
    let refused = app.world().resource::<Messages<Refused>>();
    assert_eq!(refused.len(), 1);
    app.world_mut().spawn((Position::new(0, 0), Blocking::cell((0, 0))));
    app.update();
}

#[test]
fn another_map_of_the_same_size_is_an_edit() {
    let (mut app, kind) = app("....\n....");
    app.world_mut().spawn(Blocking::cell((0, 1)));
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(3, 0))).id();
    app.update();
    let mut navigation = app.world_mut().resource_mut::<Navigation>();
    navigation.set_map(&Map::from_art("..#.\n....").unwrap()).unwrap();
    assert!(!navigation.map().is_free(Cell::new(0, 1)));
    assert_eq!(ticks::<Arrived>(&mut app, 6), [Arrived { entity: unit, cell: Cell::new(3, 0) }]);
}

#[test]
fn on_a_map_of_another_size_all_begin_anew() {
    let (mut app, kind) = app("....");
    app.world_mut().spawn(Blocking::cell((2, 1)));
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(3, 0))).id();
    ticks::<Arrived>(&mut app, 1);
    let larger = Map::from_art("....\n....\n....").unwrap();
    app.world_mut().resource_mut::<Navigation>().set_map(&larger).unwrap();
    assert_eq!(ticks::<Arrived>(&mut app, 400), [Arrived { entity: unit, cell: Cell::new(3, 0) }]);
    assert!(!navigation(&app).map().is_free(Cell::new(2, 1)));
    assert_eq!(navigation(&app).crowd().len(), 1);
}
