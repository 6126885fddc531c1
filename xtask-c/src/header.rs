//! `include/surefoot.h`, from the crate's comments and signatures.

use std::fs;
use std::path::Path;

use cbindgen::{Builder, Config, DocumentationStyle, EnumConfig, ExportConfig, Language, RenameRule, Style};

use crate::Places;

/// In this order they come in the header.
const SOURCES: &[&str] = &[
    "problem.rs",
    "values.rs",
    "handles.rs",
    "border.rs",
    "bytes.rs",
    "map.rs",
    "navigator.rs",
    "path.rs",
    "walker.rs",
    "crowd/mod.rs",
    "crowd/kinds.rs",
    "crowd/orders.rs",
    "crowd/edits.rs",
    "crowd/frame.rs",
    "crowd/questions.rs",
    "crowd/ways.rs",
];

/// Enums that no function takes: what C passes may be any number.
const ENUMS: &[&str] = &["SurefootRule", "SurefootCosts", "SurefootPriority", "SurefootList"];

const INTRODUCTION: &str = "\
/*
 * surefoot: real-time pathfinding on grids.
 *
 * `cargo xtask c` writes this file from crates/surefoot-c/src; change it there.
 *
 * Every function returns a SurefootResult, and what it answers is written where a pointer says.
 *
 * Handles are numbers that are looked up, not addresses. Zero is none. A call with a handle that is zero, was freed,
 * is of another kind or was never given returns SUREFOOT_ERROR_HANDLE, and nothing else happens. What a function gives
 * as a handle is yours: free it with the function of its kind.
 *
 * Pointers are NULL or valid: aligned, and to as many values as the number says that goes with them. That is all that is
 * asked of a caller; every other argument has a defined answer. Lists of no values may be NULL. Nothing that is passed
 * is kept after a call.
 *
 * Any function may be called on any handle by any thread at any time. Calls that only ask run at the same time; a call
 * that changes an object waits for the others on it, and they for it. Freeing waits, too: an object lasts until the
 * calls end that have it. Builds work on copies, and nothing waits for them. Threads that ask one navigator very often
 * had better have copies of their own, which share everything.
 *
 * Strings are UTF-8, ended by a zero.
 */";

/// Writes the header.
pub(crate) fn write(places: &Places) -> Result<(), String> {
    let path = places.crate_folder.join("include/surefoot.h");
    fs::write(&path, generate(places)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// Compares the header with what it should be.
pub(crate) fn check(places: &Places) -> Result<(), String> {
    let path = places.crate_folder.join("include/surefoot.h");
    let found = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if found == generate(places)? {
        return Ok(());
    }
    Err(format!("{} is not what the crate says: run `cargo xtask c`, and commit it", path.display()))
}

fn generate(places: &Places) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut builder = Builder::new().with_config(config());
    for source in SOURCES {
        let path = places.crate_folder.join("src").join(source);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let copy = folder.path().join(source.replace('/', "_"));
        fs::write(&copy, as_pointers(&text)).map_err(|error| format!("{}: {error}", copy.display()))?;
        builder = builder.with_src(copy);
    }
    check_sources(&places.crate_folder.join("src"))?;
    let bindings = builder.generate().map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Every file with exported functions has to be listed above.
fn check_sources(folder: &Path) -> Result<(), String> {
    for (prefix, folder) in [("", folder.to_path_buf()), ("crowd/", folder.join("crowd"))] {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let is_listed = SOURCES.contains(&format!("{prefix}{name}").as_str());
            if text.lines().any(|line| line.starts_with("#[unsafe(no_mangle)]")) && !is_listed {
                return Err(format!("{} exports functions, and is not listed in xtask-c", path.display()));
            }
        }
    }
    Ok(())
}

/// The types of `border` as the pointers that they are.
fn as_pointers(text: &str) -> String {
    let mut text = text.replace(": Text", ": *const c_char");
    for (name, pointer) in [(": In<", ": *const "), (": Out<", ": *mut ")] {
        while let Some(start) = text.find(name) {
            let Some(end) = text[start..].find('>').map(|length| start + length) else { break };
            let inner = text[start + name.len()..end].to_string();
            text.replace_range(start..=end, &format!("{pointer}{inner}"));
        }
    }
    text
}

fn config() -> Config {
    Config {
        header: Some(INTRODUCTION.to_string()),
        include_guard: Some("SUREFOOT_H".to_string()),
        language: Language::C,
        cpp_compat: true,
        style: Style::Type,
        documentation_style: DocumentationStyle::Doxy,
        no_includes: true,
        sys_includes: vec!["stddef.h".to_string(), "stdint.h".to_string()],
        line_length: 100,
        usize_is_size_t: true,
        sort_by: cbindgen::SortKey::None,
        enumeration: EnumConfig {
            rename_variants: RenameRule::QualifiedScreamingSnakeCase,
            ..EnumConfig::default()
        },
        export: ExportConfig {
            include: ENUMS.iter().map(ToString::to_string).collect(),
            exclude: ["In", "Out", "Text", "Place", "Plain", "Table", "Problem", "Crowd"]
                .map(String::from)
                .to_vec(),
            ..ExportConfig::default()
        },
        ..Config::default()
    }
}
