//! Dynamic control beside what was published: Tables 3 to 5 and the claims of "Dynamic Control in Real-Time Heuristic Search"
//! (JAIR 2008).
//!
//! The paper's maps, 161 × 161 to 193 × 193 cells, are part of `wc3maps512` at 512 × 512, which is the size that it scaled them up to.
//! Its problems are not public: ours are drawn at random, of optimal costs from 90 to 100 times the scale. It does not
//! state the corner rule; `squeeze` is that of its authors' other maps.

use surefoot::agents::Spec;

use crate::runs::{DatabaseFacts, ResultSet};
use crate::summary::Summary;

/// An algorithm with its parameters, and what its walks on all maps came to.
#[derive(Clone, Debug)]
pub struct ControlLine {
    /// The spec.
    pub spec: Spec,
    /// All walks. Walks that were cut off are in no mean.
    pub summary: Summary,
    /// The most states that any move of any walk expanded, one that was cut off included.
    pub worst_move: u64,
}

/// A pattern database of one level, mean over the maps.
#[derive(Clone, Debug)]
pub struct LevelSize {
    /// What it is built from.
    pub config: String,
    /// Ordered pairs of regions.
    pub pairs: f64,
    /// Building time on all cores, in seconds.
    pub seconds: f64,
    /// Bytes of its file.
    pub bytes: f64,
}

/// What came of the study.
#[derive(Clone, Debug)]
pub struct Study {
    /// Every algorithm with every parameter.
    pub lines: Vec<ControlLine>,
    /// Every pattern database.
    pub sizes: Vec<LevelSize>,
}

impl Study {
    /// What the results of the plan come to.
    #[must_use]
    pub fn of(results: &ResultSet) -> Self {
        let mut study = Self { lines: Vec::new(), sizes: Vec::new() };
        // Figures of each database, a set of them for each map.
        let mut built: Vec<(&str, Vec<(&str, &DatabaseFacts)>)> = Vec::new();
        for unit in &results.units {
            let place = study.lines.iter().position(|line| line.spec == unit.spec).unwrap_or_else(|| {
                let summary = Summary::new(unit.spec.to_string());
                study.lines.push(ControlLine { spec: unit.spec.clone(), summary, worst_move: 0 });
                study.lines.len() - 1
            });
            let line = &mut study.lines[place];
            for row in &unit.rows {
                line.summary.add(row);
                line.worst_move = line.worst_move.max(row.expansions_max);
            }
            let Some(database) = unit.database.as_ref().filter(|own| own.config.starts_with("patterns"))
            else {
                continue;
            };
            let place =
                built.iter().position(|(config, _)| *config == database.config).unwrap_or_else(|| {
                    built.push((&database.config, Vec::new()));
                    built.len() - 1
                });
            let of_config = &mut built[place].1;
            // Many units share a database.
            if of_config.iter().all(|(map, _)| *map != unit.map.name) {
                of_config.push((&unit.map.name, database));
            }
        }
        for (config, databases) in built {
            let mean = |figure: fn(&DatabaseFacts) -> f64| {
                databases.iter().map(|(_, database)| figure(database)).sum::<f64>() / databases.len() as f64
            };
            study.sizes.push(LevelSize {
                config: config.to_owned(),
                pairs: mean(|database| database.entries as f64),
                seconds: mean(|database| database.build_seconds),
                bytes: mean(|database| database.bytes as f64),
            });
        }
        study
    }

    /// Table 4: as the limit on the states expanded in a move grows, the algorithm with the best mean suboptimality that never exceeds it
    /// and always arrives; each with the limit from which on it is the best.
    #[must_use]
    pub fn best_under_limits(&self) -> Vec<(u64, &ControlLine)> {
        let mut by_worst: Vec<&ControlLine> =
            self.lines.iter().filter(|line| line.summary.cut_off == 0 && line.summary.solved > 0).collect();
        by_worst.sort_by(|a, b| {
            let quality = |line: &ControlLine| line.summary.suboptimality_pct();
            a.worst_move.cmp(&b.worst_move).then(quality(a).total_cmp(&quality(b)))
        });
        let mut best: Vec<(u64, &ControlLine)> = Vec::new();
        for line in by_worst {
            let quality = line.summary.suboptimality_pct();
            if best.last().is_none_or(|(_, known)| quality < known.summary.suboptimality_pct()) {
                best.push((line.worst_move, line));
            }
        }
        best
    }

    /// The lines that exceed a limit on some move: the paper's real-time cut-off disqualifies them.
    pub fn disqualified(&self, limit: u64) -> impl Iterator<Item = &ControlLine> {
        self.lines.iter().filter(move |line| line.worst_move > limit)
    }

    /// The line of a spec.
    #[must_use]
    pub fn line(&self, spec: &str) -> Option<&ControlLine> {
        let spec = spec.parse::<Spec>().ok()?;
        self.lines.iter().find(|line| line.spec == spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Row;
    use crate::rows::tests::row;
    use crate::runs::UnitResult;
    use crate::runs::results::tests::{database, results, unit};

    fn line(spec: &str, suboptimality: f64, worst_move: u64, solved: bool) -> ControlLine {
        let mut summary = Summary::new(spec);
        summary.add(&Row { suboptimality_pct: Some(suboptimality), ..row(2, Some(1), solved) });
        ControlLine { spec: spec.parse().unwrap(), summary, worst_move }
    }

    #[test]
    fn a_study_has_every_algorithm_and_every_database_once() {
        let with = |spec: &str, map: &str, seconds: f64| UnitResult {
            database: Some(database("patterns(level=3)", 100, seconds)),
            ..unit("", spec, 1, map, vec![row(9, Some(4), true)])
        };
        let study = Study::of(&results(vec![
            unit("", "a*", 1, "x", vec![row(4, Some(4), true)]),
            unit("", "a*", 1, "y", vec![row(4, Some(4), true)]),
            with("lrta*(f,pdb,level=3,d=1)", "x", 2.0),
            with("lrta*(f,pdb,level=3,d=1)", "y", 4.0),
            with("lrta*(f,pdb,level=3,d=2)", "x", 2.0),
        ]));
        assert_eq!(study.lines.iter().map(|line| line.summary.problems).collect::<Vec<_>>(), [2, 2, 1]);
        let [size] = &study.sizes[..] else { panic!("{:?}", study.sizes) };
        assert_eq!((size.pairs, size.seconds, size.bytes), (50.0, 3.0, 200.0));
        assert_eq!(study.lines[0].worst_move, 6);
    }

    #[test]
    fn the_best_under_a_limit_gets_better_as_the_limit_grows() {
        let lines = vec![
            line("a*", 0.0, 1000, true),
            line("lrta*(d=1)", 90.0, 1, true),
            line("lrta*(d=2)", 95.0, 9, true),
            line("lrta*(d=3)", 20.0, 25, true),
            line("lrta*(d=4)", 10.0, 25, true),
            line("lrta*(d=6)", 1.0, 25, false),
        ];
        let study = Study { lines, sizes: Vec::new() };
        let best: Vec<(u64, String)> =
            study.best_under_limits().iter().map(|(limit, line)| (*limit, line.spec.to_string())).collect();
        let expected = [(1, "lrta*(d=1)"), (25, "lrta*(d=4)"), (1000, "a*")];
        assert_eq!(best, expected.map(|(limit, spec)| (limit, spec.to_string())));
        assert_eq!(study.disqualified(10).count(), 4);
        assert!(study.line("lrta*( d=3 )").is_some());
    }
}
