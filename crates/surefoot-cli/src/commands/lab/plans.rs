//! `surefoot lab plans`: the plans of the papers, to read and to copy.

use clap::Args;
use surefoot_lab::plan::{BUILT_IN, Plan};

use crate::failure::Failure;
use crate::output;
use crate::table::Table;

/// List the plans of the papers, or print one of them
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot lab plans\n  \
    surefoot lab plans jair2010 > my-plan.toml\n\n\
    'surefoot reproduce' runs them as they are.")]
pub(crate) struct Arguments {
    /// The plan to print
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

/// Prints a plan, or what there is.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Some(name) = &arguments.name else {
        let mut table = Table::new(&["plan", "title"]);
        for (name, text) in BUILT_IN {
            table.row(vec![name.to_string(), Plan::parse(name, text).map_err(Failure::other)?.title]);
        }
        return output::print(&table.to_text());
    };
    match BUILT_IN.iter().find(|(own, _)| own == name) {
        Some((_, text)) => output::print(text),
        None => {
            let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).collect();
            let message = format!("there is no plan \"{name}\"; there are: {}", names.join(", "));
            Err(Failure::usage("lab plans", message))
        }
    }
}
