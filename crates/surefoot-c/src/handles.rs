//! Handles, and the tables that they are looked up in.

use surefoot::{Map, Navigator, Path, Walker};

use crate::crowd::Crowd;
use crate::problem::{Problem, SurefootResult, done};
use crate::table::Table;

/// A handle of a kind.
pub(crate) trait Handle: Copy + 'static {
    /// What it stands for.
    type Object: 'static;

    /// No handle.
    const NONE: Self;

    fn of_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn table() -> &'static Table<Self::Object>;

    /// A handle for a new object.
    fn of(object: Self::Object) -> Result<Self, Problem> {
        Self::table().insert(object).map(Self::of_bits)
    }

    /// Asks the object something.
    #[inline]
    fn read<R>(self, ask: impl FnOnce(&Self::Object) -> Result<R, Problem>) -> Result<R, Problem> {
        Self::table().read(self.bits(), ask)
    }

    /// Changes the object.
    #[inline]
    fn write<R>(self, change: impl FnOnce(&mut Self::Object) -> Result<R, Problem>) -> Result<R, Problem> {
        Self::table().write(self.bits(), change)
    }

    /// A copy of the object.
    fn copied(self) -> Result<Self::Object, Problem>
    where
        Self::Object: Clone,
    {
        self.read(|object| Ok(object.clone()))
    }

    /// Frees the object.
    fn free(self) -> SurefootResult {
        done(|| Self::table().remove(self.bits()).map(drop))
    }
}

/// A map. Zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootMap {
    /// Nothing but a number to look up.
    pub bits: u64,
}

/// A navigator: a map, and what was computed for it. Zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootNavigator {
    /// Nothing but a number to look up.
    pub bits: u64,
}

/// A path. Zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootPath {
    /// Nothing but a number to look up.
    pub bits: u64,
}

/// A unit on its way. Zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootWalker {
    /// Nothing but a number to look up.
    pub bits: u64,
}

/// Many units on one map. Zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootCrowd {
    /// Nothing but a number to look up.
    pub bits: u64,
}

/// Bytes of the library's. Zero is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurefootBytes {
    /// Nothing but a number to look up.
    pub bits: u64,
}

macro_rules! handles {
    ($($handle:ident => $object:ty, $kind:literal;)*) => {
        $(impl Handle for $handle {
            type Object = $object;

            const NONE: Self = Self { bits: 0 };

            fn of_bits(bits: u64) -> Self {
                Self { bits }
            }

            fn bits(self) -> u64 {
                self.bits
            }

            #[inline]
            fn table() -> &'static Table<Self::Object> {
                static TABLE: Table<$object> = Table::new($kind);
                &TABLE
            }
        })*
    };
}

// The numbers are the places in the names of `table`, from 1.
handles! {
    SurefootMap => Map, 1;
    SurefootNavigator => Navigator, 2;
    SurefootPath => Path, 3;
    SurefootWalker => Walker, 4;
    SurefootCrowd => Crowd, 5;
    SurefootBytes => Vec<u8>, 6;
}
