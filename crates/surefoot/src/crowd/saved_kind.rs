//! Kinds as bytes: what their units see and go by. Databases that were repaired are saved as their last
//! checkpoints and what was done to them since.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::CrowdError;
use super::databases::{Databases, Event, Held, Past, toggle_all};
use super::kind::{Kind, KindState, MOST_SIZE};
use super::links::KindLinks;
use crate::agent::Roster;
use crate::space::{Cell, CellWeights, Grid, GridSpace, State};
use crate::store::Follows;
use crate::store::codec::{Reader, put_number, put_state, put_text};

/// Writes what was done to a database.
fn save_log(out: &mut Vec<u8>, log: &[Event]) {
    put_number(out, log.len() as u64);
    for event in log {
        match *event {
            Event::Settle => put_number(out, 0),
            Event::Upkeep(pieces) => {
                put_number(out, 1);
                put_number(out, u64::from(pieces));
            }
            Event::Toggle(state) => put_number(out, 2 + u64::from(state.0)),
        }
    }
}

fn load_log(saved: &mut Reader<'_>, limit: usize) -> Result<Vec<Event>, CrowdError> {
    let mut log = Vec::new();
    for _ in 0..saved.count(1)? {
        log.push(match saved.number_up_to(1 + limit as u64, "there is no such state")? {
            0 => Event::Settle,
            1 => {
                Event::Upkeep(saved.number_up_to(u64::from(u32::MAX), "there are not so many pieces")? as u32)
            }
            number => Event::Toggle(State((number - 2) as u32)),
        });
    }
    Ok(log)
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn read_bytes<'a>(saved: &mut Reader<'a>) -> Result<&'a [u8], CrowdError> {
    let length = saved.count(1)?;
    Ok(saved.bytes(length)?)
}

impl Held {
    fn save(&self, out: &mut Vec<u8>) {
        match &self.past {
            Past::InFile => {
                put_number(out, 1);
                put_bytes(out, &self.database().to_bytes());
            }
            Past::Fixed(differing) => {
                put_number(out, 2);
                put_bytes(out, &self.database().to_bytes());
                put_number(out, differing.len() as u64);
                differing.iter().for_each(|&state| put_state(out, state));
            }
            Past::Since(checkpoint, log) => {
                put_number(out, 3);
                put_text(out, self.database().kind().name);
                put_bytes(out, &checkpoint.to_bytes());
                save_log(out, log);
            }
        }
    }

    /// Reads a database, where this is the map as it was told of. `None` if there is none.
    fn load(saved: &mut Reader<'_>, space: &GridSpace, roster: &Roster) -> Result<Option<Self>, CrowdError> {
        let limit = space.grid().cell_count();
        let toggled = |states: &mut dyn Iterator<Item = State>| {
            let cells: Vec<Cell> = states.map(|state| space.cell(state)).collect();
            let mut toggled = Cow::Borrowed(space);
            if !cells.is_empty() {
                toggle_all(toggled.to_mut(), &cells);
            }
            toggled
        };
        let of_now = |follows: Follows| matches!(follows, Follows::InFile);
        Ok(Some(match saved.number_up_to(3, "databases are not kept like this")? {
            0 => return Ok(None),
            kept @ 1..3 => {
                let file = read_bytes(saved)?;
                let mut differing = BTreeSet::new();
                for _ in 0..if kept == 2 { saved.count(1)? } else { 0 } {
                    differing.insert(saved.state(limit)?);
                }
                if of_now(roster.kind_of(file)?.follows) != (kept == 1) {
                    return Err(saved.malformed("such a database is not kept like this").into());
                }
                let of_then = toggled(&mut differing.iter().copied());
                let mut held = Self::new(roster.open(&of_then, file.to_vec())?)?;
                if let Past::Fixed(known) = &mut held.past {
                    *known = differing;
                }
                held
            }
            _ => {
                let name = saved.text()?;
                let Follows::BesideFile(resume) = roster.kind_named(name)?.follows else {
                    return Err(saved.malformed("such a database is not kept like this").into());
                };
                let (bytes, log) = (read_bytes(saved)?, load_log(saved, limit)?);
                let states = |event: &Event| match *event {
                    Event::Toggle(state) => Some(state),
                    Event::Settle | Event::Upkeep(_) => None,
                };
                let of_then = toggled(&mut log.iter().filter_map(states));
                let mut held = Self::resumed(resume(&of_then, bytes)?)?;
                let is_done = held.replay(of_then, &log);
                is_done.ok_or_else(|| saved.malformed("this cannot have been done to the database"))?;
                held
            }
        }))
    }
}

impl KindState {
    pub(super) fn save(&self, out: &mut Vec<u8>) {
        put_text(out, self.space.rule().name());
        put_text(out, self.space.costs().name());
        put_number(out, u64::from(self.kind.size));
        put_text(out, &alloc::format!("{}", self.kind.algorithm.spec()));
        put_number(out, self.kind.seed);
        put_number(out, u64::from(self.space.is_weighted()));
        if let Some(weights) = self.space.weights() {
            let cells =
                (0..weights.height()).flat_map(|y| (0..weights.width()).map(move |x| Cell::new(x, y)));
            out.extend(cells.map(|cell| weights.at(cell).unwrap_or(1)));
        }
        put_number(out, u64::from(self.is_repaired));
        put_number(out, self.changed.len() as u64);
        self.changed.iter().for_each(|&cell| put_state(out, self.space.state(cell)));
        for database in [&self.databases.main, &self.databases.relief] {
            match database {
                Some(held) => held.save(out),
                None => put_number(out, 0),
            }
        }
        self.links.save(out);
    }

    pub(super) fn load(saved: &mut Reader<'_>, map: &Grid, roster: &Roster) -> Result<Self, CrowdError> {
        let rule = saved.text()?.parse().map_err(|_| saved.malformed("there is no such move rule"))?;
        let costs = saved.text()?.parse().map_err(|_| saved.malformed("there is no such cost model"))?;
        let mut kind = Kind::new(rule, costs);
        kind.size = saved.number_up_to(u64::from(MOST_SIZE), "no unit is so large")? as u32;
        if kind.size == 0 {
            return Err(saved.malformed("a unit has a size").into());
        }
        kind.algorithm = roster.algorithm(&saved.text()?.parse()?)?;
        kind.seed = saved.number()?;
        let mut weights = None;
        if saved.number_up_to(1, "this should be 0 or 1")? == 1 {
            let bytes = saved.bytes(map.cell_count())?;
            weights = Some(CellWeights::new(map.width(), map.height(), bytes.to_vec())?);
        }
        let is_repaired = saved.number_up_to(1, "this should be 0 or 1")? == 1;
        let mut changed = Vec::new();
        for _ in 0..saved.count(1)? {
            let state = saved.state(map.cell_count())?;
            changed.push(Cell::new(state.0 % map.width(), state.0 / map.width()));
        }
        // The map as databases were told of it.
        let mut grid = kind.grid(map);
        changed.iter().for_each(|&cell| grid.set(cell, !grid.is_free(cell)));
        let space = match weights {
            None => GridSpace::new(grid, rule, costs),
            Some(weights) => GridSpace::weighted(grid, rule, costs, weights)?,
        };
        let main = Held::load(saved, &space, roster)?;
        let databases = Databases { main, relief: Held::load(saved, &space, roster)? };
        if let Some(relief) = &databases.relief
            && relief.beacons().is_none()
        {
            return Err(saved.malformed("nobody goes on by such a database").into());
        }
        let mut state = Self::with_space(kind, space, databases, is_repaired)?;
        toggle_all(&mut state.space, &changed);
        // Whether they cut a component in two is not known: everyone looks again.
        (state.is_cut, state.changed) = (!changed.is_empty(), changed);
        state.links = KindLinks::load(saved, &state)?;
        state.find_bound()?;
        Ok(state)
    }
}
