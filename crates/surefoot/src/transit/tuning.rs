//! Numbers that were tuned, in one place. Who changes one runs the benchmark that is named with it before and
//! after, on an idle machine, and writes down what came of it. They were chosen on generated maps and on the
//! sets bg512, sc1 and dao; the figures of today are in `docs/understand/transit.md`.

// How nodes are chosen: `surefoot-bench clutter`.
/// The side of a block.
pub(super) const BLOCK: u32 = 512;
/// So many blocks are worked on at once.
pub(super) const BLOCKS_AT_ONCE: usize = 4;
/// Of so many cells one is sampled, on maps that are not large.
pub(super) const CELLS_A_SAMPLE: u64 = 64;
/// So many are sampled if there are as many, however small the map is.
pub(super) const LEAST_SAMPLES: u64 = 2048;
/// Maps of more free cells than this are large.
pub(super) const LARGE: u64 = 1 << 18;
/// Legs are looked for among so many times as many states as there are within reach.
pub(super) const LEGS: u64 = 4;
/// The same over corners.
pub(super) const FAR_LEGS: u64 = 7;
/// But among no more than so many corners.
pub(super) const MOST_CORNERS: usize = 1500;

// How far questions look the second time: `surefoot-bench clutter`.
/// How much larger balls are the second time.
pub(super) const WIDER: usize = 3;

// How large pieces of a repair are: `surefoot-bench edits`.
/// So many nodes are looked at in a piece, to see whether they are near a change.
pub(super) const NODES_A_PIECE: usize = 1024;
/// So many states in a piece of a search that has no limit.
pub(super) const STATES_A_PIECE: u64 = 256;
