//! The book's page of commands is what the program's help says. `cargo xtask bless` writes it anew.

use std::fmt::Write as _;

use crate::Workplace;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/cli.md");

const BEGIN: &str = "\
# The program `surefoot`, command by command

All that `surefoot COMMAND --help` says, on one page. `cargo xtask bless` writes it from the program, and a test holds it to that. [Recipes](../play/recipes.md) and [the lab](../reproduce/lab.md) have commands in use.

Install the program with `cargo install --path crates/surefoot-cli`, or write `cargo run --release --` in place of `surefoot`.
";

/// The help of a command, and then that of its subcommands.
fn describe(place: &Workplace, words: &[&str], page: &mut String) {
    let mut command = place.command(&[words, &["--help"]].concat());
    let output = command.env("COLUMNS", "100").env("NO_COLOR", "1").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let name = [&["surefoot"], words].concat().join(" ");
    let text: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = writeln!(page, "\n## `{name}`\n```text\n{}\n```", text.join("\n").trim());
    let list = help.split_once("\nCommands:\n").map_or("", |(_, list)| list);
    for line in list.lines().take_while(|line| line.starts_with("  ")) {
        let is_name = line.as_bytes()[2] != b' ';
        if let Some(word) = line.split_whitespace().next().filter(|word| is_name && *word != "help") {
            describe(place, &[words, &[word]].concat(), page);
        }
    }
}

#[test]
fn the_books_page_of_commands_is_the_programs_help() {
    let mut page = BEGIN.to_string();
    describe(&Workplace::empty(), &[], &mut page);
    if std::env::var_os("SUREFOOT_BLESS").is_some() {
        std::fs::write(FILE, &page).unwrap();
    }
    let kept = std::fs::read_to_string(FILE).unwrap();
    let line = page.lines().zip(kept.lines()).take_while(|(ours, kept)| ours == kept).count() + 1;
    assert!(
        page == kept,
        "docs/reference/cli.md is not the program's help from line {line} on: cargo xtask bless"
    );
}
