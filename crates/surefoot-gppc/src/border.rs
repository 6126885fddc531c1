//! Where C calls the entry: the only code of it that is not safe Rust.
//!
//! Structures and functions are those of the dynamic track. [`entry!`](crate::entry!) gives the functions
//! their names. No panic crosses the border: whoever called gets an empty path, or nothing.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path as FilePath;
use std::ptr;

use surefoot::Cell;

use crate::changes::{Bits, Changes};
use crate::entry::{Entry, Part, Variant};

/// A cell.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GppcPoint {
    /// Its column.
    pub x: u16,
    /// Its row.
    pub y: u16,
}

/// A rectangle of a map, or all of it: bits row by row, the least significant one first, 1 is free.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GppcPatch {
    /// The bits.
    pub bits: *const u8,
    /// Its width.
    pub width: u16,
    /// Its height.
    pub height: u16,
    /// Where its first cell lies on the map.
    pub place: GppcPoint,
}

/// A path, or the next piece of it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GppcPath {
    /// The cells where it turns. They stay as they are until the next call.
    pub points: *const GppcPoint,
    /// How many there are.
    pub length: u32,
    /// 1 if the next call has more.
    pub incomplete: u8,
}

impl GppcPath {
    const NONE: Self = Self { points: ptr::null(), length: 0, incomplete: 0 };
}

/// What is behind the pointer that C keeps: the entry, and the points of its last path.
struct Held {
    entry: Entry,
    points: Vec<GppcPoint>,
    /// Whether a call came to a bad end. Nothing is given after that.
    is_broken: bool,
}

impl Held {
    fn path(&mut self, start: GppcPoint, goal: GppcPoint) -> GppcPath {
        let cell = |point: GppcPoint| Cell::new(point.x.into(), point.y.into());
        let Part { cells, is_incomplete } = self.entry.path(cell(start), cell(goal));
        self.points.clear();
        // Sides of a map have 16 bits.
        self.points.extend(cells.iter().map(|cell| GppcPoint { x: cell.x as u16, y: cell.y as u16 }));
        let length = self.points.len() as u32;
        GppcPath { points: self.points.as_ptr(), length, incomplete: is_incomplete.into() }
    }
}

/// The bits of a patch; `None` if there are none.
///
/// # Safety
/// If its pointer is not null, as many bytes as it has bits, divided by eight and rounded up, must be there
/// to be read for `'a`.
unsafe fn bits_of<'a>(patch: &GppcPatch) -> Option<Bits<'a>> {
    let (width, height) = (u32::from(patch.width), u32::from(patch.height));
    let length = Bits::bytes_of(width, height);
    if patch.bits.is_null() || length == 0 {
        return None;
    }
    // SAFETY: the caller promises that so many bytes can be read.
    let bytes = unsafe { std::slice::from_raw_parts(patch.bits, length) };
    Bits::new(bytes, width, height)
}

/// A file's name; `None` if there is none.
///
/// # Safety
/// If it is not null, it must be a string that ends with a zero, and stay for `'a`.
unsafe fn name_of<'a>(name: *const c_char) -> Option<&'a FilePath> {
    if name.is_null() {
        return None;
    }
    // SAFETY: the caller promises a string that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) };
    path_of(name).filter(|path| !path.as_os_str().is_empty())
}

/// A name may be any bytes.
#[cfg(unix)]
fn path_of(name: &CStr) -> Option<&FilePath> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(FilePath::new(std::ffi::OsStr::from_bytes(name.to_bytes())))
}

/// A name has to be UTF-8.
#[cfg(not(unix))]
fn path_of(name: &CStr) -> Option<&FilePath> {
    name.to_str().ok().map(FilePath::new)
}

/// `gppc_preprocess_init_map`: builds for a map, and writes the file.
///
/// # Safety
/// The bits of the map must be there to be read, and the name must be null or end with a zero.
pub unsafe fn preprocess(map: GppcPatch, file: *const c_char) {
    // SAFETY: the caller promises both.
    let (bits, file) = unsafe { (bits_of(&map), name_of(file)) };
    let (Some(bits), Some(file)) = (bits, file) else { return };
    let done = catch_unwind(|| Entry::preprocess(bits, file));
    if let Ok(Err(error)) = done {
        // Without a file it is built when the search begins.
        eprintln!("surefoot: {error}");
    }
}

/// `gppc_search_init`: an entry on a map. Null if there can be none.
///
/// # Safety
/// As for [`preprocess`].
pub unsafe fn begin<V: Variant>(map: GppcPatch, file: *const c_char) -> *mut c_void {
    // SAFETY: the caller promises both.
    let (bits, file) = unsafe { (bits_of(&map), name_of(file)) };
    let Some(bits) = bits else { return ptr::null_mut() };
    match catch_unwind(|| Entry::open(V::WAY, bits, file)) {
        Ok(Ok(entry)) => Box::into_raw(Box::new(Held { entry, points: Vec::new(), is_broken: false })).cast(),
        _ => ptr::null_mut(),
    }
}

/// The entry behind a pointer; `None` if there is none, or it is broken.
///
/// # Safety
/// The pointer must be null, or come from [`begin`] and not have been given to [`end`]; nobody else may use
/// it meanwhile.
unsafe fn held<'a>(data: *mut c_void) -> Option<&'a mut Held> {
    // SAFETY: the caller promises that it is null or an entry that nobody else uses.
    unsafe { data.cast::<Held>().as_mut() }.filter(|held| !held.is_broken)
}

/// `gppc_map_change`: takes note of patches.
///
/// # Safety
/// As for [`path`]; so many patches must be there to be read, and the bits of each.
pub unsafe fn change(data: *mut c_void, patches: *const GppcPatch, count: u32) {
    // SAFETY: the caller promises it.
    let Some(held) = (unsafe { held(data) }) else { return };
    if patches.is_null() || count == 0 {
        return;
    }
    // SAFETY: the caller promises that so many patches can be read.
    let patches = unsafe { std::slice::from_raw_parts(patches, count as usize) };
    let done = catch_unwind(AssertUnwindSafe(|| {
        let mut changes = Changes::default();
        for patch in patches {
            // SAFETY: the caller promises that their bits can be read.
            if let Some(bits) = unsafe { bits_of(patch) } {
                let place = Cell::new(patch.place.x.into(), patch.place.y.into());
                changes.add(held.entry.map(), bits, place);
            }
        }
        held.entry.change(&changes);
    }));
    held.is_broken = done.is_err();
}

/// `gppc_get_path`: a path, or the next piece of it.
///
/// # Safety
/// The pointer must be null, or come from [`begin`] and not have been given to [`end`]; nobody else may use
/// it meanwhile.
pub unsafe fn path(data: *mut c_void, start: GppcPoint, goal: GppcPoint) -> GppcPath {
    // SAFETY: the caller promises it.
    let Some(held) = (unsafe { held(data) }) else { return GppcPath::NONE };
    let found = catch_unwind(AssertUnwindSafe(|| held.path(start, goal)));
    held.is_broken = found.is_err();
    found.unwrap_or(GppcPath::NONE)
}

/// `gppc_free_data`: the end of an entry.
///
/// # Safety
/// As for [`path`]; nothing may be done with the pointer any more.
pub unsafe fn end(data: *mut c_void) {
    if !data.is_null() {
        // SAFETY: the caller promises that it comes from `begin`, which made it of a box.
        let held = unsafe { Box::from_raw(data.cast::<Held>()) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(held)));
    }
}

/// Makes a library of an entry: the six functions of the dynamic track, for one [`Variant`].
#[macro_export]
macro_rules! entry {
    ($variant:ty) => {
        use std::ffi::{c_char, c_void};
        use $crate::border::{self, GppcPatch, GppcPath, GppcPoint};

        /// Builds for a map, and writes a file.
        ///
        /// # Safety
        /// See [`border::preprocess`].
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn gppc_preprocess_init_map(map: GppcPatch, file: *const c_char) {
            // SAFETY: the caller promises what it asks for.
            unsafe { border::preprocess(map, file) }
        }

        /// Begins with a map.
        ///
        /// # Safety
        /// See [`border::begin`].
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn gppc_search_init(map: GppcPatch, file: *const c_char) -> *mut c_void {
            // SAFETY: the caller promises what it asks for.
            unsafe { border::begin::<$variant>(map, file) }
        }

        /// Takes note of patches.
        ///
        /// # Safety
        /// See [`border::change`].
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn gppc_map_change(data: *mut c_void, patches: *const GppcPatch, count: u32) {
            // SAFETY: the caller promises what it asks for.
            unsafe { border::change(data, patches, count) }
        }

        /// A path, or the next piece of it.
        ///
        /// # Safety
        /// See [`border::path`].
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn gppc_get_path(
            data: *mut c_void,
            start: GppcPoint,
            goal: GppcPoint,
        ) -> GppcPath {
            // SAFETY: the caller promises what it asks for.
            unsafe { border::path(data, start, goal) }
        }

        /// The end.
        ///
        /// # Safety
        /// See [`border::end`].
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn gppc_free_data(data: *mut c_void) {
            // SAFETY: the caller promises what it asks for.
            unsafe { border::end(data) }
        }

        /// The entry's name.
        #[unsafe(no_mangle)]
        pub extern "C" fn gppc_get_name() -> *const c_char {
            <$variant as $crate::Variant>::NAME.as_ptr()
        }
    };
}
