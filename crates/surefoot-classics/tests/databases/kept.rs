//! Files of the first versions: they stay readable, and their bytes are what is written today.

use surefoot::formats::grid_from_art;
use surefoot::search::{Paths, Ties};
use surefoot::space::{CostModel, GridSpace, MoveRule};
use surefoot::store::DatabaseConfig;
use surefoot_classics::ROSTER;
use surefoot_classics::abstraction::AbstractionConfig;
use surefoot_classics::cover::{CoverConfig, Partition};
use surefoot_classics::d_lrta::{PatternConfig, PatternContents, Trace};
use surefoot_classics::knn::{Pairs, RecordForm, SubgoalConfig};

pub(super) fn kept_space() -> GridSpace {
    let grid = grid_from_art(include_str!("../../testdata/map.txt")).unwrap();
    GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14)
}

/// The kept file of each kind, what it says it was built from, and that.
fn kept_files() -> [(&'static str, &'static str, Box<dyn DatabaseConfig>); 5] {
    let subgoals = SubgoalConfig {
        records: 100,
        form: RecordForm::Compressed,
        ties: Ties::Far,
        pairs: Pairs::Random,
        paths: Paths::JumpPoints,
        seed: 5,
    };
    // Subgoals and depths: all kinds at once.
    let contents = PatternContents::SubgoalsAndDepths { cap: 7 };
    let patterns =
        PatternConfig { level: 2, aligned: true, contents, trace: Trace::default(), ties: Ties::Near };
    let three = PatternConfig {
        contents: PatternContents::SubgoalsAndBothDepths { cap: 9 },
        trace: Trace::StraightFirst,
        ..patterns
    };
    let cover = CoverConfig { partition: Partition::Climbs { cutoff: 12 }, lossless: true, ties: Ties::Far };
    [
        (
            "testdata/subgoals-v1.sfdb",
            "subgoals(n=100, form=compressed, ties=high-g, pairs=random, paths=jps, seed=5)",
            Box::new(subgoals),
        ),
        (
            "testdata/abstraction-v1.sfdb",
            "abstraction(aligned=yes, distance=octile)",
            Box::new(AbstractionConfig::default()),
        ),
        (
            "testdata/patterns-v1.sfdb",
            "patterns(level=2, aligned=yes, subgoals and depths, cap=7, ties=low-g)",
            Box::new(patterns),
        ),
        (
            "testdata/patterns-three-v1.sfdb",
            "patterns(level=2, aligned=yes, subgoals, depths and goal depths, cap=9, trace=straight-first, ties=low-g)",
            Box::new(three),
        ),
        ("testdata/cover-v1.sfdb", "cover(climbs, cutoff=12, lossless=yes, ties=high-g)", Box::new(cover)),
    ]
}

#[test]
fn kept_files_are_read_and_written_as_ever() {
    for (file, words, config) in kept_files() {
        let (space, kept) = (kept_space(), std::fs::read(file).unwrap());
        let opened = ROSTER.open(&space, kept.clone()).unwrap();
        assert_eq!(opened.config().to_string(), words);
        assert!(*opened.config() == *config, "{file}");
        let built = config.build_quietly(&space).unwrap();
        assert!(
            built.to_bytes()[..] == kept[..],
            "{file}: the bytes have changed: raise the version, and keep reading the old one"
        );
    }
}

/// Writes the kept files; not part of the tests.
#[test]
#[ignore = "writes the files that the test above reads"]
fn write_the_kept_files() {
    for (file, _, config) in kept_files() {
        std::fs::write(file, config.build_quietly(&kept_space()).unwrap().to_bytes()).unwrap();
    }
}
