//! `bevy_surefoot` and `bevy_northstar` on the map of the game, with the same units and the same goals:
//! `cargo run --release` here, or `cargo xtask bevy --northstar`.

use std::alloc::System;
use std::time::{Duration, Instant};

use bevy::ecs::entity::Entity;
use bevy::math::UVec3;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_northstar::prelude as ns;
use bevy_surefoot as sf;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use surefoot::{Cell, Kind, Map, Navigator};

#[path = "../../examples/game/level.rs"]
mod level;
#[allow(dead_code, elided_lifetimes_in_paths)]
#[path = "../../examples/game/world.rs"]
mod world;

#[global_allocator]
static GLOBAL: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const UNITS: usize = 5_000;
const TICKS: usize = 400;

/// Where units are to go, one after the other: the same for both.
struct Goals {
    free: Vec<Cell>,
    state: u64,
}

impl Goals {
    fn new(map: &Map) -> Self {
        Self { free: map.space().grid().free_cells().collect(), state: 7 }
    }

    fn next(&mut self) -> Cell {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.free[(self.state >> 33) as usize % self.free.len()]
    }

    /// The goal of a unit after so many others: it does not depend on who arrives first.
    fn of(&self, unit: usize, number: usize) -> Cell {
        let mut own = Self { free: Vec::new(), state: (unit as u64) << 20 | number as u64 };
        for _ in 0..3 {
            own.state =
                own.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        }
        self.free[(own.state >> 33) as usize % self.free.len()]
    }
}

/// A unit's walk.
#[derive(Component, Clone, Copy)]
struct Walk {
    unit: usize,
    number: usize,
    start: Cell,
    goal: Cell,
    length: f64,
}

/// Walks that were finished, with their lengths.
#[derive(Resource, Default)]
struct Finished(Vec<(Cell, Cell, f64)>, u64, u64);

#[derive(Resource)]
struct World(Goals);

fn length(from: (u32, u32), to: (u32, u32)) -> f64 {
    if from == to {
        0.0
    } else if from.0 != to.0 && from.1 != to.1 {
        std::f64::consts::SQRT_2
    } else {
        1.0
    }
}

fn main() {
    let map = level::level();
    let navigator = map.navigator().expect("a navigator");
    println!(
        "{UNITS} units on the game's map of {0} x {0} cells, {TICKS} ticks, one move a tick\n",
        level::SIDE
    );
    println!(
        "| | agents a frame | frame, mean, ms | median | 99 % | worst | moves | walks | over shortest, % | failed | MB, map and database | bytes a unit |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for budget in [sf::Budget::Everyone, sf::Budget::Work(200_000)] {
        let what = match budget {
            sf::Budget::Work(work) => format!("{work} units of work"),
            _ => "all".to_string(),
        };
        let (frames, finished, shared, own) = with_surefoot(&map, budget);
        print("bevy_surefoot", &what, frames, &finished, &navigator, shared, own);
    }
    for most in [128, usize::MAX] {
        let what = if most == usize::MAX { "all".to_string() } else { most.to_string() };
        let (frames, finished, shared, own) = with_northstar(&map, most);
        print("bevy_northstar 0.7", &what, frames, &finished, &navigator, shared, own);
    }
    println!("\n| an edit: 200 cells, one after the other, no units | median, ms | 99 % | worst |");
    println!("| --- | ---: | ---: | ---: |");
    edits(&map);
    game();
}

/// The game itself, played by its script: what planning takes in it.
fn game() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, world::World)).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let mut frames = Vec::new();
    for tick in 1..=600 {
        app.world_mut().write_message_batch(world::script(tick));
        let begun = Instant::now();
        app.update();
        frames.push(begun.elapsed());
    }
    frames.sort_unstable();
    let (worst, all, ticks) = app.world().resource::<world::Score>().planning;
    println!(
        "\nThe game, 600 ticks, units are obstacles: planning {:.2} ms a tick, {worst:.1} at worst; all of a frame {:.2} ms at the median",
        all / f64::from(ticks),
        frames[frames.len() / 2].as_secs_f64() * 1e3,
    );
}

fn print(
    name: &str,
    what: &str,
    mut frames: Vec<Duration>,
    finished: &Finished,
    navigator: &Navigator,
    shared: usize,
    own: usize,
) {
    let mean = frames.iter().sum::<Duration>().as_secs_f64() * 1e3 / frames.len() as f64;
    frames.sort_unstable();
    let ms = |share: f64| frames[((frames.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    let (mut walked, mut shortest) = (0.0, 0.0);
    for &(start, goal, length) in finished.0.iter().step_by((finished.0.len() / 2_000).max(1)) {
        if let Ok(Some(cost)) = navigator.cost(start, goal) {
            walked += length;
            shortest += cost.to_f64();
        }
    }
    println!(
        "| {name} | {what} | {mean:.2} | {:.2} | {:.2} | {:.1} | {} | {} | {:.2} | {} | {:.1} | {} |",
        ms(0.5),
        ms(0.99),
        ms(1.0),
        finished.1,
        finished.0.len(),
        (walked / shortest - 1.0) * 100.0,
        finished.2,
        shared as f64 / 1e6,
        own / UNITS
    );
}

fn app(goals: Goals) -> App {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins).insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.init_resource::<Finished>().insert_resource(World(goals));
    app
}

fn run(app: &mut App) -> Vec<Duration> {
    let frame = |_| {
        let begun = Instant::now();
        app.update();
        begun.elapsed()
    };
    (0..TICKS).map(frame).collect()
}

fn walks(goals: &mut Goals) -> Vec<Walk> {
    let walk = |unit| {
        let start = goals.next();
        Walk { unit, number: 0, start, goal: goals.of(unit, 0), length: 0.0 }
    };
    (0..UNITS).map(walk).collect()
}

fn with_surefoot(map: &Map, budget: sf::Budget) -> (Vec<Duration>, Finished, usize, usize) {
    let mut goals = Goals::new(map);
    let units = walks(&mut goals);
    let mut app = app(goals);
    let region = Region::new(GLOBAL);
    let mut navigation = sf::Navigation::new(map).with_budget(budget);
    let kind = navigation.add_kind(Kind::new(map.rule(), map.costs())).expect("a database");
    let shared = held(&region);
    app.add_plugins(sf::SurefootPlugin).insert_resource(navigation);
    app.add_systems(FixedUpdate, arrive.after(sf::NavigationSystems::Report));
    let region = Region::new(GLOBAL);
    for walk in units {
        let agent = (sf::Agent::new(kind), sf::Position(walk.start), sf::Destination::to(walk.goal), walk);
        app.world_mut().spawn(agent);
    }
    let frames = run(&mut app);
    let mut finished = app.world_mut().remove_resource::<Finished>().expect("it is there");
    let own = held(&region).saturating_sub(finished.0.capacity() * 24);
    finished.0.shrink_to_fit();
    (frames, finished, shared, own)
}

fn arrive(
    navigation: Res<sf::Navigation>,
    mut arrived: MessageReader<sf::Arrived>,
    mut units: Query<(&mut Walk, &mut sf::Destination)>,
    mut finished: ResMut<Finished>,
    world: Res<World>,
) {
    for (entity, from, to) in navigation.moves() {
        finished.1 += 1;
        if let Ok((mut walk, _)) = units.get_mut(entity) {
            walk.length += length((from.x, from.y), (to.x, to.y));
        }
    }
    for &sf::Arrived { entity, .. } in arrived.read() {
        if let Ok((mut walk, mut destination)) = units.get_mut(entity) {
            finished.0.push((walk.start, walk.goal, walk.length));
            *walk = next(&walk, &world.0);
            destination.cell = walk.goal;
        }
    }
}

fn next(walk: &Walk, goals: &Goals) -> Walk {
    let number = walk.number + 1;
    Walk { number, start: walk.goal, goal: goals.of(walk.unit, number), length: 0.0, ..*walk }
}

fn place(cell: Cell) -> UVec3 {
    UVec3::new(cell.x, cell.y, 0)
}

fn northstar_grid(map: &Map) -> ns::OrdinalGrid {
    let settings = ns::GridSettingsBuilder::new_2d(map.width(), map.height())
        .chunk_size(16)
        .add_neighbor_filter(bevy_northstar::filter::NoCornerCutting)
        .build();
    let mut grid = ns::OrdinalGrid::new(&settings);
    for y in 0..map.height() {
        for x in 0..map.width() {
            if !map.is_free((x, y)) {
                grid.set_nav(UVec3::new(x, y, 0), ns::Nav::Impassable);
            }
        }
    }
    grid.build();
    grid
}

fn with_northstar(map: &Map, most: usize) -> (Vec<Duration>, Finished, usize, usize) {
    let mut goals = Goals::new(map);
    let units = walks(&mut goals);
    let mut app = app(goals);
    let region = Region::new(GLOBAL);
    let grid = northstar_grid(map);
    let shared = held(&region);
    app.add_plugins(ns::NorthstarPlugin::<ns::OrdinalNeighborhood>::default());
    app.world_mut().resource_mut::<ns::NorthstarPluginSettings>().max_pathfinding_agents_per_frame = most;
    let grid = app.world_mut().spawn(grid).id();
    app.add_systems(Update, (go, go_on).chain().after(ns::PathingSet));
    let region = Region::new(GLOBAL);
    for walk in units {
        let agent = (
            ns::AgentOfGrid(grid),
            ns::AgentPos(place(walk.start)),
            ns::Pathfind::new(place(walk.goal)),
            walk,
        );
        app.world_mut().spawn(agent);
    }
    let frames = run(&mut app);
    let mut finished = app.world_mut().remove_resource::<Finished>().expect("it is there");
    let own = held(&region).saturating_sub(finished.0.capacity() * 24);
    finished.0.shrink_to_fit();
    (frames, finished, shared, own)
}

fn go(
    mut units: Query<(Entity, &mut ns::AgentPos, &ns::NextPos, &mut Walk)>,
    mut finished: ResMut<Finished>,
    mut commands: Commands,
) {
    for (entity, mut at, to, mut walk) in &mut units {
        finished.1 += 1;
        walk.length += length((at.0.x, at.0.y), (to.0.x, to.0.y));
        at.0 = to.0;
        commands.entity(entity).remove::<ns::NextPos>();
    }
}

fn go_on(
    mut units: Query<
        (Entity, &ns::AgentPos, &mut Walk, Has<ns::PathfindingFailed>, Has<ns::RerouteFailed>),
        Without<ns::NextPos>,
    >,
    mut finished: ResMut<Finished>,
    mut commands: Commands,
    world: Res<World>,
) {
    for (entity, at, mut walk, no_way, no_other) in &mut units {
        if at.0 == place(walk.goal) {
            finished.0.push((walk.start, walk.goal, walk.length));
            *walk = next(&walk, &world.0);
            commands.entity(entity).insert(ns::Pathfind::new(place(walk.goal)));
        } else if no_way || no_other {
            finished.2 += 1;
            let begun = Cell::new(at.0.x, at.0.y);
            *walk = Walk { start: begun, ..next(&walk, &world.0) };
            commands.entity(entity).remove::<(ns::PathfindingFailed, ns::RerouteFailed)>();
            commands.entity(entity).insert(ns::Pathfind::new(place(walk.goal)));
        }
    }
}

fn held(region: &Region<'_, System>) -> usize {
    let change = region.change();
    change.bytes_allocated.saturating_sub(change.bytes_deallocated)
}

/// What an edit takes until units can go by it, and until databases are up to date.
fn edits(map: &Map) {
    let mut goals = Goals::new(map);
    let cells: Vec<Cell> = (0..200).map(|_| goals.next()).collect();
    let mut navigation = surefoot::Crowd::new(map);
    let kind = navigation.add_kind(Kind::new(map.rule(), map.costs())).expect("a database");
    let (mut at_once, mut in_all, mut rebuilt) = (Vec::new(), Vec::new(), Vec::new());
    let mut grid = northstar_grid(map);
    for &cell in &cells {
        let begun = Instant::now();
        navigation.set_cell(cell, false).expect("a cell");
        navigation.frame(surefoot::FrameBudget::Work(1));
        at_once.push(begun.elapsed());
        while !navigation.is_up_to_date(kind).expect("a kind") {
            navigation.frame(surefoot::FrameBudget::Everyone);
        }
        in_all.push(begun.elapsed());
        let begun = Instant::now();
        grid.set_nav(place(cell), ns::Nav::Impassable);
        grid.build();
        rebuilt.push(begun.elapsed());
    }
    for (name, mut times) in [
        ("bevy_surefoot, until units go by it", at_once),
        ("bevy_surefoot, until its database is up to date", in_all),
        ("bevy_northstar 0.7, set_nav and build", rebuilt),
    ] {
        times.sort_unstable();
        let ms = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
        println!("| {name} | {:.3} | {:.3} | {:.3} |", ms(0.5), ms(0.99), ms(1.0));
    }
}
