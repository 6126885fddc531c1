use super::*;
use crate::papers::lines::tests::unit;
use crate::papers::tests::results;

fn tables(section: &Section) -> Vec<&Table> {
    let tables = section.items.iter().filter_map(|item| match item {
        Item::Table(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

#[test]
fn all_seven_tables_have_all_their_lines() {
    let units: Vec<UnitResult> = [
        ("knn-lrta*(n=60000)", 12.0),
        ("d-lrta*(level=9,d=1)", 100.0),
        ("tba*(slice=100)", 50.0),
        ("a*", 0.0),
        ("knn-lrta*(n=20000)", 20.0),
    ]
    .iter()
    .flat_map(|&(spec, percent)| {
        ["a", "b"].map(|map| unit(spec, map, 1, &[(Some(percent), 2.0), (None, 9.0)]))
    })
    .collect();
    let section = section(&results("jair2010", units));
    let tables = tables(&section);
    let counts: Vec<(&str, usize)> = tables
        .iter()
        .filter(|table| table.id.contains("-table-"))
        .map(|table| (table.id.as_str(), table.rows.len()))
        .collect();
    let expected = [("1", 14), ("2", 9), ("3", 9), ("4", 14), ("5", 14), ("6", 9), ("7", 4)];
    assert_eq!(counts.len(), expected.len());
    for ((id, count), (number, lines)) in counts.into_iter().zip(expected) {
        assert_eq!((id, count), (format!("jair2010-table-{number}").as_str(), lines));
    }
    assert!(tables.iter().all(|table| table.unexplained().is_empty()));
    let note =
        tables.iter().find(|table| table.id == "jair2010-table-1").unwrap().rows[11].note.as_ref().unwrap();
    assert!(note.contains("A* expands 0.0319 times as many states a move here"), "{note}");
    let by_map = tables.iter().find(|table| table.id == "jair2010-by-map").unwrap();
    assert_eq!(by_map.rows[0].cells[1], Cell::text("12.00 (1)"));
    let seventh = tables.iter().find(|table| table.id == "jair2010-table-7").unwrap();
    let Cell::Beside(cost) = seventh.rows[0].cells[1] else { panic!("a comparison") };
    assert!((cost.ours.unwrap() - 2.0 / 1.12).abs() < 1e-9);
    // TBA* takes as much an agent as the others here, whose databases are more on top.
    let sixth = tables.iter().find(|table| table.id == "jair2010-table-6").unwrap();
    let apart = Cell::beside(Some(Published::Printed(2.0)), None, 0).apart(Some(OTHER_BYTES));
    assert_eq!(sixth.rows[2].cells[1], apart);
}

#[test]
fn the_paper_agrees_with_itself() {
    let tba = Memory { shared: 0.0, strictly_online: 1353.94 };
    for own in &LINES {
        let (Some(database), Some(cumulative)) = (&own.database, own.cumulative_kb.value()) else { continue };
        let memory =
            Memory { shared: cumulative - own.strictly_online_kb, strictly_online: own.strictly_online_kb };
        assert_eq!(
            memory.break_even(&tba).map(|agents| agents as f64),
            database.break_even.value(),
            "{}",
            own.name
        );
        // Megabytes with two digits.
        assert!((memory.shared / 1024.0 - database.megabytes).abs() < 0.011, "{}", own.name);
    }
    let line = |name: &str| LINES.iter().find(|own| own.name == name).unwrap();
    let cost = |name: &str| 1.0 + line(name).suboptimality_pct.value().unwrap() / 100.0;
    assert!((cost("D LRTA*(9)") / cost("kNN LRTA*(60000)") - 8.16).abs() < 0.005);
    assert!((cost("TBA*(100)") / cost("kNN LRTA*(60000)") - 1.46).abs() < 0.005);
    assert!((line("TBA*(100)").micros / line("kNN LRTA*(60000)").micros - 18.36).abs() < 0.005);
}

#[test]
fn the_memory_of_tba_is_that_of_walks_that_arrived() {
    let mut units = vec![
        unit("tba*(slice=5)", "a", 1, &[(Some(9.0), 1.0), (None, 1.0)]),
        unit("tba*(slice=50)", "a", 1, &[(Some(3.0), 1.0), (Some(4.0), 1.0)]),
    ];
    units[1].rows[1].online_states = 768;
    let lines = lines::lines(&units);
    assert_eq!(tba_memory(&lines).map(|memory| memory.strictly_online), Some(2.0));
}
