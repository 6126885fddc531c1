//! How near the published figures come out: every table and figure of the papers with its cells counted.

use crate::report::{Beside, Cell, Column, Figure, Item, Match, Origin, Section, Table, fixed};

/// The id of the section.
const ID: &str = "matches";

/// The columns that count cells, each with what it counts. What is not there comes last.
const COUNTED: [(&str, Match); 6] = [
    ("within 10 %", Match::Near),
    ("inside our spread", Match::InSpread),
    ("within 2 times", Match::Twice),
    ("off", Match::Off),
    ("not comparable", Match::Apart),
    ("not run", Match::Missing),
];

/// Cells, by how near ours comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts([u64; COUNTED.len()]);

impl Counts {
    fn add(&mut self, verdict: Match) {
        for (count, (_, own)) in self.0.iter_mut().zip(COUNTED) {
            *count += u64::from(own == verdict);
        }
    }

    fn join(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }

    fn all(self) -> u64 {
        self.0.iter().sum()
    }

    /// Those that can be compared, and those of them that match.
    fn comparable(self) -> (u64, u64) {
        let [near, in_spread, twice, off, ..] = self.0;
        (near + in_spread + twice + off, near + in_spread)
    }

    /// How much of it was reproduced, in a word. Of a run that is not finished nothing is there in full.
    fn extent(self, is_finished: bool) -> &'static str {
        let [.., missing] = self.0;
        match (missing, self.all()) {
            (0, _) if is_finished => "in full",
            (missing, all) if missing == all => "not run",
            _ => "in part",
        }
    }

    fn row(self, what: &str, is_finished: bool, why: String) -> Vec<Cell> {
        let counts = self.0.into_iter().map(Cell::count);
        let head = [Cell::text(what), Cell::text(self.extent(is_finished)), Cell::count(self.all())];
        head.into_iter().chain(counts).chain([Cell::text(why)]).collect()
    }
}

/// The section on what the sections of the papers come to, each with whether its run is finished. `None` if
/// nothing in them was published.
pub(super) fn section(papers: &[(Section, bool)]) -> Option<Section> {
    let columns =
        ["published", "reproduced", "cells"].into_iter().chain(COUNTED.map(|own| own.0)).chain(["why"]);
    let mut table = Table::new(
        "matches",
        "Every published table and figure, by its cells",
        columns.map(Column::new).collect(),
    );
    let mut total = Counts::default();
    for (section, is_finished) in papers {
        for item in &section.items {
            let (title, counts, why) = match item {
                Item::Text(_) => continue,
                Item::Table(own) => of_table(own),
                Item::Figure(own) => of_figure(own),
            };
            if counts.all() > 0 {
                table.push(counts.row(&format!("{}: {title}", section.title), *is_finished, why));
            }
            if matches!(item, Item::Table(_)) {
                total.join(counts);
            }
        }
    }
    let (comparable, matching) = total.comparable();
    if total.all() == 0 {
        return None;
    }
    let is_finished = papers.iter().all(|(_, is_finished)| *is_finished);
    table.push(total.row("all tables", is_finished, String::new()));
    table.notes.push(
        "A cell is a published figure. It matches if ours is within 10 % of it, or if it lies between the lowest and the highest of ours over seeds, \
         or over the ways to lay the maps. Points of figures stand in tables, too, and are not counted again in the sum."
            .to_owned(),
    );
    let share = match comparable {
        0 => "No published figure can be compared yet.".to_owned(),
        _ => format!(
            "{matching} of {comparable} comparable figures match: {} %.",
            fixed(100.0 * matching as f64 / comparable as f64, 1)
        ),
    };
    let items = vec![Item::Text(share), Item::Table(table)];
    Some(Section { id: ID.to_owned(), title: "How near the published figures come out".to_owned(), items })
}

fn of_table(table: &Table) -> (String, Counts, String) {
    let mut counts = Counts::default();
    let mut reasons: Vec<&str> = Vec::new();
    for row in &table.rows {
        for cell in &row.cells {
            let Cell::Beside(beside) = cell else { continue };
            let Some(verdict) = beside.verdict() else { continue };
            counts.add(verdict);
            reasons.extend(reason(beside, verdict).filter(|why| !reasons.contains(why)));
        }
    }
    (table.title.clone(), counts, reasons.join("; "))
}

/// Why a cell cannot be compared.
fn reason(beside: &Beside, verdict: Match) -> Option<&'static str> {
    (verdict == Match::Apart).then(|| beside.apart.unwrap_or("digits that are lost"))
}

/// The points of a figure: a series that was published beside ours of the same name, or alone.
fn of_figure(figure: &Figure) -> (String, Counts, String) {
    let mut counts = Counts::default();
    for series in figure.series.iter().filter(|series| series.origin == Origin::Published) {
        let is_there = figure
            .series
            .iter()
            .any(|own| own.origin == Origin::Ours && own.name == series.name && !own.points.is_empty());
        let verdict = if is_there { Match::Apart } else { Match::Missing };
        series.points.iter().for_each(|_| counts.add(verdict));
    }
    (figure.title.clone(), counts, "its points stand in the tables".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Published::{Lost, Printed};
    use crate::report::{Axis, Point};

    fn cells(row: &[Cell]) -> Vec<f64> {
        let number = |cell: &Cell| match cell {
            Cell::Number(value, 0) => Some(*value),
            _ => None,
        };
        row.iter().filter_map(number).collect()
    }

    #[test]
    fn cells_are_counted_by_how_near_they_come() {
        let mut table = Table::new("t", "Table 9", vec![Column::new("a"), Column::new("b")]);
        let beside = |published, ours| Cell::beside(Some(published), ours, 1);
        table.push(vec![beside(Printed(10.0), Some(10.5)), beside(Printed(10.0), Some(19.0))]);
        table.push(vec![
            beside(Printed(10.0), Some(50.0)).in_spread(Some((1.0, 90.0))),
            beside(Lost, Some(1.0)),
        ]);
        table.push(vec![beside(Printed(10.0), Some(10.0)).apart(Some("other maps")), Cell::text("no cell")]);
        table.push(vec![beside(Printed(10.0), None), beside(Printed(10.0), Some(50.0))]);
        let mut figure = Figure::new("f", "Figure 9", Axis::linear("x", None), Axis::linear("y", None));
        let point = || Point { x: 1.0, y: 1.0, label: "p".to_owned() };
        figure.add_point("known", Origin::Published, point());
        figure.add_point("known", Origin::Ours, point());
        figure.add_point("unknown", Origin::Published, point());
        let paper = Section {
            id: "p".to_owned(),
            title: "Paper".to_owned(),
            items: vec![Item::Table(table), Item::Figure(figure), Item::Text(String::new())],
        };
        let unfinished = super::section(&[(paper.clone(), false)]).unwrap();
        let section = section(&[(paper, true)]).unwrap();
        assert_eq!(section.items[0], Item::Text("2 of 4 comparable figures match: 50.0 %.".to_owned()));
        let Item::Table(matches) = &section.items[1] else { panic!("a table") };
        assert_eq!(matches.rows.len(), 3);
        assert_eq!(cells(&matches.rows[0].cells), [7.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0]);
        assert_eq!(matches.rows[0].cells[0], Cell::text("Paper: Table 9"));
        assert_eq!(matches.rows[0].cells[1], Cell::text("in part"));
        assert_eq!(matches.rows[0].cells[9], Cell::text("digits that are lost; other maps"));
        assert_eq!(cells(&matches.rows[1].cells), [2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
        let Item::Table(in_part) = &unfinished.items[1] else { panic!("a table") };
        assert_eq!(in_part.rows[0].cells[1], Cell::text("in part"));
        // The sum is that of the table.
        assert_eq!(cells(&matches.rows[2].cells), cells(&matches.rows[0].cells));
        assert!(matches.rows.iter().all(|row| row.cells.len() == matches.columns.len()));
    }

    #[test]
    fn plans_without_published_figures_have_no_such_section() {
        assert_eq!(super::section(&[(Section::default(), true)]), None);
    }
}
