//! Numbers that were tuned, in one place. Who changes one runs the benchmark that is named with it before and
//! after, on an idle machine, and writes down what came of it. They were chosen on generated maps and on the
//! sets bg512, sc1 and dao; the figures of today are in `docs/understand/beacons.md`.

// What the core leaves out: `surefoot-bench clutter` and `walks`.
/// How many rounds there are. In each, every corner that is left is asked whether it can go. From a corner
/// that went, the core is at most this many legs away.
pub(in crate::beacons) const ROUNDS: u32 = 10;
/// So many legs are looked at for other ways past a corner.
pub(in crate::beacons) const MOST_LOOKS: u64 = 1_000;
/// A corner with more legs than this stays.
pub(in crate::beacons) const MOST_LEGS: usize = 256;

// When labels are not even tried: `surefoot-bench clutter`.
/// Where a corner has more cells to itself than this, labels are seldom large, and nothing is foretold.
pub(in crate::beacons) const SPARSE: u64 = 64;
/// Where labels of all corners would be so many times too large, those of the core are not tried.
pub(in crate::beacons) const HOPELESS: u64 = 8;

// How a bound is found, and how many goals agents share: `surefoot-bench exact` and `crowd --only choices`.
/// From so many cells it is seen how much a decision takes.
pub(in crate::beacons) const LOOKS: usize = 1024;
/// So many goals are remembered.
pub(in crate::beacons) const MOST_DESTINATIONS: usize = 4;
/// For each of them so many ways are.
pub(in crate::beacons) const MOST_BEGUN: usize = 16;

// What an edit repairs, and from when on it is built anew: `surefoot-bench beacons`.
/// Where more than one corner of so many has changed, all labels are made anew.
pub(in crate::beacons) const MANY_CHANGED: usize = 16;
/// So are they where more than one entry of so many is of a hub that is affected by changed legs, ...
pub(in crate::beacons) const MOST_AFFECTED: u64 = 2;
/// ... or where updating them has taken so many times as many looks as there are entries. That is a third to
/// a half of what it takes to make them.
pub(in crate::beacons) const MOST_SPENT: u64 = 2;
/// While the core is found there is a checkpoint whenever so many times as much work was done as there are
/// legs: a copy of these takes a sixteenth of their number.
pub(in crate::beacons) const CHECKED: u64 = 4;
/// While labels are made anew there is one whenever so many times as many nodes were looked at, as a part of
/// what is copied.
pub(in crate::beacons) const LABELS_CHECKED: u64 = 4;
/// Where more cells than these may have become corners, or are some no more, all lines are found anew.
pub(in crate::beacons) const LINED: usize = 512;
