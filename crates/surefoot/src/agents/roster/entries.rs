//! The list itself: one entry for each algorithm.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::{Bound, Entry, Make, Parameter, beacons, cover, pr_lrta, transit};
use crate::agents::dynamic::{DynamicLrta, GoalChoice, Loops};
use crate::agents::hill_climbing::HillClimber;
use crate::agents::knn_lrta_2009::KnnLrta2009;
use crate::agents::local_search::{Heading, Lesson};
use crate::agents::lrts::Lrts;
use crate::agents::p_lrta::PLrtaStar;
use crate::agents::plan_once::PlanOnce;
use crate::agents::pra::PraAgent;
use crate::agents::tba::TbaStar;
use crate::agents::{DepthLrtaStar, KnnLrtaStar, KnnSettings, LrtaStar};
use crate::control::DepthTree;
use crate::database::{PatternContents, RecordForm};
use crate::search::{AStar, Dijkstra, Gamma, Horizon, JumpPoints};

/// What algorithms need that do not take weights.
pub(super) const EVEN_GRID: &str = "a grid whose ground weighs the same everywhere";

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
        needs: EVEN_GRID,
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
            TIES_LOW,
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
            LOSSLESS,
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
            Ok(Box::new(move |abstraction| Ok(Box::new(PraAgent::new(abstraction, kept, is_wide)))))
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
            Ok(Box::new(move |abstraction| Ok(Box::new(PraAgent::sliced(abstraction, slice, is_wide)))))
        }),
    },
    Entry {
        name: "lrta*(f,pdb)",
        summary: "LRTA* from region to region of the map, by a database of where to enter the next one",
        optimal: false,
        complete: true,
        parameters: &[LEVEL, DEPTH_1, CHOOSE, LOOPS, DEEPEN, ALIGNED, TIES_LOW],
        bound: Bound::PerMove("(2d - 1)^2 expansions; d is 100 if deepen is above 0"),
        needs: "a pattern database",
        paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: SUBGOALS,
    },
    Entry {
        name: "lrta*(pdb,g)",
        summary: "LRTA* whose lookahead is as deep as a database says for the regions of the agent and the goal",
        optimal: false,
        complete: true,
        parameters: &[LEVEL, CAP, DEEPEN, ALIGNED, TIES_LOW],
        bound: Bound::PerMove("(2 cap - 1)^2 expansions; cap is 100 at least if deepen is above 0"),
        needs: "a pattern database",
        paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: Make::WithPatterns {
            config: |arguments| arguments.patterns(|cap| PatternContents::Depths { cap }),
            agent: |arguments| {
                let deepen = arguments.number("deepen", 0..=100)? as u32;
                let choice = GoalChoice { loops: Loops::State, keeps: false, deepen };
                Ok(Box::new(move |database| Box::new(DynamicLrta::new(database, 1, choice))))
            },
        },
    },
    Entry {
        name: "lrta*(pdb,pdb)",
        summary: "LRTA* from region to region, with a lookahead as deep as each way needs",
        optimal: false,
        complete: true,
        parameters: &[LEVEL, CAP, CHOOSE, LOOPS, DEEPEN, ALIGNED, TIES_LOW],
        bound: Bound::PerMove("(2 cap - 1)^2 expansions; cap is 100 at least if deepen is above 0"),
        needs: "a pattern database",
        paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: Make::WithPatterns {
            config: |arguments| arguments.patterns(|cap| PatternContents::SubgoalsAndDepths { cap }),
            agent: |arguments| {
                let choice = arguments.goal_choice()?;
                Ok(Box::new(move |database| Box::new(DynamicLrta::new(database, 1, choice))))
            },
        },
    },
    Entry {
        name: WITH_TREE,
        summary: "LRTA* whose lookahead is as deep as a decision tree says for the agent's situation",
        optimal: false,
        complete: true,
        parameters: &[
            Parameter {
                name: "dmax",
                default: "10",
                meaning: "the deepest lookahead, and with it the tree: 5, 10, 15 or 20; with a tree of one's own, its own",
            },
            TIES_LOW,
        ],
        bound: Bound::PerMove("(2 dmax - 1)^2 + 1 expansions"),
        needs: "nothing",
        paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: Make::Plain(|arguments| {
            let tree =
                arguments.number("dmax", 1..=100).ok().and_then(|dmax| DepthTree::built_in(dmax as u32));
            let tree = tree.ok_or_else(|| arguments.error("dmax", &"expected 5, 10, 15 or 20"))?;
            Ok(Box::new(DepthLrtaStar::with_tree(Arc::new(tree), arguments.ties()?)))
        }),
    },
    Entry {
        name: "lrta*(oracle,g)",
        summary: "LRTA* that looks no further than it must to step as with the deepest lookahead; a measure, not for use",
        optimal: false,
        complete: true,
        parameters: &[
            Parameter { name: "dmax", default: "10", meaning: "the deepest lookahead, 1 to 100" },
            TIES_LOW,
        ],
        bound: Bound::PerMove("(2 dmax - 1)^2 expansions; what it takes to choose the depth is not counted"),
        needs: "nothing",
        paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008",
        make: Make::Plain(|arguments| {
            let deepest = arguments.number("dmax", 1..=100)? as u32;
            Ok(Box::new(DepthLrtaStar::with_oracle(deepest, arguments.ties()?)))
        }),
    },
    Entry {
        name: "d-lrta*",
        summary: "D LRTA*: LRTA*(F, PDB) as the later papers call it",
        optimal: false,
        complete: true,
        parameters: &[
            Parameter { name: "level", default: "5", meaning: LEVEL.meaning },
            Parameter { name: "d", default: "3", meaning: DEPTH_1.meaning },
            Parameter { default: "reached", ..CHOOSE },
            Parameter { default: "region", ..LOOPS },
            DEEPEN,
            Parameter { default: "no", ..ALIGNED },
            TIES_LOW,
        ],
        bound: Bound::PerMove("(2d - 1)^2 expansions; d is 100 if deepen is above 0"),
        needs: "a pattern database",
        paper: "Bulitko, Lustrek, Schaeffer, Bjornsson, Sigmundarson 2008; d as in Bulitko, Bjornsson 2009",
        make: SUBGOALS,
    },
    pr_lrta::F_G,
    pr_lrta::PDB_G,
    pr_lrta::F_PDB,
    pr_lrta::PDB_PDB,
    cover::HCDPS,
    cover::DBA,
    beacons::BEACON,
    transit::TRANSIT,
];

/// The algorithm that can be given a tree.
pub(super) const WITH_TREE: &str = "lrta*(dt,g)";
const SUBGOALS: Make = Make::WithPatterns {
    config: |arguments| arguments.patterns(|_| PatternContents::Subgoals),
    agent: |arguments| {
        let depth = arguments.number("d", 1..=100)? as u32;
        let choice = arguments.goal_choice()?;
        Ok(Box::new(move |database| Box::new(DynamicLrta::new(database, depth, choice))))
    },
};
pub(super) const LEVEL: Parameter = Parameter {
    name: "level",
    default: "3",
    meaning: "how often the map is abstracted into regions, 0 to 64",
};
const DEPTH_1: Parameter = Parameter { name: "d", default: "1", meaning: "lookahead in actions, 1 to 100" };
pub(super) const CAP: Parameter =
    Parameter { name: "cap", default: "20", meaning: "the deepest lookahead that is stored, 1 to 10000" };
pub(super) const CHOOSE: Parameter = Parameter {
    name: "choose",
    default: "move",
    meaning: "when a subgoal is chosen: move: for every move; reached: when the last one is reached",
};
pub(super) const LOOPS: Parameter = Parameter {
    name: "loops",
    default: "state",
    meaning: "where it heads for the goal itself, to get out of loops: state: in states where it has been before; \
        ever: from the first such state on; region: in regions that it comes to for the third time",
};
pub(super) const DEEPEN: Parameter = Parameter {
    name: "deepen",
    default: "0",
    meaning: "how many actions further it looks each time it comes back to a state or region, 0 to 100",
};
const CORRIDOR: Parameter = Parameter {
    name: "corridor",
    default: "wide",
    meaning: "where a path is refined: narrow: below the path alone; wide: below its neighbours too",
};
pub(super) const ALIGNED: Parameter = Parameter {
    name: "aligned",
    default: "yes",
    meaning: "whether the abstraction groups aligned squares first: yes or no",
};
pub(super) const DISTANCE: Parameter = Parameter {
    name: "distance",
    default: "octile",
    meaning: "how far apart abstract nodes are: octile or euclidean",
};
pub(super) const RECORDS: Parameter =
    Parameter { name: "n", default: "10000", meaning: "records in the database, 0 to 100000000" };
pub(super) const LOSSLESS: Parameter = Parameter {
    name: "lossless",
    default: "no",
    meaning: "compress paths only as far as nothing is lost: yes or no",
};
const PAIRS: Parameter = Parameter {
    name: "pairs",
    default: "random",
    meaning: "how the ends of the records are chosen: random, or even over the map",
};
const TIES_LOW: Parameter = Parameter { default: "low-g", ..TIES_HIGH };
pub(super) const TIES_HIGH: Parameter = Parameter {
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
