//! What is drawn for those who make the game.

use bevy_app::{App, FixedUpdate, Plugin, Update};
use bevy_color::{Alpha as _, Color, Srgba};
use bevy_ecs::prelude::*;
use bevy_gizmos::prelude::Gizmos;
use bevy_math::Vec3;
use surefoot::store::{Mark, Shade, Sketch};
use surefoot::{Cell, KindId};

use crate::NavigationSystems;
use crate::navigation::Navigation;

/// What is drawn. Nothing at first.
#[derive(Resource, Clone, Debug)]
pub struct NavigationGizmos {
    /// The ways of so many units, beside those that [`ShowPath`].
    pub paths: usize,
    /// The database of a kind: corners and legs of beacons, regions of covers.
    pub database: Option<KindId>,
    /// Traffic: where units have moved of late.
    pub traffic: bool,
    /// In how many ticks what is seen of traffic is halved.
    pub half_life: f32,
}

impl Default for NavigationGizmos {
    fn default() -> Self {
        Self { paths: 0, database: None, traffic: false, half_life: 64.0 }
    }
}

/// The way of this unit is drawn, in this colour.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
pub struct ShowPath(pub Color);

impl Default for ShowPath {
    fn default() -> Self {
        Self(Color::srgb(1.0, 0.8, 0.2))
    }
}

/// How many units have moved to each cell of late.
#[derive(Resource, Default)]
struct Traffic {
    width: u32,
    heat: Vec<f32>,
}

/// The database as it was when it was last looked at.
#[derive(Resource, Default)]
struct Drawn {
    kind: Option<KindId>,
    ticks: u32,
    sketch: Option<Sketch>,
}

/// Draws what [`NavigationGizmos`] says. It needs Bevy's `GizmoPlugin`, which `DefaultPlugins` has.
#[derive(Clone, Copy, Debug, Default)]
pub struct SurefootGizmoPlugin;

impl Plugin for SurefootGizmoPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<NavigationGizmos>().init_resource::<Traffic>().init_resource::<Drawn>();
        let is_there = resource_exists::<Navigation>;
        app.add_systems(FixedUpdate, (count, look).in_set(NavigationSystems::Report).run_if(is_there));
        app.add_systems(Update, (draw_database, draw_traffic, draw_paths).chain().run_if(is_there));
    }
}

fn count(
    navigation: Res<'_, Navigation>,
    drawn: Res<'_, NavigationGizmos>,
    mut traffic: ResMut<'_, Traffic>,
) {
    if !drawn.traffic {
        return;
    }
    let map = navigation.map();
    if traffic.width != map.width() || traffic.heat.len() != map.cell_count() {
        *traffic = Traffic { width: map.width(), heat: vec![0.0; map.cell_count()] };
    }
    let keep = 0.5_f32.powf(drawn.half_life.max(1.0).recip());
    traffic.heat.iter_mut().for_each(|heat| *heat *= keep);
    for made in &navigation.report().moves {
        let at = made.to.y as usize * map.width() as usize + made.to.x as usize;
        traffic.heat[at] += 1.0;
    }
}

/// Looks at the database anew every second or so: it may have been edited.
fn look(navigation: Res<'_, Navigation>, shown: Res<'_, NavigationGizmos>, mut drawn: ResMut<'_, Drawn>) {
    drawn.ticks = drawn.ticks.wrapping_add(1);
    if drawn.kind != shown.database || drawn.sketch.is_none() || drawn.ticks.is_multiple_of(64) {
        drawn.kind = shown.database;
        drawn.sketch = shown.database.and_then(|kind| navigation.crowd().sketch(kind).ok().flatten());
    }
}

fn draw_paths(
    navigation: Res<'_, Navigation>,
    drawn: Res<'_, NavigationGizmos>,
    shown: Query<'_, '_, (Entity, &'static ShowPath)>,
    mut gizmos: Gizmos<'_, '_>,
) {
    let some = navigation.crowd().units().filter_map(|unit| navigation.entity(unit)).take(drawn.paths);
    let some = some.map(|entity| (entity, ShowPath::default()));
    for (entity, ShowPath(color)) in shown.iter().map(|(entity, shown)| (entity, *shown)).chain(some) {
        if let (Some(path), Some(point)) = (navigation.path(entity), navigation.point(entity)) {
            let turns = path.turning_points();
            let rest = turns.iter().skip(1).map(|&cell| navigation.layout.middle(cell));
            gizmos.linestrip(std::iter::once(point).chain(rest), color);
        }
    }
}

fn draw_traffic(
    navigation: Res<'_, Navigation>,
    drawn: Res<'_, NavigationGizmos>,
    traffic: Res<'_, Traffic>,
    mut gizmos: Gizmos<'_, '_>,
) {
    if !drawn.traffic {
        return;
    }
    let most = traffic.heat.iter().copied().fold(1.0, f32::max);
    for (at, &heat) in traffic.heat.iter().enumerate().filter(|(_, heat)| **heat > 0.1) {
        let cell = Cell::new(at as u32 % traffic.width, at as u32 / traffic.width);
        // Few cells have much of it.
        let share = (1.0 + heat).ln() / (1.0 + most).ln();
        let color = Color::srgba(1.0, 1.0 - share, 0.1, 0.2 + 0.8 * share);
        square(&mut gizmos, &navigation, cell, 0.4, color);
    }
}

fn draw_database(navigation: Res<'_, Navigation>, drawn: Res<'_, Drawn>, mut gizmos: Gizmos<'_, '_>) {
    let marks = drawn.sketch.iter().flat_map(|sketch| &sketch.panels).flat_map(|(_, _, marks)| marks);
    for mark in marks {
        match mark {
            Mark::Lines(lines, shade) => {
                for [from, to] in lines {
                    let [from, to] = [from, to].map(|&cell| navigation.layout.middle(cell));
                    gizmos.line(from, to, color(*shade).with_alpha(0.4));
                }
            }
            Mark::Cells(cells, shade) => {
                cells.iter().for_each(|&cell| square(&mut gizmos, &navigation, cell, 0.45, color(*shade)));
            }
            Mark::Dots(cells, shade) | Mark::Spots(cells, shade) => {
                cells.iter().for_each(|&cell| square(&mut gizmos, &navigation, cell, 0.25, color(*shade)));
            }
            _ => {}
        }
    }
}

/// The rim of a square around the middle of a cell, half a side from it.
fn square(gizmos: &mut Gizmos<'_, '_>, navigation: &Navigation, cell: Cell, half: f32, color: Color) {
    let (x, y) = (cell.x as f32, cell.y as f32);
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let points: [Vec3; 5] =
        corners.map(|(right, down)| navigation.layout.point((x + right * half, y + down * half)));
    gizmos.linestrip(points, color);
}

fn color(shade: Shade) -> Color {
    match shade {
        Shade::Path(number) | Shade::Region(number) => Color::hsl(f32::from(number) * 47.0 % 360.0, 0.7, 0.6),
        Shade::Subgoal => Color::Srgba(Srgba::rgb(1.0, 0.3, 0.3)),
        Shade::Line => Color::Srgba(Srgba::rgb(0.5, 0.6, 0.9)),
        _ => Color::Srgba(Srgba::rgb(0.6, 0.6, 0.6)),
    }
}
