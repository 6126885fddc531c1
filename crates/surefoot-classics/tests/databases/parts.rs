//! Databases that are built in parts: the bytes do not depend on how many, nor on their order.

use proptest::prelude::*;
use surefoot::search::Ties;
use surefoot::space::GridSpace;
use surefoot::store::part::{Part, PartError, PartHead, block_to_bytes};
use surefoot::store::{BuiltFor, DatabaseConfig};
use surefoot_classics::ROSTER;
use surefoot_classics::d_lrta::{PatternConfig, PatternContents, Trace};
use surefoot_classics::knn::{RecordForm, SubgoalConfig};

use super::kept::kept_space;
use super::{config, spaces};

/// All parts, the last shard first, each with its last block first.
fn parts(space: &GridSpace, config: &dyn DatabaseConfig, shards: u32) -> Vec<Part> {
    let builder = config.blocks(space).unwrap().unwrap();
    let mut scratch = builder.scratch();
    let mut parts = Vec::new();
    for shard in (1..=shards).rev() {
        let head = PartHead { built_for: BuiltFor::of(space), plan: builder.plan(), shard: (shard, shards) };
        let mut bytes = head.to_bytes();
        for block in head.blocks().collect::<Vec<_>>().into_iter().rev() {
            bytes.extend_from_slice(&block_to_bytes(block, &builder.make(block, &mut *scratch)));
        }
        let part = Part::from_bytes(&bytes, ROSTER.kinds()).unwrap();
        assert!(part.head == head && part.length == bytes.len());
        assert!(Part::from_bytes(&part.to_bytes(), ROSTER.kinds()).unwrap() == part);
        // A part that was cut off is read up to its last whole block.
        if head.blocks().next().is_some() {
            let cut = Part::from_bytes(&bytes[..bytes.len() - 1], ROSTER.kinds()).unwrap();
            assert_eq!(cut.blocks.len() + 1, part.blocks.len());
            assert!(cut.length < bytes.len() && cut.first_missing().is_some());
        }
        parts.push(part);
    }
    let all = builder.plan().division().pieces;
    assert_eq!(parts.iter().map(|part| part.head.pieces()).sum::<u64>(), all);
    parts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn shards_make_the_same_bytes(space in spaces(), shards in 1_u32..9, seed in any::<u64>()) {
        let config: &dyn DatabaseConfig =
            &SubgoalConfig { seed, ..config(333, RecordForm::Compressed, Ties::Far) };
        let whole = config.build_quietly(&space).unwrap();
        let mut parts = parts(&space, config, shards);
        // Records need no map.
        let merged = Part::merge(None, parts.clone()).unwrap();
        prop_assert_eq!(&merged[..], &whole.to_bytes()[..]);
        prop_assert!(ROSTER.open(&space, merged).is_ok());
        let twice = [parts.clone(), parts[..1].to_vec()].concat();
        let is_noticed = matches!(Part::merge(None, twice), Err(PartError::Twice { .. }));
        prop_assert!(is_noticed);
        parts.pop();
        let is_noticed = matches!(Part::merge(None, parts), Err(PartError::Missing { .. }));
        prop_assert!(is_noticed);
    }

    /// The same for patterns, which are put together on their map.
    #[test]
    fn shards_of_patterns_make_the_same_bytes(space in spaces(), shards in 1_u32..9, which in 0..3, level in 0_u32..4) {
        let contents = match which {
            0 => PatternContents::Subgoals,
            1 => PatternContents::Depths { cap: 5 },
            _ => PatternContents::SubgoalsAndDepths { cap: 5 },
        };
        let config: &dyn DatabaseConfig = &PatternConfig { level, aligned: true, contents, trace: Trace::default(), ties: Ties::Near };
        let whole = config.build_quietly(&space).unwrap();
        let mut parts = parts(&space, config, shards);
        let merged = Part::merge(Some(&space), parts.clone()).unwrap();
        prop_assert_eq!(&merged[..], &whole.to_bytes()[..]);
        let is_noticed = matches!(Part::merge(None, parts.clone()), Err(PartError::NeedsWorld { .. }));
        prop_assert!(is_noticed);
        // Whatever a block may say, it is refused or makes a database that can be opened.
        if let Some(block) = parts[0].blocks.values_mut().next() {
            block.iter_mut().skip(1).for_each(|byte| *byte ^= 2);
            let forged = Part::from_bytes(&parts[0].to_bytes(), ROSTER.kinds());
            if forged.is_ok() && let Ok(bytes) = Part::merge(Some(&space), parts) {
                prop_assert!(ROSTER.open(&space, bytes).is_ok());
            }
        }
    }
}

/// A part of subgoals as the first version wrote it stays readable: its head says nothing of its kind.
#[test]
fn parts_of_subgoals_are_of_the_first_version() {
    let space = kept_space();
    let config: &dyn DatabaseConfig = &config(100, RecordForm::Compressed, Ties::Far);
    let plan = config.blocks(&space).unwrap().unwrap().plan();
    let head = PartHead { built_for: BuiltFor::of(&space), plan, shard: (2, 3) };
    let bytes = head.to_bytes();
    assert_eq!(&bytes[..20], b"sfpart\r\n\x01\0\0\0\x20\0\0\0\0\0\0\0");
    assert!(Part::from_bytes(&bytes, ROSTER.kinds()).unwrap().head == head);
}
