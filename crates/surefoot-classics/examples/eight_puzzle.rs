//! kNN LRTA* without a grid: the eight-puzzle, its 181,440 positions a graph, the Manhattan distance its heuristic.
//!
//! ```text
//! cargo run --release -p surefoot-classics --example eight_puzzle
//! ```

use std::collections::HashMap;
use std::error::Error;

use surefoot::agent::Agent;
use surefoot::search::{AStar, Meter, Paths, Planner, Ties};
use surefoot::space::{FnHeuristic, Graph, Guided, SpaceError, State};
use surefoot_classics::knn::{KnnLrtaStar, KnnSettings};
use surefoot_classics::knn::{Pairs, RecordForm, SubgoalConfig, SubgoalDatabase};

type Board = [u8; 9];

/// Every board that can be reached from the solved one, and the moves between them.
fn puzzle() -> Result<(Graph, Vec<Board>), SpaceError> {
    let solved = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let (mut boards, mut numbers, mut edges) = (vec![solved], HashMap::from([(solved, 0)]), Vec::new());
    let mut at = 0;
    while at < boards.len() {
        let board: Board = boards[at];
        let hole = board.iter().position(|&tile| tile == 0).unwrap_or(0);
        for other in 0..9 {
            let is_beside = (hole / 3).abs_diff(other / 3) + (hole % 3).abs_diff(other % 3) == 1;
            if is_beside {
                let mut next = board;
                next.swap(hole, other);
                let count = boards.len() as u32;
                let number = *numbers.entry(next).or_insert_with(|| {
                    boards.push(next);
                    count
                });
                edges.push((at as u32, number, 1));
            }
        }
        at += 1;
    }
    Ok((Graph::from_edges(boards.len(), &edges)?, boards))
}

fn manhattan(a: &Board, b: &Board) -> u64 {
    let place = |board: &Board, tile: u8| board.iter().position(|&at| at == tile).unwrap_or(0);
    let away = |(a, b): (usize, usize)| (a / 3).abs_diff(b / 3) + (a % 3).abs_diff(b % 3);
    (1..9).map(|tile| away((place(a, tile), place(b, tile))) as u64).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let (space, boards) = puzzle()?;
    let count = boards.len() as u32;
    let heuristic =
        FnHeuristic::consistent(move |a: State, b: State| manhattan(&boards[a.index()], &boards[b.index()]));
    let world = Guided { space, heuristic };

    let config = SubgoalConfig {
        records: 500,
        form: RecordForm::Compressed,
        ties: Ties::Far,
        pairs: Pairs::Random,
        paths: Paths::AStar, // what the search below finds
        seed: 1,
    };
    let database = SubgoalDatabase::build(&world, config, AStar::new())?;
    println!("{} records, {} states, {} bytes", database.len(), database.states(), database.as_bytes().len());

    // Records are found by an index over the heuristic instead of coordinates.
    let mut agent = KnnLrtaStar::new(KnnSettings::default(), database.into()).with_metric_index(&world)?;
    for (start, goal) in [(count - 1, 0), (count / 2, 0), (count / 3, count - 7)] {
        let (start, goal) = (State(start), State(goal));
        let optimal = AStar::new().plan(&world, start, goal)?.cost().unwrap_or(0);
        agent.begin(&world, start, goal)?;
        let (mut moves, mut meter) = (0, Meter::new());
        while !agent.step(&world, &mut meter).is_over() {
            moves += 1;
        }
        println!("{moves} moves where {optimal} would do; planning in all: {}", meter.spent());
    }
    Ok(())
}
