//! `cargo xtask c --install PREFIX`: headers, libraries and `surefoot.pc`.

use std::fs;
use std::path::Path;

use crate::{Places, build, header};

/// What the libraries are called on the systems that there are; those that were built are copied.
const LIBRARIES: &[&str] =
    &["libsurefoot_c.so", "libsurefoot_c.dylib", "libsurefoot_c.a", "surefoot_c.dll", "surefoot_c.dll.lib"];

/// Copies everything below a prefix.
pub(crate) fn run(places: &Places, prefix: &Path) -> Result<(), String> {
    header::check(places)?;
    build(&[])?;
    let prefix = std::path::absolute(prefix).map_err(|error| format!("{}: {error}", prefix.display()))?;
    let (include, lib) = (prefix.join("include"), prefix.join("lib"));
    let packages = lib.join("pkgconfig");
    for folder in [&include, &packages] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for name in ["surefoot.h", "surefoot.hpp"] {
        copy(&places.crate_folder.join("include").join(name), &include.join(name))?;
    }
    let mut copied = 0;
    for name in LIBRARIES {
        let library = places.libraries.join(name);
        if library.exists() {
            copy(&library, &lib.join(name))?;
            copied += 1;
        }
    }
    if copied == 0 {
        return Err(format!("there is no library in {}", places.libraries.display()));
    }
    let file = packages.join("surefoot.pc");
    fs::write(&file, package(&prefix)).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("installed {copied} libraries, two headers and surefoot.pc below {}", prefix.display());
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", from.display()))
}

/// What pkg-config is told. xtask and the crate are of one workspace, so its version is in the header.
fn package(prefix: &Path) -> String {
    let version = include_str!("../../Cargo.toml")
        .lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
        .unwrap_or_default();
    format!(
        "prefix={}
includedir=${{prefix}}/include
libdir=${{prefix}}/lib

Name: surefoot
Description: Real-time pathfinding on grids
Version: {version}
Cflags: -I${{includedir}}
Libs: -L${{libdir}} -lsurefoot_c
Libs.private: -lpthread -ldl -lm
",
        prefix.display()
    )
}
