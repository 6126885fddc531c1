//! `surefoot`, the program: makes maps and problems, solves them, measures the algorithms, and shows the
//! results.
//!
//! Everything it can do is a subcommand, and each subcommand is a file in [`commands`]. They share little:
//! the options that say which world a map is ([`world`]), databases, which are named, kept or built
//! ([`databases`]), files that are written whole or not at all ([`output`]), and errors that fit on one line
//! ([`failure`]). Results go to standard output; progress and messages to standard error. What they do is the
//! business of the library and of `surefoot-lab`; here is only how it is asked for and shown.

#![forbid(unsafe_code)]

mod algorithm;
mod allocation;
mod benchmarks;
mod cli;
mod commands;
mod databases;
mod failure;
mod file_server;
mod interrupt;
mod level_sheet;
mod levels;
mod maps;
mod measure;
mod number;
mod output;
mod parallel;
mod part_file;
mod picture_options;
mod problem_sets;
mod progress;
mod recording;
mod share;
mod summary_table;
mod table;
mod trees;
mod usage;
mod world;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    #[cfg(feature = "faults")]
    if let Err(problem) = surefoot::files::faults::from_environment() {
        output::tell(&format!("surefoot: {}: {problem}", surefoot::files::faults::VARIABLE));
        return ExitCode::from(2);
    }
    interrupt::limit_on_files_is_an_error();
    let arguments = match cli::Cli::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage::report(&error),
    };
    match arguments.run() {
        Ok(code) => code,
        Err(failure) => {
            if let Some(line) = failure.line() {
                output::tell(&format!("surefoot: {line}"));
            }
            ExitCode::from(failure.exit_code())
        }
    }
}
