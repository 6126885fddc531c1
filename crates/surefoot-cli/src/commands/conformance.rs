//! `surefoot conformance`: the published benchmark problems, solved and compared with their published
//! answers.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use surefoot_lab::conformance::{FolderReport, check_benchmarks};

use crate::benchmarks;
use crate::failure::Failure;
use crate::number;
use crate::output;
use crate::progress::Progress;
use crate::table::{Table, thousands};

/// Solve the published benchmark problems and compare every cost with the published one
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot conformance --benchmarks benchmarks\n  \
    surefoot conformance --every 20 --if-present\n\n\
    The folder has folders of its own: knn2009, bg512, sc1, dao; those that are missing are left out.\n\
    The exit code is 1 if any cost disagrees. Published lengths with roots were added up in single precision: where \
    the digits behind the last printed one are next to a half, it can be off by one. Such costs agree, and are counted.")]
pub(crate) struct Arguments {
    /// The folder of the benchmarks [default: the environment variable SUREFOOT_BENCHMARKS, else
    /// ../shared/benchmarks]
    #[arg(long, value_name = "DIR")]
    benchmarks: Option<PathBuf>,

    /// Take only each N-th problem of every file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::positive(), allow_negative_numbers = true)]
    every: u32,

    /// If there is no such folder, say so and end without an error
    #[arg(long)]
    if_present: bool,
}

/// Compares every cost.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = match benchmarks::folder(arguments.benchmarks.as_deref()) {
        Err(_) if arguments.if_present => {
            let place = benchmarks::place(arguments.benchmarks.as_deref());
            let message = format!("there is no folder of benchmarks at {}", place.display());
            output::print(&format!("{message}; nothing was compared\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        folder => folder?,
    };
    let mut progress = Progress::new("reading", 0);
    let reports = check_benchmarks(&folder, arguments.every as usize, &mut |name, done, total| {
        progress.label(name);
        progress.set(done, total);
    })
    .map_err(Failure::other)?;
    drop(progress);
    output::print(&to_text(&reports))?;
    let all_agree = reports.iter().all(|report| report.agreed == report.problems);
    Ok(if all_agree { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A table of the folders, the total, and the first disagreement of each folder that has one.
fn to_text(reports: &[FolderReport]) -> String {
    let mut table =
        Table::new(&["folder", "rule", "cost", "maps", "problems", "agree", "last digit off", "disagree"]);
    let mut row = |folder: &str, rule: &str, costs: &str, [maps, problems, agreed, off]: [usize; 4]| {
        let counts = [maps, problems, agreed, off, problems - agreed].map(|count| thousands(count as u64));
        table.row([folder, rule, costs].map(str::to_string).into_iter().chain(counts).collect());
    };
    let mut total = [0; 4];
    for report in reports {
        let counts = [report.maps, report.problems, report.agreed, report.last_digit_off];
        row(&report.folder, report.rule.name(), report.costs.name(), counts);
        total.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    row("total", "", "", total);
    let mut text = table.to_text();
    for mismatch in reports.iter().filter_map(|report| report.first_mismatch.as_deref()) {
        text.push_str(&format!("disagreement in {mismatch}\n"));
    }
    let [_, problems, agreed, _] = total;
    text.push_str(&format!(
        "{} of {} problems agree\n",
        thousands(agreed as u64),
        thousands(problems as u64)
    ));
    text
}
