//! Components by reflection, as scenes and inspectors have them.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_surefoot::prelude::*;

use crate::app::{app, cell, ticks};

#[test]
fn components_are_copied_by_reflection() {
    let (mut app, kind) = app("..........");
    let unit = (Agent::new(kind), Position::new(2, 0), Destination::new(9, 0), Speed::new(1, 1));
    let from = app.world_mut().spawn((
        unit,
        Follow::default(),
        Blocking::area((0, 0), 0, 0),
        Pursue(Entity::PLACEHOLDER),
    ));
    let from = from.id();
    let to = app.world_mut().spawn_empty().id();
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let mut names = Vec::new();
    for registration in registry.iter().filter(|one| one.type_info().type_path().starts_with("bevy_surefoot"))
    {
        let component = registration.data::<ReflectComponent>().unwrap();
        let value = component.reflect(app.world().entity(from)).unwrap().to_dynamic();
        let name = registration.type_info().type_path_table().short_path();
        names.push(name);
        if name != "Pursue" {
            component.insert(&mut app.world_mut().entity_mut(to), &*value, &registry);
        }
    }
    names.sort_unstable();
    assert_eq!(names, ["Agent", "Blocking", "Destination", "Follow", "Position", "Pursue", "Speed"]);
    app.world_mut().despawn(from);
    assert_eq!(ticks::<Arrived>(&mut app, 10), [Arrived { entity: to, cell: Cell::new(9, 0) }]);
    assert_eq!(cell(&app, to), Cell::new(9, 0));
}
