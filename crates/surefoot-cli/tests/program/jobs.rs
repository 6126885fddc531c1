//! The scripts for schedulers, with the schedulers played.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use saphyr::{LoadableYamlNode as _, Yaml};

use crate::lab::example;
use crate::shares::rows;
use crate::{Workplace, names_in};

/// Runs the tasks of an array one after the other, as the scheduler does: each in the folder from which it was
/// submitted, with its number in the environment. Then it plays a job that waits for them.
const SBATCH: &str = r#"#!/bin/sh
set -eu
echo "$*" >> asked
for option in "$@"; do
    case $option in
    --array=1-*) count=${option#--array=1-} ;;
    --dependency=afterok:17) ;;
    --parsable | --exclusive) ;;
    --wrap) shift $(($# - 1)); exec sh -c "$1" ;;
    -*) echo "no option $option" >&2; exit 1 ;;
    *) break ;;
    esac
    shift
done
for number in $(seq "$count"); do
    SLURM_ARRAY_TASK_ID=$number SLURM_ARRAY_TASK_COUNT=$count sh "$@" >&2
done
echo "17;cluster"
"#;

const HQ: &str = r#"#!/bin/sh
set -eu
echo "$*" >> asked
[ "$1" = submit ] && shift
for option in "$@"; do
    case $option in
    --array=1-*) count=${option#--array=1-} ;;
    --wait | --cpus=all) ;;
    -*) echo "no option $option" >&2; exit 1 ;;
    *) break ;;
    esac
    shift
done
for number in $(seq "$count"); do
    HQ_TASK_ID=$number "$@" >&2
done
"#;

fn jobs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("jobs")
}

/// A place with a small plan, its rows from one run, and these programs.
fn place(programs: &[(&str, &str)]) -> Workplace {
    let place = Workplace::empty();
    place.put("plan.toml", example().replace("timed = true", "timed = false"));
    place.succeed(&["lab", "run", "plan.toml", "--out", "whole"]);
    fs::create_dir(place.path("bin")).unwrap();
    for (name, text) in programs {
        place.put(&format!("bin/{name}"), text);
        fs::set_permissions(place.path(&format!("bin/{name}")), fs::Permissions::from_mode(0o755)).unwrap();
    }
    place
}

/// A shell in the place that finds its programs and ours first.
fn shell(place: &Workplace) -> Command {
    let ours = Path::new(env!("CARGO_BIN_EXE_surefoot")).parent().unwrap().to_path_buf();
    let old = env::var_os("PATH").unwrap();
    let path = env::join_paths([place.path("bin"), ours].into_iter().chain(env::split_paths(&old))).unwrap();
    let mut shell = Command::new("sh");
    shell.current_dir(place.path(".")).env("PATH", path);
    for variable in ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "HQ_TASK_ID", "JOB_COMPLETION_INDEX"] {
        shell.env_remove(variable);
    }
    shell
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs a script with three shares; the rows are those of one run.
fn run(place: &Workplace, script: &str) {
    succeed(shell(place).arg(jobs().join(script)).args(["plan.toml", "results", "3"]));
    assert_eq!(rows(place, "results"), rows(place, "whole"));
    for share in 1..=3 {
        assert!(place.path(&format!("results/run-{share}-of-3.lock")).exists());
    }
}

#[test]
fn every_job_is_tried() {
    assert_eq!(names_in(&jobs()), ["hyperqueue.sh", "kubernetes.yaml", "local.sh", "slurm.sh"]);
    let page =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reproduce/lab.md")).unwrap();
    for name in names_in(&jobs()) {
        assert!(page.contains(&format!("(../../crates/surefoot-cli/jobs/{name})")), "{name}");
    }
}

#[test]
fn slurm() {
    let place = place(&[("sbatch", SBATCH)]);
    run(&place, "slurm.sh");
    assert_eq!(place.text("asked").lines().count(), 2, "{}", place.text("asked"));
}

#[test]
fn hyperqueue() {
    let place = place(&[("hq", HQ)]);
    run(&place, "hyperqueue.sh");
    assert_eq!(place.text("asked").lines().count(), 1, "{}", place.text("asked"));
}

#[test]
fn xargs() {
    run(&place(&[]), "local.sh");
}

/// The command of a job's only container, with its environment.
fn of_job(place: &Workplace, job: &Yaml<'_>) -> Command {
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    let words: Vec<&str> = ["command", "args"]
        .iter()
        .flat_map(|key| container[*key].as_vec().unwrap())
        .map(|word| word.as_str().unwrap())
        .collect();
    assert_eq!(words[0], "sh");
    let mut command = shell(place);
    command.args(&words[1..]);
    if let Some(variables) = container.as_mapping_get("env") {
        for variable in variables.as_vec().unwrap() {
            command.env(variable["name"].as_str().unwrap(), variable["value"].as_str().unwrap());
        }
    }
    command
}

#[test]
fn kubernetes() {
    let place = place(&[]);
    let text = fs::read_to_string(jobs().join("kubernetes.yaml")).unwrap();
    let documents = Yaml::load_from_str(&text).unwrap();
    let [units, merge] = &documents[..] else { panic!("{} documents", documents.len()) };
    for job in [units, merge] {
        assert_eq!((job["apiVersion"].as_str(), job["kind"].as_str()), (Some("batch/v1"), Some("Job")));
    }
    let spec = &units["spec"];
    assert_eq!(spec["completionMode"].as_str(), Some("Indexed"));
    let shares = spec["completions"].as_integer().unwrap();
    let variable = &spec["template"]["spec"]["containers"][0]["env"][0];
    assert_eq!(variable["value"].as_str(), Some(&*shares.to_string()));
    for index in 0..shares {
        succeed(of_job(&place, units).env("JOB_COMPLETION_INDEX", index.to_string()));
    }
    assert!(place.path(&format!("results/run-{shares}-of-{shares}.lock")).exists());
    assert_eq!(merge["spec"]["suspend"].as_bool(), Some(true));
    succeed(&mut of_job(&place, merge));
    assert_eq!(rows(&place, "results"), rows(&place, "whole"));
}
