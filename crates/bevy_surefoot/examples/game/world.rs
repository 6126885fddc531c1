//! The game without a window: its map, its units, its hunters, its walls, and a player made of a script.

#[path = "level.rs"]
mod level;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_surefoot::prelude::*;

pub use self::level::SIDE;
use self::level::level;

/// How many soldiers there are.
pub const SOLDIERS: u32 = 5_000;
/// How many hunters there are.
pub const HUNTERS: u32 = 12;
/// Units of work a tick. The first ways of all soldiers take some ticks with it.
pub const WORK: u64 = 200_000;

/// Whoever obeys the player.
#[derive(Component)]
pub struct Soldier;

/// Whoever pursues soldiers. One that is caught is gone.
#[derive(Component)]
pub struct Hunter;

/// A wall or a door of the player's.
#[derive(Component)]
pub struct Built {
    /// Whether it can be opened.
    pub is_door: bool,
}

/// Whom the player has selected. They stay so wherever they go.
#[derive(Resource, Default)]
pub struct Selection(pub Vec<Entity>);

/// What has happened so far.
#[derive(Resource, Default)]
pub struct Score {
    /// Soldiers that were caught.
    pub caught: u32,
    /// Groups that have settled.
    pub settled: u32,
    /// Longest and total time that planning has taken, in milliseconds, and in how many ticks.
    pub planning: (f64, f64, u32),
}

/// What the player wants: written by mouse and keyboard, or by a script.
#[derive(Message, Clone, Debug)]
pub enum Wish {
    /// Selects all soldiers in a box of cells.
    Select { from: Cell, to: Cell },
    /// Sends those that are selected to a place.
    Send { place: Cell },
    /// Builds a wall of so many columns and rows.
    Wall { corner: Cell, width: u32, height: u32 },
    /// Builds a door, which is closed.
    Door { cell: Cell },
    /// Opens the door on a cell, closes it, or takes a wall away.
    Touch { cell: Cell },
}

/// The game's rules.
pub struct World;

impl Plugin for World {
    fn build(&self, app: &mut App) {
        app.add_plugins(SurefootPlugin).add_message::<Wish>();
        app.init_resource::<Score>().init_resource::<Selection>();
        let map = level();
        let config = CrowdConfig::default().with_units_as_obstacles(true);
        let mut navigation = Navigation::with_config(&map, config).with_budget(Budget::Work(WORK));
        // Built within frames: it is the same in a browser, and in every run.
        let kind = navigation.add_kind_in_frames(Kind::new(map.rule(), map.costs()));
        let kind = kind.expect("beacons can be built in frames");
        let mut free = navigation.map().free_cells().filter(|cell| cell.x < SIDE / 3);
        let mut far = navigation.map().free_cells().filter(|cell| cell.x > SIDE - 9).step_by(90);
        for cell in free.by_ref().step_by(3).take(SOLDIERS as usize) {
            let soldier = (Soldier, Agent::new(kind), Position(cell), Speed::new(1, 4), Follow::default());
            app.world_mut().spawn(soldier);
        }
        for cell in far.by_ref().take(HUNTERS as usize) {
            let agent = Agent::new(kind).with_priority(Priority::High);
            app.world_mut().spawn((Hunter, agent, Position(cell), Speed::new(1, 3), Follow::default()));
        }
        drop((free, far));
        app.insert_resource(navigation);
        app.add_systems(FixedUpdate, (grant, hunt).chain().before(NavigationSystems::Orders));
        app.add_systems(
            FixedUpdate,
            (
                start_watch.after(NavigationSystems::Orders).before(NavigationSystems::Plan),
                stop_watch.after(NavigationSystems::Plan),
                keep_score.after(NavigationSystems::Report),
            ),
        );
    }
}

/// Does what the player wishes.
fn grant(
    mut wishes: MessageReader<Wish>,
    soldiers: Query<(Entity, &Position), With<Soldier>>,
    mut built: Query<(Entity, &Built, &mut Blocking)>,
    mut selection: ResMut<Selection>,
    mut commands: Commands,
) {
    for wish in wishes.read() {
        match *wish {
            Wish::Select { from, to } => {
                let is_in =
                    |cell: Cell| (from.x..=to.x).contains(&cell.x) && (from.y..=to.y).contains(&cell.y);
                let inside = soldiers.iter().filter(|(_, at)| is_in(at.0));
                selection.0 = inside.map(|(entity, _)| entity).collect();
            }
            Wish::Send { place } => {
                // Some may have been caught.
                selection.0.retain(|&entity| soldiers.contains(entity));
                if !selection.0.is_empty() {
                    commands.send_units(selection.0.iter().copied(), place);
                }
            }
            Wish::Wall { corner, width, height } => {
                commands.spawn((Built { is_door: false }, Blocking::area(corner, width, height)));
            }
            Wish::Door { cell } => {
                commands.spawn((Built { is_door: true }, Blocking::cell(cell)));
            }
            Wish::Touch { cell } => {
                let touched = |area: &Blocking| {
                    (area.corner.x..area.corner.x + area.width).contains(&cell.x)
                        && (area.corner.y..area.corner.y + area.height).contains(&cell.y)
                };
                for (entity, built, mut area) in built.iter_mut().filter(|(_, _, area)| touched(area)) {
                    if built.is_door {
                        area.is_open = !area.is_open;
                    } else {
                        commands.entity(entity).despawn();
                    }
                }
            }
        }
    }
}

/// Hunters catch whom they pursue, and pursue the next one.
fn hunt(
    mut arrived: MessageReader<Arrived>,
    hunters: Query<(Entity, &Position, Option<&Pursue>), With<Hunter>>,
    soldiers: Query<(Entity, &Position), With<Soldier>>,
    navigation: Res<Navigation>,
    mut score: ResMut<Score>,
    mut commands: Commands,
) {
    let mut caught = Vec::new();
    for Arrived { entity, .. } in arrived.read() {
        if let Ok((hunter, _, Some(pursue))) = hunters.get(*entity)
            && !caught.contains(&pursue.0)
        {
            caught.push(pursue.0);
            commands.entity(pursue.0).despawn();
            commands.entity(hunter).remove::<Pursue>();
        }
    }
    score.caught += caught.len() as u32;
    // They take their time to choose.
    if !navigation.report().frame.is_multiple_of(32) {
        return;
    }
    let mut taken: Vec<Entity> = hunters.iter().filter_map(|(_, _, pursue)| Some(pursue?.0)).collect();
    for (hunter, at, pursue) in &hunters {
        let is_idle = pursue.is_none_or(|pursue| caught.contains(&pursue.0) || !soldiers.contains(pursue.0));
        if is_idle {
            let is_prey = |soldier: &Entity| !caught.contains(soldier) && !taken.contains(soldier);
            let prey = soldiers.iter().filter(|(soldier, _)| is_prey(soldier));
            if let Some((prey, _)) =
                prey.min_by_key(|(_, from)| from.0.x.abs_diff(at.0.x) + from.0.y.abs_diff(at.0.y))
            {
                taken.push(prey);
                commands.entity(hunter).insert(Pursue(prey));
            }
        }
    }
}

/// When planning has begun.
#[derive(Resource)]
struct Begun(bevy_platform::time::Instant);

fn start_watch(mut commands: Commands) {
    commands.insert_resource(Begun(bevy_platform::time::Instant::now()));
}

fn stop_watch(begun: Res<Begun>, mut score: ResMut<Score>) {
    let took = begun.0.elapsed().as_secs_f64() * 1_000.0;
    let (most, all, ticks) = score.planning;
    score.planning = (took.max(most), all + took, ticks + 1);
}

fn keep_score(mut settled: MessageReader<Settled>, mut score: ResMut<Score>) {
    score.settled += settled.read().count() as u32;
}

/// A player who plays by himself: what he wishes at a tick.
pub fn script(tick: u32) -> Vec<Wish> {
    let cell = Cell::new;
    let send = |from, to, place| vec![Wish::Select { from, to }, Wish::Send { place }];
    match tick {
        60 => send(cell(0, 0), cell(90, 127), cell(144, 48)),
        90 => send(cell(0, 128), cell(90, 255), cell(150, 200)),
        150 => vec![Wish::Wall { corner: cell(112, 60), width: 3, height: 40 }],
        200 => vec![Wish::Door { cell: cell(96, 44) }],
        320 => vec![Wish::Touch { cell: cell(96, 44) }],
        400 => vec![Wish::Touch { cell: cell(113, 70) }],
        500 => send(cell(100, 0), cell(180, 110), cell(60, 60)),
        _ => Vec::new(),
    }
}
