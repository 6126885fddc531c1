//! One case after the other, or two at a time, until time is up or the goal is reached. It tells how far it
//! is every few seconds.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::ledger::Ledger;
use super::{Campaign, Case, Entry};

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

/// Runs cases, on each of some lanes one at a time: lanes are the same campaign, opened once for each. All
/// that is counted is in the ledger afterwards.
///
/// # Errors
/// If a case cannot be done, or nothing can be kept.
pub fn run(
    entry: &Entry,
    lanes: &mut [Box<dyn Campaign>],
    ledger: &mut Ledger,
    seed: u64,
    limits: &Limits,
    revision: &str,
) -> Result<(), String> {
    let watch = Watch::default();
    let account = ledger.account();
    watch.count.store(account.count, Ordering::Relaxed);
    watch.findings.store(account.findings, Ordering::Relaxed);
    let (now, next) = (Instant::now(), account.next);
    let order = Order {
        ledger,
        begin: now,
        counted: now,
        kept: now,
        first: next,
        next,
        done: BTreeMap::new(),
        new_findings: 0,
        problem: None,
    };
    let course = Course { seed, limits, revision, watch: &watch, order: Mutex::new(order) };
    thread::scope(|scope| {
        scope.spawn(|| watch.tell(entry));
        thread::scope(|scope| {
            for lane in lanes {
                scope.spawn(|| course.follow(&mut **lane));
            }
        });
        watch.is_over.store(true, Ordering::Relaxed);
    });
    course.end()
}

/// A run, for all of its lanes.
struct Course<'a> {
    seed: u64,
    limits: &'a Limits,
    revision: &'a str,
    watch: &'a Watch,
    order: Mutex<Order<'a>>,
}

/// Which cases were begun, and which are done. They are counted in the order of their numbers, whichever lane
/// is faster: so the next run goes on where all before was done.
struct Order<'a> {
    ledger: &'a mut Ledger,
    begin: Instant,
    counted: Instant,
    kept: Instant,
    first: u64,
    /// The next case that is to be begun.
    next: u64,
    /// What is done, and waits for one with a lower number.
    done: BTreeMap<u64, Case>,
    new_findings: u64,
    problem: Option<String>,
}

impl<'a> Course<'a> {
    /// Does cases until the run ends.
    fn follow(&self, lane: &mut dyn Campaign) {
        loop {
            // Nobody holds the order while a case is done.
            let begun = self.order().begin_case(self.limits);
            let Some(number) = begun else { break };
            self.watch.case.store(number, Ordering::Relaxed);
            let case = lane.case(number, self.watch);
            let mut order = self.order();
            let counted = case.and_then(|case| order.count(number, case, self, lane));
            if let Err(problem) = counted {
                order.problem.get_or_insert(problem);
            }
        }
        let mut order = self.order();
        if order.problem.is_none() {
            order.problem = lane.keep(order.ledger.account().next).err();
        }
    }

    fn order(&self) -> MutexGuard<'_, Order<'a>> {
        // Who panicked has left nothing half done: it is a case that panics, and those are caught.
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(self) -> Result<(), String> {
        let order = self.order.into_inner().unwrap_or_else(PoisonError::into_inner);
        let kept = order.ledger.keep();
        order.problem.map_or(kept, Err)
    }
}

impl Order<'_> {
    /// The number of a case to begin, unless the run is to end.
    fn begin_case(&mut self, limits: &Limits) -> Option<u64> {
        let is_more = limits.cases.is_none_or(|most| self.next - self.first < most)
            && limits.hours.is_none_or(|hours| self.begin.elapsed().as_secs_f64() < hours * 3600.0)
            && self.ledger.account().count < limits.goal
            && self.new_findings < MOST_FINDINGS
            && self.problem.is_none();
        is_more.then(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// Counts a case that was done as soon as all before it are.
    fn count(
        &mut self,
        number: u64,
        case: Case,
        course: &Course<'_>,
        lane: &mut dyn Campaign,
    ) -> Result<(), String> {
        self.done.insert(number, case);
        while let Some(case) = self.done.remove(&self.ledger.account().next) {
            let number = self.ledger.account().next;
            for found in &case.findings {
                let again = lane.again(course.seed, number);
                if self.ledger.find(found, &again)? {
                    self.new_findings += 1;
                    eprintln!("- {}\n    {again}", found.text);
                }
            }
            let since = std::mem::replace(&mut self.counted, Instant::now());
            let seconds = (self.counted - since).as_secs_f64();
            self.ledger.add(case.count, seconds, course.revision);
        }
        let account = self.ledger.account();
        course.watch.count.store(account.count, Ordering::Relaxed);
        course.watch.findings.store(account.findings, Ordering::Relaxed);
        if self.kept.elapsed() > KEEP {
            lane.keep(account.next)?;
            self.ledger.keep()?;
            self.kept = Instant::now();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Arc;

    use super::super::{Found, Lanes};
    use super::*;

    /// Counts ten a case; every seventh has a finding, of two kinds in turn.
    struct Tens(Arc<Mutex<BTreeSet<u64>>>);

    impl Campaign for Tens {
        fn case(&mut self, number: u64, _: &Watch) -> Result<Case, String> {
            // Cases overtake each other.
            thread::sleep(Duration::from_millis(number % 3));
            assert!(self.0.lock().unwrap().insert(number), "case {number} is done twice");
            let found = Found { key: (number % 2).to_string(), text: format!("in case {number}") };
            let findings = if number % 7 == 6 { vec![found] } else { Vec::new() };
            if number == 1_000 { Err("too far".to_owned()) } else { Ok(Case { count: 10, findings }) }
        }

        fn again(&self, seed: u64, number: u64) -> String {
            format!("again {seed} {number}")
        }
    }

    const ENTRY: Entry = Entry {
        name: "tens",
        counts: "tens",
        goal: 300,
        about: "",
        lanes: Lanes::Many,
        open: |_| Err(String::new()),
    };

    /// Runs so many lanes. The cases that they did are added.
    fn run_tens(
        done: &Arc<Mutex<BTreeSet<u64>>>,
        lanes: usize,
        ledger: &mut Ledger,
        limits: &Limits,
    ) -> Result<(), String> {
        let mut lanes: Vec<Box<dyn Campaign>> =
            (0..lanes).map(|_| Box::new(Tens(done.clone())) as Box<dyn Campaign>).collect();
        run(&ENTRY, &mut lanes, ledger, 1, limits, "1234567")
    }

    #[test]
    fn a_run_goes_on_where_it_was_stopped_and_ends_at_the_goal() {
        let folder = tempfile::tempdir().unwrap();
        let done = Arc::default();
        for (cases, count, findings) in [(Some(3), 30, 0), (Some(5), 80, 1), (None, 300, 2), (None, 300, 2)] {
            let mut ledger = Ledger::open(folder.path()).unwrap();
            let limits = Limits { hours: None, cases, goal: ENTRY.goal };
            run_tens(&done, 1, &mut ledger, &limits).unwrap();
            assert_eq!((ledger.account().count, ledger.account().findings), (count, findings));
        }
        assert_eq!(*done.lock().unwrap(), (0..30).collect());
        let limits = Limits { hours: Some(0.0), cases: None, goal: u64::MAX };
        let mut ledger = Ledger::open(folder.path()).unwrap();
        run_tens(&done, 1, &mut ledger, &limits).unwrap();
        assert_eq!(done.lock().unwrap().len(), 30, "no time is no case");
    }

    #[test]
    fn two_lanes_do_each_case_once_and_count_all_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let done = Arc::default();
        for (cases, next) in [(Some(7), 7), (Some(1), 8), (Some(12), 20)] {
            let mut ledger = Ledger::open(folder.path()).unwrap();
            let limits = Limits { hours: None, cases, goal: u64::MAX };
            run_tens(&done, 2, &mut ledger, &limits).unwrap();
            assert_eq!((ledger.account().next, ledger.account().count), (next, 10 * next));
            assert_eq!(*done.lock().unwrap(), (0..next).collect());
        }
        // Who cannot go on ends the run, and what was done before it is counted.
        let mut ledger = Ledger::open(folder.path()).unwrap();
        let limits = Limits { hours: None, cases: None, goal: u64::MAX };
        assert_eq!(run_tens(&done, 2, &mut ledger, &limits), Err("too far".to_owned()));
        assert_eq!((ledger.account().next, ledger.account().count), (1_000, 10_000));
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
        run(&ENTRY, &mut [Box::new(Bad)], &mut ledger, 1, &limits, "1234567").unwrap();
        assert_eq!(ledger.account().findings, MOST_FINDINGS);
    }
}
