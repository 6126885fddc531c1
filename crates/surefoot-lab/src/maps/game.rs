//! A game's map: a landscape of fields, woods, swamps, lakes and mountains, with buildings on it and roads
//! between them. Roads cross rivers at fords. What no road or field connects is overgrown, so that nearly all
//! ground is one component.

use surefoot::space::{GridComponents, MoveRule, TerrainSet, sorting};

use super::canvas::{Canvas, GROUND, ROCK, SWAMP, TREES, WATER, is_ground};
use super::noise::Noise;
use super::rooms;
use crate::random::Rng;

/// Heights, of [`Noise::HIGHEST`], where one terrain ends and the next begins.
const LAKES_BELOW: i32 = 360;
const SWAMP_BELOW: i32 = 392;
const MOUNTAINS_FROM: i32 = 640;
/// How damp it is where trees grow.
const WOODS_FROM: i32 = 590;
/// Mountain passes: where this noise is close to its middle, there is a way through.
const PASS_WIDTH: i32 = 22;

/// The longest hills and valleys.
const LONGEST: u32 = 128;
/// About one building stands on so many cells.
const CELLS_PER_BUILDING: u64 = 5_000;
/// About one crossroads lies on so many cells.
const CELLS_PER_CROSSROADS: u64 = 9_000;

/// Streams of the seed, one for each part of the work.
const BUILDINGS: u64 = 1;
const ROADS: u64 = 2;
const PATHS: u64 = 3;

pub(super) fn fill(canvas: &mut Canvas, seed: u64) {
    lay_landscape(canvas, seed);
    let doors = build_houses(canvas, &mut Rng::new(seed, BUILDINGS));
    lay_roads(canvas, &mut Rng::new(seed, ROADS), doors);
    draw_border(canvas, seed);
    connect_fields(canvas, &mut Rng::new(seed, PATHS));
    overgrow_pockets(canvas);
}

/// The longest period of noise that still gives this map several hills.
fn longest_period(canvas: &Canvas) -> u32 {
    (canvas.width().min(canvas.height()) / 3).clamp(4, LONGEST)
}

fn lay_landscape(canvas: &mut Canvas, seed: u64) {
    let longest = longest_period(canvas);
    let mut height = Noise::new(seed, longest, 4, 50);
    let mut damp = Noise::new(seed ^ 0x5eed_0001, longest * 2 / 3, 2, 65);
    let mut passes = Noise::new(seed ^ 0x5eed_0002, longest / 2, 4, 50);
    let width = canvas.width() as usize;
    let (mut heights, mut damps, mut ways) = (vec![0; width], vec![0; width], vec![0; width]);
    for y in 0..canvas.height() {
        height.fill_row(y, &mut heights);
        damp.fill_row(y, &mut damps);
        passes.fill_row(y, &mut ways);
        for (((letter, &height), &damp), &way) in
            canvas.row_mut(y).iter_mut().zip(&heights).zip(&damps).zip(&ways)
        {
            let is_pass = way.abs_diff(Noise::HIGHEST / 2) < PASS_WIDTH as u32;
            *letter = match height {
                ..LAKES_BELOW => WATER,
                LAKES_BELOW..SWAMP_BELOW => SWAMP,
                MOUNTAINS_FROM.. if !is_pass => ROCK,
                _ if damp >= WOODS_FROM && !is_pass => TREES,
                _ => GROUND,
            };
        }
    }
}

/// Puts buildings of several rooms on the land, each with a yard around; gives a place before each door.
fn build_houses(canvas: &mut Canvas, rng: &mut Rng) -> Vec<(u32, u32)> {
    let (width, height) = (canvas.width(), canvas.height());
    let mut doors = Vec::new();
    if width < 32 || height < 32 {
        return doors;
    }
    let count = u64::from(width) * u64::from(height) / CELLS_PER_BUILDING + 1;
    for _ in 0..count {
        let (w, h) = (rng.between(10, 34).min(width / 3), rng.between(10, 34).min(height / 3));
        let (x, y) = (rng.between(4, width - w - 4), rng.between(4, height - h - 4));
        // Nobody builds into a lake; one look at the middle and the corners will do.
        let spots = [(x, y), (x + w - 1, y), (x, y + h - 1), (x + w - 1, y + h - 1), (x + w / 2, y + h / 2)];
        if spots.iter().any(|&(x, y)| matches!(canvas.get(x, y), WATER)) {
            continue;
        }
        canvas.fill(x - 2, y - 2, w + 4, h + 4, GROUND);
        canvas.fill(x, y, w, h, ROCK);
        rooms::furnish(canvas, rng, x + 1, y + 1, w - 2, h - 2);
        for _ in 0..rng.between(1, 2) {
            let at = rng.between(2, w - 4);
            let (door_y, outside) = if rng.below(2) == 0 { (y, y - 2) } else { (y + h - 1, y + h + 1) };
            canvas.fill(x + at, door_y, 2, 1, GROUND);
            // A wall of the rooms may stand right behind the door.
            let inside = if door_y == y { y + 1 } else { y + h - 2 };
            canvas.fill(x + at, inside, 2, 1, GROUND);
            doors.push((x + at, outside));
        }
    }
    doors
}

/// Connects doors and crossroads, each with the one before it and with a random earlier one.
fn lay_roads(canvas: &mut Canvas, rng: &mut Rng, doors: Vec<(u32, u32)>) {
    let (width, height) = (canvas.width(), canvas.height());
    if width < 16 || height < 16 {
        return;
    }
    let count = u64::from(width) * u64::from(height) / CELLS_PER_CROSSROADS + 2;
    let mut places = doors;
    places.extend((0..count).map(|_| (rng.between(5, width - 6), rng.between(5, height - 6))));
    // Row by row in wide bands, so that roads lead to places near by and their length stays in proportion to
    // the map.
    sorting::sort_stably_by_key(&mut places, |&(x, y)| {
        let band = y / 96;
        (band, if band % 2 == 0 { x } else { width - x })
    });
    for pair in places.windows(2) {
        lay_road(canvas, rng, pair[0], pair[1]);
    }
    for (index, &place) in places.iter().enumerate().skip(4) {
        if rng.below(3) == 0 {
            let earlier = places[index - 2 - rng.below(3) as usize];
            lay_road(canvas, rng, place, earlier);
        }
    }
    // A band is up to 96 rows high: its places know nothing of those above them. Link some across.
    for (index, &place) in places.iter().enumerate() {
        if index % 6 == 0
            && let Some(&below) = places
                .iter()
                .skip(index)
                .find(|other| other.1 / 96 == place.1 / 96 + 1 && other.0.abs_diff(place.0) < 96)
        {
            lay_road(canvas, rng, place, below);
        }
    }
}

/// A winding road, two or three cells wide; walls of buildings turn it aside only by being broken through.
fn lay_road(canvas: &mut Canvas, rng: &mut Rng, from: (u32, u32), to: (u32, u32)) {
    let (width, height) = (canvas.width(), canvas.height());
    let (mut x, mut y) = from;
    let broad = rng.between(2, 3);
    while (x, y) != to {
        for (cell_x, cell_y) in (0..broad).flat_map(|dy| (0..broad).map(move |dx| (x + dx, y + dy))) {
            if cell_x < width && cell_y < height {
                let letter = canvas.get(cell_x, cell_y);
                canvas.set(cell_x, cell_y, if letter == WATER || letter == SWAMP { SWAMP } else { GROUND });
            }
        }
        let (left_x, left_y) = (x.abs_diff(to.0), y.abs_diff(to.1));
        // Towards the target along either axis, in proportion to what is left; now and then off the line.
        let along_x = rng.below(u64::from(left_x + left_y)) < u64::from(left_x);
        let wander = rng.below(8) == 0;
        if along_x != wander && left_x > 0 {
            x = if x < to.0 { x + 1 } else { x - 1 };
        } else if left_y > 0 {
            y = if y < to.1 { y + 1 } else { y - 1 };
        } else {
            x = if x < to.0 { x + 1 } else { x - 1 };
        }
    }
}

/// A ragged edge of rock around the map.
fn draw_border(canvas: &mut Canvas, seed: u64) {
    let (width, height) = (canvas.width(), canvas.height());
    if width < 8 || height < 8 {
        return;
    }
    let mut noise = Noise::new(seed ^ 0x5eed_0003, 24, 3, 60);
    let mut depths = vec![0; width.max(height) as usize];
    let mut depth_of = |side: u32, depths: &mut Vec<i32>| {
        noise.fill_row(side * 1000, depths);
        depths.iter().map(|&depth| 1 + depth as u32 * 4 / Noise::HIGHEST as u32).collect::<Vec<u32>>()
    };
    let sides = [0, 1, 2, 3].map(|side| depth_of(side, &mut depths));
    for x in 0..width {
        canvas.fill(x, 0, 1, sides[0][x as usize].min(height), ROCK);
        let depth = sides[1][x as usize].min(height);
        canvas.fill(x, height - depth, 1, depth, ROCK);
    }
    for y in 0..height {
        canvas.fill(0, y, sides[2][y as usize].min(width), 1, ROCK);
        let depth = sides[3][y as usize].min(width);
        canvas.fill(width - depth, y, depth, 1, ROCK);
    }
}

/// The ground's components and the largest of them, if there is ground.
fn ground_components(canvas: &Canvas) -> Option<(GridComponents, u32)> {
    let map = canvas.clone().into_map().ok()?;
    let components = GridComponents::new(&map.grid(TerrainSet::GROUND), MoveRule::NoCut);
    let largest = components.largest()?;
    Some((components, largest))
}

/// A component that has less than a part in so many of the largest one's cells is a pocket.
const POCKET_PARTS: u64 = 100;

/// Lays a path from every field that no road leads to, unless it is a pocket, to the largest component.
fn connect_fields(canvas: &mut Canvas, rng: &mut Rng) {
    let Some((components, largest)) = ground_components(canvas) else { return };
    let middle_of = |(from, to): (u32, u32), y: u32| (from.midpoint(to - 1), y);
    let mut fields: Vec<Option<(u32, u32)>> = vec![None; components.count()];
    let mut targets = Vec::new();
    for y in 0..canvas.height() {
        for (from, to, component) in components.row(y) {
            let field = &mut fields[component as usize];
            if component == largest {
                targets.push(middle_of((from, to), y));
            } else if field.is_none() && components.size(component) * POCKET_PARTS >= components.size(largest)
            {
                *field = Some(middle_of((from, to), y));
            }
        }
    }
    for (x, y) in fields.into_iter().flatten() {
        let nearest = targets.iter().min_by_key(|&&(tx, ty)| tx.abs_diff(x).max(ty.abs_diff(y)));
        if let Some(&target) = nearest {
            lay_road(canvas, rng, (x, y), target);
        }
    }
}

/// Lets trees grow on ground that is cut off from the rest.
fn overgrow_pockets(canvas: &mut Canvas) {
    let Some((components, largest)) = ground_components(canvas) else { return };
    for y in 0..canvas.height() {
        for (from, to, component) in components.row(y) {
            if component != largest && components.size(component) * POCKET_PARTS < components.size(largest) {
                let cells = &mut canvas.row_mut(y)[from as usize..to as usize];
                debug_assert!(cells.iter().all(|&letter| is_ground(letter)));
                cells.fill(TREES);
            }
        }
    }
}
