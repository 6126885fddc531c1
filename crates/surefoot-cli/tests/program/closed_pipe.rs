//! Whoever reads standard output may stop before the end.

use std::process::Stdio;

use crate::Workplace;

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let place = Workplace::with_arena();
    // More problems than fit into a pipe's buffer, so that the program is still writing when the reader is gone.
    let row = "0\tarena.map\t10\t6\t0\t0\t9\t5\t14\n";
    place.put("many.scen", format!("version 1\n{}", row.repeat(2000)));
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["map", "info", "arena.map"],
        &["map", "convert", "arena.map", "-"],
        &["solve", "--map", "arena.map", "--start", "0,0", "--goal", "9,5"],
        &["run", "--map", "arena.map", "--scen", "many.scen", "--algorithm", "a*", "--out", "-"],
        &["--help"],
    ] {
        let mut child =
            place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!stderr.contains("panic"), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("surefoot: "), "{arguments:?}: {stderr}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {stderr}");
    }
}
