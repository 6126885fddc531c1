//! `fuzz`: the fuzz targets by turns, a while each. What is counted are executions: inputs that a target was
//! called with. What each has found worth keeping is kept, so that the next turn goes on from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use surefoot_lab::random::Rng;

use super::run::Watch;
use super::{Campaign, Case, Found, Setup};

/// How long a turn is, in seconds.
const TURN: u32 = 30;
/// An input that takes longer, in seconds, is a finding.
const MOST_SECONDS: u32 = 10;
/// So is one that takes more memory, in megabytes.
const MOST_MEGABYTES: u32 = 2_048;
/// No input is longer: many short ones find more.
const MOST_BYTES: u32 = 4_096;

/// All targets.
struct Fuzz {
    /// Of each its name and the program.
    targets: Vec<(String, PathBuf)>,
    folder: PathBuf,
    /// What inputs are drawn from beside those that this lane found: of other runs, and of the repository.
    others: [PathBuf; 2],
    seed: u64,
    turn: u32,
}

/// Opens the campaign.
///
/// # Errors
/// If the targets were not built.
pub fn open(setup: &Setup) -> Result<Box<dyn Campaign>, String> {
    let programs = setup.fuzz.as_ref().ok_or("`fuzz` needs --fuzz: `cargo xtask campaign fuzz` builds it")?;
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let targets = targets(&sources.join("fuzz_targets"), programs)?;
    let others = [setup.kept.join("corpus"), sources.join("seeds")];
    Ok(Box::new(Fuzz { targets, folder: setup.folder.clone(), others, seed: setup.seed, turn: TURN }))
}

/// All that have a source, by name, and their programs.
fn targets(sources: &Path, programs: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let entries = fs::read_dir(sources).map_err(|error| format!("{}: {error}", sources.display()))?;
    let name = |path: PathBuf| Some(path.file_name()?.to_str()?.strip_suffix(".rs")?.to_owned());
    let mut names: Vec<String> = entries.filter_map(|entry| name(entry.ok()?.path())).collect();
    names.sort();
    let program = |name: String| {
        let program = programs.join(&name);
        let found = program.canonicalize();
        let found = found.map_err(|error| format!("{}: {error}", program.display()))?;
        Ok((name, found))
    };
    names.into_iter().map(program).collect()
}

impl Fuzz {
    fn command(&self, number: u64) -> Result<(Command, &str), String> {
        let (name, program) = &self.targets[(number % self.targets.len() as u64) as usize];
        let make = |path: PathBuf| {
            fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display())).map(|()| path)
        };
        let own = make(self.folder.join("corpus").join(name))?;
        let found = make(self.folder.join("found"))?;
        let mut command = Command::new(program);
        command.arg(&own);
        for other in &self.others {
            let other = other.join(name);
            if other != own && other.exists() {
                command.arg(other);
            }
        }
        let seed = 1 + Rng::new(self.seed, number).below(u64::from(u32::MAX));
        command.args([
            format!("-max_total_time={}", self.turn),
            format!("-timeout={MOST_SECONDS}"),
            format!("-rss_limit_mb={MOST_MEGABYTES}"),
            format!("-max_len={MOST_BYTES}"),
            format!("-seed={seed}"),
            format!("-artifact_prefix={}/{name}-", found.display()),
            "-print_final_stats=1".to_owned(),
        ]);
        // Crowds in a target are not to take the other lane's core.
        command.env("RAYON_NUM_THREADS", "1").stdin(Stdio::null()).stdout(Stdio::null());
        Ok((command, name))
    }
}

impl Campaign for Fuzz {
    fn case(&mut self, number: u64, watch: &Watch) -> Result<Case, String> {
        let (mut command, name) = self.command(number)?;
        watch.say(name);
        let output = command.output().map_err(|error| format!("{name}: {error}"))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let count = executions(&said);
        if output.status.success() {
            let count = count.ok_or_else(|| format!("{name} does not say what it did: {}", last(&said)))?;
            return Ok(Case { count, findings: Vec::new() });
        }
        let what = said.lines().find(|line| line.contains("panicked at") || line.contains("ERROR:"));
        let what = what.unwrap_or_else(|| last(&said)).trim();
        let place = what.split_once("panicked at ").map_or(what, |(_, place)| place);
        let file =
            said.lines().find_map(|line| line.split_once("Test unit written to ").map(|(_, file)| file));
        let again = file.map_or_else(String::new, |file| format!("; cargo +nightly fuzz run {name} {file}"));
        let found = Found {
            key: format!("{name}: {}", without_process(place)),
            text: format!("{name}: {what}{again}"),
        };
        Ok(Case { count: count.unwrap_or(0), findings: vec![found] })
    }

    fn again(&self, seed: u64, number: u64) -> String {
        format!("cargo xtask campaign fuzz --seed {seed} --case {number} (from what is kept by then)")
    }
}

fn last(said: &str) -> &str {
    said.lines().last().unwrap_or("nothing")
}

/// How many inputs there were, if it was said.
fn executions(said: &str) -> Option<u64> {
    let line = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

/// What was seen without the number of the process, which is another one each time.
fn without_process(what: &str) -> String {
    what.trim_start_matches(|letter: char| letter == '=' || letter.is_ascii_digit()).trim().to_owned()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A campaign of targets that are scripts.
    fn campaign(folder: &Path, scripts: &[(&str, &str)]) -> Fuzz {
        let (sources, programs) = (folder.join("sources"), folder.join("programs"));
        fs::create_dir_all(&sources).unwrap();
        fs::create_dir_all(&programs).unwrap();
        for (name, script) in scripts {
            fs::write(sources.join(format!("{name}.rs")), "").unwrap();
            let program = programs.join(name);
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let targets = targets(&sources, &programs).unwrap();
        let others = [folder.join("kept"), folder.join("seeds")];
        Fuzz { targets, folder: folder.join("own"), others, seed: 1, turn: 1 }
    }

    #[test]
    fn executions_are_counted_and_crashes_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let fine = "echo 'stat::number_of_executed_units: 70' >&2; touch \"$1/kept\"";
        let bad = "echo \"thread 'x' (12) panicked at src/a.rs:5:\nTest unit written to /f/crash-1\nstat::number_of_executed_units: 8\" >&2; exit 77";
        let quiet = "true";
        let mut campaign = campaign(folder.path(), &[("a", fine), ("b", bad), ("c", quiet)]);
        let watch = Watch::default();
        for number in [0, 3] {
            assert_eq!(campaign.case(number, &watch), Ok(Case { count: 70, findings: Vec::new() }));
        }
        assert!(folder.path().join("own/corpus/a/kept").exists());
        let case = campaign.case(1, &watch).unwrap();
        assert_eq!((case.count, case.findings.len()), (8, 1));
        assert_eq!(case.findings[0].key, "b: src/a.rs:5:");
        assert!(case.findings[0].text.contains("cargo +nightly fuzz run b /f/crash-1"), "{case:?}");
        assert!(campaign.case(2, &watch).unwrap_err().contains("c does not say"));
    }

    #[test]
    fn a_target_that_was_not_built_is_told() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.rs"), "").unwrap();
        assert!(targets(folder.path(), folder.path()).unwrap_err().contains("/a: "));
    }
}
