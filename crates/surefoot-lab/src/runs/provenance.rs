//! What results were made by: figures of two programs or two machines are not to be mixed without a word.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The program and the machine that results come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The version of the program.
    pub version: String,
    /// The revision of its source, with a mark if there were changes on top of it. `None` if it is not
    /// known.
    pub revision: Option<String>,
    /// The compiler.
    pub compiler: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// The name of the machine, or of the worker on it, that took the timings. `None` if nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The day, as in 2026-08-01. Results of two days are results of one program and machine all the same.
    pub date: String,
}

/// A machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's model, as far as the system tells.
    pub processor: String,
    /// How many threads it runs at once.
    pub cores: u32,
    /// The operating system and the architecture.
    pub system: String,
}

impl Machine {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        Self { processor: processor().unwrap_or_else(|| "unknown".to_owned()), cores, system }
    }
}

/// The processor's model where the system has it in a file.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} cores, {}", self.processor, self.cores, self.system)
    }
}

impl Provenance {
    /// This machine, today, and the program that says so of itself.
    #[must_use]
    pub fn here(revision: Option<&str>, compiler: Option<&str>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            revision: revision.map(str::to_owned),
            compiler: compiler.map(str::to_owned),
            machine: Machine::here(),
            worker: None,
            date: today(),
        }
    }

    /// The same, done by a worker of this name.
    #[must_use]
    pub fn on(self, worker: Option<&str>) -> Self {
        Self { worker: worker.map(str::to_owned), ..self }
    }

    /// Whether both are one program: same version, revision and compiler.
    #[must_use]
    pub fn is_same_program(&self, other: &Self) -> bool {
        let program = |own: &Self| (own.version.clone(), own.revision.clone(), own.compiler.clone());
        program(self) == program(other)
    }

    /// Whether both are one program on one machine.
    #[must_use]
    pub fn is_same_machine(&self, other: &Self) -> bool {
        self.is_same_program(other) && self.machine == other.machine
    }

    /// Whether both are one program on one machine, with one worker.
    #[must_use]
    pub fn is_same_source(&self, other: &Self) -> bool {
        self.is_same_machine(other) && self.worker == other.worker
    }

    /// Whether results of both may stand in one table. Walks come out the same on every machine, so it takes
    /// one program; times (`timed`) also take one machine and one worker.
    #[must_use]
    pub fn may_stand_beside(&self, other: &Self, timed: bool) -> bool {
        if timed { self.is_same_source(other) } else { self.is_same_program(other) }
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {}", self.version)?;
        if let Some(revision) = &self.revision {
            write!(f, " ({revision})")?;
        }
        if let Some(compiler) = &self.compiler {
            write!(f, ", {compiler}")?;
        }
        write!(f, ", on {}", self.machine)?;
        self.worker.iter().try_for_each(|worker| write!(f, ", worker {worker}"))
    }
}

/// The day, by the clock of the machine in universal time.
fn today() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    date_of_day(since.as_secs() / 86_400)
}

/// The date of a day, counted from the first of January 1970.
fn date_of_day(day: u64) -> String {
    // Years begin in March here, so that the odd day comes last; the first of March of the year 0 is day 0.
    let day = day + 719_468;
    let (era, day_of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (day, date) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (20_665, "2026-07-31"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date_of_day(day), date);
        }
    }

    #[test]
    fn the_day_makes_no_other_source() {
        let here = Provenance::here(Some("abc"), None);
        assert!(here.is_same_source(&Provenance { date: "1970-01-01".to_owned(), ..here.clone() }));
        assert!(!here.is_same_source(&here.clone().on(Some("w"))));
        for other in [
            Provenance { version: "0.0.1".to_owned(), ..here.clone() },
            Provenance { revision: None, ..here.clone() },
            Provenance { machine: Machine { cores: 1000, ..Machine::here() }, ..here.clone() },
        ] {
            assert!(!here.is_same_source(&other));
        }
        assert!(here.to_string().contains("(abc), on "), "{here}");
        assert!(here.on(Some("w")).to_string().ends_with(", worker w"));
    }

    #[test]
    fn only_times_depend_on_the_machine() {
        let here = Provenance::here(Some("abc"), Some("rustc"));
        let machine = Machine { cores: 1000, ..Machine::here() };
        for (other, untimed, timed) in [
            (here.clone(), true, true),
            (here.clone().on(Some("w")), true, false),
            (Provenance { machine, ..here.clone() }, true, false),
            (Provenance { version: "9".to_owned(), ..here.clone() }, false, false),
            (Provenance { revision: None, ..here.clone() }, false, false),
            (Provenance { compiler: None, ..here.clone() }, false, false),
        ] {
            assert_eq!(here.may_stand_beside(&other, false), untimed, "{other}");
            assert_eq!(here.may_stand_beside(&other, true), timed, "{other}");
        }
    }

    #[test]
    fn a_worker_is_written_only_if_there_is_one() {
        let here = Provenance::here(None, None);
        assert!(!serde_json::to_string(&here).unwrap().contains("worker"));
        for own in [here.clone(), here.on(Some("w"))] {
            let text = serde_json::to_string(&own).unwrap();
            assert_eq!(serde_json::from_str::<Provenance>(&text).unwrap(), own);
        }
    }
}
