//! What `surefoot db verify` and `surefoot db show` do with beacons.

use std::path::Path;

use surefoot::database::BeaconDatabase;
use surefoot::space::{Cell, Cost, GridSpace, Heuristic as _, State};
use surefoot_draw::{Colour, Picture};

use super::show::Arguments;
use super::verify::Arguments as VerifyArguments;
use crate::databases::BeaconProgress;
use crate::failure::Failure;
use crate::maps::PictureOutput;
use crate::output;
use crate::parallel;
use crate::table::{Table, labelled, thousands};
use crate::world::Worlds;

const fn colour(red: u8, green: u8, blue: u8) -> Colour {
    Colour { red, green, blue }
}

const LEGS: Colour = colour(0xA9, 0xBC, 0xCC);
const CORNERS: Colour = Colour::of_path(0);
/// Where a way is shown, what is not of it steps back.
const FAINT_LEGS: Colour = colour(0xD9, 0xDC, 0xD6);
const FAINT_CORNERS: Colour = colour(0x8F, 0x96, 0xA3);
const WALK: Colour = Colour::of_path(0);
const OF_START: Colour = Colour::of_path(1);
const OF_GOAL: Colour = Colour::of_path(3);

/// Builds everything again, and compares.
pub(super) fn verify(
    arguments: &VerifyArguments,
    beacons: &BeaconDatabase,
    space: &GridSpace,
) -> Result<(), Failure> {
    let threads = arguments.threads.unwrap_or_else(parallel::all_cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::other)?;
    let mut progress = BeaconProgress::new("building them anew".to_string());
    let verified = pool.install(|| beacons.verify_with(space, |stage| progress.begin(stage)));
    drop(progress);
    verified.map_err(|fault| {
        Failure::Other(format!("{}: {fault}; build it anew", arguments.source.file.display()))
    })?;
    let figures = beacons.figures();
    output::print(&labelled(&[
        ("built for", beacons.built_for().to_string()),
        ("corners", format!("{}, those of the map", thousands(u64::from(figures.corners)))),
        ("legs", format!("{}, those between them", thousands(figures.legs))),
        ("rebuilt", "all of it is what is built from the map anew".to_string()),
    ]))
}

/// Draws corners and legs, and the way from one cell to another; or prints that way.
pub(super) fn show(
    arguments: &Arguments,
    beacons: &BeaconDatabase,
    worlds: &Worlds,
    out: Option<&Path>,
) -> Result<(), Failure> {
    let file = arguments.source.file.display();
    if arguments.record.is_some() || arguments.picture.level.is_some() {
        let option = if arguments.record.is_some() { "--record" } else { "--level" };
        let message = format!("{option} is for other databases; {file} has corners and legs between them");
        return Err(Failure::usage("db show", message));
    }
    let space = worlds.main();
    let way = match (arguments.from, arguments.to) {
        (Some(from), Some(to)) => {
            let ends = space.locate_ends(from.0, to.0)?;
            let none = || Failure::Other(format!("{file}: no way leads from {} to {}", from.0, to.0));
            Some(Way::find(beacons, space, ends).ok_or_else(none)?)
        }
        _ => None,
    };
    match (out, way) {
        (Some(out), way) => {
            let output = PictureOutput::create(out)?;
            let picture = Picture::new(worlds.map()).with_longer_side(arguments.picture.side);
            match way {
                Some(way) => {
                    let picture = with_graph(picture, beacons, FAINT_LEGS, FAINT_CORNERS);
                    output.write_with_legend(&way.draw(picture, beacons, space), &way.legend())
                }
                None => {
                    let mut legend = Vec::from([(CORNERS, "corners"), (LEGS, "legs between them")]);
                    if beacons.figures().is_thin {
                        legend[0].1 = "corners of the core, which have labels";
                        legend.insert(1, (FAINT_CORNERS, "the others"));
                    }
                    output.write_with_legend(&with_graph(picture, beacons, LEGS, CORNERS), &legend)
                }
            }
        }
        (None, Some(way)) => output::print(&way.to_text(beacons, space)),
        (None, None) => {
            let message = "corners and legs are shown in a picture; name it with --out, or ask for a way with --from and --to";
            Err(Failure::usage("db show", message))
        }
    }
}

fn with_graph<'a>(
    picture: Picture<'a>,
    beacons: &BeaconDatabase,
    legs: Colour,
    corners: Colour,
) -> Picture<'a> {
    let lines = beacons.corners().flat_map(|corner| {
        // Each leg once. Those of corners outside the core are known at one end only.
        let leads_back = move |end: u32| beacons.legs(end).any(|(back, _)| back == corner);
        let ends =
            beacons.legs(corner).map(|(end, _)| end).filter(move |&end| end > corner || !leads_back(end));
        ends.map(move |end| [beacons.cell(corner), beacons.cell(end)])
    });
    let dots = |is_core: bool| {
        let corners = beacons.corners().filter(move |&corner| beacons.is_core(corner) == is_core);
        corners.map(|corner| beacons.cell(corner))
    };
    picture.with_hairlines(lines, legs).with_dots(dots(false), FAINT_CORNERS).with_dots(dots(true), corners)
}

/// A cheapest way, and what is known of it.
struct Way {
    states: Vec<State>,
    turns: Vec<Cell>,
    /// The corners that it begins and ends with, and the hub at which their labels meet; nothing if one leg leads there.
    over: Option<Over>,
}

#[derive(Clone, Copy)]
struct Over {
    first: u32,
    last: u32,
    hub: u32,
    /// What the way costs from the first corner to the hub, and from there to the last one.
    costs: (Cost, Cost),
}

impl Way {
    fn find(beacons: &BeaconDatabase, space: &GridSpace, (from, to): (State, State)) -> Option<Self> {
        let turns = beacons.turning_points(space, from, to)?;
        let states = beacons.path(space, from, to)?.states;
        let between = turns.get(1..turns.len().saturating_sub(1)).unwrap_or_default();
        let over = between.first().zip(between.last()).and_then(|(&first, &last)| {
            let (first, last) = (corner_at(beacons, first)?, corner_at(beacons, last)?);
            let (hub, costs) = meeting(&beacons.hubs(first), &beacons.hubs(last))?;
            Some(Over { first, last, hub, costs })
        });
        Some(Self { states, turns, over })
    }

    /// The cells between its ends at which it turns.
    fn bends(&self) -> &[Cell] {
        self.turns.get(1..self.turns.len().saturating_sub(1)).unwrap_or_default()
    }

    fn draw<'a>(&self, mut picture: Picture<'a>, beacons: &BeaconDatabase, space: &GridSpace) -> Picture<'a> {
        let walk = self.states.iter().map(|&state| space.cell(state));
        let Some((&start, &goal)) = self.turns.first().zip(self.turns.last()) else { return picture };
        if let Some(over) = self.over {
            let hub = beacons.cell(over.hub);
            for (corner, colour) in [(over.first, OF_START), (over.last, OF_GOAL)] {
                let cell = beacons.cell(corner);
                let hubs: Vec<Cell> =
                    beacons.hubs(corner).iter().map(|&(hub, _)| beacons.cell(hub)).collect();
                picture = picture.with_hairlines(hubs.iter().map(|&hub| [cell, hub]), colour);
                picture = picture.with_path([cell, hub], colour).with_spots(hubs, colour);
            }
            // The walk last: it is what all the rest is for.
            picture = picture.with_path(walk, WALK).with_spots(self.bends().iter().copied(), WALK);
            picture = picture.with_spots([beacons.cell(over.first)], OF_START);
            picture = picture.with_spots([beacons.cell(over.last)], OF_GOAL).with_subgoal(hub);
        } else {
            picture = picture.with_path(walk, WALK);
        }
        picture.with_start(start).with_goal(goal)
    }

    fn legend(&self) -> Vec<(Colour, &'static str)> {
        let mut legend = vec![(FAINT_CORNERS, "corners and legs"), (WALK, "the way and its turns")];
        if self.over.is_some() {
            legend.push((OF_START, "the first corner and its hubs"));
            legend.push((OF_GOAL, "the last corner and its hubs"));
            legend.push((Colour::SUBGOAL, "the hub where they meet"));
        }
        legend
    }

    /// Its turns as a table, each with the leg that leads there.
    fn to_text(&self, beacons: &BeaconDatabase, space: &GridSpace) -> String {
        let number = |cost: Cost| format!("{:.2}", space.units().to_f64(cost));
        let mut table = Table::new(&["next", "what it is", "moves", "cost"]);
        let mut turns = self.turns.iter().copied().skip(1).peekable();
        let (mut moves, mut cost, mut whole) = (0_u32, 0, 0);
        for pair in self.states.windows(2) {
            // Of neighbours the estimate is what the move costs.
            (moves, cost) = (moves + 1, cost + space.estimate(pair[0], pair[1]));
            let here = space.cell(pair[1]);
            if turns.next_if_eq(&here).is_none() {
                continue;
            }
            let what = match corner_at(beacons, here) {
                _ if turns.peek().is_none() => "the goal".to_string(),
                Some(corner) => format!("corner {corner}"),
                None => "a cell".to_string(),
            };
            table.row(vec![here.to_string(), what, moves.to_string(), number(cost)]);
            whole += cost;
            (moves, cost) = (0, 0);
        }
        let mut text = table.to_text();
        text += &format!("\nThe way costs {}.", number(whole));
        match self.over {
            Some(Over { first, last, hub, costs }) => {
                text += &format!(
                    " The labels of corner {first} and corner {last} meet at corner {hub}, {}: {} and {} in between.\n",
                    beacons.cell(hub),
                    number(costs.0),
                    number(costs.1)
                );
            }
            None => text += " A single leg leads there.\n",
        }
        text
    }
}

fn corner_at(beacons: &BeaconDatabase, cell: Cell) -> Option<u32> {
    beacons.corners().find(|&corner| beacons.cell(corner) == cell)
}

/// The hub that two corners have in common over which the way between them costs least.
fn meeting(first: &[(u32, Cost)], last: &[(u32, Cost)]) -> Option<(u32, (Cost, Cost))> {
    let common = first.iter().filter_map(|&(hub, cost)| {
        let &(_, rest) = last.iter().find(|&&(other, _)| other == hub)?;
        Some((hub, (cost, rest)))
    });
    common.min_by_key(|&(_, (cost, rest))| cost + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_meet_where_the_way_costs_least() {
        let (first, last) = ([(3, 10), (5, 4), (7, 0)], [(5, 8), (3, 1), (9, 0)]);
        assert_eq!(meeting(&first, &last), Some((3, (10, 1))));
        assert_eq!(meeting(&first, &last[..1]), Some((5, (4, 8))));
        assert_eq!(meeting(&first, &last[2..]), None);
    }
}
