//! The subcommands, a file each: its arguments, and what it does with them.

pub(crate) mod list;
pub(crate) mod map;
