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
use crate::world::WeightOptions;

/// Print a map's size, terrain, free cells and connected components
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  surefoot map info arena.map\n  \
    surefoot map info arena.map --weights arena.csv\n  surefoot map info island.png --json")]
pub(crate) struct Arguments {
    /// The map: .map, .txt, .png or .bmp
    #[arg(value_name = "FILE")]
    map: PathBuf,

    #[command(flatten)]
    weights: WeightOptions,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints what there is to know about a map.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let map = read_any_map(&arguments.map)?;
    let mut info = Info::of(&map);
    info.weights = Weights::of(&map, &arguments.weights)?;
    if arguments.json { output::print_json(&info) } else { output::print(&info.to_text()) }
}

#[derive(Serialize)]
struct Info {
    width: u32,
    height: u32,
    cells: u64,
    terrain: Vec<TerrainCount>,
    worlds: Vec<World>,
    /// What the ground weighs, if that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<Weights>,
}

/// The weights of the cells of ground.
#[derive(Serialize)]
struct Weights {
    lightest: u8,
    heaviest: u8,
    mean: f64,
    /// How many cells have each weight that there is.
    counts: BTreeMap<u8, u64>,
}

impl Weights {
    fn of(map: &TerrainMap, options: &WeightOptions) -> Result<Option<Self>, Failure> {
        let Some(weights) = options.read(map, TerrainSet::GROUND)? else { return Ok(None) };
        let mut counts = BTreeMap::new();
        for weight in map.grid(TerrainSet::GROUND).free_cells().filter_map(|cell| weights.at(cell)) {
            *counts.entry(weight).or_default() += 1;
        }
        let (cells, sum) = counts.iter().fold((0, 0), |(cells, sum), (&weight, &count): (&u8, &u64)| {
            (cells + count, sum + u64::from(weight) * count)
        });
        let end = |weight: Option<&u8>| weight.copied().unwrap_or(1);
        let (lightest, heaviest) = (end(counts.keys().next()), end(counts.keys().next_back()));
        Ok(Some(Self { lightest, heaviest, mean: sum as f64 / (cells as f64).max(1.0), counts }))
    }
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
            weights: None,
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
        if let Some(Weights { lightest, heaviest, mean, counts }) = &self.weights {
            let kinds = counts.len();
            let _ = writeln!(
                text,
                "\nground weighs {lightest} to {heaviest}, {mean:.2} on average ({kinds} weights)"
            );
        }
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
