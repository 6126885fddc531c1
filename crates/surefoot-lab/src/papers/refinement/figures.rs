//! What the walks come to: percentiles by bucket.

use std::io;
use std::ops::Range;

use serde::Serialize;

use super::{BUCKETS, PLANNING_MS, Walk, Walks};
use crate::clock::ratio;
use crate::spread::Spread;

/// What is measured of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Measure {
    /// All planning, in milliseconds.
    PlanningMs,
    /// All planning, in expansions.
    Expansions,
    /// The length relative to that of a shortest path.
    LengthRatio,
    /// The frames relative to those of the same walk without thinking, for one of [`PLANNING_MS`].
    Slowdown(usize),
    /// The frames relative to those of a shortest path that is walked in one go without thinking, for one of [`PLANNING_MS`].
    OverShortest(usize),
}

impl Measure {
    /// The figure of a walk; nothing if it was cut off.
    fn of(self, walk: &Walk) -> Option<f64> {
        walk.solved.then_some(match self {
            Self::PlanningMs => walk.planning_ms,
            Self::Expansions => walk.expansions,
            Self::LengthRatio if walk.length <= walk.optimal => 1.0,
            Self::LengthRatio => walk.length / walk.optimal,
            Self::Slowdown(clock) => ratio(walk.frames[clock], walk.least),
            Self::OverShortest(clock) => ratio(walk.frames[clock], walk.shortest),
        })
    }

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlanningMs => "planning_ms",
            Self::Expansions => "expansions",
            Self::LengthRatio => "length_ratio",
            Self::Slowdown(_) => "slowdown",
            Self::OverShortest(_) => "over_shortest",
        }
    }

    /// The planning time a frame that it is about.
    fn clock(self) -> Option<f64> {
        match self {
            Self::Slowdown(clock) | Self::OverShortest(clock) => Some(PLANNING_MS[clock]),
            _ => None,
        }
    }
}

impl Walks {
    /// Where the walks of some buckets are.
    #[must_use]
    pub fn places(&self, buckets: &Range<u32>) -> Vec<usize> {
        (0..self.walks.len()).filter(|&place| buckets.contains(&self.walks[place].bucket)).collect()
    }

    /// A figure of the walks at these places.
    #[must_use]
    pub fn spread(&self, places: &[usize], measure: Measure) -> Spread {
        places.iter().map(|&place| measure.of(&self.walks[place])).collect()
    }

    /// How many times as much `other` has of a figure, walk by walk at these places; walks without any planning do not
    /// count, and one that was cut off has gained nothing: 0. Both must have walked the same paths.
    #[must_use]
    pub fn gain_over(&self, other: &Self, places: &[usize], measure: Measure) -> Spread {
        let figures =
            places.iter().map(|&place| (measure.of(&self.walks[place]), measure.of(&other.walks[place])));
        figures
            .filter(|(own, _)| own.is_none_or(|own| own > 0.0))
            .map(|(own, other)| own.map_or(Some(0.0), |own| other.map(|other| other / own)))
            .collect()
    }

    /// Expansions a microsecond over all planning.
    #[must_use]
    pub fn expansions_per_us(&self) -> f64 {
        let sum = |figure: fn(&Walk) -> f64| self.walks.iter().map(figure).sum::<f64>();
        sum(|walk| walk.expansions) / (sum(|walk| walk.planning_ms) * 1000.0)
    }
}

/// A line of the file of figures: one measure of one algorithm in one bucket.
#[derive(Serialize)]
struct Figures {
    measure: String,
    algorithm: String,
    /// Of which paths: all of them, or the sample.
    of: &'static str,
    planning_ms_per_frame: Option<f64>,
    bucket: u32,
    paths: u64,
    cut_off: u64,
    p5: Option<f64>,
    p50: Option<f64>,
    p95: Option<f64>,
    p98: Option<f64>,
    max: Option<f64>,
}

/// Writes every measure of every algorithm in every bucket as comma-separated values, and how A*, which comes first, compares
/// with the other algorithms that walked every path.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write_figures(out: impl io::Write, all: &[Walks]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let mut write = |measure: String, walks: &Walks, clock, bucket, spread: &Spread| {
        if spread.count() == 0 {
            return Ok(());
        }
        let percentile = |percent| spread.percentile(percent);
        writer.serialize(Figures {
            measure,
            algorithm: walks.spec.to_string(),
            of: if walks.every_path { "all" } else { "sample" },
            planning_ms_per_frame: clock,
            bucket,
            paths: spread.count(),
            cut_off: spread.cut_off(),
            p5: percentile(5.0),
            p50: percentile(50.0),
            p95: percentile(95.0),
            p98: percentile(98.0),
            max: spread.max(),
        })
    };
    let plain = [Measure::PlanningMs, Measure::Expansions, Measure::LengthRatio];
    let clocked = (0..PLANNING_MS.len()).flat_map(|at| [Measure::Slowdown(at), Measure::OverShortest(at)]);
    let measures: Vec<Measure> = plain.into_iter().chain(clocked).collect();
    for walks in all {
        for bucket in 0..BUCKETS {
            let places = walks.places(&(bucket..bucket + 1));
            for &measure in &measures {
                let spread = walks.spread(&places, measure);
                write(measure.name().to_owned(), walks, measure.clock(), bucket, &spread)?;
            }
            let Some(a_star) = all.first().filter(|a_star| a_star.every_path && walks.every_path) else {
                continue;
            };
            for measure in [Measure::PlanningMs, Measure::Expansions] {
                let spread = walks.gain_over(a_star, &places, measure);
                write(format!("a_star_{}_ratio", measure.name()), walks, None, bucket, &spread)?;
            }
        }
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walks(spec: &str, walks: &[(u32, f64, f64)]) -> Walks {
        let walk = |&(bucket, length, planning_ms): &(u32, f64, f64)| Walk {
            bucket,
            solved: length.is_finite(),
            length,
            optimal: 10.0,
            planning_ms,
            expansions: 1000.0 * planning_ms,
            frames: [20, 22, 30],
            least: 20,
            shortest: 10,
        };
        Walks {
            spec: spec.parse().unwrap(),
            every_path: spec != "lrta*",
            walks: walks.iter().map(walk).collect(),
        }
    }

    #[test]
    fn figures_are_taken_bucket_by_bucket() {
        let a_star = walks("a*", &[(2, 10.0, 8.0), (2, 10.0, 4.0), (3, 10.0, 9.0), (3, 10.0, 0.0)]);
        let other = walks("pra*", &[(2, 11.0, 2.0), (2, 10.0, 2.0), (3, f64::INFINITY, 1.0), (3, 10.0, 0.0)]);
        let places = other.places(&(2..3));
        assert_eq!(places, [0, 1]);
        assert_eq!(other.spread(&places, Measure::LengthRatio).max(), Some(1.1));
        assert_eq!(other.spread(&places, Measure::Slowdown(2)).max(), Some(1.5));
        assert_eq!(other.spread(&places, Measure::OverShortest(1)).max(), Some(2.2));
        let gain = other.gain_over(&a_star, &places, Measure::PlanningMs);
        assert_eq!((gain.percentile(5.0), gain.max()), (Some(2.0), Some(4.0)));
        let later = other.places(&(3..4));
        let cut = other.spread(&later, Measure::PlanningMs);
        assert_eq!((cut.count(), cut.cut_off()), (2, 1));
        // Nothing planned, no gain; cut off, nothing gained; and if the other one was, nobody knows how much.
        let gain = other.gain_over(&a_star, &later, Measure::PlanningMs);
        assert_eq!((gain.count(), gain.cut_off(), gain.max()), (1, 0, Some(0.0)));
        let gain = a_star.gain_over(&other, &later, Measure::PlanningMs);
        assert_eq!((gain.count(), gain.cut_off(), gain.max()), (1, 1, None));
        assert!((a_star.expansions_per_us() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_file_has_a_line_for_each_figure() {
        let a_star = walks("a*", &[(2, 10.0, 8.0), (127, 12.5, 4.0)]);
        let other = walks("pra*(k=16)", &[(2, 11.0, 2.0), (127, 10.0, 2.0)]);
        let mut file = Vec::new();
        write_figures(&mut file, &[a_star, other, walks("lrta*", &[(2, 30.0, 1.0)])]).unwrap();
        let text = String::from_utf8(file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "measure,algorithm,of,planning_ms_per_frame,bucket,paths,cut_off,p5,p50,p95,p98,max"
        );
        for line in [
            "length_ratio,a*,all,,127,1,0,1.25,1.25,1.25,1.25,1.25",
            "slowdown,pra*(k=16),all,1.0,2,1,0,1.5,1.5,1.5,1.5,1.5",
            "over_shortest,lrta*,sample,10.0,2,1,0,2.0,2.0,2.0,2.0,2.0",
            "a_star_planning_ms_ratio,pra*(k=16),all,,2,1,0,4.0,4.0,4.0,4.0,4.0",
        ] {
            assert!(lines.contains(&line), "{line} in {text}");
        }
        assert!(!text.contains("ratio,lrta*,sample,,127") && !text.contains("a_star_expansions_ratio,lrta*"));
    }
}
