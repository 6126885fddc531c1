//! What is done in a tick.

use bevy_app::App;
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
use crate::navigation::{Navigation, Order};

/// Whoever loses a component is heard of at once: a tick may come frames later.
pub(crate) fn observe(app: &mut App) {
    fn on_remove<C: Component>(app: &mut App, order: fn(Entity) -> Order) {
        app.add_observer(
            move |removed: On<'_, '_, Remove, C>, navigation: Option<ResMut<'_, Navigation>>| {
                if let Some(mut navigation) = navigation {
                    navigation.order(order(removed.entity));
                }
            },
        );
    }
    on_remove::<Agent>(app, Order::Leave);
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
    for order in core::mem::take(&mut navigation.orders) {
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
            let (result, is_new) = settle(navigation, &unit);
            check(Some(unit.entity), result);
            (unit, is_new)
        })
        .collect();
    if is_edited && navigation.pushes_out {
        navigation.pushed = navigation.crowd.push_out();
    }
    for order in later {
        match order {
            Order::Send(entities, cell) => {
                let units: Result<Vec<_>, _> = entities.iter().map(|&one| navigation.known(one)).collect();
                let sent = units.and_then(|units| Ok(navigation.crowd.send(units, cell).map(|_| ())?));
                check(None, sent);
            }
            // It may have another one by now, or be gone.
            Order::Rest(entity) => {
                if let (Some(unit), Ok(agent)) = (navigation.unit(entity), agents.get(entity)) {
                    let is_idle = agent.destination.is_none() && agent.pursue.is_none();
                    let back = agent.destination.filter(|_| agent.pursue.is_none());
                    let result = match back {
                        Some(destination) => head_for(navigation, unit, *destination),
                        None if is_idle => navigation.crowd.stop(unit),
                        None => Ok(()),
                    };
                    check(Some(entity), result.map_err(Into::into));
                }
            }
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

/// Puts a unit where it belongs, as what it is. Whether it has just come.
fn settle(navigation: &mut Navigation, unit: &UnitItem<'_, '_>) -> (Result<(), NavigationError>, bool) {
    let (agent, cell) = (&*unit.agent, unit.position.0);
    let mut of_another_kind = false;
    if let Some(id) = navigation.unit(unit.entity) {
        of_another_kind = navigation.crowd.kind_of(id) != Ok(agent.kind);
        if of_another_kind {
            navigation.leave(unit.entity);
        }
    }
    let settled = |navigation: &mut Navigation| -> Result<bool, CrowdError> {
        let known = navigation.unit(unit.entity);
        let id = match known {
            Some(id) => id,
            None => navigation.join(unit.entity, agent, cell)?,
        };
        if unit.agent.is_changed() && known.is_some() {
            navigation.crowd.set_priority(id, agent.priority)?;
        }
        if unit.position.is_changed() && navigation.crowd.position(id)? != cell {
            navigation.crowd.place(id, cell)?;
        }
        if let Some(speed) = unit.speed.as_ref().filter(|speed| speed.is_changed() || known.is_none()) {
            navigation.crowd.set_speed(id, speed.0)?;
        }
        Ok(known.is_none())
    };
    match settled(navigation) {
        Ok(is_new) => (Ok(()), is_new || of_another_kind),
        Err(error) => (Err(error.into()), false),
    }
}

/// Sends a unit where it is to go, if that is new.
fn send(navigation: &mut Navigation, unit: &UnitItem<'_, '_>, is_new: bool) -> Result<(), NavigationError> {
    // One that was refused was told of already.
    let Some(id) = navigation.unit(unit.entity) else { return Ok(()) };
    if let Some(pursue) = &unit.pursue {
        if pursue.is_changed() || is_new {
            let target = navigation.known(pursue.0)?;
            navigation.crowd.pursue(id, target)?;
        }
    } else if let Some(destination) = &unit.destination
        && (destination.is_changed() || is_new)
    {
        head_for(navigation, id, **destination)?;
    }
    Ok(())
}

fn head_for(
    navigation: &mut Navigation,
    unit: surefoot::UnitId,
    destination: Destination,
) -> Result<(), CrowdError> {
    if destination.or_nearest {
        navigation.crowd.set_goal_or_nearest(unit, destination.cell).map(|_| ())
    } else {
        navigation.crowd.set_goal(unit, destination.cell)
    }
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
    tell.lost.write_batch(entities(&report.lost).into_iter().map(|entity| Lost { entity }));
    tell.settled.write_batch(report.settled.iter().map(|&group| Settled { group }));
    tell.built.write_batch(report.built.iter().map(|&kind| Built { kind }));
    let not_built = report.not_built.iter();
    refused
        .write_batch(not_built.map(|&kind| Refused { entity: None, error: NavigationError::NotBuilt(kind) }));
}

/// Remembers where units are drawn, from tick to tick.
pub(crate) fn remember_points(
    navigation: Res<'_, Navigation>,
    mut followers: Query<'_, '_, (Entity, &'static mut Follow)>,
) {
    for (entity, mut follow) in &mut followers {
        let Some(unit) = navigation.unit(entity) else { continue };
        let Ok(progress) = navigation.crowd.progress(unit) else { continue };
        let now = progress.point();
        let last = follow.points.map_or(now, |[_, last]| last);
        if follow.points != Some([last, now]) {
            follow.points = Some([last, now]);
        }
    }
}

/// Moves what is drawn.
pub(crate) fn follow(
    navigation: Res<'_, Navigation>,
    time: Res<'_, Time<Fixed>>,
    mut followers: Query<'_, '_, (&'static Follow, &'static mut Transform)>,
) {
    let share = time.overstep_fraction();
    let between = |from: f32, to: f32| from + (to - from) * share;
    for (follow, mut transform) in &mut followers {
        let Some([last, now]) = follow.points else { continue };
        let point = (between(last.0, now.0), between(last.1, now.1));
        let translation = navigation.layout.point_above(point, transform.translation);
        if transform.translation != translation {
            transform.translation = translation;
        }
    }
}
