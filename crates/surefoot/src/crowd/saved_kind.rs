//! Kinds as bytes: what their units see and go by. Databases that were repaired are saved as their files and
//! what was done to them since.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::CrowdError;
use super::building::FrameBuild;
use super::databases::{Change, Databases, Event, Held};
use super::kind::{Kind, KindState, MOST_SIZE};
use super::links::KindLinks;
use super::renewal::LogCompaction;
use crate::agent::Roster;
use crate::space::{CellWeights, Grid, GridSpace, State};
use crate::store::codec::{Reader, put_number, put_text};
use crate::store::{Database, Follows};

/// Writes what was done to databases.
fn save_log(out: &mut Vec<u8>, log: &[Event]) {
    put_number(out, log.len() as u64);
    for event in log {
        match *event {
            Event::Settle => put_number(out, 0),
            Event::Begin => put_number(out, 1),
            Event::Upkeep { of_relief, pieces } => {
                put_number(out, 2 + u64::from(of_relief));
                put_number(out, u64::from(pieces));
            }
            Event::Toggle(state) => put_number(out, 4 + 2 * u64::from(state.0)),
            Event::Weigh(state, bits) => {
                put_number(out, 5 + 2 * u64::from(state.0));
                out.push(bits);
            }
        }
    }
}

fn load_log(saved: &mut Reader<'_>, limit: usize) -> Result<Vec<Event>, CrowdError> {
    let mut log = Vec::new();
    for _ in 0..saved.count(1)? {
        log.push(match saved.number_up_to(3 + 2 * limit as u64, "there is no such state")? {
            0 => Event::Settle,
            1 => Event::Begin,
            number @ 2..4 => {
                let pieces = saved.number_up_to(u64::from(u32::MAX), "there are not so many pieces")? as u32;
                Event::Upkeep { of_relief: number == 3, pieces }
            }
            number => {
                let state = State(((number - 4) / 2) as u32);
                if number % 2 == 0 {
                    Event::Toggle(state)
                } else {
                    Event::Weigh(state, saved.array::<1>()?[0])
                }
            }
        });
    }
    Ok(log)
}

/// Writes changes of the map.
fn save_changes<'a>(out: &mut Vec<u8>, space: &GridSpace, changes: impl IntoIterator<Item = &'a Change>) {
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

/// What a kind sees of the map, without what takes long to find.
#[derive(Clone, PartialEq)]
struct Ground {
    grid: Grid,
    weights: Option<CellWeights>,
}

impl Ground {
    fn of(space: &GridSpace) -> Self {
        Self { grid: space.grid().clone(), weights: space.weights().cloned() }
    }

    /// The same after changes, or before them. `None` if there is no such ground.
    fn with(&self, changes: impl IntoIterator<Item = Change>) -> Option<Self> {
        let mut made = self.clone();
        for Change { cell, bits } in changes {
            if bits == 0 {
                made.grid.set(cell, !made.grid.is_free(cell));
            } else {
                let weights = made.weights.as_mut()?;
                let weight = weights.at(cell)? ^ bits;
                weights.set(cell, weight);
            }
        }
        let has_weights = |weights: &CellWeights| weights.rows().flatten().all(|&weight| weight > 0);
        made.weights.as_ref().is_none_or(has_weights).then_some(made)
    }

    fn space(self, kind: &Kind) -> Result<GridSpace, CrowdError> {
        match self.weights {
            None => Ok(GridSpace::new(self.grid, kind.rule, kind.costs)),
            Some(weights) => Ok(GridSpace::weighted(self.grid, kind.rule, kind.costs, weights)?),
        }
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
        let flags = [self.is_repaired, self.is_unbuilt, self.build.is_some(), self.is_reweighed];
        put_number(out, flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag)));
        if let Some(build) = &self.build {
            save_log(out, &build.databases.log);
        }
        save_log(out, &self.databases.log);
        save_changes(out, &self.space, &self.changed);
        put_number(out, u64::from(self.renewal.is_some()));
        if let Some(renewal) = &self.renewal {
            save_log(out, &renewal.databases.log);
            save_changes(out, &self.space, &renewal.due);
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
        let is_weighted = saved.number_up_to(1, "this should be 0 or 1")? == 1;
        let weights = is_weighted.then(|| load_weights(saved, map)).transpose()?;
        let has_cells = is_weighted && kind.size > 1;
        let cell_weights = has_cells.then(|| load_weights(saved, map)).transpose()?;
        let flags = saved.number_up_to(15, "there are four flags")?;
        let [is_repaired, is_unbuilt, is_building, is_reweighed] = [1, 2, 4, 8].map(|flag| flags & flag != 0);
        let limit = map.cell_count();
        let build = is_building.then(|| load_log(saved, limit)).transpose()?;
        let log = load_log(saved, limit)?;
        let changed = load_changes(saved, map)?;
        let renewal = match saved.number_up_to(1, "this should be 0 or 1")? {
            0 => None,
            _ => {
                let (log, due) = (load_log(saved, limit)?, load_changes(saved, map)?);
                Some((log, due, saved.number_up_to(u64::from(u8::MAX), "they are there already")? as u8))
            }
        };
        // The map as it is now, as it was in the last frame, and as it was when databases were built.
        let now = Ground { grid: kind.grid(map), weights };
        let no_ground = saved.malformed("there is no such ground");
        let before = |ground: &Ground, log: &[Event]| {
            ground.with(log.iter().filter_map(|event| event.change(map.width()))).ok_or(no_ground.clone())
        };
        let settled = now.with(changed.iter().copied()).ok_or(no_ground.clone())?;
        let space = before(&settled, &log)?.space(&kind)?;
        let mut bytes = || -> Result<&[u8], CrowdError> {
            let length = saved.count(1)?;
            Ok(saved.bytes(length)?)
        };
        let files = [bytes()?, bytes()?];
        let is = (is_unbuilt, is_repaired);
        let mut state = Self::with_history(kind, space.clone(), &log, files, (is, roster))?;
        if let Some(log) = build {
            if !is_unbuilt || log.first() != Some(&Event::Begin) {
                return Err(saved.malformed("nothing is being built here").into());
            }
            let mut space = before(&settled, &log)?.space(&state.kind)?;
            let mut build = FrameBuild::begin(&state.kind, &space)?;
            build.databases.replay(&mut space, &log);
            state.build = Some(Box::new(build));
        }
        for &change in &changed {
            change.make(&mut state.space);
        }
        if Ground::of(&state.space) != now {
            return Err(saved.malformed("the edits of this kind do not lead to this map").into());
        }
        if let Some((log, due, labelled)) = renewal {
            let (databases, due) = (state.as_built.clone(), due.into_iter().collect());
            let mut renewal = LogCompaction { databases, space, due, labelled };
            renewal.databases.replay(&mut renewal.space, &log);
            let led_to = Ground::of(&renewal.space).with(renewal.due.iter().chain(&changed).copied());
            if state.as_built.are_none() || led_to != Some(now) {
                return Err(saved.malformed("the edits that are due do not lead to this map").into());
            }
            state.renewal = Some(Box::new(renewal));
        }
        // Whether they cut a component in two is not known: everyone looks again.
        (state.is_cut, state.changed) = (!changed.is_empty(), changed);
        (state.cell_weights, state.is_reweighed) = (cell_weights, is_reweighed);
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
        (is, roster): ((bool, bool), &Roster),
    ) -> Result<Self, CrowdError> {
        let open = |space: &GridSpace, bytes: &[u8]| -> Result<Option<Arc<dyn Database>>, CrowdError> {
            Ok(if bytes.is_empty() { None } else { Some(roster.open(space, bytes.to_vec())?) })
        };
        let is_of_now =
            !log.is_empty() && !main.is_empty() && roster.kind_of(main)?.follows == Follows::InFile;
        let of_then = if is_of_now { None } else { open(&space, main)? };
        let (mut databases, as_built) = if main.is_empty() && log.first() == Some(&Event::Begin) {
            let begun = FrameBuild::begin(&kind, &space)?;
            (begun.databases, begun.as_built)
        } else {
            let databases = Databases::new(of_then, open(&space, relief)?);
            (databases.clone(), databases.with_history())
        };
        databases.replay(&mut space, log);
        if is_of_now {
            databases.main = open(&space, main)?.map(Held::new);
        }
        Self::with_space(kind, space, databases, as_built, is)
    }
}
