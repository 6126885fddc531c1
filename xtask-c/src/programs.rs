//! Programs in C and C++, compiled and run.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Places, call};

/// What a program is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    Shared,
    Static,
    /// The static library, with sanitizers of addresses and undefined behaviour on the side of C.
    Sanitized,
}

impl Linked {
    fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Static => "static",
            Self::Sanitized => "sanitized",
        }
    }
}

/// What a static library of Rust needs besides.
const SYSTEM: &[&str] = &["-lpthread", "-ldl", "-lm"];

/// Compiles a program of the crate: a file below its folder.
pub(crate) fn compile(places: &Places, source: &str, linked: Linked) -> Result<PathBuf, String> {
    let path = places.crate_folder.join(source);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let program = places.made.join(format!("{stem}_{}", linked.name()));
    let is_cpp = path.extension().is_some_and(|extension| extension == "cpp");
    let (compiler, standard) = if is_cpp { ("g++", "-std=c++17") } else { ("gcc", "-std=c11") };
    let mut command = Command::new(compiler);
    if is_cpp {
        // Games may be strict, and the classes are compiled with them.
        command.args(["-Wshadow", "-Wconversion", "-Wold-style-cast"]);
    }
    command.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-g", "-I"]);
    command.arg(places.crate_folder.join("include")).arg(&path).arg("-o").arg(&program);
    match linked {
        Linked::Shared => {
            command.arg("-L").arg(&places.libraries).arg("-lsurefoot_c").arg("-lpthread").arg("-lm");
            command.arg(format!("-Wl,-rpath,{}", places.libraries.display()));
        }
        Linked::Static => {
            command.arg(places.libraries.join("libsurefoot_c.a")).args(SYSTEM);
        }
        Linked::Sanitized => {
            command.args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
            command.arg(places.libraries.join("libsurefoot_c.a")).args(SYSTEM);
        }
    }
    call(&mut command).map_err(|problem| format!("{source}: {problem}"))?;
    Ok(program)
}

/// Compiles a program, and runs it where it may leave files.
pub(crate) fn run(places: &Places, source: &str, linked: Linked, arguments: &[&str]) -> Result<(), String> {
    println!("-- {source}, {}", linked.name());
    let program = compile(places, source, linked)?;
    call(crate::program(&program).args(arguments).current_dir(&places.made))
        .map_err(|problem| format!("{source}, {}: {problem}", linked.name()))
}

/// A file of the crate, as one argument.
pub(crate) fn file(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}
