//! What `surefoot db show` does with databases of regions: patterns and covers.

use std::path::Path;

use surefoot::space::{GridSpace, State};
use surefoot_draw::Picture;

use super::show::Arguments;
use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::output;
use crate::table::Table;
use crate::world::Worlds;

/// A database that divides a map into regions and knows the ways between them.
pub(super) trait Ways {
    /// What it has, for those who ask for something else.
    const CONTENTS: &'static str;

    /// What it says on the way from one state to another.
    type Way;

    /// The way; nothing if none leads there.
    fn way(&self, space: &GridSpace, ends: (State, State)) -> Option<Self::Way>;

    /// A picture with the regions in it.
    fn draw_regions<'a>(&self, picture: Picture<'a>, space: &GridSpace) -> Picture<'a>;

    /// A picture with the way in it.
    fn draw_way<'a>(&self, picture: Picture<'a>, way: &Self::Way, space: &GridSpace) -> Picture<'a>;

    /// The way as a table.
    fn table(&self, way: &Self::Way, space: &GridSpace) -> Table;
}

/// Draws the regions, and the way from one cell to another; or prints that way.
pub(super) fn show<D: Ways>(
    arguments: &Arguments,
    database: &D,
    worlds: &Worlds,
    out: Option<&Path>,
) -> Result<(), Failure> {
    let file = arguments.source.file.display();
    if arguments.record.is_some() || arguments.picture.level.is_some() {
        let option = if arguments.record.is_some() { "--record" } else { "--level" };
        let message = format!("{option} is for other databases; {file} has {}", D::CONTENTS);
        return Err(Failure::usage("db show", message));
    }
    let space = worlds.main();
    let way = match (arguments.from, arguments.to) {
        (Some(from), Some(to)) => {
            let ends = space.locate_ends(from.0, to.0)?;
            let none = || Failure::Other(format!("{file}: no way leads from {} to {}", from.0, to.0));
            Some(database.way(space, ends).ok_or_else(none)?)
        }
        _ => None,
    };
    match (out, way) {
        (Some(out), way) => {
            let output = PictureOutput::create(out)?;
            let picture = Picture::new(worlds.map()).with_longer_side(arguments.picture.side);
            let picture = database.draw_regions(picture, space);
            output.write(&match way {
                Some(way) => database.draw_way(picture, &way, space),
                None => picture,
            })
        }
        (None, Some(way)) => output::print(&database.table(&way, space).to_text()),
        (None, None) => {
            let message =
                "regions are shown in a picture; name it with --out, or ask for a way with --from and --to";
            Err(Failure::usage("db show", message))
        }
    }
}
