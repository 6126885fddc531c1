//! The published benchmark problems, solved and compared with their published costs.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use surefoot::formats::{FileError, read_map};
use surefoot::search::{AStar, JumpPoints};
use surefoot::space::{CostModel, GridSpace, MoveRule, TerrainSet};

use crate::problem_files::{Length, maps_with_problems, read_scen};

/// The folders that are known, with the rule and the costs that their published lengths were made with.
const FOLDERS: &[(&str, MoveRule, CostModel)] = &[
    ("knn2009", MoveRule::Squeeze, CostModel::Diagonal14),
    ("bg512", MoveRule::NoCut, CostModel::Sqrt2),
    ("sc1", MoveRule::NoCut, CostModel::Sqrt2),
    ("dao", MoveRule::NoCut, CostModel::Sqrt2),
];

/// One problem in so many is solved with A* as well.
const A_STAR_EVERY: usize = 16;

/// How the costs of a folder's problems compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderReport {
    /// The folder's name.
    pub folder: String,
    /// The move rule.
    pub rule: MoveRule,
    /// The cost model.
    pub costs: CostModel,
    /// Maps with problems.
    pub maps: usize,
    /// Problems solved.
    pub problems: usize,
    /// Problems whose cost agrees with the file's: exactly if it prints tenths, else to its rounding.
    pub agreed: usize,
    /// Those among them whose last printed digit is off by one: the files' lengths were added up in single
    /// precision, and where the digits behind are close to a half, that rounds the other way.
    pub last_digit_off: usize,
    /// The first one that does not.
    pub first_mismatch: Option<String>,
}

/// Benchmarks that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConformanceError {
    /// A map or problem file.
    #[error(transparent)]
    File(#[from] FileError),
    /// A folder.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// None of the known folders is there.
    #[error("{} has none of the folders {}", path.display(), FOLDERS.iter().map(|f| f.0).collect::<Vec<_>>().join(", "))]
    NothingThere {
        /// The folder that should have them.
        path: PathBuf,
    },
}

/// Solves every `every`-th problem of each known folder below `root`, on all cores. `progress` hears the
/// folder's name and how many of its maps are done and there are.
///
/// # Errors
/// If a file cannot be read, or none of the known folders is there.
pub fn check_benchmarks(
    root: &Path,
    every: usize,
    progress: &mut dyn FnMut(&str, u64, u64),
) -> Result<Vec<FolderReport>, ConformanceError> {
    let mut reports = Vec::new();
    for &(folder, rule, costs) in FOLDERS {
        let path = root.join(folder);
        if !path.is_dir() {
            continue;
        }
        let failed = |source| ConformanceError::Folder { path: path.clone(), source };
        let maps = maps_with_problems(&path).map_err(failed)?;
        let mut report = FolderReport {
            folder: folder.to_owned(),
            rule,
            costs,
            maps: maps.len(),
            problems: 0,
            agreed: 0,
            last_digit_off: 0,
            first_mismatch: None,
        };
        for (batch, done) in maps.chunks(8).zip((0..).step_by(8)) {
            progress(folder, done, maps.len() as u64);
            let checks: Vec<_> =
                batch.par_iter().map(|(map, scen)| check_map(map, scen, rule, costs, every)).collect();
            for check in checks {
                let check = check?;
                report.problems += check.problems;
                report.agreed += check.agreed;
                report.last_digit_off += check.last_digit_off;
                report.first_mismatch = report.first_mismatch.or(check.first_mismatch);
            }
        }
        progress(folder, maps.len() as u64, maps.len() as u64);
        reports.push(report);
    }
    if reports.is_empty() {
        return Err(ConformanceError::NothingThere { path: root.to_owned() });
    }
    Ok(reports)
}

struct MapCheck {
    problems: usize,
    agreed: usize,
    last_digit_off: usize,
    first_mismatch: Option<String>,
}

fn check_map(
    path: &Path,
    scen: &Path,
    rule: MoveRule,
    costs: CostModel,
    every: usize,
) -> Result<MapCheck, FileError> {
    let space = GridSpace::new(read_map(path)?.grid(TerrainSet::GROUND), rule, costs);
    let units = space.units();
    let scenario = read_scen(scen)?;
    let (mut jump_points, mut a_star) = (JumpPoints::new(), AStar::new());
    let mut check = MapCheck { problems: 0, agreed: 0, last_digit_off: 0, first_mismatch: None };
    for (index, problem) in scenario.problems.iter().step_by(every.max(1)).enumerate() {
        let mut found = Vec::new();
        let ends = space.locate_ends(problem.start, problem.goal);
        let outcome = ends.and_then(|(start, goal)| {
            found.push(jump_points.find(&space, start, goal)?.cost());
            if index.is_multiple_of(A_STAR_EVERY) {
                found.push(a_star.find(&space, &space.octile(), start, goal)?.cost());
            }
            Ok(())
        });
        let compared = found.iter().map(|cost| match cost {
            Some(cost) if !problem.is_unreachable() => compare(problem.length, costs, units.to_f64(*cost)),
            None if problem.is_unreachable() => Agreement::Full,
            _ => Agreement::None,
        });
        let agreement =
            if outcome.is_ok() { compared.min().unwrap_or(Agreement::None) } else { Agreement::None };
        check.problems += 1;
        if agreement > Agreement::None {
            check.agreed += 1;
            check.last_digit_off += usize::from(agreement == Agreement::LastDigitOff);
        } else {
            check.first_mismatch.get_or_insert_with(|| {
                let ours = match outcome {
                    Err(error) => error.to_string(),
                    Ok(()) => format!(
                        "ours is {:?}",
                        found.iter().map(|c| c.map(|c| units.to_f64(c))).collect::<Vec<_>>()
                    ),
                };
                format!(
                    "{}: from {} to {}: the file has {}, {ours}",
                    path.display(),
                    problem.start,
                    problem.goal,
                    problem.length
                )
            });
        }
    }
    Ok(check)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    None,
    LastDigitOff,
    Full,
}

/// Costs in tenths are printed exactly, so they must be equal. Those with roots are rounded; single precision
/// has an error of about 10⁻⁷ per addition, far below the last digit that is printed, so that digit can be
/// off by one only where the true value is next to the middle between two.
fn compare(length: Length, costs: CostModel, cost: f64) -> Agreement {
    let unit = 10_f64.powi(-length.decimals());
    let full = match costs {
        CostModel::Diagonal14 => length.value() == cost,
        _ => length.agrees_with(cost),
    };
    if full {
        Agreement::Full
    } else if costs == CostModel::Sqrt2 && (length.value() - cost).abs() < 0.55 * unit {
        Agreement::LastDigitOff
    } else {
        Agreement::None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, length: &str) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join("a.map"), "type octile\nheight 2\nwidth 3\nmap\n...\n...\n").unwrap();
        std::fs::write(
            folder.join("a.map.scen"),
            format!("version 1\n0\ta.map\t3\t2\t0\t0\t2\t1\t{length}\n"),
        )
        .unwrap();
    }

    #[test]
    fn agreement_is_counted_and_disagreement_shown() {
        let root = std::env::temp_dir().join(format!("surefoot-conformance-{}", std::process::id()));
        write(&root.join("knn2009"), "2.4");
        write(&root.join("bg512"), "2.41");
        write(&root.join("dao"), "2.5");
        let reports = check_benchmarks(&root, 1, &mut |_, _, _| {}).unwrap();
        let counts: Vec<_> = reports.iter().map(|r| (&*r.folder, r.maps, r.problems, r.agreed)).collect();
        assert_eq!(counts, [("knn2009", 1, 1, 1), ("bg512", 1, 1, 1), ("dao", 1, 1, 0)]);
        let mismatch = reports[2].first_mismatch.as_ref().unwrap();
        assert!(mismatch.contains("from (0, 0) to (2, 1): the file has 2.5"), "{mismatch}");
        assert_eq!(compare(Length::new(2.4142, 4).unwrap(), CostModel::Sqrt2, 2.414_25), Agreement::Full);
        assert_eq!(
            compare(Length::new(2.4142, 4).unwrap(), CostModel::Sqrt2, 2.414_251),
            Agreement::LastDigitOff
        );
        assert_eq!(compare(Length::new(2.4142, 4).unwrap(), CostModel::Sqrt2, 2.414_26), Agreement::None);
        assert_eq!(compare(Length::new(2.4, 1).unwrap(), CostModel::Diagonal14, 2.400_001), Agreement::None);
        std::fs::remove_dir_all(&root).unwrap();
        assert!(check_benchmarks(&root, 1, &mut |_, _, _| {}).is_err());
    }
}
