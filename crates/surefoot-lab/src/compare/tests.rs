use super::*;
use crate::rows::tests::row;

/// A row for problem `number` of `algorithm` that went `longer` steps beyond the four of the optimum.
fn walked(algorithm: &str, number: u32, longer: u64) -> Row {
    Row {
        algorithm: algorithm.to_owned(),
        map: "m".to_owned(),
        start_x: number,
        ..row(4 + longer, Some(4), true)
    }
}

fn placed(rows: impl IntoIterator<Item = Row>) -> Vec<PlacedRow> {
    (2..).zip(rows).map(|(line, row)| PlacedRow { line, row }).collect()
}

fn compared(
    a: &[PlacedRow],
    b: &[PlacedRow],
    chosen: Option<(&str, &str)>,
) -> Result<Comparison, CompareError> {
    compare(
        RowSet { path: Path::new("a.csv"), rows: a, sources: &[] },
        RowSet { path: Path::new("b.csv"), rows: b, sources: &[] },
        chosen,
    )
}

/// The one algorithm of two sets.
fn single(a: impl IntoIterator<Item = Row>, b: impl IntoIterator<Item = Row>) -> AlgorithmComparison {
    let mut comparison = compared(&placed(a), &placed(b), None).unwrap();
    assert_eq!(comparison.algorithms.len(), 1);
    comparison.algorithms.remove(0)
}

#[test]
fn identical_rows_are_the_same_whatever_the_clock_says() {
    let rows = || (0..20).map(|number| walked("a*", number, u64::from(number)));
    let same = single(
        rows(),
        rows().map(|row| Row { plan_ns_mean: row.plan_ns_mean.map(|time| 2.0 * time), ..row }),
    );
    assert_eq!((same.pairs, same.differing, same.verdict), (20, 0, Verdict::Same));
    assert_eq!(same.suboptimality_pct.unwrap().verdict, Verdict::Same);
    assert_eq!(same.solved.verdict, Verdict::Same);
    let time = same.plan_ns_per_move.unwrap();
    assert_eq!((time.change, time.verdict), (Some(2.0), Verdict::Worse));
}

#[test]
fn a_change_for_the_better_and_back() {
    let (long, short) = (
        || (0..30).map(|number| walked("a*", number, 10 + u64::from(number % 5))),
        || (0..30).map(|number| walked("a*", number, 5 + u64::from(number % 3))),
    );
    let better = single(long(), short());
    let change = better.suboptimality_pct.unwrap();
    assert_eq!((better.verdict, change.verdict), (Verdict::Better, Verdict::Better));
    // 12 and 6 steps more than 5.4.
    assert!((change.a - 1200.0 / 5.4).abs() < 1e-9 && (change.b - 600.0 / 5.4).abs() < 1e-9, "{change:?}");
    assert!(change.interval.unwrap().contains(-600.0 / 5.4), "{change:?}");
    assert_eq!((change.less, change.more), (30, 0));
    let moves = better.moves.unwrap();
    assert_eq!((moves.a, moves.b), (17.0, 11.0));
    assert_eq!(single(short(), long()).verdict, Verdict::Worse);
}

#[test]
fn what_chance_can_do_is_no_difference() {
    let a = (0..40).map(|number| walked("a*", number, 3 + u64::from(number % 2)));
    let b = (0..40).map(|number| walked("a*", number, 3 + u64::from((number + 1) % 2)));
    let change = single(a, b);
    assert_eq!(change.verdict, Verdict::NoDifference);
    assert_eq!(change.differing, 40);
    let few = single((0..3).map(|n| walked("a*", n, 3)), (0..3).map(|n| walked("a*", n, 2)));
    assert_eq!(few.verdict, Verdict::TooFew);
    assert_eq!(few.suboptimality_pct.unwrap().interval, None);
}

#[test]
fn arriving_comes_before_quality() {
    let unsolved = |number| Row { solved: false, suboptimality_pct: None, ..walked("a*", number, 90) };
    let a = (0..30).map(|number| walked("a*", number, 10));
    let b = (0..30).map(|number| if number < 10 { unsolved(number) } else { walked("a*", number, 1) });
    let worse = single(a, b);
    assert_eq!((worse.solved.a, worse.solved.b, worse.solved.only_a, worse.solved.only_b), (30, 20, 10, 0));
    assert_eq!((worse.solved.verdict, worse.verdict), (Verdict::Worse, Verdict::Worse));
    assert_eq!(worse.suboptimality_pct.unwrap().verdict, Verdict::Better);
    assert_eq!(worse.suboptimality_pct.unwrap().pairs, 20);
    let none = single([unsolved(1)], [unsolved(1)]);
    assert!(none.suboptimality_pct.is_none() && none.moves.is_none());
    assert_eq!(none.verdict, Verdict::Same);
}

#[test]
fn what_is_in_one_set_only_is_counted_and_named() {
    let a = placed((0..9).map(|n| walked("a*", n, 1)).chain([walked("jps", 0, 0)]));
    let b = placed((2..12).map(|n| walked("a*", n, 1)).chain([walked("lrta*", 0, 0), walked("lrta*", 1, 0)]));
    let comparison = compared(&a, &b, None).unwrap();
    assert_eq!(comparison.only_in_a, [("jps".to_owned(), 1)]);
    assert_eq!(comparison.only_in_b, [("lrta*".to_owned(), 2)]);
    let both = &comparison.algorithms[0];
    assert_eq!((both.pairs, both.only_in_a.count, both.only_in_b.count), (7, 2, 3));
    assert_eq!(both.only_in_a.examples, ["m from (0, 2) to (3, 4)", "m from (1, 2) to (3, 4)"]);
    let message = compared(&a[..9], &b[10..], None).unwrap_err().to_string();
    assert!(message.starts_with("no algorithm has rows in both: a.csv has a*; b.csv has lrta*"), "{message}");
    let message = compared(&[], &b, None).unwrap_err().to_string();
    assert!(message.contains("a.csv has no rows; b.csv has a*, lrta*"), "{message}");
}

#[test]
fn two_algorithms_of_one_set() {
    let rows = placed((0..9).map(|n| walked("lrta*(d=3)", n, 5)).chain((0..9).map(|n| walked("jps", n, 0))));
    for asked in ["lrta*( d=3 )", "lrta(d=3)"] {
        let comparison = compared(&rows, &rows, Some((asked, "jps"))).unwrap();
        let [pair] = &comparison.algorithms[..] else { panic!("{comparison:?}") };
        assert_eq!((&*pair.algorithm_a, &*pair.algorithm_b, pair.pairs), ("lrta*(d=3)", "jps", 9));
        assert_eq!(pair.verdict, Verdict::Better);
    }
    let message = compared(&rows, &rows, Some(("jps", "a*"))).unwrap_err().to_string();
    assert_eq!(message, "b.csv has no rows of a*; it has lrta*(d=3), jps");
}

#[test]
fn repeated_rows_are_counted_and_contradictions_refused() {
    let a = placed([walked("a*", 1, 1), walked("a*", 1, 1), walked("a*", 2, 1)]);
    let b = placed([walked("a*", 1, 1), walked("a*", 2, 1), walked("a*", 1, 2)]);
    let twice = compared(&a, &a, None).unwrap();
    assert_eq!((twice.algorithms[0].pairs, twice.algorithms[0].repeated_in_b), (2, 1));
    let message = compared(&a, &b, None).unwrap_err().to_string();
    let expected =
        "b.csv:4: a second row of a* for m from (1, 2) to (3, 4), and it differs from the one in line 2";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn other_optimal_costs_are_noticed() {
    let other = Row { optimal_cost: Some(5.0), ..walked("a*", 1, 1) };
    assert_eq!(single([walked("a*", 1, 1)], [other]).other_optimum, 1);
}

#[test]
fn seeds_count_where_there_are_several() {
    let seeded = |number, seed: u32, longer| Row {
        database: Some(format!("subgoals(n=10, form=compressed, seed={seed})")),
        ..walked("knn-lrta*", number, longer)
    };
    // One seed each: it is the seeds that are compared.
    let single_seeds = single([seeded(1, 1, 3), seeded(2, 1, 3)], [seeded(1, 2, 4), seeded(2, 2, 4)]);
    assert_eq!((single_seeds.pairs, single_seeds.only_in_a.count), (2, 0));
    // Several: each with its own.
    let several = [seeded(1, 1, 3), seeded(1, 2, 4)];
    let pairs = single(several.clone(), [seeded(1, 2, 4), seeded(1, 3, 5)]);
    assert_eq!((pairs.pairs, pairs.differing), (1, 0));
    assert_eq!(pairs.only_in_a.examples, ["m from (1, 2) to (3, 4) with database seed 1"]);
    assert_eq!(pairs.only_in_b.examples, ["m from (1, 2) to (3, 4) with database seed 3"]);
    // A walk without a database belongs to all seeds, on whichever side it is.
    let (knn, plain) = (placed(several), placed([walked("a*", 1, 0), walked("a*", 2, 0)]));
    let forth = compared(&knn, &plain, Some(("knn-lrta*", "a*"))).unwrap().algorithms.remove(0);
    let back = compared(&plain, &knn, Some(("a*", "knn-lrta*"))).unwrap().algorithms.remove(0);
    assert_eq!((forth.pairs, forth.only_in_a.count, forth.only_in_b.count), (2, 0, 1));
    assert_eq!((back.pairs, back.only_in_a.count, back.only_in_b.count), (2, 1, 0));
    assert_eq!(forth.moves.unwrap().a, back.moves.unwrap().b);
}

#[test]
fn times_of_different_machines_have_no_verdict() {
    let source = |revision: &str, machine: &str| RowSource {
        version: "1.0".to_owned(),
        revision: revision.to_owned(),
        machine: machine.to_owned(),
        ..RowSource::default()
    };
    let rows = placed((0..20).map(|number| walked("a*", number, 1)));
    let slower = placed(rows.iter().map(|placed| {
        let plan_ns_mean = placed.row.plan_ns_mean.map(|time| 2.0 * time);
        Row { plan_ns_mean, ..placed.row.clone() }
    }));
    for (of_a, of_b, differ_in, verdict) in [
        (vec![source("x", "m")], vec![source("x", "m")], vec![], Verdict::Worse),
        (vec![source("x", "m")], vec![], vec![], Verdict::Worse),
        (vec![source("x", "m")], vec![source("y", "m")], vec![Facet::Revision], Verdict::Worse),
        (
            vec![source("x", "m")],
            vec![source("y", "n")],
            vec![Facet::Revision, Facet::Machine],
            Verdict::OtherMachine,
        ),
        (
            vec![source("x", "m")],
            vec![RowSource { worker: "w".to_owned(), ..source("x", "m") }],
            vec![Facet::Worker],
            Verdict::OtherMachine,
        ),
        // One of the sets is a mixed one.
        (vec![source("x", "m"), source("x", "n")], vec![], vec![Facet::Machine], Verdict::OtherMachine),
    ] {
        let a = RowSet { path: Path::new("a.csv"), rows: &rows, sources: &of_a };
        let b = RowSet { path: Path::new("b.csv"), rows: &slower, sources: &of_b };
        for chosen in [None, Some(("a*", "a*"))] {
            let comparison = compare(a, b, chosen).unwrap();
            assert_eq!(comparison.origins.differ_in, differ_in);
            let compared = &comparison.algorithms[0];
            assert_eq!(compared.plan_ns_per_move.unwrap().verdict, verdict);
            assert_eq!(compared.suboptimality_pct.unwrap().verdict, Verdict::Same);
        }
    }
}
