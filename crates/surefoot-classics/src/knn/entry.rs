//! `knn-lrta*` and `knn-lrta-2009*` in a roster.

use alloc::boxed::Box;
use alloc::sync::Arc;

use surefoot::agent::parameters::{TIES_HIGH, TIES_LOW};
use surefoot::agent::{Agent, Arguments, Bound, Entry, Parameter, Recipe, Scale, SpecError, WithDatabase};
use surefoot::search::Paths;

use super::agent::{KnnLrtaStar, KnnSettings};
use super::agent_2009::KnnLrta2009;
use super::subgoals::{Pairs, RecordForm, SubgoalConfig, SubgoalDatabase};

/// `knn-lrta*`.
pub const KNN: Entry = Entry {
    name: "knn-lrta*",
    summary: "LRTA* along the most similar of many optimal paths, compressed to what a hill-climber needs",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        RECORDS,
        Parameter {
            name: "candidates",
            default: "10",
            meaning: "most similar records that are checked, 1 to 1000000; all: every one",
        },
        Parameter { name: "cutoff", default: "250", meaning: "steps of a check, 0 to 1000000" },
        Parameter {
            name: "quota",
            default: "3",
            meaning: "without a record: how far to go before a second try, in estimated distances; none: no second try",
        },
        Parameter {
            name: "goal-first",
            default: "yes",
            meaning: "check the goal before any record: yes or no",
        },
        Parameter {
            name: "skip-start",
            default: "yes",
            meaning: "check whether a record's first state can be skipped: yes or no",
        },
        Parameter {
            name: "skip-end",
            default: "yes",
            meaning: "check whether a record's last state can be skipped: yes or no",
        },
        Parameter {
            name: "probes",
            default: "all",
            meaning: "records compared in one choice, 1 to 1000000000; all: as many as it takes",
        },
        Parameter {
            name: "k",
            default: "1",
            meaning: "usable records that are weighed against each other, 1 to 1000; 1 takes the most similar one",
        },
        LOSSLESS,
        Parameter {
            name: "fragments",
            default: "no",
            meaning: "whether the pieces of each record are records, too: yes or no",
        },
        PAIRS,
        Parameter {
            name: "paths",
            default: "jps",
            meaning: "whose optimal paths are cut down: a* or jps, which is faster",
        },
        TIES_HIGH,
    ],
    bound: Bound::PerMove(
        "1 expansion, (2 candidates + 3) cutoff climbing steps, n records compared, 64 candidates subgoals looked at",
    ),
    needs: "a database of subgoals",
    paper: "Bulitko, Bjornsson, Lawrence 2010",
    scale: Scale::Records,
    make: |arguments| {
        let form = match (arguments.flag("lossless")?, arguments.flag("fragments")?) {
            (false, false) => RecordForm::Compressed,
            (true, false) => RecordForm::Lossless,
            (false, true) => RecordForm::Fragments,
            (true, true) => {
                return Err(
                    arguments.error("fragments", &"records that are lossless have none: leave one out")
                );
            }
        };
        let settings = KnnSettings {
            candidates: arguments
                .number_unless("candidates", "all", 1..=1_000_000)?
                .map(|most| most as usize),
            cutoff: arguments.number("cutoff", 0..=1_000_000)?,
            goal_first: arguments.flag("goal-first")?,
            skip_start: arguments.flag("skip-start")?,
            skip_end: arguments.flag("skip-end")?,
            quota: match arguments.text("quota") {
                "none" => None,
                _ => Some(arguments.millionths("quota", 1.0..=1e6)?),
            },
            probes: arguments.number_unless("probes", "all", 1..=1_000_000_000)?,
            weighed: arguments.number("k", 1..=1000)? as usize,
        };
        recipe(arguments, form, move |database| Box::new(KnnLrtaStar::new(settings, database)))
    },
};

/// `knn-lrta-2009*`.
pub const KNN_2009: Entry = Entry {
    name: "knn-lrta-2009*",
    summary: "kNN LRTA* in its first form: one subgoal a record, deeper lookahead, no subgoal used twice",
    optimal: false,
    complete: true,
    takes_weights: true,
    parameters: &[
        RECORDS,
        Parameter { name: "cutoff", default: "25", meaning: "steps of a check, 0 to 1000000" },
        Parameter { name: "d", default: "3", meaning: "lookahead in actions, 1 to 100" },
        Parameter {
            name: "subgoal",
            default: "farthest",
            meaning: "farthest: the farthest that a climb reaches (text); first: the one before the first miss (Figure 4)",
        },
        PAIRS,
        Parameter {
            name: "paths",
            default: "a*",
            meaning: "whose optimal paths are cut down: a* or jps, which is faster",
        },
        TIES_LOW,
    ],
    bound: Bound::PerMove("(2d - 1)^2 expansions, (2n + 1) cutoff climbing steps, 2n records compared"),
    needs: "a database of subgoals",
    paper: "Bulitko, Bjornsson 2009",
    scale: Scale::Records,
    make: |arguments| {
        let form = match arguments.text("subgoal") {
            "farthest" => RecordForm::Farthest,
            "first" => RecordForm::BeforeFirstMiss,
            _ => return Err(arguments.error("subgoal", &"expected farthest or first")),
        };
        let depth = arguments.number("d", 1..=100)? as u32;
        let cutoff = arguments.number("cutoff", 0..=1_000_000)?;
        recipe(arguments, form, move |database| Box::new(KnnLrta2009::new(depth, cutoff, database)))
    },
};

/// The recipe of agents that go by records of this form.
fn recipe(
    arguments: &Arguments<'_>,
    form: RecordForm,
    agent: impl Fn(Arc<SubgoalDatabase>) -> Box<dyn Agent> + Send + Sync + 'static,
) -> Result<Box<dyn Recipe>, SpecError> {
    let pairs = match arguments.text("pairs") {
        "random" => Pairs::Random,
        "even" => Pairs::Even,
        _ => return Err(arguments.error("pairs", &"expected random or even")),
    };
    let paths = match arguments.text("paths") {
        "a*" => Paths::AStar,
        "jps" => Paths::JumpPoints,
        _ => return Err(arguments.error("paths", &"expected a* or jps")),
    };
    let records = arguments.number("n", 0..=100_000_000)?;
    let config = SubgoalConfig { records, form, ties: arguments.ties()?, pairs, paths, seed: 0 };
    let [n, ties, of_pairs, of_paths] = ["n", "ties", "pairs", "paths"].map(|key| arguments.gives(key));
    let names_form = ["lossless", "fragments", "subgoal"].into_iter().any(|key| arguments.gives(key));
    WithDatabase::recipe(
        move |seed| SubgoalConfig { seed, ..config },
        move |asked: &SubgoalConfig, built| {
            let has_one_subgoal = |form| matches!(form, RecordForm::Farthest | RecordForm::BeforeFirstMiss);
            has_one_subgoal(asked.form) == has_one_subgoal(built.form)
                && (!n || asked.records == built.records)
                && (!ties || asked.ties == built.ties)
                && (!of_pairs || asked.pairs == built.pairs)
                && (!of_paths || asked.paths == built.paths)
                && (!names_form || asked.form == built.form)
        },
        move |database| Ok(agent(database)),
    )
}

const RECORDS: Parameter =
    Parameter { name: "n", default: "10000", meaning: "records in the database, 0 to 100000000" };
/// How far records and paths are cut down.
pub(crate) const LOSSLESS: Parameter = Parameter {
    name: "lossless",
    default: "no",
    meaning: "compress paths only as far as nothing is lost: yes or no",
};
const PAIRS: Parameter = Parameter {
    name: "pairs",
    default: "random",
    meaning: "how the ends of the records are chosen: random, or even over the map",
};
