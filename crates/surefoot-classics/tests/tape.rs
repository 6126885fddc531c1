//! A walk that was recorded and replayed is the same walk, for every algorithm.
#![allow(clippy::unwrap_used)] // the walks below are part of the tests

use std::collections::HashSet;

use proptest::prelude::*;
use surefoot::agent::{Agent, Step};
use surefoot::lrta::LrtaStar;
use surefoot::search::{Horizon, Meter, Ties};
use surefoot::space::{
    Cell, CostModel, FnHeuristic, Graph, Grid, GridSpace, Guided, Heuristic, MoveRule, State, StateSpace,
    World,
};
use surefoot::tape::{End, Event, Header, Replay, Tape};
use surefoot_classics::ROSTER;

/// More steps than any walk here needs.
const STEPS: usize = 20_000;

fn spaces() -> impl Strategy<Value = (GridSpace, State, State)> {
    let rule = prop::sample::select(MoveRule::ALL.to_vec());
    let costs = prop::sample::select(CostModel::ALL.to_vec());
    (2_u32..14, 2_u32..10, rule, costs).prop_flat_map(|(width, height, rule, costs)| {
        let cells = (width * height) as usize;
        let free = prop::collection::vec(prop::bool::weighted(0.7), cells);
        (free, 0..cells, 0..cells).prop_map(move |(mut free, start, goal)| {
            (free[start], free[goal]) = (true, true);
            let grid = Grid::from_fn(width, height, |cell| free[(cell.y * width + cell.x) as usize]).unwrap();
            (GridSpace::new(grid, rule, costs), State(start as u32), State(goal as u32))
        })
    })
}

/// What an agent did, as its caller sees it: each step, and what was charged for it.
fn watch<W: World>(agent: &mut dyn Agent<W>, world: &W, meter: &mut Meter) -> Vec<(Step, u64, u64)> {
    let mut seen = Vec::new();
    loop {
        meter.renew();
        let step = agent.step(world, meter);
        step.note(meter);
        seen.push((step, meter.spent().expansions, meter.spent().climb_steps));
        if !matches!(step, Step::Moved(_) | Step::Waiting) {
            return seen;
        }
        assert!(seen.len() < STEPS, "walks for ever");
    }
}

/// Replays what was watched and says where they differ. Of an agent that plans on a coarse map, the tape only counts some states.
fn compare(replay: &mut Replay<'_>, seen: &[(Step, u64, u64)], are_all_named: bool) {
    let (mut moves, mut waits) = (0, 0);
    for &(step, expansions, climbed) in seen {
        // The last step is one of the tape's only if something was planned in it.
        let is_last = !matches!(step, Step::Moved(_) | Step::Waiting);
        assert_eq!(replay.advance(), !is_last || expansions + climbed > 0);
        assert_eq!(replay.expansions(), expansions + climbed);
        let named = replay.expanded().len() as u64;
        assert!(
            if are_all_named { named == expansions } else { named <= expansions },
            "every state is named"
        );
        match step {
            Step::Moved(state) => {
                moves += 1;
                assert_eq!(replay.position(), state);
            }
            Step::Waiting => waits += 1,
            Step::Arrived => assert_eq!(replay.end(), Some(End::Arrived)),
            Step::Unreachable => assert_eq!(replay.end(), Some(End::Unreachable)),
            Step::Stuck => assert_eq!(replay.end(), Some(End::Stuck)),
            other => panic!("{other:?} is new"),
        }
        assert_eq!((replay.moves(), replay.waits()), (moves, waits));
    }
    assert!(!replay.advance());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn the_replay_is_the_walk((space, start, goal) in spaces()) {
        for entry in ROSTER.entries() {
            let spec = entry.quick_spec(space.state_limit());
            let mut agent = ROSTER.agent_for(&spec.parse().unwrap(), &space, 1).unwrap();
            agent.begin(&space, start, goal).unwrap();
            let unrecorded = watch(&mut *agent.clone(), &space, &mut Meter::new());
            let mut meter = Meter::new();
            meter.record_on(Tape::new(Header::of_grid(&space, start, goal, &spec)));
            let seen = watch(&mut *agent, &space, &mut meter);
            prop_assert_eq!(&seen, &unrecorded, "recording changes nothing: {}", spec);

            let recorded = meter.take_tape().unwrap();
            let tape = Tape::from_bytes(&recorded.to_bytes()).unwrap();
            prop_assert_eq!(&tape, &recorded);
            prop_assert_eq!(&tape.header().algorithm, &spec);
            let mut replay = Replay::new(&tape);
            // PR LRTA* looks ahead and learns on a level of the abstraction: those nodes are no states.
            // The searches of transit* around both ends are charged in one number.
            let is_on_ground = !entry.name.starts_with("pr-lrta*") && entry.name != "transit*";
            compare(&mut replay, &seen, is_on_ground);
            let raised = replay.raised();
            if is_on_ground {
                prop_assert_eq!(replay.raised_in_all(), agent.memory().learned, "{}", spec);
            }
            let target = replay.subgoal().unwrap_or(goal);
            for (&state, &value) in raised {
                prop_assert!(value > space.estimate(state, target), "only what rose is noted: {}", spec);
            }
            for event in tape.events() {
                if let Event::Expanded(state) = event {
                    prop_assert!(space.contains(state));
                }
            }
        }
    }

    /// Each raised value, and not only their number; and apart for each goal.
    #[test]
    fn learned_values_are_on_the_tape(
        (space, start, goal) in spaces(),
        plies in 1_u32..4,
        other in any::<prop::sample::Index>(),
    ) {
        let mut agent = LrtaStar::new(Horizon::Plies(plies), Ties::Near);
        agent.begin(&space, start, goal).unwrap();
        let mut meter = Meter::new();
        meter.record_on(Tape::new(Header::of_grid(&space, start, goal, "lrta*")));
        let free: Vec<Cell> = space.grid().free_cells().collect();
        let other = space.state_at(free[other.index(free.len())]).unwrap();
        let mut learned = Vec::new();
        for goal in [goal, other, goal] {
            Agent::set_goal(&mut agent, &space, goal).unwrap();
            meter.note_goal(goal);
            watch(&mut agent, &space, &mut meter);
            learned.push(agent.learned().to_sorted());
        }
        let tape = meter.take_tape().unwrap();
        let mut replay = Replay::new(&tape);
        while replay.advance() {}
        prop_assert_eq!(replay.goal(), goal);
        prop_assert_eq!(replay.raised().iter().map(|(&state, &value)| (state, value)).collect::<Vec<_>>(),
            learned.pop().unwrap());
    }
}

#[test]
fn graphs_are_recorded_too() {
    let graph = Graph::from_edges(4, &[(0, 1, 1), (1, 0, 1), (1, 2, 5), (2, 3, 1), (0, 3, 9)]).unwrap();
    let world = Guided { space: graph, heuristic: FnHeuristic::new(|_, _| 0) };
    let mut agent = LrtaStar::new(Horizon::Plies(1), Ties::Near);
    agent.begin(&world, State(0), State(3)).unwrap();
    let mut meter = Meter::new();
    meter.record_on(Tape::new(Header::of_space(&world, State(0), State(3), "lrta*")));
    let seen = watch(&mut agent, &world, &mut meter);
    let tape = Tape::from_bytes(&meter.take_tape().unwrap().to_bytes()).unwrap();
    assert_eq!((tape.header().states, tape.header().grid), (4, None));
    compare(&mut Replay::new(&tape), &seen, true);
}

#[test]
fn what_an_agent_does_not_name_is_counted_and_subgoals_are_kept() {
    let space = GridSpace::new(Grid::from_fn(4, 1, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
    let mut meter = Meter::new();
    assert!(!meter.is_recording());
    meter.note_subgoal(State(3)); // lost
    meter.record_on(Tape::new(Header::of_grid(&space, State(0), State(3), "made up")));
    meter.charge_expansions(0);
    meter.charge_expansions(5);
    meter.charge_expansion(State(1));
    meter.note_subgoal(State(2));
    meter.note_move(State(1));
    meter.note_end(End::GivenUp);
    let tape = meter.take_tape().unwrap();
    assert!(meter.take_tape().is_none());
    assert_eq!(tape.events().filter(|event| matches!(event, Event::Subgoal(_))).count(), 1);
    let mut replay = Replay::new(&tape);
    assert!(replay.advance());
    assert_eq!(
        (replay.expansions(), replay.expanded(), replay.subgoal()),
        (6, &[State(1)][..], Some(State(2)))
    );
    assert!(!replay.advance());
    assert_eq!(replay.end(), Some(End::GivenUp));
}

#[test]
fn tapes_are_compact() {
    // A dead end that LRTA* fills: thousands of moves with a handful of expansions each.
    let grid = Grid::from_fn(40, 40, |cell| cell.x != 30 || cell.y >= 38).unwrap();
    let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
    let (start, goal) = (space.state_at(Cell::new(5, 5)).unwrap(), space.state_at(Cell::new(39, 5)).unwrap());
    let mut agent = LrtaStar::new(Horizon::Plies(3), Ties::Near);
    agent.begin(&space, start, goal).unwrap();
    let mut meter = Meter::new();
    meter.record_on(Tape::new(Header::of_grid(&space, start, goal, "lrta*(d=3)")));
    let seen = watch(&mut agent, &space, &mut meter);
    let tape = meter.take_tape().unwrap();
    let (events, bytes) = (tape.events().count(), tape.to_bytes().len());
    assert!(seen.len() > 500, "{} steps", seen.len());
    assert!(bytes < 2 * events, "{bytes} bytes for {events} events");
    let expanded: HashSet<State> = tape
        .events()
        .filter_map(|event| if let Event::Expanded(state) = event { Some(state) } else { None })
        .collect();
    assert!(expanded.iter().all(|&state| space.contains(state)));
}
