//! What C calls, called from here.

use core::ffi::{CStr, c_char, c_void};
use std::path::Path;

use crate::border::{In, Out, Text};
use crate::handles::{SurefootMap, SurefootNavigator, SurefootPath, SurefootWalker};
use crate::map::{
    surefoot_map_free, surefoot_map_is_free, surefoot_map_new, surefoot_map_open, surefoot_map_size,
};
use crate::navigator::{surefoot_navigator_build, surefoot_navigator_cost, surefoot_navigator_free};
use crate::path::surefoot_path_length;
use crate::problem::SurefootResult::{
    SurefootCancelled, SurefootErrorArgument, SurefootErrorFile, SurefootErrorHandle, SurefootErrorInternal,
    SurefootErrorQuery, SurefootNoWay, SurefootOk,
};
use crate::problem::{Problem, SurefootResult, call, surefoot_error_message, surefoot_version};
use crate::values::{SUREFOOT_VERSION_MAJOR, SUREFOOT_VERSION_MINOR, SUREFOOT_VERSION_PATCH, SurefootCell};
use crate::walker::surefoot_walker_next;

#[allow(unsafe_code)]
fn text(pointer: *const c_char) -> String {
    // SAFETY: both functions that give strings promise that they are ended by a zero.
    unsafe { CStr::from_ptr(pointer) }.to_str().unwrap().to_string()
}

#[allow(unsafe_code)]
fn given<T: crate::border::Plain>(values: &[T]) -> In<T> {
    // SAFETY: every test passes it on at once, with the length of the slice, which outlives the call.
    unsafe { In::new(values.as_ptr()) }
}

#[allow(unsafe_code)]
fn out<T: Copy>(value: &mut T) -> Out<T> {
    // SAFETY: every test passes it on at once, and the value outlives the call.
    unsafe { Out::new(core::ptr::from_mut(value)) }
}

#[allow(unsafe_code)]
fn nowhere<T: Copy>() -> Out<T> {
    // SAFETY: null is allowed.
    unsafe { Out::new(core::ptr::null_mut()) }
}

fn message() -> String {
    text(surefoot_error_message())
}

fn map_of(cells: &[u8], width: u32) -> SurefootMap {
    let mut map = SurefootMap { bits: 0 };
    let height = cells.len() as u32 / width;
    assert_eq!(surefoot_map_new(given(cells), cells.len(), width, height, out(&mut map)), SurefootOk);
    map
}

const fn cell(x: u32, y: u32) -> SurefootCell {
    SurefootCell { x, y }
}

#[test]
fn the_version_of_the_header_is_that_of_the_crate() {
    let header = format!("{SUREFOOT_VERSION_MAJOR}.{SUREFOOT_VERSION_MINOR}.{SUREFOOT_VERSION_PATCH}");
    assert_eq!(text(surefoot_version()), header);
}

#[test]
fn a_map_says_what_is_free_and_is_gone_after_it_was_freed() {
    let map = map_of(&[1, 0, 1, 1, 1, 1], 3);
    let (mut width, mut height, mut is_free) = (0, 0, 7);
    assert_eq!(surefoot_map_size(map, out(&mut width), out(&mut height)), SurefootOk);
    assert_eq!((width, height), (3, 2));
    assert_eq!(surefoot_map_is_free(map, cell(1, 0), out(&mut is_free)), SurefootOk);
    assert_eq!(is_free, 0);
    assert_eq!(surefoot_map_is_free(map, cell(0, 1), out(&mut is_free)), SurefootOk);
    assert_eq!(is_free, 1);
    assert_eq!(surefoot_map_is_free(map, cell(u32::MAX, 0), out(&mut is_free)), SurefootOk);
    assert_eq!(is_free, 0);
    assert_eq!(surefoot_map_free(map), SurefootOk);
    assert_eq!(surefoot_map_free(map), SurefootErrorHandle);
    assert_eq!(surefoot_map_is_free(map, cell(0, 1), out(&mut is_free)), SurefootErrorHandle);
    assert!(message().contains("freed"), "{}", message());
}

#[test]
fn arguments_that_are_none_are_refused_before_anything_is_done() {
    let cells = [1; 6];
    let mut map = SurefootMap { bits: 1 };
    assert_eq!(surefoot_map_new(given(&cells), 6, 3, 2, nowhere()), SurefootErrorArgument);
    assert_eq!(message(), "map is NULL, and should be where to write to");
    assert_eq!(surefoot_map_new(given(&cells), 6, 3, 3, out(&mut map)), SurefootErrorArgument);
    assert_eq!(map.bits, 0);
    assert_eq!(message(), "6 values do not make a map of 3 x 3 cells");
    let nothing = {
        #[allow(unsafe_code)]
        // SAFETY: null is allowed.
        unsafe {
            In::new(core::ptr::null())
        }
    };
    assert_eq!(surefoot_map_new(nothing, 6, 3, 2, out(&mut map)), SurefootErrorArgument);
    assert_eq!(surefoot_map_new(nothing, 1 << 62, 1 << 31, 1 << 31, out(&mut map)), SurefootErrorArgument);
    for (bytes, result, words) in [
        (&b"\xff\0"[..], SurefootErrorArgument, "file is not UTF-8"),
        (&b"/no/such/file.map\0"[..], SurefootErrorFile, "/no/such/file.map"),
    ] {
        #[allow(unsafe_code)]
        // SAFETY: it is ended by a zero.
        let file = unsafe { Text::new(bytes.as_ptr().cast()) };
        if cfg!(miri) && result == SurefootErrorFile {
            continue;
        }
        assert_eq!(surefoot_map_open(file, out(&mut map)), result);
        assert!(message().contains(words), "{}", message());
    }
}

#[test]
fn handles_of_other_kinds_are_refused() {
    let map = map_of(&[1, 1], 2);
    let (mut length, mut cost) = (0, 0.0);
    assert_eq!(surefoot_path_length(SurefootPath { bits: map.bits }, out(&mut length)), SurefootErrorHandle);
    assert_eq!(message(), "this is a handle of the kind map, not path");
    let navigator = SurefootNavigator { bits: map.bits };
    let result = surefoot_navigator_cost(navigator, cell(0, 0), cell(1, 0), out(&mut cost));
    assert_eq!(result, SurefootErrorHandle);
    assert_eq!(surefoot_walker_next(SurefootWalker { bits: 0 }, nowhere(), nowhere()), SurefootErrorHandle);
    assert_eq!(surefoot_map_free(map), SurefootOk);
}

#[test]
#[cfg_attr(miri, ignore = "builds take long")]
fn costs_are_those_of_the_library_and_no_way_is_an_answer() {
    let map = map_of(&[1, 1, 0, 1], 4);
    let mut navigator = SurefootNavigator { bits: 0 };
    let none = core::ptr::null_mut();
    assert_eq!(surefoot_navigator_build(map, None, none, out(&mut navigator)), SurefootOk);
    let mut cost = 0.0;
    assert_eq!(surefoot_navigator_cost(navigator, cell(0, 0), cell(1, 0), out(&mut cost)), SurefootOk);
    assert_eq!(cost, 1.0);
    assert_eq!(surefoot_navigator_cost(navigator, cell(0, 0), cell(3, 0), out(&mut cost)), SurefootNoWay);
    assert_eq!(cost, f64::INFINITY);
    assert_eq!(
        surefoot_navigator_cost(navigator, cell(0, 0), cell(2, 0), out(&mut cost)),
        SurefootErrorQuery
    );
    assert_eq!(surefoot_navigator_free(navigator), SurefootOk);
    assert_eq!(surefoot_map_free(map), SurefootOk);
}

extern "C" fn refuse(_: *mut c_void, _: *const c_char, _: u64, _: u64) -> i32 {
    1
}

#[test]
#[cfg_attr(miri, ignore = "builds take long")]
fn a_build_ends_when_the_callers_function_says_so() {
    let map = map_of(&[1; 4096], 64);
    let mut navigator = SurefootNavigator { bits: 9 };
    let none = core::ptr::null_mut();
    assert_eq!(surefoot_navigator_build(map, Some(refuse), none, out(&mut navigator)), SurefootCancelled);
    assert_eq!(navigator.bits, 0);
    assert_eq!(surefoot_map_free(map), SurefootOk);
}

#[test]
fn a_panic_is_an_error_with_words() {
    let result = call(|| -> Result<SurefootResult, Problem> { panic!("out of cheese") });
    assert_eq!(result, SurefootErrorInternal);
    assert!(message().contains("out of cheese"), "{}", message());
    let other_thread = std::thread::spawn(message).join().unwrap();
    assert_eq!(other_thread, "");
}

/// No file but `border.rs`, and this one, has an unsafe block: the lint cannot tell them from exported names.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn unsafe_blocks_are_in_one_module() {
    fn look(folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                look(&path, found);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let is_unsafe = |line: &str| {
                line.replace("#[unsafe(no_mangle)]", "").replace("unsafe_code", "").contains("unsafe")
            };
            if code.filter(|line| is_unsafe(line)).count() > 0 {
                found.push(path.file_name().unwrap().to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    look(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    assert_eq!(found, ["border.rs", "tests.rs"]);
}
