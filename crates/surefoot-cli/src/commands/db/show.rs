//! `surefoot db show`: what is in a database, as a picture or as a table.

use std::path::PathBuf;

use clap::Args;
use surefoot::store::{View, ViewError};
use surefoot_draw::Picture;
use surefoot_draw::sketch::{legend_of_sketch, sheet_of_sketch, with_marks};

use super::DatabaseAndMap;
use crate::databases::in_file;
use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::number;
use crate::output;
use crate::picture_options::PictureOptions;
use crate::table::Table;
use crate::world::CellArgument;

/// Show what is in a database: records on their map, the levels of an abstraction and their regions,
/// patterns, a cover, corners and legs, or transit nodes
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
    What is drawn, by what the database holds:\n\
    \x20 records       first states in green, last ones in vermilion, subgoals between them in blue.\n\
    \x20               With --record one of them: the climbs from state to state in purple and orange\n\
    \x20 abstraction   the regions of every level on one sheet, or with --level those of one. Without\n\
    \x20               --out its levels are a table. A region is a node of the level: at most four nodes\n\
    \x20               of the level below that are all neighbours, and orphans, which have no other one\n\
    \x20 patterns      the regions. With --from and --to the subgoals on the way, as dots on a line\n\
    \x20 cover         the regions, and the states that stand for them as green dots. With --from and\n\
    \x20               --to the way\n\
    \x20 beacons       the corners as dots, the legs between them as thin lines. With --from and --to a\n\
    \x20               cheapest way with the corners where it turns; and from its first and its last\n\
    \x20               corner lines to their hubs, in blue and purple, which meet at the purple square\n\
    \x20 transit nodes the nodes and the legs between them\n\
    A way leads from the green disc to the red square. Without --out it is printed as a table.\n\
    Pictures say below the map what their colours mean.\n\
    'surefoot db info' says what a file is and needs no map.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: DatabaseAndMap,

    /// Draw only this record, counted from 0
    #[arg(long, value_name = "NUMBER", requires = "out", conflicts_with = "level", value_parser = number::whole::<u32>(0..=u64::from(u32::MAX)), allow_negative_numbers = true)]
    record: Option<u32>,

    #[command(flatten)]
    picture: PictureOptions,

    /// Of patterns, covers and beacons, show the way from this cell: the subgoals, one after the other
    #[arg(long, value_name = "X,Y", requires = "to", conflicts_with_all = ["record", "level"])]
    from: Option<CellArgument>,

    /// The cell that the way leads to
    #[arg(long, value_name = "X,Y", requires = "from")]
    to: Option<CellArgument>,

    /// The picture to write: .png or .svg
    #[arg(long, visible_alias = "render", value_name = "PICTURE")]
    out: Option<PathBuf>,
}

/// Shows a database.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let usage = |message: String| Failure::usage("db show", message);
    let Arguments { source: DatabaseAndMap { file, map, .. }, picture, record, out, .. } = arguments;
    if let Some(out) = out {
        output::refuse_inputs(out, &[map, file])?;
    } else if picture.level.is_some() {
        return Err(usage("--level chooses what is drawn; name a picture with --out".to_string()));
    }
    let (worlds, database) = arguments.source.open()?;
    let (space, name) = (worlds.main(), file.display());
    let ends = arguments.from.zip(arguments.to).map(|(from, to)| space.locate_ends(from.0, to.0));
    let view = View { way: ends.transpose()?, record: *record, level: picture.level };
    let sketch = database.sketch(space, &view).map_err(|error| match error {
        ViewError::NotForThis { option, contents } => {
            usage(format!("{option} is for other databases; {name} has {contents}"))
        }
        ViewError::NoSuch { .. } => usage(format!("{name}: {error}")),
        _ => in_file(file, error),
    })?;
    if let Some(out) = out {
        let output = PictureOutput::create(out)?;
        return match &sketch.panels[..] {
            [(.., marks)] => {
                let picture = Picture::new(worlds.map()).with_longer_side(picture.side);
                output.write_with_legend(&with_marks(picture, marks), &legend_of_sketch(&sketch))
            }
            _ => output.write_sheet(&sheet_of_sketch(worlds.map(), &sketch, picture.side)),
        };
    }
    let Some((head, rows)) = sketch.table else {
        return Err(usage(format!(
            "{name} is shown in a picture; name it with --out, or ask for a way with --from and --to where it knows ways"
        )));
    };
    let mut table = Table::new(&head);
    rows.into_iter().for_each(|row| table.row(row));
    let words = if sketch.words.is_empty() { String::new() } else { format!("\n{}\n", sketch.words) };
    output::print(&(table.to_text() + &words))
}
