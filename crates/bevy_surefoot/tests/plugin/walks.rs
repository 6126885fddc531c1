//! Units walk, arrive, pursue, and are told of.

use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::Transform;

use crate::app::{ROOMS, app, app_with, cell, command, navigation, ticks};

#[test]
fn a_unit_walks_a_cheapest_way_and_arrives_once() {
    let (mut app, kind) = app(ROOMS);
    let unit = app.world_mut().spawn((Agent::new(kind), Position::new(0, 0), Destination::new(4, 2))).id();
    app.update();
    let left = navigation(&app).path(unit).unwrap();
    let arrived = ticks::<Arrived>(&mut app, left.moves());
    assert_eq!(arrived, [Arrived { entity: unit, cell: Cell::new(4, 2) }]);
    assert_eq!(cell(&app, unit), Cell::new(4, 2));
    assert_eq!(ticks::<Arrived>(&mut app, 10), []);
}

#[test]
fn a_unit_that_only_stands_there_does_not_arrive() {
    let (mut app, kind) = app("....");
    app.world_mut().spawn((Agent::new(kind), Position::new(2, 0)));
    assert_eq!(ticks::<Arrived>(&mut app, 3), []);
}

#[test]
fn moves_are_there_for_systems_of_the_game() {
    let (mut app, kind) = app("....");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(3, 0))).id();
    app.update();
    let moves: Vec<_> = navigation(&app).moves().collect();
    assert_eq!(moves, [(unit, Cell::new(0, 0), Cell::new(1, 0))]);
}

#[test]
fn destinations_change_and_go() {
    let (mut app, kind) = app("........");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(7, 0))).id();
    ticks::<Arrived>(&mut app, 3);
    app.world_mut().entity_mut(unit).insert(Destination::new(0, 0));
    ticks::<Arrived>(&mut app, 1);
    assert_eq!(cell(&app, unit), Cell::new(2, 0));
    app.world_mut().entity_mut(unit).remove::<Destination>();
    assert_eq!(ticks::<Arrived>(&mut app, 5), []);
    assert_eq!(cell(&app, unit), Cell::new(2, 0));
}

#[test]
fn speeds_are_kept_and_given_back() {
    let (mut app, kind) = app("..........");
    let unit = (Agent::new(kind), Destination::new(9, 0), Speed::new(1, 4));
    let unit = app.world_mut().spawn(unit).id();
    // Of a cell it has as soon as it sets out for it.
    ticks::<Arrived>(&mut app, 8);
    assert_eq!(cell(&app, unit), Cell::new(2, 0));
    app.world_mut().entity_mut(unit).remove::<Speed>();
    ticks::<Arrived>(&mut app, 3);
    assert_eq!(cell(&app, unit), Cell::new(5, 0));
    app.world_mut().entity_mut(unit).insert(Speed::new(100, 1));
    assert_eq!(ticks::<Refused>(&mut app, 1)[0].entity, Some(unit));
}

#[test]
fn pursuers_catch_up_and_lose() {
    let (mut app, kind) = app("....................");
    let prey = (Agent::new(kind), Position::new(5, 0), Destination::new(19, 0), Speed::new(1, 3));
    let prey = app.world_mut().spawn(prey).id();
    let hunter = app.world_mut().spawn((Agent::new(kind), Pursue(prey))).id();
    let arrived = ticks::<Arrived>(&mut app, 12);
    assert!(arrived.iter().any(|arrived| arrived.entity == hunter), "{arrived:?}");
    app.world_mut().despawn(prey);
    assert_eq!(ticks::<Lost>(&mut app, 2), [Lost { entity: hunter }]);
    assert_eq!(navigation(&app).crowd().len(), 1);
}

#[test]
fn whoever_pursues_no_more_goes_where_it_was_going() {
    let (mut app, kind) = app("..........");
    let prey = app.world_mut().spawn((Agent::new(kind), Position::new(9, 0))).id();
    let hunter = (Agent::new(kind), Position::new(5, 0), Destination::new(0, 0), Pursue(prey));
    let hunter = app.world_mut().spawn(hunter).id();
    ticks::<Arrived>(&mut app, 2);
    assert_eq!(cell(&app, hunter), Cell::new(7, 0));
    app.world_mut().entity_mut(hunter).remove::<Pursue>();
    assert_eq!(ticks::<Arrived>(&mut app, 7), [Arrived { entity: hunter, cell: Cell::new(0, 0) }]);
}

#[test]
fn the_game_may_put_units_elsewhere() {
    let (mut app, kind) = app("....\n....");
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(3, 0))).id();
    app.update();
    app.world_mut().get_mut::<Position>(unit).unwrap().0 = Cell::new(0, 1);
    app.update();
    assert_eq!(cell(&app, unit), Cell::new(1, 0));
}

#[test]
fn bad_words_are_refused_and_told() {
    let (mut app, kind) = app("..#.");
    let nowhere = app.world_mut().spawn((Agent::new(kind), Position::new(2, 0))).id();
    let outside = app.world_mut().spawn((Agent::new(kind), Destination::new(9, 9))).id();
    let itself = app.world_mut().spawn(Agent::new(kind)).id();
    app.world_mut().entity_mut(itself).insert(Pursue(itself));
    let after_nobody = app.world_mut().spawn((Agent::new(kind), Pursue(nowhere))).id();
    command(&mut app, |commands| commands.block_cell((7, 7)));
    let refused = ticks::<Refused>(&mut app, 2);
    let mut whom: Vec<_> = refused.iter().map(|refused| refused.entity).collect();
    whom.sort_unstable();
    let mut expected = [None, Some(nowhere), Some(outside), Some(itself), Some(after_nobody)];
    expected.sort_unstable();
    assert_eq!(whom, expected);
    let words: Vec<String> = refused.iter().map(|refused| refused.error.to_string()).collect();
    assert!(words.iter().any(|words| words.contains("(9, 9)")), "{words:?}");
    // One that could not come does when it stands elsewhere.
    app.world_mut().get_mut::<Position>(nowhere).unwrap().0 = Cell::new(3, 0);
    app.update();
    assert!(navigation(&app).unit(nowhere).is_some());
}

#[test]
fn groups_settle() {
    let (mut app, kind) = app_with(&"....................\n".repeat(12), obstacles());
    let units: Vec<Entity> = (0..24)
        .map(|number| app.world_mut().spawn((Agent::new(kind), Position::new(number % 4, number / 4))).id())
        .collect();
    let sent = units.clone();
    command(&mut app, move |commands| commands.send_units(sent, (15, 6)));
    app.update();
    let group = navigation(&app).group(units[0]).unwrap();
    assert_eq!(ticks::<Settled>(&mut app, 60), [Settled { group }]);
    let mut cells: Vec<Cell> = units.iter().map(|&unit| cell(&app, unit)).collect();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), units.len());
}

fn obstacles() -> CrowdConfig {
    CrowdConfig::default().with_units_as_obstacles(true)
}

#[test]
fn units_in_a_dead_end_are_held_up() {
    let (mut app, kind) = app_with(".....", obstacles());
    let west = app.world_mut().spawn((Agent::new(kind), Destination::new(4, 0))).id();
    let east = app.world_mut().spawn((Agent::new(kind), Position::new(4, 0), Destination::new(0, 0))).id();
    let held_up = ticks::<HeldUp>(&mut app, 80);
    assert!(held_up.iter().any(|one| one.entity == west || one.entity == east), "{held_up:?}");
}

#[test]
fn transforms_follow_between_ticks() {
    let (mut app, kind) = app("....");
    let unit =
        (Agent::new(kind), Destination::new(3, 0), Follow::default(), Transform::from_xyz(9.0, 9.0, 5.0));
    let unit = app.world_mut().spawn(unit).id();
    app.world_mut().resource_mut::<Navigation>().layout = Layout::flat(10.0);
    ticks::<Arrived>(&mut app, 2);
    let x = |app: &bevy_app::App| app.world().get::<Transform>(unit).unwrap().translation;
    // At the beginning of the tick that was made last.
    assert_eq!(x(&app).to_array(), [10.0, 0.0, 5.0]);
    let tick = app.world().resource::<bevy_time::Time<bevy_time::Fixed>>().timestep();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(tick / 4));
    app.update();
    assert!((x(&app).x - 12.5).abs() < 0.01, "{}", x(&app));
    assert_eq!(navigation(&app).point(unit).unwrap().x, 20.0);
}

#[test]
fn the_same_ticks_give_the_same_checksums() {
    let run = || {
        let (mut app, kind) = app(ROOMS);
        for number in 0..30 {
            let from = Position::new(number % 10, 0);
            app.world_mut().spawn((Agent::new(kind), from, Destination::new(number % 6 + 2, 2)));
        }
        let mut sums = Vec::new();
        for tick in 0..30 {
            if tick % 5 == 0 {
                command(&mut app, |commands| commands.block_cell((4, 3)));
                command(&mut app, |commands| commands.free_cell((4, tick % 3 + 1)));
            }
            app.update();
            sums.push(navigation(&app).checksum());
        }
        sums
    };
    let first = run();
    assert_eq!(first, run());
    assert!(first.windows(2).all(|two| two[0] != two[1]));
}

#[test]
fn budgets_hold_units_back() {
    let (mut app, kind) = app(&"..............................\n".repeat(30));
    for number in 0..900 {
        let (from, to) =
            (Position::new(number % 30, number / 30), Destination::new(number / 30, number % 30));
        app.world_mut().spawn((Agent::new(kind), from, to));
    }
    app.world_mut().resource_mut::<Navigation>().budget = Budget::Work(500);
    app.update();
    let served = navigation(&app).report().served;
    assert!(served > 0 && served < 600, "{served}");
    app.world_mut().resource_mut::<Navigation>().budget = Budget::Time(std::time::Duration::ZERO);
    app.update();
    assert!((16..600).contains(&navigation(&app).report().served));
    app.world_mut().resource_mut::<Navigation>().budget = Budget::Everyone;
    app.update();
    assert_eq!(navigation(&app).report().waiting, 0);
}

#[test]
fn kinds_and_priorities_change() {
    let (mut app, kind) = app("......\n......");
    let large =
        app.world_mut().resource_mut::<Navigation>().add_kind(crate::app::kind().with_size(2)).unwrap();
    let unit = app.world_mut().spawn((Agent::new(kind), Destination::new(4, 0))).id();
    app.update();
    app.world_mut().entity_mut(unit).insert(Agent::new(large).with_priority(Priority::High));
    let arrived = ticks::<Arrived>(&mut app, 4);
    assert_eq!(arrived, [Arrived { entity: unit, cell: Cell::new(4, 0) }]);
    let of_kind = navigation(&app).crowd().kind_of(navigation(&app).unit(unit).unwrap());
    assert_eq!((of_kind, navigation(&app).crowd().len()), (Ok(large), 1));
}
