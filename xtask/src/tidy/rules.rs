//! The tables of `cargo xtask tidy`: who may use whom, who may name kinds of databases, which files may be
//! long. Every exception has a reason, and goes when it is not needed any more: tidy says so.

use super::kinds::{Kind, KindException};
use super::layers::{Layer, LayerException, Modules};
use super::length::LongFile;

const fn wrong_way(file: &'static str, uses: &'static str, because: &'static str) -> LayerException {
    LayerException { file, uses, because }
}

const fn kept(place: &'static str, because: &'static str) -> KindException {
    KindException { place, because }
}

const fn layer(name: &'static str, uses: &'static [&'static str]) -> Layer {
    Layer { name, uses }
}

/// Modules of the library: each, and what it uses. That is above it in the list.
pub(crate) const LIBRARY: Modules = Modules {
    crate_folder: "crates/surefoot",
    layers: &[
        layer("files", &[]),
        layer("space", &[]),
        layer("formats", &["files", "space"]),
        layer("store", &["files", "space"]),
        layer("tape", &["space", "store"]),
        layer("search", &["space", "store", "tape"]),
        layer("agent", &["space", "store", "tape", "search"]),
        layer("hub_labels", &["space", "store"]),
        layer("lrta", &["space", "store", "search", "agent"]),
        layer("tba", &["space", "store", "search", "agent"]),
        layer("transit", &["space", "store", "search", "agent", "hub_labels", "lrta"]),
        layer("beacons", &["space", "store", "search", "agent", "hub_labels", "lrta", "transit"]),
        layer("links", &["space"]),
        layer("map", &["space", "formats"]),
        layer("crowd", &["space", "store", "search", "agent", "tba", "beacons", "links", "map"]),
        layer("navigator", &["files", "space", "store", "search", "agent", "beacons", "links", "map"]),
    ],
    exceptions: &[
        wrong_way(CORE_ROSTER, "lrta", CORE),
        wrong_way(CORE_ROSTER, "tba", CORE),
        wrong_way(CORE_ROSTER, "transit", CORE),
        wrong_way(CORE_ROSTER, "beacons", CORE),
    ],
};

const CORE_ROSTER: &str = "crates/surefoot/src/agent/roster/mod.rs";
const CORE: &str = "the core's roster names its entries, one line each";

/// Modules of the classics.
pub(crate) const CLASSICS: Modules = Modules {
    crate_folder: "crates/surefoot-classics",
    layers: &[
        layer("problems", &[]),
        layer("regions", &[]),
        layer("plan_once", &[]),
        layer("hill_climbing", &[]),
        layer("lrts", &[]),
        layer("local_search", &[]),
        layer("p_lrta", &[]),
        layer("depth", &[]),
        layer("knn", &["problems", "regions"]),
        layer("cover", &["regions", "knn"]),
        layer("abstraction", &["regions"]),
        layer("pra", &["abstraction"]),
        layer("d_lrta", &["problems", "regions", "abstraction"]),
        layer("pr_lrta", &["abstraction", "d_lrta"]),
        layer(
            "roster",
            &[
                "plan_once",
                "hill_climbing",
                "lrts",
                "local_search",
                "p_lrta",
                "depth",
                "knn",
                "cover",
                "abstraction",
                "pra",
                "d_lrta",
                "pr_lrta",
            ],
        ),
        layer("trials", &[]),
    ],
    exceptions: &[
        wrong_way(
            "crates/surefoot-classics/src/depth/entry.rs",
            "roster",
            "a spec with a tree of one's own is read by the roster's rules",
        ),
        wrong_way(
            "crates/surefoot-classics/src/knn/database.rs",
            "roster",
            "the check of a database asks the roster's agent how random problems would begin",
        ),
    ],
};

/// Crates, and which of the others they depend on.
pub(crate) const CRATES: &[Layer] = &[
    layer("surefoot", &[]),
    layer("surefoot-classics", &["surefoot"]),
    layer("surefoot-draw", &["surefoot"]),
    layer("surefoot-lab", &["surefoot", "surefoot-classics"]),
    layer("surefoot-web", &["surefoot"]),
    layer("surefoot-gppc", &["surefoot"]),
    layer("surefoot-c", &["surefoot"]),
    layer("surefoot-godot", &["surefoot"]),
    layer("bevy_surefoot", &["surefoot"]),
    layer("surefoot-cli", &["surefoot", "surefoot-classics", "surefoot-draw", "surefoot-lab"]),
    layer(
        "surefoot-bench",
        &["surefoot", "surefoot-classics", "surefoot-draw", "surefoot-lab", "surefoot-gppc"],
    ),
    layer("surefoot-pages", &["surefoot", "surefoot-classics", "surefoot-draw", "surefoot-lab"]),
    layer("surefoot-fuzz", &["surefoot", "surefoot-classics", "surefoot-draw", "surefoot-lab", "surefoot-c"]),
    layer("surefoot-playground", &["surefoot", "surefoot-classics", "surefoot-lab"]),
    layer("surefoot-python", &["surefoot", "surefoot-classics", "surefoot-draw", "surefoot-lab"]),
    layer("xtask", &["surefoot", "surefoot-classics"]),
];

/// Files with a roster, which names each kind in one line.
pub(crate) const ROSTERS: &[&str] = &[CORE_ROSTER, "crates/surefoot-classics/src/roster.rs"];

/// Kinds of databases.
pub(crate) const KINDS: &[Kind] = &[
    Kind {
        module: "beacons",
        types: &["BeaconDatabase", "BeaconConfig"],
        home: "crates/surefoot/src/beacons/",
        built_on_in: &[],
        exceptions: &[
            kept(
                "crates/surefoot/src/crowd/databases.rs",
                "units that go by beacons have a walker of 56 bytes",
            ),
            kept("crates/surefoot/src/navigator/", "the settings of what a navigator is built from"),
            kept("crates/surefoot-bench/src/beacons.rs", "a benchmark of this technique"),
            kept("crates/surefoot-bench/src/exact.rs", "a benchmark of this technique"),
            kept("crates/surefoot-bench/src/campaign/exact.rs", "whether this technique is exact"),
        ],
    },
    Kind {
        module: "transit",
        types: &["TransitDatabase", "TransitConfig"],
        home: "crates/surefoot/src/transit/",
        built_on_in: &["crates/surefoot/src/beacons/"],
        exceptions: &[],
    },
    Kind {
        module: "knn",
        types: &["SubgoalDatabase", "SubgoalConfig"],
        home: "crates/surefoot-classics/src/knn/",
        built_on_in: &[],
        exceptions: &[
            kept("crates/surefoot-bench/src/records.rs", "a benchmark of this technique"),
            kept(
                "crates/surefoot-bench/src/stress/graphs.rs",
                "rosters build for grids, this is built for graphs",
            ),
        ],
    },
    Kind {
        module: "abstraction",
        types: &["Abstraction", "AbstractionConfig"],
        home: "crates/surefoot-classics/src/abstraction/",
        built_on_in: &[
            "crates/surefoot-classics/src/pra/",
            "crates/surefoot-classics/src/pr_lrta/",
            "crates/surefoot-classics/src/d_lrta/",
        ],
        exceptions: &[
            kept("crates/surefoot-cli/src/level_sheet.rs", "how PRA* found its way, level by level"),
            kept("crates/surefoot-bench/src/pra.rs", "a benchmark of this technique"),
            kept("crates/surefoot-bench/src/repair.rs", "a benchmark of this technique"),
            kept("crates/surefoot-bench/src/rivals.rs", "PRA* for whole paths, beside other crates"),
            kept(
                "crates/surefoot-bench/src/stress/graphs.rs",
                "rosters build for grids, this is built for graphs",
            ),
        ],
    },
    Kind {
        module: "d_lrta",
        types: &["PatternDatabase", "PatternConfig"],
        home: "crates/surefoot-classics/src/d_lrta/",
        built_on_in: &["crates/surefoot-classics/src/pr_lrta/"],
        exceptions: &[],
    },
    Kind {
        module: "cover",
        types: &["CoverDatabase", "CoverConfig"],
        home: "crates/surefoot-classics/src/cover/",
        built_on_in: &[],
        exceptions: &[],
    },
];

/// Files with more than 500 lines.
pub(crate) const LONG_FILES: &[LongFile] = &[];
