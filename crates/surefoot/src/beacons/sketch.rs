//! What beacons look like: corners and legs, and the way from one cell to another with the labels that found
//! it.

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use alloc::{format, vec};

use super::{BeaconDatabase, BeaconId};
use crate::space::{Cell, Cost, GridSpace, Heuristic as _, State};
use crate::store::{Mark, Shade, Sketch, View, ViewError};

const WALK: Shade = Shade::Path(0);
const OF_START: Shade = Shade::Path(1);
const OF_GOAL: Shade = Shade::Path(3);

/// Corners and legs, and the way from one cell to another.
pub(super) fn sketch(beacons: &BeaconDatabase, space: &GridSpace, view: &View) -> Result<Sketch, ViewError> {
    let contents = "corners and legs between them";
    if view.record.is_some() || view.level.is_some() {
        let option = if view.record.is_some() { "--record" } else { "--level" };
        return Err(ViewError::NotForThis { option, contents });
    }
    let Some((from, to)) = view.way else {
        let mut legend = Vec::from([(WALK, "corners"), (Shade::Line, "legs between them")]);
        if beacons.figures().is_thin {
            legend[0].1 = "corners of the core, which have labels";
            legend.insert(1, (Shade::Faint, "the others"));
        }
        return Ok(Sketch { legend, ..Sketch::of(graph(beacons, Shade::Line, WALK)) });
    };
    let none = ViewError::NoWay { from: space.cell(from), to: space.cell(to) };
    Ok(SketchedWay::find(beacons, space, (from, to)).ok_or(none)?.sketch(beacons, space))
}

fn graph(beacons: &BeaconDatabase, legs: Shade, corners: Shade) -> Vec<Mark> {
    let lines = beacons.corners().flat_map(|corner| {
        // Each leg once. Those of corners outside the core are known at one end only.
        let leads_back = move |end: BeaconId| beacons.legs(end).any(|(back, _)| back == corner);
        let ends =
            beacons.legs(corner).map(|(end, _)| end).filter(move |&end| end > corner || !leads_back(end));
        ends.map(move |end| [beacons.cell(corner), beacons.cell(end)])
    });
    let dots = |is_core: bool| -> Vec<Cell> {
        let corners = beacons.corners().filter(move |&corner| beacons.is_core(corner) == is_core);
        corners.map(|corner| beacons.cell(corner)).collect()
    };
    let mut marks = vec![Mark::Lines(lines.collect(), legs)];
    marks.extend([Mark::Dots(dots(false), Shade::Faint), Mark::Dots(dots(true), corners)]);
    marks
}

/// A cheapest way, and what is known of it.
struct SketchedWay {
    states: Vec<State>,
    turns: Vec<Cell>,
    /// The corners that it begins and ends with, and the hub at which their labels meet. `None` if one leg
    /// leads there.
    over: Option<Over>,
}

#[derive(Clone, Copy)]
struct Over {
    first: BeaconId,
    last: BeaconId,
    hub: BeaconId,
    /// What the way costs from the first corner to the hub, and from there to the last one.
    costs: (Cost, Cost),
}

impl SketchedWay {
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

    fn sketch(&self, beacons: &BeaconDatabase, space: &GridSpace) -> Sketch {
        let (head, rows) = self.table(beacons, space);
        let words = self.words(beacons, space).into();
        Sketch { legend: self.legend(), words, ..Sketch::of(self.marks(beacons, space)) }
            .with_table(head, rows)
    }

    fn marks(&self, beacons: &BeaconDatabase, space: &GridSpace) -> Vec<Mark> {
        let mut marks = graph(beacons, Shade::FaintLine, Shade::Faint);
        let walk = Mark::Path(self.states.iter().map(|&state| space.cell(state)).collect(), WALK);
        let Some((&start, &goal)) = self.turns.first().zip(self.turns.last()) else { return marks };
        if let Some(over) = self.over {
            let hub = beacons.cell(over.hub);
            for (corner, shade) in [(over.first, OF_START), (over.last, OF_GOAL)] {
                let cell = beacons.cell(corner);
                let hubs: Vec<Cell> =
                    beacons.hubs(corner).iter().map(|&(hub, _)| beacons.cell(hub)).collect();
                marks.push(Mark::Lines(hubs.iter().map(|&hub| [cell, hub]).collect(), shade));
                marks.extend([Mark::Path(vec![cell, hub], shade), Mark::Spots(hubs, shade)]);
            }
            // The walk last: it is what all the rest is for.
            let bends = self.turns.get(1..self.turns.len().saturating_sub(1)).unwrap_or_default();
            marks.extend([walk, Mark::Spots(bends.to_vec(), WALK)]);
            marks.push(Mark::Spots(vec![beacons.cell(over.first)], OF_START));
            marks.extend([Mark::Spots(vec![beacons.cell(over.last)], OF_GOAL), Mark::Meeting(hub)]);
        } else {
            marks.push(walk);
        }
        marks.extend([Mark::Start(start), Mark::Goal(goal)]);
        marks
    }

    fn legend(&self) -> Vec<(Shade, &'static str)> {
        let mut legend = vec![(Shade::Faint, "corners and legs"), (WALK, "the way and its turns")];
        if self.over.is_some() {
            legend.push((OF_START, "the first corner and its hubs"));
            legend.push((OF_GOAL, "the last corner and its hubs"));
            legend.push((Shade::Subgoal, "the hub where they meet"));
        }
        legend
    }

    /// Its turns, each with the leg that leads there.
    fn table(&self, beacons: &BeaconDatabase, space: &GridSpace) -> (Vec<&'static str>, Vec<Vec<String>>) {
        let mut rows = Vec::new();
        let mut turns = self.turns.iter().copied().skip(1).peekable();
        let (mut moves, mut cost) = (0_u32, 0);
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
            rows.push(vec![here.to_string(), what, moves.to_string(), number(space, cost)]);
            (moves, cost) = (0, 0);
        }
        (vec!["next", "what it is", "moves", "cost"], rows)
    }

    fn words(&self, beacons: &BeaconDatabase, space: &GridSpace) -> String {
        let whole = self.states.windows(2).map(|pair| space.estimate(pair[0], pair[1])).sum();
        let costs = format!("The way costs {}.", number(space, whole));
        match self.over {
            Some(Over { first, last, hub, costs: (to_hub, from_hub) }) => format!(
                "{costs} The labels of corner {first} and corner {last} meet at corner {hub}, {}: {} and {} in between.",
                beacons.cell(hub),
                number(space, to_hub),
                number(space, from_hub)
            ),
            None => format!("{costs} A single leg leads there."),
        }
    }
}

fn number(space: &GridSpace, cost: Cost) -> String {
    format!("{:.2}", space.units().to_f64(cost))
}

fn corner_at(beacons: &BeaconDatabase, cell: Cell) -> Option<BeaconId> {
    beacons.corners().find(|&corner| beacons.cell(corner) == cell)
}

/// The hub that two corners have in common over which the way between them costs least.
fn meeting(first: &[(BeaconId, Cost)], last: &[(BeaconId, Cost)]) -> Option<(BeaconId, (Cost, Cost))> {
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
        let id = BeaconId::from_index;
        let first = [(id(3), 10), (id(5), 4), (id(7), 0)];
        let last = [(id(5), 8), (id(3), 1), (id(9), 0)];
        assert_eq!(meeting(&first, &last), Some((id(3), (10, 1))));
        assert_eq!(meeting(&first, &last[..1]), Some((id(5), (4, 8))));
        assert_eq!(meeting(&first, &last[2..]), None);
    }
}
