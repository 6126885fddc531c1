//! `cargo xtask tidy`: what a compiler does not see. Layers, kinds of databases, long files and comments, and
//! what is written by hand nowhere: the tables of algorithms, of campaigns and of published
//! figures, and the list of public items.
//! Links of all pages lead somewhere, and tests that promises name are there. Each dependency has its reason.
//! Files are written in one place.

mod algorithms;
mod api;
mod blocks;
mod campaigns;
mod comments;
mod dependencies;
mod finding;
mod kinds;
mod layers;
mod length;
mod matches;
mod names;
mod opens;
mod promises;
mod rules;
mod source;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::blocks::Block;
pub(crate) use self::campaigns::TABLE as CAMPAIGNS_TABLE;
pub(crate) use self::finding::Finding;
use self::source::{read_crate, with_slashes};

/// The file that has the tables.
const RULES: &str = "xtask/src/tidy/rules.rs";

const USAGE: &str = "\
usage: cargo xtask tidy [--count | --fix | --wrap]
  --count  where kinds of databases are named, and how long comments are
  --fix    write these tables and docs/api.txt anew; review the diff
  --wrap   wrap comments that are too long";

/// Runs the command with what comes after its name.
pub(crate) fn run(arguments: &[String]) -> ExitCode {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    let done = match arguments[..] {
        [] => check(&root),
        ["--count"] => count(&root).map(|()| Vec::new()),
        ["--fix"] => fix(&root).map(|()| Vec::new()),
        ["--wrap"] => wrap(&root).map(|()| Vec::new()),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    let findings = done.unwrap_or_else(|finding| vec![finding]);
    findings.iter().for_each(|finding| eprintln!("{finding}"));
    if findings.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("xtask: tidy found {}", findings.len());
    ExitCode::FAILURE
}

/// All that is not as it should be.
fn check(root: &Path) -> Result<Vec<Finding>, Finding> {
    let mut findings = Vec::new();
    for table in [rules::LIBRARY, rules::CLASSICS] {
        findings.extend(layers::check_modules(root, &table)?);
    }
    findings.extend(layers::check_crates(root, rules::CRATES)?);
    let sources = all_sources(root)?;
    for kind in rules::KINDS {
        findings.extend(kinds::check(&sources, kind, rules::ROSTERS).1);
    }
    findings.extend(opens::check(&sources));
    let files = files(root)?;
    findings.extend(length::check(&files, rules::LONG_FILES));
    for (file, text) in files.iter().filter(|(file, _)| has_wrapped_comments(file)) {
        findings.extend(comments::check(file, text)?);
    }
    findings.extend(
        algorithms::BLOCK
            .check(&read(root, algorithms::BLOCK.page)?, &algorithms::table(&algorithms::rows())),
    );
    findings.extend(algorithms::check_cards(crate::book::Pages::read(root)?.texts())?);
    let matches = matches::table(&matches::read(root)?)?;
    findings.extend(matches::BLOCK.check(&read(root, matches::BLOCK.page)?, &matches));
    let names = crate::campaign::CAMPAIGNS.map(|(name, _)| name);
    findings.extend(campaigns::check(
        &read(root, campaigns::TABLE)?,
        &read(root, campaigns::BLOCK.page)?,
        &names,
    ));
    findings.extend(api::check(&api::list(root)?, &read(root, api::FILE).unwrap_or_default()));
    findings.extend(promises::check(&read(root, promises::PAGE)?, &files));
    findings.extend(crate::book::check(root)?);
    findings.extend(dependencies::check(root)?);
    findings.sort();
    findings.dedup();
    Ok(findings)
}

/// Prints where kinds are named.
fn count(root: &Path) -> Result<(), Finding> {
    let sources = all_sources(root)?;
    println!("Lines that name a kind of database, without tests:\n");
    println!("kind         at home  built upon  rosters  exceptions  elsewhere");
    for kind in rules::KINDS {
        let (count, _) = kinds::check(&sources, kind, rules::ROSTERS);
        let kinds::Count { at_home, built_on, rosters, excepted, elsewhere } = count;
        println!("{:12} {at_home:7} {built_on:11} {rosters:8} {excepted:11} {elsewhere:10}", kind.module);
    }
    let mut long = 0;
    for (file, text) in files(root)?.iter().filter(|(file, _)| has_wrapped_comments(file)) {
        long += comments::check(file, text)?.len();
    }
    println!("\nLines of comments over {} columns: {long}", comments::MOST_COLUMNS);
    Ok(())
}

/// Writes what follows from something else.
fn fix(root: &Path) -> Result<(), Finding> {
    write_block(root, &algorithms::BLOCK, &algorithms::table(&algorithms::rows()))?;
    for (page, text) in crate::book::Pages::read(root)?.texts() {
        for place in algorithms::places(page, text) {
            let (block, entry) = place?;
            write_block(root, &block, &algorithms::card(entry))?;
        }
    }
    write_block(root, &matches::BLOCK, &matches::table(&matches::read(root)?)?)?;
    write_campaigns()?;
    write(root, api::FILE, &api::list(root)?)
}

/// Writes the table of campaigns into its page.
pub(crate) fn write_campaigns() -> Result<(), Finding> {
    let root = root();
    let rows = campaigns::rows(&read(&root, campaigns::TABLE)?)?;
    write_block(&root, &campaigns::BLOCK, &campaigns::table_of(&rows))
}

fn write_block(root: &Path, block: &Block<'_>, table: &str) -> Result<(), Finding> {
    let page = block.with(&read(root, block.page)?, table)?;
    write(root, block.page, &page)
}

fn wrap(root: &Path) -> Result<(), Finding> {
    for (file, text) in files(root)?.iter().filter(|(file, _)| has_wrapped_comments(file)) {
        let wrapped = comments::wrap(file, text)?;
        if wrapped != *text {
            write(root, file, &wrapped)?;
        }
    }
    Ok(())
}

/// Comments of tests in files of their own are not looked at.
fn has_wrapped_comments(file: &str) -> bool {
    file.split('/').any(|folder| folder == "src")
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn read(root: &Path, file: &str) -> Result<String, Finding> {
    fs::read_to_string(root.join(file)).map_err(|error| Finding::new(file, 1, error.to_string()))
}

fn write(root: &Path, file: &str, text: &str) -> Result<(), Finding> {
    fs::write(root.join(file), text).map_err(|error| Finding::new(file, 1, error.to_string()))
}

/// Folders of all crates, workspace or not.
fn crate_folders(root: &Path) -> Vec<String> {
    let mut folders: Vec<String> = fs::read_dir(root.join("crates"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| format!("crates/{}", entry.file_name().to_string_lossy()))
        .chain(["fuzz", "godot", "python", "xtask"].map(str::to_string))
        .filter(|folder| root.join(folder).join("Cargo.toml").exists())
        .collect();
    folders.sort();
    folders
}

fn all_sources(root: &Path) -> Result<Vec<source::Source>, Finding> {
    let mut sources = Vec::new();
    for folder in crate_folders(root).iter().filter(|folder| *folder != "xtask") {
        sources.extend(read_crate(root, folder)?);
    }
    Ok(sources)
}

/// All files of code: their paths, and their texts.
fn files(root: &Path) -> Result<Vec<(String, String)>, Finding> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> = crate_folders(root).iter().map(|folder| root.join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() && name != "target" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let file = with_slashes(path.strip_prefix(root).unwrap_or(&path));
                let text = read(root, &file)?;
                files.push((file, text));
            }
        }
    }
    files.sort();
    Ok(files)
}
