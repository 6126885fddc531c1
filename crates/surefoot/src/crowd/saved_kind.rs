//! Kinds as bytes: what their units see and go by. Databases that were repaired are saved as their last
//! checkpoints and what was done to them since.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::CrowdError;
use super::databases::{Change, Databases, Differences, Event, Held, Past, make_all};
use super::kind::{Kind, KindState, MOST_SIZE};
use super::links::KindLinks;
use crate::agent::Roster;
use crate::space::{CellWeights, Grid, GridSpace, State};
use crate::store::codec::{Reader, put_number, put_text};
use crate::store::{BuildState, Follows};

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
            Event::Toggle(state) => put_number(out, 2 + 2 * u64::from(state.0)),
            Event::Weigh(state, bits) => {
                put_number(out, 3 + 2 * u64::from(state.0));
                out.push(bits);
            }
        }
    }
}

fn load_log(saved: &mut Reader<'_>, limit: usize) -> Result<Vec<Event>, CrowdError> {
    let mut log = Vec::new();
    for _ in 0..saved.count(1)? {
        log.push(match saved.number_up_to(1 + 2 * limit as u64, "there is no such state")? {
            0 => Event::Settle,
            1 => {
                Event::Upkeep(saved.number_up_to(u64::from(u32::MAX), "there are not so many pieces")? as u32)
            }
            number => {
                let state = State(((number - 2) / 2) as u32);
                match number % 2 {
                    0 => Event::Toggle(state),
                    _ => match saved.array()? {
                        [0] => return Err(saved.malformed("this weight is what it was").into()),
                        [bits] => Event::Weigh(state, bits),
                    },
                }
            }
        });
    }
    Ok(log)
}

/// Writes changes of the map.
fn save_changes(out: &mut Vec<u8>, space: &GridSpace, changes: impl IntoIterator<Item = Change>) {
    let events: Vec<Event> = changes.into_iter().map(|change| change.event(space)).collect();
    save_log(out, &events);
}

fn load_changes(saved: &mut Reader<'_>, map: &Grid) -> Result<Vec<Change>, CrowdError> {
    let log = load_log(saved, map.cell_count())?;
    let changes: Option<Vec<Change>> = log.iter().map(|event| event.change(map.width())).collect();
    changes.ok_or_else(|| saved.malformed("this is no change of the map").into())
}

/// What ground costs, cell by cell.
fn save_weights(out: &mut Vec<u8>, weights: &CellWeights) {
    weights.rows().for_each(|row| out.extend_from_slice(row));
}

fn load_weights(saved: &mut Reader<'_>, map: &Grid) -> Result<CellWeights, CrowdError> {
    let bytes = saved.bytes(map.cell_count())?;
    Ok(CellWeights::new(map.width(), map.height(), bytes.to_vec())?)
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
    fn save(&self, space: &GridSpace, out: &mut Vec<u8>) {
        match &self.past {
            Past::InFile => {
                put_number(out, 1);
                put_bytes(out, &self.database().to_bytes());
            }
            Past::Fixed(differing) => {
                put_number(out, 2);
                put_bytes(out, &self.database().to_bytes());
                save_changes(out, space, differing.changes());
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
        let (limit, width) = (space.grid().cell_count(), space.grid().width());
        let no_ground = saved.malformed("there is no such ground");
        let before = |changes: &[Change]| {
            let mut before = Cow::Borrowed(space);
            if changes.is_empty() || make_all(before.to_mut(), changes.iter().copied()) {
                return Ok(before);
            }
            Err(no_ground.clone())
        };
        let of_now = |follows: Follows| matches!(follows, Follows::InFile);
        Ok(Some(match saved.number_up_to(3, "databases are not kept like this")? {
            0 => return Ok(None),
            kept @ 1..3 => {
                let file = read_bytes(saved)?;
                let differing = if kept == 2 { load_changes(saved, space.grid())? } else { Vec::new() };
                if of_now(roster.kind_of(file)?.follows) != (kept == 1) {
                    return Err(saved.malformed("such a database is not kept like this").into());
                }
                let mut held = Self::new(roster.open(&*before(&differing)?, file.to_vec())?)?;
                if let Past::Fixed(known) = &mut held.past {
                    *known = Differences::default();
                    differing.into_iter().for_each(|change| known.note(change));
                }
                held
            }
            _ => {
                let name = saved.text()?;
                let Follows::BesideFile(resume) = roster.kind_named(name)?.follows else {
                    return Err(saved.malformed("such a database is not kept like this").into());
                };
                let (bytes, log) = (read_bytes(saved)?, load_log(saved, limit)?);
                let changes: Vec<Change> = log.iter().filter_map(|event| event.change(width)).collect();
                let of_then = before(&changes)?;
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
            save_weights(out, weights);
        }
        if let Some(weights) = &self.cell_weights {
            save_weights(out, weights);
        }
        let flags = [self.is_repaired, self.is_unbuilt, self.is_reweighed];
        put_number(out, flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag)));
        save_changes(out, &self.space, self.changed.iter().copied());
        let Databases { main, relief } = &self.databases;
        for database in [main.as_ref(), relief.as_ref(), self.build.as_deref()] {
            match database {
                Some(held) => held.save(&self.space, out),
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
        let is_weighted = saved.number_up_to(1, "this should be 0 or 1")? == 1;
        let weights = is_weighted.then(|| load_weights(saved, map)).transpose()?;
        let has_cells = is_weighted && kind.size > 1;
        let cell_weights = has_cells.then(|| load_weights(saved, map)).transpose()?;
        let flags = saved.number_up_to(7, "there are three flags")?;
        let [is_repaired, is_unbuilt, is_reweighed] = [1, 2, 4].map(|flag| flags & flag != 0);
        let changed = load_changes(saved, map)?;
        let grid = kind.grid(map);
        let mut space = match weights {
            None => GridSpace::new(grid, rule, costs),
            Some(weights) => GridSpace::weighted(grid, rule, costs, weights)?,
        };
        // The map as databases were told of it.
        if !make_all(&mut space, changed.iter().copied()) {
            return Err(saved.malformed("there is no such ground").into());
        }
        let [main, relief, build] = {
            let mut next = || Held::load(saved, &space, roster);
            [next()?, next()?, next()?]
        };
        let is_under_way = |held: &Held| matches!(held.build_state(), BuildState::UnderWay(_));
        let are_built =
            [&main, &relief].into_iter().flatten().all(|held| held.build_state() == BuildState::Built);
        let is_build = build.as_ref().is_none_or(|build| is_unbuilt && is_under_way(build));
        if !are_built || !is_build || is_unbuilt && main.is_some() {
            return Err(saved.malformed("this is being built, or it is not").into());
        }
        let databases = Databases { main, relief };
        if let Some(relief) = &databases.relief
            && relief.beacons().is_none()
        {
            return Err(saved.malformed("nobody goes on by such a database").into());
        }
        let mut state = Self::with_space(kind, space, databases, (is_unbuilt, is_repaired))?;
        make_all(&mut state.space, changed.iter().copied());
        // Whether they cut a component in two is not known: everyone looks again.
        (state.is_cut, state.changed) = (!changed.is_empty(), changed);
        (state.cell_weights, state.is_reweighed) = (cell_weights, is_reweighed);
        state.build = build.map(Box::new);
        state.links = KindLinks::load(saved, &state)?;
        state.find_bound()?;
        Ok(state)
    }
}
