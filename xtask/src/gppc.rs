//! `cargo xtask gppc`: builds the entries of the grid path planning competition, and holds them to scenarios
//! that their harnesses make: C for the dynamic track, C++ for the classic one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const CRATE: &str = "crates/surefoot-gppc";

/// The entries, by what cargo calls them, and the file that each is installed as.
const ENTRIES: [(&str, &str); 2] =
    [("gppc_whole", "lib/libGPPCentry.so"), ("gppc_realtime", "lib/libGPPCentry_realtime.so")];

/// Seeds and sides of the maps that are generated. On the small ones paths are searched for.
const MAPS: [(u32, u32); 3] = [(1, 30), (2, 60), (3, 150)];

/// Libraries that a static library of Rust needs.
const SYSTEM: [&str; 4] = ["-lpthread", "-ldl", "-lm", "-lgcc_s"];

/// Builds and checks all.
pub(crate) fn run() -> ExitCode {
    let compilers = ["gcc", "g++"].iter().find(|name| !is_there(name));
    let done = match compilers {
        _ if !cfg!(target_os = "linux") => {
            println!("SKIPPED: the competition's kit is for Linux.");
            Ok(())
        }
        Some(missing) => {
            println!("SKIPPED: there is no {missing}, so the entries were not checked.");
            Ok(())
        }
        None => build_and_check(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask gppc: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn is_there(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").output().is_ok_and(|said| said.status.success())
}

fn build_and_check() -> Result<(), String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let (folder, built) = (target.join("gppc"), target.join("release/examples"));
    for part in ["lib", "index_data", "maps"] {
        fs::create_dir_all(folder.join(part)).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    call(Command::new("cargo").args(["build", "--release", "-p", "surefoot-gppc", "--examples"]))?;
    let harness = folder.join("dynamic");
    let source = |name: &str| Path::new(CRATE).join(name);
    let warnings = ["-O2", "-Wall", "-Wextra", "-Werror"];
    let mut compile = Command::new("gcc");
    compile.args(["-std=c11", "-D_GNU_SOURCE"]).args(warnings).arg(source("harness/dynamic.c"));
    call(compile.args(["-lm", "-ldl", "-o"]).arg(&harness))?;
    for (seed, side) in MAPS {
        let name = folder.join(format!("maps/{side}"));
        call(Command::new(&harness).arg("generate").arg(&name).args([seed.to_string(), side.to_string()]))?;
    }
    for (entry, installed) in ENTRIES {
        let library = folder.join(installed);
        fs::copy(built.join(format!("lib{entry}.so")), &library)
            .map_err(|error| format!("{}: {error}", library.display()))?;
        let classic = folder.join(format!("classic_{entry}"));
        let mut compile = Command::new("g++");
        compile.arg("-std=c++17").args(warnings).arg(source("harness/classic.cpp"));
        compile.arg(source("cpp/Entry.cpp")).arg(built.join(format!("lib{entry}.a")));
        call(compile.args(SYSTEM).arg("-o").arg(&classic))?;
        for (_, side) in MAPS {
            check(&folder, &harness, &library, &classic, side)?;
        }
    }
    println!("the entries are in {}", folder.display());
    Ok(())
}

/// Holds an entry to the scenarios of a map in both tracks: with its file, without one, and with one that is
/// none.
fn check(folder: &Path, harness: &Path, library: &Path, classic: &Path, side: u32) -> Result<(), String> {
    let at = |name: &str| folder.join(name);
    let (index, csv) = (at("index_data/index"), at("result.csv"));
    let (scen, map) = (at(&format!("maps/{side}.scen")), at(&format!("maps/{side}.map")));
    call(Command::new(harness).arg("preprocess").arg(library).arg(&scen).arg(&index))?;
    if !index.is_file() {
        return Err(format!("no file was written for {}", map.display()));
    }
    let others = [index.clone(), at("index_data/none"), scen.clone()];
    for index in &others {
        call(Command::new(harness).arg("run").arg(library).arg(&scen).arg(index).arg(&csv))?;
    }
    call(Command::new(classic).arg("preprocess").arg(&map).arg(&index))?;
    let problems = at(&format!("maps/{side}.map.scen"));
    call(Command::new(classic).arg("run").arg(&map).arg(&problems).arg(&index).arg(&csv))
}

fn call(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed ({status})")),
        Err(error) => Err(format!("{program} could not be started: {error}")),
    }
}
