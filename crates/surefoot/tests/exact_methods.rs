//! All exact methods find paths of the same cost as a plain Dijkstra that shares no code with them: it makes its own
//! moves from the map's letters and compares a + b√2 exactly, as pairs of whole numbers.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use proptest::prelude::*;
use surefoot::search::{AStar, Answer, Dijkstra, JumpPoints};
use surefoot::space::{
    Cell, CostModel, Grid, GridSpace, HeuristicKind, MaxOf, MoveRule, State, StateSpace, Zero,
};

/// a straight and b diagonal steps; `tenths` chooses 1.4 instead of √2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Steps {
    straight: i64,
    diagonal: i64,
    tenths: bool,
}

impl Ord for Steps {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.straight - other.straight, self.diagonal - other.diagonal);
        if self.tenths {
            return (a * 10 + b * 14).cmp(&0);
        }
        // The sign of a + b√2.
        match (a.signum(), b.signum()) {
            (0, sign) | (sign, 0) => sign.cmp(&0),
            (1, 1) => Ordering::Greater,
            (-1, -1) => Ordering::Less,
            (1, _) => (a * a).cmp(&(2 * b * b)),
            _ => (2 * b * b).cmp(&(a * a)),
        }
    }
}

impl PartialOrd for Steps {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The plain Dijkstra: steps of a cheapest path from `start` to every cell.
fn plain_dijkstra(rows: &[Vec<bool>], rule: MoveRule, tenths: bool, start: (i64, i64)) -> Vec<Option<Steps>> {
    let (height, width) = (rows.len() as i64, rows[0].len() as i64);
    let free = |x: i64, y: i64| x >= 0 && y >= 0 && x < width && y < height && rows[y as usize][x as usize];
    let mut best = vec![None; (width * height) as usize];
    let mut heap = BinaryHeap::new();
    heap.push((std::cmp::Reverse(Steps { straight: 0, diagonal: 0, tenths }), start));
    while let Some((std::cmp::Reverse(steps), (x, y))) = heap.pop() {
        let place = &mut best[(y * width + x) as usize];
        if place.is_some() {
            continue;
        }
        *place = Some(steps);
        for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
            if (dx, dy) == (0, 0) || !free(x + dx, y + dy) {
                continue;
            }
            let beside = i32::from(free(x + dx, y)) + i32::from(free(x, y + dy));
            let is_diagonal = dx != 0 && dy != 0;
            let needed = match rule {
                MoveRule::Squeeze => 0,
                MoveRule::OneFree => 1,
                MoveRule::NoCut => 2,
                _ => 3,
            };
            if is_diagonal && beside < needed {
                continue;
            }
            let next = Steps {
                straight: steps.straight + i64::from(!is_diagonal),
                diagonal: steps.diagonal + i64::from(is_diagonal),
                tenths,
            };
            heap.push((std::cmp::Reverse(next), (x + dx, y + dy)));
        }
    }
    best
}

/// Rows of free cells, and a start among them.
fn maps() -> impl Strategy<Value = (Vec<Vec<bool>>, Cell)> {
    let sizes = prop_oneof![
        4 => (1_usize..12, 1_usize..12),
        3 => (1_usize..30, 1_usize..30),
        1 => (1_usize..4, 60_usize..140),
        1 => (60_usize..140, 1_usize..4),
    ];
    (sizes, prop_oneof![Just(0.95), Just(0.8), Just(0.65), Just(0.5)]).prop_flat_map(
        |((height, width), density)| {
            let row = prop::collection::vec(prop::bool::weighted(density), width);
            (prop::collection::vec(row, height), 0..height, 0..width).prop_map(|(mut rows, y, x)| {
                rows[y][x] = true;
                (rows, Cell::new(x as u32, y as u32))
            })
        },
    )
}

/// The cells at which a path changes its direction, its ends included.
fn bends_of(space: &GridSpace, states: &[State]) -> Vec<Cell> {
    let mut points: Vec<Cell> = Vec::new();
    let step = |from: Cell, to: Cell| (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y));
    for (at, &state) in states.iter().enumerate() {
        let cell = |at: usize| space.cell(states[at]);
        let is_bend =
            at == 0 || at + 1 == states.len() || step(cell(at - 1), cell(at)) != step(cell(at), cell(at + 1));
        points.extend(is_bend.then(|| space.cell(state)));
    }
    points
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn exact_methods_agree_with_a_plain_dijkstra((rows, start) in maps()) {
        let (height, width) = (rows.len() as u32, rows[0].len() as u32);
        let grid = Grid::from_fn(width, height, |cell| rows[cell.y as usize][cell.x as usize]).unwrap();
        let (mut a_star, mut dijkstra, mut jump_points) = (AStar::new(), Dijkstra::new(), JumpPoints::new());
        let mut points = Vec::new();
        for rule in MoveRule::ALL {
            for costs in CostModel::ALL {
                let space = GridSpace::new(grid.clone(), rule, costs);
                let origin = space.state_at(start).unwrap();
                let tenths = costs == CostModel::Diagonal14;
                let truth = plain_dijkstra(&rows, rule, tenths, (i64::from(start.x), i64::from(start.y)));
                let field = dijkstra.field(&space, origin).unwrap();
                for cell in grid.free_cells() {
                    let goal = space.state_at(cell).unwrap();
                    let expected = truth[goal.index()]
                        .map(|steps| costs.of_steps(steps.straight as u64, steps.diagonal as u64));
                    prop_assert_eq!(field.distance(goal), expected);
                    let check = |name: &str, answer: Answer| {
                        prop_assert_eq!(answer.cost(), expected, "{} {} {} to {}", name, rule, costs, cell);
                        if let Some(path) = answer.path {
                            prop_assert_eq!(path.check(&space), Ok(()), "{}", name);
                            prop_assert_eq!(path.states.first(), Some(&origin));
                            prop_assert_eq!(path.states.last(), Some(&goal));
                        }
                        Ok(())
                    };
                    let answer = jump_points.find(&space, origin, goal).unwrap();
                    let bends = answer.path.as_ref().map_or_else(Vec::new, |path| bends_of(&space, &path.states));
                    check("jps", answer)?;
                    prop_assert_eq!(jump_points.turning_points(&space, origin, goal, &mut points), Ok(expected));
                    prop_assert_eq!(&points, &bends);
                    check("a*", a_star.find(&space, &space.octile(), origin, goal).unwrap())?;
                    // The other heuristics are as good as their admissibility; a sample of goals will do.
                    if goal.0.is_multiple_of(7) {
                        check("dijkstra", dijkstra.find(&space, origin, goal).unwrap())?;
                        check("a* zero", a_star.find(&space, &Zero, origin, goal).unwrap())?;
                        for kind in HeuristicKind::ALL {
                            let Ok(heuristic) = space.heuristic(kind) else { continue };
                            let both = MaxOf(heuristic, space.octile());
                            check(kind.name(), a_star.find(&space, &both, origin, goal).unwrap())?;
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn fields_stop_where_they_are_told((rows, start) in maps(), limit in 0.0..12.0_f64) {
        let (height, width) = (rows.len() as u32, rows[0].len() as u32);
        let grid = Grid::from_fn(width, height, |cell| rows[cell.y as usize][cell.x as usize]).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
        let origin = space.state_at(start).unwrap();
        let mut dijkstra = Dijkstra::new();
        let full = dijkstra.field(&space, origin).unwrap();
        let limit = space.units().floor_from_f64(limit);
        let near = dijkstra.field_within(&space, origin, limit).unwrap();
        let targets: Vec<State> = (0..space.state_limit() as u32).map(State).filter(|&s| space.contains(s)).collect();
        for &state in &targets {
            prop_assert_eq!(near.distance(state), full.distance(state).filter(|&distance| distance <= limit));
        }
        let to_some: Vec<State> = targets.iter().copied().step_by(3).chain([origin, origin]).collect();
        let distances = dijkstra.distances_to(&space, origin, &to_some).unwrap();
        for (state, distance) in to_some.iter().zip(distances) {
            prop_assert_eq!(distance, full.distance(*state));
        }
    }
}
