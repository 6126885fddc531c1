//! What games say once more, in every frame, too early or too late.

use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::{Time, TimeUpdateStrategy, Virtual};
use bevy_transform::components::Transform;

use crate::app::{ROOMS, app, app_with, bare, cell, command, kind, navigation, ticks};

/// Ticks before each of which the game writes a component once more.
fn ticks_with<M: Message + Clone, C: Component + Clone>(
    app: &mut bevy_app::App,
    count: usize,
    (entity, component): (Entity, C),
) -> Vec<M> {
    let tick = |_| {
        app.world_mut().entity_mut(entity).insert(component.clone());
        ticks::<M>(app, 1)
    };
    (0..count).flat_map(tick).collect()
}

#[test]
fn a_destination_may_be_written_in_every_tick() {
    let (mut app, kind) = app("......#.");
    let unit = app.world_mut().spawn(Agent::new(kind)).id();
    let there = Destination::new(3, 0);
    let arrived = ticks_with::<Arrived, _>(&mut app, 12, (unit, there));
    assert_eq!(arrived, [Arrived { entity: unit, cell: Cell::new(3, 0) }]);
    let beyond = Destination::new(7, 0);
    assert_eq!(ticks_with::<NoWay, _>(&mut app, 12, (unit, beyond)).len(), 1);
    let near = Destination::near((7, 0));
    let arrived = ticks_with::<Arrived, _>(&mut app, 12, (unit, near));
    assert_eq!(arrived, [Arrived { entity: unit, cell: Cell::new(5, 0) }]);
    command(&mut app, |commands| commands.free_cell((6, 0)));
    let arrived = ticks_with::<Arrived, _>(&mut app, 12, (unit, near));
    assert_eq!(arrived, [Arrived { entity: unit, cell: Cell::new(7, 0) }]);
    // Put elsewhere, it goes back.
    app.world_mut().get_mut::<Position>(unit).unwrap().0 = Cell::new(4, 0);
    assert_eq!(ticks_with::<Arrived, _>(&mut app, 12, (unit, near)).len(), 1);
    // Taken away and given anew it is another errand.
    app.world_mut().entity_mut(unit).remove::<Destination>().insert(near);
    assert_eq!(ticks::<Arrived>(&mut app, 3).len(), 1);
}

#[test]
fn units_without_a_database_get_there_though_their_destination_is_written_in_every_tick() {
    let map = Map::from_fn(90, 90, |cell| cell.x % 8 != 3 || (cell.y == 0) == (cell.x % 16 == 3)).unwrap();
    let mut navigation = Navigation::new(&map);
    let scouts = navigation.crowd_mut().add_kind_unbuilt(kind()).unwrap();
    let mut app = bare();
    app.insert_resource(navigation);
    let unit = app.world_mut().spawn(Agent::new(scouts)).id();
    let arrived = ticks_with::<Arrived, _>(&mut app, 1_500, (unit, Destination::new(89, 89)));
    assert_eq!(arrived.len(), 1);
}

#[test]
fn a_pursuit_may_be_written_in_every_tick() {
    let row = ".".repeat(300);
    let art = format!("{row}\n{}\n{row}", "#".repeat(300));
    let (mut app, kind) = app(&art);
    let prey = app.world_mut().spawn((Agent::new(kind), Position::new(299, 2))).id();
    let hunter = app.world_mut().spawn((Agent::new(kind), Position::new(0, 0))).id();
    ticks_with::<Arrived, _>(&mut app, 400, (hunter, Pursue(prey)));
    assert_eq!(cell(&app, hunter), Cell::new(299, 0));
}

#[test]
fn whoever_has_lost_its_prey_goes_where_it_was_going() {
    let (mut app, kind) = app("..........");
    let prey = app.world_mut().spawn((Agent::new(kind), Position::new(9, 0))).id();
    let hunter = (Agent::new(kind), Position::new(4, 0), Destination::new(0, 0), Pursue(prey));
    let hunter = app.world_mut().spawn(hunter).id();
    ticks::<Arrived>(&mut app, 2);
    assert_eq!(cell(&app, hunter), Cell::new(6, 0));
    app.world_mut().despawn(prey);
    assert_eq!(ticks::<Arrived>(&mut app, 12), [Arrived { entity: hunter, cell: Cell::new(0, 0) }]);
}

#[test]
fn prey_that_becomes_something_else_is_still_pursued() {
    let (mut app, kind) = app("....................");
    let other = app.world_mut().resource_mut::<Navigation>().add_kind(crate::app::kind()).unwrap();
    let prey = app.world_mut().spawn((Agent::new(kind), Position::new(15, 0))).id();
    let hunter = app.world_mut().spawn((Agent::new(kind), Pursue(prey))).id();
    ticks::<Lost>(&mut app, 3);
    app.world_mut().entity_mut(prey).insert(Agent::new(other));
    assert_eq!(ticks::<Lost>(&mut app, 3), []);
    app.world_mut().get_mut::<Position>(prey).unwrap().0 = Cell::new(19, 0);
    ticks::<Lost>(&mut app, 20);
    assert_eq!(cell(&app, hunter), Cell::new(19, 0));
}

#[test]
fn somebody_who_is_no_unit_yet_is_pursued_later() {
    let (mut app, kind) = app("..........");
    let prey = app.world_mut().spawn_empty().id();
    let hunter = app.world_mut().spawn((Agent::new(kind), Pursue(prey))).id();
    assert_eq!(ticks::<Refused>(&mut app, 2).len(), 1);
    app.world_mut().entity_mut(prey).insert((Agent::new(kind), Position::new(9, 0)));
    assert_eq!(ticks::<Refused>(&mut app, 12), []);
    assert_eq!(cell(&app, hunter), Cell::new(9, 0));
}

#[test]
fn a_unit_that_cannot_become_another_kind_stays_what_it_is() {
    let (mut app, kind) = app("........\n#.######");
    let large =
        app.world_mut().resource_mut::<Navigation>().add_kind(crate::app::kind().with_size(2)).unwrap();
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(7, 0), Speed::new(1, 1))).id();
    ticks::<Arrived>(&mut app, 2);
    for other in [large, surefoot::KindId::from_bits(99).unwrap()] {
        app.world_mut().entity_mut(unit).insert(Agent::new(other));
        assert_eq!(ticks::<Refused>(&mut app, 1)[0].entity, Some(unit));
    }
    assert_eq!(ticks::<Arrived>(&mut app, 8), [Arrived { entity: unit, cell: Cell::new(7, 0) }]);
    assert_eq!(navigation(&app).crowd().len(), 1);
}

#[test]
fn a_group_goes_without_those_who_are_gone() {
    let (mut app, kind) = app("..........");
    let unit = app.world_mut().spawn(Agent::new(kind)).id();
    let gone = app.world_mut().spawn((Agent::new(kind), Position::new(1, 0))).id();
    app.update();
    command(&mut app, |commands| {
        commands.send_units([gone, unit], (9, 0));
        commands.entity(gone).despawn();
    });
    let refused = ticks::<Refused>(&mut app, 1);
    assert_eq!((refused.len(), refused[0].entity), (1, Some(gone)));
    ticks::<Settled>(&mut app, 20);
    assert_eq!(cell(&app, unit), Cell::new(9, 0));
    command(&mut app, |commands| commands.send_units([gone], (0, 0)));
    assert_eq!(ticks::<Settled>(&mut app, 20), []);
}

#[test]
fn a_group_is_sent_though_its_destinations_are_taken_away() {
    let (mut app, kind) = app("..........");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(0, 0))).id();
    app.update();
    command(&mut app, |commands| {
        commands.send_units([unit], (9, 0));
        commands.entity(unit).remove::<Destination>();
    });
    assert_eq!(ticks::<Settled>(&mut app, 30).len(), 1);
    assert_eq!(cell(&app, unit), Cell::new(9, 0));
}

#[test]
fn a_position_that_is_refused_says_again_where_the_unit_is() {
    let (mut app, kind) = app("..#.");
    let unit = app.world_mut().spawn((Agent::new(kind), Position::new(1, 0))).id();
    app.update();
    for wrong in [Cell::new(2, 0), Cell::new(u32::MAX, u32::MAX)] {
        app.world_mut().get_mut::<Position>(unit).unwrap().0 = wrong;
        assert_eq!(ticks::<Refused>(&mut app, 3).len(), 1);
        assert_eq!(cell(&app, unit), Cell::new(1, 0));
    }
}

#[test]
fn whoever_has_no_position_is_not_there() {
    let (mut app, kind) = app("....");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(3, 0))).id();
    app.update();
    app.world_mut().entity_mut(unit).remove::<Position>();
    app.update();
    assert_eq!(navigation(&app).crowd().len(), 0);
    app.world_mut().entity_mut(unit).insert(Position::new(2, 0));
    assert_eq!(ticks::<Arrived>(&mut app, 2), [Arrived { entity: unit, cell: Cell::new(3, 0) }]);
}

#[test]
fn entities_leave_while_the_resource_is_away() {
    let (mut app, kind) = app_with("....", CrowdConfig::default().with_units_as_obstacles(true));
    let unit = app.world_mut().spawn((Agent::new(kind), Position::new(1, 0))).id();
    let wall = app.world_mut().spawn(Blocking::cell((3, 0))).id();
    app.update();
    app.world_mut().resource_scope(|world, _: Mut<'_, Navigation>| {
        world.despawn(unit);
        world.despawn(wall);
    });
    app.update();
    assert_eq!(navigation(&app).crowd().len(), 0);
    assert!(navigation(&app).map().is_free(Cell::new(3, 0)));
    // Put aside, and back.
    let unit = app.world_mut().spawn((Agent::new(kind), Position::new(1, 0))).id();
    app.update();
    let aside = app.world_mut().remove_resource::<Navigation>().unwrap();
    app.world_mut().despawn(unit);
    app.update();
    app.insert_resource(aside);
    app.update();
    assert_eq!(navigation(&app).crowd().len(), 0);
}

#[test]
fn a_unit_that_was_removed_is_nobody() {
    let (mut app, kind) = app("....");
    let first = app.world_mut().spawn(Agent::new(kind)).id();
    app.update();
    let unit = navigation(&app).unit(first).unwrap();
    app.world_mut().despawn(first);
    app.update();
    let second = app.world_mut().spawn(Agent::new(kind)).id();
    app.update();
    assert_eq!(navigation(&app).unit(second).unwrap().slot(), unit.slot());
    assert_eq!(navigation(&app).entity(unit), None);
}

#[test]
fn units_that_are_too_fast_walk_all_the_same() {
    let (mut app, kind) = app("....");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(3, 0), Speed::new(99, 1))).id();
    assert_eq!(ticks::<Refused>(&mut app, 1)[0].entity, Some(unit));
    let larger = Map::from_art("....\n....").unwrap();
    app.world_mut().resource_mut::<Navigation>().set_map(&larger).unwrap();
    assert_eq!(ticks::<Arrived>(&mut app, 400).len(), 1);
}

#[test]
fn speeds_may_change_on_the_way_and_be_written_in_every_tick() {
    let (mut app, kind) = app("..........");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(9, 0))).id();
    ticks_with::<Arrived, _>(&mut app, 8, (unit, Speed::new(1, 4)));
    assert_eq!(cell(&app, unit), Cell::new(2, 0));
    // What it has covered of its move counts.
    app.world_mut().entity_mut(unit).insert(Speed::new(1, 2));
    ticks::<Arrived>(&mut app, 3);
    assert_eq!(cell(&app, unit), Cell::new(4, 0));
}

#[test]
fn a_layout_of_ones_own_stays_when_the_map_grows() {
    let (mut app, _) = app("....");
    let larger = Map::from_art("........\n........").unwrap();
    let own = Layout::flat(16.0);
    let mut navigation = app.world_mut().resource_mut::<Navigation>();
    navigation.layout = own;
    navigation.set_map(&larger).unwrap();
    assert_eq!(navigation.layout, own);
    navigation.layout = own.centred(8, 2);
    navigation.set_map(&Map::from_art("....").unwrap()).unwrap();
    assert_eq!(navigation.layout, own.centred(4, 1));
}

#[test]
fn a_database_is_taken_though_doors_are_closed() {
    let map = Map::from_art("....\n....").unwrap();
    let bytes = map.navigator().unwrap().to_bytes().unwrap();
    let mut navigation = Navigation::new(&map).with_budget(Budget::Work(1));
    let scouts = navigation.add_kind_in_frames(kind()).unwrap();
    let mut app = bare();
    app.insert_resource(navigation);
    app.world_mut().spawn(Blocking::cell((1, 0)));
    let unit = app.world_mut().spawn((Agent::new(scouts), Destination::new(2, 0))).id();
    app.update();
    let mut navigation = app.world_mut().resource_mut::<Navigation>();
    assert!(!navigation.is_built(scouts));
    navigation.give_database(scouts, bytes).unwrap();
    assert!(navigation.is_built(scouts));
    navigation.budget = Budget::Everyone;
    assert_eq!(ticks::<Arrived>(&mut app, 5), [Arrived { entity: unit, cell: Cell::new(2, 0) }]);
}

#[test]
fn messages_of_several_ticks_are_all_heard() {
    let (mut app, kind) = app(ROOMS);
    for x in 0..5 {
        app.world_mut().spawn((Agent::new(kind), Position::new(x, 0), Destination::new(x + 2, 0)));
    }
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(4));
    assert_eq!(ticks::<Arrived>(&mut app, 1).len(), 5);
    // While time stands still nobody moves.
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(5, 0))).id();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    let before = navigation(&app).report().frame;
    assert_eq!(ticks::<Arrived>(&mut app, 5), []);
    assert_eq!((navigation(&app).report().frame, cell(&app, unit)), (before, Cell::new(0, 0)));
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    assert_eq!(ticks::<Arrived>(&mut app, 2).len(), 1);
}

#[test]
fn nobody_is_seen_to_fly_to_where_the_game_puts_it() {
    let (mut app, kind) = app("....................");
    app.world_mut().resource_mut::<Navigation>().layout = Layout::flat(1.0);
    let unit = app.world_mut().spawn((Agent::new(kind), Position::new(3, 0), Follow::default())).id();
    let x = |app: &bevy_app::App| app.world().get::<Transform>(unit).unwrap().translation.x;
    // Before its first tick, too.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(std::time::Duration::ZERO));
    app.update();
    assert_eq!(x(&app), 3.0);
    app.insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.update();
    app.world_mut().get_mut::<Position>(unit).unwrap().0 = Cell::new(19, 0);
    app.update();
    assert_eq!(x(&app), 19.0);
}
