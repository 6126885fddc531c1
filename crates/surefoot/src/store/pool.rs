//! Memory that is used again.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use alloc::vec::Vec;
use core::fmt;

/// Things whose memory can be used again, shared by all who use a database. Without the standard library each
/// is made anew.
pub(crate) struct Pool<T> {
    #[cfg(feature = "std")]
    idle: std::sync::Mutex<Vec<Box<T>>>,
    #[cfg(not(feature = "std"))]
    idle: core::marker::PhantomData<T>,
}

impl<T: Default> Pool<T> {
    pub(crate) fn take(&self) -> Box<T> {
        #[cfg(feature = "std")]
        if let Ok(mut idle) = self.idle.lock()
            && let Some(thing) = idle.pop()
        {
            return thing;
        }
        Box::default()
    }

    #[cfg_attr(not(feature = "std"), expect(unused_variables, clippy::unused_self))]
    pub(crate) fn give_back(&self, thing: Box<T>) {
        #[cfg(feature = "std")]
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(thing);
        }
    }
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { idle: Default::default() }
    }
}

/// A copy of a database has memory of its own.
impl<T> Clone for Pool<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> fmt::Debug for Pool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pool")
    }
}
