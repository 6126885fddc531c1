//! A path from cell to cell, and the same pulled tight: how a unit is drawn that does not march along axes and
//! diagonals. A large unit keeps its whole square out of walls.
//!
//! `cargo run --release -p surefoot --example smooth`

use surefoot::crowd::Kind;
use surefoot::formats::grid_from_art;
use surefoot::search::JumpPoints;
use surefoot::space::{Cell, CostModel, Grid, GridSpace, MoveRule};

const MAP: &str = "........................................
........................................
........................................
............######......................
............######......................
............######.............####.....
............######.............####.....
...............................####.....
...............................####.....
........................................
........................................
........................................";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = grid_from_art(MAP)?;
    let mut search = JumpPoints::new();
    for size in 1..=2 {
        let mut kind = Kind::new(MoveRule::NoCut, CostModel::Sqrt2);
        kind.size = size;
        let space = kind.space(&map)?;
        let (start, goal) = space.locate_ends(Cell::new(0, 9), Cell::new(38, 4))?;
        let path = search.find(&space, start, goal)?.path.ok_or("there is no way")?;
        let cells: Vec<Cell> = path.states.iter().map(|&state| space.cell(state)).collect();

        let walk = space.smooth(&cells)?;
        let cell_length = space.path_cost(path.cost).to_f64();
        println!("size {size}: {} cells, length {cell_length:.2}", cells.len());
        println!("pulled tight: {} points, length {:.2}", walk.points().len(), walk.length());
        assert!(walk.length() < cell_length && walk.points().len() < 6);
        assert!(walk.points().windows(2).all(|line| space.line_of_sight(line[0], line[1])));

        // A unit of speed 0.25 on its way. In a game each of these is a picture.
        let places = (0..).map(|frame| 0.25 * f64::from(frame)).take_while(|&way| way < walk.length());
        let trail: Vec<(f64, f64)> = places.map(|way| walk.at(way)).collect();
        draw(&map, &space, walk.points(), &trail);

        // Only the next line, from the next forty cells: for a unit that will change its mind anyhow.
        let next = space.smooth_ahead(&cells[..cells.len().min(40)], 1)?;
        assert_eq!(next.points().last(), cells.get(next.covered()));
    }
    Ok(())
}

fn draw(map: &Grid, space: &GridSpace, points: &[Cell], trail: &[(f64, f64)]) {
    for y in 0..map.height() {
        let letter = |x| {
            let cell = Cell::new(x, y);
            let is_near = |&(at_x, at_y): &(f64, f64)| (at_x.round(), at_y.round()) == (x.into(), y.into());
            match (points.contains(&cell), trail.iter().any(is_near)) {
                _ if !map.is_free(cell) => '#',
                (true, _) => 'o',
                (_, true) => '*',
                _ if !space.grid().is_free(cell) => '-',
                _ => '.',
            }
        };
        println!("{}", (0..map.width()).map(letter).collect::<String>());
    }
}
