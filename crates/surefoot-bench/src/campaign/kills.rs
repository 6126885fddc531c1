//! `kills`: builds, lab runs and saves of the program, killed without a warning at random points. After each
//! kill no half-written file has its final name, and the same command again gives the bytes of a run that
//! nobody disturbed. What is counted are kills of a program that was at work.

mod jobs;
mod trees;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use surefoot_lab::random::Rng;

use self::jobs::{Job, inputs, jobs};
use self::trees::{Comparison, Tree, copy, is_in_the_making, same, tree};
use super::run::Watch;
use super::{Campaign, Case, Found, Setup};

/// After so many kills of one command a new case begins.
const MOST_IN_A_ROW: u32 = 4;

/// A job that nobody disturbed.
struct Whole {
    files: Tree,
    took: Duration,
    /// The day on which it was done: results of the lab have it in them.
    day: u64,
}

/// Who starts the program, and kills it.
struct Kills {
    program: PathBuf,
    folder: PathBuf,
    seed: u64,
    jobs: Vec<Job>,
    whole: Vec<Option<Whole>>,
}

/// Opens the campaign, and makes what the jobs read.
///
/// # Errors
/// If there is no program, or it fails though nobody kills it.
pub fn open(setup: &Setup) -> Result<Box<dyn Campaign>, String> {
    let program =
        setup.program.as_ref().ok_or("`kills` needs --program: `cargo xtask campaign kills` builds it")?;
    let program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
    let folder = setup.folder.join("work");
    let kills = Kills { program, folder, seed: setup.seed, jobs: jobs(), whole: Vec::new() }.begin()?;
    inputs(&kills.program, &kills.folder.join("inputs"))?;
    Ok(Box::new(kills))
}

fn today() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400)
}

impl Kills {
    /// Begins with an empty folder.
    fn begin(mut self) -> Result<Self, String> {
        let problem = |error: std::io::Error| format!("{}: {error}", self.folder.display());
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder).map_err(problem)?;
        }
        fs::create_dir_all(self.folder.join("inputs")).map_err(problem)?;
        self.folder = self.folder.canonicalize().map_err(problem)?;
        self.whole = self.jobs.iter().map(|_| None).collect();
        Ok(self)
    }

    fn command(&self, job: &Job, place: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&job.arguments).current_dir(place).stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null()).env_remove("SUREFOOT_BENCHMARKS");
        command
    }

    /// A place with nothing but what the job reads.
    fn fresh(&self, job: &Job, name: &str) -> Result<PathBuf, String> {
        let place = self.folder.join(name);
        if place.exists() {
            fs::remove_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
        }
        fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
        for input in &job.inputs {
            copy(&self.folder.join("inputs").join(input.from), &place.join(input.to))?;
        }
        Ok(place)
    }

    /// Runs a job to its end. What it said, if it failed.
    fn finish(&self, job: &Job, place: &Path) -> Result<Result<(), String>, String> {
        let output = self.command(job, place).stderr(Stdio::piped()).output();
        let output = output.map_err(|error| format!("{}: {error}", self.program.display()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        Ok(if output.status.success() {
            Ok(())
        } else {
            Err(format!("{}: {}", output.status, said.lines().last().unwrap_or_default()))
        })
    }

    /// What the job makes if nobody disturbs it, and how long that takes.
    fn whole(&mut self, number: usize) -> Result<&Whole, String> {
        let is_of_today = self.whole[number].as_ref().is_some_and(|whole| whole.day == today());
        if !is_of_today {
            let (job, day) = (&self.jobs[number], today());
            let place = self.fresh(job, "whole")?;
            let begin = Instant::now();
            self.finish(job, &place)?.map_err(|what| format!("{}: {what}", job.name))?;
            let took = begin.elapsed();
            self.whole[number] = Some(Whole { files: tree(&place)?, took, day });
        }
        self.whole[number].as_ref().ok_or_else(|| "there is no such job".to_owned())
    }

    /// Starts a job, and kills it after a while. Whether it was at work then.
    fn kill(&self, job: &Job, place: &Path, after: Duration) -> Result<bool, String> {
        let problem = |error: std::io::Error| format!("{}: {error}", self.program.display());
        let mut child = self.command(job, place).spawn().map_err(problem)?;
        thread::sleep(after);
        child.kill().map_err(problem)?;
        // Who was killed has no exit code.
        Ok(child.wait().map_err(problem)?.code().is_none())
    }
}

impl Campaign for Kills {
    fn case(&mut self, number: u64, watch: &Watch) -> Result<Case, String> {
        let mut random = Rng::new(self.seed, number);
        let at = (number % self.jobs.len() as u64) as usize;
        watch.say(self.jobs[at].name);
        let day = today();
        let took = self.whole(at)?.took;
        let (this, job) = (&*self, &self.jobs[at]);
        let Some(whole) = &this.whole[at] else { return Ok(Case::default()) };
        let place = this.fresh(job, "killed")?;
        let mut case = Case::default();
        for _ in 0..MOST_IN_A_ROW {
            if !this.kill(job, &place, draw_delay(&mut random, took))? {
                break;
            }
            case.count += 1;
            let mut wrong = check_killed(&whole.files, &tree(&place)?, job.comparison);
            let again = this.folder.join("again");
            if again.exists() {
                fs::remove_dir_all(&again).map_err(|error| format!("{}: {error}", again.display()))?;
            }
            copy(&place, &again)?;
            match this.finish(job, &again)? {
                Ok(()) => wrong.extend(check_done(&whole.files, &tree(&again)?, job.comparison)),
                Err(what) => wrong.push(format!("the same command again fails: {what}")),
            }
            let found = |what: String| Found {
                key: format!("{}: {}", job.name, what.replace(|letter: char| letter.is_ascii_digit(), "#")),
                text: format!("{}, killed: {what}", job.name),
            };
            case.findings.extend(wrong.into_iter().map(found));
            if random.chance(0.4) {
                break;
            }
        }
        // Dates of two days differ.
        Ok(if today() == day { case } else { Case::default() })
    }

    fn again(&self, seed: u64, number: u64) -> String {
        format!("cargo xtask campaign kills --seed {seed} --case {number} (when it is killed differs)")
    }
}

/// When to kill: anywhere; a third of the times near the end, where files get their names.
fn draw_delay(random: &mut Rng, took: Duration) -> Duration {
    let part = random.below(1_000_000) as f64 / 1e6;
    let part = if random.chance(0.33) { 0.75 + part * 0.25 } else { part };
    took.mul_f64(part)
}

/// What is not as it should be right after a kill: whatever has the name of a file that is to be made is
/// whole.
fn check_killed(whole: &Tree, found: &Tree, comparison: Comparison) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, bytes) in found {
        match whole.get(name) {
            Some(expected) if !same(name, expected, bytes, comparison) => {
                let lengths = (bytes.len(), expected.len());
                wrong.push(format!("{name} is not whole: {} bytes of {}", lengths.0, lengths.1));
            }
            None if !is_in_the_making(name) => wrong.push(format!("{name} is left behind")),
            _ => {}
        }
    }
    wrong
}

/// What is not as it should be after the same command has come to its end.
fn check_done(whole: &Tree, found: &Tree, comparison: Comparison) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, expected) in whole {
        match found.get(name) {
            None => wrong.push(format!("done again, there is no {name}")),
            Some(bytes) if !same(name, expected, bytes, comparison) => {
                wrong.push(format!("done again, {name} is another file"));
            }
            Some(_) => {}
        }
    }
    // A file that was just to get its name when the program was killed may be there under another one.
    let is_left = |name: &&String| !whole.contains_key(*name) && !trees::is_part(name);
    wrong.extend(found.keys().filter(is_left).map(|name| format!("done again, {name} is left behind")));
    wrong
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> Tree {
        list.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn halves_and_leftovers_are_seen() {
        let whole = files(&[("a.map", "map"), ("out/a.csv", "1,2\n3,4\n")]);
        let killed = |list: &[(&str, &str)]| check_killed(&whole, &files(list), Comparison::Bytes);
        assert_eq!(killed(&[("a.map", "map")]), [""; 0]);
        assert_eq!(killed(&[("out/a.csv", "1,2\n3,4\n"), ("a.csv.journal", "x")]), [""; 0]);
        assert_eq!(killed(&[(".out.1.0.part", "1")]), [""; 0]);
        assert_eq!(killed(&[("out/a.csv", "1,2\n")]), ["out/a.csv is not whole: 4 bytes of 8"]);
        assert_eq!(killed(&[("out/b.csv", "1")]), ["out/b.csv is left behind"]);
        let done = |list: &[(&str, &str)]| check_done(&whole, &files(list), Comparison::Bytes);
        let all = [("a.map", "map"), ("out/a.csv", "1,2\n3,4\n")];
        assert_eq!(done(&all), [""; 0]);
        assert_eq!(done(&all[..1]), ["done again, there is no out/a.csv"]);
        assert_eq!(done(&[all[0], ("out/a.csv", "1,2\n3,5\n")]), ["done again, out/a.csv is another file"]);
        assert_eq!(done(&[all[0], all[1], ("x.journal", "")]), ["done again, x.journal is left behind"]);
    }

    /// Kills a program of the shell until something is found, or for so many cases.
    fn kill_a_script(script: &str) -> (u64, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-c", script].map(str::to_owned).to_vec();
        let job = Job { name: "script", arguments, inputs: Vec::new(), comparison: Comparison::Bytes };
        let (program, seed) = (PathBuf::from("/bin/sh"), 1);
        let folder = folder.path().join("work");
        let kills = Kills { program, folder, seed, jobs: vec![job], whole: Vec::new() };
        let mut kills = kills.begin().unwrap();
        let (mut count, mut texts) = (0, Vec::new());
        for number in 0..30 {
            let case = kills.case(number, &Watch::default()).unwrap();
            count += case.count;
            texts.extend(case.findings.into_iter().map(|found| found.text));
            if !texts.is_empty() || count > 8 {
                break;
            }
        }
        (count, texts)
    }

    #[test]
    fn a_program_that_writes_in_place_is_found_out() {
        let (count, texts) = kill_a_script("for i in 1 2 3 4 5; do echo $i >> out; sleep 0.02; done");
        assert!(count > 0 && texts.iter().any(|text| text.contains("is not whole")), "{count} {texts:?}");
    }

    #[test]
    fn a_program_that_goes_on_wrongly_is_found_out() {
        let script = "if [ -e x.journal ]; then echo no > out.new; else touch x.journal; sleep 0.1; echo yes > out.new; fi; rm -f x.journal; mv out.new out";
        let (count, texts) = kill_a_script(script);
        assert!(count > 0 && texts.iter().any(|text| text.contains("is another file")), "{count} {texts:?}");
    }

    #[test]
    fn a_program_that_renames_is_fine() {
        let script = "for i in 1 2 3 4 5; do echo $i; sleep 0.01; done > .out.1.0.part; mv .out.1.0.part out";
        let (count, texts) = kill_a_script(script);
        assert!(count > 0 && texts.is_empty(), "{count} {texts:?}");
    }
}
