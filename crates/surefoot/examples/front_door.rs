//! From a map in a file to a unit that walks: all that a game needs for one.
//!
//! `cargo run --example front_door`

use std::error::Error;

use surefoot::{Cell, Edit, Map};

const ARENA: &str = "
....................
.########.########..
........#.#.........
.######.#.#.######..
.#....#.#.#.#....#..
.#.##.#.....#.##.#..
.#..#.#######.#..#..
.##.#.........#.##..
....#####.#####.....
....................
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("surefoot-front-door-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let (map_file, cache) = (folder.join("arena.txt"), folder.join("arena.sfdb"));
    std::fs::write(&map_file, ARENA)?;

    // Once per map. The second time the navigator is read from its file.
    let map = Map::open(&map_file)?;
    let mut nav = map.navigator_cached(&cache)?;

    // A whole path.
    let (start, goal) = (Cell::new(2, 4), Cell::new(15, 6));
    let path = nav.path(start, goal)?.ok_or("there is no way")?;
    println!(
        "{} moves, cost {:.2}, {} turning points",
        path.moves(),
        path.cost(),
        path.turning_points().len()
    );

    // A unit that makes one move a frame. After three frames a gate closes.
    let mut walker = nav.walker(start, goal)?;
    let mut picture: Vec<Vec<char>> = ARENA.trim().lines().map(|line| line.chars().collect()).collect();
    let (mut frame, mut work) = (0, 0);
    while let Some(cell) = walker.next_move()? {
        picture[cell.y as usize][cell.x as usize] = 'o';
        frame += 1;
        work += walker.work().total();
        if frame == 3 {
            nav.edit([Edit::block((9, 8))])?;
            walker.follow(&nav)?;
            picture[8][9] = 'X';
        }
    }
    println!("{frame} moves after all, with {work} looks at the map and the navigator");
    for row in picture {
        println!("{}", row.into_iter().collect::<String>());
    }
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
