//! `surefoot db show`: a picture of a database.

use std::path::PathBuf;

use clap::Args;
use surefoot::database::{Database, SubgoalDatabase};
use surefoot::formats::{Colour, Picture, read_any_map};
use surefoot::search::climb_step;
use surefoot::space::{Cell, GridSpace, State, TerrainSet};

use super::worlds_for;
use crate::databases;
use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::number;
use crate::output;
use crate::table::thousands;

/// Draw the records of a database on its map
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot db show arena.sfdb --map arena.map --out arena.png\n  \
    surefoot db show arena.sfdb --map arena.map --record 7 --out seven.svg\n\n\
    The first states of the records are green, the last ones are vermilion, the subgoals between them are blue. With \
    --record only that one is drawn, from the green disc to the red square, with the climbs from each state to the \
    next in purple and orange by turns.")]
pub(crate) struct Arguments {
    /// The database
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The map that it was built for: .map, .txt, .png or .bmp
    #[arg(long, value_name = "MAP")]
    map: PathBuf,

    /// What can be walked on [default: ground, or water if the database was built for it]
    #[arg(long, value_name = "TERRAIN")]
    passable: Option<TerrainSet>,

    /// Draw only this record, counted from 0
    #[arg(long, value_name = "NUMBER", value_parser = number::whole::<u32>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    record: Option<u32>,

    /// The length of the longer side in pixels, at most; cells stay square
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, value_parser = number::whole::<u32>(1..=16384), allow_negative_numbers = true)]
    side: u32,

    /// The picture to write: .png or .svg
    #[arg(long, value_name = "PICTURE")]
    out: PathBuf,
}

const ENDS: Colour = Colour::of_path(0);
const SUBGOALS: Colour = Colour::of_path(1);
const STARTS: Colour = Colour::of_path(2);

/// Draws a database.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    output::refuse_inputs(&arguments.out, &[&arguments.map, &arguments.file])?;
    let info = databases::inspect(&arguments.file)?;
    let worlds = worlds_for(&info, read_any_map(&arguments.map)?, arguments.passable)?;
    let space = worlds.main();
    let database = databases::open(&arguments.file, space)?;
    let Database::Subgoals(subgoals) = &database else {
        return Err(Failure::Other(format!("{} has no records to draw", database.config())));
    };
    if let Some(record) = arguments.record.filter(|&record| record as usize >= subgoals.len()) {
        let count = thousands(subgoals.len() as u64);
        let file = arguments.file.display();
        return Err(Failure::Other(format!("{file}: there is no record {record}, only {count} from 0 on")));
    }
    let output = PictureOutput::create(&arguments.out)?;
    let picture = Picture::new(worlds.map()).with_longer_side(arguments.side);
    output.write(&match arguments.record {
        Some(record) => with_record(picture, subgoals, space, record),
        None => with_all(picture, subgoals, space),
    })
}

fn with_all<'a>(picture: Picture<'a>, subgoals: &SubgoalDatabase, space: &GridSpace) -> Picture<'a> {
    let (mut starts, mut between, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for record in 0..subgoals.len() as u32 {
        let cells: Vec<Cell> = subgoals.record(record).into_iter().map(|state| space.cell(state)).collect();
        if let [start, middle @ .., end] = &cells[..] {
            starts.push(*start);
            between.extend_from_slice(middle);
            ends.push(*end);
        }
    }
    // The subgoals last: they crowd at corners, where the ends would hide them.
    picture.with_dots(starts, STARTS).with_dots(ends, ENDS).with_dots(between, SUBGOALS)
}

fn with_record<'a>(
    mut picture: Picture<'a>,
    subgoals: &SubgoalDatabase,
    space: &GridSpace,
    record: u32,
) -> Picture<'a> {
    let states = subgoals.record(record);
    for (pair, colour) in states.windows(2).zip([3, 4].iter().cycle()) {
        let walk = climb(space, subgoals, pair[0], pair[1]);
        picture =
            picture.with_path(walk.into_iter().map(|state| space.cell(state)), Colour::of_path(*colour));
    }
    let cell = |state: &State| space.cell(*state);
    if let [start, middle @ .., end] = &states[..] {
        let dotted = picture.with_spots(middle.iter().map(cell), SUBGOALS);
        picture = dotted.with_start(cell(start)).with_goal(cell(end));
    }
    picture
}

/// The states of a climb, as far as it gets.
fn climb(space: &GridSpace, subgoals: &SubgoalDatabase, from: State, to: State) -> Vec<State> {
    let mut states = vec![from];
    let mut at = from;
    while let Some((next, _)) = climb_step(space, at, to, subgoals.config().ties) {
        states.push(next);
        at = next;
    }
    states
}
