//! Large crowds: thousands of units at once on random worlds, and all that may change while they walk.
//! Nothing runs beside them, so most of the time goes into moves. `crowds.rs` has small ones that are
//! compared.

use surefoot::agent::Spec;
use surefoot::crowd::{
    Crowd, CrowdConfig, CrowdError, FrameBudget, Kind, Priority, Speed, UnitId, UnitStatus,
};
use surefoot::space::{Cell, Grid, Link, StateSpace as _};
use surefoot_classics::ROSTER;
use surefoot_lab::random::Rng;

use super::checks::{self, Waits};
use super::known_kind::KnownKind;
use super::report::Log;
use super::stage::is_room;
use super::world::{Ground, Scale, between, draw_cell, draw_edit, draw_free, draw_grid, draw_moves, pick};
use super::{face, specs};

/// A case ends after so many moves.
const MOST_MOVES: u64 = 1_000_000;
/// Or after so much work, so that no case takes for ever.
const MOST_WORK: u64 = 4_000_000;
/// Or after so many frames.
const MOST_FRAMES: u64 = 1_000;
/// Where there are fewer moves than frames after so many of them, nobody has anywhere to go.
const FIRST_FRAMES: u64 = 60;
/// So many units of a kind whose units think for long: of another algorithm, or on ground with weights.
const FEW: u64 = 150;
/// Kinds that a crowd gets at most.
const MOST_KINDS: usize = 5;

/// A unit, and what is known of it.
#[derive(Clone, Copy)]
struct Known {
    id: UnitId,
    kind: usize,
    place: Cell,
}

/// What may change before a frame, and how likely that is.
#[derive(Clone, Copy)]
struct Pace {
    edits: f64,
    orders: f64,
    rest: f64,
}

struct Game<'a> {
    random: Rng,
    crowd: Crowd,
    /// The map as it should be.
    map: Grid,
    kinds: Vec<KnownKind>,
    /// By slot.
    units: Vec<Option<Known>>,
    waits: Waits,
    pace: Pace,
    work: u64,
    log: &'a mut Log,
}

/// A crowd of hundreds or thousands, from its seed.
///
/// # Errors
/// If there is no such algorithm.
pub fn run(seed: u64, entry: Option<&str>, log: &mut Log) -> Result<(), String> {
    let mut random = Rng::new(seed, 0);
    specs::draw_entry(&mut random, entry)?;
    let map = draw_grid(&mut random, Scale::Large);
    let config = CrowdConfig::default().with_parallel(false).with_units_as_obstacles(random.chance(0.25));
    let most = if config.are_units_obstacles { map.free_count() / 6 } else { map.free_count() };
    let units = pick(&mut random, &[1_000, 3_000, 6_000]).min(most);
    let pace = Pace {
        edits: pick(&mut random, &[0.0, 0.02, 0.1]),
        orders: pick(&mut random, &[0.0, 0.1, 0.5]),
        rest: pick(&mut random, &[0.0, 0.03]),
    };
    let crowd = Crowd::with_config(map.clone(), config);
    log.trace(|| format!("{} x {} cells, {units} units, {config:?}", map.width(), map.height()));
    let waits = Waits::default();
    let mut game =
        Game { random, crowd, map, kinds: Vec::new(), units: Vec::new(), waits, pace, work: 0, log };
    game.begin(entry, units);
    let budget = pick(&mut game.random, &[20_000, 200_000, 2_000_000]);
    for _ in 0..MOST_FRAMES {
        game.change();
        game.frame(budget);
        let (moves, frames) = (game.log.tally.moves, game.log.tally.frames);
        let is_enough = moves > MOST_MOVES || game.work > MOST_WORK;
        if is_enough || frames >= FIRST_FRAMES && moves < frames || !game.log.findings.is_empty() {
            break;
        }
    }
    game.check_spaces();
    Ok(())
}

impl Game<'_> {
    fn chance(&mut self, rate: f64) -> bool {
        self.random.chance(rate)
    }

    /// Notes why something was refused, which is no fault here.
    fn taken<T>(&mut self, answer: Result<T, CrowdError>) -> Option<T> {
        answer.map_err(|error| self.log.tally.note_refusal(&error.to_string())).ok()
    }

    /// Kinds and units to begin with. The first kind goes by beacons, if nothing else is asked for.
    fn begin(&mut self, entry: Option<&str>, units: u64) {
        for number in 0..between(&mut self.random, 1, 3) {
            let other = entry.is_some() || number > 0 && self.chance(0.4);
            let kind = self.draw_kind(if other { Some(entry) } else { None });
            let is_beacons = kind.algorithm.spec().algorithm() == "beacon*" && kind.weights.is_none();
            let added = self.crowd.add_kind(kind.clone());
            let Some(id) = self.taken(added) else { continue };
            self.kinds.push(KnownKind::new(id, kind));
            let count = if is_beacons { units } else { units.min(FEW) };
            (0..count).for_each(|_| self.add(self.kinds.len() - 1));
        }
    }

    /// A kind that goes by beacons, or by an algorithm that is drawn or asked for.
    fn draw_kind(&mut self, entry: Option<Option<&str>>) -> Kind {
        let random = &mut self.random;
        let (rule, costs) = draw_moves(random);
        let mut kind = Kind::new(rule, costs);
        if random.chance(0.15) {
            kind.size = between(random, 2, 3) as u32;
        }
        if random.chance(0.15) {
            kind.weights = Some(Ground::draw(random).weights(&self.map));
        }
        if let Some(name) = entry {
            let entry = specs::draw_entry(random, name).unwrap_or(&ROSTER.entries()[0]);
            let spec: Spec = specs::draw_spec(random, entry, self.map.free_count() as usize);
            match ROSTER.algorithm(&spec) {
                Ok(algorithm) => kind.algorithm = algorithm,
                Err(error) => self.log.tally.note_refusal(&error.to_string()),
            }
        }
        kind
    }

    fn add(&mut self, kind: usize) {
        let Some(start) = self.draw_place(kind) else { return };
        let unit = Known { id: UnitId::from_number(0), kind, place: start };
        let Some(goal) = self.draw_goal(unit) else { return };
        let priority = pick(&mut self.random, &Priority::ALL);
        let added = self.crowd.add(self.kinds[kind].id, start, goal, priority);
        let Some(id) = self.taken(added) else { return };
        let slot = id.slot() as usize;
        self.units.resize(self.units.len().max(slot + 1), None);
        self.units[slot] = Some(Known { id, ..unit });
        if self.chance(0.1) {
            let speed =
                Speed::new(between(&mut self.random, 1, 8) as u32, between(&mut self.random, 1, 9) as u32);
            let set = self.crowd.set_speed(id, speed);
            self.taken(set);
        }
    }

    fn draw_place(&mut self, kind: usize) -> Option<Cell> {
        let space = self.crowd.space(self.kinds[kind].id).ok()?;
        draw_free(&mut self.random, space.grid())
    }

    /// Mostly a cell that a unit can get to.
    fn draw_goal(&mut self, unit: Known) -> Option<Cell> {
        let mut goal = self.draw_place(unit.kind)?;
        for _ in 0..6 {
            let space = self.crowd.space(self.kinds[unit.kind].id).ok()?;
            if space.components().same(unit.place, goal) {
                break;
            }
            goal = self.draw_place(unit.kind)?;
        }
        Some(goal)
    }

    fn draw_unit(&mut self) -> Option<Known> {
        let count = self.units.len() as u64;
        (0..4).find_map(|_| self.units.get(self.random.below(count) as usize).copied().flatten())
    }

    fn draw_kind_number(&mut self) -> Option<usize> {
        let count = self.kinds.len() as u64;
        (count > 0).then(|| self.random.below(count) as usize)
    }

    /// What changes before a frame.
    fn change(&mut self) {
        self.log.step += 1;
        let Pace { edits, orders, rest } = self.pace;
        if self.chance(edits) {
            self.edit();
        }
        if self.chance(orders) {
            self.order();
        }
        if self.chance(rest) {
            self.change_the_rest();
        }
    }

    fn edit(&mut self) {
        let near = self.draw_unit().filter(|_| self.random.chance(0.3)).map(|unit| unit.place);
        let cells = draw_edit(&mut self.random, &self.map, near);
        self.log.trace(|| format!("edit {cells:?}"));
        cells.iter().for_each(|&(cell, free)| self.map.set(cell, free));
        let changed = self.crowd.set_cells(cells);
        self.log.tally.edits += self.taken(changed).unwrap_or(0);
        self.waits.begin_anew();
    }

    /// Something that a unit, or many, are told to do.
    fn order(&mut self) {
        let (Some(unit), Some(other)) = (self.draw_unit(), self.draw_unit()) else { return };
        self.waits.begin_anew();
        match self.random.below(8) {
            0 | 1 => {
                let count = pick(&mut self.random, &[3, 40, 300]);
                let group: Vec<UnitId> =
                    (0..count).filter_map(|_| self.draw_unit()).map(|unit| unit.id).collect();
                let Some(goal) = self.draw_place(unit.kind) else { return };
                self.log.trace(|| format!("send {group:?} to {goal}"));
                let sent = self.crowd.send(group, goal).map(drop);
                self.taken(sent);
            }
            2 | 3 => {
                self.log.trace(|| format!("{} pursues {}", unit.id, other.id));
                let pursued = self.crowd.pursue(unit.id, other.id);
                self.taken(pursued);
            }
            4 => {
                let set = self.crowd.set_priority(unit.id, pick(&mut self.random, &Priority::ALL));
                self.taken(set);
            }
            5 => {
                let (cells, frames) = (between(&mut self.random, 1, 8), between(&mut self.random, 1, 9));
                let set = self.crowd.set_speed(unit.id, Speed::new(cells as u32, frames as u32));
                self.taken(set);
            }
            6 => {
                self.log.trace(|| format!("remove {}", unit.id));
                let removed = self.crowd.remove(unit.id);
                if self.taken(removed).is_some() {
                    self.units[unit.id.slot() as usize] = None;
                }
                self.add(unit.kind);
            }
            _ => {
                let stopped = self.crowd.stop(unit.id);
                self.taken(stopped);
            }
        }
    }

    /// What is rarer: units are pushed out of walls, links, weights, kinds, and the crowd is saved and
    /// loaded.
    fn change_the_rest(&mut self) {
        let Some(kind) = self.draw_kind_number() else { return };
        self.waits.begin_anew();
        let id = self.kinds[kind].id;
        match self.random.below(8) {
            0 | 1 => {
                for (unit, cell) in self.crowd.push_out() {
                    self.log.trace(|| format!("{unit} is pushed out to {cell}"));
                    self.put(unit, cell);
                }
            }
            2 | 3 => {
                let (Some(from), Some(to)) = (self.draw_place(kind), self.draw_place(kind)) else { return };
                let link = Link { from, to, moves: between(&mut self.random, 1, 30) as u32 };
                self.log.trace(|| format!("{link:?} of kind {id}"));
                let added = self.crowd.add_link(id, link);
                if let Some(link) = self.taken(added) {
                    self.kinds[kind].links.insert(link, (from, to));
                }
            }
            4 => {
                let Some((&link, _)) = self.kinds[kind].links.first_key_value() else { return };
                self.log.trace(|| format!("link {link} of kind {id} goes"));
                let removed = self.crowd.remove_link(id, link);
                if self.taken(removed).is_some() {
                    self.kinds[kind].links.remove(&link);
                }
            }
            5 => self.weigh(kind),
            6 => self.let_a_kind_come(),
            _ => self.save_and_load(),
        }
    }

    /// Only where ground has weights already: else all is built anew, which takes longer than the walks.
    fn weigh(&mut self, kind: usize) {
        if self.kinds[kind].kind.weights.is_none() {
            return;
        }
        let (corner, weight) =
            (draw_cell(&mut self.random, &self.map), between(&mut self.random, 1, 9) as u8);
        let cells = (0..6).flat_map(|y| (0..6).map(move |x| Cell::new(corner.x + x, corner.y + y)));
        let cells: Vec<(Cell, u8)> =
            cells.filter(|&cell| self.map.contains(cell)).map(|cell| (cell, weight)).collect();
        self.log.trace(|| format!("6 x 6 cells at {corner} weigh {weight}"));
        let set = self.crowd.set_weights(self.kinds[kind].id, cells.iter().copied());
        if self.taken(set).is_some() {
            self.kinds[kind].weighed.extend(cells);
        }
    }

    /// A kind is built while the others walk.
    fn let_a_kind_come(&mut self) {
        if self.kinds.len() == MOST_KINDS {
            return;
        }
        let kind = self.draw_kind(None);
        self.log.trace(|| format!("{kind:?} comes"));
        let added = self.crowd.add_kind_unbuilt(kind.clone());
        let Some(id) = self.taken(added) else { return };
        self.kinds.push(KnownKind::new(id, kind));
        let built = self.crowd.build_in_frames(id);
        self.taken(built);
        (0..FEW).for_each(|_| self.add(self.kinds.len() - 1));
    }

    fn save_and_load(&mut self) {
        self.log.trace(|| "save and load".to_owned());
        self.log.tally.saves += 1;
        match Crowd::load_with(&self.crowd.save(), &ROSTER) {
            Ok(crowd) => {
                let same = checks::same("checksum", &self.crowd.checksum(), &crowd.checksum());
                self.log.check("loaded at once", "large crowd", same);
                self.crowd = crowd;
            }
            Err(error) => self.log.find("does not load", "large crowd", error.to_string()),
        }
    }

    /// Somebody was put somewhere.
    fn put(&mut self, unit: UnitId, cell: Cell) {
        if let Some(Some(known)) = self.units.get_mut(unit.slot() as usize) {
            known.place = cell;
        }
    }

    fn frame(&mut self, budget: u64) {
        self.crowd.frame(FrameBudget::Work(budget));
        self.log.tally.frames += 1;
        self.check_frame();
        self.give_new_goals();
    }

    /// What must hold after every frame.
    fn check_frame(&mut self) {
        let Self { crowd, kinds, units, log, map, waits, work, .. } = self;
        let report = crowd.report();
        let spaces: Vec<_> = kinds.iter().map(|known| crowd.space(known.id).ok()).collect();
        for made in &report.moves {
            let known = units.get_mut(made.unit.slot() as usize).and_then(Option::as_mut);
            let Some(known) = known.filter(|known| known.id == made.unit) else {
                log.find("moves", "large crowd", format!("a move of nobody [{made:?}]"));
                continue;
            };
            let KnownKind { kind, links, .. } = &kinds[known.kind];
            let name = || kind.algorithm.spec().to_string();
            if known.place != made.from {
                let place = known.place;
                log.find(
                    "moves",
                    &name(),
                    format!("it begins where the unit did not stand [{made:?}, on {place}]"),
                );
            }
            known.place = made.to;
            let Some(space) = spaces[known.kind] else { continue };
            let (from, to) = (face::state(space, made.from), face::state(space, made.to));
            if let Err(what) = checks::legal_move(space, from, to)
                && !links.values().any(|&ends| ends == (made.from, made.to))
            {
                log.find("illegal move", &name(), format!("{what} by {}", made.unit));
            }
            if !is_room(map, made.to, kind.size) {
                log.find("illegal move", &name(), format!("no room [{made:?}]"));
            }
        }
        log.tally.moves += report.moves.len() as u64;
        *work += report.work + report.upkeep;
        for known in units.iter().flatten() {
            if crowd.position(known.id) != Ok(known.place) {
                let text = format!(
                    "a unit moved without a move in the report [{} of {}]",
                    known.id,
                    report.moves.len()
                );
                log.find("moves", "large crowd", text);
            }
        }
        if crowd.config().are_units_obstacles {
            let squares =
                units.iter().flatten().map(|known| (known.id, known.place, kinds[known.kind].kind.size));
            log.check("shared cell", "large crowd", checks::nobody_shares_a_cell(map, squares));
        }
        if report.overdrawn > 0 {
            log.find("bound", "large crowd", format!("{} units overdrew their bounds", report.overdrawn));
        }
        log.check("wait bound", "large crowd", waits.frame(report.longest_wait, report.wait_bound));
    }

    /// Who arrived goes elsewhere; who has no way does so now and then, if that is true.
    fn give_new_goals(&mut self) {
        let arrived = self.crowd.report().arrived.clone();
        let idle: Vec<UnitId> = (0..8).filter_map(|_| self.draw_unit()).map(|unit| unit.id).collect();
        for (number, unit) in arrived.iter().chain(&idle).enumerate() {
            let Some(Some(known)) = self.units.get(unit.slot() as usize).copied() else { continue };
            if number >= arrived.len() {
                self.check_status(known);
                if self.crowd.status(*unit) == Ok(UnitStatus::Walking) {
                    continue;
                }
            }
            let Some(goal) = self.draw_goal(known) else { continue };
            let set = self.crowd.set_goal_or_nearest(*unit, goal);
            self.taken(set);
            self.waits.begin_anew();
        }
    }

    /// Who says that there is no way is right.
    fn check_status(&mut self, known: Known) {
        let KnownKind { id, kind, links, .. } = &self.kinds[known.kind];
        let crowd = &self.crowd;
        let is_alone = crowd.target(known.id) == Ok(None) && crowd.group_of(known.id) == Ok(None);
        let (Ok(status), Ok(goal), Ok(space)) =
            (crowd.status(known.id), crowd.goal(known.id), crowd.space(*id))
        else {
            return;
        };
        if !is_alone || !links.is_empty() || status != UnitStatus::Unreachable {
            return;
        }
        let (from, to) = (face::state(space, known.place), face::state(space, goal));
        if space.contains(from) && space.contains(to) && space.components().same(known.place, goal) {
            let name = kind.algorithm.spec().to_string();
            let text = format!("has no way, and there is one [{} on {} for {goal}]", known.id, known.place);
            self.log.find("status", &name, text);
        }
    }

    /// Maps and spaces that were edited are as new ones.
    fn check_spaces(&mut self) {
        let is_same = checks::same("map", &(self.crowd.map() == &self.map), &true);
        self.log.check("edited map", "large crowd", is_same);
        for known in &self.kinds {
            match known.space(&self.map).map(|fresh| (self.crowd.space(known.id), fresh)) {
                Ok((Ok(space), fresh)) => {
                    self.log.check("edited space", "large crowd", checks::same_space(space, &fresh));
                }
                Ok((Err(error), _)) | Err(error) => {
                    self.log.find("edited space", "large crowd", error.to_string());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most of what can change does in some case or other, and hundreds walk.
    #[test]
    fn cases_have_all_that_they_are_to_have() {
        let mut log = Log::default();
        for seed in 0..6 {
            let mut own = Log::default();
            run(seed, None, &mut own).unwrap();
            assert_eq!(own.findings, [], "{seed}");
            log.tally.add(own.tally);
        }
        let tally = &log.tally;
        assert!(tally.moves > 100_000 && tally.edits > 0 && tally.saves > 0, "{tally:?}");
    }
}
