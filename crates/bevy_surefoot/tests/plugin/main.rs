//! The plug-in in apps without a window.

#![allow(clippy::unwrap_used)]

mod again;
mod app;
#[cfg(feature = "assets")]
mod assets;
mod builds;
mod edits;
#[cfg(feature = "gizmos")]
mod gizmos;
mod layouts;
#[cfg(feature = "reflect")]
mod reflected;
mod walks;
