//! Problems that are read from files: those of one map, or of all maps of a folder.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot::formats::read_any_map;
use surefoot_lab::problem_files::{Problem, maps_with_problems, read_scen, scen_beside};

use crate::commands::run::file_name;
use crate::databases::DatabaseOptions;
use crate::failure::Failure;
use crate::measure::Task;
use crate::number;
use crate::world::{WorldOptions, Worlds};

/// The options that say which problems are walked.
#[derive(Clone, Debug, Args)]
pub(crate) struct ProblemOptions {
    /// The map: .map, .txt, .png or .bmp; or a folder, for all .map files in it that have problems beside
    /// them
    #[arg(long, value_name = "FILE")]
    map: PathBuf,

    /// The problems, as a MovingAI .scen file [default: the map's name with .scen behind it]
    #[arg(long, value_name = "FILE")]
    scen: Option<PathBuf>,

    /// Take only each N-th problem, from the first on
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::positive(), allow_negative_numbers = true)]
    every: u32,
}

/// A map and its problems.
pub(crate) struct ProblemSet {
    /// The map's file.
    pub(crate) map: PathBuf,
    /// The file of its problems.
    pub(crate) scen: PathBuf,
    name: String,
    worlds: Worlds,
    problems: Vec<Problem>,
}

impl ProblemOptions {
    /// The map that was named for `command`, or all maps of the folder that was, by name.
    pub(crate) fn read(
        &self,
        command: &'static str,
        world: &WorldOptions,
        database: &DatabaseOptions,
    ) -> Result<Vec<ProblemSet>, Failure> {
        let pairs = if self.map.is_dir() {
            if self.scen.is_some() {
                return Err(Failure::usage(
                    command,
                    "--scen names the problems of one map, but --map names a folder",
                ));
            }
            let folder = self.map.display();
            let pairs = maps_with_problems(&self.map)
                .map_err(|error| Failure::Other(format!("{folder}: {error}")))?;
            if pairs.is_empty() {
                return Err(Failure::Other(format!(
                    "{folder} has no .map file with a .map.scen file beside it"
                )));
            }
            pairs
        } else {
            vec![(self.map.clone(), self.scen.clone().unwrap_or_else(|| scen_beside(&self.map)))]
        };
        if database.db.is_some() && pairs.len() > 1 {
            let message = format!(
                "--db names the database of one map, but --map names {} of them; use --cache",
                pairs.len()
            );
            return Err(Failure::usage(command, message));
        }
        if world.weights.input().is_some() && pairs.len() > 1 {
            let message =
                format!("--weights names the weights of one map, but --map names {} of them", pairs.len());
            return Err(Failure::usage(command, message));
        }
        let read = |(map, scen): (PathBuf, PathBuf)| {
            let worlds = world.worlds(read_any_map(&map)?)?;
            if self.scen.is_none() && !scen.exists() {
                let (map, scen) = (map.display(), scen.display());
                return Err(Failure::Other(format!(
                    "{map} has no problems beside it, in {scen}: name them with --scen, or draw some with \
                     'surefoot problems {map} --count 100 --max-cost 300 --out {scen}'"
                )));
            }
            let problems = read_scen(&scen)?.problems;
            Ok(ProblemSet { name: file_name(&map), worlds, problems, map, scen })
        };
        pairs.into_iter().map(read).collect()
    }

    /// The problems that were asked for, each in its world; at least one.
    pub(crate) fn tasks<'a>(&self, sets: &'a [ProblemSet]) -> Result<Vec<Task<'a>>, Failure> {
        let mut tasks = Vec::new();
        for set in sets {
            for (index, problem) in set.problems.iter().enumerate().step_by(self.every as usize) {
                let task = task(set, problem).map_err(|message| {
                    let line = line_of_problem(&set.scen, index);
                    Failure::Other(format!("{}:{line}: {message}", set.scen.display()))
                })?;
                tasks.push(task);
            }
        }
        if tasks.is_empty() {
            let scen = sets.first().map_or(&self.map, |set| &set.scen);
            return Err(Failure::Other(format!("{} has no problems", scen.display())));
        }
        Ok(tasks)
    }
}

/// A problem of the file in the world that it belongs to; in words what is wrong if there is none.
fn task<'a>(set: &'a ProblemSet, problem: &Problem) -> Result<Task<'a>, String> {
    let (width, height) = (set.worlds.map().width(), set.worlds.map().height());
    if let Some((file_width, file_height)) = problem.map_size
        && (file_width, file_height) != (width, height)
    {
        return Err(format!(
            "the problem is for a map of {file_width} x {file_height} cells, but this map has {width} x {height}"
        ));
    }
    let ends = (problem.start, problem.goal);
    let placed = set.worlds.place(ends.0, ends.1).map_err(|error| error.to_string())?;
    Ok(Task::new(&set.name, placed, ends, Some(problem.length)))
}

/// The line of a problem, counted from 1. Only a message needs it, so the file is read again for it; a pipe
/// cannot be.
fn line_of_problem(scen: &Path, index: usize) -> usize {
    let bytes = if scen.is_file() { std::fs::read(scen).unwrap_or_default() } else { Vec::new() };
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes);
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).zip(1..);
    let mut rows = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with(b"version"));
    rows.nth(index).map_or(index + 2, |(_, number)| number)
}
