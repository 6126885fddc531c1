//! `surefoot db show`: what is in a database, as a picture or as a table.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::database::{Abstraction, Database, LevelStats, SubgoalDatabase};
use surefoot::search::climb_step;
use surefoot::space::{Cell, GridSpace, State};
use surefoot_draw::regions::with_regions;
use surefoot_draw::{Colour, Picture, Sheet};

use super::{DatabaseAndMap, beacons, ways};
use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::number;
use crate::output;
use crate::picture_options::PictureOptions;
use crate::table::{NOTHING, Table, counted, thousands};
use crate::world::{CellArgument, Worlds};

/// Show what is in a database: records on their map, the levels of an abstraction and their regions, patterns, a cover, or corners and legs
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot db show arena.sfdb --map arena.map --out arena.png\n  \
    surefoot db show arena.sfdb --map arena.map --record 7 --out seven.svg\n  \
    surefoot db show levels.sfdb --map arena.map\n  \
    surefoot db show levels.sfdb --map arena.map --out levels.png\n  \
    surefoot db show levels.sfdb --map arena.map --level 4 --out regions.png\n  \
    surefoot db show patterns.sfdb --map arena.map --out regions.png\n  \
    surefoot db show patterns.sfdb --map arena.map --from 3,4 --to 90,80 --out way.png\n  \
    surefoot db show beacons.sfdb --map arena.map --from 3,4 --to 90,80 --out way.svg\n\n\
    Of records, the first states are green, the last ones are vermilion, the subgoals between them are blue. With \
    --record only that one is drawn, from the green disc to the red square, with the climbs from each state to the \
    next in purple and orange by turns.\n\
    Of an abstraction a table of its levels is printed, or, with --out, the regions of every level are drawn on one sheet, or \
    those of one. A node of a level is a group of nodes of the level below, its children: a clique of at most four, with orphans, \
    which have no other neighbour.\n\
    Of patterns the regions are drawn, and with --from and --to the subgoals on the way from the green disc to the red square, \
    as dots on a line; without --out that way is printed as a table. So they are of a cover, with the states that stand for regions \
    as green dots. Of beacons the corners are drawn as dots and the legs between them as thin lines. With --from and --to there is \
    a cheapest way, too, with the corners it turns at, and from the first and the last of them lines to their hubs, in blue and purple: \
    where the way between them costs least, the two labels meet at the purple square. Without --out the turns are printed, each with the leg \
    that leads there. An .svg says what the colours mean. 'surefoot db info' says what a file is and needs no map.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) source: DatabaseAndMap,

    /// Draw only this record, counted from 0
    #[arg(long, value_name = "NUMBER", requires = "out", conflicts_with = "level", value_parser = number::whole::<u32>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    pub(super) record: Option<u32>,

    #[command(flatten)]
    pub(super) picture: PictureOptions,

    /// Of patterns, covers and beacons, show the way from this cell: the subgoals, one after the other
    #[arg(long, value_name = "X,Y", requires = "to", conflicts_with_all = ["record", "level"])]
    pub(super) from: Option<CellArgument>,

    /// The cell that the way leads to
    #[arg(long, value_name = "X,Y", requires = "from")]
    pub(super) to: Option<CellArgument>,

    /// The picture to write: .png or .svg
    #[arg(long, visible_alias = "render", value_name = "PICTURE")]
    out: Option<PathBuf>,
}

const ENDS: Colour = Colour::of_path(0);
const SUBGOALS: Colour = Colour::of_path(1);
const STARTS: Colour = Colour::of_path(2);

/// Shows a database.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let DatabaseAndMap { file, map, .. } = &arguments.source;
    if let Some(out) = &arguments.out {
        output::refuse_inputs(out, &[map, file])?;
    }
    let (worlds, database) = arguments.source.open()?;
    let has_ways = matches!(database, Database::Patterns(_) | Database::Cover(_) | Database::Beacons(_));
    if arguments.from.is_some() && !has_ways {
        let message = format!("--from and --to ask for a way, but {} has none", file.display());
        return Err(Failure::usage("db show", message));
    }
    match (&database, &arguments.out) {
        (Database::Subgoals(subgoals), Some(out)) => draw_records(arguments, subgoals, &worlds, out),
        (Database::Subgoals(_), None) => {
            Err(Failure::usage("db show", "records are shown in a picture; name it with --out"))
        }
        (Database::Patterns(database), out) => ways::show(arguments, &**database, &worlds, out.as_deref()),
        (Database::Cover(database), out) => ways::show(arguments, &**database, &worlds, out.as_deref()),
        (Database::Beacons(database), out) => beacons::show(arguments, database, &worlds, out.as_deref()),
        (Database::Abstraction(_), _) if arguments.record.is_some() => Err(Failure::usage(
            "db show",
            format!("--record asks for a record, but {} has levels", file.display()),
        )),
        (Database::Abstraction(abstraction), Some(out)) => draw_levels(arguments, abstraction, &worlds, out),
        (Database::Abstraction(_), None) if arguments.picture.level.is_some() => {
            Err(Failure::usage("db show", "--level chooses what is drawn; name a picture with --out"))
        }
        (Database::Abstraction(abstraction), None) => {
            output::print(&level_table(&abstraction.level_stats(worlds.main())).to_text())
        }
        _ => Err(Failure::Other(format!("{} cannot be shown yet", database.config()))),
    }
}

/// Draws the regions of one level, or of all on a sheet.
fn draw_levels(
    arguments: &Arguments,
    abstraction: &Abstraction,
    worlds: &Worlds,
    out: &Path,
) -> Result<(), Failure> {
    let level = arguments.picture.level_of(abstraction, "db show")?;
    let output = PictureOutput::create(out)?;
    let regions = |level| {
        let picture = Picture::new(worlds.map()).with_longer_side(arguments.picture.side);
        with_regions(picture, abstraction, worlds.main(), level)
    };
    if let Some(level) = level {
        return output.write(&regions(level));
    }
    let mut sheet = Sheet::new();
    for level in 1..abstraction.levels() {
        let nodes = counted(abstraction.node_count(level) as u64, "node");
        sheet = sheet.with_panel(format!("level {level}"), nodes, regions(level));
    }
    output.write_sheet(&sheet)
}

/// The levels of an abstraction, the ground first.
fn level_table(levels: &[LevelStats]) -> Table {
    let mut table = Table::new(&[
        "level",
        "nodes",
        "edges",
        "degree",
        "children",
        "largest group",
        "orphans",
        "tops",
        "bytes",
    ]);
    for (level, stats) in levels.iter().enumerate() {
        // The cells of the map have no children.
        let of_group = |figure: String| if level == 0 { NOTHING.to_string() } else { figure };
        table.row(vec![
            level.to_string(),
            thousands(stats.nodes),
            thousands(stats.edges),
            format!("{:.2}", stats.mean_degree()),
            of_group(format!("{:.2}", stats.mean_children())),
            of_group(thousands(stats.largest_group)),
            of_group(thousands(stats.orphans)),
            thousands(stats.tops),
            thousands(stats.bytes),
        ]);
    }
    table
}

fn draw_records(
    arguments: &Arguments,
    subgoals: &SubgoalDatabase,
    worlds: &Worlds,
    out: &Path,
) -> Result<(), Failure> {
    let file = arguments.source.file.display();
    if arguments.picture.level.is_some() {
        return Err(Failure::usage("db show", format!("--level asks for a level, but {file} has records")));
    }
    if let Some(record) = arguments.record.filter(|&record| record as usize >= subgoals.len()) {
        let count = thousands(subgoals.len() as u64);
        return Err(Failure::Other(format!("{file}: there is no record {record}, only {count} from 0 on")));
    }
    let output = PictureOutput::create(out)?;
    let picture = Picture::new(worlds.map()).with_longer_side(arguments.picture.side);
    output.write(&match arguments.record {
        Some(record) => with_record(picture, subgoals, worlds.main(), record),
        None => with_all(picture, subgoals, worlds.main()),
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
