//! What `surefoot db verify` and `surefoot db show` do with covers.

use std::path::Path;

use surefoot::database::{CoverDatabase, Partition};
use surefoot::formats::{Colour, Picture};
use surefoot::space::{Cell, GridSpace, State};

use super::show::Arguments as ShowArguments;
use super::verify::Arguments as VerifyArguments;
use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::output;
use crate::regions::with_labelled_regions;
use crate::table::{NOTHING, Table, labelled, thousands};
use crate::world::Worlds;

const WAY: Colour = Colour::of_path(0);
const SUBGOALS: Colour = Colour::of_path(1);
const MIDDLES: Colour = Colour::of_path(2);

/// Climbs from every state to the one that stands for its region and back, and builds everything again.
pub(super) fn verify(
    arguments: &VerifyArguments,
    cover: &CoverDatabase,
    space: &GridSpace,
) -> Result<(), Failure> {
    cover.verify(space).map_err(|fault| {
        Failure::Other(format!("{}: {fault}; build it anew", arguments.source.file.display()))
    })?;
    let states = thousands(space.grid().free_count());
    let (regions, paths) = (thousands(u64::from(cover.regions())), thousands(u64::from(cover.links())));
    let covered = match cover.config().partition {
        Partition::Climbs { .. } => {
            format!("{states}, each with climbs to the middle of its region and back")
        }
        _ => format!("{states}, each connected with the middle of its region inside its sector"),
    };
    output::print(&labelled(&[
        ("built for", cover.built_for().to_string()),
        ("states", covered),
        ("regions", format!("{regions}, as the map is divided")),
        (
            "paths",
            format!("{paths} between neighbours; every leg can be climbed, every chain is a cheapest one"),
        ),
    ]))
}

/// Draws the regions, and the way from one cell to another; or prints that way.
pub(super) fn show(
    arguments: &ShowArguments,
    cover: &CoverDatabase,
    worlds: &Worlds,
    out: Option<&Path>,
) -> Result<(), Failure> {
    let file = arguments.source.file.display();
    if arguments.record.is_some() || arguments.picture.level.is_some() {
        let option = if arguments.record.is_some() { "--record" } else { "--level" };
        let message = format!("{option} is for other databases; {file} has regions and paths between them");
        return Err(Failure::usage("db show", message));
    }
    let space = worlds.main();
    let way =
        match (arguments.from, arguments.to) {
            (Some(from), Some(to)) => {
                let ends = (space.locate("start", from.0)?, space.locate("goal", to.0)?);
                let way = way(cover, ends);
                Some(way.ok_or_else(|| {
                    Failure::Other(format!("{file}: no way leads from {} to {}", from.0, to.0))
                })?)
            }
            _ => None,
        };
    match (out, way) {
        (Some(out), way) => {
            let output = PictureOutput::create(out)?;
            let picture = Picture::new(worlds.map()).with_longer_side(arguments.picture.side);
            let region = |state| cover.region(state);
            let picture = with_labelled_regions(picture, space, cover.regions(), region);
            let middles = (0..cover.regions()).map(|region| space.cell(cover.representative(region)));
            let picture = picture.with_dots(middles, MIDDLES);
            output.write(&match way {
                Some(way) => draw(picture, &way, space),
                None => picture,
            })
        }
        (None, Some(way)) => output::print(&to_table(cover, &way, space).to_text()),
        (None, None) => {
            let message =
                "regions are shown in a picture; name it with --out, or ask for a way with --from and --to";
            Err(Failure::usage("db show", message))
        }
    }
}

/// All states that the cover has for the way from one state to another, both included: agents skip the middles of the first and the
/// last region where they can. Nothing if no way leads there.
fn way(cover: &CoverDatabase, (start, goal): (State, State)) -> Option<Vec<State>> {
    let (from, to) = (cover.region(start)?, cover.region(goal)?);
    let mut trail = cover.trail(from, to);
    let mut way = vec![start, trail.at()];
    while let Some(stop) = cover.next_stop(&mut trail) {
        way.push(stop);
    }
    way.push(goal);
    way.dedup();
    trail.is_over().then_some(way)
}

fn draw<'a>(picture: Picture<'a>, way: &[State], space: &GridSpace) -> Picture<'a> {
    let cells: Vec<Cell> = way.iter().map(|&state| space.cell(state)).collect();
    let Some((&start, &goal)) = cells.first().zip(cells.last()) else { return picture };
    let between = cells[1..cells.len().saturating_sub(1).max(1)].to_vec();
    picture.with_path(cells, WAY).with_spots(between, SUBGOALS).with_start(start).with_goal(goal)
}

fn to_table(cover: &CoverDatabase, way: &[State], space: &GridSpace) -> Table {
    let mut table = Table::new(&["next", "region", "stands for it"]);
    for &state in way {
        let region = cover.region(state);
        let is_middle = region.is_some_and(|region| cover.representative(region) == state);
        table.row(vec![
            space.cell(state).to_string(),
            region.map_or_else(|| NOTHING.to_string(), |region| region.to_string()),
            if is_middle { "yes" } else { "no" }.to_string(),
        ]);
    }
    table
}
