//! Databases of subgoals: what is promised of their records, of their bytes, and of the agents that go by them.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use proptest::prelude::*;
use surefoot::agents::{Agent, KnnLrtaStar, KnnSettings, Step, roster};
use surefoot::database::{
    AbstractionConfig, BeaconConfig, Block, BuiltFor, CoverConfig, Database, DatabaseConfig, Pairs, Part,
    PartConfig, PartError, PartHead, Partition, PatternBuilder, PatternConfig, PatternContents,
    PatternDatabase, PatternScratch, Record, RecordForm, SubgoalBuilder, SubgoalConfig, SubgoalDatabase,
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
            let head = PartHead { built_for: BuiltFor::of(&space), config: config.into(), shard: (shard, shards) };
            let mut bytes = head.to_bytes();
            for block in head.blocks().collect::<Vec<_>>().into_iter().rev() {
                let records = Block::Records(builder.block(block, &mut JumpPoints::new()));
                bytes.extend_from_slice(&records.to_bytes(block));
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

    /// The same for patterns, which are put together on their map.
    #[test]
    fn shards_of_patterns_make_the_same_bytes(space in spaces(), shards in 1_u32..9, which in 0..3, level in 0_u32..4) {
        let contents = match which {
            0 => PatternContents::Subgoals,
            1 => PatternContents::Depths { cap: 5 },
            _ => PatternContents::SubgoalsAndDepths { cap: 5 },
        };
        let config = PatternConfig { level, aligned: true, contents, ties: Ties::Near };
        let whole = PatternDatabase::build(&space, config).unwrap();
        let builder = PatternBuilder::new(&space, config).unwrap();
        let mut scratch = PatternScratch::default();
        let (mut parts, mut pieces) = (Vec::new(), 0);
        for shard in (1..=shards).rev() {
            let config = PartConfig::Patterns { config, regions: builder.columns() };
            let head = PartHead { built_for: BuiltFor::of(&space), config, shard: (shard, shards) };
            let blocks = head.blocks().map(|number| (number, Block::Columns(builder.block(number, &mut scratch))));
            let part = Part { blocks: blocks.collect(), head, length: 0 };
            pieces += part.head.pieces();
            let bytes = part.to_bytes();
            let read = Part::from_bytes(&bytes).unwrap();
            prop_assert_eq!((&read.head, &read.blocks, read.length), (&part.head, &part.blocks, bytes.len()));
            parts.push(read);
        }
        prop_assert_eq!(pieces, u64::from(whole.regions()));
        let merged = Part::merge_on(&space, parts.clone()).unwrap();
        prop_assert_eq!(&merged[..], whole.as_bytes());
        let is_noticed = matches!(Part::merge(parts.clone()), Err(PartError::NeedsWorld { .. }));
        prop_assert!(is_noticed);
        // Whatever a block may say, it is refused or makes a database that can be opened.
        if let Some(block) = parts[0].blocks.values_mut().next() {
            let Block::Columns(columns) = block else { panic!("{block:?}") };
            columns[0].iter_mut().for_each(|number| *number = number.wrapping_add(1));
            if let Ok(bytes) = Part::merge_on(&space, parts) {
                prop_assert!(PatternDatabase::from_bytes(&space, bytes).is_ok());
            }
        }
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

/// Makes sure that a kept file is of this config, and that its bytes are what is written today.
fn check_kept(file: &str, config: &str) {
    let (space, kept) = (kept_space(), std::fs::read(file).unwrap());
    let opened = Database::from_bytes(&space, kept.clone()).unwrap();
    assert_eq!(opened.config().to_string(), config);
    let built = Database::build(&space, opened.config()).unwrap();
    assert!(
        built.to_bytes()[..] == kept[..],
        "the bytes have changed: raise the version, and keep reading the old one"
    );
}

fn write_kept(file: &str, config: DatabaseConfig) {
    std::fs::write(file, Database::build(&kept_space(), config).unwrap().to_bytes()).unwrap();
}

/// The same for an abstraction.
#[test]
fn the_kept_abstraction_is_read_and_written_as_ever() {
    check_kept("testdata/abstraction-v1.sfdb", "abstraction(aligned=yes, distance=octile)");
}

/// Writes the kept abstraction; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_abstraction() {
    write_kept("testdata/abstraction-v1.sfdb", DatabaseConfig::Abstraction(AbstractionConfig::default()));
}

/// The same for patterns, of all kinds at once: subgoals and depths.
#[test]
fn the_kept_patterns_are_read_and_written_as_ever() {
    let config = "patterns(level=2, aligned=yes, subgoals and depths, cap=7, ties=low-g)";
    check_kept("testdata/patterns-v1.sfdb", config);
}

/// Writes the kept patterns; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_patterns() {
    let contents = PatternContents::SubgoalsAndDepths { cap: 7 };
    let config = PatternConfig { level: 2, aligned: true, contents, ties: Ties::Near };
    write_kept("testdata/patterns-v1.sfdb", DatabaseConfig::Patterns(config));
}

/// The same for a cover.
#[test]
fn the_kept_cover_is_read_and_written_as_ever() {
    check_kept("testdata/cover-v1.sfdb", "cover(climbs, cutoff=12, lossless=yes, ties=high-g)");
}

/// Writes the kept cover; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_cover() {
    let partition = Partition::Climbs { cutoff: 12 };
    let config = CoverConfig { partition, lossless: true, ties: Ties::Far };
    write_kept("testdata/cover-v1.sfdb", DatabaseConfig::Cover(config));
}

/// The same for beacons.
#[test]
fn the_kept_beacons_are_read_and_written_as_ever() {
    check_kept("testdata/beacons-v3.sfdb", "beacons(bound=auto,labels=auto)");
}

/// Beacons that were not exact are no more, nor are those of before there was a core.
#[test]
fn beacons_of_before_have_to_be_built_anew() {
    let old: [&[u8]; 2] =
        [include_bytes!("../testdata/beacons-v1.sfdb"), include_bytes!("../testdata/beacons-v2.sfdb")];
    for bytes in old {
        let error = Database::from_bytes(&kept_space(), bytes).unwrap_err();
        assert!(error.to_string().ends_with("build it anew"), "{error}");
    }
}

/// Writes the kept beacons; not part of the tests.
#[test]
#[ignore = "writes the file that the test above reads"]
fn write_the_kept_beacons() {
    write_kept("testdata/beacons-v3.sfdb", DatabaseConfig::Beacons(BeaconConfig::default()));
}

/// A part of subgoals as the first version wrote it stays readable: its head says nothing of its kind.
#[test]
fn parts_of_subgoals_are_of_the_first_version() {
    let head = PartHead {
        built_for: BuiltFor::of(&kept_space()),
        config: config(100, RecordForm::Compressed, Ties::Far).into(),
        shard: (2, 3),
    };
    let bytes = head.to_bytes();
    assert_eq!(&bytes[..20], b"sfpart\r\n\x01\0\0\0\x20\0\0\0\0\0\0\0");
    assert_eq!(Part::from_bytes(&bytes).unwrap().head, head);
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
        let mut agent = roster::agent_with(&spec(text), Some(&abstraction)).unwrap();
        assert!(agent.use_database(&abstraction).is_ok() && agent.use_database(&records).is_err(), "{text}");
    }
    let message = roster::agent(&spec("lrta*")).unwrap().use_database(&abstraction).unwrap_err().to_string();
    assert!(message.contains("no use for a database of this kind"), "{message}");
}

/// The enhancements of section 6.2 of the 2010 paper, each on and off: every walk arrives, within its bound.
#[test]
fn every_switch_can_be_off() {
    let grid = Grid::from_fn(60, 60, |cell| cell.x % 12 != 6 || cell.y % 17 == (cell.x / 12) * 3).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let corner = |x, y| space.state_at(Cell::new(x, y)).unwrap();
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

/// Records made by hand on a map, for agents of either form.
fn assembled(space: &GridSpace, form: RecordForm, records: &[&[State]]) -> Database {
    let numbered = records.iter().zip(0..).map(|(states, number)| Record { number, states: states.to_vec() });
    let database =
        SubgoalDatabase::assemble(space, config(records.len() as u64, form, Ties::Far), numbered.collect());
    Database::Subgoals(database.unwrap().into())
}

/// What an agent heads for after its first step, and whether it had to do without the database.
fn first_target(
    space: &GridSpace,
    spec: &str,
    database: &Database,
    start: State,
    goal: State,
) -> (State, u64) {
    let mut agent = roster::agent_with(&spec.parse().unwrap(), Some(database)).unwrap();
    agent.begin(space, start, goal).unwrap();
    agent.step(space, &mut Budget::unlimited());
    (agent.plan()[0], agent.fallbacks())
}

#[test]
fn similarity_is_the_sum_in_2009_and_the_maximum_in_2010() {
    let space =
        GridSpace::new(Grid::from_fn(120, 120, |_| true).unwrap(), MoveRule::Squeeze, CostModel::Diagonal14);
    let at = |x, y| space.state_at(Cell::new(x, y)).unwrap();
    let (start, goal) = (at(5, 60), at(115, 60));
    // Ten away at both ends; none at one and sixteen at the other.
    let (even, uneven) = ([at(5, 50), at(60, 30), at(115, 50)], [at(5, 60), at(60, 90), at(115, 76)]);
    for records in [[&even[..], &uneven[..]], [&uneven[..], &even[..]]] {
        let database = assembled(&space, RecordForm::Farthest, &records);
        let target = first_target(&space, "knn-lrta-2009*(ties=high-g)", &database, start, goal);
        assert_eq!(target, (uneven[1], 0), "16 is less than 20");
        let database = assembled(&space, RecordForm::Compressed, &records);
        let target = first_target(&space, "knn-lrta*(goal-first=no)", &database, start, goal);
        assert_eq!(target, (even[1], 0), "10 is less than 16");
    }
    // The walk decides among two if k is 2: the more similar record makes a long way round.
    let (detour, straight) = ([at(5, 58), at(60, 119), at(115, 58)], [at(5, 57), at(60, 57), at(115, 57)]);
    let database = assembled(&space, RecordForm::Compressed, &[&detour, &straight]);
    let target = |spec| first_target(&space, spec, &database, start, goal);
    assert_eq!(target("knn-lrta*(goal-first=no)"), (detour[1], 0));
    assert_eq!(target("knn-lrta*(goal-first=no,k=2)"), (straight[1], 0));
}

/// A climb may lead from one state to another and not back: the checks go in the papers' directions.
#[test]
fn checks_go_in_the_direction_of_the_papers() {
    let mut random = 99_u64;
    let mut next = |limit: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % limit
    };
    let blocked: Vec<bool> = (0..60 * 60).map(|_| next(100) < 22).collect();
    let grid = Grid::from_fn(60, 60, |cell| !blocked[(cell.y * 60 + cell.x) as usize]).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14);
    let climbs = |from, to| climb(&space, from, to, 25, Ties::Far).end == to;
    let mut free = || loop {
        let state = State(next(3600) as u32);
        let largest = space.components().largest();
        if space.contains(state) && space.components().of(space.cell(state)) == largest {
            return state;
        }
    };
    // Pairs that can be climbed one way only.
    let mut one_way = || loop {
        let (from, to) = (free(), free());
        if climbs(from, to) && !climbs(to, from) {
            return (from, to);
        }
    };
    let mut tried = 0;
    while tried < 30 {
        let ((position, first), (last, goal), (subgoal, _)) = (one_way(), one_way(), one_way());
        // In 2009 the goal is always tried first.
        if climbs(position, goal) || climbs(position, last) || [position, first].contains(&subgoal) {
            continue;
        }
        tried += 1;
        let modern = |states: &[State], start, goal| {
            let database = assembled(&space, RecordForm::Compressed, &[states]);
            first_target(&space, "knn-lrta*(cutoff=25,skip-start=no,goal-first=no)", &database, start, goal).1
        };
        assert_eq!(
            modern(&[first, last], position, goal),
            0,
            "from here to the first state, from the last to the goal"
        );
        assert_eq!(modern(&[position, last], first, goal), 1, "not from the first state to here");
        assert_eq!(modern(&[first, goal], position, last), 1, "not from the goal to the last state");
        let classic = |states: &[State], start, goal| {
            let database = assembled(&space, RecordForm::Farthest, &[states]);
            first_target(&space, "knn-lrta-2009*(ties=high-g,d=1)", &database, start, goal).1
        };
        // 2009: the record's goal is reached from the agent's goal.
        assert_eq!(classic(&[first, subgoal, goal], position, last), 0);
        assert_eq!(classic(&[first, subgoal, last], position, goal), 1);
    }
}

/// One record that cannot be used, and a less similar one that can: it takes two candidates to find it.
#[test]
fn as_many_candidates_are_checked_as_are_asked_for() {
    let grid = Grid::from_fn(80, 40, |cell| cell.x != 40 || cell.y < 3).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let at = |x, y| space.state_at(Cell::new(x, y)).unwrap();
    // The first one starts behind the wall.
    let (near, far) = ([at(42, 20), at(60, 20), at(70, 20)], [at(30, 20), at(40, 2), at(70, 25)]);
    let database = assembled(&space, RecordForm::Compressed, &[&near, &far]);
    let target = |spec| first_target(&space, spec, &database, at(38, 20), at(70, 20));
    assert_eq!(target("knn-lrta*(candidates=1)"), (at(70, 20), 1));
    for spec in ["knn-lrta*(candidates=2)", "knn-lrta*(candidates=all)", "knn-lrta*"] {
        assert_eq!(target(spec), (far[1], 0), "{spec}");
    }
}

#[test]
fn even_pairs_leave_fewer_holes() {
    let space =
        GridSpace::new(Grid::from_fn(64, 64, |_| true).unwrap(), MoveRule::Squeeze, CostModel::Diagonal14);
    let covered = |pairs| {
        let config = SubgoalConfig { pairs, ..config(64, RecordForm::Compressed, Ties::Far) };
        let database = SubgoalDatabase::build(&space, config, JumpPoints::new()).unwrap();
        let tile = |state: State| (space.cell(state).x / 8, space.cell(state).y / 8);
        let starts: std::collections::HashSet<_> =
            (0..64).map(|record| tile(database.ends(record).0)).collect();
        starts.len()
    };
    let (random, even) = (covered(Pairs::Random), covered(Pairs::Even));
    assert!(even > random + 5, "{even} of 64 tiles against {random}");
}

/// On a map that was edited no record is followed that leads through what is lost, and one that fails on the way is given up for another.
#[test]
fn records_that_were_lost_are_given_up() {
    let space = GridSpace::new(
        Grid::from_fn(80, 40, |cell| cell.x != 40 || [3, 36].contains(&cell.y)).unwrap(),
        MoveRule::Squeeze,
        CostModel::Diagonal14,
    );
    let at = |x, y| space.state_at(Cell::new(x, y)).unwrap();
    let (near, far) = ([at(30, 20), at(40, 3), at(70, 20)], [at(30, 25), at(40, 36), at(70, 25)]);
    let database = assembled(&space, RecordForm::Compressed, &[&near, &far]);
    let (start, goal) = (at(30, 20), at(70, 20));
    for closed_at in [0, 10] {
        let mut space = space.clone();
        let mut agent = roster::agent_with(&"knn-lrta*".parse().unwrap(), Some(&database)).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let mut moves = 0;
        for step in 0..400 {
            if step == closed_at {
                space.set(Cell::new(40, 3), false);
            }
            let mut budget = Budget::limited(agent.bound().unwrap());
            match agent.step(&space, &mut budget) {
                Step::Moved(_) => moves += 1,
                Step::Arrived => break,
                step => assert_eq!(step, Step::Waiting),
            }
            assert!(!budget.is_overdrawn());
        }
        assert_eq!(agent.position(), goal);
        assert!(moves < 90, "{moves} moves: the other record leads around");
        assert_eq!(agent.fallbacks(), u64::from(closed_at > 0));
    }
}

/// Where moves lead one way only, an agent in a dead end says so.
#[test]
fn a_dead_end_of_a_directed_graph_is_unreachable_and_not_waited_in() {
    let graph = Graph::from_edges(4, &[(0, 1, 1), (0, 2, 5), (2, 3, 1)]).unwrap();
    let world = Guided { space: graph, heuristic: FnHeuristic::consistent(|_, _| 0) };
    let config = SubgoalConfig { paths: Paths::AStar, ..config(0, RecordForm::Compressed, Ties::Far) };
    let database = SubgoalDatabase::build(&world, config, AStar::new()).unwrap();
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), database.into());
    agent.begin(&world, State(0), State(3)).unwrap();
    let last = (0..50).map(|_| agent.step(&world, &mut Budget::unlimited())).last();
    assert_eq!(last, Some(Step::Unreachable));
}

/// Without a record the agent goes for the goal for a while, tries again once, and then goes on to the end.
#[test]
fn a_second_try_comes_after_the_quota_and_no_third() {
    let grid = Grid::from_fn(40, 21, |cell| cell.x != 30 || cell.y == 0).unwrap();
    let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
    let config = config(0, RecordForm::Compressed, Ties::Far);
    let database = std::sync::Arc::new(SubgoalDatabase::build(&space, config, JumpPoints::new()).unwrap());
    let (start, goal) =
        (space.state_at(Cell::new(2, 20)).unwrap(), space.state_at(Cell::new(39, 20)).unwrap());
    let tries = |quota| {
        let mut settings = KnnSettings::default();
        settings.quota = quota;
        let mut agent = KnnLrtaStar::new(settings, database.clone());
        agent.begin(&space, start, goal).unwrap();
        let (mut tries, mut travelled) = (Vec::new(), 0);
        for _ in 0..100_000 {
            let before = Agent::<GridSpace>::fallbacks(&agent);
            let position = Agent::<GridSpace>::position(&agent);
            let step = agent.step(&space, &mut Budget::unlimited());
            if Agent::<GridSpace>::fallbacks(&agent) > before {
                tries.push(travelled);
            }
            let Step::Moved(next) = step else {
                assert_eq!(step, Step::Arrived);
                break;
            };
            space.for_each_successor(position, |to, cost| travelled += if to == next { cost } else { 0 });
        }
        tries
    };
    let [0, second] = tries(KnnSettings::default().quota)[..] else { panic!("two tries") };
    // Three times the estimate of 37 straight steps, and no more than a step beyond.
    assert!((3 * 37 * 5..3 * 37 * 5 + 7).contains(&second), "{second}");
    assert_eq!(tries(None), [0]);
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
    let mut plain = KnnLrtaStar::new(KnnSettings::default(), database.into());
    let mut agent = plain.clone().with_metric_index(world).unwrap();
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
