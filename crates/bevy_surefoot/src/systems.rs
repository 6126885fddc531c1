//! What is done in a tick.

use bevy_app::App;
use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::lifecycle::Remove;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use surefoot::CrowdError;

use crate::components::{Agent, Blocking, Destination, Follow, Position, Pursue, Speed};
use crate::messages::{
    Arrived, Built, HeldUp, Lost, NavigationError, NoWay, Refused, Settled, Tell, WayOpen,
};
use crate::navigation::{Navigation, Order, Removed};

/// Whoever loses a component is heard of at once: a tick may come frames later.
pub(crate) fn observe(app: &mut App) {
    fn on_remove<C: Component>(app: &mut App, order: fn(Entity) -> Order) {
        app.add_observer(move |gone: On<'_, '_, Remove, C>, mut removed: ResMut<'_, Removed>| {
            removed.0.push(order(gone.entity));
        });
    }
    app.init_resource::<Removed>();
    on_remove::<Agent>(app, Order::Leave);
    on_remove::<Position>(app, Order::Leave);
    on_remove::<Destination>(app, Order::Rest);
    on_remove::<Pursue>(app, Order::Rest);
    on_remove::<Speed>(app, Order::OwnPace);
    on_remove::<Blocking>(app, Order::Uncover);
}

/// Takes databases that were built in the background.
pub(crate) fn take_builds(
    mut navigation: ResMut<'_, Navigation>,
    mut built: MessageWriter<'_, Built>,
    mut refused: MessageWriter<'_, Refused>,
) {
    if navigation.builds.is_empty() {
        return;
    }
    let navigation = &mut *navigation;
    let crowd = &mut navigation.crowd;
    navigation.builds.retain_mut(|build| {
        let Some(result) = build.result() else { return true };
        match result.and_then(|database| crowd.give_database(build.kind, database)) {
            Ok(()) => {
                built.write(Built { kind: build.kind });
            }
            Err(error) => {
                refused.write(Refused { entity: None, error: error.into() });
            }
        }
        false
    });
}

/// What a unit has.
#[derive(QueryData)]
pub(crate) struct Unit {
    entity: Entity,
    agent: Ref<'static, Agent>,
    position: Ref<'static, Position>,
    destination: Option<Ref<'static, Destination>>,
    pursue: Option<Ref<'static, Pursue>>,
    speed: Option<Ref<'static, Speed>>,
}

/// Takes edits, then whoever comes, goes or is elsewhere, then where they are to go.
pub(crate) fn take_orders(
    mut navigation: ResMut<'_, Navigation>,
    mut removed: ResMut<'_, Removed>,
    blocking: Query<'_, '_, (Entity, Ref<'static, Blocking>)>,
    agents: Query<'_, '_, Unit>,
    mut refused: MessageWriter<'_, Refused>,
) {
    let navigation = &mut *navigation;
    let is_new = core::mem::take(&mut navigation.is_new);
    let mut check = |entity: Option<Entity>, result: Result<(), NavigationError>| {
        if let Err(error) = result {
            refused.write(Refused { entity, error });
        }
    };
    let mut later = Vec::new();
    let mut is_edited = core::mem::take(&mut navigation.is_edited);
    // What was removed comes first: a group that is sent in the same frame is not stopped by it.
    let orders = core::mem::take(&mut removed.0).into_iter().chain(core::mem::take(&mut navigation.orders));
    for order in orders {
        match order {
            Order::Cells(cells) => {
                let outside = cells.iter().find(|(cell, _)| !navigation.map().contains(*cell)).copied();
                // One that lies outside is refused by the crowd, with all others.
                let cells = if outside.is_some() { cells } else { navigation.obstacles.below(cells) };
                is_edited = true;
                check(None, navigation.crowd.set_cells(cells).map(|_| ()).map_err(Into::into));
            }
            Order::Weights(kind, weights) => {
                check(None, navigation.crowd.set_weights(kind, weights).map(|_| ()).map_err(Into::into));
            }
            Order::Leave(entity) => navigation.leave(entity),
            Order::Uncover(entity) => {
                is_edited = true;
                check(Some(entity), cover(navigation, entity, None));
            }
            order => later.push(order),
        }
    }
    for (entity, blocking) in &blocking {
        if is_new || blocking.is_changed() {
            is_edited = true;
            check(Some(entity), cover(navigation, entity, Some(*blocking)));
        }
    }
    let needs_look = |unit: &UnitItem<'_, '_>| {
        is_new
            || unit.agent.is_changed()
            || unit.position.is_changed()
            || unit.destination.as_ref().is_some_and(DetectChanges::is_changed)
            || unit.pursue.as_ref().is_some_and(DetectChanges::is_changed)
            || unit.speed.as_ref().is_some_and(DetectChanges::is_changed)
    };
    // Nobody is sent after somebody who is not there yet.
    let units: Vec<(UnitItem<'_, '_>, bool)> = agents
        .iter()
        .filter(needs_look)
        .map(|unit| {
            let is_new = settle(navigation, &unit, &mut check);
            (unit, is_new)
        })
        .collect();
    if is_edited && navigation.pushes_out {
        let pushed = navigation.crowd.push_out();
        navigation.pushed.extend(pushed);
    }
    for order in later {
        match order {
            Order::Send(entities, cell) => match navigation.send(entities, cell) {
                Ok(others) => others.into_iter().for_each(|other| {
                    check(Some(other), Err(NavigationError::NoUnit(other)));
                }),
                Err(error) => check(None, Err(error.into())),
            },
            Order::Rest(entity) => check(Some(entity), go_back(navigation, entity, &agents, true)),
            Order::Lost(entity) => check(Some(entity), go_back(navigation, entity, &agents, false)),
            Order::OwnPace(entity) => {
                if let (Some(unit), Ok(agent)) = (navigation.unit(entity), agents.get(entity))
                    && agent.speed.is_none()
                {
                    let pace = surefoot::Speed::MOVE_A_FRAME;
                    check(Some(entity), navigation.crowd.set_speed(unit, pace).map_err(Into::into));
                }
            }
            _ => {}
        }
    }
    for (unit, is_new) in &units {
        check(Some(unit.entity), send(navigation, unit, *is_new));
    }
    let come: EntityHashSet =
        units.iter().filter(|(_, is_new)| *is_new).map(|(unit, _)| unit.entity).collect();
    if !come.is_empty() {
        // Whoever was to pursue them does, even if they were not there before, or of another kind.
        for (unit, target) in agents.iter().filter_map(|unit| Some((unit.entity, unit.pursue?.0))) {
            if come.contains(&target)
                && let (Some(id), Some(target)) = (navigation.unit(unit), navigation.unit(target))
                && id != target
            {
                check(Some(unit), navigation.pursue(id, target).map_err(Into::into));
            }
        }
    }
}

/// Lets an entity block cells.
fn cover(
    navigation: &mut Navigation,
    entity: Entity,
    blocking: Option<Blocking>,
) -> Result<(), NavigationError> {
    let edits = navigation.obstacles.set(navigation.crowd.map(), entity, blocking);
    navigation.crowd.set_cells(edits).map(|_| ()).map_err(Into::into)
}

/// Puts a unit where it belongs, as what it is. Whether it begins anew.
fn settle(
    navigation: &mut Navigation,
    unit: &UnitItem<'_, '_>,
    check: &mut impl FnMut(Option<Entity>, Result<(), NavigationError>),
) -> bool {
    let (entity, agent, cell) = (unit.entity, &*unit.agent, unit.position.0);
    let mut check = |result: Result<(), CrowdError>| check(Some(entity), result.map_err(Into::into));
    let known = navigation.unit(entity).and_then(|id| Some((id, navigation.crowd.kind_of(id).ok()?)));
    let is_new = known.is_none_or(|(_, kind)| kind != agent.kind && unit.agent.is_changed());
    if is_new {
        let came = match known {
            Some((id, _)) => navigation.change(entity, id, agent, cell),
            None => navigation.join(entity, agent, cell),
        };
        check(came.map(|_| ()));
    }
    // One that was refused was told of.
    let Some(id) = navigation.unit(entity) else { return false };
    if unit.agent.is_changed() && !is_new {
        check(navigation.crowd.set_priority(id, agent.priority));
    }
    if let Some(speed) = unit.speed.as_ref().filter(|speed| speed.is_changed() || is_new) {
        check(navigation.crowd.set_speed(id, speed.0));
    }
    let stands = |navigation: &Navigation| navigation.crowd.position(id).unwrap_or(cell);
    if unit.position.is_changed() && !is_new && stands(navigation) != cell {
        check(navigation.crowd.place(id, cell));
        navigation.placed.insert(entity);
    }
    if stands(navigation) != cell {
        // It was refused: the component is to say where the unit is.
        navigation.pushed.push((id, stands(navigation)));
    }
    is_new
}

/// Sends a unit where it is to go, if that is new.
fn send(navigation: &mut Navigation, unit: &UnitItem<'_, '_>, is_new: bool) -> Result<(), NavigationError> {
    // One that was refused was told of already.
    let Some(id) = navigation.unit(unit.entity) else { return Ok(()) };
    if let Some(pursue) = &unit.pursue {
        if pursue.is_changed() || is_new {
            let target = navigation.known(pursue.0);
            if let (Err(_), Some(destination), true) = (&target, &unit.destination, is_new) {
                navigation.head_for(id, **destination)?;
            }
            navigation.pursue(id, target?)?;
        }
    } else if let Some(destination) = &unit.destination
        && (destination.is_changed() || is_new)
    {
        navigation.head_for(id, **destination)?;
    }
    Ok(())
}

/// A unit that pursues nobody any more goes to its destination; one that has none stops, if it is to. It may
/// have somebody else to pursue by now, or be gone.
fn go_back(
    navigation: &mut Navigation,
    entity: Entity,
    agents: &Query<'_, '_, Unit>,
    stops: bool,
) -> Result<(), NavigationError> {
    let (Some(unit), Ok(agent)) = (navigation.unit(entity), agents.get(entity)) else { return Ok(()) };
    if stops {
        navigation.forget_destination(unit);
    }
    let is_after_somebody = agent.pursue.is_some_and(|pursue| navigation.unit(pursue.0).is_some());
    match agent.destination {
        _ if is_after_somebody => {}
        Some(destination) => navigation.head_for(unit, *destination)?,
        None if stops => navigation.crowd.stop(unit)?,
        None => {}
    }
    Ok(())
}

/// Moves everyone on.
pub(crate) fn plan(mut navigation: ResMut<'_, Navigation>) {
    navigation.tick();
}

/// Tells what happened.
pub(crate) fn tell(
    mut navigation: ResMut<'_, Navigation>,
    mut positions: Query<'_, '_, &'static mut Position>,
    mut tell: Tell<'_>,
    mut refused: MessageWriter<'_, Refused>,
) {
    let pushed = core::mem::take(&mut navigation.pushed);
    let lost: Vec<_> = {
        let lost = navigation.report().lost.iter();
        lost.filter_map(|&unit| navigation.entity(unit)).collect()
    };
    lost.iter().for_each(|&entity| navigation.order(Order::Lost(entity)));
    let navigation = &*navigation;
    let pushed = pushed.iter().filter_map(|&(unit, cell)| Some((navigation.entity(unit)?, cell)));
    for (entity, cell) in pushed.chain(navigation.moves().map(|(entity, _, to)| (entity, to))) {
        if let Ok(mut position) = positions.get_mut(entity) {
            position.set_if_neq(Position(cell));
        }
    }
    let report = navigation.report();
    let entities = |units: &[surefoot::UnitId]| -> Vec<Entity> {
        units.iter().filter_map(|&unit| navigation.entity(unit)).collect()
    };
    for &unit in &report.arrived {
        if let (Some(entity), Ok(cell)) = (navigation.entity(unit), navigation.crowd.position(unit)) {
            tell.arrived.write(Arrived { entity, cell });
        }
    }
    tell.no_way.write_batch(entities(&report.unreachable).into_iter().map(|entity| NoWay { entity }));
    tell.way_open.write_batch(entities(&report.reachable).into_iter().map(|entity| WayOpen { entity }));
    tell.held_up.write_batch(entities(&report.blocked).into_iter().map(|entity| HeldUp { entity }));
    tell.lost.write_batch(lost.into_iter().map(|entity| Lost { entity }));
    tell.settled.write_batch(report.settled.iter().map(|&group| Settled { group }));
    tell.built.write_batch(report.built.iter().map(|&kind| Built { kind }));
    let not_built = report.not_built.iter();
    refused
        .write_batch(not_built.map(|&kind| Refused { entity: None, error: NavigationError::NotBuilt(kind) }));
}

/// Remembers where units are drawn, from tick to tick.
pub(crate) fn remember_points(
    mut navigation: ResMut<'_, Navigation>,
    mut followers: Query<'_, '_, (Entity, &'static mut Follow)>,
) {
    let placed = core::mem::take(&mut navigation.placed);
    for (entity, mut follow) in &mut followers {
        let Some(unit) = navigation.unit(entity) else { continue };
        let Ok(progress) = navigation.crowd.progress(unit) else { continue };
        let now = progress.point();
        // Nobody is seen flying to where the game has put it.
        let last = follow.points.filter(|_| !placed.contains(&entity)).map_or(now, |[_, last]| last);
        if follow.points != Some([last, now]) {
            follow.points = Some([last, now]);
        }
    }
}

/// Moves what is drawn.
pub(crate) fn follow(
    navigation: Res<'_, Navigation>,
    time: Res<'_, Time<Fixed>>,
    mut followers: Query<'_, '_, (&'static Follow, Option<&'static Position>, &'static mut Transform)>,
) {
    let share = time.overstep_fraction();
    let between = |from: f32, to: f32| from + (to - from) * share;
    for (follow, position, mut transform) in &mut followers {
        let point = match (follow.points, position) {
            (Some([last, now]), _) => (between(last.0, now.0), between(last.1, now.1)),
            // Before its first tick.
            (None, Some(&Position(cell))) => (cell.x as f32, cell.y as f32),
            (None, None) => continue,
        };
        let translation = navigation.layout.point_above(point, transform.translation);
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
}
