//! Runs on a disk that fails: each thing that a run asks of the system goes wrong, in each way.

use surefoot::files::NewFile;
use surefoot::files::faults::{try_all, without_fault};

use super::*;

/// As few units as have a database, problems and walks without one, on a map in a file.
const SMALL: &str = r#"
title = "tiny"
timed = false

[[maps]]
files = ["a.map"]
rule = "no-cut"
cost = "sqrt2"
problems = { count = 2, min-cost = 2, max-cost = 20 }

[[algorithms]]
specs = ["a*", "pra*(k=2)"]
"#;

const MAP: &str = "type octile\nheight 6\nwidth 6\nmap\n......\n.@@@..\n......\n..@@@.\n......\n......\n";

/// Writes files as the program does.
struct FileHost;

impl Host for FileHost {
    fn write(
        &mut self,
        path: &Path,
        fill: &mut dyn FnMut(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), String> {
        let mut write = || {
            let mut file = io::BufWriter::new(NewFile::create(path)?);
            fill(&mut file)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
        };
        write().map_err(|error: io::Error| format!("cannot write {}: {error}", path.display()))
    }

    fn tell(&mut self, _message: &str) {}

    fn progress(&mut self, _label: &str, _done: u64, _total: u64) {}
}

/// All files below a folder but those of locks, with what is in them.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else if entry.extension().is_none_or(|extension| extension != "lock") {
            found.push((entry.clone(), fs::read(&entry).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_run_that_fails_says_why_and_can_be_run_again() {
    let plan = Plan::parse("tiny", SMALL).unwrap();
    let whole = Folder::new("faults-whole");
    fs::write(whole.0.join("a.map"), MAP).unwrap();
    let expected = without_times(&run(&plan, &whole.setting(), &mut FileHost).unwrap());
    for from_the_middle in [false, true] {
        let folder = Folder::new("faults");
        let act = || {
            fs::remove_dir_all(&folder.0).unwrap();
            fs::create_dir_all(&folder.0).unwrap();
            fs::write(folder.0.join("a.map"), MAP).unwrap();
            if from_the_middle {
                let mut early = TestHost { units_left: 1, told: Vec::new() };
                let ended = outside(|| run(&plan, &folder.setting(), &mut early));
                assert!(ended.unwrap_err().to_string().contains("ended early"));
            }
            run(&plan, &folder.setting(), &mut FileHost)
        };
        let cases = try_all(act, |came, at, fault, operation| {
            let case = format!("{operation:?} {at} {fault}");
            match came {
                Ok(results) => assert_eq!(without_times(&results), expected, "{case}"),
                Err(error) => {
                    let message = error.to_string();
                    assert!(!fault.is_harmless(), "{case}: {message}");
                    assert!(message.contains(&folder.0.display().to_string()), "{case}: {message}");
                }
            }
            for (path, bytes) in files(&folder.0) {
                let name = path.display();
                assert!(path.extension().is_none_or(|extension| extension != "part"), "{case}: {name}");
                assert!(!bytes.is_empty(), "{case}: {name}");
            }
            // The disk is well again: what is finished is kept, and the rest is done.
            let again = without_fault(|| run(&plan, &folder.setting(), &mut FileHost)).unwrap();
            assert_eq!(without_times(&again), expected, "{case}");
        });
        println!("{cases} cases");
        assert!(cases > 100, "{cases}");
    }
}

/// Does something that is no part of the trial.
fn outside<T: Send>(act: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| scope.spawn(act).join().unwrap())
}
