//! Who is served when, and that threads make no difference.

use super::*;

/// Lets a crowd walk with so much work a frame, and makes sure that nobody waits for longer than was stated
/// while it waited. The longest wait, and what was stated before it was over.
fn longest_wait(crowd: &mut Crowd, frames: u32, budget: FrameBudget<'_>) -> (u64, u64) {
    let (mut longest, mut stated) = ((0, 0), 0);
    for _ in 0..frames {
        let report = crowd.frame(budget);
        let (wait, bound) = (u64::from(report.longest_wait), report.wait_bound.unwrap());
        // Who has just begun to wait was not waiting when it was stated.
        assert!(wait <= stated.max(1), "{wait} frames, not {stated}");
        if wait > longest.0 || wait == longest.0 && stated < longest.1 {
            longest = (wait, stated);
        }
        stated = bound;
        check_moves(crowd);
        send_on(crowd);
    }
    longest
}

#[test]
fn nobody_waits_longer_than_stated() {
    for (algorithm, work) in
        [("lrta*", 3), ("lrta*", 20), ("lrta*(d=2)", 40), ("beacon*", 100), ("tba*(slice=5)", 7)]
    {
        let (mut crowd, _) = crowd_of(100, algorithm, CrowdConfig::default());
        let (longest, _) = longest_wait(&mut crowd, 600, FrameBudget::Work(work));
        let patience = u64::from(CrowdConfig::default().patience);
        assert!(longest > patience, "{algorithm}: there is not enough for all: {longest}");
    }
}

#[test]
fn what_is_stated_is_hardly_more_than_the_longest_wait() {
    // One of low priority in each lane, and nine that are served before it as long as it is patient.
    let config = CrowdConfig { most_learned: u64::MAX, ..CrowdConfig::default() };
    for budget in [FrameBudget::Work(16), FrameBudget::Time(&|| false)] {
        let (mut crowd, units) = crowd_of(160, "lrta*(d=1)", config);
        for (at, &unit) in units.iter().enumerate() {
            let priority = if at < LANES { Priority::Low } else { Priority::High };
            crowd.set_priority(unit, priority).unwrap();
        }
        let (longest, stated) = longest_wait(&mut crowd, 1000, budget);
        assert!(longest * 10 >= stated * 9, "{budget:?}: {longest} of {stated}");
    }
}

#[test]
fn time_is_asked_for_and_everyones_turn_comes() {
    let (mut crowd, _) = crowd_of(300, "lrta*", CrowdConfig::default());
    let (longest, _) = longest_wait(&mut crowd, 300, FrameBudget::Time(&|| false));
    assert!(longest > 0, "there is no time for all");
    let (mut crowd, _) = crowd_of(100, "lrta*", CrowdConfig::default());
    let report = crowd.frame(FrameBudget::Time(&|| true));
    assert_eq!((report.served, report.waiting, report.longest_wait), (100, 0, 0));
}

#[test]
fn high_priority_comes_first_and_low_last() {
    let (mut crowd, units) = crowd_of(96, "lrta*", CrowdConfig { patience: 1000, ..CrowdConfig::default() });
    let mut moves = [0; 3];
    for _ in 0..100 {
        for made in &crowd.frame(FrameBudget::Work(320)).moves {
            let at = units.iter().position(|&unit| unit == made.unit).unwrap();
            moves[at % 3] += 1;
        }
        send_on(&mut crowd);
    }
    let [high, normal, low] = moves;
    assert!(high == 3200 && normal > 10 * low, "{moves:?}");
}

#[test]
fn no_more_work_is_done_than_there_is() {
    let (mut crowd, _) = crowd_of(100, "lrta*(d=2)", CrowdConfig::default());
    let (mut total, bound) = (0, crowd.kinds[0].bound.unwrap());
    for frame in 1..=200 {
        total += crowd.frame(FrameBudget::Work(160)).work;
        assert!(total <= 160 * (frame + 1) + LANES as u64 * bound, "{total} in {frame} frames");
        send_on(&mut crowd);
    }
    assert!(total > 160 * 190);
}

#[cfg(feature = "rayon")]
#[test]
fn threads_make_no_difference() {
    for algorithm in ["lrta*", "beacon*"] {
        let run = |is_parallel: bool| {
            let config = CrowdConfig { is_parallel, ..CrowdConfig::default() };
            let (mut crowd, _) = crowd_of(100, algorithm, config);
            let mut reports = Vec::new();
            for _ in 0..100 {
                reports.push(crowd.frame(FrameBudget::Work(200)).clone());
                send_on(&mut crowd);
            }
            reports
        };
        assert_eq!(run(false), run(true));
    }
}
