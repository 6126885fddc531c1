//! Every call at random, on small maps: a crowd beside one that was saved and loaded in the middle of it, and
//! what is told of ways beside Dijkstra's algorithm.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;

use super::*;
use crate::space::{CellWeights, Link, LinkedSpace, Links, PathCost};
use crate::store::draws::Draws;

/// Crowds that get the same calls: what comes of them must be the same.
struct Twins {
    crowds: Vec<Crowd>,
    units: Vec<UnitId>,
    kinds: Vec<KindId>,
    draws: Draws,
}

impl Twins {
    fn new(seed: u64) -> Self {
        let mut draws = Draws::new(seed, 1);
        let (width, height) = (1 + draws.below(14) as u32, 1 + draws.below(14) as u32);
        let walls = [0, 10, 25, 45][draws.below(4) as usize];
        let map = Grid::from_fn(width, height, |_| draws.below(100) >= walls).unwrap();
        let config = CrowdConfig { are_units_obstacles: draws.below(2) == 0, ..CrowdConfig::default() };
        Self {
            crowds: Vec::from([Crowd::with_config(map, config)]),
            units: Vec::new(),
            kinds: Vec::new(),
            draws,
        }
    }

    fn all<T: core::fmt::Debug>(&mut self, call: impl Fn(&mut Crowd) -> T) -> T {
        let mut results: Vec<T> = self.crowds.iter_mut().map(call).collect();
        let first = results.swap_remove(0);
        assert!(results.iter().all(|other| format!("{other:?}") == format!("{first:?}")), "{first:?}");
        first
    }

    fn below(&mut self, limit: usize) -> usize {
        self.draws.below(limit as u64) as usize
    }

    /// Any cell, now and then one outside.
    fn cell(&mut self) -> Cell {
        let (width, height) = (self.crowds[0].map().width(), self.crowds[0].map().height());
        let outside = u32::from(self.below(30) == 0);
        Cell::new(
            self.below((width + outside) as usize) as u32,
            self.below((height + outside) as usize) as u32,
        )
    }

    fn add_kind(&mut self) {
        let rules = [MoveRule::Squeeze, MoveRule::OneFree, MoveRule::NoCut, MoveRule::Cardinal];
        let costs = [CostModel::Sqrt2, CostModel::Diagonal14];
        let mut kind = Kind::new(rules[self.below(4)], costs[self.below(2)]);
        kind.algorithm = algorithm(["beacon*", "beacon*", "transit*", "tba*"][self.below(4)]);
        kind.size = [1, 1, 2][self.below(3)];
        kind.weights = (self.below(5) == 0).then(|| CellWeights::even(self.crowds[0].map()));
        let is_built = self.below(3) > 0;
        let added = self.all(|crowd| {
            let kind = kind.clone();
            if is_built { crowd.add_kind(kind) } else { crowd.add_kind_unbuilt(kind) }
        });
        self.kinds.push(added.unwrap());
    }

    fn call(&mut self) {
        let (a, b, kind) = (self.cell(), self.cell(), self.below(self.kinds.len()));
        let kind = self.kinds[kind];
        let unit = self.below(self.units.len().max(1));
        let unit = self.units.get(unit).copied().unwrap_or(UnitId { slot: 0, generation: 9 });
        let other = self.units.last().copied().unwrap_or(unit);
        let number = self.below(300);
        match self.below(26) {
            0 if self.kinds.len() < 3 => self.add_kind(),
            0..5 => {
                let priority = Priority::ALL[number % 3];
                let added = self.all(|crowd| crowd.add(kind, a, b, priority));
                self.units.extend(added);
            }
            5 => {
                if self.all(|crowd| crowd.remove(unit)).is_ok() {
                    self.units.retain(|&known| known != unit);
                }
            }
            6 => drop(self.all(|crowd| crowd.set_goal(unit, a))),
            7 => drop(self.all(|crowd| crowd.set_goal_or_nearest(unit, a))),
            8 => drop(self.all(|crowd| crowd.stop(unit))),
            9 => drop(self.all(|crowd| crowd.place(unit, a))),
            10 => drop(self.all(|crowd| crowd.pursue(unit, other))),
            11 => {
                let speed = [Speed::new(1, 3), Speed::new(1, 1), Speed::new(5, 2), Speed::MOVE_A_FRAME];
                drop(self.all(|crowd| crowd.set_speed(unit, speed[number % 4])));
            }
            12..15 => {
                let sent: Vec<UnitId> = self.units.iter().skip(number % 4).copied().collect();
                drop(self.all(|crowd| crowd.send(sent.iter().copied(), a)));
            }
            15 | 16 => {
                let edits: Vec<(Cell, bool)> =
                    (0..1 + number % 5).map(|at| (self.cell(), at % 2 == 0)).chain([(b, false)]).collect();
                drop(self.all(|crowd| crowd.set_cells(edits.iter().copied())));
            }
            17 => drop(self.all(Crowd::push_out)),
            18 => drop(self.all(|crowd| crowd.add_link(kind, Link::new(a, b).costing(number as u32 % 4)))),
            19 => {
                let link = self.crowds[0].links(kind).unwrap().next();
                link.into_iter()
                    .for_each(|(link, _)| self.all(|crowd| crowd.remove_link(kind, link)).unwrap());
            }
            20 if number.is_multiple_of(4) => drop(self.all(|crowd| crowd.set_weight(kind, a, number as u8))),
            20 | 21 => drop(self.all(|crowd| crowd.build_in_frames(kind))),
            22 if number.is_multiple_of(3) => drop(self.all(|crowd| crowd.cancel_build(kind))),
            22 => self.ask(kind, a, b),
            23 => {
                let loaded = Crowd::load(&self.crowds[0].save()).unwrap();
                assert_eq!(loaded.checksum(), self.crowds[0].checksum());
                self.crowds.truncate(1);
                self.crowds.push(loaded);
            }
            _ => {
                let budget = [0, 1, 50, 3000, u64::MAX][number % 5];
                (0..1 + number % 12).for_each(|_| self.frame(FrameBudget::Work(budget)));
            }
        }
    }

    fn frame(&mut self, budget: FrameBudget<'_>) {
        let place = |crowd: &Crowd, unit| crowd.position(unit).unwrap();
        let mut places: BTreeMap<UnitId, Cell> =
            self.units.iter().map(|&unit| (unit, place(&self.crowds[0], unit))).collect();
        let report = self.all(|crowd| (crowd.frame(budget), crowd.checksum())).0;
        assert_eq!(report.overdrawn, 0);
        let crowd = &self.crowds[0];
        for Move { unit, from, to } in report.moves.iter().copied() {
            assert_eq!(places.insert(unit, to), Some(from), "{unit} is elsewhere");
            let space = crowd.space_of(unit).unwrap();
            let link = |link: Link| (link.from, link.to) == (from, to) && space.grid().is_free(to);
            let is_link = || crowd.links(crowd.kind_of(unit).unwrap()).unwrap().any(|(_, known)| link(known));
            assert!(
                is_legal(space, space.state(from), space.state(to)) || is_link(),
                "{unit}: {from} to {to}"
            );
        }
        let mut taken = BTreeSet::new();
        for (&unit, &at) in &places {
            assert_eq!(place(crowd, unit), at, "{unit} is where its moves led it");
            let is_alone = squares::under(at, crowd.size_of(unit.slot)).all(|cell| taken.insert(cell));
            assert!(is_alone || !crowd.config.are_units_obstacles, "{unit} stands on another one at {at}");
            let has_no_way = crowd.status(unit) == Ok(UnitStatus::Unreachable);
            assert!(!has_no_way || crowd.path(unit).unwrap().is_none(), "{unit} has a way from {at}");
        }
    }

    /// What is told of a way, and of what units have before them.
    fn ask(&self, kind: KindId, a: Cell, b: Cell) {
        let crowd = &self.crowds[0];
        if let (Ok(path), Ok(cost)) = (crowd.path_between(kind, a, b), crowd.cost(kind, a, b)) {
            assert_eq!(crowd.reachable(kind, a, b), Ok(path.is_some()));
            self.check(kind, a, b, path.map(|path| path.cost().amount()));
            self.check(kind, a, b, cost.map(PathCost::amount));
        }
        for &unit in &self.units {
            let (kind, at, goal) = (crowd.kind_of(unit), crowd.position(unit), crowd.goal(unit));
            let left = crowd.cost_left(unit).unwrap();
            self.check(kind.unwrap(), at.unwrap(), goal.unwrap(), left.map(PathCost::amount));
            let (path, smooth) = (crowd.path(unit).unwrap(), crowd.smooth_path(unit).unwrap());
            assert_eq!((path.is_some(), smooth.is_some()), (left.is_some(), left.is_some()), "{unit}");
        }
    }

    fn check(&self, kind: KindId, a: Cell, b: Cell, told: Option<u64>) {
        let space = self.crowds[0].space(kind).unwrap();
        let links = self.crowds[0].links(kind).unwrap().map(|(_, link)| link);
        let links = Links::new(space.grid(), links).unwrap();
        let linked = LinkedSpace::new(space, &links);
        let found = Dijkstra::new().find(&linked, space.state(a), space.state(b)).ok();
        let cheapest = found.and_then(|found| found.path).map(|path| path.cost);
        let name = self.crowds[0].kinds[usize::from(kind.0)].kind.algorithm.spec().to_string();
        let is_exact = name.starts_with("beacon*") && !space.is_weighted();
        let is_right = if is_exact { told == cheapest } else { told.is_some() == cheapest.is_some() };
        assert!(is_right && told >= cheapest, "{name}, {a} to {b}: {told:?}, not {cheapest:?}");
    }
}

#[test]
fn no_calls_in_any_order_break_a_crowd() {
    for seed in 0..700 {
        let mut twins = Twins::new(seed);
        twins.add_kind();
        for _ in 0..120 {
            twins.call();
        }
        for _ in 0..100 {
            twins.frame(FrameBudget::Everyone);
        }
    }
}
