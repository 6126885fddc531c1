//! The plot of the book's page that sets `beacon*` beside other algorithms, from the page's own table.
//!
//! `cargo run -p surefoot-lab --example comparison_plot` holds the picture to the table; with `write` at its end
//! it draws it anew.

use std::error::Error;
use std::fs;
use std::path::Path;

use surefoot_lab::report::{Axis, Figure, Origin, Point, svg};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");
/// As many as there are colours. The others lie beside one of these, or far away from all.
const SHOWN: [&str; 7] =
    ["beacon*", "jps", "a*", "pra*(k=16)", "dba*", "knn-lrta*(n=60000)", "tba*(slice=100)"];

fn main() -> Result<(), Box<dyn Error>> {
    let page = fs::read_to_string(Path::new(DOCS).join("understand/comparison.md"))?;
    let table: Vec<Vec<&str>> = page
        .lines()
        .skip_while(|line| !line.starts_with("| algorithm |"))
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let head = table.first().ok_or("the page has a table of algorithms")?;
    let column = |name: &str| {
        head.iter().position(|title| *title == name).ok_or(format!("the table has a column {name:?}"))
    };
    let (over, mean) = (column("suboptimality (%)")?, column("mean move (µs)")?);
    let mut figure = Figure::new(
        "comparison",
        "What a move takes, and how much longer walks are: six maps of 9 to 11 million states",
        Axis::log("a move, mean", Some("µs")),
        Axis::log("suboptimality", Some("%")),
    );
    for name in SHOWN {
        let row = table.iter().find(|row| row[0].trim_end_matches(" †").replace('\\', "") == name);
        let row = row.ok_or(format!("the table has a line for {name}"))?;
        let number = |column: usize| row[column].replace(',', "").parse::<f64>();
        let (x, y) = (number(mean)?, number(over)?);
        figure.add_point(name, Origin::Ours, Point { x, y, label: format!("{name}: {x} µs, {y} %") });
    }
    let (file, drawn) =
        (Path::new(DOCS).join("pictures/comparison.svg"), svg::file(&figure, svg::Size::Narrow));
    if std::env::args().nth(1).as_deref() == Some("write") {
        fs::write(&file, &drawn)?;
    }
    if fs::read_to_string(&file)? != drawn {
        return Err(format!("{} is not what the table says: add `-- write`", file.display()).into());
    }
    println!("{} algorithms", figure.series.len());
    Ok(())
}
