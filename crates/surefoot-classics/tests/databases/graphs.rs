//! Records on graphs that are no grids.

use surefoot::agent::{Agent, Step};
use surefoot::search::{AStar, Meter, Paths, Ties};
use surefoot::space::{FnHeuristic, Graph, Guided, Reachability, State};
use surefoot_classics::knn::{KnnLrtaStar, KnnSettings, RecordForm, SubgoalConfig, SubgoalDatabase};

use super::config;

/// Where moves lead one way only, an agent in a dead end says so.
#[test]
fn a_dead_end_of_a_directed_graph_is_unreachable_and_not_waited_in() {
    let graph = Graph::from_edges(4, &[(0, 1, 1), (0, 2, 5), (2, 3, 1)]).unwrap();
    let world = Guided { space: graph, heuristic: FnHeuristic::consistent(|_, _| 0) };
    let config = SubgoalConfig { paths: Paths::AStar, ..config(0, RecordForm::Compressed, Ties::Far) };
    let database = SubgoalDatabase::build(&world, config, AStar::new()).unwrap();
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), database.into());
    agent.begin(&world, State(0), State(3)).unwrap();
    let last = (0..50).map(|_| agent.step(&world, &mut Meter::new())).last();
    assert_eq!(last, Some(Step::Unreachable));
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
            let mut meter = Meter::with_bound(Agent::<W>::bound(&agent).unwrap());
            let step = agent.step(world, &mut meter);
            // The index finds what looking at all records finds.
            assert_eq!(plain.step(world, &mut Meter::new()), step);
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
            assert!(!meter.is_overdrawn(), "{}", meter.spent());
            assert!(moves < 1_000_000);
        }
    }
    (walked, optimal)
}
