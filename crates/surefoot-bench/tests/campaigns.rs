//! Campaigns for seconds: each finds nothing, and goes on where it was stopped. `kills` is tried where the program is: in the tests of `surefoot-cli`.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use surefoot_bench::campaign::ledger::{Account, Ledger};
use surefoot_bench::campaign::run::{Limits, run};
use surefoot_bench::campaign::{CAMPAIGNS, Campaign, Entry, Setup, day};

type Open = fn(&Setup) -> Result<Box<dyn Campaign>, String>;

fn entry(name: &str) -> &'static Entry {
    CAMPAIGNS.iter().find(|entry| entry.name == name).unwrap()
}

/// Runs so many cases more of a campaign in a folder. How far it is then.
fn go_on(name: &str, open: Open, folder: &Path, cases: u64) -> Account {
    let mut ledger = Ledger::open(folder).unwrap();
    let next = ledger.account().next;
    let (folder, kept) = (folder.to_path_buf(), folder.to_path_buf());
    let setup = Setup { folder, kept, seed: 1, next, program: None, wasm: None, fuzz: None };
    let mut lanes = [open(&setup).unwrap()];
    let limits = Limits { hours: None, cases: Some(cases), goal: u64::MAX };
    run(entry(name), &mut lanes, &mut ledger, 1, &limits, "1234567").unwrap();
    ledger.account().clone()
}

/// Some cases in one go, and the same in two: nothing is found, and both count the same.
fn holds(name: &str, open: Open, cases: u64) -> Account {
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let once = go_on(name, open, whole.path(), cases);
    go_on(name, open, parts.path(), cases / 2);
    let twice = go_on(name, open, parts.path(), cases - cases / 2);
    assert_eq!(once.findings, 0, "{name}: what was found stands above");
    assert_eq!(
        (twice.next, twice.count, twice.findings),
        (once.next, once.count, once.findings),
        "{name}: it goes on where it was stopped"
    );
    once
}

#[test]
fn moves_hold() {
    let account = holds("moves", entry("moves").open, 192);
    assert!(account.count > 20_000, "{account:?}");
}

#[test]
fn costs_hold() {
    let account = holds("exact", entry("exact").open, 16);
    assert!(account.count > 10_000, "{account:?}");
}

#[test]
fn a_few_minutes_of_a_day_hold() {
    let account = holds("day", day::open_quick, 2);
    assert_eq!(account.count, 2);
}
