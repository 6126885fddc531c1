//! Numbers that were tuned, in one place. Who changes one runs the benchmark that is named with it before and
//! after, on an idle machine, and writes down what came of it. They were chosen on generated maps and on the
//! sets bg512, sc1 and dao; the figures of today are in `docs/play/crowd-figures.md`.

// How often pursuers look, and how far: `surefoot-bench stress --only crowds`.
/// A pursuer looks again when its target has moved by one part in so many of what is left of the way.
pub(super) const PARTS: u64 = 4;
/// The runs of cells that are looked at on one turn...
pub(super) const RUNS: u64 = 4096;
/// ... so many of them for a unit of work.
pub(super) const RUNS_A_UNIT: u64 = 16;

// When logs begin anew, and what edits may take of a frame: `surefoot-bench saves`, `crowd` and `edits`.
/// A log of so many entries begins anew with the next edit after which nothing is half done. Others begin
/// anew when all that could wait is done.
pub(super) const LONG: usize = 64;
/// What upkeep may take in a frame without a budget.
pub(super) const WITHOUT_BUDGET: u64 = 200_000;
/// The largest debt, in budgets of a frame.
pub(super) const MOST_DEBT: u64 = 32;
/// Up to so many edits between two frames it is found out who need not look again.
pub(super) const MOST_NOTED: usize = 16;

// When units step aside for each other: `surefoot-bench stress --only obstacles`.
/// After so many turns in which a unit could not move it steps aside.
pub(super) const SIDE_STEP: u16 = 3;
/// After so many it steps back.
pub(super) const GIVE_WAY: u16 = 9;
/// After so many turns without progress it is reported as blocked.
pub(super) const BLOCKED: u16 = 30;
/// So many straight moves nearer to the goal are progress.
pub(super) const PROGRESS: u64 = 4;
/// Up to so many who are in each other's way are asked to go first, one before the other.
pub(super) const MOST_IN_FRONT: u32 = 64;
/// Up to so many are asked to get out of the way at once.
pub(super) const MOST_PUSHED: usize = 32;
/// After so many moves in a row nobody is in the way any more.
pub(super) const IN_A_ROW: u8 = 8;

// How groups settle: `surefoot-bench groups`.
/// Of so many slots that nobody has, a unit takes the nearest.
pub(super) const SLOTS_IN_VIEW: usize = 64;
/// Whoever has traded slots so often has come near enough.
pub(super) const MOST_TRADES: u8 = 100;
/// Units look for slots when they are so many straight moves from the farthest of them.
pub(super) const GROUP_MARGIN: u64 = 16;
/// It is seen every so many frames who has come near, and whether all have settled.
pub(super) const GROUP_SWEEP: u32 = 8;
