//! Maps that are made from a seed, and the problems of `.scen` files.

use surefoot::space::TerrainSet;
use surefoot_lab::maps::{self, MapKind};
use surefoot_lab::problem_files::{Problem, parse_scen};

use crate::json::{list, number, numbers, object, text};

/// The most cells of a map here: 4,096 x 4,096. A page has some gigabytes at most, and databases need their
/// share.
pub const MOST_CELLS: u64 = 1 << 24;

/// Refuses maps that are too large for a page.
///
/// # Errors
/// If it is one.
pub fn check_size(width: u32, height: u32) -> Result<(), String> {
    let cells = u64::from(width) * u64::from(height);
    if cells <= MOST_CELLS {
        return Ok(());
    }
    Err(format!("{width} x {height} are {cells} cells: a page takes {MOST_CELLS} at most"))
}

/// The kinds of maps that can be made, as JSON: name, and what such a map looks like.
#[must_use]
pub fn kinds() -> String {
    list(MapKind::ALL.map(|kind| object(&[("name", text(kind.name())), ("summary", text(kind.summary()))])))
}

/// Makes a map: one byte a cell, row after row, 1 where it is free.
///
/// # Errors
/// If there is no such kind, a side is 0, or the map would be too large.
pub fn generate(kind: &str, width: u32, height: u32, seed: u64) -> Result<Vec<u8>, String> {
    let kind: MapKind = kind.parse().map_err(|error: maps::UnknownMapKind| error.to_string())?;
    check_size(width, height)?;
    let map = maps::generate(kind, width, height, seed).map_err(|error| error.to_string())?;
    Ok(map.rows().flatten().map(|&letter| u8::from(TerrainSet::GROUND.contains(letter))).collect())
}

/// The problems of a `.scen` file as JSON.
///
/// # Errors
/// If it is no such file, with line and column.
pub fn problems(scen: &[u8]) -> Result<String, String> {
    let scenario = parse_scen(scen).map_err(|error| error.to_string())?;
    Ok(list(scenario.problems.iter().map(of_problem)))
}

fn of_problem(problem: &Problem) -> String {
    let size =
        problem.map_size.map_or_else(|| String::from("null"), |(width, height)| numbers([width, height]));
    object(&[
        ("bucket", problem.bucket.to_string()),
        ("map", text(&problem.map)),
        ("mapSize", size),
        ("start", numbers([problem.start.x, problem.start.y])),
        ("goal", numbers([problem.goal.x, problem.goal.y])),
        ("length", number(problem.length.value())),
        ("isReachable", (!problem.is_unreachable()).to_string()),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn maps_are_those_of_the_lab() {
        let listed: Vec<Value> = serde_json::from_str(&kinds()).unwrap();
        assert_eq!(listed.len(), MapKind::ALL.len());
        for kind in listed {
            let name = kind["name"].as_str().unwrap();
            let cells = generate(name, 30, 20, 7).unwrap();
            let map = maps::generate(name.parse().unwrap(), 30, 20, 7).unwrap();
            let grid = map.grid(TerrainSet::GROUND);
            assert_eq!(cells.len(), 600);
            assert_eq!(cells.iter().map(|&cell| u64::from(cell)).sum::<u64>(), grid.free_count(), "{name}");
            assert!(grid.free_cells().all(|cell| cells[(cell.y * 30 + cell.x) as usize] == 1), "{name}");
        }
    }

    #[test]
    fn wrong_maps_are_refused() {
        let error = |kind, width, height| generate(kind, width, height, 1).unwrap_err();
        assert!(error("cave", 9, 9).contains("expected one of: rooms, maze"));
        assert!(error("maze", 0, 9).contains('0'));
        assert!(error("maze", 1 << 12, (1 << 12) + 1).ends_with("a page takes 16777216 at most"));
        assert!(error("maze", u32::MAX, u32::MAX).ends_with("at most"));
    }

    #[test]
    fn problems_are_read_or_refused_with_their_place() {
        let rows = b"version 1\n26\tmy \"maps\"/a.map\t49\t48\t1\t11\t2\t13\t2.41421\n0\tb.map\t9\t9\t1\t1\t2\t1\t0\n";
        let read: Vec<Value> = serde_json::from_str(&problems(rows).unwrap()).unwrap();
        assert_eq!(read.len(), 2);
        assert_eq!((&read[0]["bucket"], &read[0]["map"]), (&json!(26), &json!("my \"maps\"/a.map")));
        assert_eq!((&read[0]["start"], &read[0]["goal"]), (&json!([1, 11]), &json!([2, 13])));
        assert_eq!((&read[0]["length"], &read[0]["isReachable"]), (&json!(2.41421), &json!(true)));
        assert_eq!((&read[0]["mapSize"], &read[1]["isReachable"]), (&json!([49, 48]), &json!(false)));
        let old: Vec<Value> = serde_json::from_str(&problems(b"0 a.map 1 1 2 1 1").unwrap()).unwrap();
        assert_eq!(old[0]["mapSize"], Value::Null);
        assert!(problems(b"version 1\nx").unwrap_err().contains("line 2"));
        assert!(problems(b"").is_err() && problems(&[0xFF, 0, 1]).is_err());
    }
}
