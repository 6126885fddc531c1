//! The subcommands, a file each: its arguments, and what it does with them.

pub(crate) mod build;
pub(crate) mod clock;
pub(crate) mod compare;
pub(crate) mod conformance;
pub(crate) mod crowd;
pub(crate) mod db;
pub(crate) mod demo;
pub(crate) mod lab;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod merge;
pub(crate) mod problems;
pub(crate) mod replay;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod train;
pub(crate) mod tune;
