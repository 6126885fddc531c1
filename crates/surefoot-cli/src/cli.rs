//! The command line: which subcommands there are.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{
    build, clock, compare, conformance, crowd, db, demo, lab, list, map, merge, problems, replay, reproduce,
    run, serve, solve, train, tune,
};
use crate::failure::Failure;

/// Real-time pathfinding on grids: maps, problems, algorithms and measurements.
#[derive(Debug, Parser)]
#[command(
    name = "surefoot",
    version,
    max_term_width = 100,
    after_help = "Start with 'surefoot demo': it needs no files and shows everything at once.\n\
        Results go to standard output, progress and messages to standard error.\n\
        The exit code is 0 if all went well, 2 if the arguments were wrong, 1 for anything else."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Demo(demo::Arguments),
    Serve(serve::Arguments),
    #[command(subcommand)]
    Map(map::Command),
    Problems(problems::Arguments),
    Solve(solve::Arguments),
    Replay(replay::Arguments),
    List(list::Arguments),
    Run(run::Arguments),
    Clock(clock::Arguments),
    Crowd(crowd::Arguments),
    Compare(compare::Arguments),
    Train(train::Arguments),
    Tune(tune::Arguments),
    Build(build::Arguments),
    Merge(merge::Arguments),
    #[command(subcommand)]
    Db(db::Command),
    Conformance(conformance::Arguments),
    #[command(subcommand)]
    Lab(lab::Command),
    Reproduce(reproduce::Arguments),
}

impl Cli {
    /// Does what was asked for.
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self.command {
            Command::Demo(arguments) => demo::run(&arguments)?,
            Command::Serve(arguments) => serve::run(&arguments)?,
            Command::Map(command) => command.run()?,
            Command::Problems(arguments) => problems::run(&arguments)?,
            Command::Solve(arguments) => solve::run(&arguments)?,
            Command::Replay(arguments) => replay::run(&arguments)?,
            Command::List(arguments) => list::run(&arguments)?,
            Command::Run(arguments) => run::run(&arguments)?,
            Command::Clock(arguments) => clock::run(&arguments)?,
            Command::Crowd(arguments) => crowd::run(&arguments)?,
            Command::Compare(arguments) => compare::run(&arguments)?,
            Command::Train(arguments) => train::run(&arguments)?,
            Command::Tune(arguments) => tune::run(&arguments)?,
            Command::Build(arguments) => build::run(&arguments)?,
            Command::Merge(arguments) => merge::run(&arguments)?,
            Command::Db(command) => command.run()?,
            Command::Lab(command) => command.run()?,
            Command::Reproduce(arguments) => reproduce::run(&arguments)?,
            Command::Conformance(arguments) => return conformance::run(&arguments),
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
