//! `cargo xtask c --check`: header, examples, tests, and what is installed.

use std::path::Path;
use std::process::Command;

use crate::programs::{Linked, file, run};
use crate::{Places, build, call, declarations, header, install, is_there};

const EXAMPLES: &[&str] = &[
    "examples/one_unit.c",
    "examples/crowd_with_edits.c",
    "examples/database_from_file.c",
    "examples/front_door.cpp",
];

/// Runs everything that the machine has compilers for.
pub(crate) fn run_all(places: &Places, is_long: bool) -> Result<(), String> {
    header::check(places)?;
    println!("the header is what the crate says");
    declarations::check(places)?;
    build(&[])?;
    if !is_there("gcc") || !is_there("g++") {
        println!("SKIPPED: there is no gcc or no g++, so no program in C or C++ was compiled and run.");
        return Ok(());
    }
    for linked in [Linked::Shared, Linked::Static, Linked::Sanitized] {
        EXAMPLES.iter().try_for_each(|example| run(places, example, linked, &[]))?;
        run(places, "tests/api.c", linked, &[])?;
    }
    let calls = if is_long { "1000000" } else { "100000" };
    run(places, "tests/hostile.c", Linked::Sanitized, &[calls])?;
    installed(places)?;
    csharp(places)
}

/// What is installed suffices to build with: by CMake and by pkg-config, if they are there.
fn installed(places: &Places) -> Result<(), String> {
    let prefix = places.made.join("installed");
    install::run(places, &prefix)?;
    moved(places, &prefix)?;
    if is_there("pkg-config") {
        println!("-- examples/one_unit.c, by pkg-config");
        let said = Command::new("pkg-config")
            .args(["--cflags", "--libs", "surefoot"])
            .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))
            .output()
            .map_err(|error| format!("pkg-config: {error}"))?;
        let flags = String::from_utf8_lossy(&said.stdout).into_owned();
        let program = places.made.join("one_unit_by_pkg_config");
        call(
            Command::new("gcc")
                .arg(places.crate_folder.join("examples/one_unit.c"))
                .args(flags.split_whitespace())
                .arg("-o")
                .arg(&program),
        )?;
        call(Command::new(&program).env("LD_LIBRARY_PATH", prefix.join("lib")))?;
    } else {
        println!("SKIPPED: there is no pkg-config, so surefoot.pc was not tried.");
    }
    if !is_there("cmake") {
        println!("SKIPPED: there is no cmake, so examples/CMakeLists.txt was not tried.");
        return Ok(());
    }
    println!("-- examples/CMakeLists.txt");
    let made = places.made.join("cmake");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(places.crate_folder.join("examples")).arg("-B").arg(&made);
    call(configure.arg("-Wno-dev").arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display())))?;
    call(Command::new("cmake").arg("--build").arg(&made))?;
    call(crate::program(Path::new("ctest")).arg("--output-on-failure").arg("--test-dir").arg(&made))
}

/// A program that was linked with the shared library by its path finds it where it is installed later on.
fn moved(places: &Places, prefix: &Path) -> Result<(), String> {
    let [here, there] = ["linked", "moved"].map(|name| places.made.join(name));
    let copied = |from: &Path, to: &Path| {
        std::fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
        let (from, to) = (from.join("libsurefoot_c.so"), to.join("libsurefoot_c.so"));
        std::fs::copy(&from, to).map_err(|error| format!("{}: {error}", from.display()))
    };
    if !prefix.join("lib/libsurefoot_c.so").exists() {
        println!("SKIPPED: there is no libsurefoot_c.so, so a library that is moved was not tried.");
        return Ok(());
    }
    println!("-- examples/one_unit.c, linked by path, and the library moved");
    copied(&prefix.join("lib"), &here)?;
    let program = places.made.join("one_unit_by_path");
    let mut compiler = Command::new("gcc");
    compiler.arg(places.crate_folder.join("examples/one_unit.c")).arg("-I").arg(prefix.join("include"));
    call(compiler.arg(here.join("libsurefoot_c.so")).arg("-o").arg(&program))?;
    copied(&here, &there)?;
    std::fs::remove_dir_all(&here).map_err(|error| format!("{}: {error}", here.display()))?;
    call(Command::new(&program).env("LD_LIBRARY_PATH", &there))
}

/// The declarations for C#, with Mono.
fn csharp(places: &Places) -> Result<(), String> {
    if !is_there("mcs") || !is_there("mono") {
        println!(
            "SKIPPED: there is no mcs or no mono, so csharp/Surefoot.cs was not compiled and not tried."
        );
        return Ok(());
    }
    println!("-- csharp/Test.cs, by Mono");
    let program = file(&places.made, "csharp_test.exe");
    compile_csharp(places, &["-target:exe", &format!("-out:{program}")], &["Test.cs"])?;
    call(Command::new("mono").arg(&program).env("LD_LIBRARY_PATH", &places.libraries))?;
    println!("-- csharp/UnityExample.cs, against a stand-in for Unity");
    let library = file(&places.made, "csharp_unity.dll");
    let files = ["UnityExample.cs", "UnityStandIn.cs"];
    for of_unity in ["-define:UNITY_5_3_OR_NEWER", "-define:UNITY_5_3_OR_NEWER;UNITY_IOS"] {
        compile_csharp(places, &["-target:library", of_unity, &format!("-out:{library}")], &files)?;
    }
    Ok(())
}

/// The declarations and some more files.
fn compile_csharp(places: &Places, options: &[&str], files: &[&str]) -> Result<(), String> {
    let folder = places.crate_folder.join("csharp");
    let all = ["Surefoot.cs", "Crowd.cs", "Native.cs"].iter().chain(files);
    let mut compile = Command::new("mcs");
    compile.args(["-langversion:7", "-warnaserror"]).args(options);
    // Fields that Unity sets are never set here.
    call(compile.arg("-nowarn:649").args(all.map(|name| file(&folder, name))))
}
