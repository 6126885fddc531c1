//! Every algorithm of the roster, for the page.

#![forbid(unsafe_code)]
