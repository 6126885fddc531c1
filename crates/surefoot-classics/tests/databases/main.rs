//! Databases of subgoals: what is promised of their records, of their bytes, and of the agents that go by them.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

mod graphs;
mod kept;
mod parts;

use std::sync::Arc;

use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::search::{GridPlanner, JumpPoints, Meter, Paths, Ties, climb};
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule, State, StateSpace};
use surefoot::store::Database;
use surefoot_classics::ROSTER;
use surefoot_classics::knn::{
    KnnLrtaStar, KnnSettings, Pairs, Record, RecordForm, SubgoalConfig, SubgoalDatabase,
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

}

/// Agents are particular about their databases.
#[test]
fn a_database_of_another_kind_is_refused() {
    let space = kept::kept_space();
    let spec = |text: &str| text.parse().unwrap();
    let abstraction = ROSTER.build_database(&spec("pra*"), &space, 1).unwrap().unwrap();
    let records = ROSTER.build_database(&spec("knn-lrta*(n=5)"), &space, 1).unwrap().unwrap();
    let refusal =
        |text: &str, database: &Arc<dyn Database>| match ROSTER.agent_with(&spec(text), Some(database)) {
            Ok(_) => panic!("{text} was made"),
            Err(error) => error.to_string(),
        };
    assert!(refusal("pra*", &records).contains("pra* needs a clique abstraction"));
    assert!(refusal("knn-lrta*", &abstraction).contains("needs a database of subgoals"));
    let other = refusal("s-pra*(aligned=no)", &abstraction);
    assert!(other.contains("this database is abstraction(aligned=yes, distance=octile)"), "{other}");
    for text in ["pra*", "pra*(k=4)", "s-pra*(slice=7,corridor=narrow)"] {
        let mut agent = ROSTER.agent_with(&spec(text), Some(&abstraction)).unwrap();
        assert!(agent.use_database(&abstraction).is_ok() && agent.use_database(&records).is_err(), "{text}");
    }
    let message = ROSTER.agent(&spec("lrta*")).unwrap().use_database(&abstraction).unwrap_err().to_string();
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
        let mut agent = ROSTER.agent_for(&spec, &space, 1).unwrap();
        let (mut moves, mut compared) = (0, 0);
        for (start, goal) in
            [(corner(0, 0), corner(59, 59)), (corner(59, 0), corner(0, 40)), (corner(1, 1), corner(4, 12))]
        {
            agent.begin(&space, start, goal).unwrap();
            loop {
                let mut meter = Meter::with_bound(agent.bound().unwrap());
                match agent.step(&space, &mut meter) {
                    Step::Moved(_) => moves += 1,
                    Step::Arrived => break,
                    step => panic!("{spec}: {step:?}"),
                }
                compared += meter.spent().probes;
                assert!(!meter.is_overdrawn(), "{spec} took {}", meter.spent());
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
fn assembled(space: &GridSpace, form: RecordForm, records: &[&[State]]) -> Arc<dyn Database> {
    let numbered = records.iter().zip(0..).map(|(states, number)| Record { number, states: states.to_vec() });
    let database =
        SubgoalDatabase::assemble(space, config(records.len() as u64, form, Ties::Far), numbered.collect());
    Arc::new(database.unwrap())
}

/// What an agent heads for after its first step, and whether it had to do without the database.
fn first_target(
    space: &GridSpace,
    spec: &str,
    database: &Arc<dyn Database>,
    start: State,
    goal: State,
) -> (State, u64) {
    let mut agent = ROSTER.agent_with(&spec.parse().unwrap(), Some(database)).unwrap();
    agent.begin(space, start, goal).unwrap();
    agent.step(space, &mut Meter::new());
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

/// A map is edited. No record is followed that leads through a wall. One that fails on the way is given up for
/// another.
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
        let mut agent = ROSTER.agent_with(&"knn-lrta*".parse().unwrap(), Some(&database)).unwrap();
        agent.begin(&space, start, goal).unwrap();
        let mut moves = 0;
        for step in 0..400 {
            if step == closed_at {
                space.set(Cell::new(40, 3), false);
            }
            let mut meter = Meter::with_bound(agent.bound().unwrap());
            match agent.step(&space, &mut meter) {
                Step::Moved(_) => moves += 1,
                Step::Arrived => break,
                step => assert_eq!(step, Step::Waiting),
            }
            assert!(!meter.is_overdrawn());
        }
        assert_eq!(agent.position(), goal);
        assert!(moves < 90, "{moves} moves: the other record leads around");
        assert_eq!(agent.fallbacks(), u64::from(closed_at > 0));
    }
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
            let step = agent.step(&space, &mut Meter::new());
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
