//! What a call comes to: a number, and words for this thread.

use core::any::Any;
use core::cell::RefCell;
use core::ffi::c_char;
use std::collections::TryReserveError;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use surefoot::space::{LinkError, SpaceError};
use surefoot::store::DatabaseError;
use surefoot::{CodecError, CrowdError, MapError, NavigatorError, QueryError};

/// What a call came to. What is not one of the first three is an error, and `surefoot_error_message` tells
/// more.
///
/// cbindgen:rename-all=ScreamingSnakeCase
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "C has one name space")]
pub enum SurefootResult {
    /// It worked.
    SurefootOk = 0,
    /// It worked, and there is no way.
    SurefootNoWay = 1,
    /// The caller's function cancelled it.
    SurefootCancelled = 2,
    /// A handle is zero, was freed, is of another kind, or is no handle at all.
    SurefootErrorHandle = 3,
    /// An argument is not what it should be: NULL, too long, not UTF-8, out of its range.
    SurefootErrorArgument = 4,
    /// There can be no such map, or a map cannot be changed so.
    SurefootErrorMap = 5,
    /// A question cannot be answered: a cell lies outside the map or is blocked.
    SurefootErrorQuery = 6,
    /// The bytes of a navigator or a crowd are damaged, or belong to another map.
    SurefootErrorDatabase = 7,
    /// A crowd cannot do so: there is no such unit, kind or link, say.
    SurefootErrorCrowd = 8,
    /// A file cannot be read or written.
    SurefootErrorFile = 9,
    /// There is not enough memory for what was passed.
    SurefootErrorMemory = 10,
    /// A fault in the library: please report it. The object can only be freed now if the call was to change
    /// it.
    SurefootErrorInternal = 11,
}

/// Why a call did not work.
#[derive(Debug)]
pub struct Problem {
    pub(crate) code: SurefootResult,
    pub(crate) words: String,
}

impl Problem {
    pub(crate) fn new(code: SurefootResult, words: impl Into<String>) -> Self {
        Self { code, words: words.into() }
    }

    /// Keeps the words for this thread.
    #[cold]
    fn told(self) -> SurefootResult {
        let words = CString::new(self.words.replace('\0', " ")).unwrap_or_default();
        // A thread that is about to end has nobody to ask.
        let _ = LAST.try_with(|last| last.replace(words));
        self.code
    }
}

/// An argument that is not what it should be.
#[cold]
pub(crate) fn argument(words: impl Into<String>) -> Problem {
    Problem::new(SurefootResult::SurefootErrorArgument, words)
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Does what a function of the header is for. Panics end here.
pub(crate) fn call(act: impl FnOnce() -> Result<SurefootResult, Problem>) -> SurefootResult {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(result)) => result,
        Ok(Err(problem)) => problem.told(),
        Err(panic) => fault(panic),
    }
}

#[cold]
fn fault(panic: Box<dyn Any + Send>) -> SurefootResult {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic");
    let words = format!("a fault in surefoot, please report it: {words}");
    // What was thrown may throw again when it is dropped.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        core::mem::forget(again);
    }
    Problem::new(SurefootResult::SurefootErrorInternal, words).told()
}

/// The same, where all is well if nothing is wrong.
pub(crate) fn done(act: impl FnOnce() -> Result<(), Problem>) -> SurefootResult {
    call(|| act().map(|()| SurefootResult::SurefootOk))
}

/// What was wrong with the last call of this thread that did not return SUREFOOT_OK or SUREFOOT_NO_WAY, in
/// words; "" if there was none. Calls that work leave it as it is. The string is UTF-8. It is the library's,
/// and lasts until the next call of this thread that fails.
#[allow(unsafe_code, reason = "exported")]
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_error_message() -> *const c_char {
    LAST.try_with(|last| last.try_borrow().map_or(c"".as_ptr(), |words| words.as_ptr()))
        .unwrap_or(c"".as_ptr())
}

/// The version of the library, as in "0.2.0". It lasts for ever. Header and library should be of one version.
#[allow(unsafe_code, reason = "exported")]
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

impl From<QueryError> for Problem {
    fn from(error: QueryError) -> Self {
        Self::new(SurefootResult::SurefootErrorQuery, error.to_string())
    }
}

impl From<SpaceError> for Problem {
    fn from(error: SpaceError) -> Self {
        Self::new(SurefootResult::SurefootErrorMap, error.to_string())
    }
}

impl From<LinkError> for Problem {
    fn from(error: LinkError) -> Self {
        Self::new(SurefootResult::SurefootErrorMap, error.to_string())
    }
}

impl From<MapError> for Problem {
    fn from(error: MapError) -> Self {
        let code = match &error {
            MapError::File(_) => SurefootResult::SurefootErrorFile,
            _ => SurefootResult::SurefootErrorMap,
        };
        Self::new(code, error.to_string())
    }
}

impl From<CodecError> for Problem {
    fn from(error: CodecError) -> Self {
        Self::new(SurefootResult::SurefootErrorDatabase, error.to_string())
    }
}

impl From<DatabaseError> for Problem {
    fn from(error: DatabaseError) -> Self {
        let code = match &error {
            DatabaseError::Cancelled => SurefootResult::SurefootCancelled,
            _ => SurefootResult::SurefootErrorDatabase,
        };
        Self::new(code, error.to_string())
    }
}

impl From<NavigatorError> for Problem {
    fn from(error: NavigatorError) -> Self {
        let code = match &error {
            NavigatorError::Cancelled => SurefootResult::SurefootCancelled,
            NavigatorError::Io { .. } => SurefootResult::SurefootErrorFile,
            NavigatorError::Map(_) => SurefootResult::SurefootErrorMap,
            _ => SurefootResult::SurefootErrorDatabase,
        };
        Self::new(code, error.to_string())
    }
}

impl From<CrowdError> for Problem {
    fn from(error: CrowdError) -> Self {
        let code = match &error {
            CrowdError::Query(_) => SurefootResult::SurefootErrorQuery,
            CrowdError::Space(_) | CrowdError::Link(_) => SurefootResult::SurefootErrorMap,
            CrowdError::Database(DatabaseError::Cancelled) => SurefootResult::SurefootCancelled,
            CrowdError::Codec(_) | CrowdError::Database(_) | CrowdError::OtherDatabase { .. } => {
                SurefootResult::SurefootErrorDatabase
            }
            _ => SurefootResult::SurefootErrorCrowd,
        };
        // Where the library names its own functions, C has others.
        let words = match error {
            CrowdError::Built(kind) => {
                format!("kind {kind} has what it needs already; surefoot_crowd_build builds that anew")
            }
            CrowdError::NotInFrames { algorithm } => format!(
                "what {algorithm} needs here is built in one go: call surefoot_crowd_build, by another thread"
            ),
            CrowdError::NotBuilt => {
                "a kind takes links once it is built; surefoot_crowd_built tells when".to_string()
            }
            other => other.to_string(),
        };
        Self::new(code, words)
    }
}

impl From<TryReserveError> for Problem {
    fn from(error: TryReserveError) -> Self {
        Self::new(SurefootResult::SurefootErrorMemory, error.to_string())
    }
}
