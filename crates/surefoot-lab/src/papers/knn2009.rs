//! "kNN LRTA*: simple subgoaling for real-time search" (2009): Table 1 and Figure 8.

use super::lines::{Ensemble, Line, all_measures, difference, find, lines};
use super::reasons::{OTHER_MACHINE, building, longest_walks, without_record};
use crate::report::Published::Printed;
use crate::report::{Axis, Cell, Column, Figure, Item, Origin, Point, Section, Table, fixed};
use crate::runs::{MapFacts, ResultSet};

/// A line of Table 1.
struct Published {
    name: &'static str,
    spec: &'static str,
    build_minutes: f64,
    relative_size: f64,
    suboptimality_pct: f64,
    expansions: f64,
    reason: Reason,
}

/// Where to look for the reason of a difference.
#[derive(Clone, Copy)]
enum Reason {
    Ties,
    Records,
    Loops,
}

impl Reason {
    /// What the walks say about it.
    fn told(self, line: &Line<'_>, expansions: &Cell) -> String {
        match self {
            Self::Ties => "The paper does not say how ties are broken.".to_owned(),
            Self::Records => {
                let has_more = matches!(expansions, Cell::Beside(beside) if beside.ratio() > Some(1.0));
                let checks = " Our expansions count every step of the checks, from both ends.";
                without_record(line) + if has_more { checks } else { "" }
            }
            Self::Loops => {
                longest_walks(line)
                    + " Loops can decide here, and the paper does not say how they are broken."
            }
        }
    }
}

const TABLE_1: [Published; 8] = [
    line("LRTA*", "lrta*(d=3)", (0.0, 0.0), (447.95, 20.44), Reason::Ties),
    line("kNN LRTA* (1000)", "knn-lrta-2009*(n=1000)", (0.62, 0.09), (49.91, 42.68), Reason::Records),
    line("kNN LRTA* (5000)", "knn-lrta-2009*(n=5000)", (3.08, 0.46), (27.24, 28.54), Reason::Records),
    line("kNN LRTA* (10000)", "knn-lrta-2009*(n=10000)", (6.23, 0.92), (19.52, 25.11), Reason::Records),
    line("D LRTA* (7)", "d-lrta*(level=7)", (0.29, 1.06), (55.87, 20.34), Reason::Loops),
    line("D LRTA* (6)", "d-lrta*(level=6)", (0.35, 1.14), (22.57, 20.14), Reason::Loops),
    line("D LRTA* (5)", "d-lrta*(level=5)", (0.50, 1.39), (13.35, 19.98), Reason::Loops),
    line("D LRTA* (3)", "d-lrta*(level=3)", (1.91, 8.22), (10.13, 17.50), Reason::Loops),
];

const fn line(
    name: &'static str,
    spec: &'static str,
    (build_minutes, relative_size): (f64, f64),
    (suboptimality_pct, expansions): (f64, f64),
    reason: Reason,
) -> Published {
    Published { name, spec, build_minutes, relative_size, suboptimality_pct, expansions, reason }
}

/// The section of the paper.
#[must_use]
pub fn section(results: &ResultSet) -> Section {
    let lines = lines(&results.units);
    let published: Vec<Option<usize>> = TABLE_1.iter().map(|own| find(&lines, own.spec)).collect();
    let others: Vec<&Line<'_>> = (0..lines.len())
        .filter(|place| !published.contains(&Some(*place)))
        .map(|place| &lines[place])
        .collect();
    let table_lines: Vec<Option<&Line<'_>>> =
        published.iter().map(|place| place.map(|place| &lines[place])).collect();
    Section {
        id: "knn2009".to_owned(),
        title: "kNN LRTA*, 2009".to_owned(),
        items: vec![
            Item::Text(
                "Eight maps of Baldur's Gate and Warcraft III with 128 problems each, of optimal cost 100 to 150: the paper's own. Published \
                 times are of one core at 2.33 GHz; ours are of all cores."
                    .to_owned(),
            ),
            Item::Table(table_1(&table_lines, &others)),
            Item::Figure(figure_8(
                &table_lines,
                &others,
                ("knn2009-figure-8-size", "Figure 8, left: suboptimality against the size of the database"),
                Axis::linear("size of the database relative to the map", None),
                |own| own.relative_size,
                |line| Some(relative_size(line)),
            )),
            Item::Figure(figure_8(
                &table_lines,
                &others,
                ("knn2009-figure-8-expansions", "Figure 8, right: suboptimality against states expanded a move"),
                Axis::linear("states expanded a move", None),
                |own| own.expansions,
                |line| line.expansions().mean(),
            )),
            Item::Table(all_measures("knn2009-all", &lines)),
        ],
    }
}

/// States relative to the cells of the map, which the paper counts with a border of one cell around it.
fn relative_size(line: &Line<'_>) -> f64 {
    let cells = |map: &MapFacts| (f64::from(map.width) + 2.0) * (f64::from(map.height) + 2.0);
    line.relative_size(cells).unwrap_or(0.0)
}

fn table_1(published: &[Option<&Line<'_>>], others: &[&Line<'_>]) -> Table {
    let mut table = Table::new(
        "knn2009-table-1",
        "Table 1: resources and performance, means",
        vec![
            Column::new("algorithm"),
            Column::with_unit("suboptimality", "%"),
            Column::new("expansions a move"),
            Column::new("relative size"),
            Column::with_unit("build", "min"),
            Column::new("not arrived"),
        ]
        .into_iter()
        .chain(Ensemble::columns())
        .collect(),
    );
    for (own, line) in TABLE_1.iter().zip(published) {
        let beside = |theirs: f64, ours: &dyn Fn(&Line<'_>) -> Option<f64>, digits| {
            let spread = line.and_then(|line| line.spread(ours));
            Cell::beside(Some(Printed(theirs)), line.and_then(ours), digits).in_spread(spread)
        };
        let suboptimality = beside(own.suboptimality_pct, &|line| line.suboptimality().mean(), 2);
        let expansions = beside(own.expansions, &|line| line.expansions().mean(), 2);
        let size = beside(own.relative_size, &|line| Some(relative_size(line)), 2);
        let build = beside(own.build_minutes, &|line| Some(line.build_seconds() / 60.0), 2)
            .apart((own.build_minutes > 0.0).then_some(OTHER_MACHINE));
        let ensemble = line.and_then(Line::ensemble);
        let spread = ensemble.as_ref().map_or(String::new(), |ours| ours.told(own.suboptimality_pct));
        let figures =
            [("suboptimality", &suboptimality), ("expansions a move", &expansions), ("the size", &size)];
        let reason = line.map_or_else(String::new, |line| own.reason.told(line, &expansions));
        let note = difference(&figures, &format!("{spread}{reason}"));
        let note = note.or_else(|| difference(&[("building time", &build)], ""));
        let failures = line.map_or(Cell::Missing, |line| Cell::count(line.failures()));
        let cells = [Cell::text(own.name), suboptimality, expansions, size, build, failures];
        table.push_noted(cells.into_iter().chain(Ensemble::cells(ensemble.as_ref())).collect(), note);
    }
    for line in others {
        let cells = [
            Cell::text(line.name()),
            Cell::number(line.suboptimality().mean(), 2),
            Cell::number(line.expansions().mean(), 2),
            Cell::Number(relative_size(line), 2),
            Cell::Number(line.build_seconds() / 60.0, 2),
            Cell::count(line.failures()),
        ];
        table.push(cells.into_iter().chain(Ensemble::cells(line.ensemble().as_ref())).collect());
    }
    table.notes.push(
        "Lines without published figures are the same problems with the algorithm of 2010 and with other readings of D LRTA*."
            .to_owned(),
    );
    let shares = TABLE_1.iter().zip(published).filter(|(own, _)| own.build_minutes > 0.0);
    let shares = shares.filter_map(|(own, line)| Some((*line)?.build_seconds() / 60.0 / own.build_minutes));
    table.notes.extend(building(shares, "other machines, all cores, and jump points instead of A*"));
    table
}

/// One of the two plots of Figure 8. LRTA* alone, at several hundred percent, is left out as in the paper.
fn figure_8(
    published: &[Option<&Line<'_>>],
    others: &[&Line<'_>],
    (id, title): (&str, &str),
    x: Axis,
    theirs: impl Fn(&Published) -> f64,
    ours: impl Fn(&Line<'_>) -> Option<f64>,
) -> Figure {
    let mut figure = Figure::new(id, title, x, Axis::linear("suboptimality", Some("%")));
    let of_line = |line: &Line<'_>| {
        let (x, y) = (ours(line)?, line.suboptimality().mean()?);
        let label = format!("{}: {} %, {}", line.name(), fixed(y, 2), fixed(x, 2));
        Some(Point { x, y, label })
    };
    for (own, line) in TABLE_1.iter().zip(published).skip(1) {
        let family = own.name.split(" (").next().unwrap_or(own.name);
        let (x, y) = (theirs(own), own.suboptimality_pct);
        let label = format!("{}, published: {} %, {}", own.name, fixed(y, 2), fixed(x, 2));
        figure.add_point(family, Origin::Published, Point { x, y, label });
        if let Some(point) = line.and_then(of_line) {
            figure.add_point(family, Origin::Ours, point);
        }
    }
    for line in others {
        let family = match line.spec.name() {
            "knn-lrta*" => "kNN LRTA* of 2010",
            "d-lrta*" => "D LRTA*, other readings",
            _ => "others",
        };
        if let Some(point) = of_line(line) {
            figure.add_point(family, Origin::Ours, point);
        }
    }
    let words =
        "LRTA* without subgoals (published: 447.95 %) is far above all others and left out, as in the paper.";
    figure.notes.push(words.to_owned());
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::lines::tests::unit;
    use crate::papers::tests::results;

    #[test]
    fn all_eight_lines_are_there_with_and_without_results() {
        for units in [
            Vec::new(),
            vec![
                unit("lrta*(d=3)", "a", 1, &[(Some(447.95), 20.44)]),
                unit("knn-lrta-2009*(n=1000)", "a", 1, &[(Some(80.0), 40.0), (None, 1.0)]),
                unit("knn-lrta-2009*(n=1000)", "a", 2, &[(Some(40.0), 40.0)]),
                unit("knn-lrta*(n=1000)", "a", 1, &[(Some(30.0), 2.0)]),
            ],
        ] {
            let has_results = !units.is_empty();
            let section = section(&results("knn2009", units));
            let Item::Table(table) = &section.items[1] else { panic!("a table") };
            assert_eq!(table.rows.len(), if has_results { 9 } else { 8 });
            assert!(table.unexplained().is_empty());
            if has_results {
                assert_eq!(table.rows[0].note, None);
                let note = table.rows[1].note.as_ref().unwrap();
                assert!(note.starts_with("Suboptimality is 1.20 times what was published"), "{note}");
                assert!(
                    note.contains("lies within what our 2 seeds give: 50 % of them are below it"),
                    "{note}"
                );
                assert_eq!(table.rows[1].cells[8], Cell::text("40.00 to 80.00"));
            }
            let Item::Figure(figure) = &section.items[3] else { panic!("a figure") };
            assert_eq!(
                figure.series.iter().map(|own| own.points.len()).sum::<usize>(),
                if has_results { 9 } else { 7 }
            );
        }
    }
}
