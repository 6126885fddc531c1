//! What goes wrong, as scripts hear of it: a code, and words that say what, where and what to do.

use godot::global::Error as Code;
use surefoot::{CrowdError, MapError, NavigatorError};

use crate::region::Region;

/// A code that a script can test, and a message for whoever reads the output.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: Code,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// An argument that cannot be.
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(Code::ERR_INVALID_PARAMETER, message)
    }

    /// A call that comes too early.
    pub(crate) fn early(message: impl Into<String>) -> Self {
        Self::new(Code::ERR_UNCONFIGURED, message)
    }

    /// What a crowd says, in the cells of the game.
    pub(crate) fn of_crowd(error: &CrowdError, region: Region) -> Self {
        let code = match error {
            CrowdError::NoUnit(_) => Code::ERR_DOES_NOT_EXIST,
            CrowdError::Taken(_) => Code::ERR_ALREADY_IN_USE,
            CrowdError::Codec(_) => Code::ERR_FILE_CORRUPT,
            _ => Code::ERR_INVALID_PARAMETER,
        };
        let message = match *error {
            CrowdError::NoUnit(unit) => {
                format!("there is no unit {}; it was removed, or is of another crowd", unit.to_bits())
            }
            CrowdError::Taken(cell) => {
                format!("another unit stands on {}; take a cell that is not taken", region.name(cell))
            }
            CrowdError::PursuesItself(unit) => format!("unit {} cannot pursue itself", unit.to_bits()),
            ref error => error.to_string(),
        };
        Self::new(code, message)
    }
}

impl From<MapError> for Problem {
    fn from(error: MapError) -> Self {
        Self::new(Code::ERR_INVALID_DATA, error.to_string())
    }
}

impl From<NavigatorError> for Problem {
    fn from(error: NavigatorError) -> Self {
        let code = match error {
            NavigatorError::Cancelled => Code::ERR_SKIP,
            NavigatorError::Io { .. } => Code::ERR_FILE_CANT_WRITE,
            _ => Code::ERR_INVALID_DATA,
        };
        Self::new(code, error.to_string())
    }
}
