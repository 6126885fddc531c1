//! Corners.
#![allow(dead_code)]
mod corners;
mod sight;
#[cfg(test)]
mod tests;
mod turns;
