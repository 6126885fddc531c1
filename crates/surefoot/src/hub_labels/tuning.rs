//! Numbers that were tuned, in one place. Who changes one runs the benchmark that is named with it before and
//! after, on an idle machine, and writes down what came of it. They were chosen on generated maps and on the
//! sets bg512, sc1 and dao; the figures of today are in `docs/understand/beacons.md`.

// How the order of hubs is sampled: `surefoot-bench clutter`.
/// How many nodes the trees of the sample have at first, for each node.
pub(super) const TREES: usize = 6;
/// How many trees are made at once, on all cores.
pub(super) const TREES_AT_ONCE: usize = 16;
/// How many groups the trees are in.
pub(super) const GROUPS: usize = 8;
/// The most hubs that are labelled at once.
pub(super) const MOST_AT_ONCE: usize = 128;

// How large pieces of an update are, so that none takes long: `surefoot-bench beacons`.
/// How many nodes are prepared in one piece.
pub(super) const PREPARED_A_PIECE: usize = 64;
/// How many labels are looked through in one piece, or a few more.
pub(super) const LABELS_A_PIECE: u64 = 128;
/// How many labels are looked through in one piece.
pub(super) const HOPS_A_PIECE: u32 = 16;
