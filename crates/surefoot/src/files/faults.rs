//! Faults of the file system, on purpose: the nth thing that is asked of it goes wrong. For tests only; no
//! game has the feature `faults`.

use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::str::FromStr;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use super::Operation;

/// How something goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not allowed.
    Refused,
    /// The disk is full: half of what is to be written still fits, and nothing from then on.
    Full,
    /// The disk is broken at this place.
    Broken,
    /// A signal came in between. It is to be tried again.
    Interrupted,
    /// Fewer bytes are read or written than were asked for. The rest is to follow.
    Short,
    /// The file ends here, though it was longer.
    Ends,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Refused, Self::Full, Self::Broken, Self::Interrupted, Self::Short, Self::Ends];

    /// Whether whoever goes on as he should does not notice it.
    #[must_use]
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Interrupted | Self::Short)
    }

    fn can_befall(self, operation: Operation) -> bool {
        use Operation::{Create, Cut, MakeFolder, Open, Read, Remove, Rename, Sync, Write};
        match self {
            Self::Refused => matches!(operation, Open | Create | Rename | Remove | MakeFolder | Cut),
            Self::Full => matches!(operation, Create | Write | Sync | Rename | MakeFolder),
            Self::Broken => matches!(operation, Open | Read | Write | Sync | Rename | Cut),
            Self::Interrupted | Self::Short => matches!(operation, Read | Write),
            Self::Ends => operation == Read,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused => "refused",
            Self::Full => "full",
            Self::Broken => "broken",
            Self::Interrupted => "interrupted",
            Self::Short => "short",
            Self::Ends => "ends",
        })
    }
}

/// What happens, and what has happened so far.
#[derive(Clone, Copy, Debug)]
struct Plan {
    /// Which operation is struck, from 1.
    at: u64,
    fault: Fault,
    /// How many there were.
    operations: u64,
    struck: Option<Operation>,
}

impl Plan {
    fn new(at: u64, fault: Fault) -> Self {
        Self { at, fault, operations: 0, struck: None }
    }

    fn allow(&mut self, operation: Operation, bytes: usize) -> io::Result<usize> {
        self.operations += 1;
        // A full disk stays full.
        let stays = self.fault == Fault::Full && self.struck.is_some();
        if !(self.operations == self.at || stays) || !self.fault.can_befall(operation) {
            return Ok(bytes);
        }
        let is_first = self.struck.is_none();
        self.struck.get_or_insert(operation);
        match self.fault {
            Fault::Refused => Err(io::ErrorKind::PermissionDenied.into()),
            // The half that fits.
            Fault::Full if is_first && operation == Operation::Write && bytes > 1 => Ok(bytes / 2),
            Fault::Full => Err(io::ErrorKind::StorageFull.into()),
            Fault::Broken => Err(io::Error::other("input/output error")),
            Fault::Interrupted => Err(io::ErrorKind::Interrupted.into()),
            Fault::Short => Ok(bytes.min(bytes / 2 + 1)),
            Fault::Ends => Ok(0),
        }
    }
}

std::thread_local! {
    /// Of this thread: tests do not disturb each other.
    static OF_THREAD: RefCell<Option<Plan>> = const { RefCell::new(None) };
}
std::thread_local! {
    /// Everything that was asked for, where that is wanted.
    static RECORDED: RefCell<Option<Vec<Operation>>> = const { RefCell::new(None) };
}
/// Of the whole program.
static OF_PROGRAM: Mutex<Option<Plan>> = Mutex::new(None);

pub(super) fn allow(operation: Operation, path: Option<&Path>, bytes: usize) -> io::Result<usize> {
    let of_thread = OF_THREAD.with_borrow_mut(|plan| plan.as_mut().map(|plan| plan.allow(operation, bytes)));
    if let Some(answer) = of_thread {
        RECORDED.with_borrow_mut(|recorded| {
            if let Some(recorded) = recorded {
                recorded.push(operation);
            }
        });
        return answer;
    }
    let Ok(mut of_program) = OF_PROGRAM.lock() else { return Ok(bytes) };
    let Some(plan) = of_program.as_mut() else { return Ok(bytes) };
    let before = plan.struck;
    let answer = plan.allow(operation, bytes);
    if plan.operations == plan.at {
        // For the test that started the program.
        let what = if before == plan.struck { "spared" } else { "struck" };
        let path = path.map_or_else(Default::default, Path::to_string_lossy);
        std::eprintln!("{MARK} {what} {operation:?} {path}");
    }
    answer
}

/// Waits for the disk, unless there is a plan: tests write thousands of files, and no power fails.
pub(super) fn sync(file: &File) -> io::Result<()> {
    let is_planned =
        OF_THREAD.with_borrow(Option::is_some) || OF_PROGRAM.lock().is_ok_and(|plan| plan.is_some());
    if is_planned { Ok(()) } else { file.sync_all() }
}

/// What the line begins with that a program prints when its operation has come.
pub const MARK: &str = "fault:";

/// The variable that says which operation of the program goes wrong, and how: `7 full`.
pub const VARIABLE: &str = "SUREFOOT_FAULT";

/// What came of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Struck {
    /// How many things were asked of the system.
    pub operations: u64,
    /// What went wrong; `None` if there were fewer, or the fault cannot befall that one.
    pub operation: Option<Operation>,
}

/// Does something while operation number `at` of this thread, from 1, goes wrong.
pub fn with_fault<T>(at: u64, fault: Fault, act: impl FnOnce() -> T) -> (T, Struck) {
    OF_THREAD.with_borrow_mut(|plan| *plan = Some(Plan::new(at, fault)));
    let came = act();
    let plan = OF_THREAD.with_borrow_mut(Option::take).unwrap_or(Plan::new(at, fault));
    (came, Struck { operations: plan.operations, operation: plan.struck })
}

/// Does something while nothing goes wrong, and nobody waits for the disk.
pub fn without_fault<T>(act: impl FnOnce() -> T) -> T {
    with_fault(0, Fault::Short, act).0
}

/// What [`VARIABLE`] says for that.
pub const NO_FAULT: &str = "0 short";

/// Tries everything: each operation of `act` goes wrong in each way that can befall it, one a time. What came
/// of it goes to `check`. How many times that was.
pub fn try_all<T>(mut act: impl FnMut() -> T, mut check: impl FnMut(T, u64, Fault, Operation)) -> u64 {
    // What is asked of the system while nothing goes wrong.
    OF_THREAD.with_borrow_mut(|plan| *plan = Some(Plan::new(0, Fault::Short)));
    RECORDED.with_borrow_mut(|recorded| *recorded = Some(Vec::new()));
    drop(act());
    let recorded = RECORDED.take().unwrap_or_default();
    OF_THREAD.set(None);
    let mut cases = 0;
    for fault in Fault::ALL {
        for (at, &operation) in (1..).zip(&recorded).filter(|(_, operation)| fault.can_befall(**operation)) {
            let (came, struck) = with_fault(at, fault, &mut act);
            assert_eq!(struck.operation, Some(operation), "operation {at} is another one this time");
            cases += 1;
            check(came, at, fault, operation);
        }
    }
    cases
}

/// Does what the [variable](VARIABLE) says to the whole program, if it is set.
///
/// # Errors
/// If it says something else.
pub fn from_environment() -> Result<(), &'static str> {
    let Ok(text) = std::env::var(VARIABLE) else { return Ok(()) };
    let (at, fault) = text.split_once(' ').ok_or("expected a number and a fault")?;
    let at = at.parse().map_err(|_| "expected a number")?;
    let fault = Fault::from_str(fault)?;
    if let Ok(mut plan) = OF_PROGRAM.lock() {
        *plan = Some(Plan::new(at, fault));
    }
    Ok(())
}

impl FromStr for Fault {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = |fault: &Self| std::string::ToString::to_string(fault) == text;
        Self::ALL.into_iter().find(named).ok_or("expected refused, full, broken, interrupted, short or ends")
    }
}
