//! kNN LRTA* beside what was published: the table of 2009 on its own problems, and the tables of 2010 on large maps.

use surefoot::agents::Spec;

use crate::runs::{DatabaseFacts, MapFacts, ResultSet, UnitResult};
use crate::summary::Summary;

/// A line of the paper's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// How long the database took to build.
    pub build: &'static str,
    /// The states in the database relative to the cells of the map.
    pub relative_size: f64,
    /// The mean suboptimality in percent.
    pub suboptimality_pct: f64,
    /// States expanded per move (2009), or microseconds per move (2010).
    pub per_move: f64,
}

/// An algorithm with one database on each of some maps: what its walks came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The maps.
    pub maps: Vec<MapFacts>,
    /// The seed of the database.
    pub seed: u64,
    /// Its walks.
    pub summary: Summary,
    /// Problems in which the database had nothing to offer at some point.
    pub with_fallback: u64,
    /// Building time a map, in seconds, on all cores.
    pub build_seconds: f64,
    /// States in the database relative to the cells of the map, mean over maps.
    pub relative_size: f64,
    /// Bytes of the database, mean over maps.
    pub bytes: f64,
    /// Bytes for each state in it.
    pub bytes_per_state: f64,
}

/// An algorithm with one database after another, or on one map after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The spec.
    pub spec: Spec,
    /// What was published for it.
    pub published: Option<Published>,
    /// The trials.
    pub trials: Vec<Trial>,
}

impl Line {
    /// The mean of a figure over all trials, the lowest and the highest.
    #[must_use]
    pub fn spread(&self, figure: impl Fn(&Trial) -> f64) -> (f64, f64, f64) {
        let figures: Vec<f64> = self.trials.iter().map(figure).collect();
        let mean = figures.iter().sum::<f64>() / figures.len().max(1) as f64;
        (
            mean,
            figures.iter().copied().fold(f64::INFINITY, f64::min),
            figures.iter().copied().fold(0.0, f64::max),
        )
    }
}

/// The lines of Table 1 of 2009, and of what the plan has beyond it: a trial for each seed, over all maps.
#[must_use]
pub fn table_of_2009(results: &ResultSet) -> Vec<Line> {
    // The published sizes count the cells of the maps with a border of one cell around them.
    let cells = |map: &MapFacts| (u64::from(map.width) + 2) * (u64::from(map.height) + 2);
    lines(
        results,
        |unit| unit.seed,
        cells,
        |spec| {
            let (build, relative_size, suboptimality_pct, per_move) = match spec {
                "lrta*(d=3)" => ("0 min", 0.0, 447.95, 20.44),
                "knn-lrta-2009*(n=1000)" => ("0.62 min", 0.09, 49.91, 42.68),
                "knn-lrta-2009*(n=5000)" => ("3.08 min", 0.46, 27.24, 28.54),
                "knn-lrta-2009*(n=10000)" => ("6.23 min", 0.92, 19.52, 25.11),
                "d-lrta*(level=7,d=3)" => ("0.29 min", 1.06, 55.87, 20.34),
                "d-lrta*(level=6,d=3)" => ("0.35 min", 1.14, 22.57, 20.14),
                "d-lrta*(level=5,d=3)" => ("0.50 min", 1.39, 13.35, 19.98),
                "d-lrta*(level=3,d=3)" => ("1.91 min", 8.22, 10.13, 17.50),
                _ => return None,
            };
            Some(Published { build, relative_size, suboptimality_pct, per_move })
        },
    )
}

/// The lines of Tables 1 to 3 of 2010, and of what the plan has beyond them: a trial for each map and seed.
#[must_use]
pub fn lines_of_2010(results: &ResultSet) -> Vec<Line> {
    let trial = |unit: &UnitResult| (unit.seed, unit.map.clone());
    lines(results, trial, MapFacts::cells, |spec| {
        let (build, relative_size, suboptimality_pct, per_move) = match spec {
            "knn-lrta*(n=10000)" => ("13.10 h", 0.003_08, 6851.62, 7.56),
            "knn-lrta*(n=40000)" => ("51.89 h", 0.012_34, 620.63, 6.88),
            "knn-lrta*(n=60000)" => ("77.30 h", 0.018_51, 12.77, 6.40),
            "knn-lrta*(n=80000)" => ("103.09 h", 0.024_68, 11.96, 6.55),
            "d-lrta*(level=12,d=1)" => ("0.25 h", 1.000_01, 15_999.23, 3.73),
            "d-lrta*(level=11,d=1)" => ("1.57 h", 1.000_09, 8497.09, 3.93),
            "d-lrta*(level=10,d=1)" => ("11.95 h", 1.000_68, 6831.74, 4.26),
            "d-lrta*(level=9,d=1)" => ("89.88 h", 1.005_32, 819.72, 3.94),
            "tba*(slice=5)" => ("0 h", 0.0, 1504.54, 14.31),
            "tba*(slice=10)" => ("0 h", 0.0, 666.50, 26.34),
            "tba*(slice=50)" => ("0 h", 0.0, 131.12, 83.31),
            "tba*(slice=100)" => ("0 h", 0.0, 64.66, 117.52),
            "a*" => ("0 h", 0.0, 0.0, 208.03),
            _ => return None,
        };
        Some(Published { build, relative_size, suboptimality_pct, per_move })
    })
}

/// A line for each algorithm. Units with the same key are one trial.
fn lines<K: PartialEq>(
    results: &ResultSet,
    key: impl Fn(&UnitResult) -> K,
    cells: impl Fn(&MapFacts) -> u64,
    published: impl Fn(&str) -> Option<Published>,
) -> Vec<Line> {
    let mut lines: Vec<(Spec, Vec<(K, Vec<&UnitResult>)>)> = Vec::new();
    for unit in &results.units {
        let place = lines.iter().position(|(spec, _)| *spec == unit.spec).unwrap_or_else(|| {
            lines.push((unit.spec.clone(), Vec::new()));
            lines.len() - 1
        });
        let line = &mut lines[place].1;
        let key = key(unit);
        match line.iter_mut().find(|(own, _)| *own == key) {
            Some((_, units)) => units.push(unit),
            None => line.push((key, vec![unit])),
        }
    }
    let line = |(spec, trials): (Spec, Vec<(K, Vec<&UnitResult>)>)| Line {
        published: published(&spec.to_string()),
        trials: trials.iter().map(|(_, units)| trial(&spec, units, &cells)).collect(),
        spec,
    };
    lines.into_iter().map(line).collect()
}

fn trial(spec: &Spec, units: &[&UnitResult], cells: impl Fn(&MapFacts) -> u64) -> Trial {
    let mut summary = Summary::new(spec.to_string());
    let rows = || units.iter().flat_map(|unit| &unit.rows);
    rows().for_each(|row| summary.add(row));
    let maps = units.len().max(1) as f64;
    let of_databases = |figure: &dyn Fn(&DatabaseFacts) -> f64| {
        units.iter().filter_map(|unit| unit.database.as_ref()).map(figure).sum::<f64>()
    };
    let sizes = units.iter().map(|unit| {
        let states = unit.database.as_ref().map_or(0, |database| database.states);
        states as f64 / cells(&unit.map) as f64
    });
    let (bytes, states) =
        (of_databases(&|database| database.bytes as f64), of_databases(&|database| database.states as f64));
    Trial {
        maps: units.iter().map(|unit| unit.map.clone()).collect(),
        seed: units.first().map_or(1, |unit| unit.seed),
        summary,
        with_fallback: rows().filter(|row| row.fallbacks > 0).count() as u64,
        build_seconds: of_databases(&|database| database.build_seconds) / maps,
        relative_size: sizes.sum::<f64>() / maps,
        bytes: bytes / maps,
        bytes_per_state: if states > 0.0 { bytes / states } else { 0.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::tests::row;
    use crate::runs::results::tests::{database, results, unit};

    fn made_up() -> ResultSet {
        let knn = |seed, map, steps, states| UnitResult {
            database: Some(database("subgoals", states, 2.0)),
            ..unit("", "knn-lrta*(n=10000)", seed, map, vec![row(steps, Some(4), true)])
        };
        results(vec![
            unit("", "d-lrta*(level=7,d=3)", 1, "a", vec![row(4, Some(4), true), row(9, Some(4), false)]),
            knn(1, "a", 4, 200),
            knn(1, "b", 9, 400),
            knn(2, "a", 9, 400),
            knn(2, "b", 9, 400),
        ])
    }

    #[test]
    fn a_trial_of_2009_is_one_seed_on_all_maps() {
        let lines = table_of_2009(&made_up());
        let [d_lrta, knn] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(d_lrta.published.unwrap().suboptimality_pct, 55.87);
        assert_eq!((d_lrta.trials.len(), d_lrta.trials[0].summary.cut_off), (1, 1));
        assert!(knn.published.is_none());
        let seeds: Vec<(u64, usize, u64)> =
            knn.trials.iter().map(|trial| (trial.seed, trial.maps.len(), trial.summary.problems)).collect();
        assert_eq!(seeds, [(1, 2, 2), (2, 2, 2)]);
        // Ten by twenty cells with their border.
        let (mean, lowest, highest) = knn.spread(|trial| trial.relative_size);
        assert!((mean - 1.75).abs() < 1e-12 && (lowest - 1.5).abs() < 1e-12 && (highest - 2.0).abs() < 1e-12);
        assert_eq!((knn.trials[0].build_seconds, knn.trials[0].bytes_per_state), (2.0, 2.0));
    }

    #[test]
    fn a_trial_of_2010_is_one_map() {
        let lines = lines_of_2010(&made_up());
        let knn = &lines[1];
        assert_eq!(knn.published.unwrap().build, "13.10 h");
        let maps: Vec<(&str, u64)> =
            knn.trials.iter().map(|trial| (trial.maps[0].name.as_str(), trial.seed)).collect();
        assert_eq!(maps, [("a", 1), ("b", 1), ("a", 2), ("b", 2)]);
        assert!((knn.trials[0].relative_size - 200.0 / 144.0).abs() < 1e-12);
    }
}
