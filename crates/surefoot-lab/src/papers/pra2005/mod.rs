//! "Partial Pathfinding Using Map Abstraction and Refinement" (2005): Figures 5 to 7, and what the text says
//! of them.
//!
//! The paper prints curves and no tables; what its text says in figures stands beside ours in a table. s-A*
//! and s-PRA* are A* and PRA*(∞) whose planning the clock spreads over frames.

mod curves;

use self::curves::{
    Curve, LONG, bins, by_length, curve_figure, gains, plain, ratio_of_frames, without_shortest,
};
use super::lines::{self, Line, difference, find};
use super::reasons::{OTHER_MACHINE, upper_bound};
use crate::report::{Axis, Cell, Column, Figure, Item, Published, Section, Table, significant, thousands};
use crate::rows::Row;
use crate::runs::{ResultSet, UnitResult};
use crate::spread::Spread;

/// The part of the plan that has the algorithms of the paper; those of others are real-time algorithms in the
/// same game.
const PART: &str = "paper";

/// A figure of a row in the clocked game.
type Measured = fn(&Row) -> Option<f64>;

const LENGTH_RATIO: Measured = |row| row.suboptimality_pct.map(|percent| 1.0 + percent / 100.0);
const PLANNING: Measured = |row| row.planning_ms;
const EXPANSIONS: Measured = |row| row.planning_expansions;
/// The frames over those of the same walk without thinking, by milliseconds of planning a frame.
const SLOW_DOWN: [(u32, Measured); 3] = [
    (10, |row| ratio_of_frames(row.frames_10_ms, row.frames_without_thinking)),
    (2, |row| ratio_of_frames(row.frames_2_ms, row.frames_without_thinking)),
    (1, |row| ratio_of_frames(row.frames_1_ms, row.frames_without_thinking)),
];
const OVER_SHORTEST: Measured = |row| ratio_of_frames(row.frames_1_ms, row.frames_of_shortest);

/// The section of the paper.
#[must_use]
pub fn section(results: &ResultSet) -> Section {
    let (paper, real_time): (Vec<&UnitResult>, Vec<&UnitResult>) =
        results.units.iter().partition(|unit| unit.part == PART || unit.part.is_empty());
    let lines = lines::lines(paper.iter().copied());
    let of = |spec: &str| find(&lines, spec).map(|place| &lines[place]);
    let (a_star, pra) = (of("a*"), of("pra*"));
    let partial: Vec<&Line<'_>> =
        ["pra*(k=2)", "pra*(k=4)", "pra*(k=8)", "pra*(k=16)"].into_iter().filter_map(of).collect();
    let mut items =
        vec![Item::Text(extent(&lines, &results.units)), Item::Table(said(a_star, pra, of("pra*(k=16)")))];
    items.extend(runtime(a_star, pra).into_iter().map(Item::Figure));
    items.extend(quality(pra, &partial).into_iter().map(Item::Figure));
    let everyone: Vec<&Line<'_>> = a_star.into_iter().chain(pra).chain(partial.iter().copied()).collect();
    items.extend(SLOW_DOWN.into_iter().map(|(ms, measure)| Item::Figure(clocked(ms, measure, &everyone))));
    items.push(Item::Figure(over_shortest(&everyone)));
    items.push(Item::Table(quality_by_length(pra)));
    let real_time = lines::lines(real_time);
    if !real_time.is_empty() {
        items.push(Item::Table(real_time_table(&real_time)));
    }
    Section { id: "pra2005".to_owned(), title: "PRA*, 2005".to_owned(), items }
}

fn extent(lines: &[Line<'_>], units: &[UnitResult]) -> String {
    let mut maps: Vec<&str> = units.iter().map(|unit| unit.map.name.as_str()).collect();
    maps.sort_unstable();
    maps.dedup();
    let paths = lines.first().map_or(0, |line| line.rows().count() as u64);
    let time = match units.first() {
        Some(unit) if unit.timed => "measured, one walk at a time",
        Some(_) => "work at a fixed rate, which is the same on every machine",
        None => "not known",
    };
    format!(
        "{} maps at 512 × 512 with {} paths of length 0 to 511, no cut corners (in the paper: 116 maps, 148,480 paths). Planning time is {time}. \
         Each point stands for paths of {} lengths together.",
        maps.len(),
        thousands(paths),
        curves::BIN
    )
}

/// How the reason begins where a figure is a matter of the machine.
const MACHINE: &str = "Another machine";

/// What the text of the paper says in figures.
fn said(a_star: Option<&Line<'_>>, pra: Option<&Line<'_>>, partial: Option<&Line<'_>>) -> Table {
    let mut table = Table::new(
        "pra2005-said",
        "What the text says",
        vec![Column::new("statement"), Column::new("figure")],
    );
    let spread = |line: Option<&Line<'_>>, from: f64, measure: Measured| -> Option<Spread> {
        let spread = plain(line?, measure, &(from..f64::INFINITY));
        (spread.count() > 0).then_some(spread)
    };
    let within = |limit: f64| spread(pra, 0.0, LENGTH_RATIO).map(|own| 100.0 * own.part_within(limit));
    let longest = 480.0;
    let mut add = |statement: &str, published: Published, ours: Option<f64>, digits: u8, reason: &str| {
        let is_of_machine = reason.starts_with(MACHINE);
        let cell = Cell::beside(Some(published), ours, digits).apart(is_of_machine.then_some(OTHER_MACHINE));
        let note = difference(&[("our figure", &cell)], reason);
        table.push_noted(vec![Cell::text(statement), cell], note);
    };
    let printed = Published::Printed;
    let paths = "Our paths are drawn anew on the public maps.";
    add("paths of PRA*(∞) within 1 % of optimal (%)", printed(98.0), within(1.01), 0, paths);
    add("paths of PRA*(∞) within 0.5 % of optimal (%)", printed(95.0), within(1.005), 0, paths);
    add(
        "paths of PRA*(∞) more than 10 % over: very rare (%)",
        Published::About(0.0),
        within(1.1).map(|own| 100.0 - own),
        1,
        paths,
    );
    let gain = |measure: Measured| {
        let spread = gains(pra?, a_star?, measure, &(longest..f64::INFINITY));
        spread.percentile(95.0)
    };
    add(
        "A* takes how many times as long as PRA*(∞), at best (95th percentile from length 480)",
        Published::About(10.0),
        gain(PLANNING),
        0,
        &rates(a_star, pra),
    );
    add(
        "the same counted in expansions",
        Published::About(10.0),
        gain(EXPANSIONS),
        0,
        "By expansions, which no machine changes.",
    );
    let per_micro = a_star.and_then(nanoseconds_an_expansion).map(|ns| 1e3 / ns);
    add("expansions a microsecond", printed(2.2), per_micro, 1, &format!("{MACHINE}, twenty years on."));
    let whole = spread(partial, longest, PLANNING).and_then(|own| own.percentile(95.0));
    add(
        "planning a whole path by PRA*(16) from length 480 on, 95th percentile (ms)",
        Published::AtMost(60.0),
        whole,
        0,
        &format!("{MACHINE}. {}", upper_bound(60.0, whole, "It is of length 508 to 512.")),
    );
    let over = |measure: Measured| {
        let ratio = spread(partial, LONG, measure).and_then(|own| own.percentile(98.0));
        ratio.map(|ratio| 100.0 * (ratio - 1.0))
    };
    let (slow_down, over_shortest) = (over(SLOW_DOWN[2].1), over(OVER_SHORTEST));
    add(
        "slow-down of PRA*(16) with 1 ms a frame on long paths, 98th percentile (%): less than",
        Published::AtMost(5.0),
        slow_down,
        1,
        &upper_bound(5.0, slow_down, "How much is planned in a millisecond is a matter of the machine."),
    );
    add(
        "the same over a shortest path that is walked in one go (%)",
        Published::AtMost(5.0),
        over_shortest,
        1,
        &upper_bound(5.0, over_shortest, "The paper does not say which minimum it takes."),
    );
    table
}

/// What an expansion takes, over all paths.
fn nanoseconds_an_expansion(line: &Line<'_>) -> Option<f64> {
    let ns = 1e6 * line.sample(PLANNING).mean()? / line.sample(EXPANSIONS).mean()?;
    (ns > 0.0 && ns.is_finite()).then_some(ns)
}

/// How the gain in time comes from that in expansions.
fn rates(a_star: Option<&Line<'_>>, pra: Option<&Line<'_>>) -> String {
    let of = |line: Option<&Line<'_>>| line.and_then(nanoseconds_an_expansion);
    let (Some(of_a_star), Some(of_pra)) = (of(a_star), of(pra)) else { return String::new() };
    format!(
        "An expansion takes {} ns in our A* and {} ns in our PRA*(∞), all else that they do included; the paper has one pace for both.",
        significant(of_a_star, 2),
        significant(of_pra, 2)
    )
}

/// Figure 5: run time of A* and PRA*(∞), and how many times as long A* takes.
fn runtime(a_star: Option<&Line<'_>>, pra: Option<&Line<'_>>) -> Vec<Figure> {
    let percentiles = |line: Option<&Line<'_>>| -> Vec<Curve> {
        let Some(line) = line else { return Vec::new() };
        [5.0, 50.0, 95.0]
            .map(|percent| by_length(&format!("{percent:.0} %"), line, PLANNING, percent))
            .to_vec()
    };
    let ms = || Axis::linear("run time", Some("ms"));
    let gain = pra.zip(a_star).map_or_else(Vec::new, |(pra, a_star)| {
        [5.0, 50.0, 95.0]
            .map(|percent| Curve {
                name: format!("{percent:.0} %"),
                points: bins()
                    .filter_map(|bin| {
                        Some((bin.clone(), gains(pra, a_star, PLANNING, &bin).percentile(percent)?))
                    })
                    .collect(),
            })
            .to_vec()
    });
    vec![
        curve_figure(
            "pra2005-figure-5a",
            "Figure 5 a: run time of A*, percentiles",
            ms(),
            percentiles(a_star),
            &[],
        ),
        curve_figure(
            "pra2005-figure-5b",
            "Figure 5 b: run time of PRA*(∞), percentiles",
            ms(),
            percentiles(pra),
            &[],
        ),
        curve_figure(
            "pra2005-figure-5c",
            "Figure 5 c: run time of A* over that of PRA*(∞), path by path, percentiles",
            Axis::linear("A* / PRA*(∞)", None),
            gain,
            &["Published: grows about linearly with the length, to about 10 at best."],
        ),
    ]
}

/// Figure 6: quality of whole paths, and the time that they take.
fn quality(pra: Option<&Line<'_>>, partial: &[&Line<'_>]) -> Vec<Figure> {
    let of_pra = pra.map_or_else(Vec::new, |line| {
        [95.0, 98.0, 100.0]
            .map(|percent| {
                by_length(
                    &if percent == 100.0 { "largest".to_owned() } else { format!("{percent:.0} %") },
                    line,
                    LENGTH_RATIO,
                    percent,
                )
            })
            .to_vec()
    });
    let each = |measure: Measured, percent: f64| -> Vec<Curve> {
        partial
            .iter()
            .copied()
            .chain(pra)
            .map(|line| by_length(&title_of(line), line, measure, percent))
            .collect()
    };
    let ratio = || Axis::linear("path length over optimal", None);
    vec![
        curve_figure(
            "pra2005-figure-6a",
            "Figure 6 a: quality of PRA*(∞), percentiles",
            ratio(),
            of_pra,
            &["Published: 98 % of the paths within 1 %, 95 % within 0.5 %, more than 10 % very rare."],
        ),
        curve_figure(
            "pra2005-figure-6b",
            "Figure 6 b: quality of PRA*(k), 98th percentile",
            ratio(),
            each(LENGTH_RATIO, 98.0),
            &["Published in words: longer than those of PRA*(∞), but short enough for many purposes."],
        ),
        curve_figure(
            "pra2005-figure-6c",
            "Figure 6 c: run time of whole paths by PRA*(k), 95th percentile",
            Axis::linear("run time", Some("ms")),
            each(PLANNING, 95.0),
            &[
                "Published in words: grows faster than the length, less for larger k; PRA*(16) at 508 to 512 about as PRA*(∞), at most 60 ms.",
            ],
        ),
    ]
}

fn clocked(ms: u32, measure: Measured, everyone: &[&Line<'_>]) -> Figure {
    let published = "Published in words: with 1 ms, PRA*(16) is less than 5 % over the minimum on long paths, and ahead of s-A* and s-PRA*.";
    let id = format!("pra2005-figure-7-{ms}ms");
    let title = format!(
        "Figure 7, {ms} ms of planning a frame: frames over those of the same walk without thinking, 98th percentile"
    );
    game_figure((&id, &title), "slow-down", measure, everyone, published)
}

fn over_shortest(everyone: &[&Line<'_>]) -> Figure {
    let title = "Beyond the paper: the same with 1 ms, over a shortest path that is walked in one go";
    let note = "This counts what is lost by longer paths and by rounding to whole frames as well.";
    game_figure(("pra2005-over-shortest", title), "frames over shortest", OVER_SHORTEST, everyone, note)
}

/// A plot of the clocked game: 98th percentiles.
fn game_figure(
    (id, title): (&str, &str),
    axis: &str,
    measure: Measured,
    everyone: &[&Line<'_>],
    note: &str,
) -> Figure {
    let mut curves: Vec<Curve> =
        everyone.iter().map(|line| by_length(&game_title_of(line), line, measure, 98.0)).collect();
    let left_out = without_shortest(&mut curves);
    let notes: Vec<&str> = left_out.as_deref().into_iter().chain([note]).collect();
    curve_figure(id, title, Axis::linear(axis, None), curves, &notes)
}

fn title_of(line: &Line<'_>) -> String {
    match (line.spec.name(), line.spec.value("k")) {
        ("pra*", Some(k)) => format!("PRA*({k})"),
        ("pra*", None) => "PRA*(∞)".to_owned(),
        ("a*", _) => "A*".to_owned(),
        _ => line.name(),
    }
}

fn game_title_of(line: &Line<'_>) -> String {
    match (line.spec.name(), line.spec.value("k")) {
        ("pra*", None) => "s-PRA*".to_owned(),
        ("a*", _) => "s-A*".to_owned(),
        _ => title_of(line),
    }
}

fn quality_by_length(pra: Option<&Line<'_>>) -> Table {
    let mut table = Table::new(
        "pra2005-quality",
        "Quality of PRA*(∞) by length",
        vec![
            Column::new("length"),
            Column::new("paths"),
            Column::with_unit("within 0.5 %", "%"),
            Column::with_unit("within 1 %", "%"),
            Column::with_unit("above 10 %", "%"),
            Column::new("98 %"),
            Column::new("largest"),
        ],
    );
    let Some(pra) = pra else { return table };
    let ranges = (0..8).map(|at| f64::from(at) * 64.0..f64::from(at + 1) * 64.0).chain([0.0..f64::INFINITY]);
    for range in ranges {
        let spread = plain(pra, LENGTH_RATIO, &range);
        let known = |figure: f64| (spread.count() > 0).then_some(figure);
        let name = if range.end.is_finite() {
            format!("{} to {}", range.start, range.end - 1.0)
        } else {
            "all".to_owned()
        };
        table.push(vec![
            Cell::text(name),
            Cell::count(spread.count()),
            Cell::number(known(100.0 * spread.part_within(1.005)), 2),
            Cell::number(known(100.0 * spread.part_within(1.01)), 2),
            Cell::number(known(100.0 - 100.0 * spread.part_within(1.1)), 3),
            Cell::number(spread.percentile(98.0), 4),
            Cell::number(spread.max(), 4),
        ]);
    }
    table
}

/// The real-time algorithms in the clocked game.
fn real_time_table(lines: &[Line<'_>]) -> Table {
    let quarters: Vec<std::ops::Range<f64>> =
        (0..4).map(|at| f64::from(at) * 128.0..f64::from(at + 1) * 128.0).collect();
    let heads = ["algorithm", "paths", "not arrived", "slow-down, 98 %"].map(Column::new).into_iter();
    let more = [50, 98].into_iter().flat_map(|percent| {
        quarters
            .iter()
            .map(move |own| Column::new(format!("{percent} %, {} to {}", own.start, own.end - 1.0)))
    });
    let title = "Beyond the paper: real-time algorithms with 1 ms of planning a frame, frames over those of a shortest path";
    let mut table = Table::new("pra2005-real-time", title, heads.chain(more).collect());
    for line in lines {
        let slow_down = plain(line, SLOW_DOWN[2].1, &(0.0..f64::INFINITY));
        let mut cells = vec![
            Cell::text(line.name()),
            Cell::count(slow_down.count()),
            Cell::count(line.failures()),
            Cell::number(slow_down.percentile(98.0), 3),
        ];
        for percent in [50.0, 98.0] {
            cells.extend(
                quarters
                    .iter()
                    .map(|own| Cell::number(plain(line, OVER_SHORTEST, own).percentile(percent), 3)),
            );
        }
        table.push(cells);
    }
    table.notes.push(format!(
        "A walk that did not arrive counts as longer than all others; {} stands for a percentile that lies among them.",
        crate::report::NOTHING
    ));
    table
}

#[cfg(test)]
mod tests;
