//! Bad arguments and bad files: one line, a code that is not 0, and no file left behind.

use crate::{ARENA, Workplace};

#[test]
fn bad_arguments_are_told_in_one_line() {
    let place = Workplace::with_arena();
    for (arguments, message) in [
        (&[][..], "expected a command after 'surefoot'"),
        (&["map"], "expected a command after 'surefoot map'"),
        (&["fly"], "unrecognized subcommand 'fly'"),
        (&["probelms"], "a similar subcommand exists: 'problems'"),
        (&["run"], "not provided: --map <FILE>"),
        (&["run", "arena.map"], "'arena.map' found; to name a map, write '--map arena.map'; see"),
        (&["run", "no.map"], "'no.map' found; see 'surefoot run --help'"),
        (&["run", "--map", "arena.map", "--format", "csv"], "--out <FILE>"),
        (&["list", "--jsn"], "'--json'; see 'surefoot list --help'"),
        (&["map", "generate", "castle", "--out", "x.map"], "castle"),
        (&["map", "generate", "maze", "--width", "0", "--out", "x.map"], "--width"),
        (&["map", "scale", "arena.map", "--factor", "0", "--out", "x.map"], "--factor"),
        (&["map", "scale", "arena.map", "--factor", "1.5", "--out", "x.map"], "--factor"),
        (
            &[
                "problems",
                "arena.map",
                "--count",
                "3",
                "--min-cost",
                "9",
                "--max-cost",
                "5",
                "--out",
                "x.scen",
            ],
            "--min-cost 9 is above",
        ),
        (&["problems", "arena.map", "--count", "3", "--max-cost", "nan", "--out", "x.scen"], "--max-cost"),
    ] {
        place.fail(arguments, 2, message);
    }
}

#[test]
fn numbers_out_of_range_are_told_what_is_expected() {
    let place = Workplace::with_arena();
    let scale = ["map", "scale", "arena.map", "--out", "x.map", "--factor"];
    let generate = ["map", "generate", "maze", "--out", "x.map", "--width"];
    let seeded = ["map", "generate", "maze", "--out", "x.map", "--seed"];
    let render = ["map", "render", "arena.map", "--out", "x.png", "--side"];
    let problems = ["problems", "arena.map", "--max-cost", "9", "--out", "x.scen", "--count"];
    let run = [
        "run",
        "--map",
        "arena.map",
        "--scen",
        "arena.scen",
        "--algorithm",
        "a*",
        "--out",
        "x.csv",
        "--every",
    ];
    let conformance = ["conformance", "--every"];
    for command in [&scale[..], &generate, &seeded, &render, &problems, &run, &conformance] {
        for number in ["-1", "1.5", "", "NaN", "99999999999999999999999"] {
            let option = command[command.len() - 1];
            let message = format!("invalid value '{number}' for '{option} <");
            place.fail(&[command, &[number]].concat(), 2, &message);
            place.fail(&[command, &[number]].concat(), 2, "expected a whole number from ");
        }
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_a_mistake_like_any_other() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Workplace::with_arena();
    let bad = std::ffi::OsStr::from_bytes(b"\xFF");
    for words in [&[][..], &["map"], &["solve"], &["solve", "--map", "arena.map", "--start"]] {
        let output = place.command(words).arg(bad).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{words:?}: {stderr}");
    }
}

#[test]
fn bad_options_of_a_world_say_what_is_expected() {
    let place = Workplace::with_arena();
    for (option, value, message) in [
        ("--cost", "1.5", "expected one of: 1.4, sqrt2"),
        ("--rule", "cut", "expected one of: squeeze, one-free, no-cut, cardinal"),
        ("--passable", "#", "ground"),
        ("--start", "1", "expected X,Y"),
        ("--start", "1,-1", "expected X,Y"),
        ("--start", "-1,1", "expected X,Y"),
        ("--algorithm", "lrta*(d=3", "column"),
        ("--algorithm", "teleport*(d=3)", "there is no algorithm of this name; there are: a*"),
        ("--algorithm", "becon*", "did you mean beacon*?"),
        ("--algorithm", "weighted-a*(gama=1)", "did you mean gamma?"),
        ("--algorithm", "a*(d=3)", "a* takes no parameters"),
        ("--algorithm", "weighted-a*(gamma=2)", "gamma is \"2\""),
        ("--algorithm", "knn-lrta*(cutoff=x)", "cutoff is \"x\""),
        ("--algorithm", "knn-lrta-2009*(d=0)", "d is \"0\""),
        ("--max-moves", "-1", "--max-moves"),
        ("--db-seed", "-1", "--db-seed"),
    ] {
        let mut arguments = vec!["solve", "--map", "arena.map", "--goal", "0,0", option, value];
        if option != "--start" {
            arguments.extend(["--start", "0,0"]);
        }
        place.fail(&arguments, 2, message);
    }
}

#[test]
fn options_that_would_change_nothing_are_refused() {
    let place = Workplace::with_arena();
    let solve = ["solve", "--map", "arena.map", "--start", "0,0", "--goal", "9,5"];
    for (more, message) in [
        (&["--cache", "c", "--algorithm", "a*"][..], "--cache keeps databases, but a* needs none"),
        (
            &["--db-seed", "2", "--algorithm", "a*"],
            "--db-seed chooses among databases of random records, but a* needs none",
        ),
        (
            &["--db-seed", "1", "--algorithm", "pra*"],
            "--db-seed chooses among databases of random records, but pra*",
        ),
        (
            &["--levels", "--render", "x.svg"],
            "--levels shows the levels of pra* and s-pra*, but beacon* has none",
        ),
        (&["--levels"], "--render"),
        (&["--levels", "--algorithm", "pra*", "--render", "x.gif"], "--levels draws a picture"),
        (&["--levels", "--algorithm", "pra*", "--render", "x.svg", "--animate"], "--levels draws a picture"),
    ] {
        place.fail(&[&solve[..], more].concat(), 2, message);
    }
    let run = [
        "run",
        "--map",
        "arena.map",
        "--scen",
        "arena.scen",
        "--out",
        "x.csv",
        "--cache",
        "c",
        "--algorithm",
    ];
    place.fail(
        &[&run[..], &["a*", "--algorithm", "jps"]].concat(),
        2,
        "--cache keeps databases, but a*, jps needs none",
    );
    // One that needs a database is enough.
    place.succeed(&[&run[..], &["a*", "--algorithm", "pra*"]].concat());
    place.succeed(&[&solve[..], &["--algorithm", "knn-lrta*(n=30)", "--db-seed", "2"]].concat());
}

#[test]
fn starts_and_goals_that_are_none_are_named() {
    let place = Workplace::with_arena();
    for (start, goal, message) in [
        ("1,1", "0,0", "start (1, 1) is blocked"),
        ("0,0", "5,3", "goal (5, 3) is blocked"),
        ("10,0", "0,0", "start (10, 0) is outside the map, which is 10 x 6 cells"),
        ("0,0", "0,6", "goal (0, 6) is outside the map"),
    ] {
        let arguments =
            ["solve", "--map", "arena.map", "--start", start, "--goal", goal, "--render", "x.png"];
        place.fail(&arguments, 1, message);
    }
    // Only a goal can be replaced by the nearest one, and only if it is on the map.
    let nearest = ["solve", "--map", "arena.map", "--nearest", "--start", "1,1", "--goal", "0,0"];
    place.fail(&nearest, 1, "start (1, 1) is blocked");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let place = Workplace::with_arena();
    place.put("short.map", &ARENA[..ARENA.len() - 15]);
    place.put("noise.png", "not an image");
    place.put("empty.map", "");
    for (map, message) in [
        ("missing.map", "missing.map: "),
        ("short.map", "short.map:9:"),
        ("noise.png", "noise.png: "),
        ("empty.map", "empty.map:1:1: "),
        (".", "."),
        ("line\nend.map", "line\\nend.map"),
    ] {
        place.fail(&["map", "info", map], 1, message);
        place.fail(&["map", "render", map, "--out", "x.png"], 1, message);
        place.fail(&["map", "scale", map, "--factor", "2", "--out", "x.map"], 1, message);
        place.fail(&["map", "convert", map, "x.txt"], 1, message);
        place.fail(&["problems", map, "--count", "1", "--max-cost", "9", "--out", "x.scen"], 1, message);
        place.fail(&["solve", "--map", map, "--start", "0,0", "--goal", "0,0"], 1, message);
        // A folder stands for all its maps, so it is no bad map here: a test of its own has it.
        if map == "." {
            continue;
        }
        let run = ["run", "--map", map, "--scen", "arena.scen", "--algorithm", "a*", "--out", "x.csv"];
        place.fail(&run, 1, message);
    }
    let run = ["run", "--map", "arena.map", "--scen", "missing.scen", "--algorithm", "a*", "--out", "x.csv"];
    place.fail(&run, 1, "missing.scen: ");
    place.put("bad.scen", "version 1\n0\tarena.map\t10\n");
    let run = ["run", "--map", "arena.map", "--scen", "bad.scen", "--algorithm", "a*", "--out", "x.csv"];
    place.fail(&run, 1, "bad.scen:2:");
}

#[test]
fn files_that_cannot_be_written_are_named() {
    let place = Workplace::with_arena();
    for (out, message) in [
        ("nowhere/x.map", "cannot write nowhere/x.map: "),
        (".", "cannot write .: "),
        ("x.doc", "expected a name that ends with .map"),
        ("arena.map/x.map", "cannot write arena.map/x.map: "),
    ] {
        place.fail(&["map", "generate", "maze", "--out", out], 1, message);
        place.fail(&["map", "convert", "arena.map", out], 1, message);
    }
    std::fs::create_dir(place.path("folder")).unwrap();
    let run = ["run", "--map", "arena.map", "--scen", "arena.scen", "--algorithm", "a*", "--out", "folder"];
    place.fail(&run, 1, "cannot write folder: it names a folder, not a file");
    place.fail(&["map", "render", "arena.map", "--out", "x.gif"], 1, "ends with .png or .svg");
    let solve = ["solve", "--map", "arena.map", "--start", "0,0", "--goal", "1,0"];
    for (option, out, message) in [
        ("--render", "x.doc", "ends with .png, .svg or .gif"),
        ("--render", "-", "standard output has the answer"),
        ("--render", "nowhere/x.gif", "cannot write nowhere/x.gif: "),
        ("--trace", "x.yaml", "ends with .trace.yaml"),
        ("--trace", "nowhere/x.trace.yaml", "cannot write nowhere/x.trace.yaml: "),
        ("--tape", "-", "standard output has the answer"),
        ("--tape", "folder", "it names a folder, not a file"),
    ] {
        place.fail(&[&solve[..], &[option, out]].concat(), 1, message);
    }
    let twice = [&solve[..], &["--tape", "x.trace.yaml", "--trace", "x.trace.yaml"]].concat();
    place.fail(&twice, 2, "x.trace.yaml is named for two files");
    let still = [&solve[..], &["--render", "x.png", "--animate"]].concat();
    place.fail(&still, 2, "--animate makes a film of an .svg, not of a .png");
    place.fail(&[&solve[..], &["--animate"]].concat(), 2, "--render");
    place.put("occupied", "");
    place.fail(&["demo", "--out", "occupied"], 1, "cannot write occupied: it is a file, not a folder");
}

#[test]
fn files_that_are_read_are_not_written_over() {
    let place = Workplace::with_arena();
    place.succeed(&["map", "convert", "arena.map", "arena.png"]);
    let image = place.read("arena.png");
    let message = "it is also the file to read; choose another name";
    let run = |out| ["run", "--map", "arena.map", "--scen", "arena.scen", "--algorithm", "a*", "--out", out];
    place.fail(&run("arena.map"), 1, message);
    place.fail(&run("arena.scen"), 1, message);
    place.fail(
        &["problems", "arena.map", "--count", "1", "--max-cost", "9", "--out", "arena.map"],
        1,
        message,
    );
    let solve = ["solve", "--map", "arena.png", "--start", "0,0", "--goal", "1,0", "--render", "arena.png"];
    place.fail(&solve, 1, message);
    place.fail(&["map", "render", "arena.png", "--out", "./arena.png"], 1, message);
    place.fail(&["map", "convert", "arena.map", "arena.map"], 1, message);
    place.fail(&["map", "scale", "arena.map", "--factor", "2", "--out", "arena.map"], 1, message);
    assert_eq!(place.text("arena.map"), ARENA);
    assert!(place.read("arena.png") == image);
}

/// Whether this process, and so each that it starts, ignores one of the signals HUP, INT and TERM (1, 2 and 15), as
/// background jobs of scripts and programs under nohup do.
#[cfg(target_os = "linux")]
pub(crate) fn ignores_signals() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & (1 | 1 << 1 | 1 << 14) != 0
}

/// Whether a program has a file in the making open in its folder: under a name, or without one.
#[cfg(target_os = "linux")]
pub(crate) fn is_writing(child: &std::process::Child, place: &Workplace) -> bool {
    let Ok(files) = std::fs::read_dir(format!("/proc/{}/fd", child.id())) else { return false };
    let folder = std::fs::canonicalize(place.path(".")).unwrap();
    files.flatten().filter_map(|file| std::fs::read_link(file.path()).ok()).any(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        file.starts_with(&folder) && (name.ends_with(".part") || name.ends_with(" (deleted)"))
    })
}

#[cfg(unix)]
#[test]
fn limits_of_the_system_are_told_and_nothing_is_left() {
    let place = Workplace::with_arena();
    let before = place.names();
    let limited = |limit: &str, words: &str| {
        let script = format!("ulimit {limit} && exec \"$0\" {words}");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_surefoot")]).current_dir(place.path("."));
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(1), 1), "{words}: {stderr}");
        assert_eq!(place.names(), before, "{words}");
        stderr
    };
    let stderr = limited("-f 8", "map generate game --out x.map");
    assert!(stderr.contains("cannot write x.map: File too large"), "{stderr}");
    if cfg!(target_os = "linux") {
        let stderr = limited("-v 700000", "map generate game --width 30000 --height 30000 --out x.map");
        assert!(stderr.contains("not enough memory for a grid of 30000 x 30000 cells"), "{stderr}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_program_leaves_nothing_behind() {
    if ignores_signals() {
        eprintln!("signals are ignored here, and the program leaves it at that");
        return;
    }
    let place = Workplace::with_arena();
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        // More moves than anybody waits for.
        let row = "0\tarena.map\t10\t6\t0\t0\t9\t5\t14\n";
        place.put("many.scen", format!("version 1\n{}", row.repeat(1_000_000)));
        let before = place.names();
        let run =
            ["run", "--map", "arena.map", "--scen", "many.scen", "--algorithm", "dijkstra", "--out", "x.csv"];
        let mut child = place.command(&run).spawn().unwrap();
        while !is_writing(&child, &place) {
            assert!(child.try_wait().unwrap().is_none(), "the run ended too early");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let kill = std::process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
        assert_eq!(place.names(), before, "{signal}");
    }
}

#[test]
fn maps_that_would_be_too_large_are_refused() {
    let place = Workplace::with_arena();
    let generate = ["map", "generate", "random", "--width", "100000", "--height", "100000", "--out", "x.map"];
    place.fail(&generate, 1, "too large");
    place.fail(&["map", "scale", "arena.map", "--factor", "100000000", "--out", "x.map"], 1, "too large");
    place.fail(&["map", "scale", "arena.map", "--factor", "4294967295", "--out", "x.map"], 1, "too large");
}

#[test]
fn impossible_requests_for_problems_are_refused() {
    let place = Workplace::with_arena();
    let far = [
        "problems",
        "arena.map",
        "--count",
        "5",
        "--min-cost",
        "500",
        "--max-cost",
        "600",
        "--out",
        "x.scen",
    ];
    place.fail(&far, 1, "");
    place.put("wall.txt", "##\n##\n");
    place.fail(&["problems", "wall.txt", "--count", "5", "--max-cost", "600", "--out", "x.scen"], 1, "");
}

#[test]
fn help_is_rich_and_no_mistake() {
    let place = Workplace::empty();
    for command in [
        "demo",
        "map info",
        "map render",
        "map scale",
        "map generate",
        "map convert",
        "problems",
        "solve",
        "list",
        "run",
        "build",
        "merge",
        "db info",
        "db verify",
        "db show",
        "conformance",
    ] {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.push("--help");
        let help = place.succeed(&arguments);
        assert!(help.contains("Examples:") && help.contains("Usage:"), "{command}: {help}");
    }
    assert!(place.succeed(&["--version"]).starts_with("surefoot "));
}
