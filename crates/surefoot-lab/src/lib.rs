//! Experiments with surefoot, from the map to the table.
//!
//! | step | module |
//! | --- | --- |
//! | a map is made or enlarged | [`maps`] |
//! | problems of a wanted difficulty are drawn on it, or read from a `.scen` file beside it | [`problems`], [`problem_files`] |
//! | an agent walks each problem and is measured | [`episode`] |
//! | the walk is put on the clock of a game: planning in frames beside walking | [`clock`], [`spread`] |
//! | each walk becomes a row of a CSV or JSON file | [`rows`] |
//! | an experiment is read from a file | [`plan`] |
//! | its walks are done unit by unit, and kept | [`runs`] |
//! | the rows of each algorithm become a line of a table | [`summary`] |
//! | and measures that are more than a mean | [`measures`] |
//! | tables and plots become a page | [`report`] |
//! | rows are read back, and two sets of them compared | [`row_files`], [`compare`] |
//! | a crowd plays, frame by frame; and does all that it can, for tests | [`play`], [`full_play`] |
//! | the best algorithm for a game's map and limits is found | [`tune`] |
//! | decision trees are trained for LRTA*(DT, G) | [`training`] |
//! | the published problem sets are solved and compared | [`conformance`] |
//!
//! Everything but the clock repeats: the same seed gives the same maps, problems and walks on every machine,
//! with any number of threads. This crate reads the clock and the files that the library itself does not.

#![forbid(unsafe_code)]

pub mod clock;
pub mod compare;
pub mod conformance;
pub mod episode;
pub mod full_play;
pub mod maps;
pub mod measures;
pub mod papers;
pub mod passes;
pub mod plan;
pub mod play;
pub mod problem_files;
pub mod problems;
pub mod random;
pub mod report;
pub mod row_files;
pub mod rows;
pub mod runs;
pub mod spread;
pub mod summary;
pub mod training;
pub mod tune;

/// What the system says is wrong with a file, without its number: "No such file or directory", and not "(os
/// error 2)" after it, which helps nobody.
#[must_use]
pub fn io_problem(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_string()
}
