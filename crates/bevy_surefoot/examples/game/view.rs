//! What is seen, and what mouse and keyboard do.

use bevy::asset::RenderAssetUsages;
use bevy::input::mouse::MouseWheel;
use bevy::prelude::*;
use bevy::render::render_resource::{Extent3d, TextureDimension, TextureFormat};
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy::window::PrimaryWindow;
use bevy_surefoot::prelude::*;

use crate::world::{Hunter, SIDE, SOLDIERS, Score, Selection, Soldier, Wish, script};

/// Pixels of a cell.
const CELL: f32 = 8.0;
/// When the picture is taken.
const PICTURE_TICK: u32 = 390;

/// Where the picture goes.
#[derive(Resource)]
pub struct Picture(pub String);

/// What is under the mouse.
#[derive(Resource, Default)]
struct Pointer {
    cell: Option<Cell>,
    pressed: Option<Cell>,
}

#[derive(Component)]
struct Ground;

#[derive(Component)]
struct Words;

pub struct View;

impl Plugin for View {
    fn build(&self, app: &mut App) {
        app.add_plugins(SurefootGizmoPlugin).init_resource::<Pointer>();
        app.insert_resource(ClearColor(Color::srgb(0.07, 0.08, 0.1)));
        app.add_systems(Startup, set_up);
        app.add_systems(Update, (look_around, point, wish, toggle, paint_ground, write_words).chain());
        // The script's player needs no marks.
        app.add_systems(Update, mark.after(point).run_if(not(resource_exists::<Picture>)));
        app.add_systems(
            FixedUpdate,
            play.before(NavigationSystems::Orders).run_if(resource_exists::<Picture>),
        );
        app.add_systems(Update, take_picture.run_if(resource_exists::<Picture>));
    }
}

fn set_up(
    mut navigation: ResMut<Navigation>,
    soldiers: Query<Entity, With<Soldier>>,
    hunters: Query<Entity, With<Hunter>>,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    navigation.layout = Layout::flat(CELL).centred(SIDE, SIDE);
    let scale = if cfg!(target_family = "wasm") { 2.2 } else { 2.7 };
    let projection = OrthographicProjection { scale, ..OrthographicProjection::default_2d() };
    commands.spawn((Camera2d, Projection::Orthographic(projection)));
    let size = Extent3d { width: SIDE, height: SIDE, depth_or_array_layers: 1 };
    let image = Image::new_fill(
        size,
        TextureDimension::D2,
        &[0, 0, 0, 255],
        TextureFormat::Rgba8UnormSrgb,
        RenderAssetUsages::default(),
    );
    let side = Vec2::splat(SIDE as f32 * CELL);
    let image = images.add(image);
    commands.spawn((
        Ground,
        Sprite { image, custom_size: Some(side), ..default() },
        Transform::from_xyz(0.0, 0.0, -1.0),
    ));
    for (number, entity) in soldiers.iter().enumerate() {
        // Two armies, and a little of everybody's own.
        let own = (number % 7) as f32 * 0.03;
        let color = if number < SOLDIERS as usize / 2 {
            Color::srgb(0.35 + own, 0.7, 1.0)
        } else {
            Color::srgb(0.45, 0.95, 0.5 + own)
        };
        commands
            .entity(entity)
            .insert((Sprite::from_color(color, Vec2::splat(CELL * 0.8)), Transform::default()));
    }
    for entity in &hunters {
        let sprite = Sprite::from_color(Color::srgb(1.0, 0.25, 0.2), Vec2::splat(CELL * 2.5));
        commands.entity(entity).insert((
            sprite,
            Transform::from_xyz(0.0, 0.0, 1.0),
            ShowPath(Color::srgb(1.0, 0.4, 0.3)),
        ));
    }
    let words = (
        Words,
        Text2d::new(""),
        TextFont { font_size: FontSize::Px(20.0), ..default() },
        TextColor(Color::WHITE),
    );
    commands.spawn(words);
}

fn look_around(
    keys: Res<ButtonInput<KeyCode>>,
    mut wheel: MessageReader<MouseWheel>,
    camera: Single<(&mut Transform, &mut Projection), With<Camera2d>>,
    time: Res<Time>,
) {
    let (mut transform, mut projection) = camera.into_inner();
    let Projection::Orthographic(lens) = &mut *projection else { return };
    let key = |code: KeyCode| f32::from(u8::from(keys.pressed(code)));
    let x = key(KeyCode::ArrowRight) - key(KeyCode::ArrowLeft);
    let y = key(KeyCode::ArrowUp) - key(KeyCode::ArrowDown);
    transform.translation += Vec3::new(x, y, 0.0) * 400.0 * lens.scale * time.delta_secs();
    for turn in wheel.read() {
        lens.scale = (lens.scale * 0.9_f32.powf(turn.y.signum())).clamp(0.3, 4.0);
    }
}

fn point(
    window: Single<&Window, With<PrimaryWindow>>,
    camera: Single<(&Camera, &GlobalTransform)>,
    navigation: Res<Navigation>,
    mut pointer: ResMut<Pointer>,
) {
    let (camera, place) = *camera;
    let at = window.cursor_position().and_then(|at| camera.viewport_to_world_2d(place, at).ok());
    let cell = at.and_then(|at| navigation.layout.cell(at.extend(0.0)));
    pointer.cell = cell.filter(|&cell| navigation.map().contains(cell));
}

fn wish(
    keys: Res<ButtonInput<KeyCode>>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut pointer: ResMut<Pointer>,
    mut wishes: MessageWriter<Wish>,
) {
    let Some(cell) = pointer.cell else {
        // What is dragged off the map is given up.
        pointer.pressed = None;
        return;
    };
    if buttons.just_pressed(MouseButton::Left) {
        pointer.pressed = Some(cell);
    }
    if buttons.just_released(MouseButton::Left)
        && let Some(pressed) = pointer.pressed.take()
    {
        let from = Cell::new(pressed.x.min(cell.x), pressed.y.min(cell.y));
        let to = Cell::new(pressed.x.max(cell.x), pressed.y.max(cell.y));
        if keys.pressed(KeyCode::KeyW) {
            wishes.write(Wish::Wall { corner: from, width: to.x - from.x + 1, height: to.y - from.y + 1 });
        } else if keys.pressed(KeyCode::KeyD) {
            wishes.write(Wish::Door { cell });
        } else {
            wishes.write(Wish::Select { from, to });
        }
    }
    if buttons.just_pressed(MouseButton::Right) {
        wishes.write(Wish::Send { place: cell });
    }
    if buttons.just_pressed(MouseButton::Middle) {
        wishes.write(Wish::Touch { cell });
    }
}

fn toggle(
    keys: Res<ButtonInput<KeyCode>>,
    mut drawn: ResMut<NavigationGizmos>,
    navigation: Res<Navigation>,
    soldier: Query<&Agent, With<Soldier>>,
) {
    if keys.just_pressed(KeyCode::KeyP) {
        drawn.paths = if drawn.paths == 0 { 200 } else { 0 };
    }
    if keys.just_pressed(KeyCode::KeyH) {
        drawn.traffic = !drawn.traffic;
    }
    if keys.just_pressed(KeyCode::KeyB) {
        let kind = soldier.iter().next().map(|agent| agent.kind).filter(|&kind| navigation.is_built(kind));
        drawn.database = if drawn.database.is_none() { kind } else { None };
    }
}

/// Paints cells that have changed.
fn paint_ground(
    navigation: Res<Navigation>,
    ground: Single<&Sprite, With<Ground>>,
    mut images: ResMut<Assets<Image>>,
    mut painted: Local<u64>,
) {
    let now = navigation.map().fingerprint();
    if *painted == now {
        return;
    }
    *painted = now;
    let Some(mut image) = images.get_mut(&ground.image) else { return };
    let Some(data) = image.data.as_mut() else { return };
    for (at, pixel) in data.chunks_exact_mut(4).enumerate() {
        let (x, y) = (at as u32 % SIDE, at as u32 / SIDE);
        let shade = if (x / 32 + y / 32) % 2 == 0 { 26 } else { 31 };
        let color = if navigation.map().is_free(Cell::new(x, y)) {
            [shade, shade + 3, shade + 9]
        } else {
            [112, 104, 92]
        };
        pixel[..3].copy_from_slice(&color);
    }
}

/// The box that is dragged, and whoever is selected.
fn mark(
    pointer: Res<Pointer>,
    selection: Res<Selection>,
    places: Query<&Transform, With<Soldier>>,
    navigation: Res<Navigation>,
    mut gizmos: Gizmos,
) {
    let color = Color::srgb(1.0, 0.9, 0.3);
    if let Some((from, to)) = pointer.pressed.zip(pointer.cell) {
        let [from, to] = [from, to].map(|cell| navigation.layout.middle(cell).truncate());
        gizmos.rect_2d((from + to) / 2.0, (from - to).abs() + CELL, color);
    }
    for place in places.iter_many(&selection.0) {
        gizmos.rect_2d(place.translation.truncate(), Vec2::splat(CELL), color);
    }
}

fn write_words(
    score: Res<Score>,
    navigation: Res<Navigation>,
    camera: Single<(&Transform, &Projection), (With<Camera2d>, Without<Words>)>,
    mut window: Single<&mut Window, With<PrimaryWindow>>,
    picture: Option<Res<Picture>>,
    words: Single<(&mut Text2d, &mut Transform), With<Words>>,
) {
    let (mut text, mut transform) = words.into_inner();
    let Projection::Orthographic(lens) = camera.1 else { return };
    let (_, all, ticks) = score.planning;
    let mean = all / f64::from(ticks.max(1));
    text.0 = format!(
        "{} units   {} caught   {} moves in this tick   planning {mean:.2} ms a tick",
        navigation.crowd().len(),
        score.caught,
        navigation.report().moves.len(),
    );
    if picture.is_some() {
        // Its times are those of the machine that draws it, in software.
        let words = text.0.find("   planning").unwrap_or(0);
        text.0.truncate(words);
    }
    if ticks.is_multiple_of(64) {
        window.title = format!("surefoot: 5,000 soldiers, tick {ticks}");
    }
    transform.scale = Vec3::splat(lens.scale);
    let down = window.height() / 2.0 - 20.0;
    transform.translation = (camera.0.translation.truncate() + Vec2::new(0.0, down * lens.scale)).extend(5.0);
}

/// The script plays.
fn play(mut tick: Local<u32>, mut wishes: MessageWriter<Wish>) {
    *tick += 1;
    wishes.write_batch(script(*tick));
}

fn take_picture(
    mut frame: Local<u32>,
    file: Res<Picture>,
    mut commands: Commands,
    mut exit: MessageWriter<AppExit>,
) {
    *frame += 1;
    if *frame == PICTURE_TICK {
        commands.spawn(Screenshot::primary_window()).observe(save_to_disk(file.0.clone()));
    }
    if *frame == PICTURE_TICK + 30 {
        exit.write(AppExit::Success);
    }
}
