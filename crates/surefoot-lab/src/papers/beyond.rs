//! Beyond the papers: `beacon*` beside the algorithms of the papers and exact search, and where it is on the
//! front and where not.

use super::lines::{self, Line, all_measures};
use crate::measures::{BYTES_A_STATE, pareto_front};
use crate::report::{Cell, Column, Item, Section, Table, significant};
use crate::rows::Row;
use crate::runs::{ResultSet, UnitResult};

/// Surefoot's own algorithm.
const OWN: &str = "beacon*";

/// A measure of which less is better.
struct Measure {
    name: &'static str,
    unit: &'static str,
    digits: u8,
    of: fn(&Line<'_>) -> Option<f64>,
}

/// The measures whose pairs are looked at.
const MEASURES: [Measure; 6] = [
    Measure { name: "suboptimality", unit: "%", digits: 3, of: |line| line.suboptimality().mean() },
    Measure { name: "mean move", unit: "µs", digits: 3, of: |line| line.micros().mean() },
    Measure { name: "worst move", unit: "µs", digits: 1, of: |line| slowest(line, |row| row.plan_ns_max) },
    Measure { name: "first move", unit: "µs", digits: 1, of: |line| micros(line, |row| row.first_move_ns) },
    Measure { name: "build", unit: "s", digits: 2, of: |line| Some(line.build_seconds()) },
    Measure { name: "memory", unit: "MB", digits: 3, of: megabytes },
];

/// The section of the comparison.
#[must_use]
pub fn section(results: &ResultSet) -> Section {
    let all: Vec<&UnitResult> = results.units.iter().collect();
    let mut items = vec![
        Item::Text(
            "Less is better in all measures. Databases are built on all cores, walks are timed one at a time: the worst move is that of all walks, the first \
             move the mean over walks, each move at its fastest of the plan's passes. Memory is the database as agents look it up and four bytes for each state \
             that an agent holds for itself in the mean; the map is not counted. Walks that did not arrive are in no figure but the worst move."
                .to_owned(),
        ),
        Item::Table(comparison("beyond-comparison", "All maps together", &all)),
    ];
    items.extend(fronts(&lines::lines(all.iter().copied())));
    for (number, map) in maps(&all).into_iter().enumerate() {
        let units: Vec<&UnitResult> = all.iter().copied().filter(|unit| name_of(unit) == map).collect();
        let id = format!("beyond-map-{}", number + 1);
        items.push(Item::Table(comparison(&id, &map, &units)));
    }
    items.push(Item::Table(all_measures("beyond-all", &lines::lines(all.iter().copied()))));
    Section { id: "beyond".to_owned(), title: "Beyond the papers".to_owned(), items }
}

fn name_of(unit: &UnitResult) -> String {
    let map = &unit.map;
    format!("{}, {} states, {} with {}", map.name, map.states, map.rule, map.cost)
}

/// The names of the maps in their order.
fn maps(units: &[&UnitResult]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in units.iter().map(|unit| name_of(unit)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A line for each algorithm, and a column for each measure.
fn comparison(id: &str, title: &str, units: &[&UnitResult]) -> Table {
    let measures = MEASURES.iter().map(|own| Column::with_unit(own.name, own.unit));
    let columns = ["algorithm", "walks", "not arrived"].into_iter().map(Column::new).chain(measures);
    let mut table = Table::new(id, title, columns.chain([Column::with_unit("worst walk", "%")]).collect());
    for line in lines::lines(units.iter().copied()) {
        let measures = MEASURES.iter().map(|own| Cell::number((own.of)(&line), own.digits));
        let walks = [Cell::count(line.rows().count() as u64), Cell::count(line.failures())];
        let worst = Cell::number(line.suboptimality().spread().max(), 2);
        let name = Cell::text(line.name());
        table.push([name].into_iter().chain(walks).chain(measures).chain([worst]).collect());
    }
    table
}

/// The front of each pair of measures, and a sentence for each that our own algorithm is not on.
fn fronts(lines: &[Line<'_>]) -> Vec<Item> {
    let Some(own) = lines.iter().position(|line| line.spec.name() == OWN) else { return Vec::new() };
    let figures: Vec<Vec<f64>> = MEASURES
        .iter()
        .map(|measure| lines.iter().map(|line| (measure.of)(line).unwrap_or(f64::NAN)).collect())
        .collect();
    let columns = ["measures", "on the front, best in the first to best in the second", OWN];
    let mut table = Table::new(
        "beyond-fronts",
        "Fronts of all pairs of measures: what nothing else beats in both",
        columns.into_iter().map(Column::new).collect(),
    );
    for (place, first) in MEASURES.iter().enumerate() {
        for (second_place, second) in MEASURES.iter().enumerate().skip(place + 1) {
            let pairs: Vec<(f64, f64)> =
                figures[place].iter().copied().zip(figures[second_place].iter().copied()).collect();
            let front = pareto_front(&pairs);
            let is_on = front.contains(&own);
            let note = (!is_on).then(|| beaten((first, second), lines, &pairs, own));
            let names: Vec<String> = front.iter().map(|&place| name_with_mark(&lines[place])).collect();
            let cells = [
                format!("{}, {}", first.name, second.name),
                names.join(", "),
                if is_on { "on it" } else { "not on it" }.to_owned(),
            ];
            table.push_noted(cells.into_iter().map(Cell::text).collect(), note);
        }
    }
    if lines.iter().any(|line| !line.always_arrives()) {
        table.notes.push("* not all of its walks arrived, and those that did not are left out.".to_owned());
    }
    vec![Item::Table(table)]
}

/// The name of an algorithm, marked if not all of its walks arrived.
fn name_with_mark(line: &Line<'_>) -> String {
    if line.always_arrives() { line.name() } else { format!("{} (*)", line.name()) }
}

/// Who is better than our own in both measures, with the figures of the one that is best in the first.
fn beaten(
    (first, second): (&Measure, &Measure),
    lines: &[Line<'_>],
    figures: &[(f64, f64)],
    own: usize,
) -> String {
    let ours = figures[own];
    let beats = |place: &usize| figures[*place].0 <= ours.0 && figures[*place].1 <= ours.1 && *place != own;
    let better: Vec<usize> = pareto_front(figures).into_iter().filter(beats).collect();
    let figure = |value: f64, measure: &Measure| format!("{} {}", significant(value, 3), measure.unit);
    let told = better.iter().map(|&place| {
        let (a, b) = figures[place];
        format!("{} ({}, {})", name_with_mark(&lines[place]), figure(a, first), figure(b, second))
    });
    format!(
        "{OWN} has {} and {}; better in one and no worse in the other: {}.",
        figure(ours.0, first),
        figure(ours.1, second),
        told.collect::<Vec<_>>().join(", ")
    )
}

fn micros(line: &Line<'_>, figure: fn(&Row) -> Option<u64>) -> Option<f64> {
    line.sample(|row| figure(row).map(|ns| ns as f64 / 1e3)).mean()
}

/// The slowest of all walks, those included that did not arrive.
fn slowest(line: &Line<'_>, figure: fn(&Row) -> Option<u64>) -> Option<f64> {
    line.rows().filter_map(figure).max().map(|ns| ns as f64 / 1e3)
}

/// The database in memory, mean over maps, and what an agent holds for itself, mean over walks.
fn megabytes(line: &Line<'_>) -> Option<f64> {
    let agent = line.sample(|row| Some(row.online_states as f64)).mean()? * BYTES_A_STATE;
    let bytes = |own: &crate::runs::DatabaseFacts| own.memory_bytes.unwrap_or(own.bytes) as f64;
    Some((line.of_databases(|_, own| bytes(own)).unwrap_or(0.0) + agent) / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::lines::tests::unit;
    use crate::papers::tests::results;

    #[test]
    fn every_pair_has_a_front_and_a_sentence_where_our_own_is_not_on_it() {
        let mut own = unit("beacon*", "m", 1, &[(Some(1.0), 2.0), (Some(3.0), 2.0)]);
        own.database = unit("knn-lrta*", "m", 1, &[]).database;
        let units = vec![
            own,
            unit("a*", "m", 1, &[(Some(0.0), 9.0)]),
            unit("tba*(slice=50)", "m", 1, &[(Some(90.0), 9.0), (None, 9.0)]),
        ];
        let section = section(&results("beyond", units));
        let tables: Vec<&Table> = section
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Table(table) => Some(table),
                _ => None,
            })
            .collect();
        let ids: Vec<&str> = tables.iter().map(|table| table.id.as_str()).collect();
        assert_eq!(ids, ["beyond-comparison", "beyond-fronts", "beyond-map-1", "beyond-all"]);
        assert_eq!(tables[0].rows.len(), 3);
        assert_eq!(tables[1].rows.len(), 15);
        for row in &tables[1].rows {
            let is_on = row.cells[2] == Cell::text("on it");
            assert_eq!(row.note.is_none(), is_on);
        }
        // A* is better and builds nothing.
        let quality_and_build = &tables[1].rows[3];
        assert_eq!(quality_and_build.cells[0], Cell::text("suboptimality, build"));
        let note = quality_and_build.note.as_deref().unwrap();
        assert_eq!(
            note,
            "beacon* has 2.00 % and 3.00 s; better in one and no worse in the other: a* (0 %, 0 s)."
        );
        assert!(tables[1].notes[0].contains("not all of its walks arrived"));
    }
}
