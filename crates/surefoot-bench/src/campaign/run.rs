//! One case after the other, until time is up or the goal is reached. It tells how far it is every few
//! seconds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::ledger::Ledger;
use super::{Campaign, Entry};

/// How often it tells how far it is.
const TELL: Duration = Duration::from_secs(2);
/// How often it writes that down.
const KEEP: Duration = Duration::from_secs(5);
/// After so many findings it stops: more of them tell no more.
const MOST_FINDINGS: u64 = 20;

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// After so many hours.
    pub hours: Option<f64>,
    /// After so many cases.
    pub cases: Option<u64>,
    /// When so much was counted, by all runs.
    pub goal: u64,
}

/// How far a run is, for whoever waits for it.
#[derive(Debug, Default)]
pub struct Watch {
    is_over: AtomicBool,
    case: AtomicU64,
    count: AtomicU64,
    findings: AtomicU64,
    doing: Mutex<String>,
}

impl Watch {
    /// Says what is done now.
    pub fn say(&self, doing: impl Into<String>) {
        if let Ok(mut place) = self.doing.lock() {
            *place = doing.into();
        }
    }

    fn tell(&self, entry: &Entry) {
        let begin = Instant::now();
        let first = self.count.load(Ordering::Relaxed);
        let mut told = begin;
        while !self.is_over.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(20));
            if told.elapsed() < TELL {
                continue;
            }
            told = Instant::now();
            let [case, count, findings] =
                [&self.case, &self.count, &self.findings].map(|number| number.load(Ordering::Relaxed));
            let seconds = begin.elapsed().as_secs_f64();
            let rate = (count - first) as f64 / seconds;
            let doing = self.doing.lock().map(|doing| doing.clone()).unwrap_or_default();
            let part = count as f64 / entry.goal as f64 * 100.0;
            eprintln!(
                "{seconds:>6.0} s: {count} {} ({part:.2} % of the goal), {rate:.1} a second, {findings} findings; case {case} {doing}",
                entry.counts
            );
        }
    }
}

/// Runs cases. All that is counted is in the ledger afterwards.
///
/// # Errors
/// If a case cannot be done, or nothing can be kept.
pub fn run(
    entry: &Entry,
    campaign: &mut dyn Campaign,
    ledger: &mut Ledger,
    seed: u64,
    limits: &Limits,
    revision: &str,
) -> Result<(), String> {
    let watch = Watch::default();
    let account = ledger.account();
    watch.count.store(account.count, Ordering::Relaxed);
    watch.findings.store(account.findings, Ordering::Relaxed);
    thread::scope(|scope| {
        scope.spawn(|| watch.tell(entry));
        let done = run_cases(campaign, ledger, seed, limits, revision, &watch);
        watch.is_over.store(true, Ordering::Relaxed);
        done
    })
}

fn run_cases(
    campaign: &mut dyn Campaign,
    ledger: &mut Ledger,
    seed: u64,
    limits: &Limits,
    revision: &str,
    watch: &Watch,
) -> Result<(), String> {
    let begin = Instant::now();
    let (mut kept, mut done, mut new_findings) = (Instant::now(), 0, 0);
    while limits.cases.is_none_or(|most| done < most)
        && limits.hours.is_none_or(|hours| begin.elapsed().as_secs_f64() < hours * 3600.0)
        && ledger.account().count < limits.goal
        && new_findings < MOST_FINDINGS
    {
        let number = ledger.account().next;
        watch.case.store(number, Ordering::Relaxed);
        let since = Instant::now();
        let case = campaign.case(number, watch)?;
        for found in &case.findings {
            let again = campaign.again(seed, number);
            if ledger.find(found, &again)? {
                new_findings += 1;
                eprintln!("- {}\n    {again}", found.text);
            }
        }
        done += 1;
        ledger.add(case.count, since.elapsed().as_secs_f64(), revision);
        watch.count.store(ledger.account().count, Ordering::Relaxed);
        watch.findings.store(ledger.account().findings, Ordering::Relaxed);
        if kept.elapsed() > KEEP {
            campaign.keep(ledger.account().next)?;
            ledger.keep()?;
            kept = Instant::now();
        }
    }
    campaign.keep(ledger.account().next)?;
    ledger.keep()
}

#[cfg(test)]
mod tests {
    use super::super::{Case, Found};
    use super::*;

    /// Counts ten a case; every seventh has a finding, of two kinds in turn.
    struct Tens(Vec<u64>);

    impl Campaign for Tens {
        fn case(&mut self, number: u64, _: &Watch) -> Result<Case, String> {
            self.0.push(number);
            let found = Found { key: (number % 2).to_string(), text: format!("in case {number}") };
            let findings = if number % 7 == 6 { vec![found] } else { Vec::new() };
            Ok(Case { count: 10, findings })
        }

        fn again(&self, seed: u64, number: u64) -> String {
            format!("again {seed} {number}")
        }
    }

    const ENTRY: Entry =
        Entry { name: "tens", counts: "tens", goal: 300, about: "", open: |_| Err(String::new()) };

    #[test]
    fn a_run_goes_on_where_it_was_stopped_and_ends_at_the_goal() {
        let folder = tempfile::tempdir().unwrap();
        let mut campaign = Tens(Vec::new());
        for (cases, count, findings) in [(Some(3), 30, 0), (Some(5), 80, 1), (None, 300, 2), (None, 300, 2)] {
            let mut ledger = Ledger::open(folder.path()).unwrap();
            let limits = Limits { hours: None, cases, goal: ENTRY.goal };
            run(&ENTRY, &mut campaign, &mut ledger, 1, &limits, "1234567").unwrap();
            assert_eq!((ledger.account().count, ledger.account().findings), (count, findings));
        }
        assert_eq!(campaign.0, (0..30).collect::<Vec<_>>());
        let limits = Limits { hours: Some(0.0), cases: None, goal: u64::MAX };
        let mut ledger = Ledger::open(folder.path()).unwrap();
        run(&ENTRY, &mut campaign, &mut ledger, 1, &limits, "1234567").unwrap();
        assert_eq!(campaign.0.len(), 30, "no time is no case");
    }

    #[test]
    fn too_many_findings_end_a_run() {
        struct Bad;
        impl Campaign for Bad {
            fn case(&mut self, number: u64, _: &Watch) -> Result<Case, String> {
                let found = Found { key: number.to_string(), text: "no".into() };
                Ok(Case { count: 1, findings: vec![found] })
            }
            fn again(&self, _: u64, _: u64) -> String {
                String::new()
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let limits = Limits { hours: None, cases: None, goal: 1_000 };
        run(&ENTRY, &mut Bad, &mut ledger, 1, &limits, "1234567").unwrap();
        assert_eq!(ledger.account().findings, MOST_FINDINGS);
    }
}
