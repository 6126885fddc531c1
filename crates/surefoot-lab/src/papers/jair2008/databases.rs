//! Appendix C: pattern databases by level and cap, with what agents make of them. Its tables have lost all of
//! their digits: ours stand alone.

use super::super::lines::Line;
use super::times;
use crate::report::{Cell, Column, Table};

/// The algorithms whose depths come from a database, and how many tables each has.
const WITH_DEPTHS: [(&str, &str); 2] =
    [("lrta*(pdb,pdb)", "subgoals and their depths"), ("lrta*(pdb,g)", "depths towards goals")];

/// From this cap on LRTA*(PDB, PDB) has a third table.
const THREE_FROM: u64 = 1_000;

pub(super) fn table(lines: &[Line<'_>]) -> Table {
    table_of("jair2008-databases", lines)
}

pub(super) fn table_of(id: &str, lines: &[Line<'_>]) -> Table {
    let mut table = Table::new(
        id,
        "Appendix C: pattern databases by level and cap, means over the maps",
        vec![
            Column::new("algorithm"),
            Column::new("what is stored"),
            Column::new("pairs of regions"),
            Column::with_unit("build", "h"),
            Column::with_unit("file", "KB"),
            Column::new("states a move"),
            Column::with_unit("suboptimality", "times"),
            Column::new("not arrived"),
        ],
    );
    for line in lines {
        let Some((name, stored)) = WITH_DEPTHS.into_iter().find(|own| line.spec.algorithm() == own.0) else {
            continue;
        };
        let cap = line.spec.value("cap").and_then(|cap| cap.parse::<u64>().ok());
        let has_three = name == WITH_DEPTHS[0].0 && cap.is_some_and(|cap| cap >= THREE_FROM);
        table.push(vec![
            Cell::text(line.name()),
            Cell::text(if has_three { "subgoals, their depths, and depths towards goals" } else { stored }),
            Cell::number(line.of_databases(|_, own| own.entries as f64), 0),
            Cell::number(line.of_databases(|_, own| own.build_seconds / 3600.0), 3),
            Cell::number(line.of_databases(|_, own| own.bytes as f64 / 1024.0), 1),
            Cell::number(line.expansions().mean(), 3),
            Cell::number(times(line), 3),
            Cell::count(line.failures()),
        ]);
    }
    table.notes.push(
        "The published digits are lost. The paper builds databases for the goals of its problems alone and estimates the rest; ours have all pairs."
            .to_owned(),
    );
    table
}
