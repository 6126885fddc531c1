//! Every algorithm with its parameters: one line each. Whoever needs a list of the algorithms — the program's
//! help, the conformance cases, the benchmarks — takes it from here.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::hill_climbing::HillClimber;
use super::knn_lrta_2009::KnnLrta2009;
use super::local_search::{Heading, Lesson, LocalSearchAgent};
use super::lrts::Lrts;
use super::p_lrta::PLrtaStar;
use super::plan_once::PlanOnce;
use super::pra::PraAgent;
pub use super::saved::{restore, save};
use super::tba::TbaStar;
use super::{Agent, KnnLrtaStar, KnnSettings, LrtaStar, Spec, SpecError};
use crate::database::{
    AbstractDistance, Abstraction, AbstractionConfig, Database, DatabaseConfig, Pairs, RecordForm,
    SubgoalConfig, SubgoalDatabase,
};
use crate::search::{AStar, Dijkstra, Gamma, Horizon, JumpPoints, Paths, Ties};
use crate::space::GridSpace;

/// A parameter of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// The key in a spec.
    pub name: &'static str,
    /// The value if none is given, written as in a spec.
    pub default: &'static str,
    /// What it sets, and which values it takes.
    pub meaning: &'static str,
}

/// How much planning one move can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// As much as the map makes necessary.
    NotRealTime,
    /// At most this much, whatever the map: a formula of the parameters.
    PerMove(&'static str),
}

impl core::fmt::Display for Bound {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::NotRealTime => "not real-time",
            Self::PerMove(formula) => formula,
        })
    }
}

/// An algorithm of the roster.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name in a spec.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Whether every path it finds is a cheapest one.
    pub optimal: bool,
    /// Whether it arrives wherever there is a way.
    pub complete: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How much planning one move can take.
    pub bound: Bound,
    /// What it needs of a map beyond states and moves.
    pub needs: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    make: Make,
}

/// An agent, or why there is none.
type Made = Result<Box<dyn Agent>, SpecError>;

impl Entry {
    /// A spec of this algorithm that is quick to prepare: where it needs a database, a small one. For tests and demos.
    #[must_use]
    pub fn quick_spec(&self) -> String {
        self.spec_with_records(50)
    }

    /// A spec of this algorithm with so many records in its database, if it needs one that has records.
    #[must_use]
    pub fn spec_with_records(&self, records: u64) -> String {
        let has_records = self.parameters.iter().any(|parameter| parameter.name == RECORDS.name);
        if has_records {
            format!("{}({}={records})", self.name, RECORDS.name)
        } else {
            String::from(self.name)
        }
    }
}

/// What makes an agent from its database, once its parameters are known to be right.
type WithSubgoals = Box<dyn FnOnce(Arc<SubgoalDatabase>) -> Box<dyn Agent>>;

/// The same for an abstraction.
type WithAbstraction = Box<dyn FnOnce(Arc<Abstraction>) -> Box<dyn Agent>>;

/// How an agent is made.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// From its parameters alone.
    Plain(fn(&Arguments<'_>) -> Made),
    /// From its parameters and a database of subgoals.
    WithSubgoals {
        /// What the database is to be built from, for a seed.
        config: fn(&Arguments<'_>, u64) -> Result<SubgoalConfig, SpecError>,
        /// The parameters come first: a wrong one is to be known before a database is built.
        agent: fn(&Arguments<'_>) -> Result<WithSubgoals, SpecError>,
    },
    /// From its parameters and a clique abstraction.
    WithAbstraction(fn(&Arguments<'_>) -> Result<WithAbstraction, SpecError>),
}

/// Every algorithm.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "a*",
        summary: "a cheapest path, by A* with the octile distance; plans once, then walks",
        optimal: true,
        complete: true,
        parameters: &[],
        bound: Bound::NotRealTime,
        needs: "nothing",
        paper: "Hart, Nilsson, Raphael 1968",
        make: Make::Plain(|_| Ok(Box::new(PlanOnce::new(AStar::new())))),
    },
    Entry {
        name: "weighted-a*",
        summary: "a good path with less work: A* with f = gamma g + h; plans once, then walks",
        optimal: false,
        complete: true,
        parameters: &[Parameter {
            name: "gamma",
            default: "0.2",
            meaning: "weight of the cost so far, above 0 and at most 1; 1 is A*",
        }],
        bound: Bound::NotRealTime,
        needs: "nothing",
        paper: "Pohl 1970; weight as in Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: Make::Plain(|arguments| {
            Ok(Box::new(PlanOnce::new(AStar::weighted(arguments.parse::<Gamma>("gamma")?))))
        }),
    },
    Entry {
        name: "dijkstra",
        summary: "a cheapest path without a heuristic; plans once, then walks",
        optimal: true,
        complete: true,
        parameters: &[],
        bound: Bound::NotRealTime,
        needs: "nothing",
        paper: "Dijkstra 1959",
        make: Make::Plain(|_| Ok(Box::new(PlanOnce::new(Dijkstra::new())))),
    },
    Entry {
        name: "jps",
        summary: "a cheapest path far faster than A*, by jump points on bitmaps; plans once, then walks",
        optimal: true,
        complete: true,
        parameters: &[],
        bound: Bound::NotRealTime,
        needs: "a grid",
        paper: "after Harabor, Grastien 2011 and 2014",
        make: Make::Plain(|_| Ok(Box::new(PlanOnce::new(JumpPoints::new())))),
    },
    Entry {
        name: "hill-climbing",
        summary: "goes to the best-looking neighbour, and stops where none looks better",
        optimal: false,
        complete: false,
        parameters: &[TIES_HIGH],
        bound: Bound::PerMove("1 expansion"),
        needs: "nothing",
        paper: "Bulitko, Bjornsson, Lawrence 2010, Figure 7",
        make: Make::Plain(|arguments| Ok(Box::new(HillClimber::new(arguments.ties()?)))),
    },
    Entry {
        name: "lrta*",
        summary: "looks a fixed horizon ahead, raises the value of the state it leaves, makes one move",
        optimal: false,
        complete: true,
        parameters: &[
            Parameter { name: "d", default: "3", meaning: "lookahead in actions, 1 to 100" },
            Parameter {
                name: "gmax",
                default: "none",
                meaning: "lookahead by cost instead, as in the 2010 paper: 1.5 is all neighbours; up to 100",
            },
            Parameter {
                name: "ties",
                default: "low-g",
                meaning: "which of equally promising states counts: low-g the nearest, high-g the farthest",
            },
        ],
        bound: Bound::PerMove("(2d - 1)^2 expansions; with gmax, d is gmax rounded down"),
        needs: "nothing",
        paper: "Korf 1990; d as in Bulitko et al. 2008 and 2009, gmax as in Bulitko, Bjornsson, Lawrence 2010",
        make: Make::Plain(|arguments| {
            let horizon = match arguments.text("gmax") {
                "none" => Horizon::Plies(arguments.number("d", 1..=100)? as u32),
                _ => Horizon::Cost(arguments.millionths("gmax", 1.0..=100.0)?),
            };
            Ok(Box::new(LrtaStar::new(horizon, arguments.ties()?)))
        }),
    },
    Entry {
        name: "lrts",
        summary: "plans d moves at once, learns the highest of what each depth says, steps back when it has learned too much",
        optimal: false,
        complete: true,
        parameters: &[
            Parameter {
                name: "d",
                default: "3",
                meaning: "lookahead in actions, and moves a plan, 1 to 100",
            },
            Parameter {
                name: "gamma",
                default: "1",
                meaning: "weight of the cost so far, above 0 and at most 1",
            },
            Parameter {
                name: "quota",
                default: "none",
                meaning: "how much may be learned before it steps back, in straight moves; none: it never does",
            },
        ],
        bound: Bound::PerMove("(2d - 1)^2 expansions"),
        needs: "moves that can be undone, if there is a quota",
        paper: "after Bulitko, Lee 2006",
        make: Make::Plain(|arguments| {
            let depth = arguments.number("d", 1..=100)? as u32;
            let quota = match arguments.text("quota") {
                "none" => None,
                _ => Some(arguments.millionths("quota", 0.0..=1e9)?),
            };
            Ok(Box::new(Lrts::new(depth, arguments.parse::<Gamma>("gamma")?, quota)))
        }),
    },
    Entry {
        name: "k-lrta*",
        summary: "LSS-LRTA*: looks ahead as A* does, learns the best way out of all it has seen",
        optimal: false,
        complete: true,
        parameters: &[EXPANSIONS, MOVES],
        bound: Bound::PerMove("as many expansions as it says, and as many backups"),
        needs: "nothing",
        paper: "Koenig 2004; Koenig, Sun 2009",
        make: Make::Plain(|arguments| arguments.local_search(Lesson::Backup, Heading::Best)),
    },
    Entry {
        name: "rtaa*",
        summary: "looks ahead as A* does, raises all it has seen by one cheap rule",
        optimal: false,
        complete: true,
        parameters: &[EXPANSIONS, MOVES],
        bound: Bound::PerMove("as many expansions as it says, and as many backups"),
        needs: "nothing",
        paper: "Koenig, Likhachev 2006",
        make: Make::Plain(|arguments| arguments.local_search(Lesson::Adaptive, Heading::Best)),
    },
    Entry {
        name: "da-rtaa*",
        summary: "RTAA* that heads for where values were raised least, out of depressions",
        optimal: false,
        complete: true,
        parameters: &[EXPANSIONS, MOVES],
        bound: Bound::PerMove("as many expansions as it says, and as many backups"),
        needs: "nothing",
        paper: "after Hernandez, Baier 2012",
        make: Make::Plain(|arguments| arguments.local_search(Lesson::Adaptive, Heading::LeastRaised)),
    },
    Entry {
        name: "p-lrta*",
        summary: "one-ply LRTA* that passes what it learns on to neighbours, the largest changes first",
        optimal: false,
        complete: true,
        parameters: &[Parameter {
            name: "queue",
            default: "30",
            meaning: "states in the queue, and updates a move, 0 to 10000",
        }],
        bound: Bound::PerMove("queue + 2 expansions"),
        needs: "nothing",
        paper: "after Rayner et al. 2007",
        make: Make::Plain(|arguments| {
            Ok(Box::new(PLrtaStar::new(arguments.number("queue", 0..=10_000)? as usize)))
        }),
    },
    Entry {
        name: "tba*",
        summary: "A* in slices; meanwhile walks along the most promising path, and back where it was wrong",
        optimal: false,
        complete: true,
        parameters: &[SLICE],
        bound: Bound::PerMove("0.9 slice expansions, and slice trace steps"),
        needs: "moves that can be undone",
        paper: "Bjornsson, Bulitko, Sturtevant 2009",
        make: Make::Plain(|arguments| {
            Ok(Box::new(TbaStar::new(arguments.number("slice", 1..=1_000_000_000)?, true)))
        }),
    },
    Entry {
        name: "s-a*",
        summary: "A* in slices; stands still until the goal is found, then walks a cheapest path",
        optimal: true,
        complete: true,
        parameters: &[SLICE],
        bound: Bound::PerMove("0.9 slice expansions, and slice trace steps, in each frame"),
        needs: "moves that can be undone",
        paper: "Sturtevant, Buro 2005",
        make: Make::Plain(|arguments| {
            Ok(Box::new(TbaStar::new(arguments.number("slice", 1..=1_000_000_000)?, false)))
        }),
    },
    Entry {
        name: "knn-lrta*",
        summary: "LRTA* along the most similar of many optimal paths, compressed to what a hill-climber needs",
        optimal: false,
        complete: true,
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
            Parameter {
                name: "lossless",
                default: "no",
                meaning: "compress paths only as far as nothing is lost: yes or no",
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
        make: Make::WithSubgoals {
            config: |arguments, seed| {
                let form =
                    if arguments.flag("lossless")? { RecordForm::Lossless } else { RecordForm::Compressed };
                arguments.subgoals(form, seed)
            },
            agent: |arguments| {
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
                Ok(Box::new(move |database| Box::new(KnnLrtaStar::new(settings, database))))
            },
        },
    },
    Entry {
        name: "knn-lrta-2009*",
        summary: "kNN LRTA* in its first form: one subgoal a record, deeper lookahead, no subgoal used twice",
        optimal: false,
        complete: true,
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
            Parameter {
                name: "ties",
                default: "low-g",
                meaning: "which of equally promising states counts: low-g the nearest, high-g the farthest",
            },
        ],
        bound: Bound::PerMove("(2d - 1)^2 expansions, (2n + 1) cutoff climbing steps, 2n records compared"),
        needs: "a database of subgoals",
        paper: "Bulitko, Bjornsson 2009",
        make: Make::WithSubgoals {
            config: |arguments, seed| {
                let form = match arguments.text("subgoal") {
                    "farthest" => RecordForm::Farthest,
                    "first" => RecordForm::BeforeFirstMiss,
                    _ => return Err(arguments.error("subgoal", &"expected farthest or first")),
                };
                arguments.subgoals(form, seed)
            },
            agent: |arguments| {
                let depth = arguments.number("d", 1..=100)? as u32;
                let cutoff = arguments.number("cutoff", 0..=1_000_000)?;
                Ok(Box::new(move |database| Box::new(KnnLrta2009::new(depth, cutoff, database))))
            },
        },
    },
    Entry {
        name: "pra*",
        summary: "plans on a coarse map and refines the path level by level; all at once, or k nodes at a time",
        optimal: false,
        complete: true,
        parameters: &[
            Parameter {
                name: "k",
                default: "none",
                meaning: "nodes of each path that are refined at a time, 2 to 1000000; none: all, PRA*(infinity)",
            },
            CORRIDOR,
            ALIGNED,
            DISTANCE,
        ],
        bound: Bound::NotRealTime,
        needs: "a clique abstraction",
        paper: "Sturtevant, Buro 2005",
        make: Make::WithAbstraction(|arguments| {
            let kept = arguments.number_unless("k", "none", 2..=1_000_000)?.map(|kept| kept as usize);
            let is_wide = arguments.is_wide()?;
            Ok(Box::new(move |abstraction| Box::new(PraAgent::new(abstraction, kept, is_wide))))
        }),
    },
    Entry {
        name: "s-pra*",
        summary: "PRA* over whole paths, its planning spread over frames; stands still until it is done",
        optimal: false,
        complete: true,
        parameters: &[SLICE, CORRIDOR, ALIGNED, DISTANCE],
        bound: Bound::PerMove("0.9 slice expansions, slice trace steps"),
        needs: "a clique abstraction",
        paper: "Sturtevant, Buro 2005",
        make: Make::WithAbstraction(|arguments| {
            let slice = arguments.number("slice", 1..=1_000_000_000)?;
            let is_wide = arguments.is_wide()?;
            Ok(Box::new(move |abstraction| Box::new(PraAgent::sliced(abstraction, slice, is_wide))))
        }),
    },
];

const CORRIDOR: Parameter = Parameter {
    name: "corridor",
    default: "wide",
    meaning: "where a path is refined: narrow: below the path alone; wide: below its neighbours too",
};
const ALIGNED: Parameter = Parameter {
    name: "aligned",
    default: "yes",
    meaning: "whether the abstraction groups aligned squares first: yes or no",
};
const DISTANCE: Parameter = Parameter {
    name: "distance",
    default: "octile",
    meaning: "how far apart abstract nodes are: octile or euclidean",
};
const RECORDS: Parameter =
    Parameter { name: "n", default: "10000", meaning: "records in the database, 0 to 100000000" };
const PAIRS: Parameter = Parameter {
    name: "pairs",
    default: "random",
    meaning: "how the ends of the records are chosen: random, or even over the map",
};
const TIES_HIGH: Parameter = Parameter {
    name: "ties",
    default: "high-g",
    meaning: "which of equally promising states counts: low-g the nearest, high-g the farthest",
};
const EXPANSIONS: Parameter =
    Parameter { name: "expansions", default: "30", meaning: "states expanded in a lookahead, 1 to 1000000" };
const MOVES: Parameter = Parameter {
    name: "moves",
    default: "one",
    meaning: "moves after a lookahead: one, or all that it found",
};
const SLICE: Parameter =
    Parameter { name: "slice", default: "50", meaning: "planning a move, in expansions, 1 to 1000000000" };

/// A spec's arguments, completed with the defaults of its entry.
struct Arguments<'a> {
    entry: &'a Entry,
    spec: &'a Spec,
}

impl Arguments<'_> {
    /// The value of a parameter, as given or by default.
    fn text(&self, key: &str) -> &str {
        let default = self.entry.parameters.iter().find(|parameter| parameter.name == key);
        self.spec.value(key).or(default.map(|parameter| parameter.default)).unwrap_or_default()
    }

    fn error(&self, key: &str, problem: &dyn core::fmt::Display) -> SpecError {
        let column = match self.spec.value(key) {
            Some(_) => self.spec.column_of(Some(key)) + key.len() + 1,
            None => 1,
        };
        SpecError::new(self.spec, column, format!("{key} is \"{}\": {problem}", self.text(key)))
    }

    fn parse<T: core::str::FromStr<Err: core::fmt::Display>>(&self, key: &str) -> Result<T, SpecError> {
        self.text(key).parse().map_err(|problem: T::Err| self.error(key, &problem))
    }

    fn number(&self, key: &str, range: RangeInclusive<u64>) -> Result<u64, SpecError> {
        let expected = || format!("expected a whole number from {} to {}", range.start(), range.end());
        let number = self.text(key).parse().map_err(|_| self.error(key, &expected()))?;
        if range.contains(&number) { Ok(number) } else { Err(self.error(key, &expected())) }
    }

    /// A decimal number in millionths.
    fn millionths(&self, key: &str, range: RangeInclusive<f64>) -> Result<u64, SpecError> {
        let expected = || format!("expected a number from {} to {}", range.start(), range.end());
        let number: f64 = self.text(key).parse().map_err(|_| self.error(key, &expected()))?;
        if range.contains(&number) {
            Ok((number * 1e6 + 0.5) as u64)
        } else {
            Err(self.error(key, &expected()))
        }
    }

    fn ties(&self) -> Result<Ties, SpecError> {
        match self.text("ties") {
            "low-g" => Ok(Ties::Near),
            "high-g" => Ok(Ties::Far),
            _ => Err(self.error("ties", &"expected low-g or high-g")),
        }
    }

    fn flag(&self, key: &str) -> Result<bool, SpecError> {
        match self.text(key) {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.error(key, &"expected yes or no")),
        }
    }

    /// A number, or nothing if the value is `unless`.
    fn number_unless(
        &self,
        key: &str,
        unless: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, SpecError> {
        if self.text(key) == unless { Ok(None) } else { self.number(key, range).map(Some) }
    }

    fn subgoals(&self, form: RecordForm, seed: u64) -> Result<SubgoalConfig, SpecError> {
        let pairs = match self.text("pairs") {
            "random" => Pairs::Random,
            "even" => Pairs::Even,
            _ => return Err(self.error("pairs", &"expected random or even")),
        };
        let paths = match self.text("paths") {
            "a*" => Paths::AStar,
            "jps" => Paths::JumpPoints,
            _ => return Err(self.error("paths", &"expected a* or jps")),
        };
        let records = self.number("n", 0..=100_000_000)?;
        Ok(SubgoalConfig { records, form, ties: self.ties()?, pairs, paths, seed })
    }

    fn is_wide(&self) -> Result<bool, SpecError> {
        match self.text("corridor") {
            "wide" => Ok(true),
            "narrow" => Ok(false),
            _ => Err(self.error("corridor", &"expected wide or narrow")),
        }
    }

    fn abstraction(&self) -> Result<AbstractionConfig, SpecError> {
        let distance = match self.text("distance") {
            "octile" => AbstractDistance::Octile,
            "euclidean" => AbstractDistance::Euclidean,
            _ => return Err(self.error("distance", &"expected octile or euclidean")),
        };
        Ok(AbstractionConfig { aligned: self.flag("aligned")?, distance })
    }

    fn local_search(&self, lesson: Lesson, heading: Heading) -> Result<Box<dyn Agent>, SpecError> {
        let expansions = self.number("expansions", 1..=1_000_000)?;
        let follows_whole_path = match self.text("moves") {
            "one" => false,
            "all" => true,
            _ => return Err(self.error("moves", &"expected one or all")),
        };
        Ok(Box::new(LocalSearchAgent::new(expansions, lesson, heading, follows_whole_path)))
    }
}

/// The entry of a name.
#[must_use]
pub fn entry(name: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// The entry of a spec, once its parameters are known to be the entry's.
fn arguments(spec: &Spec) -> Result<Arguments<'_>, SpecError> {
    let Some(entry) = entry(spec.name()) else {
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        return Err(SpecError::new(
            spec,
            1,
            format!("there is no algorithm of this name; there are: {}", names.join(", ")),
        ));
    };
    let known = || {
        let names: Vec<String> =
            entry.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
        if names.is_empty() {
            format!("{} takes no parameters", entry.name)
        } else {
            format!("{} takes: {}", entry.name, names.join(", "))
        }
    };
    if let Some(value) = spec.positional().next() {
        return Err(SpecError::new(
            spec,
            spec.column_of(None),
            format!("\"{value}\" needs a key, as in key={value}; {}", known()),
        ));
    }
    if let Some(key) = spec.keys().find(|key| entry.parameters.iter().all(|p| p.name != *key)) {
        let column = spec.column_of(Some(key));
        return Err(SpecError::new(spec, column, format!("there is no parameter \"{key}\"; {}", known())));
    }
    Ok(Arguments { entry, spec })
}

/// The agent that a spec calls for, if its algorithm needs no database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or it needs a database.
pub fn agent(spec: &Spec) -> Result<Box<dyn Agent>, SpecError> {
    agent_with(spec, None)
}

/// Makes sure that a spec calls for an agent that exists, without a database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value.
pub fn check(spec: &Spec) -> Result<(), SpecError> {
    let arguments = arguments(spec)?;
    match arguments.entry.make {
        Make::Plain(make) => make(&arguments).map(drop),
        Make::WithSubgoals { config, agent } => config(&arguments, 0).and(agent(&arguments)).map(drop),
        Make::WithAbstraction(agent) => arguments.abstraction().and(agent(&arguments)).map(drop),
    }
}

/// What the database that a spec calls for is built from, if it needs one. Another seed gives another database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value.
pub fn database_for(spec: &Spec, seed: u64) -> Result<Option<DatabaseConfig>, SpecError> {
    let arguments = arguments(spec)?;
    match arguments.entry.make {
        Make::Plain(_) => Ok(None),
        Make::WithSubgoals { config, .. } => config(&arguments, seed).map(DatabaseConfig::Subgoals).map(Some),
        Make::WithAbstraction(_) => arguments.abstraction().map(DatabaseConfig::Abstraction).map(Some),
    }
}

/// The agent that a spec calls for, with its database. Where the spec says how the database is to be built (how many
/// records, which ties), it must have been built so; what the spec leaves out is taken from the database.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or it needs another database.
pub fn agent_with(spec: &Spec, database: Option<&Database>) -> Result<Box<dyn Agent>, SpecError> {
    let arguments = arguments(spec)?;
    let refuse = |problem: String| Err(SpecError::new(spec, 1, problem));
    let differs = |key: &str, differs: bool| spec.value(key).is_some() && differs;
    let needs = format!("{} needs {}", arguments.entry.name, arguments.entry.needs);
    let (config, agent) = match arguments.entry.make {
        Make::Plain(make) => return make(&arguments),
        Make::WithSubgoals { config, agent } => (config, agent(&arguments)?),
        Make::WithAbstraction(agent) => {
            let (asked, agent) = (arguments.abstraction()?, agent(&arguments)?);
            let Some(Database::Abstraction(abstraction)) = database else { return refuse(needs) };
            let built = abstraction.config();
            if differs("aligned", asked.aligned != built.aligned)
                || differs("distance", asked.distance != built.distance)
            {
                return refuse(format!("it needs {asked}, but the database is {built}"));
            }
            return Ok(agent(Arc::clone(abstraction)));
        }
    };
    let Some(Database::Subgoals(database)) = database else { return refuse(needs) };
    let built = database.config();
    let asked = config(&arguments, built.seed)?;
    let is_of_the_kind = match asked.form {
        RecordForm::Compressed | RecordForm::Lossless => {
            matches!(built.form, RecordForm::Compressed | RecordForm::Lossless)
        }
        RecordForm::Farthest | RecordForm::BeforeFirstMiss => {
            matches!(built.form, RecordForm::Farthest | RecordForm::BeforeFirstMiss)
        }
    };
    if !is_of_the_kind
        || differs("n", asked.records != built.records)
        || differs("ties", asked.ties != built.ties)
        || differs("pairs", asked.pairs != built.pairs)
        || differs("paths", asked.paths != built.paths)
        || differs("lossless", asked.form != built.form)
        || differs("subgoal", asked.form != built.form)
    {
        let name = arguments.entry.name;
        return refuse(format!(
            "this database is {built}, but {name} needs {asked}: build it anew, or change the spec"
        ));
    }
    Ok(agent(Arc::clone(database)))
}

/// The database that a spec calls for on this map, built on the spot; nothing if it needs none.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or the database cannot be built.
pub fn build_database(spec: &Spec, space: &GridSpace, seed: u64) -> Result<Option<Database>, SpecError> {
    let build =
        |config| Database::build(space, config).map_err(|error| SpecError::new(spec, 1, error.to_string()));
    database_for(spec, seed)?.map(build).transpose()
}

/// The agent that a spec calls for on this map, with a database built on the spot if it needs one.
///
/// # Errors
/// If there is no such algorithm, or it has no such parameter, or not such a value, or the database cannot be built.
pub fn agent_for(spec: &Spec, space: &GridSpace, seed: u64) -> Result<Box<dyn Agent>, SpecError> {
    agent_with(spec, build_database(spec, space, seed)?.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{CostModel, Grid, MoveRule};
    #[test]
    fn every_default_makes_an_agent() {
        for entry in ENTRIES {
            let space =
                GridSpace::new(Grid::from_fn(4, 3, |_| true).unwrap(), MoveRule::NoCut, CostModel::Sqrt2);
            agent_for(&entry.name.parse().unwrap(), &space, 1).unwrap_or_else(|error| panic!("{error}"));
        }
    }

    #[test]
    fn mistakes_say_what_there_is() {
        let message = |text: &str| match agent(&text.parse().unwrap()) {
            Ok(_) => panic!("{text} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(message("b*").contains("there are: a*, weighted-a*"));
        assert!(message("a*(d=3)").ends_with("a* takes no parameters"));
        assert!(message("weighted-a*(gama=1)").contains("column 13: there is no parameter \"gama\""));
        assert!(message("weighted-a*(gamma=2)").contains("column 19: gamma is \"2\": expected a number"));
        assert!(message("weighted-a*(0.5)").contains("column 13: \"0.5\" needs a key"));
        assert!(message("weighted-a*(gamma=1,0.5)").contains("column 21: \"0.5\" needs a key"));
        assert!(message("weighted-a*(gamma=1, ma=1)").contains("column 21: there is no parameter \"ma\""));
    }

    #[test]
    fn parameters_are_checked_without_a_database() {
        for entry in ENTRIES {
            check(&entry.name.parse().unwrap()).unwrap();
        }
        for wrong in [
            "pra*(k=1)",
            "pra*(corridor=x)",
            "s-pra*(distance=x)",
            "s-pra*(aligned=x)",
            "knn-lrta*(cutoff=x)",
            "knn-lrta*(n=-1)",
            "knn-lrta*(k=0)",
            "knn-lrta-2009*(d=0)",
            "lrta*(d=0)",
        ] {
            assert!(check(&wrong.parse().unwrap()).is_err(), "{wrong}");
        }
    }
}
