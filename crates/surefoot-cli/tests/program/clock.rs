//! `surefoot clock`

use crate::Workplace;

fn clock<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["clock", "--map", "arena.map", "--scen", "arena.scen"], more].concat()
}

/// The lines of the table below its head, as words.
fn lines(table: &str) -> Vec<Vec<&str>> {
    let body = table.lines().skip_while(|line| !line.starts_with("--")).skip(1);
    body.map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn frames_are_those_of_the_equation() {
    let place = Workplace::with_arena();
    // All planning fits into the first frame. The problems are 13.41, 1 and 1.41 tiles long: 14, 1 and 2 frames more.
    let outcome = place.run(&clock(&["--algorithm", "a*", "--rate", "1000", "--planning-ms", "100"]));
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 of 4 problems have no solution"), "{}", outcome.stderr);
    let expected =
        ["a*", "100", "0-64", "3", "0", "1.5000", "2.0000", "2.0000", "1.5000", "2.0000", "2.0000"];
    assert_eq!(lines(&outcome.stdout), [expected]);
    // At one tile in ten frames and an expansion a frame every frame counts.
    let slow = ["--algorithm", "a*", "--rate", "1", "--frame-ms", "10", "--speed", "10", "--every", "4"];
    let text = place.succeed(&clock(&slow));
    let row = &lines(&text)[0];
    // Planning and 135 frames of walking, for 134.1.
    let expanded = row[5].parse::<f64>().unwrap() * 135.0 - 135.0;
    assert!((expanded - expanded.round()).abs() < 0.01 && expanded >= 13.0, "{text}");
}

#[test]
fn every_algorithm_and_planning_time_has_its_lines() {
    let place = Workplace::with_arena();
    let arguments = clock(&[
        "--algorithm",
        "s-pra*",
        "--algorithm",
        "lrta*(d=2)",
        "--planning-ms",
        "10,1",
        "--range",
        "4",
        "--rate",
        "2",
    ]);
    let text = place.succeed(&arguments);
    let lines = lines(&text);
    let lengths: Vec<&str> = lines.iter().map(|line| line[2]).collect();
    assert_eq!(lengths, ["0-4", "12-16", "all"].repeat(4));
    assert_eq!(lines.iter().filter(|line| line[0] == "lrta*(d=2)" && line[1] == "10").count(), 3, "{text}");
    let slow_down = |line: usize| lines[line][7].parse::<f64>().unwrap();
    assert!(slow_down(2) < slow_down(5), "less planning a frame takes longer: {text}");
    assert_eq!(place.succeed(&arguments), text, "counted time repeats");
    // Measured time has the same table with other figures.
    let measured = place.succeed(&arguments[..arguments.len() - 2]);
    assert_eq!(measured.lines().count(), text.lines().count());
}

#[test]
fn walks_that_are_cut_off_are_above_all_others() {
    let place = Workplace::with_arena();
    let text = place.succeed(&clock(&["--algorithm", "lrta*", "--max-moves", "1", "--rate", "1000"]));
    let row = &lines(&text)[0];
    assert_eq!((row[4], row[6], row[7]), ("1", "-", "-"), "{text}");
    assert_ne!(row[5], "-", "{text}");
}

#[test]
fn clocks_that_cannot_tick_are_refused() {
    let place = Workplace::with_arena();
    for option in ["--frame-ms", "--planning-ms", "--speed"] {
        for value in ["0", "-1", "x", "inf"] {
            place.fail(&clock(&["--algorithm", "a*", option, value]), 2, "expected a number above 0");
        }
    }
    place.fail(&clock(&["--algorithm", "a*", "--rate", "0"]), 2, "expected a whole number from 1");
    place.fail(
        &clock(&["--algorithm", "a*", "--db", "x.sfdb"]),
        2,
        "--db names a database, but a* needs none",
    );
    place.fail(
        &["clock", "--map", "arena.map", "--algorithm", "a*"],
        1,
        "arena.map has no problems beside it, in arena.map.scen",
    );
}
