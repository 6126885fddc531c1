//! Kinds as bytes: what their units see and go by. Databases that were repaired are saved as their files and
//! what was done to them since.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::CrowdError;
use super::databases::{Databases, Event, Held, toggle};
use super::kind::{Kind, KindState, MOST_SIZE};
use super::links::KindLinks;
use super::renewal::LogCompaction;
use crate::agent::Roster;
use crate::space::{Cell, CellWeights, Grid, GridSpace, State};
use crate::store::codec::{Reader, put_number, put_state, put_text};
use crate::store::{Database, Follows};

/// Writes what was done to databases.
fn save_log(out: &mut Vec<u8>, databases: &Databases) {
    put_number(out, databases.log.len() as u64);
    for event in &databases.log {
        match *event {
            Event::Settle => put_number(out, 0),
            Event::Upkeep { of_relief, pieces } => {
                put_number(out, 2 + u64::from(of_relief));
                put_number(out, u64::from(pieces));
            }
            Event::Toggle(state) => put_number(out, 4 + u64::from(state.0)),
        }
    }
}

fn load_log(saved: &mut Reader<'_>, limit: usize) -> Result<Vec<Event>, CrowdError> {
    let mut log = Vec::new();
    for _ in 0..saved.count(1)? {
        log.push(match saved.number_up_to(3 + limit as u64, "there is no such state")? {
            0 => Event::Settle,
            // Files of before 0.2.0 tell records that were found anew one by one.
            1 => Event::Upkeep { of_relief: false, pieces: 1 },
            number @ 2..4 => {
                let pieces = saved.number_up_to(u64::from(u32::MAX), "there are not so many pieces")? as u32;
                Event::Upkeep { of_relief: number == 3, pieces }
            }
            number => Event::Toggle(State((number - 4) as u32)),
        });
    }
    Ok(log)
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
        save_log(out, &self.databases);
        put_number(out, self.changed.len() as u64);
        self.changed.iter().for_each(|&cell| put_state(out, self.space.state(cell)));
        put_number(out, u64::from(self.renewal.is_some()));
        if let Some(renewal) = &self.renewal {
            save_log(out, &renewal.databases);
            put_number(out, renewal.due.len() as u64);
            renewal.due.iter().for_each(|&cell| put_state(out, self.space.state(cell)));
            put_number(out, u64::from(renewal.labelled));
        }
        for database in [&self.databases.main, &self.databases.relief] {
            let database = database.as_ref().map(|maintained| maintained.database());
            let bytes = database.as_ref().map(|database| database.to_bytes()).unwrap_or_default();
            put_number(out, bytes.len() as u64);
            out.extend_from_slice(&bytes);
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
        let limit = map.cell_count();
        let cells = |saved: &mut Reader<'_>| -> Result<Vec<Cell>, CrowdError> {
            let mut cells = Vec::new();
            for _ in 0..saved.count(1)? {
                let state = saved.state(limit)?;
                cells.push(Cell::new(state.0 % map.width(), state.0 / map.width()));
            }
            Ok(cells)
        };
        let is_repaired = saved.number_up_to(1, "this should be 0 or 1")? == 1;
        let log = load_log(saved, limit)?;
        let changed = cells(saved)?;
        let renewal = match saved.number_up_to(1, "this should be 0 or 1")? {
            0 => None,
            _ => {
                let (log, due) = (load_log(saved, limit)?, cells(saved)?);
                Some((log, due, saved.number_up_to(u64::from(u8::MAX), "they are there already")? as u8))
            }
        };
        // The map as it was when the databases were built.
        let mut grid = kind.grid(map);
        let mut toggle_back = |cell: Cell| grid.set(cell, !grid.is_free(cell));
        changed.iter().for_each(|&cell| toggle_back(cell));
        for event in &log {
            if let Event::Toggle(state) = *event {
                toggle_back(Cell::new(state.0 % map.width(), state.0 / map.width()));
            }
        }
        let space = match weights {
            None => GridSpace::new(grid, rule, costs),
            Some(weights) => GridSpace::weighted(grid, rule, costs, weights)?,
        };
        let mut bytes = || -> Result<&[u8], CrowdError> {
            let length = saved.count(1)?;
            Ok(saved.bytes(length)?)
        };
        let files = [bytes()?, bytes()?];
        let mut state = Self::with_history(kind, space.clone(), &log, files, (is_repaired, roster))?;
        for &cell in &changed {
            toggle(&mut state.space, cell);
        }
        if let Some((log, due, labelled)) = renewal {
            let (databases, due) = (state.as_built.clone(), due.into_iter().collect());
            let mut renewal = LogCompaction { databases, space, due, labelled };
            renewal.databases.replay(&mut renewal.space, &log);
            let mut space = renewal.space.clone();
            renewal.due.iter().chain(&changed).for_each(|&cell| toggle(&mut space, cell));
            if state.as_built.are_none() || space.grid() != state.space.grid() {
                return Err(saved.malformed("the edits that are due do not lead to this map").into());
            }
            state.renewal = Some(Box::new(renewal));
        }
        // Whether they cut a component in two is not known: everyone looks again.
        (state.is_cut, state.changed) = (!changed.is_empty(), changed);
        state.links = KindLinks::load(saved, &state)?;
        state.find_bound()?;
        Ok(state)
    }

    /// A kind whose databases were built for `space`, with all that was done to them since. The file of one
    /// that is written anew is of what it is now.
    fn with_history(
        kind: Kind,
        mut space: GridSpace,
        log: &[Event],
        [main, relief]: [&[u8]; 2],
        (is_repaired, roster): (bool, &Roster),
    ) -> Result<Self, CrowdError> {
        let open = |space: &GridSpace, bytes: &[u8]| -> Result<Option<Arc<dyn Database>>, CrowdError> {
            Ok(if bytes.is_empty() { None } else { Some(roster.open(space, bytes.to_vec())?) })
        };
        let is_of_now =
            !log.is_empty() && !main.is_empty() && roster.kind_of(main)?.follows == Follows::InFile;
        let of_then = if is_of_now { None } else { open(&space, main)? };
        let mut databases = Databases::new(of_then, open(&space, relief)?);
        let as_built = databases.with_history();
        databases.replay(&mut space, log);
        if is_of_now {
            databases.main = open(&space, main)?.map(Held::new);
        }
        Self::with_space(kind, space, databases, as_built, is_repaired)
    }
}
