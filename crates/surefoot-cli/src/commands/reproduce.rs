//! `surefoot reproduce`: the experiments of the papers, beside what was published.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use surefoot_lab::papers::report::section;
use surefoot_lab::plan::{BUILT_IN, Plan};

use super::lab::{RunOptions, run_plan, section_text, setting, write_report};
use crate::benchmarks;
use crate::failure::Failure;
use crate::number;
use crate::output;

/// Repeat the experiments of the papers and print our figures beside the published ones
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    surefoot reproduce knn2009 --out results\n  \
    surefoot reproduce all --quick --out quick\n  \
    surefoot reproduce pra2005 --rate 2200 --out counted\n  \
    surefoot lab plans jair2010 > my-plan.toml\n\n\
    knn2009: Table 1 of \"kNN LRTA*: simple subgoaling for real-time search\" on its own eight maps and 1,024 problems, and the algorithm \
    of 2010 with its options on the same.\n\
    jair2010: Tables 1 to 7 of \"Case-based subgoaling\", on maps of about ten million states: the paper's own are not public.\n\
    pra2005: Figures 5 to 7 of \"Partial Pathfinding Using Map Abstraction and Refinement\" on the maps of bg512 and wc3maps512, ten paths of \
    each bucket of length 0 to 511 a map, and the real-time algorithms in its clocked game.\n\
    jair2008: Tables 3 to 6 of \"Dynamic Control in Real-Time Heuristic Search\" on three maps of wc3maps512, which are the paper's, with problems \
    of our own. Planning is counted in expansions, walks take all cores, but for those of Table 6, which are timed.\n\
    jair2008-original: Figure 10 of the same, on these maps before they were scaled up.\n\
    beyond: no paper, but what there is beyond them. beacon* beside the algorithms of the papers and exact search on six maps of about ten million \
    states, and the fronts of all pairs of measures. It takes hours.\n\
    Each is a plan, which 'surefoot lab plans' prints: to change it, copy it and give the copy to 'surefoot lab run'. Results go to a \
    folder for each paper, rows.csv and rows.parquet among them; report.html shows all of them beside the published figures. A run that was stopped goes on where it was when the same command is given \
    again. Databases are built on all cores; walks that are timed are done one at a time.")]
pub(crate) struct Arguments {
    /// Which paper
    paper: Paper,

    /// The folder of the benchmarks [default: the environment variable SUREFOOT_BENCHMARKS, else
    /// ../shared/benchmarks]
    #[arg(long, value_name = "DIR")]
    benchmarks: Option<PathBuf>,

    /// The folder for the results
    #[arg(long, value_name = "DIR", default_value = "results")]
    out: PathBuf,

    #[command(flatten)]
    options: RunOptions,

    /// For pra2005: planning time is work at this many expansions a millisecond, instead of measured [the
    /// paper's machine: 2200]
    #[arg(long, value_name = "N", value_parser = number::positive(), allow_negative_numbers = true)]
    rate: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Paper {
    /// kNN LRTA*, 2009
    Knn2009,
    /// Case-based subgoaling, JAIR 2010
    Jair2010,
    /// PRA*, 2005
    Pra2005,
    /// Dynamic control, JAIR 2008
    Jair2008,
    /// Dynamic control, JAIR 2008, on maps of their original size
    Jair2008Original,
    /// No paper: beacon* beside their algorithms
    Beyond,
    /// All papers
    All,
}

impl Paper {
    /// The papers that are meant, the shortest experiment first.
    fn each(self) -> Vec<Self> {
        match self {
            Self::All => {
                vec![Self::Knn2009, Self::Jair2008Original, Self::Jair2008, Self::Pra2005, Self::Jair2010]
            }
            one => vec![one],
        }
    }

    /// The name of its plan.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
    }
}

/// Runs the experiments, prints their tables and writes the page on them.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.rate.is_some() && !matches!(arguments.paper, Paper::Pra2005) {
        return Err(Failure::usage("reproduce", "--rate is for pra2005"));
    }
    let benchmarks = benchmarks::folder(arguments.benchmarks.as_deref())?;
    for paper in arguments.paper.each() {
        let plan = plan(&paper.name(), arguments.rate)?;
        let (out, cache) = (arguments.out.join(&plan.name), arguments.out.join("cache"));
        let setting = setting(arguments.options, None, &benchmarks, &out, &cache);
        let results = run_plan(&plan, &setting)?;
        output::print(&section_text(&section(&results)))?;
        // After each of them: whoever stops here has a page on all that there is, earlier runs included.
        write_report(&arguments.out)?;
    }
    Ok(())
}

/// The plan of a paper; with a rate, one whose planning is counted and not timed.
fn plan(name: &str, rate: Option<u32>) -> Result<Plan, Failure> {
    let text = BUILT_IN.iter().find(|(own, _)| *own == name).map(|(_, text)| *text).unwrap_or_default();
    let text = match rate {
        Some(rate) => text
            .replace("timed = true", "timed = false")
            .replace("[game]", &format!("[game]\nexpansions-per-ms = {rate}")),
        None => text.to_string(),
    };
    Plan::parse(name, &text).map_err(|error| Failure::Other(format!("the plan {name}: {error}")))
}
