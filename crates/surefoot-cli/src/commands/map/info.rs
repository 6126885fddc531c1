//! `surefoot map info`: what a map is made of, and how much of it hangs together.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use surefoot::formats::read_any_map;
use surefoot::space::{GridComponents, MoveRule, Terrain, TerrainMap, TerrainSet};

use crate::failure::Failure;
use crate::output;
use crate::table::{Table, thousands};

/// Print a map's size, terrain, free cells and connected components
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  surefoot map info arena.map\n  surefoot map info island.png --json")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "FILE")]
    map: PathBuf,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints what there is to know about a map.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let map = read_any_map(&arguments.map)?;
    let info = Info::of(&map);
    if arguments.json { output::print_json(&info) } else { output::print(&info.to_text()) }
}

#[derive(Serialize)]
struct Info {
    width: u32,
    height: u32,
    cells: u64,
    terrain: Vec<TerrainCount>,
    worlds: Vec<World>,
}

/// How many cells a terrain letter stands in.
#[derive(Serialize)]
struct TerrainCount {
    terrain: &'static str,
    letter: char,
    cells: u64,
}

/// The map as one kind of agent sees it.
#[derive(Serialize)]
struct World {
    passable: &'static str,
    free: u64,
    components: Vec<ComponentCount>,
}

#[derive(Serialize)]
struct ComponentCount {
    rule: &'static str,
    count: usize,
    largest: u64,
}

impl Info {
    fn of(map: &TerrainMap) -> Self {
        let mut letters: BTreeMap<(Terrain, u8), u64> = BTreeMap::new();
        for &letter in map.rows().flatten() {
            let terrain = Terrain::of_letter(letter).unwrap_or(Terrain::Other);
            *letters.entry((terrain, letter)).or_default() += 1;
        }
        Self {
            width: map.width(),
            height: map.height(),
            cells: u64::from(map.width()) * u64::from(map.height()),
            terrain: letters
                .into_iter()
                .map(|((terrain, letter), cells)| TerrainCount {
                    terrain: terrain.name(),
                    letter: char::from(letter),
                    cells,
                })
                .collect(),
            worlds: [("ground", TerrainSet::GROUND), ("water", TerrainSet::WATER)]
                .map(|(name, passable)| World::of(map, name, passable))
                .into(),
        }
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let cells = thousands(self.cells);
        let _ = writeln!(text, "{} x {} cells, {cells} in all\n", self.width, self.height);
        let mut terrain = Table::new(&["terrain", "letter", "cells", "percent"]);
        for count in &self.terrain {
            terrain.row(vec![
                count.terrain.to_string(),
                count.letter.to_string(),
                thousands(count.cells),
                percent(count.cells, self.cells),
            ]);
        }
        text.push_str(&terrain.to_text());
        let mut worlds =
            Table::new(&["passable", "free cells", "rule", "components", "largest", "percent of free"]);
        for world in &self.worlds {
            for components in &world.components {
                worlds.row(vec![
                    world.passable.to_string(),
                    thousands(world.free),
                    components.rule.to_string(),
                    thousands(components.count as u64),
                    thousands(components.largest),
                    percent(components.largest, world.free),
                ]);
            }
        }
        text.push('\n');
        text.push_str(&worlds.to_text());
        text
    }
}

impl World {
    fn of(map: &TerrainMap, passable: &'static str, terrain: TerrainSet) -> Self {
        let grid = map.grid(terrain);
        let components = MoveRule::ALL.map(|rule| {
            let components = GridComponents::new(&grid, rule);
            ComponentCount {
                rule: rule.name(),
                count: components.count(),
                largest: components.largest().map_or(0, |largest| components.size(largest)),
            }
        });
        Self { passable, free: grid.free_count(), components: components.into() }
    }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        crate::table::NOTHING.to_string()
    } else {
        format!("{:.1}", 100.0 * part as f64 / whole as f64)
    }
}
