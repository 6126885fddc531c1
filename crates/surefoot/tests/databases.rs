//! Databases of subgoals: what is promised of their records, of their bytes, and of the agents that go by them.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use proptest::prelude::*;
use surefoot::agents::{Agent, KnnLrtaStar, KnnSettings, Step, roster};
use surefoot::database::{
    AbstractionConfig, BuiltFor, Database, DatabaseConfig, MetricIndex, Pairs, Part, PartError, PartHead,
    RecordForm, Similarity, SubgoalBuilder, SubgoalConfig, SubgoalDatabase,
};
use surefoot::formats::grid_from_art;
use surefoot::search::{AStar, Budget, GridPlanner, JumpPoints, Paths, Ties, climb};
use surefoot::space::{
    Cell, CostModel, FnHeuristic, Graph, Grid, GridSpace, Guided, MoveRule, Reachability, State, StateSpace,
};

fn config(records: u64, form: RecordForm, ties: Ties) -> SubgoalConfig {
    SubgoalConfig { records, form, ties, pairs: Pairs::Random, paths: Paths::JumpPoints, seed: 5 }
}

fn spaces() -> impl Strategy<Value = GridSpace> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    let costs = prop::sample::select(CostModel::ALL.to_vec());
    (1_u32..30, 1_u32..30, 0.5..1.0, rule, costs).prop_flat_map(|(width, height, density, rule, costs)| {
        prop::collection::vec(prop::bool::weighted(density), (width * height) as usize).prop_map(
            move |free| {
                let grid =
                    Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]).unwrap();
                GridSpace::new(grid, rule, costs)
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Every leg of every record can be climbed; of lossless ones all legs together cost what a cheapest path costs.
    #[test]
    fn every_leg_can_be_climbed(space in spaces(), far in any::<bool>(), a_star in any::<bool>(), even in any::<bool>()) {
        let ties = if far { Ties::Far } else { Ties::Near };
        let paths = if a_star { Paths::AStar } else { Paths::JumpPoints };
        let pairs = if even { Pairs::Even } else { Pairs::Random };
        for form in [RecordForm::Farthest, RecordForm::BeforeFirstMiss, RecordForm::Compressed, RecordForm::Lossless] {
            let config = SubgoalConfig { paths, pairs, ..config(30, form, ties) };
            let database = SubgoalDatabase::build(&space, config, GridPlanner::new(paths)).unwrap();
            prop_assert_eq!(database.first_broken_leg(&space, 0..database.len() as u32), None);
            for record in 0..database.len() as u32 {
                let states = database.record(record);
                let (start, end) = (states[0], states[states.len() - 1]);
                prop_assert_eq!(database.ends(record), (start, end));
                let optimal = JumpPoints::new().find(&space, start, end).unwrap().cost().unwrap();
                let one_subgoal = matches!(form, RecordForm::Farthest | RecordForm::BeforeFirstMiss);
                prop_assert!(!one_subgoal || states.len() == 3);
                if form == RecordForm::Lossless {
                    let walked: u64 = states
                        .windows(2)
                        .map(|pair| climb(&space, pair[0], pair[1], u64::MAX, ties).cost)
                        .sum();
                    prop_assert_eq!(walked, optimal);
                }
            }
        }
    }

    /// The bytes do not depend on the order of the blocks, nor on how they were dealt out.
    #[test]
    fn shards_make_the_same_bytes(space in spaces(), shards in 1_u32..9, seed in any::<u64>()) {
        let config = SubgoalConfig { seed, ..config(333, RecordForm::Compressed, Ties::Far) };
        let whole = SubgoalDatabase::build(&space, config, JumpPoints::new()).unwrap();
        let builder = SubgoalBuilder::new(&space, config);
        let mut parts = Vec::new();
        for shard in (1..=shards).rev() {
            let head = PartHead { built_for: BuiltFor::of(&space), config, shard: (shard, shards) };
            let mut bytes = head.to_bytes();
            for block in head.blocks().collect::<Vec<_>>().into_iter().rev() {
                bytes.extend_from_slice(&Part::block_to_bytes(block, &builder.block(block, &mut JumpPoints::new())));
            }
            let part = Part::from_bytes(&bytes).unwrap();
            prop_assert_eq!((&part.head, part.length), (&head, bytes.len()));
            // A part that was cut off is read up to its last whole block.
            if head.blocks().next().is_some() {
                let cut = Part::from_bytes(&bytes[..bytes.len() - 1]).unwrap();
                prop_assert_eq!(cut.blocks.len() + 1, part.blocks.len());
                prop_assert!(cut.length < bytes.len() && cut.first_missing().is_some());
            }
            parts.push(part);
        }
        let merged = Part::merge(parts.clone()).unwrap();
        prop_assert_eq!(&merged[..], whole.as_bytes());
        prop_assert!(SubgoalDatabase::from_bytes(&space, merged).is_ok());
        let twice = [parts.clone(), parts[..1].to_vec()].concat();
        let is_noticed = matches!(Part::merge(twice), Err(PartError::Twice { .. }));
        prop_assert!(is_noticed);
        parts.pop();
        let is_noticed = matches!(Part::merge(parts), Err(PartError::Missing { .. }));
        prop_assert!(is_noticed);
    }
}

/// A file of the first version that was ever written: it stays readable, and its bytes are what is written today.
#[test]
fn the_kept_file_is_read_and_written_as_ever() {
    let grid = grid_from_art(include_str!("../testdata/subgoals-v1.txt")).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let kept = std::fs::read("testdata/subgoals-v1.sfdb").unwrap();
    let database = SubgoalDatabase::from_bytes(&space, kept.clone()).unwrap();
    assert_eq!(
        database.config().to_string(),
        "subgoals(n=100, form=compressed, ties=high-g, pairs=random, paths=jps, seed=5)"
    );
    let built = SubgoalDatabase::build(&space, *database.config(), JumpPoints::new()).unwrap();
    assert!(
        built.as_bytes() == kept,
        "the bytes have changed: raise the version, and keep reading the old one"
    );
}

/// Writes the kept file; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_file() {
    let grid = grid_from_art(include_str!("../testdata/subgoals-v1.txt")).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let database =
        SubgoalDatabase::build(&space, config(100, RecordForm::Compressed, Ties::Far), JumpPoints::new());
    std::fs::write("testdata/subgoals-v1.sfdb", database.unwrap().as_bytes()).unwrap();
}

/// The same for an abstraction.
#[test]
fn the_kept_abstraction_is_read_and_written_as_ever() {
    let (space, kept) = (kept_space(), std::fs::read("testdata/abstraction-v1.sfdb").unwrap());
    let opened = Database::from_bytes(&space, kept.clone()).unwrap();
    assert_eq!(opened.config().to_string(), "abstraction(aligned=yes, distance=octile)");
    let built = Database::build(&space, opened.config()).unwrap();
    assert!(
        built.as_bytes() == kept,
        "the bytes have changed: raise the version, and keep reading the old one"
    );
}

/// Writes the kept abstraction; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_abstraction() {
    let config = DatabaseConfig::Abstraction(AbstractionConfig::default());
    let built = Database::build(&kept_space(), config).unwrap();
    std::fs::write("testdata/abstraction-v1.sfdb", built.as_bytes()).unwrap();
}

fn kept_space() -> GridSpace {
    let grid = grid_from_art(include_str!("../testdata/subgoals-v1.txt")).unwrap();
    GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
}

/// Agents are particular about their databases.
#[test]
fn a_database_of_another_kind_is_refused() {
    let space = kept_space();
    let spec = |text: &str| text.parse().unwrap();
    let abstraction = roster::build_database(&spec("pra*"), &space, 1).unwrap().unwrap();
    let records = roster::build_database(&spec("knn-lrta*(n=5)"), &space, 1).unwrap().unwrap();
    let refusal = |text: &str, database: &Database| match roster::agent_with(&spec(text), Some(database)) {
        Ok(_) => panic!("{text} was made"),
        Err(error) => error.to_string(),
    };
    assert!(refusal("pra*", &records).contains("pra* needs a clique abstraction"));
    assert!(refusal("knn-lrta*", &abstraction).contains("needs a database of subgoals"));
    let other = refusal("s-pra*(aligned=no)", &abstraction);
    assert!(other.contains("but the database is abstraction(aligned=yes, distance=octile)"), "{other}");
    for text in ["pra*", "pra*(k=4)", "s-pra*(slice=7,corridor=narrow)"] {
        assert!(roster::agent_with(&spec(text), Some(&abstraction)).is_ok(), "{text}");
    }
}

/// The enhancements of section 6.2 of the 2010 paper, each on and off: every walk arrives, within its bound.
#[test]
fn every_switch_can_be_off() {
    let grid = Grid::from_fn(60, 60, |cell| cell.x % 12 != 6 || cell.y % 17 == (cell.x / 12) * 3).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let corner = |x, y| space.state(Cell::new(x, y));
    let mut walks = Vec::new();
    for switch in [
        "n=300",
        "goal-first=no",
        "skip-start=no",
        "skip-end=no",
        "candidates=all",
        "quota=none",
        "probes=40",
    ] {
        let spec = format!("knn-lrta*(n=300,{switch})").replace("n=300,n=300", "n=300").parse().unwrap();
        let mut agent = roster::agent_for(&spec, &space, 1).unwrap();
        let (mut moves, mut compared) = (0, 0);
        for (start, goal) in
            [(corner(0, 0), corner(59, 59)), (corner(59, 0), corner(0, 40)), (corner(1, 1), corner(4, 12))]
        {
            agent.begin(&space, start, goal).unwrap();
            loop {
                let mut budget = Budget::limited(agent.bound().unwrap());
                match agent.step(&space, &mut budget) {
                    Step::Moved(_) => moves += 1,
                    Step::Arrived => break,
                    step => panic!("{spec}: {step:?}"),
                }
                compared += budget.spent().probes;
                assert!(!budget.is_overdrawn(), "{spec} took {}", budget.spent());
                assert!(moves < 20_000, "{spec} walks for ever");
            }
        }
        walks.push((switch, moves, compared));
    }
    // A switch that changes nothing would be no switch.
    let [all, no_goal_first, no_skip_start, no_skip_end, ..] = walks[..] else { panic!("seven walks") };
    assert!(no_goal_first.2 > all.2, "{walks:?}");
    assert!(no_skip_start.1 > all.1 && no_skip_end.1 > all.1, "{walks:?}");
}

/// Without a record the agent goes for the goal for a while, tries again once, and then goes on to the end.
#[test]
fn a_second_try_comes_after_the_quota_and_no_third() {
    let grid = Grid::from_fn(40, 21, |cell| cell.x != 30 || cell.y == 0).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let config = config(0, RecordForm::Compressed, Ties::Far);
    let database = SubgoalDatabase::build(&space, config, JumpPoints::new()).unwrap();
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), database.into());
    agent.begin(&space, space.state(Cell::new(2, 20)), space.state(Cell::new(39, 20))).unwrap();
    let mut tries = Vec::new();
    let mut travelled = 0;
    for moves in 0..100_000 {
        let before = Agent::<GridSpace>::fallbacks(&agent);
        let position = Agent::<GridSpace>::position(&agent);
        let step = agent.step(&space, &mut Budget::unlimited());
        if Agent::<GridSpace>::fallbacks(&agent) > before {
            tries.push((moves, travelled));
        }
        let Step::Moved(next) = step else {
            assert_eq!(step, Step::Arrived);
            break;
        };
        space.for_each_successor(position, |to, cost| travelled += if to == next { cost } else { 0 });
    }
    assert_eq!(tries.len(), 2, "{tries:?}");
    // Three times the estimate of 37 straight steps, and no more than a step beyond.
    assert!((3 * 37 * 5..3 * 37 * 5 + 7).contains(&tries[1].1), "{tries:?}");
}

/// A road-like network: places in a city of square blocks, joined to their neighbours by roads that are no shorter than the way
/// around the blocks.
fn roads() -> (Graph, Vec<(i64, i64)>) {
    let mut random = 12_345_u64;
    let mut next = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let places: Vec<(i64, i64)> = (0..900).map(|_| (next(10_000) as i64, next(10_000) as i64)).collect();
    let mut edges = Vec::new();
    for (from, &a) in places.iter().enumerate() {
        let mut near: Vec<(i64, usize)> =
            places.iter().enumerate().map(|(to, &b)| ((a.0 - b.0).abs() + (a.1 - b.1).abs(), to)).collect();
        near.sort_unstable();
        for &(distance, to) in &near[1..5] {
            let cost = (distance + next(30) as i64 + 1) as u32;
            edges.push((from as u32, to as u32, cost));
            edges.push((to as u32, from as u32, cost));
        }
    }
    (Graph::from_edges(places.len(), &edges).unwrap(), places)
}

#[test]
fn a_road_network_is_walked_without_a_grid() {
    let (graph, places) = roads();
    let blocks = move |a: State, b: State| {
        let ((ax, ay), (bx, by)) = (places[a.index()], places[b.index()]);
        ((ax - bx).abs() + (ay - by).abs()) as u64
    };
    let world = Guided { space: graph, heuristic: FnHeuristic::consistent(blocks) };
    let config = SubgoalConfig { paths: Paths::AStar, ..config(400, RecordForm::Compressed, Ties::Far) };
    let database = SubgoalDatabase::build(&world, config, AStar::new()).unwrap();
    assert_eq!(database.first_broken_leg(&world, 0..database.len() as u32), None);
    let reopened = SubgoalDatabase::from_bytes(&world, database.as_bytes().to_vec()).unwrap();
    let (walked, optimal) = walk_some(&world, reopened, 41);
    let empty = SubgoalConfig { records: 0, ..config };
    let (learning, _) = walk_some(&world, SubgoalDatabase::build(&world, empty, AStar::new()).unwrap(), 41);
    assert!(walked < learning, "{walked}, {learning} without, {optimal} at best");
}

/// The eight-puzzle: 181,440 states that can be reached, numbered by their permutations.
#[test]
fn a_sliding_tile_puzzle_is_solved_without_a_grid() {
    let (graph, boards) = eight_puzzle();
    let manhattan = move |a: State, b: State| {
        let (a, b) = (&boards[a.index()], &boards[b.index()]);
        let place = |board: &[u8; 9], tile: u8| board.iter().position(|&at| at == tile).unwrap_or(0) as i64;
        (1..9)
            .map(|tile| (place(a, tile), place(b, tile)))
            .map(|(a, b)| ((a % 3 - b % 3).abs() + (a / 3 - b / 3).abs()) as u64)
            .sum()
    };
    let world = Guided { space: graph, heuristic: FnHeuristic::consistent(manhattan) };
    let config = SubgoalConfig { paths: Paths::AStar, ..config(60, RecordForm::Compressed, Ties::Far) };
    let database = SubgoalDatabase::build(&world, config, AStar::new()).unwrap();
    assert_eq!(database.first_broken_leg(&world, 0..60), None);
    let (walked, optimal) = walk_some(&world, database, 181_440 / 6);
    assert!(walked >= optimal && optimal > 0);
}

fn eight_puzzle() -> (Graph, Vec<[u8; 9]>) {
    let solved = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let mut boards = vec![solved];
    let mut numbers = std::collections::HashMap::from([(solved, 0_u32)]);
    let mut edges = Vec::new();
    let mut at = 0;
    while at < boards.len() {
        let board = boards[at];
        let hole = board.iter().position(|&tile| tile == 0).unwrap();
        let (x, y) = (hole % 3, hole / 3);
        let neighbours = [
            (x > 0, hole.wrapping_sub(1)),
            (x < 2, hole + 1),
            (y > 0, hole.wrapping_sub(3)),
            (y < 2, hole + 3),
        ];
        for (_, other) in neighbours.into_iter().filter(|(is_there, _)| *is_there) {
            let mut next = board;
            next.swap(hole, other);
            let number = *numbers.entry(next).or_insert_with(|| {
                boards.push(next);
                boards.len() as u32 - 1
            });
            edges.push((at as u32, number, 1));
        }
        at += 1;
    }
    (Graph::from_edges(boards.len(), &edges).unwrap(), boards)
}

/// Walks some problems; what they cost and what they would cost at best.
fn walk_some<W: surefoot::space::World>(world: &W, database: SubgoalDatabase, stride: usize) -> (u64, u64) {
    let index = MetricIndex::new(world, &database, Similarity::Maximum).unwrap();
    let mut plain = KnnLrtaStar::new(KnnSettings::default(), database.into());
    let mut agent = plain.clone().with_index(index.into());
    let (mut walked, mut optimal) = (0, 0);
    let states: Vec<State> = (0..world.state_limit() as u32).step_by(stride).map(State).collect();
    for pair in states.windows(2) {
        let (start, goal) = (pair[0], pair[1]);
        if start == goal || world.reachability(start, goal) != Reachability::Yes {
            continue;
        }
        optimal += AStar::new().find(world, world, start, goal).unwrap().cost().unwrap();
        agent.begin(world, start, goal).unwrap();
        plain.begin(world, start, goal).unwrap();
        let mut position = start;
        for moves in 0.. {
            let mut budget = Budget::limited(Agent::<W>::bound(&agent).unwrap());
            let step = agent.step(world, &mut budget);
            // The index finds what looking at all records finds.
            assert_eq!(plain.step(world, &mut Budget::unlimited()), step);
            match step {
                Step::Moved(next) => {
                    world
                        .for_each_successor(position, |to, cost| walked += if to == next { cost } else { 0 });
                    position = next;
                }
                step => {
                    assert_eq!(step, Step::Arrived);
                    break;
                }
            }
            assert!(!budget.is_overdrawn(), "{}", budget.spent());
            assert!(moves < 1_000_000);
        }
    }
    (walked, optimal)
}
