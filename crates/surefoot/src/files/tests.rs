//! Every way in which a file can fail to be written or read, one after the other.
#![cfg(feature = "faults")]

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use std::fs;
use std::path::PathBuf;

use super::faults::{Fault, try_all};
use super::*;
use crate::formats::{read_any_map, read_map, read_weights};
use crate::space::TerrainSet;
use crate::{Map, Navigator};

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("surefoot-files-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn names(&self) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(&self.0).unwrap().map(name).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a message says why.
fn has_reason(message: &str) -> bool {
    ["permission denied", "no storage space", "input/output error"].iter().any(|why| message.contains(why))
}

#[test]
fn a_file_is_the_old_one_or_the_new_one() {
    let folder = Folder::new("write");
    let path = folder.0.join("a.sav");
    // More than one buffer, so that there are several operations.
    let new: Vec<u8> = (0..100_000_u32).map(|number| number as u8).collect();
    for old in [None, Some(&b"old"[..])] {
        let act = || {
            let _ = fs::remove_file(&path);
            if let Some(old) = old {
                fs::write(&path, old).unwrap();
            }
            let mut file = NewFile::create(&path)?;
            new.chunks(30_000).try_for_each(|piece| io::Write::write_all(&mut file, piece))?;
            file.finish()
        };
        let check = |came: io::Result<()>, at: u64, fault: Fault, operation: Operation| {
            let there = fs::read(&path).ok();
            let case = format!("{operation:?} {at} {fault}");
            assert_eq!(came.is_ok(), fault.is_harmless(), "{case}");
            let expected = if came.is_ok() { Some(&new[..]) } else { old };
            assert!(there.as_deref() == expected, "{case}");
            assert_eq!(folder.names().len(), usize::from(there.is_some()), "{case}: {:?}", folder.names());
            assert!(came.map_or_else(|error| has_reason(&error.to_string()), |()| true), "{case}");
        };
        // One to create, four to write, one for the disk, one for the name.
        let cases = try_all(act, check);
        assert_eq!(cases, 2 + 4 * 4 + 2 + 3, "create; writes; the disk; the name");
    }
}

#[test]
fn a_navigator_is_saved_whole_or_not_at_all() {
    let folder = Folder::new("navigator");
    let path = folder.0.join("a.sfdb");
    let map = Map::from_art("......\n.####.\n......").unwrap();
    let nav = map.navigator().unwrap();
    let new = nav.to_bytes().unwrap();
    let cases = try_all(
        || {
            fs::write(&path, "old").unwrap();
            nav.save(&path)
        },
        |came, at, fault, operation| {
            let case = format!("{operation:?} {at} {fault}");
            assert_eq!(came.is_ok(), fault.is_harmless(), "{case}");
            assert!(fs::read(&path).unwrap() == if came.is_ok() { &new[..] } else { b"old" }, "{case}");
            assert_eq!(folder.names(), ["a.sfdb"], "{case}");
            if let Err(error) = came {
                let message = error.to_string();
                assert!(message.starts_with(&path.display().to_string()), "{case}: {message}");
                assert!(has_reason(&message), "{case}: {message}");
            }
        },
    );
    assert!(cases >= 10, "{cases}");
}

#[test]
fn a_cached_navigator_is_opened_or_built_or_there_is_an_error() {
    let folder = Folder::new("cached");
    let path = folder.0.join("a.sfdb");
    let map = Map::from_art("......\n.####.\n......").unwrap();
    let new = map.navigator().unwrap().to_bytes().unwrap();
    // Nothing yet, the right file, and one that is damaged.
    for old in [None, Some(new.clone()), Some(new[..new.len() - 1].to_vec())] {
        let cases = try_all(
            || {
                let _ = fs::remove_file(&path);
                if let Some(old) = &old {
                    fs::write(&path, old).unwrap();
                }
                map.navigator_cached(&path)
            },
            |came, at, fault, operation| {
                let case = format!("{operation:?} {at} {fault}");
                match came {
                    Ok(nav) => {
                        assert!(nav.to_bytes().unwrap() == new, "{case}");
                        assert!(fs::read(&path).unwrap() == new, "{case}");
                    }
                    Err(error) => {
                        let message = error.to_string();
                        assert!(!fault.is_harmless() && fault != Fault::Ends, "{case}: {message}");
                        assert!(message.starts_with(&path.display().to_string()), "{case}: {message}");
                        assert!(has_reason(&message), "{case}: {message}");
                        assert!(fs::read(&path).ok() == old, "{case}");
                    }
                }
                assert!(folder.names().iter().all(|name| name == "a.sfdb"), "{case}");
            },
        );
        assert!(cases >= 5, "{cases}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error_with_its_name() {
    let folder = Folder::new("read");
    let put = |name: &str, text: String| {
        fs::write(folder.0.join(name), text).unwrap();
        folder.0.join(name)
    };
    let row = ".".repeat(300);
    let map =
        put("a.map", format!("type octile\nheight 50\nwidth 300\nmap\n{}", format!("{row}\n").repeat(50)));
    let weights = put("a.csv", format!("{}\n", ["1"; 300].join(",")).repeat(50));
    let expected = read_map(&map).unwrap();
    let nav_map = Map::from_terrain(&expected, TerrainSet::GROUND);
    let nav = nav_map.navigator().unwrap();
    let saved = folder.0.join("a.sfdb");
    nav.save(&saved).unwrap();

    type Reader<'a> = (&'a PathBuf, &'a dyn Fn() -> Result<Vec<u8>, String>);
    let readers: [Reader<'_>; 4] = [
        (&map, &|| {
            read_map(&map).map(|map| map.rows().flatten().copied().collect()).map_err(|e| e.to_string())
        }),
        (&map, &|| {
            read_any_map(&map).map(|map| map.rows().flatten().copied().collect()).map_err(|e| e.to_string())
        }),
        (&weights, &|| {
            read_weights(&weights)
                .map(|all| all.rows().flatten().copied().collect())
                .map_err(|e| e.to_string())
        }),
        (&saved, &|| {
            Navigator::open(&nav_map, &saved).map(|nav| nav.to_bytes().unwrap()).map_err(|e| e.to_string())
        }),
    ];
    for (path, read) in readers {
        let expected = read().unwrap();
        let cases = try_all(read, |came, at, fault, operation| {
            let case = format!("{operation:?} {at} {fault} {}", path.display());
            match came {
                Ok(read) if fault == Fault::Ends && *path == weights => {
                    // Nothing in such a file says how many rows there are.
                    assert!(expected.starts_with(&read), "{case}");
                }
                Ok(read) => assert!(read == expected, "{case}"),
                Err(message) => {
                    assert!(!fault.is_harmless(), "{case}: {message}");
                    assert!(has_reason(&message) || fault == Fault::Ends, "{case}: {message}");
                    // What was read and is wrong has no path where bytes are opened.
                    let is_named = message.starts_with(&path.display().to_string());
                    assert!(is_named || (fault == Fault::Ends && *path == saved), "{case}: {message}");
                }
            }
        });
        assert!(cases >= 8, "{cases}");
    }
}

#[test]
fn files_are_written_through_links_and_keep_their_mode() {
    let folder = Folder::new("links");
    let target = folder.0.join("target");
    fs::write(&target, "old").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        let link = folder.0.join("link");
        symlink("target", &link).unwrap();
        write(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o7777, 0o640);
        symlink("round", folder.0.join("round")).unwrap();
        assert!(write(folder.0.join("round"), b"new").is_err());
        assert_eq!(read(&target).unwrap(), b"new");
    }
    assert!(write(&folder.0, b"new").is_err() && read(&folder.0).is_err());
    assert!(write("..", b"new").is_err() && write("", b"new").is_err());
}
