//! Everything that a crowd can do, at once and for long: groups, speeds, weights, links, walls, kinds that
//! are built while the game runs.
//!
//! The long form is an hour of play at ten frames a second:
//! `cargo test --release -p surefoot-lab --test hour -- --ignored --nocapture`.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, VecDeque};

use surefoot::crowd::{
    Crowd, CrowdConfig, FrameBudget, Kind, KindId, LinkId, Priority, Speed, UnitId, UnitStatus,
};
use surefoot::space::{Cell, CellWeights, CostModel, Link, MoveRule, StateSpace as _, TerrainSet};
use surefoot_lab::maps::{MapKind, generate};
use surefoot_lab::random::Rng;

/// What is played, and for how long.
#[derive(Clone, Copy)]
struct Hour {
    side: u32,
    units: u32,
    frames: u32,
    budget: u64,
    are_units_obstacles: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Outcome {
    checksums: Vec<u64>,
    moves: u64,
    arrived: u64,
    settled: u64,
    blocked: u64,
    over_links: u64,
    built: u64,
    pushed_out: u64,
    longest_wait: u32,
    /// The most bytes that units shared and that were written down of edits, in each half.
    most_bytes: [u64; 2],
    /// The most states that all units together held, in each half of the game.
    most_states: [u64; 2],
}

/// A game, and what the checks know of it.
struct Game {
    crowd: Crowd,
    random: Rng,
    kinds: Vec<KindId>,
    units: Vec<UnitId>,
    places: BTreeMap<UnitId, Cell>,
    links: Vec<(KindId, LinkId)>,
    walls: VecDeque<Cell>,
}

impl Game {
    fn new(hour: Hour, is_parallel: bool) -> Self {
        let map = generate(MapKind::Game, hour.side, hour.side, 11).unwrap().grid(TerrainSet::GROUND);
        let config = CrowdConfig::default()
            .with_parallel(is_parallel)
            .with_units_as_obstacles(hour.are_units_obstacles);
        let even = CellWeights::even(&map);
        let mut crowd = Crowd::with_config(map, config);
        let scouts = crowd.add_kind(Kind::new(MoveRule::NoCut, CostModel::Sqrt2)).unwrap();
        let mud = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_weights(even);
        let mud = crowd.add_kind(mud).unwrap();
        let mut game = Self {
            crowd,
            random: Rng::new(17, 0),
            kinds: vec![scouts, mud],
            units: Vec::new(),
            places: BTreeMap::new(),
            links: Vec::new(),
            walls: VecDeque::new(),
        };
        // Nine of ten are scouts.
        for number in 0..hour.units {
            game.add(if number % 10 == 9 { mud } else { scouts });
        }
        game
    }

    fn draw(&mut self, below: usize) -> usize {
        self.random.below(below.max(1) as u64) as usize
    }

    fn draw_unit(&mut self) -> UnitId {
        let number = self.draw(self.units.len());
        self.units[number]
    }

    /// A cell that a unit of a kind can stand on.
    fn draw_cell(&mut self, kind: KindId) -> Cell {
        loop {
            let (width, height) = (self.crowd.map().width(), self.crowd.map().height());
            let cell = Cell::new(self.draw(width as usize) as u32, self.draw(height as usize) as u32);
            if self.crowd.space(kind).unwrap().grid().is_free(cell) {
                return cell;
            }
        }
    }

    fn add(&mut self, kind: KindId) {
        for _ in 0..100 {
            let (start, goal) = (self.draw_cell(kind), self.draw_cell(kind));
            // Where units are obstacles somebody may stand there.
            if let Ok(unit) = self.crowd.add(kind, start, goal, Priority::ALL[self.units.len() % 3]) {
                if self.units.len() % 4 == 3 {
                    self.crowd.set_speed(unit, Speed::new(1 + self.units.len() as u32 % 4, 4)).unwrap();
                }
                self.units.push(unit);
                self.places.insert(unit, start);
                return;
            }
        }
    }

    fn play(&mut self, frame: u32, outcome: &mut Outcome) {
        // A wall comes, and after a while it goes.
        let wall = self.draw_cell(self.kinds[0]);
        self.walls.push_back(wall);
        self.crowd.set_cell(wall, false).unwrap();
        if self.walls.len() > self.units.len()
            && let Some(wall) = self.walls.pop_front()
        {
            self.crowd.set_cell(wall, true).unwrap();
        }
        if frame % 20 == 7 {
            for (unit, cell) in self.crowd.push_out() {
                self.places.insert(unit, cell);
                outcome.pushed_out += 1;
            }
        }
        if frame % 40 == 13 {
            let count = 20 + self.draw(self.units.len() / 5);
            let group: Vec<UnitId> = (0..count).map(|_| self.draw_unit()).collect();
            let goal = self.draw_cell(self.kinds[0]);
            // Large ones may have no room there.
            let _ = self.crowd.send(group, goal);
        }
        if frame % 30 == 3 {
            let (kind, corner) = (self.kinds[1], self.draw_cell(self.kinds[1]));
            let weight = 1 + self.draw(8) as u8;
            let (width, height) = (self.crowd.map().width(), self.crowd.map().height());
            let region = (0..6).flat_map(|y| (0..6).map(move |x| Cell::new(corner.x + x, corner.y + y)));
            let inside = region.filter(|cell| cell.x < width && cell.y < height);
            self.crowd.set_weights(kind, inside.map(|cell| (cell, weight))).unwrap();
        }
        if frame % 150 == 50 {
            let kind = self.kinds[self.random.below(2) as usize];
            let (from, to) = (self.draw_cell(kind), self.draw_cell(kind));
            if from != to {
                let moves = 1 + self.draw(20) as u32;
                let link = self.crowd.add_link(kind, Link { from, to, moves }).unwrap();
                self.links.push((kind, link));
            }
            if self.links.len() > 6 {
                let (kind, link) = self.links.remove(0);
                self.crowd.remove_link(kind, link).unwrap();
            }
        }
        // Carts are built in frames while the game runs; the first time that is cancelled.
        match frame {
            100 => {
                let carts = Kind::new(MoveRule::NoCut, CostModel::Sqrt2).with_size(2);
                let carts = self.crowd.add_kind_unbuilt(carts).unwrap();
                self.crowd.build_in_frames(carts).unwrap();
                self.kinds.push(carts);
                (0..10).for_each(|_| self.add(carts));
            }
            101 => assert!(self.crowd.cancel_build(self.kinds[2]).unwrap()),
            106 => self.crowd.build_in_frames(self.kinds[2]).unwrap(),
            _ => {}
        }
        for unit in self.crowd.report().arrived.clone() {
            let kind = self.crowd.kind_of(unit).unwrap();
            let goal = self.draw_cell(kind);
            if self.crowd.group_of(unit) == Ok(None) {
                self.crowd.set_goal_or_nearest(unit, goal).unwrap();
            }
        }
        // Those whose group has settled, or who cannot get on, go elsewhere.
        for _ in 0..4 {
            let unit = self.draw_unit();
            let is_idle = self.crowd.status(unit) != Ok(UnitStatus::Walking);
            if is_idle && self.crowd.group_of(unit) == Ok(None) {
                let goal = self.draw_cell(self.crowd.kind_of(unit).unwrap());
                let _ = self.crowd.set_goal_or_nearest(unit, goal);
            }
        }
    }

    /// Every move is one that the unit can make from where it stood, and the report is complete.
    fn check(&mut self, outcome: &mut Outcome) {
        let report = self.crowd.report();
        for made in &report.moves {
            let kind = self.crowd.kind_of(made.unit).unwrap();
            let space = self.crowd.space(kind).unwrap();
            let [from, to] = [made.from, made.to].map(|cell| space.state_at(cell).unwrap());
            let mut is_move = false;
            space.for_each_successor(from, |state, _| is_move |= state == to);
            if !is_move {
                let mut links = self.crowd.links(kind).unwrap();
                assert!(links.any(|(_, link)| (link.from, link.to) == (made.from, made.to)), "{made:?}");
                assert!(space.contains(to), "{made:?}");
                outcome.over_links += 1;
            }
            assert_eq!(self.places.insert(made.unit, made.to), Some(made.from), "{made:?}");
        }
        for &unit in &self.units {
            let (position, place) = (self.crowd.position(unit).unwrap(), self.places[&unit]);
            assert_eq!(position, place, "{unit:?} in frame {}", report.frame);
        }
        assert_eq!(report.overdrawn, 0);
        assert!(report.wait_bound.is_none_or(|bound| u64::from(report.longest_wait) <= bound));
        outcome.moves += report.moves.len() as u64;
        outcome.arrived += report.arrived.len() as u64;
        outcome.settled += report.settled.len() as u64;
        outcome.blocked += report.blocked.len() as u64;
        outcome.built += report.built.len() as u64;
        outcome.longest_wait = outcome.longest_wait.max(report.longest_wait);
    }
}

/// How a game is run: threads and saving must make no difference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    OneThread,
    TwoThreads,
    /// It is saved and loaded every so many frames.
    Loaded(u32),
}

fn play(hour: Hour, run: Run) -> Outcome {
    let mut game = Game::new(hour, run == Run::TwoThreads);
    let mut outcome = Outcome::default();
    for frame in 0..hour.frames {
        game.play(frame, &mut outcome);
        if let Run::Loaded(every) = run
            && frame % every == every - 1
        {
            let report = game.crowd.report().clone();
            game.crowd = Crowd::load(&game.crowd.save()).unwrap();
            assert!(report.frame == frame);
        }
        game.crowd.frame(FrameBudget::Work(hour.budget));
        game.check(&mut outcome);
        if frame % 3_600 == 3_599 {
            eprintln!("{} of {} frames", frame + 1, hour.frames);
        }
        if frame % 100 == 99 {
            outcome.checksums.push(game.crowd.checksum());
            let (memory, half) = (game.crowd.memory(), (2 * frame / hour.frames) as usize);
            let bytes = memory.shared_bytes + memory.log_bytes;
            outcome.most_bytes[half] = outcome.most_bytes[half].max(bytes);
            outcome.most_states[half] = outcome.most_states[half].max(memory.states);
        }
    }
    outcome
}

fn check(hour: Hour, outcome: &Outcome) {
    let [first, second] = outcome.most_bytes;
    assert!(second <= first + first / 4, "memory grows: {outcome:?}");
    let [first, second] = outcome.most_states;
    assert!(second <= 2 * first + 100_000, "memory grows: {outcome:?}");
    assert!(outcome.moves > u64::from(hour.frames) * 10, "{outcome:?}");
    let Outcome { arrived, settled, over_links, built, pushed_out, .. } = *outcome;
    assert!(arrived > 0 && settled > 0 && over_links > 0 && pushed_out > 0, "{outcome:?}");
    assert_eq!(built, 1, "{outcome:?}");
}

#[test]
fn a_minute_of_everything_leaves_nothing_amiss() {
    for are_units_obstacles in [false, true] {
        let hour = Hour { side: 80, units: 120, frames: 400, budget: 100_000, are_units_obstacles };
        let outcome = play(hour, Run::OneThread);
        check(hour, &outcome);
        assert_eq!(play(hour, Run::TwoThreads), outcome, "threads make no difference");
        assert_eq!(play(hour, Run::Loaded(37)).checksums, outcome.checksums, "nor does saving");
    }
}

/// Plays the long form on one thread and on two.
fn play_an_hour(are_units_obstacles: bool) {
    let hour = Hour { side: 512, units: 1_000, frames: 36_000, budget: 250_000, are_units_obstacles };
    let begin = std::time::Instant::now();
    let outcome = play(hour, Run::OneThread);
    println!("{:?} in {:?}", Outcome { checksums: Vec::new(), ..outcome.clone() }, begin.elapsed());
    check(hour, &outcome);
    assert_eq!(play(hour, Run::TwoThreads), outcome, "threads make no difference");
}

#[test]
#[ignore = "two hours of play take a quarter of an hour"]
fn an_hour_of_everything_leaves_nothing_amiss() {
    play_an_hour(false);
}

#[test]
#[ignore = "two hours of play take a quarter of an hour"]
fn an_hour_among_obstacles_leaves_nothing_amiss() {
    play_an_hour(true);
}
