//! The pictures of the book's page on how `beacon*` works, from a small map.
//!
//! `cargo run -p surefoot-draw --example beacons_step_by_step` holds them to the library as it is; with `write`
//! at its end it draws them anew.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use surefoot::beacons::{BeaconConfig, BeaconDatabase, BeaconId, Labelled};
use surefoot::formats::parse_art;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule, State, Terrain, TerrainMap, TerrainSet};
use surefoot_draw::{Colour, Picture, Sheet, svg_with_legend};

const MAP: &str = "\
........................................
........................................
.....#######.........######.............
.....#######.........######.............
.....#######.........######.............
...............####.........#####.......
...............####.........#####.......
...##..........####.........#####.......
...##...................................
...##....#########..........#####.......
.........#########..####....#####.......
.........#########..####................
....................####................
......####..............................
......####......########......####......
................########......####......
................########......####......
........................................
";
const START: Cell = Cell::new(1, 3);
const GOAL: Cell = Cell::new(37, 15);
/// A wall that comes later.
const WALL: [Cell; 3] = [Cell::new(25, 9), Cell::new(26, 9), Cell::new(27, 9)];

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures");
const PALE: Colour = Colour { red: 0xA9, green: 0xBC, blue: 0xCC };
const FAINT: Colour = Colour { red: 0xD9, green: 0xDC, blue: 0xD6 };
const GREY: Colour = Colour { red: 0x8F, green: 0x96, blue: 0xA3 };
const WAY: Colour = Colour::of_path(0);
const OF_START: Colour = Colour::of_path(1);
const NEW: Colour = Colour::of_path(2);
const OF_GOAL: Colour = Colour::of_path(3);
const BUILT: Colour = Colour::of_path(4);

type Legend<'a> = &'a [(Colour, &'a str)];

/// A map with its beacons.
struct World {
    map: TerrainMap,
    space: GridSpace,
    beacons: BeaconDatabase,
}

impl World {
    fn corners(&self) -> Vec<Cell> {
        self.beacons.corners().map(|corner| self.beacons.cell(corner)).collect()
    }

    /// The ends of all legs, each leg once.
    fn legs(&self) -> BTreeSet<[Cell; 2]> {
        let all =
            self.beacons.corners().flat_map(|from| self.beacons.legs(from).map(move |(to, _)| (from, to)));
        all.map(|(from, to)| {
            let mut ends = [self.beacons.cell(from), self.beacons.cell(to)];
            ends.sort();
            ends
        })
        .collect()
    }

    fn state(&self, cell: Cell) -> State {
        self.space.state_at(cell).expect("it is on the map")
    }

    fn turns(&self, from: Cell, to: Cell) -> Vec<Cell> {
        self.beacons.turning_points(&self.space, self.state(from), self.state(to)).expect("there is a way")
    }

    fn way(&self, from: Cell, to: Cell) -> Vec<Cell> {
        let way = self.beacons.path(&self.space, self.state(from), self.state(to)).expect("there is a way");
        way.states.iter().map(|&state| self.space.cell(state)).collect()
    }

    /// Lines to the corners to which a single leg leads.
    fn sight(&self, from: Cell) -> Vec<[Cell; 2]> {
        let seen = self
            .corners()
            .into_iter()
            .filter(|&corner| corner != from && self.turns(from, corner).len() == 2);
        seen.map(|corner| [from, corner]).collect()
    }

    fn corner_at(&self, cell: Cell) -> BeaconId {
        self.beacons.corners().find(|&corner| self.beacons.cell(corner) == cell).expect("it is a corner")
    }

    fn hubs(&self, corner: Cell) -> Vec<(Cell, f64)> {
        let hubs = self.beacons.hubs(self.corner_at(corner));
        hubs.into_iter()
            .map(|(hub, cost)| (self.beacons.cell(hub), self.space.units().to_f64(cost)))
            .collect()
    }

    fn picture(&self) -> Picture<'_> {
        Picture::new(&self.map).with_longer_side(800)
    }

    /// The map with its corners and legs in the background.
    fn backdrop(&self) -> Picture<'_> {
        self.picture().with_hairlines(self.legs(), FAINT).with_dots(self.corners(), GREY)
    }
}

/// The steps: the name of each, and its picture as SVG.
fn draw(world: &World, after: &World) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let mut pictures = Vec::new();
    let mut keep = |name, picture: Picture<'_>, legend: Legend<'_>| {
        pictures.push((name, svg_with_legend(&picture.with_start(START).with_goal(GOAL), legend).0));
    };
    let turns = world.turns(START, GOAL);
    let way = || world.way(START, GOAL);
    let bends = &turns[1..turns.len() - 1];
    let (first, last) = (bends[0], bends[bends.len() - 1]);

    let corners = world.picture().with_dots(world.corners(), WAY);
    keep("beacon-1-corners", corners, &[(WAY, "corners: where cheapest paths can turn")]);

    let legs = world.picture().with_hairlines(world.legs(), PALE).with_dots(world.corners(), WAY);
    keep("beacon-2-legs", legs, &[(WAY, "corners"), (PALE, "legs between them")]);

    // The widest leg, walked in both of its orders.
    let reach = |[a, b]: &[Cell; 2]| {
        a.x.abs_diff(b.x).min(a.y.abs_diff(b.y)).min(a.x.abs_diff(b.x).abs_diff(a.y.abs_diff(b.y)))
    };
    let leg = world.legs().into_iter().max_by_key(reach).ok_or("there are legs")?;
    let [diagonal_first, straight_first] =
        [true, false].map(|is_diagonal_first| orders(leg, is_diagonal_first));
    let one = world
        .backdrop()
        .with_path(diagonal_first, OF_START)
        .with_path(straight_first, OF_GOAL)
        .with_spots(leg, WAY);
    keep(
        "beacon-3-one-leg",
        one,
        &[
            (WAY, "the ends of a leg"),
            (OF_START, "diagonal moves first"),
            (OF_GOAL, "straight moves first: as good"),
        ],
    );

    let ends = world
        .backdrop()
        .with_hairlines(world.sight(START), OF_START)
        .with_hairlines(world.sight(GOAL), OF_GOAL);
    keep("beacon-4-sight", ends, &[(OF_START, "what the start sees"), (OF_GOAL, "what the goal sees")]);

    let hubs = |corner| world.hubs(corner).into_iter().map(|(hub, _)| hub).collect::<Vec<_>>();
    let meeting = meeting(world, first, last).ok_or("two labels share a hub")?.0;
    let labels = world
        .backdrop()
        .with_hairlines(hubs(first).into_iter().map(|hub| [first, hub]), OF_START)
        .with_hairlines(hubs(last).into_iter().map(|hub| [last, hub]), OF_GOAL)
        .with_spots(hubs(first), OF_START)
        .with_spots(hubs(last), OF_GOAL)
        .with_path([first, meeting], OF_START)
        .with_path([last, meeting], OF_GOAL)
        .with_subgoal(meeting);
    keep(
        "beacon-5-labels",
        labels,
        &[
            (OF_START, "the first corner and its hubs"),
            (OF_GOAL, "the last corner and its hubs"),
            (Colour::SUBGOAL, "the hub where they meet"),
        ],
    );

    let walk = world.backdrop().with_path(way(), WAY).with_spots(bends.iter().copied(), WAY);
    keep("beacon-6-way", walk, &[(WAY, "the way, and the corners where it turns")]);

    let (old_corners, old_legs) = (world.corners(), world.legs());
    let new_corners: Vec<Cell> =
        after.corners().into_iter().filter(|corner| !old_corners.contains(corner)).collect();
    let new_legs: Vec<[Cell; 2]> = after.legs().into_iter().filter(|leg| !old_legs.contains(leg)).collect();
    let edit = after
        .backdrop()
        .with_cells(WALL, BUILT)
        .with_hairlines(new_legs, NEW)
        .with_path(way(), GREY)
        .with_path(after.way(START, GOAL), WAY)
        .with_spots(new_corners, NEW);
    keep(
        "beacon-7-edit",
        edit,
        &[
            (BUILT, "the new wall"),
            (NEW, "new corners and legs"),
            (GREY, "the way before, and old corners"),
            (WAY, "the way now"),
        ],
    );

    // The whole of it, for README.
    let corners = world.picture().with_dots(world.corners(), WAY);
    let legs = world.picture().with_hairlines(world.legs(), PALE).with_dots(world.corners(), WAY);
    let labels = world
        .backdrop()
        .with_hairlines(hubs(first).into_iter().map(|hub| [first, hub]), OF_START)
        .with_hairlines(hubs(last).into_iter().map(|hub| [last, hub]), OF_GOAL)
        .with_path(way(), WAY)
        .with_subgoal(meeting);
    let sheet = Sheet::new()
        .with_panel("1 corners", "where cheapest paths can turn", corners)
        .with_panel("2 legs", "between two turns", legs)
        .with_panel("3 a way", "two labels meet in a hub", labels.with_start(START).with_goal(GOAL));
    pictures.push(("beacons", sheet.to_svg()));
    Ok(pictures)
}

/// The cells of a leg, with its diagonal moves first or last.
fn orders([from, to]: [Cell; 2], is_diagonal_first: bool) -> Vec<Cell> {
    let toward = |at: u32, to: u32| if at < to { at + 1 } else { at - u32::from(at > to) };
    let (mut at, mut cells) = (from, vec![from]);
    while at != to {
        let (dx, dy) = (at.x.abs_diff(to.x), at.y.abs_diff(to.y));
        let is_diagonal = if is_diagonal_first { dx.min(dy) > 0 } else { dx == dy };
        if is_diagonal || dx > dy {
            at.x = toward(at.x, to.x);
        }
        if is_diagonal || dy > dx {
            at.y = toward(at.y, to.y);
        }
        cells.push(at);
    }
    cells
}

/// The hub over which two labels meet at the least cost, and that cost.
fn meeting(world: &World, first: Cell, last: Cell) -> Option<(Cell, f64)> {
    let of_last = world.hubs(last);
    let shared = world.hubs(first).into_iter().filter_map(|(hub, cost)| {
        of_last.iter().find(|(other, _)| *other == hub).map(|(_, rest)| (hub, cost + rest))
    });
    shared.min_by(|a, b| a.1.total_cmp(&b.1))
}

fn main() -> Result<(), Box<dyn Error>> {
    let world = |map: TerrainMap| -> Result<World, Box<dyn Error>> {
        let space = GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2);
        let beacons = BeaconDatabase::build(&space, BeaconConfig::default().with_labels(Labelled::All))?;
        Ok(World { map, space, beacons })
    };
    let before = world(parse_art(MAP.as_bytes())?)?;
    let mut rows: Vec<Vec<u8>> = MAP.lines().map(|line| line.bytes().collect()).collect();
    WALL.iter().for_each(|cell| rows[cell.y as usize][cell.x as usize] = b'#');
    let mut after = world(parse_art(&rows.join(&b'\n'))?)?;
    // What a repair makes of the beacons from before knows the same costs as what is built anew.
    let mut repaired = before.beacons.clone();
    let work = repaired.repair(&after.space, WALL)?.work;
    let start = after.state(START);
    for goal in after.space.grid().free_cells().map(|cell| after.state(cell)) {
        assert_eq!(repaired.cost(&after.space, start, goal), after.beacons.cost(&after.space, start, goal));
    }
    after.beacons = repaired;
    assert!(after.map.terrain(WALL[0]) != Some(Terrain::Ground));

    let turns = before.turns(START, GOAL);
    let (first, last) = (turns[1], turns[turns.len() - 2]);
    for corner in [first, last] {
        println!("the label of {corner}:");
        before.hubs(corner).iter().for_each(|(hub, cost)| println!("  {hub}: {cost:.2}"));
    }
    println!("they meet: {:?}; the way turns at {turns:?}", meeting(&before, first, last));
    println!(
        "{} corners, {} legs; the edit took {work} of work",
        before.corners().len(),
        before.legs().len()
    );

    let is_new = std::env::args().nth(1).as_deref() == Some("write");
    for (name, svg) in draw(&before, &after)? {
        let file = Path::new(FOLDER).join(name).with_extension("svg");
        if is_new {
            fs::write(&file, &svg)?;
        }
        if fs::read_to_string(&file)? != svg {
            return Err(format!("{} is not what is drawn today: add `-- write`", file.display()).into());
        }
    }
    Ok(())
}
