//! "Case-based subgoaling in real-time heuristic search for video game pathfinding" (JAIR 2010): Tables 1 to
//! 7 and Figures 12 to 15.
//!
//! The paper's four maps are not public. Ours are maps of the same size made from public ones, so that
//! figures can be compared in kind but not in digits; every table says so.

mod figures;
mod published;

use self::published::{DIFFICULTY, LINES};
use super::lines::{self, Line, all_measures, difference, find};
use super::reasons::{OTHER_MACHINE, OTHER_MAPS, longest_walks, without_record};
use crate::measures::{Memory, Sample, a_star_difficulty};
use crate::report::{Cell, Column, Item, Published, Section, Table, fixed, significant};
use crate::rows::Row;
use crate::runs::{ResultSet, UnitResult};

const MAPS: &str = "The paper's maps are not public: ours are stand-ins of the same size, and walks that did not arrive are in none of our means.";
/// TBA*'s published memory comes to about 12 bytes a state of its lists, all others are counted with 4.
const OTHER_BYTES: &str = "other maps, and bytes a state that are not stated";
const MACHINES: &str = "Published times are of Java on one core at 2.1 GHz.";

/// A published line and ours, if there is one.
type Pair<'a> = (&'static published::Line, Option<&'a Line<'a>>);

/// The section of the paper.
#[must_use]
pub fn section(results: &ResultSet) -> Section {
    let lines = lines::lines(&results.units);
    let places: Vec<Option<usize>> = LINES.iter().map(|own| find(&lines, own.spec)).collect();
    let pairs: Vec<Pair<'_>> =
        LINES.iter().zip(&places).map(|(own, place)| (own, place.map(|place| &lines[place]))).collect();
    let others: Vec<&Line<'_>> =
        (0..lines.len()).filter(|place| !places.contains(&Some(*place))).map(|place| &lines[place]).collect();
    let tba = tba_memory(&lines);
    let table = |names: (&str, &str), pairs: &[Pair<'_>], measures: &[Measure]| {
        Item::Table(table(names, pairs, &others, measures, a_star_difficulties(&lines).mean()))
    };
    let mut items = vec![
        Item::Text(format!(
            "{MAPS} {MACHINES} Databases are built on all cores here. Walks of what Table 7 compares are timed, one at a time."
        )),
        Item::Table(maps_and_difficulty(&results.units)),
        Item::Table(difficulty(&lines)),
        table(
            ("jair2010-table-1", "Table 1: suboptimality and time a move"),
            &pairs,
            &[SUBOPTIMALITY, MICROS],
        ),
        table(
            ("jair2010-table-2", "Table 2: suboptimality and time to build the database"),
            &pairs[..8],
            &[SUBOPTIMALITY, BUILD],
        ),
        table(
            ("jair2010-table-3", "Table 3: databases, means over maps"),
            &pairs[..8],
            &[BUILD, RECORDS, SIZE, MEGABYTES],
        ),
        table(
            ("jair2010-table-4", "Table 4: suboptimality and strictly on-line memory"),
            &pairs,
            &[STRICTLY, SUBOPTIMALITY],
        ),
        table(
            ("jair2010-table-5", "Table 5: suboptimality and cumulative on-line memory"),
            &pairs,
            &[CUMULATIVE, SUBOPTIMALITY],
        ),
        Item::Table(break_even(&pairs[..8], &others, tba)),
        Item::Table(table_7(&pairs)),
    ];
    items.extend(figures::figures(&pairs, &others).into_iter().map(Item::Figure));
    items.push(Item::Table(by_map(&lines)));
    items.push(Item::Table(all_measures("jair2010-all", &lines)));
    Section { id: "jair2010".to_owned(), title: "Case-based subgoaling, JAIR 2010".to_owned(), items }
}

/// A measure that a table has a column for.
struct Measure {
    name: &'static str,
    unit: Option<&'static str>,
    digits: u8,
    theirs: fn(&published::Line) -> Option<Published>,
    ours: fn(&Line<'_>) -> Option<f64>,
    /// Why the two are no match, if they are not.
    apart: fn(&published::Line) -> Option<&'static str>,
}

const SUBOPTIMALITY: Measure = Measure {
    name: "suboptimality",
    unit: Some("%"),
    digits: 2,
    theirs: |own| Some(own.suboptimality_pct),
    ours: |line| line.suboptimality().mean(),
    apart: |_| Some(OTHER_MAPS),
};
const MICROS: Measure = Measure {
    name: "time a move",
    unit: Some("µs"),
    digits: 2,
    theirs: |own| Some(Published::Printed(own.micros)),
    ours: |line| line.micros().mean(),
    apart: |_| Some(OTHER_MACHINE),
};
const BUILD: Measure = Measure {
    name: "building time",
    unit: Some("h"),
    digits: 2,
    theirs: |own| own.database.as_ref().map(|own| Published::Printed(own.build_hours)),
    ours: |line| line.of_databases(|_, own| own.build_seconds / 3600.0),
    apart: |_| Some(OTHER_MACHINE),
};
const RECORDS: Measure = Measure {
    name: "records",
    unit: None,
    digits: 0,
    theirs: |own| own.database.as_ref().map(|own| Published::Printed(own.records)),
    ours: |line| line.of_databases(|_, own| own.entries as f64),
    // kNN LRTA* has as many as it was told to make; D LRTA* has one for each pair of regions of the map.
    apart: |own| (own.family == published::D).then_some(OTHER_MAPS),
};
const SIZE: Measure = Measure {
    name: "relative size",
    unit: None,
    digits: 5,
    theirs: |own| own.database.as_ref().map(|own| Published::Printed(own.relative_size)),
    ours: |line| line.relative_size(|map| map.cells() as f64),
    apart: |_| Some(OTHER_MAPS),
};
const MEGABYTES: Measure = Measure {
    name: "size",
    unit: Some("MB"),
    digits: 2,
    theirs: |own| own.database.as_ref().map(|own| Published::Printed(own.megabytes)),
    ours: |line| line.memory_kb().filter(|own| own.shared > 0.0).map(|own| own.shared / 1024.0),
    apart: |_| Some(OTHER_MAPS),
};
const STRICTLY: Measure = Measure {
    name: "strictly on-line memory",
    unit: Some("KB"),
    digits: 2,
    theirs: |own| Some(Published::Printed(own.strictly_online_kb)),
    ours: |line| line.memory_kb().map(|own| own.strictly_online),
    apart: |_| Some(OTHER_BYTES),
};
const CUMULATIVE: Measure = Measure {
    name: "cumulative memory",
    unit: Some("KB"),
    digits: 2,
    theirs: |own| Some(own.cumulative_kb),
    ours: |line| line.memory_kb().map(|own| own.cumulative()),
    apart: |_| Some(OTHER_BYTES),
};

/// A table with a column for each measure, and one for walks that did not arrive. `difficulty` is what A*
/// makes of our problems.
fn table(
    (id, title): (&str, &str),
    pairs: &[Pair<'_>],
    others: &[&Line<'_>],
    measures: &[Measure],
    difficulty: Option<f64>,
) -> Table {
    let columns =
        measures.iter().map(|own| Column { name: own.name.to_owned(), unit: own.unit.map(str::to_owned) });
    let has_database = pairs.iter().all(|(own, _)| own.database.is_some());
    let columns = [Column::new("algorithm")].into_iter().chain(columns).chain([Column::new("not arrived")]);
    let mut table = Table::new(id, title, columns.collect());
    for (own, line) in pairs {
        let cells: Vec<Cell> = measures
            .iter()
            .map(|measure| {
                Cell::beside(
                    (measure.theirs)(own),
                    line.and_then(|line| (measure.ours)(line)),
                    measure.digits,
                )
                .apart((measure.apart)(own))
            })
            .collect();
        let figures: Vec<(&str, &Cell)> = measures.iter().map(|own| own.name).zip(&cells).collect();
        let has_quality = measures.iter().any(|own| own.name == SUBOPTIMALITY.name);
        let reason = if has_quality {
            line.map_or_else(String::new, |line| reason(own.family, line, difficulty))
        } else {
            String::new()
        };
        let note = difference(&figures, &reason);
        let failures = line.map_or(Cell::Missing, |line| Cell::count(line.failures()));
        table.push_noted([Cell::text(own.name)].into_iter().chain(cells).chain([failures]).collect(), note);
    }
    for line in
        others.iter().filter(|line| !has_database || line.units.iter().any(|unit| unit.database.is_some()))
    {
        let cells = measures.iter().map(|measure| Cell::number((measure.ours)(line), measure.digits));
        let name = Cell::text(line.name());
        table.push([name].into_iter().chain(cells).chain([Cell::count(line.failures())]).collect());
    }
    table.notes.push(MAPS.to_owned());
    if measures.iter().any(|own| ["time a move", "building time"].contains(&own.name)) {
        table.notes.push(MACHINES.to_owned());
    }
    if measures.iter().any(|own| own.name == "relative size") {
        table.notes.push(
            "Sizes are four bytes a state, as the paper counts, not those of our files. D LRTA* has a label for each cell of the map and one state for each \
             record: the paper's text says three, but its sizes only add up with one. kNN LRTA* has about 6.6 states a record in the paper."
                .to_owned(),
        );
    }
    table
}

/// Why the suboptimality of an algorithm differs, and its median, which a few walks do not change.
fn reason(family: &str, line: &Line<'_>, difficulty: Option<f64>) -> String {
    let why = match family {
        "kNN LRTA*" => without_record(line),
        "D LRTA*" => longest_walks(line),
        "TBA*" => difficulty.map_or_else(String::new, |ours| {
            let times = significant(ours / DIFFICULTY[0].1, 3);
            format!("It goes back and forth until its search is done, and A* expands {times} times as many states a move here as in the paper.")
        }),
        _ => String::new(),
    };
    let failures = match line.failures() {
        0 => String::new(),
        count => format!(" {count} walks did not arrive and are in no mean of ours."),
    };
    let median = line.suboptimality().spread().percentile(50.0);
    let median = median.map_or_else(String::new, |median| format!(" The median is {} %.", fixed(median, 2)));
    format!("{why}{failures}{median}").trim().to_owned()
}

/// The memory of TBA*, which is the same whatever its slice: that of the slice with the most walks that
/// arrived, since long ones are the first that do not.
fn tba_memory(lines: &[Line<'_>]) -> Option<Memory> {
    let tba = lines.iter().filter(|line| line.spec.name() == "tba*");
    tba.min_by_key(|line| line.failures()).and_then(Line::memory_kb)
}

fn break_even(pairs: &[Pair<'_>], others: &[&Line<'_>], tba: Option<Memory>) -> Table {
    let mut table = Table::new(
        "jair2010-table-6",
        "Table 6: break-even points with respect to TBA*",
        vec![
            Column::new("algorithm"),
            Column::new("agents"),
            Column::with_unit("database", "KB"),
            Column::with_unit("strictly on-line", "KB"),
        ],
    );
    let ours = |line: &Line<'_>| {
        let own = line.memory_kb()?;
        own.break_even(&tba?).map(|agents| agents as f64)
    };
    let memory = |line: Option<&Line<'_>>| {
        let own = line.and_then(Line::memory_kb);
        [Cell::number(own.map(|own| own.shared), 2), Cell::number(own.map(|own| own.strictly_online), 2)]
    };
    for (own, line) in pairs {
        let published = own.database.as_ref().map(|own| own.break_even);
        let agents = Cell::beside(published, line.and_then(ours), 0).apart(Some(OTHER_BYTES));
        let note = difference(
            &[("the number of agents", &agents)],
            "It follows from the memory beside it and that of TBA*.",
        );
        let [shared, strictly] = memory(*line);
        table.push_noted(vec![Cell::text(own.name), agents, shared, strictly], note);
    }
    for line in others.iter().filter(|line| line.units.iter().any(|unit| unit.database.is_some())) {
        let [shared, strictly] = memory(Some(line));
        table.push(vec![Cell::text(line.name()), Cell::number(ours(line), 0), shared, strictly]);
    }
    table.notes.push(match tba {
        Some(tba) => format!(
            "The smallest number of agents that together take less memory than as many with TBA*, which takes {} KB an agent here and 1,353.94 KB in \
             the paper. The arithmetic gives the paper's own column from the paper's own figures.",
            fixed(tba.strictly_online, 2)
        ),
        None => "There are no results of TBA* to compare with.".to_owned(),
    });
    table
}

/// Table 7: how many times better kNN LRTA*(60000) is than D LRTA*(9) and TBA*(100).
fn table_7(pairs: &[Pair<'_>]) -> Table {
    let mut table = Table::new(
        "jair2010-table-7",
        "Table 7: kNN LRTA*(60000) beside D LRTA*(9) and TBA*(100), how many times better",
        vec![Column::new("dimension"), Column::new("D LRTA*(9)"), Column::new("TBA*(100)")],
    );
    let line = |name: &str| pairs.iter().find(|(own, _)| own.name == name).and_then(|(_, line)| *line);
    let (knn, d, tba) = (line("kNN LRTA*(60000)"), line("D LRTA*(9)"), line("TBA*(100)"));
    // Costs of walks are compared, not what they have above the optimum: 1 + 8.1972 over 1 + 0.1277.
    let times = |other: Option<&Line<'_>>, figure: &dyn Fn(&Line<'_>) -> Option<f64>| {
        Some(figure(other?)? / figure(knn?)?).filter(|ratio| ratio.is_finite())
    };
    let cost = |line: &Line<'_>| line.suboptimality().mean().map(|percent| 1.0 + percent / 100.0);
    let printed = |value| Some(Published::Printed(value));
    let computed = |value| Some(Published::Computed(value));
    let cell = |published, other, figure: &dyn Fn(&Line<'_>) -> Option<f64>| {
        Cell::beside(published, times(other, figure), 2).apart(Some(OTHER_MAPS))
    };
    table.push(vec![
        Cell::text("cost of the walk"),
        cell(printed(8.16), d, &cost),
        cell(printed(1.46), tba, &cost),
    ]);
    table.push(vec![
        Cell::text("time a move"),
        cell(computed(3.94 / 6.40), d, &MICROS.ours),
        cell(printed(18.36), tba, &MICROS.ours),
    ]);
    table.push(vec![
        Cell::text("cumulative memory"),
        cell(computed(87_456.35 / 1547.85), d, &CUMULATIVE.ours),
        cell(computed(1353.94 / 1547.85), tba, &CUMULATIVE.ours),
    ]);
    table.push(vec![
        Cell::text("building time"),
        cell(computed(89.88 / 77.30), d, &BUILD.ours),
        Cell::Missing,
    ]);
    table.notes.push(format!("The paper words these as percent where they are below 2: 62 % slower a move and 14 % less to build than D LRTA*, 13 % more memory than TBA*. {MAPS}"));
    table
}

fn maps_and_difficulty(units: &[UnitResult]) -> Table {
    let mut table = Table::new(
        "jair2010-maps",
        "The maps",
        vec![
            Column::new("map"),
            Column::new("width"),
            Column::new("height"),
            Column::new("states"),
            Column::new("problems"),
        ],
    );
    let mut seen: Vec<&str> = Vec::new();
    for unit in units {
        if !seen.contains(&unit.map.name.as_str()) {
            seen.push(&unit.map.name);
            table.push(vec![
                Cell::text(&unit.map.name),
                Cell::count(unit.map.width.into()),
                Cell::count(unit.map.height.into()),
                Cell::count(unit.map.states),
                Cell::count(unit.rows.len() as u64),
            ]);
        }
    }
    table.notes.push("In the paper: four maps of nine to thirteen million states, 250 problems each, of optimal cost 1,003.8 to 2,999.8.".to_owned());
    table
}

/// The states that A* expands for each move of its path, problem by problem.
fn a_star_difficulties(lines: &[Line<'_>]) -> Sample {
    let a_star = find(lines, "a*").map(|place| &lines[place]);
    let difficulty = |row: &Row| a_star_difficulty(row.expansions_mean * row.moves as f64, row.moves);
    a_star.map_or_else(Sample::default, |line| line.sample(difficulty))
}

fn difficulty(lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        "jair2010-difficulty",
        "A* difficulty: states that A* expands for each move of its path",
        vec![Column::new("over all problems"), Column::new("difficulty")],
    );
    let sample = a_star_difficulties(lines);
    let spread = sample.spread();
    let deviation = sample.standard_error().map(|error| error * (sample.count() as f64).sqrt());
    let ours = [sample.mean(), spread.percentile(50.0), deviation, spread.max()];
    for ((name, published), ours) in DIFFICULTY.into_iter().zip(ours) {
        table.push(vec![
            Cell::text(name),
            Cell::beside(Some(Published::Printed(published)), ours, 2).apart(Some(OTHER_MAPS)),
        ]);
    }
    table.notes.push(MAPS.to_owned());
    table
}

/// The mean suboptimality on each map, and how many walks did not arrive.
fn by_map(lines: &[Line<'_>]) -> Table {
    let mut maps: Vec<&str> = Vec::new();
    for unit in lines.iter().flat_map(|line| &line.units) {
        if !maps.contains(&unit.map.of_map()) {
            maps.push(unit.map.of_map());
        }
    }
    let columns =
        [Column::new("algorithm")].into_iter().chain(maps.iter().map(|map| Column::with_unit(*map, "%")));
    let mut table = Table::new(
        "jair2010-by-map",
        "Mean suboptimality by map, and in brackets the walks that did not arrive",
        columns.collect(),
    );
    for line in lines {
        let on_map = |&map: &&str| {
            let units: Vec<_> = line.units.iter().copied().filter(|unit| unit.map.of_map() == map).collect();
            let own = Line { spec: line.spec, units };
            match (own.suboptimality().mean(), own.failures()) {
                (None, 0) => Cell::Missing,
                (None, failures) => Cell::text(format!("– ({failures})")),
                (Some(mean), 0) => Cell::Number(mean, 2),
                (Some(mean), failures) => Cell::text(format!("{} ({failures})", fixed(mean, 2))),
            }
        };
        table.push([Cell::text(line.name())].into_iter().chain(maps.iter().map(on_map)).collect());
    }
    table
}

#[cfg(test)]
mod tests;
