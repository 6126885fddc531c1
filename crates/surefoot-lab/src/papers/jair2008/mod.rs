//! "Dynamic Control in Real-Time Heuristic Search" (JAIR 2008): Tables 3 to 6, the plots of suboptimality
//! against planning, and what the paper claims.
//!
//! [`original`] has the plot of the maps at their original size, from a plan of its own.
//!
//! The digits of its text are lost: what is known of its tables is known from elsewhere and marked as
//! "about". Its maps are those of `wc3maps512`, its problems are not public.

mod claims;
mod databases;
mod figures;

use super::lines::{self, Ensemble, Line, all_measures, difference, find};
use super::reasons::OTHER_MACHINE;
use crate::measures::{amortisation, best_under_limits};
use crate::report::Published::{About, Lost};
use crate::report::{Beside, Cell, Column, Item, Section, Table, significant, thousands};
use crate::runs::ResultSet;

/// The limits on the states expanded in a move at which the paper disqualifies an algorithm.
const CUT_OFFS: [u64; 2] = [1_000, 10_000];

/// Table 3: name, the line it stands beside, states a move, suboptimality in times.
const TABLE_3: [(&str, &str, f64, f64); 5] = [
    ("PR LRTA*(F, G), level 4, d 5, γ 1", "pr-lrta*(f,g;level=4,d=5)", 15.06, 1.161),
    ("LRTA*(PDB, PDB), level 3, cap 3000", "lrta*(pdb,pdb;level=3,cap=3000)", 1.032, 1.061),
    ("A*", "a*", 119.8, 1.0),
    ("weighted A*, f = g/5 + h", "weighted-a*(gamma=0.2)", 24.86, 1.146),
    ("PRA*", "pra*", 10.83, 1.001),
];

/// Table 4: from which limit on, which algorithm is the best, and its suboptimality in percent.
const TABLE_4: [(u64, &str, f64); 11] = [
    (1, "LRTA*(F, PDB) d 1, level 3", 10.23),
    (9, "LRTA*(F, PDB) d 2, level 3", 8.67),
    (25, "LRTA*(F, PDB) d 3, level 3", 5.68),
    (49, "LRTA*(F, PDB) d 4, level 3", 5.68),
    (121, "LRTA*(F, PDB) d 6, level 3", 5.67),
    (729, "LRTA*(F, PDB) d 14, level 3", 5.63),
    (754, "PR LRTA*(PDB, G) cap 15, level 3", 4.21),
    (1_224, "PR LRTA*(PDB, G) cap 20, level 3", 3.69),
    (1_935, "PR LRTA*(PDB, G) cap 1000, level 3", 3.54),
    (3_454, "PRA*", 0.13),
    (88_138, "A*", 0.0),
];

/// Table 5: level, pairs of regions, hours to build.
const TABLE_5: [(u32, f64, f64); 5] =
    [(3, 6.1e6, 13.0), (4, 8.6e5, 3.0), (5, 1.5e5, 1.0), (6, 3.1e4, 0.4), (7, 6.4e3, 1.0 / 6.0)];

/// What is said of A*.
const A_STAR: &str = "It is not known why: the published figure is recalled, not printed, and how ties are broken does not explain it.";

const PROBLEMS: &str = "The paper's problems are not public: ours are drawn anew on its maps. It does not state the corner rule.";

/// The section of the paper.
#[must_use]
pub fn section(results: &ResultSet) -> Section {
    let lines = lines::lines(&results.units);
    let mut items = vec![
        Item::Text(format!(
            "Three maps of Warcraft III at 512 × 512, problems of optimal cost 90 to 100 times the scale. {PROBLEMS} Planning is counted in states expanded. \
             Published figures are about: the digits of the paper's text are lost, and what stands here is known from elsewhere."
        )),
        Item::Table(table_3(&lines)),
        Item::Table(table_4(&lines)),
        Item::Table(cut_offs(&lines)),
        Item::Table(table_5(&lines)),
    ];
    items.push(table_6(&lines));
    items.push(Item::Table(databases::table(&lines)));
    items.push(Item::Table(claims::table(&lines)));
    items.extend(figures::figures(&lines).into_iter().map(Item::Figure));
    items.push(Item::Table(all_measures("jair2008-all", &lines)));
    Section { id: "jair2008".to_owned(), title: "Dynamic control, JAIR 2008".to_owned(), items }
}

/// The section of Figure 10: maps of their original size.
#[must_use]
pub fn original(results: &ResultSet) -> Section {
    let lines = lines::lines(&results.units);
    let items = vec![
        Item::Text(format!(
            "The three maps before they were scaled up, 161 × 161 and 193 × 193, problems of optimal cost 90 to 100. {PROBLEMS} Planning is counted in states \
             expanded. Decision trees are grown from these maps and tried by cross-validation, as in the paper. The paper's points are in a plot \
             alone."
        )),
        Item::Figure(figures::figure_10(&lines)),
        Item::Table(databases::table_of("jair2008-original-databases", &lines)),
        Item::Table(all_measures("jair2008-original-all", &lines)),
    ];
    let title = "Dynamic control, JAIR 2008, original size".to_owned();
    Section { id: "jair2008-original".to_owned(), title, items }
}

/// The mean cost of a walk over the optimum, in times, as the paper has it.
fn times(line: &Line<'_>) -> Option<f64> {
    line.suboptimality().mean().map(|percent| 1.0 + percent / 100.0)
}

fn table_3(lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        "jair2008-table-3",
        "Table 3: algorithms of high performance",
        vec![
            Column::new("algorithm"),
            Column::new("states a move"),
            Column::new("standard error"),
            Column::with_unit("suboptimality", "times"),
            Column::new("standard error"),
            Column::new("worst move"),
            Column::new("not arrived"),
        ]
        .into_iter()
        .chain(Ensemble::columns())
        .collect(),
    );
    for (name, spec, planning, suboptimality) in TABLE_3 {
        let line = find(lines, spec).map(|place| &lines[place]);
        let beside = |theirs: f64, ours: fn(&Line<'_>) -> Option<f64>, digits| {
            let spread = line.and_then(|line| line.spread(ours));
            Cell::beside(Some(About(theirs)), line.and_then(ours), digits).in_spread(spread)
        };
        let planning = beside(planning, |line| line.expansions().mean(), 2);
        let quality = beside(suboptimality, times, 3);
        let note = difference(
            &[("planning", &planning), ("suboptimality", &quality)],
            if spec == "a*" { A_STAR } else { PROBLEMS },
        );
        let error = |error: Option<f64>, digits| Cell::number(error, digits);
        let cells = [
            Cell::text(name),
            planning,
            error(line.and_then(|line| line.expansions().standard_error()), 2),
            quality,
            error(line.and_then(|line| line.suboptimality().standard_error()).map(|own| own / 100.0), 3),
            line.map_or(Cell::Missing, |line| Cell::count(line.worst_move())),
            line.map_or(Cell::Missing, |line| Cell::count(line.failures())),
        ];
        let ensemble = line.and_then(Line::ensemble);
        table.push_noted(cells.into_iter().chain(Ensemble::cells(ensemble.as_ref())).collect(), note);
    }
    if table.rows.iter().any(|row| matches!(row.cells[1], Cell::Beside(Beside { ours: None, .. }))) {
        table.notes.push(
            "Lines without a figure of ours were not part of the run. The database of LRTA*(PDB, PDB) without a cap takes 13 hours in the paper, at \
             level 3."
                .to_owned(),
        );
    }
    table
}

fn table_4(lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        "jair2008-table-4",
        "Table 4: the best under a limit on the states expanded in a move",
        vec![
            Column::new("limit from"),
            Column::new("best of ours"),
            Column::new("best in the paper"),
            Column::with_unit("suboptimality", "%"),
        ]
        .into_iter()
        .chain(Ensemble::columns())
        .collect(),
    );
    let complete: Vec<&Line<'_>> = lines.iter().filter(|line| line.always_arrives()).collect();
    let figures: Vec<(u64, f64)> = complete
        .iter()
        .map(|line| (line.worst_move(), line.suboptimality().mean().unwrap_or(f64::INFINITY)))
        .collect();
    let ours = best_under_limits(&figures);
    let mut limits: Vec<u64> = ours.iter().map(|own| own.0).chain(TABLE_4.iter().map(|own| own.0)).collect();
    limits.sort_unstable();
    limits.dedup();
    for limit in limits {
        let mine = ours.iter().rfind(|(from, _)| *from <= limit);
        let theirs = TABLE_4.iter().rfind(|(from, ..)| *from <= limit);
        let spread = mine.and_then(|own| complete[own.1].spread(|line| line.suboptimality().mean()));
        let percent = Cell::beside(theirs.map(|own| About(own.2)), mine.map(|own| figures[own.1].1), 2)
            .in_spread(spread);
        let cells = [
            Cell::text(thousands(limit)),
            mine.map_or(Cell::Missing, |own| Cell::text(complete[own.1].name())),
            theirs.map_or(Cell::Missing, |own| Cell::text(own.1)),
            percent,
        ];
        let ensemble = mine.and_then(|own| complete[own.1].ensemble());
        table.push(cells.into_iter().chain(Ensemble::cells(ensemble.as_ref())).collect());
    }
    table.notes.push(format!(
        "An algorithm counts if no move of any walk exceeds the limit and every walk arrives. Limits at which either the best of ours or that of the \
         paper changes. {PROBLEMS} Which algorithms take part depends on the run: level 3 is not in a quick one."
    ));
    table
}

fn cut_offs(lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        "jair2008-cut-offs",
        "Algorithms that a limit on the states expanded in a move disqualifies",
        vec![
            Column::new("limit"),
            Column::new("disqualified"),
            Column::new("of"),
            Column::new("which, with their worst move"),
        ],
    );
    for limit in CUT_OFFS {
        let beyond: Vec<String> = lines
            .iter()
            .filter(|line| line.worst_move() > limit)
            .map(|line| format!("{} {}", line.name(), thousands(line.worst_move())))
            .collect();
        table.push(vec![
            Cell::text(thousands(limit)),
            Cell::count(beyond.len() as u64),
            Cell::count(lines.len() as u64),
            if beyond.is_empty() { Cell::text("none") } else { Cell::text(beyond.join(", ")) },
        ]);
    }
    table
}

fn table_5(lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        "jair2008-table-5",
        "Table 5: pattern databases for intermediate goals, means over the maps",
        vec![
            Column::new("level"),
            Column::new("pairs of regions"),
            Column::with_unit("build", "h"),
            Column::with_unit("file", "KB"),
            Column::new("states a move"),
            Column::with_unit("suboptimality", "times"),
        ],
    );
    for (level, pairs, hours) in TABLE_5 {
        let of = |spec: String| find(lines, &spec).map(|place| &lines[place]);
        let database = of(format!("lrta*(f,pdb;level={level})"));
        let walks = of(format!("lrta*(pdb,pdb;level={level},cap=20)"));
        let cells = vec![
            Cell::text(level.to_string()),
            Cell::beside(
                Some(About(pairs)),
                database.and_then(|line| line.of_databases(|_, own| own.entries as f64)),
                0,
            ),
            Cell::beside(
                Some(About(hours)),
                database.and_then(|line| line.of_databases(|_, own| own.build_seconds / 3600.0)),
                2,
            )
            .apart(Some(OTHER_MACHINE)),
            Cell::number(database.and_then(|line| line.of_databases(|_, own| own.bytes as f64 / 1024.0)), 1),
            Cell::beside(Some(Lost), walks.and_then(|line| line.expansions().mean()), 2),
            Cell::beside(Some(Lost), walks.and_then(times), 3),
        ];
        let note = difference(&[("the number of pairs", &cells[1]), ("building time", &cells[2])], "");
        table.push_noted(cells, note);
    }
    table.notes.push(
        "Pairs and building time are those of the subgoals; states a move and suboptimality those of LRTA*(PDB, PDB) with a cap of 20. The published pairs \
         are rounded to two digits, and of one map. Published times are of one core at 3 GHz by another method; ours take all cores."
            .to_owned(),
    );
    table
}

/// Table 6: how long LRTA*(PDB, PDB) must walk until its database has paid for itself.
fn table_6(lines: &[Line<'_>]) -> Item {
    let named = |name: &'static str| {
        lines.iter().filter(move |line| line.spec.algorithm() == name && line.always_arrives())
    };
    let quality = |line: &Line<'_>| line.suboptimality().mean().unwrap_or(f64::INFINITY);
    let mut table = Table::new(
        "jair2008-table-6",
        "Table 6: when a database has paid for itself",
        vec![
            Column::new("LRTA*(PDB, PDB)"),
            Column::new("nearest PR LRTA*(F, G)"),
            Column::with_unit("suboptimality", "%"),
            Column::with_unit("of the other", "%"),
            Column::new("moves"),
            Column::with_unit("run time", "s"),
        ],
    );
    for line in named("lrta*(pdb,pdb)") {
        let away = |other: &Line<'_>| (quality(other) - quality(line)).abs();
        let timed = named("pr-lrta*(f,g)").filter(|other| other.micros().mean().is_some());
        let nearest = timed.min_by(|a, b| away(a).total_cmp(&away(b)));
        let Some((nearest, own, other)) =
            nearest.and_then(|nearest| Some((nearest, line.micros().mean()?, nearest.micros().mean()?)))
        else {
            continue;
        };
        let paid = amortisation(line.build_seconds(), own * 1e3, other * 1e3);
        table.push(vec![
            Cell::text(line.name()),
            Cell::text(nearest.name()),
            Cell::Number(quality(line), 2),
            Cell::Number(quality(nearest), 2),
            paid.map_or(Cell::text("never"), |paid| Cell::text(significant(paid.moves, 3))),
            Cell::number(paid.map(|paid| paid.seconds), 2),
        ]);
    }
    if table.rows.is_empty() {
        return Item::Text(
            "Table 6, when a database has paid for itself, needs walks that were timed: this run has none. The published digits are lost but for the run time, \
             between half an hour and some tens of hours."
                .to_owned(),
        );
    }
    table.notes.push("Moves after which building and walking together take less time than the nearest algorithm without a database. The published digits are lost.".to_owned());
    Item::Table(table)
}

#[cfg(test)]
mod tests;
