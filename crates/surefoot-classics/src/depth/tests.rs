use alloc::string::ToString;
use alloc::vec;

use surefoot::formats::grid_from_art;
use surefoot::space::{Cell, CostModel, GridSpace, MoveRule};

use super::depth_tree::TreeNode;
use super::*;

/// A pocket that the straight way leads into.
const POCKET: &str = "............
                      .########...
                      ........#...
                      ........#...
                      ........#...
                      .########...
                      ............";

fn world() -> GridSpace {
    GridSpace::new(grid_from_art(POCKET).unwrap(), MoveRule::NoCut, CostModel::Diagonal14)
}

fn ends(world: &GridSpace) -> (State, State) {
    (world.state_of(Cell::new(2, 3)), world.state_of(Cell::new(11, 3)))
}

/// All moves of an agent, with what each was charged.
fn walk(world: &GridSpace, agent: &mut dyn Agent, each: &mut dyn FnMut(State, u64)) -> usize {
    for moves in 0..10_000 {
        let mut meter = agent.bound().map(Meter::with_bound).unwrap();
        match agent.step(world, &mut meter) {
            Step::Moved(next) => each(next, meter.spent().expansions),
            step => {
                assert_eq!(step, Step::Arrived);
                return moves;
            }
        }
        assert!(!meter.is_overdrawn());
    }
    panic!("it did not arrive");
}

#[test]
fn the_oracle_steps_as_the_deepest_lookahead_does_and_no_shallower_one_would() {
    let world = world();
    let (start, goal) = ends(&world);
    for (deepest, ties) in [(1, Ties::Near), (2, Ties::Far), (4, Ties::Near), (9, Ties::Near), (9, Ties::Far)]
    {
        let mut agent = DepthLrtaStar::with_oracle(deepest, ties);
        Agent::<GridSpace>::begin(&mut agent, &world, start, goal).unwrap();
        let mut chosen = Vec::new();
        loop {
            let step_at = |depth| {
                let mut fixed = agent.lrta.clone();
                fixed.set_horizon(Horizon::Plies(depth));
                fixed.step(&world, &mut Meter::new())
            };
            let steps: Vec<Step> = (1..=deepest).map(step_at).collect();
            let different = steps.iter().rposition(|step| Some(step) != steps.last());
            let least = different.map_or(1, |place| place as u32 + 2);
            let mut meter = Meter::new();
            let step = agent.step(&world, &mut meter);
            if step == Step::Arrived {
                break;
            }
            assert_eq!(Some(&step), steps.last());
            assert!(meter.spent().expansions <= (2 * u64::from(least) - 1).pow(2), "at depth {least}");
            assert!(least == 1 || meter.spent().expansions > 1);
            chosen.push(least);
        }
        assert!(deepest < 4 || chosen.iter().any(|depth| (2..deepest).contains(depth)), "{chosen:?}");
        assert!(chosen.contains(&1));
    }
}

#[test]
fn a_tree_of_one_leaf_is_plain_lrta_with_a_pre_search() {
    let world = world();
    let (start, goal) = ends(&world);
    for (depth, pre_search) in [(1, 1), (3, 1), (3, 2)] {
        let settings = TreeSettings { deepest: depth, history: 5, pre_search };
        let tree = DepthTree::new(settings, vec![TreeNode::Depth(depth)]).unwrap();
        let mut agent = DepthLrtaStar::with_tree(Arc::new(tree), Ties::Near);
        let mut plain = LrtaStar::new(Horizon::Plies(depth), Ties::Near);
        Agent::<GridSpace>::begin(&mut agent, &world, start, goal).unwrap();
        Agent::<GridSpace>::begin(&mut plain, &world, start, goal).unwrap();
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        walk(&world, &mut plain, &mut |next, work| theirs.push((next, work)));
        walk(&world, &mut agent, &mut |next, work| ours.push((next, work)));
        assert_eq!(ours.len(), theirs.len());
        for (our, their) in ours.iter().zip(&theirs) {
            assert_eq!(our.0, their.0);
            let pre = our.1 - their.1;
            assert!((1..=(2 * u64::from(pre_search) - 1).pow(2)).contains(&pre), "{pre} in the pre-search");
        }
    }
}

#[test]
fn a_tree_decides_for_every_move() {
    // One action where the pre-search sees a way down, three elsewhere.
    let text = b"surefoot depth tree 1\ndmax 3\nhistory 9\npre-search 1\nif downhill <= 0\n  depth 3\nelse\n  depth 1";
    let tree = Arc::new(DepthTree::parse(text).unwrap());
    let world = world();
    let (start, goal) = ends(&world);
    let mut agent = agent_with_tree(&"lrta*(dt,g)".parse().unwrap(), Arc::clone(&tree)).unwrap();
    agent.begin(&world, start, goal).unwrap();
    assert_eq!(agent.bound(), Some(Work::of_expansions(25 + 1)));
    let mut work = Vec::new();
    walk(&world, &mut *agent, &mut |_, expansions| work.push(expansions));
    assert_eq!(work[0], 2, "the way to the pocket's end leads down");
    assert!(work.iter().any(|&expansions| expansions > 5), "at its end it looks further: {work:?}");

    let message = |spec: &str| match agent_with_tree(&spec.parse().unwrap(), Arc::clone(&tree)) {
        Ok(_) => panic!("{spec} was accepted"),
        Err(error) => error.to_string(),
    };
    assert!(message("lrta*(dt,g;dmax=5)").contains("the tree was made for 3"));
    assert!(message("lrta*(d=3)").contains("lrta* has no tree"));
}

#[test]
fn features_are_those_of_the_appendix() {
    let world = world();
    let at = |x, y| world.state_of(Cell::new(x, y));
    let settings = TreeSettings { deepest: 1, history: 3, pre_search: 1 };
    let mut agent = DepthLrtaStar::teacher(settings, Ties::Near).unwrap();
    let world_ref = &world;
    Agent::<GridSpace>::begin(&mut agent, world_ref, at(5, 3), at(11, 3)).unwrap();
    assert_eq!(agent.lesson(), None);
    let mut step = || {
        let step = agent.step(world_ref, &mut Meter::new());
        (step, agent.lesson().unwrap().0)
    };
    let one = |features: Features, feature| features.get(feature) as f64 / 1e6;

    let (moved, first) = step();
    assert_eq!(moved, Step::Moved(at(6, 3)));
    assert!((one(first, Feature::GoalDistance) - 6.0).abs() < 1e-9);
    for zero in [
        Feature::Headway,
        Feature::DistinctStates,
        Feature::Raised,
        Feature::RaisedRim,
        Feature::SameStep,
        Feature::StraightOn,
        Feature::RaisedAhead,
    ] {
        assert_eq!(first.get(zero), 0, "{zero}");
    }
    assert_eq!((one(first, Feature::OpenRim), one(first, Feature::Downhill)), (1.0, 1.0));
    assert_eq!(first.get(Feature::Slope), 1_200_000);

    assert_eq!(step().0, Step::Moved(at(7, 3)));
    // At the end of the pocket: three neighbours are walls. (7, 4) and (7, 2) look best, and are met in this
    // order.
    let (moved, third) = step();
    assert_eq!(moved, Step::Moved(at(7, 4)));
    assert_eq!((one(third, Feature::GoalDistance), one(third, Feature::Headway)), (4.0, 2.0));
    assert_eq!((one(third, Feature::DistinctStates), one(third, Feature::Raised)), (2.0, 0.0));
    assert_eq!((one(third, Feature::OpenRim), one(third, Feature::RaisedRim)), (5.0 / 8.0, 0.0));
    assert_eq!((one(third, Feature::StraightOn), one(third, Feature::Downhill)), (0.0, 0.0));
    assert_eq!(third.get(Feature::Slope), 4_000_000 * 5 / 22, "4 and 4.4 moves from the goal");
    // (7, 3) has learned 1 + 4.4.
    let (_, fourth) = step();
    assert_eq!(one(fourth, Feature::Raised), 1.4);
    assert_eq!(fourth.get(Feature::RaisedRim), 333_333, "of three neighbours (7, 3) was raised");
    assert_eq!(one(fourth, Feature::Headway), 2.4);
    // Later it comes back to states, and to values that it has raised.
    let later: Vec<Features> = (0..20).map(|_| step().1).collect();
    for feature in [Feature::RaisedAhead, Feature::SameStep] {
        assert!(later.iter().any(|features| features.get(feature) > 0), "{feature}");
    }
    assert!(later.iter().any(|features| features.get(Feature::DistinctStates) < 3_000_000));
}

#[test]
fn a_teacher_walks_as_the_deepest_lookahead_and_labels_as_the_oracle() {
    let world = world();
    let (start, goal) = ends(&world);
    let settings = TreeSettings { deepest: 6, history: 60, pre_search: 2 };
    let mut teacher = DepthLrtaStar::teacher(settings, Ties::Near).unwrap();
    let mut plain = LrtaStar::new(Horizon::Plies(6), Ties::Near);
    Agent::<GridSpace>::begin(&mut teacher, &world, start, goal).unwrap();
    Agent::<GridSpace>::begin(&mut plain, &world, start, goal).unwrap();
    let mut labels = Vec::new();
    loop {
        let mut oracle = DepthLrtaStar::with_oracle(6, Ties::Near);
        oracle.lrta = teacher.lrta.clone();
        let mut meter = Meter::new();
        oracle.step(&world, &mut meter);
        let step = teacher.step(&world, &mut Meter::new());
        assert_eq!(step, plain.step(&world, &mut Meter::new()));
        if step == Step::Arrived {
            break;
        }
        let (_, label) = teacher.lesson().unwrap();
        assert!(meter.spent().expansions <= (2 * u64::from(label) - 1).pow(2));
        assert!(label == 1 || meter.spent().expansions > 1);
        labels.push(label);
    }
    assert!(labels.iter().any(|&label| label > 1) && labels.contains(&1), "{labels:?}");
    assert!(DepthLrtaStar::teacher(TreeSettings { deepest: 0, ..settings }, Ties::Near).is_err());
}

#[test]
fn a_saved_agent_knows_its_tree() {
    let world = world();
    let (start, goal) = ends(&world);
    let agent_with = |depth: u32| {
        let tree = DepthTree::new(TreeSettings::default(), vec![TreeNode::Depth(depth)]).unwrap();
        let mut agent = DepthLrtaStar::with_tree(Arc::new(tree), Ties::Near);
        Agent::<GridSpace>::begin(&mut agent, &world, start, goal).unwrap();
        agent
    };
    let (mut saved, mut other) = (agent_with(2), agent_with(3));
    saved.step(&world, &mut Meter::new());
    let mut bytes = Vec::new();
    Agent::<GridSpace>::save(&saved, &world, &mut bytes);
    let refused = other.restore(&world, &mut Reader::new(&bytes)).unwrap_err().to_string();
    assert!(refused.contains("the agent was saved with another tree"), "{refused}");
    let mut same = agent_with(2);
    same.restore(&world, &mut Reader::new(&bytes)).unwrap();
    assert_eq!(Agent::<GridSpace>::position(&same), Agent::<GridSpace>::position(&saved));
}
