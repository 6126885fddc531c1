//! What a stress run counts and finds, and how it tells of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use surefoot::agent::Spec;

/// Steps and calls that take longer than this are looked at: shorter ones say more of the machine than of the
/// work.
const WORTH_A_LOOK: Duration = Duration::from_micros(500);
/// So many of the slowest are kept.
const OUTLIERS_KEPT: usize = 6;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The check that failed, in a word or two; for a panic the place in the source.
    pub check: String,
    /// What it is about: the spec of an agent, or the crowd that went another way.
    pub subject: String,
    /// The step or call of the case in which it showed.
    pub step: u64,
    /// What was seen.
    pub message: String,
}

impl Finding {
    /// What makes two findings the same: the check and its message, without numbers and without what is in
    /// brackets. For agents the algorithm counts, too.
    #[must_use]
    pub fn key(&self) -> String {
        let algorithm = self.subject.parse::<Spec>().map_or(self.subject.clone(), |spec| spec.algorithm());
        let mut key = format!("{} {algorithm} ", self.check);
        for letter in self.message.split(" [").next().unwrap_or_default().chars() {
            match letter.is_ascii_digit() {
                true if key.ends_with('#') => {}
                true => key.push('#'),
                false => key.push(letter),
            }
        }
        key
    }
}

/// A step or call that took long for the work that it says it did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlier {
    /// What was called.
    pub what: String,
    /// The step or call of the case.
    pub step: u64,
    /// How long it took.
    pub time: Duration,
    /// The work that was charged for it.
    pub work: u64,
}

impl Outlier {
    /// Nanoseconds for each unit of work.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.time.as_nanos() as f64 / self.work.max(1) as f64
    }
}

/// What became of the walks of one algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EntryTally {
    /// Walks, or kinds of units in crowds.
    pub walks: u64,
    /// Steps, of walks alone.
    pub steps: u64,
    /// Walks that were cut off.
    pub not_over: u64,
}

/// How much was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases.
    pub cases: u64,
    /// Walks: an agent with one goal after another.
    pub walks: u64,
    /// Steps of agents.
    pub steps: u64,
    /// Frames of crowds, each counted once however many crowds went through it.
    pub frames: u64,
    /// Moves of agents and units.
    pub moves: u64,
    /// Cells that were changed.
    pub edits: u64,
    /// Agents and crowds that were saved and restored.
    pub saves: u64,
    /// By algorithm.
    pub entries: BTreeMap<&'static str, EntryTally>,
    /// What was refused, and how often.
    pub refused: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds what another case counted.
    pub fn add(&mut self, other: Self) {
        self.cases += other.cases;
        self.walks += other.walks;
        self.steps += other.steps;
        self.frames += other.frames;
        self.moves += other.moves;
        self.edits += other.edits;
        self.saves += other.saves;
        for (name, theirs) in other.entries {
            let ours = self.entries.entry(name).or_default();
            ours.walks += theirs.walks;
            ours.steps += theirs.steps;
            ours.not_over += theirs.not_over;
        }
        for (what, count) in other.refused {
            *self.refused.entry(what).or_default() += count;
        }
    }

    /// Counts something that was refused; numbers in the message make no difference.
    pub fn note_refusal(&mut self, message: &str) {
        let message: String =
            message.chars().map(|letter| if letter.is_ascii_digit() { '#' } else { letter }).collect();
        *self.refused.entry(message).or_default() += 1;
    }
}

/// What one case did and found. Checks write to it, and the case goes on where it can.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// How much was done.
    pub tally: Tally,
    /// What was found, each kind of finding once.
    pub findings: Vec<Finding>,
    /// The slowest steps for their work, the slowest first.
    pub outliers: Vec<Outlier>,
    /// The longest that each call took which no meter counts, and its step.
    pub calls: BTreeMap<&'static str, (Duration, u64)>,
    /// The step or call that the case is at.
    pub step: u64,
    /// Whether every call is printed as it is made.
    pub is_traced: bool,
}

impl Log {
    /// Writes down that a check failed, unless the same is known already.
    pub fn find(&mut self, check: &str, subject: &str, message: String) {
        let finding =
            Finding { check: check.to_owned(), subject: subject.to_owned(), step: self.step, message };
        let key = finding.key();
        if self.findings.iter().all(|known| known.key() != key) {
            self.findings.push(finding);
        }
    }

    /// Writes down what a check says, if it failed. Whether it held.
    pub fn check(&mut self, check: &str, subject: &str, result: Result<(), String>) -> bool {
        let held = result.is_ok();
        if let Err(message) = result {
            self.find(check, subject, message);
        }
        held
    }

    /// Prints what is done next, if that is asked for.
    pub fn trace(&self, what: impl FnOnce() -> String) {
        if self.is_traced {
            println!("{:>6}  {}", self.step, what());
        }
    }

    /// Looks at how long something took for its work.
    pub fn note_time(&mut self, what: impl FnOnce() -> String, time: Duration, work: u64) {
        if time >= WORTH_A_LOOK {
            keep_slowest(&mut self.outliers, Outlier { what: what(), step: self.step, time, work });
        }
    }

    /// Keeps only what was slow in another run of the case, too: the rest was the machine.
    pub fn confirm_outliers(&mut self, again: &Self) {
        self.outliers.retain_mut(|outlier| {
            let known = again
                .outliers
                .iter()
                .find(|other| (other.step, &other.what) == (outlier.step, &outlier.what));
            outlier.time = known.map_or(Duration::ZERO, |known| known.time.min(outlier.time));
            known.is_some()
        });
    }

    /// Looks at how long a call took that no meter counts.
    pub fn note_call(&mut self, name: &'static str, time: Duration) {
        let slowest = self.calls.entry(name).or_default();
        *slowest = (*slowest).max((time, self.step));
    }
}

fn keep_slowest(outliers: &mut Vec<Outlier>, outlier: Outlier) {
    outliers.push(outlier);
    outliers.sort_by(|a, b| b.rate().total_cmp(&a.rate()));
    outliers.truncate(OUTLIERS_KEPT);
}

/// A finding with how to see it again.
#[derive(Clone, Debug)]
struct Known {
    finding: Finding,
    /// The first case that showed it.
    again: String,
    count: u64,
}

/// What all cases together did and found.
#[derive(Debug, Default)]
pub struct Summary {
    /// How much was done.
    pub tally: Tally,
    known: BTreeMap<String, Known>,
    outliers: Vec<(Outlier, String)>,
    /// The slowest of each call, its step and its case.
    calls: BTreeMap<&'static str, (Duration, u64, String)>,
}

impl Summary {
    /// Adds a case; `again` is the command that repeats it. The findings that are new.
    pub fn add(&mut self, log: Log, again: &str) -> Vec<Finding> {
        let mut new = Vec::new();
        self.tally.add(log.tally);
        for finding in log.findings {
            let known = self.known.entry(finding.key()).or_insert_with(|| {
                new.push(finding.clone());
                Known { finding, again: again.to_owned(), count: 0 }
            });
            known.count += 1;
        }
        self.outliers.extend(log.outliers.into_iter().map(|outlier| (outlier, again.to_owned())));
        self.outliers.sort_by(|a, b| b.0.rate().total_cmp(&a.0.rate()));
        self.outliers.truncate(OUTLIERS_KEPT);
        for (name, (time, step)) in log.calls {
            if self.calls.get(name).is_none_or(|known| known.0 < time) {
                self.calls.insert(name, (time, step, again.to_owned()));
            }
        }
        new
    }

    /// Whether a case has an outlier that would be kept, if it is one.
    #[must_use]
    pub fn would_keep(&self, log: &Log) -> bool {
        let least = self.outliers.get(OUTLIERS_KEPT - 1).map_or(0.0, |(outlier, _)| outlier.rate());
        log.outliers.iter().any(|outlier| outlier.rate() > least)
    }

    /// How many different findings there are.
    #[must_use]
    pub fn found(&self) -> usize {
        self.known.len()
    }

    /// The whole of it, for a person.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let Tally { cases, walks, steps, frames, moves, edits, saves, entries, refused } = &self.tally;
        let _ = writeln!(
            text,
            "{cases} cases: {walks} walks, {steps} steps, {frames} frames, {moves} moves, {edits} edits, {saves} saves"
        );
        let _ = writeln!(text, "\n{:<18} {:>8} {:>12} {:>9}", "algorithm", "walks", "steps", "not over");
        for (name, EntryTally { walks, steps, not_over }) in entries {
            let _ = writeln!(text, "{name:<18} {walks:>8} {steps:>12} {not_over:>9}");
        }
        if !refused.is_empty() {
            let _ = writeln!(text, "\nrefused:");
            for (message, count) in refused {
                let _ = writeln!(text, "{count:>8} x {message}");
            }
        }
        if !self.outliers.is_empty() {
            let _ =
                writeln!(text, "\nthe slowest for the work they were charged (times vary with the machine):");
            for (outlier, again) in &self.outliers {
                let Outlier { what, step, time, work } = outlier;
                let _ = writeln!(
                    text,
                    "{:>10.0} ns a unit: {what}, {work} of work in {time:.1?}, step {step} of {again}",
                    outlier.rate()
                );
            }
        }
        if !self.calls.is_empty() {
            let _ = writeln!(text, "\nthe slowest calls that no meter counts:");
            for (name, (time, step, again)) in &self.calls {
                let _ = writeln!(text, "{name:<20} {time:>10.1?}, step {step} of {again}");
            }
        }
        let _ = writeln!(text, "\n{} findings", self.found());
        for known in self.known.values() {
            text.push_str(&finding_text(&known.finding, &known.again));
            if known.count > 1 {
                let _ = writeln!(text, "    seen in {} cases", known.count);
            }
        }
        text
    }
}

/// A finding with the command that repeats it.
#[must_use]
pub fn finding_text(finding: &Finding, again: &str) -> String {
    let Finding { check, subject, step, message } = finding;
    format!("- {check}: {subject}: {message} (step {step})\n    {again}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_with(check: &str, subject: &str, message: &str) -> Log {
        let mut log = Log { step: 7, ..Log::default() };
        log.find(check, subject, message.to_owned());
        log
    }

    #[test]
    fn findings_that_differ_in_numbers_alone_are_one() {
        let mut summary = Summary::default();
        assert_eq!(summary.add(log_with("bound", "lrta*(d=3)", "took 12 of 9"), "again 1").len(), 1);
        assert_eq!(summary.add(log_with("bound", "lrta*(d=1)", "took 5 of 1"), "again 2").len(), 0);
        assert_eq!(summary.add(log_with("bound", "tba*(slice=1)", "took 5 of 1"), "again 3").len(), 1);
        assert_eq!(summary.add(log_with("legal", "lrta*(d=1)", "took 5 of 1"), "again 4").len(), 1);
        assert_eq!(summary.add(log_with("legal", "lrta*(d=1)", "took 5 of 1 [here]"), "again 5").len(), 0);
        assert_eq!(summary.found(), 3);
        let text = summary.text();
        assert!(text.contains("took 12 of 9 (step 7)\n    again 1\n    seen in 2 cases"), "{text}");
    }

    #[test]
    fn a_check_that_holds_is_no_finding() {
        let mut log = Log::default();
        assert!(log.check("legal", "a*", Ok(())) && log.findings.is_empty());
        assert!(!log.check("legal", "a*", Err("no".into())) && log.findings.len() == 1);
    }

    #[test]
    fn what_is_slow_for_its_work_comes_first() {
        let mut log = Log::default();
        log.note_time(|| "quick".into(), Duration::from_micros(1), 0);
        assert!(log.outliers.is_empty());
        log.note_time(|| "much work".into(), Duration::from_millis(9), 1_000_000);
        log.note_time(|| "no work".into(), Duration::from_millis(2), 3);
        assert_eq!(log.outliers[0].what, "no work");
        for _ in 0..20 {
            log.note_time(|| "worse".into(), Duration::from_millis(3), 1);
        }
        assert_eq!(log.outliers.len(), OUTLIERS_KEPT);
        assert!(log.outliers.iter().all(|outlier| outlier.what == "worse"));
        assert!(Summary::default().would_keep(&log));
        let mut again = Log { outliers: vec![log.outliers[0].clone()], ..Log::default() };
        again.outliers[0].time = Duration::from_millis(1);
        log.outliers.truncate(1);
        log.confirm_outliers(&again);
        assert_eq!(log.outliers[0].time, Duration::from_millis(1), "the quicker run counts");
        log.confirm_outliers(&Log::default());
        assert!(log.outliers.is_empty(), "it was the machine");
    }
}
