use super::*;
use crate::papers::lines::tests::unit;
use crate::papers::tests::results;

fn clocked_unit(spec: &str, part: &str, frames: u64) -> UnitResult {
    let walks: Vec<(Option<f64>, f64)> = (0..128).map(|at| (Some(f64::from(at % 4)), 2.0)).collect();
    let mut unit = unit(spec, "m", 1, &walks);
    unit.part = part.to_owned();
    for (at, row) in unit.rows.iter_mut().enumerate() {
        row.optimal_cost = Some(4.0 * at as f64);
        row.planning_ms = Some(frames as f64 / 10.0);
        row.planning_expansions = Some(frames as f64 * 220.0);
        row.frames_without_thinking = Some(100);
        row.frames_of_shortest = Some(98);
        (row.frames_10_ms, row.frames_2_ms, row.frames_1_ms) = (Some(frames), Some(frames), Some(frames));
    }
    unit
}

#[test]
fn curves_have_the_axes_of_the_paper() {
    let units = vec![
        clocked_unit("a*", "paper", 130),
        clocked_unit("pra*", "paper", 110),
        clocked_unit("pra*(k=16)", "paper", 103),
        clocked_unit("pra*(k=16)", "real-time", 300),
        clocked_unit("tba*", "real-time", 120),
    ];
    let section = section(&results("pra2005", units));
    let figures: Vec<&Figure> = section
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Figure(figure) => Some(figure),
            _ => None,
        })
        .collect();
    assert_eq!(figures.len(), 10);
    let last = figures.iter().find(|figure| figure.id == "pra2005-figure-7-1ms").unwrap();
    let names: Vec<&str> = last.series.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["s-A*", "s-PRA*", "PRA*(16)"]);
    assert_eq!(last.series[2].points.len(), 31);
    assert!(last.notes[0].starts_with("Below length 16 it is up to 1.30"), "{:?}", last.notes);
    assert!(last.series[2].points.iter().all(|point| (point.y - 1.03).abs() < 1e-9));
    assert_eq!((last.x.name.as_str(), last.series[2].points[0].x), ("length of a shortest path", 24.0));
    let Item::Table(said) = &section.items[1] else { panic!("a table") };
    assert!(said.unexplained().is_empty());
    // 13 ms over 11 ms, and 3 % of slow-down.
    let ours = |row: usize| match &said.rows[row].cells[1] {
        Cell::Beside(beside) => beside.ours.unwrap(),
        other => panic!("{other:?}"),
    };
    assert!((ours(3) - 13.0 / 11.0).abs() < 1e-9 && (ours(7) - 3.0).abs() < 1e-9);
    let Some(Item::Table(real_time)) = section.items.last() else { panic!("a table") };
    assert_eq!(real_time.rows.len(), 2);
    assert_eq!(real_time.rows[0].cells[3], Cell::Number(3.0, 3));
}

#[test]
fn without_the_game_there_are_no_points() {
    let section = section(&results("pra2005", vec![unit("a*", "m", 1, &[(Some(0.0), 1.0)])]));
    let points = section.items.iter().filter_map(|item| match item {
        Item::Figure(figure) => Some(figure.series.iter().map(|own| own.points.len()).sum::<usize>()),
        _ => None,
    });
    assert_eq!(points.sum::<usize>(), 0);
}
