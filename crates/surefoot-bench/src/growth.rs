//! One map from less than a tenth of a million to a hundred million cells: what a move takes, and for each
//! state what a database takes to build and to keep.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use surefoot::agent::Spec;
use surefoot::formats;
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainSet};
use surefoot_classics::ROSTER;
use surefoot_draw::Colour;
use surefoot_lab::maps::{scale_blocks, scale_smooth};

use crate::walks::{lengths, mean_time, problems, worst_time};

type Failure = Box<dyn std::error::Error>;

/// A small map of a game.
const MAP: &str = "knn2009/307";
/// How many times as large it is made: 232 × 272 cells at first, 9,280 × 10,880 in the end.
const FACTORS: [u32; 7] = [1, 2, 4, 8, 18, 28, 40];

/// What came of one size.
struct Size {
    cells: f64,
    /// Nanoseconds a move, nanoseconds of building a state, bytes of the file a state.
    figures: [f64; 3],
}

/// The figures, and how they are named.
const FIGURES: [&str; 3] = ["ns a move", "ns of building a state", "bytes of the file a state"];

/// Prints a line for each size, in blocks and smooth, and draws them if there is a file for it.
///
/// # Errors
/// If the map cannot be read, a database cannot be built, or an agent breaks its bound.
pub fn measure(benchmarks: &Path, spec: &str, picture: Option<&Path>) -> Result<(), Failure> {
    let spec = ROSTER.with_star(&spec.parse()?);
    let original = formats::read_any_map(benchmarks.join(MAP).with_extension("map"))?;
    println!("{spec} on {MAP}, scaled; random problems, no-cut with sqrt2");
    println!(
        "{:<8} {:>12} {:>10} {:>8} {:>10} {:>10} {:>10} {:>9} {:>9} {:>7} {:>8}",
        "edges",
        "cells",
        "states",
        "build s",
        "ns/state",
        "file",
        "bytes/st.",
        "ns/move",
        "worst us",
        "mean %",
        "worst %"
    );
    let mut curves = Vec::new();
    for (name, is_smooth) in [("blocks", false), ("smooth", true)] {
        let mut sizes = Vec::new();
        for factor in FACTORS {
            let scaled =
                if is_smooth { scale_smooth(&original, factor, 1) } else { scale_blocks(&original, factor) }?;
            let grid = scaled.grid(TerrainSet::GROUND);
            drop(scaled);
            let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
            sizes.push(measure_size(name, &space, &spec)?);
        }
        curves.push((name, sizes));
    }
    if let Some(path) = picture {
        std::fs::write(path, draw(&spec, &curves))?;
    }
    Ok(())
}

fn measure_size(name: &str, space: &GridSpace, spec: &Spec) -> Result<Size, Failure> {
    let begin = Instant::now();
    let database = ROSTER.build_database(spec, space, 1)?;
    let build = begin.elapsed().as_secs_f64();
    let file = database.as_ref().map_or(0, |database| database.to_bytes().len());
    let mut agent = ROSTER.agent_with(spec, database.as_ref())?;
    let problems = problems(space, 0.0, f64::INFINITY);
    let walks = lengths(&mut *agent, space, &problems)?;
    let mean = walks.over.iter().sum::<f64>() / walks.over.len() as f64;
    let longest = walks.over.iter().copied().fold(0.0, f64::max);
    let ns = mean_time(&mut *agent, space, &problems) * 1e9 / walks.moves as f64;
    let worst = worst_time(&mut *agent, space, &problems) * 1e6;
    let (cells, states) = (space.grid().cell_count(), space.grid().free_count());
    let figures = [ns, build * 1e9 / states as f64, file as f64 / states as f64];
    println!(
        "{name:<8} {cells:>12} {states:>10} {build:>8.2} {:>10.1} {file:>10} {:>10.4} {ns:>9.1} {worst:>9.1} {mean:>7.3} {longest:>8.2}",
        figures[1], figures[2],
    );
    Ok(Size { cells: cells as f64, figures })
}

/// A plot for each figure, side by side: the number of cells on an axis of ratios, the figure from 0 on.
fn draw(spec: &Spec, curves: &[(&str, Vec<Size>)]) -> String {
    let (width, height, top) = (220.0, 240.0, 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 370\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"900\" height=\"370\" fill=\"#fff\"/>\n\
         <text x=\"450\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">{spec} as the map grows</text>\n"
    );
    let x = |left: f64, cells: f64| left + width * (cells / 5e4).log10() / (2e8_f64 / 5e4).log10();
    // Writing to a string cannot fail.
    for (place, name) in FIGURES.into_iter().enumerate() {
        let left = 60.0 + 290.0 * place as f64;
        let all = curves.iter().flat_map(|(_, sizes)| sizes.iter().map(|size| size.figures[place]));
        let most = all.fold(f64::MIN_POSITIVE, f64::max) * 1.15;
        let y = |figure: f64| top + height * (1.0 - figure / most);
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"45\" text-anchor=\"middle\">{name}</text>", left + width / 2.0);
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let (figure, at) = (most * share, y(most * share));
            let digits = if most < 1.0 {
                2
            } else if most < 100.0 {
                1
            } else {
                0
            };
            let _ = writeln!(svg, "<path d=\"M{left} {at:.1}h{width}\" stroke=\"#ddd\"/>");
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{figure:.digits$}</text>",
                left - 6.0,
                at + 4.0
            );
        }
        for (cells, label) in [(1e5, "0.1"), (1e6, "1"), (1e7, "10"), (1e8, "100")] {
            let at = x(left, cells);
            let _ = writeln!(svg, "<text x=\"{at:.1}\" y=\"318\" text-anchor=\"middle\">{label}</text>");
        }
        for (index, (_, sizes)) in curves.iter().enumerate() {
            let colour = Colour::of_path(index);
            let points: Vec<String> = sizes
                .iter()
                .map(|size| format!("{:.1},{:.1}", x(left, size.cells), y(size.figures[place])))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                points.join(" ")
            );
        }
    }
    svg.push_str("<text x=\"450\" y=\"338\" text-anchor=\"middle\">cells of the map, in millions</text>\n");
    for (index, (name, _)) in curves.iter().enumerate() {
        let (colour, at) = (Colour::of_path(index), 360.0 + 110.0 * index as f64);
        let _ = writeln!(svg, "<path d=\"M{at} 356h24\" stroke=\"{colour}\" stroke-width=\"2\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"360\">{name}</text>", at + 30.0);
    }
    svg.push_str("</svg>\n");
    svg
}
