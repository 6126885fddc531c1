//! `surefoot lab report`: the page on results that are there.

use std::path::{Path, PathBuf};

use clap::Args;
use surefoot_lab::papers::report;

use super::host::ProgramHost;
use crate::failure::Failure;
use crate::output::tell;

/// Make the report on results again: a page, the same as Markdown, its tables as CSV and its figures as SVG
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot lab report results\n\n\
    Writes report.html, report.md and the folders tables and figures among the results. The page needs no other file and no network. It \
    says what the results were made by: more than one version or machine is told at its top. What is not finished is left out and counted.")]
pub(crate) struct Arguments {
    /// The folder of the results of a plan, or of several
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the report.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    write_report(&arguments.folder)
}

/// Writes the report on all results in a folder, or in the folders in it.
pub(crate) fn write_report(folder: &Path) -> Result<(), Failure> {
    report::write_report(folder, &mut ProgramHost::new("report")).map_err(Failure::other)?;
    tell(&format!("{}: open it in a browser", folder.join("report.html").display()));
    Ok(())
}
