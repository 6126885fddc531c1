//! Files that are too long.

use super::finding::Finding;

/// Lines that a file may have without a reason.
pub(crate) const MOST_LINES: usize = 500;

/// A file that may be longer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LongFile {
    pub(crate) file: &'static str,
    #[allow(dead_code, reason = "it is for who reads the table")]
    pub(crate) because: &'static str,
}

/// Checks how long the files are: their paths, and their texts.
pub(crate) fn check(files: &[(String, String)], excused: &[LongFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, text) in files {
        let lines = text.lines().count();
        let long = lines > MOST_LINES;
        match excused.iter().any(|excuse| excuse.file == file) {
            false if long => findings.push(Finding::new(
                file,
                MOST_LINES + 1,
                format!(
                    "{lines} lines: take the second idea out of it, or give a reason in {}",
                    super::RULES
                ),
            )),
            true if !long => {
                findings.push(Finding::in_rules(format!("{file} has {lines} lines: take its reason out")));
            }
            _ => {}
        }
    }
    for excuse in excused {
        if !files.iter().any(|(file, _)| file == excuse.file) {
            findings.push(Finding::in_rules(format!("there is no {}: take its reason out", excuse.file)));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXCUSE: LongFile = LongFile { file: "long.rs", because: "a test" };

    fn found(file: &str, lines: usize, excused: &[LongFile]) -> usize {
        check(&[(file.to_string(), "\n".repeat(lines))], excused).len()
    }

    #[test]
    fn long_files_need_a_reason_and_others_none() {
        assert_eq!(found("short.rs", 500, &[]), 0);
        assert_eq!(found("long.rs", 501, &[]), 1);
        assert_eq!(found("long.rs", 501, &[EXCUSE]), 0);
        assert_eq!(found("long.rs", 500, &[EXCUSE]), 1);
        assert_eq!(found("short.rs", 500, &[EXCUSE]), 1);
    }
}
