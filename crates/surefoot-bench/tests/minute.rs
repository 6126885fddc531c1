//! A minute of random worlds: `surefoot-bench stress`, with what the other tests have built.

use std::process::Command;

#[test]
#[ignore = "takes a minute: a step of its own in cargo xtask ci"]
fn a_minute_of_random_worlds() {
    let mut stress = Command::new(env!("CARGO_BIN_EXE_surefoot-bench"));
    let status = stress.args(["stress", "--seconds", "60", "--seed", "2026"]).status();
    assert!(status.is_ok_and(|status| status.success()), "what was found stands above");
}
