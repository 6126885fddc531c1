//! Which of the algorithms that were measured suits a game: a function of the figures alone.

use serde::Serialize;

/// What a game can spare.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Limits {
    /// Agents that walk at the same time.
    pub agents: u32,
    /// Planning time a frame for all of them, in milliseconds.
    pub frame_ms: f64,
    /// Memory for the database and all agents, in megabytes of 10⁶ bytes.
    pub memory_mb: f64,
    /// Whether the frame in which all agents get their goals must fit, too.
    pub at_once: bool,
}

/// What was measured of an algorithm.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// The spec.
    pub spec: String,
    /// Whether it arrives wherever there is a way.
    pub complete: bool,
    /// Whether the planning of each move is bounded, whatever the map.
    pub real_time: bool,
    /// Walks.
    pub walks: u64,
    /// Walks that did not arrive: they were given up when they were many times too long.
    pub given_up: u64,
    /// By how many percent a walk is longer than the shortest way, a frame of waiting counted as a step: the
    /// mean. Walks that were given up are in it with as much as they had walked.
    pub over_mean_pct: f64,
    /// The same for the walk in the middle.
    pub over_median_pct: f64,
    /// The same for the longest walk.
    pub over_worst_pct: f64,
    /// Planning time of a frame of one agent, in nanoseconds: the mean over all frames of all walks.
    pub move_ns: f64,
    /// Planning time of the slowest frame of one agent.
    pub worst_move_ns: f64,
    /// Planning time until an agent moves for the first time: the mean over the walks.
    pub first_move_ns: f64,
    /// Bytes of the database, which all agents share.
    pub database_bytes: f64,
    /// Bytes that an agent holds after a walk, memory included that it keeps for the next: the mean over the
    /// walks.
    pub agent_bytes: f64,
    /// How long the database took to build, in seconds.
    pub build_seconds: f64,
}

/// A limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Planning time of an ordinary frame.
    Frame,
    /// Planning time of the frame in which all agents get their goals.
    FrameAtOnce,
    /// Memory.
    Memory,
}

/// What an algorithm would take in the game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Needs {
    /// Planning time of an ordinary frame, all agents together, in milliseconds.
    pub frame_ms: f64,
    /// Planning time if all agents get their goals in one frame.
    pub frame_at_once_ms: f64,
    /// Memory in megabytes.
    pub memory_mb: f64,
}

impl Measured {
    /// What so many agents need.
    #[must_use]
    pub fn needs(&self, agents: u32) -> Needs {
        let agents = f64::from(agents);
        Needs {
            frame_ms: agents * self.move_ns / 1e6,
            frame_at_once_ms: agents * self.first_move_ns / 1e6,
            memory_mb: (self.database_bytes + agents * self.agent_bytes) / 1e6,
        }
    }

    /// How many times each limit is used up; above 1 it does not fit.
    fn shares(&self, limits: &Limits) -> impl Iterator<Item = (Limit, f64)> {
        let needs = self.needs(limits.agents);
        let at_once =
            limits.at_once.then_some((Limit::FrameAtOnce, needs.frame_at_once_ms / limits.frame_ms));
        [
            (Limit::Frame, needs.frame_ms / limits.frame_ms),
            (Limit::Memory, needs.memory_mb / limits.memory_mb),
        ]
        .into_iter()
        .chain(at_once)
    }

    /// The limit that is exceeded the most, and by which factor. `None` if all are kept.
    #[must_use]
    pub fn exceeds(&self, limits: &Limits) -> Option<(Limit, f64)> {
        self.shares(limits).filter(|(_, share)| *share > 1.0).max_by(|one, other| one.1.total_cmp(&other.1))
    }

    /// Whether it may be recommended under these limits.
    #[must_use]
    pub fn fits(&self, limits: &Limits) -> bool {
        self.complete && self.exceeds(limits).is_none()
    }
}

/// What came of the choice. Numbers are places in the list of what was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The best that fits.
    Best {
        /// Which one.
        best: usize,
        /// The best that fits into half of the time and half of the memory, if any does; it may be the same.
        with_half: Option<usize>,
    },
    /// None fits.
    None {
        /// The one that comes closest.
        closest: usize,
        /// The limit that it exceeds the most.
        limit: Limit,
        /// By which factor.
        factor: f64,
    },
    /// None that always arrives was measured.
    NothingMeasured,
}

/// Walks that are this close in percentage points are equally good, and the faster algorithm is taken.
const AS_GOOD: f64 = 0.1;
/// Real-time algorithms are taken before others whose walks are better by no more than this: means hide the
/// move that takes long.
const FOR_REAL_TIME: f64 = 1.0;

/// Chooses the algorithm whose walks are the best among those that always arrive and keep the limits.
/// Real-time algorithms come first unless others are better by more than a point.
#[must_use]
pub fn choose(measured: &[Measured], limits: &Limits) -> Choice {
    if let Some(best) = best(measured, limits) {
        let half = Limits { frame_ms: limits.frame_ms / 2.0, memory_mb: limits.memory_mb / 2.0, ..*limits };
        return Choice::Best { best, with_half: self::best(measured, &half) };
    }
    let excess = |(at, one): (usize, &Measured)| {
        one.exceeds(limits).filter(|_| one.complete).map(|(limit, factor)| (at, limit, factor))
    };
    match measured.iter().enumerate().filter_map(excess).min_by(|one, other| one.2.total_cmp(&other.2)) {
        Some((closest, limit, factor)) => Choice::None { closest, limit, factor },
        None => Choice::NothingMeasured,
    }
}

fn best(measured: &[Measured], limits: &Limits) -> Option<usize> {
    let fitting = || measured.iter().enumerate().filter(|(_, one)| one.fits(limits));
    let shortest = |real_time: bool| {
        let of_these = fitting().filter(|(_, one)| one.real_time || !real_time);
        of_these.map(|(_, one)| one.over_mean_pct).min_by(f64::total_cmp)
    };
    let all = shortest(false)?;
    let of_real_time = shortest(true).filter(|over| *over <= all + FOR_REAL_TIME);
    let most = of_real_time.unwrap_or(all) + AS_GOOD;
    fitting()
        .filter(|(_, one)| (one.real_time || of_real_time.is_none()) && one.over_mean_pct <= most)
        .min_by(|(_, one), (_, other)| one.move_ns.total_cmp(&other.move_ns))
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks `over` percent too long, `us` microseconds a move, a database of `mb` megabytes.
    fn measured(spec: &str, over: f64, us: f64, mb: f64) -> Measured {
        Measured {
            spec: spec.to_owned(),
            complete: true,
            walks: 10,
            over_mean_pct: over,
            move_ns: us * 1e3,
            first_move_ns: 10.0 * us * 1e3,
            database_bytes: mb * 1e6,
            agent_bytes: 1e4,
            ..Measured::default()
        }
    }

    fn limits(frame_ms: f64, memory_mb: f64) -> Limits {
        Limits { agents: 100, frame_ms, memory_mb, at_once: false }
    }

    fn all() -> [Measured; 4] {
        [
            measured("lrta*", 400.0, 1.0, 0.0),
            measured("knn", 5.0, 0.1, 2.0),
            measured("pra*", 1.0, 10.0, 9.0),
            measured("a*", 0.0, 100.0, 0.0),
        ]
    }

    fn chosen(frame_ms: f64, memory_mb: f64) -> Choice {
        choose(&all(), &limits(frame_ms, memory_mb))
    }

    #[test]
    fn what_a_game_needs() {
        let needs = all()[1].needs(100);
        assert_eq!(needs, Needs { frame_ms: 0.01, frame_at_once_ms: 0.1, memory_mb: 3.0 });
    }

    #[test]
    fn the_best_walks_within_the_limits_win() {
        assert_eq!(chosen(20.0, 40.0), Choice::Best { best: 3, with_half: Some(3) });
        assert_eq!(chosen(10.0, 40.0), Choice::Best { best: 3, with_half: Some(2) });
        assert_eq!(chosen(9.9, 40.0), Choice::Best { best: 2, with_half: Some(2) });
        assert_eq!(chosen(9.9, 9.0), Choice::Best { best: 1, with_half: Some(1) });
        assert_eq!(chosen(9.9, 2.0), Choice::Best { best: 0, with_half: Some(0) });
        assert_eq!(chosen(9.9, 1.0), Choice::Best { best: 0, with_half: None });
    }

    #[test]
    fn orders_at_once_are_a_limit_of_their_own() {
        let at_once = Limits { at_once: true, ..limits(20.0, 40.0) };
        assert_eq!(choose(&all(), &at_once), Choice::Best { best: 2, with_half: Some(2) });
        assert_eq!(all()[3].exceeds(&at_once), Some((Limit::FrameAtOnce, 5.0)));
        assert!(all()[3].fits(&limits(20.0, 40.0)));
    }

    #[test]
    fn if_none_fits_the_closest_is_told() {
        // A tenth of what LRTA* needs of memory; kNN needs thirty times as much, but all fit the time.
        assert_eq!(chosen(20.0, 0.1), Choice::None { closest: 0, limit: Limit::Memory, factor: 10.0 });
        let Choice::None { closest, limit, factor } = chosen(0.001, 100.0) else { panic!() };
        assert_eq!((closest, limit), (1, Limit::Frame));
        assert!((factor - 10.0).abs() < 1e-9);
        assert_eq!(choose(&[], &limits(1.0, 1.0)), Choice::NothingMeasured);
    }

    #[test]
    fn who_does_not_arrive_is_not_chosen() {
        let stuck = Measured { complete: false, ..measured("hill-climbing", 0.0, 0.1, 0.0) };
        assert_eq!(choose(std::slice::from_ref(&stuck), &limits(9.0, 9.0)), Choice::NothingMeasured);
        let long = measured("long", 50.0, 0.1, 0.0);
        let choice = choose(&[stuck, long], &limits(9.0, 9.0));
        assert_eq!(choice, Choice::Best { best: 1, with_half: Some(1) });
    }

    #[test]
    fn real_time_comes_first_unless_it_costs_a_point() {
        let real_time = |over| Measured { real_time: true, ..measured("beacon*", over, 1.0, 0.0) };
        let jps = || measured("jps", 0.0, 1.0, 0.0);
        for (over, best) in [(0.0, 1), (0.3, 1), (1.0, 1), (1.1, 0)] {
            let choice = choose(&[jps(), real_time(over)], &limits(9.0, 9.0));
            assert_eq!(choice, Choice::Best { best, with_half: Some(best) }, "{over}");
        }
        // Of several real-time ones the best; a faster one is taken if it is as good.
        let faster = Measured { move_ns: 1.0, ..real_time(0.35) };
        let choice = choose(&[jps(), real_time(0.9), real_time(0.3), faster], &limits(9.0, 9.0));
        assert_eq!(choice, Choice::Best { best: 3, with_half: Some(3) });
    }

    #[test]
    fn of_equally_good_ones_the_faster_wins() {
        let pair =
            [measured("a*", 0.0, 50.0, 0.0), measured("jps", 0.05, 1.0, 0.0), measured("x", 0.2, 0.1, 0.0)];
        assert_eq!(choose(&pair, &limits(90.0, 9.0)), Choice::Best { best: 1, with_half: Some(1) });
    }
}
