//! What C passes by pointer. This is the only module with unsafe blocks; a test holds that.
//!
//! The types here are pointers, as C sees them. No safe code of Rust makes one: they come from C, whose
//! caller promises what the header says, or from an unsafe constructor. The promise is that a pointer is null
//! or valid: of as many values as the number says that goes with it, for the time of the call. All else is
//! checked here: null, alignment, lengths, UTF-8.
//!
//! Values are copied in and copied out. So it does no harm if what C passes overlaps.

#![allow(unsafe_code)]

use core::ffi::{CStr, c_char, c_void};
use core::ops::ControlFlow;
use std::ffi::CString;

use surefoot::BuildEvent;

use crate::crowd::SurefootCrowdOptions;
use crate::crowd::kinds::SurefootKindOptions;
use crate::problem::{Problem, argument};
use crate::values::{SurefootCell, SurefootLink};

/// Types of which any bytes are a value.
///
/// # Safety
/// They have to be: no bool, no enum, no reference.
pub unsafe trait Plain: Copy {}

// SAFETY: whole numbers.
unsafe impl Plain for u8 {}
// SAFETY: whole numbers.
unsafe impl Plain for u64 {}
// SAFETY: a structure of whole numbers.
unsafe impl Plain for SurefootCell {}
// SAFETY: a structure of whole numbers.
unsafe impl Plain for SurefootLink {}
// SAFETY: a structure of whole numbers.
unsafe impl Plain for SurefootCrowdOptions {}
// SAFETY: a structure of whole numbers and of pointers, of which C makes the same promise.
unsafe impl Plain for SurefootKindOptions {}

/// Values that C passes: `const T *`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct In<T>(*const T);

impl<T: Plain> In<T> {
    /// A pointer to pass to a function of this crate.
    ///
    /// # Safety
    /// It is null, or valid for reads of as many values as the number says that is passed with it, until that
    /// function has returned.
    pub const unsafe fn new(pointer: *const T) -> Self {
        Self(pointer)
    }

    /// Whether there is nothing.
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// So many values. `what` they are is said where there is something wrong with them.
    pub(crate) fn list(self, count: usize, what: &str) -> Result<Vec<T>, Problem> {
        if count == 0 {
            return Ok(Vec::new());
        }
        if self.0.is_null() {
            return Err(argument(format!("{what} is NULL, and should be {count} values")));
        }
        check_aligned(self.0.is_aligned(), what)?;
        if count > isize::MAX as usize / size_of::<T>() {
            return Err(argument(format!("{count} values of {what} are more than memory has")));
        }
        let mut values = Vec::new();
        values.try_reserve_exact(count)?;
        // SAFETY: the pointer is aligned, not null, and valid for so many values by C's promise. The vector
        // has room for them, and is of this call's own. Any bytes are a value of T.
        unsafe {
            core::ptr::copy_nonoverlapping(self.0, values.as_mut_ptr(), count);
            values.set_len(count);
        }
        Ok(values)
    }

    /// One value. `None` if the pointer is null.
    pub(crate) fn one(self, what: &str) -> Result<Option<T>, Problem> {
        if self.0.is_null() {
            return Ok(None);
        }
        check_aligned(self.0.is_aligned(), what)?;
        // SAFETY: the pointer is aligned, not null, and valid by C's promise; any bytes are a value of T.
        Ok(Some(unsafe { self.0.read() }))
    }
}

/// Room for values that C gets: `T *`.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Out<T>(*mut T);

impl<T: Copy> Out<T> {
    /// A pointer to pass to a function of this crate.
    ///
    /// # Safety
    /// It is null, or valid for writes of as many values as the number says that is passed with it, until
    /// that function has returned.
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// The place for one value, which there has to be. Ask for it before anything is done.
    pub(crate) fn place(self, what: &str) -> Result<Place<T>, Problem> {
        if self.0.is_null() {
            return Err(argument(format!("{what} is NULL, and should be where to write to")));
        }
        self.maybe(what)
    }

    /// The place for one value, if the caller wants it.
    pub(crate) fn maybe(self, what: &str) -> Result<Place<T>, Problem> {
        check_aligned(self.0.is_null() || self.0.is_aligned(), what)?;
        Ok(Place { start: self.0, room: usize::from(!self.0.is_null()) })
    }

    /// The place for so many values.
    pub(crate) fn room(self, room: usize, what: &str) -> Result<Place<T>, Problem> {
        if room == 0 {
            return Ok(Place { start: self.0, room });
        }
        if room > isize::MAX as usize / size_of::<T>() {
            return Err(argument(format!("room for {room} values in {what} is more than memory has")));
        }
        Ok(Place { room, ..self.place(what)? })
    }
}

/// Room for values that was checked.
#[derive(Debug)]
pub(crate) struct Place<T> {
    start: *mut T,
    room: usize,
}

impl<T: Copy> Place<T> {
    /// Writes a value, if there is room for it.
    pub(crate) fn put(&self, value: T) {
        self.put_all([value]);
    }

    /// The same, as the end of a call.
    pub(crate) fn answer(&self, value: T) -> Result<(), Problem> {
        self.put(value);
        Ok(())
    }

    /// Writes as many values as there is room for, and counts all.
    pub(crate) fn put_all(&self, values: impl IntoIterator<Item = T>) -> usize {
        let mut count = 0;
        for value in values {
            if count < self.room {
                // SAFETY: the place is within the room, which is aligned, not null, and valid for writes by
                // C's promise. What was there is not read or dropped.
                unsafe { self.start.add(count).write(value) }
            }
            count += 1;
        }
        count
    }
}

/// A string that C passes: `const char *`, ended by a zero.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Text(*const c_char);

impl Text {
    /// A pointer to pass to a function of this crate.
    ///
    /// # Safety
    /// It is null, or a string that is ended by a zero and stays as it is until that function has returned.
    pub const unsafe fn new(pointer: *const c_char) -> Self {
        Self(pointer)
    }

    /// The string, if it is one.
    pub(crate) fn read(self, what: &str) -> Result<String, Problem> {
        if self.0.is_null() {
            return Err(argument(format!("{what} is NULL, and should be a string")));
        }
        // SAFETY: not null, and ended by a zero by C's promise.
        let text = unsafe { CStr::from_ptr(self.0) };
        let text = text.to_str().map_err(|error| argument(format!("{what} is not UTF-8: {error}")))?;
        Ok(text.to_string())
    }
}

/// A function that hears how far a build is: the stage in words, how much is done, and how much there is. The
/// build goes on if it returns 0, and ends with SUREFOOT_CANCELLED if it returns anything else.
///
/// It is called on the thread that called for the build, and `user` is what was passed with it. It may call
/// any function of this library. It must not throw, and must not leave by `longjmp`. `stage` is its own until
/// it returns.
pub type SurefootProgress =
    Option<unsafe extern "C" fn(user: *mut c_void, stage: *const c_char, done: u64, all: u64) -> i32>;

/// Tells C's function of an event, if there is one.
pub(crate) fn tell(progress: SurefootProgress, user: *mut c_void, event: &BuildEvent) -> ControlFlow<()> {
    let (Some(progress), BuildEvent::Progress { stage, done, all }) = (progress, event) else {
        return ControlFlow::Continue(());
    };
    // No stage of the library has a zero in it.
    let stage = CString::new(stage.as_bytes()).unwrap_or_default();
    // SAFETY: C promises that the function can be called with what it passed along. The string lives
    // meanwhile.
    let answer = unsafe { progress(user, stage.as_ptr(), *done, *all) };
    if answer == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

fn check_aligned(is_aligned: bool, what: &str) -> Result<(), Problem> {
    if is_aligned {
        Ok(())
    } else {
        Err(argument(format!("{what} does not point to where its type may lie")))
    }
}
