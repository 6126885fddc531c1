//! What is written by hand from `surefoot.h`, compared with it: every function is in `surefoot.hpp`, among the
//! hostile calls, and declared for C# with the same parameters; structures and enums have the same members.

use std::fs;

use crate::Places;

/// Types of the header, and what they are in C#. Others lose their `Surefoot`.
const TYPES: &[(&str, &str)] = &[
    ("uint64_t", "ulong"),
    ("uint32_t", "uint"),
    ("int32_t", "int"),
    ("uint8_t", "byte"),
    ("char", "byte"),
    ("size_t", "UIntPtr"),
    ("SurefootMap", "ulong"),
    ("SurefootNavigator", "ulong"),
    ("SurefootPath", "ulong"),
    ("SurefootWalker", "ulong"),
    ("SurefootCrowd", "ulong"),
    ("SurefootBytes", "ulong"),
    ("SurefootUnit", "ulong"),
    ("SurefootKind", "uint"),
    ("SurefootGroup", "uint"),
    ("SurefootProgress", "Hear"),
    ("SurefootMove", "UnitMove"),
    ("SurefootList", "UnitList"),
    ("SurefootKindOptions", "Kind"),
];

/// Functions that take no argument: there is nothing hostile to pass.
const WITHOUT_ARGUMENTS: &[&str] = &["surefoot_error_message", "surefoot_version"];

/// Compares them.
pub(crate) fn check(places: &Places) -> Result<(), String> {
    let read = |name: &str| {
        let path = places.crate_folder.join(name);
        fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let header = without_comments(&read("include/surefoot.h")?);
    let sharp = read("csharp/Surefoot.cs")? + &read("csharp/Native.cs")?;
    let (cpp, hostile) = (read("include/surefoot.hpp")?, read("tests/hostile.c")?);
    let mut faults = Vec::new();
    let declared = sharp_functions(&sharp);
    let functions = functions(&header);
    for (name, parameters) in &functions {
        match declared.iter().find(|(found, _)| found == name) {
            None => faults.push(format!("csharp/Native.cs does not declare {name}")),
            Some((_, found)) if found != parameters => {
                faults.push(format!("csharp/Native.cs declares {name}({found}); it is {name}({parameters})"));
            }
            Some(_) => {}
        }
        if !names(&cpp, name) {
            faults.push(format!("include/surefoot.hpp does not use {name}"));
        }
        if !names(&hostile, name) && !WITHOUT_ARGUMENTS.contains(&name.as_str()) {
            faults.push(format!("tests/hostile.c does not call {name}"));
        }
    }
    let known = |name: &String| functions.iter().any(|(function, _)| function == name);
    for (name, _) in declared.iter().filter(|(name, _)| !known(name)) {
        faults.push(format!("csharp/Native.cs declares {name}, which there is not"));
    }
    for (keyword, members) in [("struct", fields as fn(&str, &str) -> Vec<String>), ("enum", values)] {
        for (name, body) in blocks(&header, keyword) {
            let of_c = members(&body, &name);
            let sharp_name = sharp_type(&name);
            // Handles are numbers there.
            if sharp_name == "ulong" {
                continue;
            }
            let of_sharp = sharp_members(&sharp, keyword, sharp_name);
            if of_c != of_sharp {
                faults.push(format!("C#'s {sharp_name} has {of_sharp:?}; {name} has {of_c:?}"));
            }
        }
    }
    if functions.is_empty() || !faults.is_empty() {
        return Err(format!("{} functions in surefoot.h\n{}", functions.len(), faults.join("\n")));
    }
    println!("C++, C# and the hostile calls know all {} functions of the header", functions.len());
    Ok(())
}

fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_string();
    parts.filter_map(|part| part.split_once("*/")).fold(first, |code, (_, rest)| code + rest)
}

/// Whether a text has a word in it.
fn names(text: &str, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| !text[at + word.len()..].starts_with(is_part))
}

/// The functions of the header: their names, and their parameters as [`of_c`] writes them.
fn functions(header: &str) -> Vec<(String, String)> {
    let found = header.split(';').filter_map(|statement| {
        let (head, parameters) = statement.split_once('(')?;
        let name = head.rsplit([' ', '*']).next().filter(|name| name.starts_with("surefoot_"))?;
        let parameters = parameters.trim_end_matches(')').split(',').filter(|one| *one != "void");
        Some((name.to_string(), parameters.map(of_c).collect::<Vec<_>>().join(", ")))
    });
    found.collect()
}

/// The functions that C# declares, written in the same way.
fn sharp_functions(sharp: &str) -> Vec<(String, String)> {
    let found = sharp.lines().filter_map(|line| {
        let (head, parameters) = line.split_once(" extern ")?.1.split_once('(')?;
        let parameters = parameters.split(')').next()?.split(", ").filter(|one| !one.is_empty());
        let written = parameters.map(of_sharp).collect::<Vec<_>>().join(", ");
        Some((head.split_once(' ')?.1.to_string(), written))
    });
    found.collect()
}

/// A parameter of C, with the names of C#: `const byte* cells`.
fn of_c(parameter: &str) -> String {
    let (is_const, is_pointer) = (parameter.contains("const "), parameter.contains('*'));
    let bare = parameter.replace('*', " ").replace("const ", "");
    let mut words = bare.split_whitespace();
    let (kind, name) = (words.next().unwrap_or_default(), camel(words.next().unwrap_or_default()));
    match (kind, is_const, is_pointer) {
        ("void", _, true) => format!("IntPtr {name}"),
        (kind, true, true) => format!("const {}* {name}", sharp_type(kind)),
        (kind, _, true) => format!("{}* {name}", sharp_type(kind)),
        (kind, ..) => format!("{} {name}", sharp_type(kind)),
    }
}

/// A parameter of C#, written in the same way.
fn of_sharp(parameter: &str) -> String {
    if let Some(bare) = parameter.strip_prefix("[Out] ").or(parameter.strip_prefix("out ")) {
        return bare.replace("[]", "").replacen(' ', "* ", 1);
    }
    match parameter.strip_prefix("ref ") {
        Some(bare) => format!("const {}", bare.replacen(' ', "* ", 1)),
        None if parameter.contains("[]") => format!("const {}", parameter.replace("[]", "*")),
        None => parameter.to_string(),
    }
}

fn sharp_type(kind: &str) -> &str {
    let found = TYPES.iter().find(|(name, _)| *name == kind);
    found.map_or_else(|| kind.strip_prefix("Surefoot").unwrap_or(kind), |(_, sharp)| sharp)
}

/// `is_up_to_date` as `isUpToDate`.
fn camel(name: &str) -> String {
    let mut parts = name.split('_');
    parts.next().unwrap_or_default().to_string() + &parts.map(pascal).collect::<String>()
}

/// `to_date` as `ToDate`.
fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(word).collect()
}

/// The structures or enums of the header: their names, and what is between the braces.
fn blocks(header: &str, keyword: &str) -> Vec<(String, String)> {
    let head = format!("typedef {keyword} {{");
    let parts = header.split(&head).skip(1).filter_map(|part| {
        let (body, rest) = part.split_once('}')?;
        Some((rest.split(';').next()?.trim().to_string(), body.to_string()))
    });
    parts.collect()
}

/// The fields of a structure of C, with the names of C#: `uint LinkCount`.
fn fields(body: &str, _: &str) -> Vec<String> {
    let fields = body.split(';').map(str::trim).filter(|field| !field.is_empty());
    let written = fields.map(|field| {
        let (kind, name) = field.rsplit_once([' ', '*']).unwrap_or((field, ""));
        let kind = if field.contains('*') { "IntPtr" } else { sharp_type(kind) };
        format!("{kind} {}", pascal(name))
    });
    written.collect()
}

/// The values of an enum of C, with the names of C#: `NoCut = 1`.
fn values(body: &str, name: &str) -> Vec<String> {
    let prefix = format!("{}_", name.strip_prefix("Surefoot").unwrap_or(name).to_uppercase());
    let values = body.split(',').map(str::trim).filter(|value| !value.is_empty());
    let written = values.map(|value| {
        let bare = value.strip_prefix("SUREFOOT_").unwrap_or(value);
        let bare = bare.strip_prefix(&prefix).or(bare.strip_prefix("ERROR_")).unwrap_or(bare);
        pascal(&bare.to_lowercase())
    });
    written.collect()
}

/// The fields or values of a type of C#, up to its first function.
fn sharp_members(sharp: &str, keyword: &str, name: &str) -> Vec<String> {
    let head = format!("{keyword} {name}");
    let starts = sharp.match_indices(&head).map(|(at, _)| &sharp[at + head.len()..]);
    let Some(rest) = starts.into_iter().find(|rest| !rest.starts_with(char::is_alphanumeric)) else {
        return Vec::new();
    };
    let body = rest.split_once('{').map_or("", |(_, body)| body).split(['(', '}']).next().unwrap_or_default();
    if keyword == "enum" {
        return body.split(',').map(str::trim).filter(|value| !value.is_empty()).map(String::from).collect();
    }
    let mut members = Vec::new();
    for field in body.split_inclusive(';').filter_map(|field| field.trim().strip_suffix(';')) {
        let bare = field.trim_start_matches("public ").trim_start_matches("internal ");
        let (kind, names) = bare.split_once(' ').unwrap_or((bare, ""));
        members.extend(names.split(", ").map(|name| format!("{kind} {name}")));
    }
    members
}
