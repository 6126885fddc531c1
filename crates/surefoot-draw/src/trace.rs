//! Walks as search traces for Posthoc, the visualiser of the pathfinding field
//! (<https://posthoc.pathfinding.ai>), in version 1.4.0 of its format.
//!
//! A trace is YAML: how an event is drawn, then the events. The map is not part of it: Posthoc shows it as a
//! layer of its own, from the `.map` file.

use std::io::{self, Write};

use surefoot::space::{Cost, GridSpace, Heuristic as _};
use surefoot::tape::{End, Event, Tape};

use crate::Colour;
use crate::film::{EXPANDED, SHADES, shade};

const VERSION: &str = "1.4.0";

/// Writes a recorded walk as a search trace for Posthoc. Gives the number of its events.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_trace(out: &mut impl Write, space: &GridSpace, tape: &Tape) -> io::Result<u64> {
    let header = tape.header();
    let (expanded, raised) = (EXPANDED, shade(SHADES - 1));
    let (trail, start, goal) = (Colour::of_path(0), Colour::START, Colour::GOAL);
    let (agent, subgoal) = (Colour::AGENT, Colour::SUBGOAL);
    // Escaped, so that no text breaks out of its comment.
    let algorithm = &header.algorithm;
    write!(
        out,
        "# A search trace for https://posthoc.pathfinding.ai. Load the map as a layer beneath it.\n\
         # The parent of an expanded state is where the agent stood; h and rise are in straight moves.\n\
         version: {VERSION}\n\
         # Algorithm: {algorithm:?}\n\
         views:\n  main:\n"
    )?;
    let square = |kind: &str, colour: Colour, more: &str| {
        format!(
            "    - $: rect\n      $if: ${{{{ $.type == '{kind}' }}}}\n      x: ${{{{ $.x }}}}\n      \
             y: ${{{{ $.y }}}}\n      width: 1\n      height: 1\n      fill: \"{colour}\"\n{more}"
        )
    };
    out.write_all(square("expanding", expanded, "      alpha: 0.5\n").as_bytes())?;
    out.write_all(square("updating", raised, "      alpha: ${{ $.part }}\n").as_bytes())?;
    out.write_all(square("subgoal", subgoal, "      clear: true\n").as_bytes())?;
    out.write_all(square("source", start, "").as_bytes())?;
    out.write_all(square("destination", goal, "").as_bytes())?;
    // A dot that stays where the agent has been, and a disc that goes away when it moves on.
    for (radius, colour, more) in [("0.2", trail, ""), ("0.4", agent, "      clear: moving\n")] {
        write!(
            out,
            "    - $: circle\n      $if: ${{{{ $.type == 'moving' }}}}\n      x: ${{{{ $.x + 0.5 }}}}\n      \
             y: ${{{{ $.y + 0.5 }}}}\n      radius: {radius}\n      fill: \"{colour}\"\n{more}"
        )?;
    }
    write!(out, "pivot:\n  x: ${{{{ $.x + 0.5 }}}}\n  y: ${{{{ $.y + 0.5 }}}}\n  scale: 1\nevents:\n")?;
    write_events(out, space, tape)
}

fn write_events(out: &mut impl Write, space: &GridSpace, tape: &Tape) -> io::Result<u64> {
    let header = tape.header();
    let place = |state| {
        let cell = space.cell(state);
        format!("x: {}, y: {}", cell.x, cell.y)
    };
    let in_moves = |cost: Cost| cost as f64 / space.units().of_steps(1, 0) as f64;
    let highest = highest_rise(space, tape).max(1);
    let (mut position, mut goal) = (header.start, header.goal);
    let start = place(position);
    writeln!(out, "  - {{ type: source, id: {}, {start} }}", position.0)?;
    writeln!(out, "  - {{ type: destination, id: {}, {} }}", goal.0, place(goal))?;
    writeln!(out, "  - {{ type: moving, id: agent, {start} }}")?;
    let mut events = 3;
    for event in tape.events() {
        events += 1;
        match event {
            Event::Expanded(state) => {
                let parent = if state == position { "null".to_string() } else { position.0.to_string() };
                let place = place(state);
                writeln!(out, "  - {{ type: expanding, id: {}, pId: {parent}, {place} }}", state.0)?;
            }
            Event::Raised { state, value } => {
                let rise = value.saturating_sub(space.estimate(state, goal));
                let (h, part) = (in_moves(value), rise as f64 / highest as f64);
                let (place, rise) = (place(state), in_moves(rise));
                writeln!(
                    out,
                    "  - {{ type: updating, id: {}, {place}, h: {h:.5}, rise: {rise:.5}, part: {part:.3} }}",
                    state.0
                )?;
            }
            Event::Subgoal(state) => {
                writeln!(out, "  - {{ type: subgoal, id: {}, {} }}", state.0, place(state))?;
            }
            Event::Goal(state) => {
                goal = state;
                writeln!(out, "  - {{ type: destination, id: {}, {} }}", state.0, place(state))?;
            }
            Event::Moved(state) => {
                position = state;
                writeln!(out, "  - {{ type: moving, id: agent, {} }}", place(state))?;
            }
            Event::Waited => writeln!(out, "  - {{ type: waiting, id: agent, {} }}", place(position))?,
            Event::ExpandedUnseen(count) => {
                let place = place(position);
                writeln!(out, "  - {{ type: planning, id: agent, {place}, expansions: {count} }}")?;
            }
            Event::Ended(end) => {
                let how = match end {
                    End::Arrived => "arrived",
                    End::Unreachable => "unreachable",
                    End::Stuck => "stuck",
                    _ => "given up",
                };
                writeln!(out, "  - {{ type: end, id: agent, {}, how: {how} }}", place(position))?;
            }
            _ => events -= 1,
        }
    }
    Ok(events)
}

/// The most that any value was raised.
fn highest_rise(space: &GridSpace, tape: &Tape) -> Cost {
    let mut goal = tape.header().goal;
    let rise = |event| match event {
        Event::Goal(state) => {
            goal = state;
            0
        }
        Event::Raised { state, value } => value.saturating_sub(space.estimate(state, goal)),
        _ => 0,
    };
    tape.events().map(rise).max().unwrap_or(0)
}
