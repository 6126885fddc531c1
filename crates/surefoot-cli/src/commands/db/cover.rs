//! What `surefoot db verify` and `surefoot db show` do with covers.

use surefoot::database::{CoverDatabase, Partition};
use surefoot::space::{Cell, GridSpace, State};
use surefoot_draw::regions::with_labelled_regions;
use surefoot_draw::{Colour, Picture};

use super::verify::Arguments as VerifyArguments;
use super::ways::Ways;
use crate::failure::Failure;
use crate::output;
use crate::table::{NOTHING, Table, labelled, thousands};

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

impl Ways for CoverDatabase {
    const CONTENTS: &'static str = "regions and paths between them";

    /// All states that the cover has for the way, both ends included: agents skip the middles of the first and the last region where
    /// they can.
    type Way = Vec<State>;

    fn way(&self, _: &GridSpace, (start, goal): (State, State)) -> Option<Vec<State>> {
        let (from, to) = (self.region(start)?, self.region(goal)?);
        let mut trail = self.trail(from, to);
        let mut way = vec![start, trail.at()];
        while let Some(stop) = self.next_stop(&mut trail) {
            way.push(stop);
        }
        way.push(goal);
        way.dedup();
        trail.is_over().then_some(way)
    }

    fn draw_regions<'a>(&self, picture: Picture<'a>, space: &GridSpace) -> Picture<'a> {
        let picture = with_labelled_regions(picture, space, self.regions(), |state| self.region(state));
        let middles = (0..self.regions()).map(|region| space.cell(self.representative(region)));
        picture.with_dots(middles, MIDDLES)
    }

    fn draw_way<'a>(&self, picture: Picture<'a>, way: &Vec<State>, space: &GridSpace) -> Picture<'a> {
        let cells: Vec<Cell> = way.iter().map(|&state| space.cell(state)).collect();
        let Some((&start, &goal)) = cells.first().zip(cells.last()) else { return picture };
        let between = cells[1..cells.len().saturating_sub(1).max(1)].to_vec();
        picture.with_path(cells, WAY).with_spots(between, SUBGOALS).with_start(start).with_goal(goal)
    }

    fn table(&self, way: &Vec<State>, space: &GridSpace) -> Table {
        let mut table = Table::new(&["next", "region", "stands for it"]);
        for &state in way {
            let region = self.region(state);
            let is_middle = region.is_some_and(|region| self.representative(region) == state);
            table.row(vec![
                space.cell(state).to_string(),
                region.map_or_else(|| NOTHING.to_string(), |region| region.to_string()),
                if is_middle { "yes" } else { "no" }.to_string(),
            ]);
        }
        table
    }
}
