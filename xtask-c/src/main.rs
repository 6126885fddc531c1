//! stub
#![forbid(unsafe_code)]
fn main() {}
