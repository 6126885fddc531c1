//! Where a campaign stands: what was done, and what was found. It is kept in a folder from one run to the
//! next.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::Found;

const ACCOUNT: &str = "account.txt";
const FINDINGS: &str = "findings.txt";
const LOCK: &str = "lock";

/// How far a campaign is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// The number of the next case.
    pub next: u64,
    /// How much was counted.
    pub count: u64,
    /// How long that took, by the clock.
    pub seconds: f64,
    /// How many different findings there are.
    pub findings: u64,
    /// The revision that it began with; empty before it began.
    pub first_revision: String,
    /// The revision of the last case.
    pub last_revision: String,
}

impl Account {
    fn text(&self) -> String {
        let Self { next, count, seconds, findings, first_revision, last_revision } = self;
        format!(
            "next {next}\ncount {count}\nseconds {seconds}\nfindings {findings}\nfirst {first_revision}\nlast {last_revision}\n"
        )
    }

    fn parse(text: &str) -> Result<Self, String> {
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
            line.ok_or_else(|| format!("there is no line {name:?}"))
        };
        let number = |name: &str| {
            value(name)?.parse::<u64>().map_err(|_| format!("{name} is {:?}: expected a number", value(name)))
        };
        let seconds = value("seconds")?.parse().ok().filter(|seconds: &f64| *seconds >= 0.0);
        Ok(Self {
            next: number("next")?,
            count: number("count")?,
            seconds: seconds.ok_or("seconds are no number")?,
            findings: number("findings")?,
            first_revision: value("first")?.to_owned(),
            last_revision: value("last")?.to_owned(),
        })
    }
}

/// An account in a folder. Nobody else uses the folder meanwhile.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    account: Account,
    keys: BTreeSet<String>,
    lock: File,
}

impl Ledger {
    /// Opens the account in a folder, which is made if need be.
    ///
    /// # Errors
    /// If it cannot be read, or another run is at work on it.
    pub fn open(folder: &Path) -> Result<Self, String> {
        let problem = |error: io::Error| format!("{}: {error}", folder.display());
        fs::create_dir_all(folder).map_err(problem)?;
        let lock = File::create(folder.join(LOCK)).map_err(problem)?;
        if lock.try_lock().is_err() {
            return Err(format!("another run of this campaign is at work in {}", folder.display()));
        }
        let account = match read(&folder.join(ACCOUNT))? {
            None => Account::default(),
            Some(text) => Account::parse(&text).map_err(|what| {
                format!("{}: {what}; remove the folder to begin anew", folder.join(ACCOUNT).display())
            })?,
        };
        let known = read(&folder.join(FINDINGS))?.unwrap_or_default();
        let keys: BTreeSet<String> =
            known.lines().filter_map(|line| line.split('\t').next()).map(str::to_owned).collect();
        let ledger = Self { folder: folder.to_path_buf(), account, keys, lock };
        Ok(ledger)
    }

    /// How far it is.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Writes a finding down, unless it is known. Whether it was new.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn find(&mut self, found: &Found, again: &str) -> Result<bool, String> {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let key = plain(&found.key);
        if !self.keys.insert(key.clone()) {
            return Ok(false);
        }
        let path = self.folder.join(FINDINGS);
        let mut all = read(&path)?.unwrap_or_default();
        all.push_str(&format!("{key}\t{}\t{again}\n", plain(&found.text)));
        write(&path, &all)?;
        self.account.findings = self.keys.len() as u64;
        Ok(true)
    }

    /// Counts a case that was done.
    pub fn add(&mut self, count: u64, seconds: f64, revision: &str) {
        let account = &mut self.account;
        account.next += 1;
        account.count += count;
        account.seconds += seconds;
        if account.first_revision.is_empty() {
            revision.clone_into(&mut account.first_revision);
        }
        revision.clone_into(&mut account.last_revision);
    }

    /// Writes the account down.
    ///
    /// # Errors
    /// If that is not possible.
    pub fn keep(&self) -> Result<(), String> {
        write(&self.folder.join(ACCOUNT), self.account.text())
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        // Not by closing the file: a program that is just being started may have it open, too.
        let _ = self.lock.unlock();
    }
}

fn read(path: &Path) -> Result<Option<String>, String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

/// Writes a file whole: who is stopped meanwhile leaves the one that was there.
pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    let problem = |error: io::Error| format!("{}: {error}", path.display());
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    fs::write(&name, text).map_err(problem)?;
    fs::rename(&name, path).map_err(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let mut ledger = Ledger::open(folder.path()).unwrap();
        assert_eq!(*ledger.account(), Account::default());
        ledger.add(7, 0.1 + 0.2, "aaaaaaa");
        ledger.add(5, 1.0, "bbbbbbb+");
        let found = Found { key: "a\tb".into(), text: "one\ntwo".into() };
        assert!(ledger.find(&found, "again 1").unwrap());
        assert!(!ledger.find(&found, "again 2").unwrap());
        ledger.keep().unwrap();
        let account = ledger.account().clone();
        assert_eq!((account.next, account.count, account.findings), (2, 12, 1));
        assert!(Ledger::open(folder.path()).unwrap_err().contains("another run"));
        drop(ledger);
        let mut again = Ledger::open(folder.path()).unwrap();
        assert_eq!(*again.account(), account);
        assert!(!again.find(&found, "again 3").unwrap(), "known from the file");
        let text = fs::read_to_string(folder.path().join(FINDINGS)).unwrap();
        assert_eq!(text, "a b\tone two\tagain 1\n");
    }

    #[test]
    fn an_account_that_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for wrong in ["", "next 1\n", "next x\ncount 1\nseconds 1\nfindings 0\nfirst a\nlast a\n"] {
            fs::write(folder.path().join(ACCOUNT), wrong).unwrap();
            assert!(Ledger::open(folder.path()).unwrap_err().contains("remove the folder"), "{wrong:?}");
        }
    }
}
