//! Scripts of calls on random crowds, drawn call by call from what the crowd looks like.

use surefoot::crowd::{CrowdConfig, Priority, UnitId};
use surefoot::formats::write_art;
use surefoot::space::{Cell, Grid, TerrainMap};
use surefoot_classics::ROSTER;
use surefoot_lab::random::Rng;

use super::calls::{Call, KindDraw, Share};
use super::report::Log;
use super::stage::Stage;
use super::world::{Ground, Scale, between, draw_cell, draw_edit, draw_free, draw_grid, draw_moves, pick};
use super::{patience, specs};

/// A case ends after so much work, so that no case takes for ever.
const MOST_WORK: u64 = 4_000_000;
/// Or after so many frames.
const MOST_FRAMES: u64 = 500;
/// How often a case begins with a wait of more than 65,000 frames.
const LONG_WAITS: f64 = 0.004;

/// What scripts are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// Every call, all settings.
    Everything,
    /// Units that are obstacles, edits under them, maps that are dug out of rock, pursuit and removal.
    Obstacles,
}

/// Where a script is played.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The map to begin with.
    pub grid: Grid,
    /// How the crowd behaves.
    pub config: CrowdConfig,
    /// Numbers of threads of crowds beside it.
    pub threads: Vec<usize>,
}

impl Scene {
    fn draw(random: &mut Rng, focus: Focus) -> Self {
        let grid = match focus {
            Focus::Obstacles if random.chance(0.2) => {
                let (width, height) = (between(random, 2, 20) as u32, between(random, 2, 20) as u32);
                Grid::new(width, height).expect("a map of this size can be made")
            }
            _ => draw_grid(random, Scale::Crowd),
        };
        let config = draw_config(random, focus);
        let threads = [1, 2, 3].into_iter().filter(|_| random.chance(0.3)).collect();
        Self { grid, config, threads }
    }

    /// The crowds themselves.
    #[must_use]
    pub fn stage(&self) -> Stage {
        Stage::new(&self.grid, self.config, &self.threads)
    }

    /// The scene in words, with the map if that is small.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { grid, config, threads } = self;
        let is_small = grid.cell_count() <= 2500;
        let map = if is_small { write_art(&TerrainMap::from_grid(grid)) } else { String::new() };
        format!("{} x {} cells, {config:?}, threads {threads:?}\n{map}", grid.width(), grid.height())
    }
}

/// What was played: it is written down as it is, so that it is known after a panic, too.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// Where.
    pub scene: Option<Scene>,
    /// What was called.
    pub calls: Vec<Call>,
}

/// A crowd and a script of calls on it, from their seed.
///
/// # Errors
/// If there is no such algorithm.
pub fn run(
    seed: u64,
    entry: Option<&str>,
    focus: Focus,
    course: &mut Course,
    log: &mut Log,
) -> Result<(), String> {
    let mut random = Rng::new(seed, 0);
    specs::draw_entry(&mut random, entry)?;
    if focus == Focus::Everything && random.chance(LONG_WAITS) {
        patience::run(&mut random, log);
    }
    let scene = course.scene.insert(Scene::draw(&mut random, focus));
    log.trace(|| scene.text());
    let stage = scene.stage();
    let units = pick(&mut random, &[1, 3, 10, 30, 80]).min(scene.grid.cell_count() as u64 + 2);
    let mut script = Script { random, stage, entry, focus, calls: &mut course.calls };
    script.begin(units, log);
    let count = between(&mut script.random, 10, 150);
    for _ in 0..count {
        script.draw_and_perform(log);
        if script.stage.work > MOST_WORK || log.tally.frames > MOST_FRAMES {
            break;
        }
    }
    Ok(())
}

fn draw_config(random: &mut Rng, focus: Focus) -> CrowdConfig {
    let mut config = CrowdConfig::default();
    config.are_units_obstacles = focus == Focus::Obstacles || random.chance(0.3);
    if random.chance(0.6) {
        config.patience = pick(random, &[0, 1, 2, 8, 300, u16::MAX - 1, u16::MAX]);
        config.most_learned = pick(random, &[0, 1, 10, 1000, u64::MAX]);
        config.most_choices = pick(random, &[0, 1, 8, u16::MAX]);
    }
    config
}

struct Script<'a> {
    random: Rng,
    stage: Stage,
    entry: Option<&'a str>,
    focus: Focus,
    calls: &'a mut Vec<Call>,
}

impl Script<'_> {
    fn perform(&mut self, call: Call, log: &mut Log) {
        self.calls.push(call);
        self.stage.perform(&self.calls[self.calls.len() - 1], log);
    }

    /// Kinds and units to begin with.
    fn begin(&mut self, units: u64, log: &mut Log) {
        for _ in 0..between(&mut self.random, 1, 2) {
            let kind = self.draw_kind();
            self.perform(kind, log);
        }
        for _ in 0..units {
            if let Some(add) = self.draw_add() {
                self.perform(add, log);
            }
        }
    }

    fn draw_and_perform(&mut self, log: &mut Log) {
        let is_soak = self.focus == Focus::Obstacles;
        let call = match self.random.below(100) {
            0..2 if self.stage.kinds.len() < 4 => Some(self.draw_kind()),
            0..8 => self.draw_add(),
            8..13 => self.draw_unit().map(Call::Remove),
            13..23 => self.draw_goal(),
            23..25 => {
                self.draw_unit().map(|unit| Call::SetPriority(unit, pick(&mut self.random, &Priority::ALL)))
            }
            25..31 => self.draw_unit().zip(self.draw_unit()).map(|(unit, target)| Call::Pursue(unit, target)),
            31..50 => Some(self.draw_edit()),
            50..54 => Some(Call::SaveAndLoad),
            _ => None,
        };
        if let Some(call) = call {
            return self.perform(call, log);
        }
        let frame = Call::Frame(self.draw_share());
        let most = if is_soak { 12 } else { 25 };
        for _ in 0..between(&mut self.random, 1, most) {
            self.perform(frame.clone(), log);
            if self.stage.work > MOST_WORK {
                return;
            }
        }
    }

    fn draw_kind(&mut self) -> Call {
        let random = &mut self.random;
        let map = self.stage.crowd().map();
        let asked = self.entry.or(random.chance(0.35).then_some("beacon*"));
        let entry = specs::draw_entry(random, asked).unwrap_or(&ROSTER.entries()[0]);
        let size = match random.below(40) {
            0..28 => 1,
            28..38 => between(random, 2, 4) as u32,
            38 => 64,
            _ => pick(random, &[0, 7, 65]),
        };
        Call::AddKind(Box::new(KindDraw {
            moves: draw_moves(random),
            size,
            ground: random.chance(0.2).then(|| Ground::draw(random)),
            spec: specs::draw_spec(random, entry, map.free_count() as usize),
            is_given: random.chance(0.2),
            has_relief: random.chance(0.25),
            seed: random.below(4),
        }))
    }

    fn draw_add(&mut self) -> Option<Call> {
        if self.stage.kinds.is_empty() {
            return None;
        }
        let kind = self.random.below(self.stage.kinds.len() as u64) as usize;
        let (start, goal) = (self.draw_place(kind), self.draw_place(kind));
        Some(Call::Add(kind, start, goal, pick(&mut self.random, &Priority::ALL)))
    }

    /// Mostly a cell that a unit of the kind can stand on, now and then any, or one outside.
    fn draw_place(&mut self, kind: usize) -> Cell {
        let map = self.stage.crowd().map();
        match self.random.below(30) {
            0 => Cell::new(map.width() + self.random.below(2) as u32, self.random.below(99) as u32),
            1 | 2 => draw_cell(&mut self.random, map),
            _ => draw_free(&mut self.random, self.stage.space(kind).grid())
                .unwrap_or_else(|| draw_cell(&mut self.random, map)),
        }
    }

    /// A unit, now and then one that was removed.
    fn draw_unit(&mut self) -> Option<UnitId> {
        if !self.stage.gone.is_empty() && self.random.chance(0.05) {
            return Some(pick(&mut self.random, &self.stage.gone));
        }
        let count = self.stage.units.len() as u64;
        self.stage.units.keys().nth(self.random.below(count) as usize).copied()
    }

    fn draw_goal(&mut self) -> Option<Call> {
        let unit = self.draw_unit()?;
        let kind = self.stage.units.get(&unit).copied().unwrap_or(0);
        let goal = self.draw_place(kind);
        Some(if self.random.chance(0.6) {
            Call::SetGoal(unit, goal)
        } else {
            Call::SetGoalOrNearest(unit, goal)
        })
    }

    fn draw_edit(&mut self) -> Call {
        let unit = self.draw_unit();
        let crowd = self.stage.crowd();
        let under = unit.and_then(|unit| crowd.position(unit).ok());
        let goal = unit.and_then(|unit| crowd.goal(unit).ok());
        let near = match self.random.below(6) {
            0..3 => under,
            3 => goal,
            _ => None,
        };
        if self.random.chance(0.03) {
            return Call::SetCell(Cell::new(crowd.map().width(), 0), true);
        }
        let mut cells = draw_edit(&mut self.random, crowd.map(), near);
        // What is dug is not to be filled again at once.
        if crowd.map().free_count() * 4 < crowd.map().cell_count() as u64 && self.random.chance(0.7) {
            cells.iter_mut().for_each(|(_, free)| *free = true);
        }
        match cells[..] {
            [(cell, free)] => Call::SetCell(cell, free),
            _ => Call::SetCells(cells),
        }
    }

    fn draw_share(&mut self) -> Share {
        let random = &mut self.random;
        match random.below(20) {
            0..8 => Share::Everyone,
            8..12 => Share::Work(between(random, 0, 60)),
            12..16 => Share::Work(between(random, 60, 20_000)),
            16 => Share::Work(pick(random, &[1 << 32, 1 << 60, 1 << 61, 1 << 62, u64::MAX])),
            17 => Share::Time(true),
            _ => Share::Time(false),
        }
    }
}
