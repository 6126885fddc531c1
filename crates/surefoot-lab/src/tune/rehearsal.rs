//! How long a database would take to build, and how large it would be: told from smaller ones.
//!
//! Of what can be built smaller, such as records, fewer are made. Everything else is built for ever larger
//! parts of the map. Each step says what the next would take, so that no step takes much longer than it may.
//! How time and size grow shows in two steps, never in one: what the first step takes is mostly the same for
//! every size.

use std::time::Instant;

use surefoot::space::{Cell, GridSpace};
use surefoot::store::DatabaseConfig;

/// The cells of the first step, at most.
const FIRST_CELLS: u64 = 1 << 12;
/// By how much each step is larger than the last.
const GROWTH: u64 = 4;
/// What time and size may grow with at most, as a power of the number of states. Tables of pairs have the
/// square.
const MOST_POWER: f64 = 2.2;

/// What a build would take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Forecast {
    /// Seconds.
    pub seconds: f64,
    /// Bytes of the database that agents look up.
    pub bytes: f64,
}

/// A smaller build: how large it was, and what it took.
#[derive(Clone, Copy, Debug)]
struct Sample {
    size: f64,
    seconds: f64,
    bytes: f64,
}

/// What building from `config` would take, known from builds that take no more than about `seconds` together.
/// Where there is nothing smaller to try, it is taken to cost nothing.
pub(super) fn forecast(space: &GridSpace, config: &dyn DatabaseConfig, seconds: f64) -> Forecast {
    let parts: Vec<u64> =
        growing(GROWTH, u64::MAX).take_while(|&parts| config.smaller(parts).is_some()).collect();
    if !parts.is_empty() {
        let build = |parts: u64| measure(space, &*config.smaller(parts)?, 1.0 / parts as f64);
        return grow(parts.into_iter().rev(), build, 1.0, seconds, |_, _| 1.0);
    }
    let cells = u64::from(space.grid().width()) * u64::from(space.grid().height());
    let build = |part: u64| {
        let part = middle(space, (part as f64 / cells as f64).sqrt())?;
        measure(&part, config, part.grid().free_count() as f64)
    };
    // Small parts of a map have so few regions that the square does not show yet.
    let power = |samples: &[Sample], of| power(samples, of).max(f64::from(config.least_power()));
    grow(growing(FIRST_CELLS, cells / GROWTH), build, space.grid().free_count() as f64, seconds, power)
}

fn growing(first: u64, most: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first), |size| size.checked_mul(GROWTH)).take_while(move |size| *size <= most)
}

/// Builds ever larger ones while the next is expected to fit, and says what the whole will take.
fn grow(
    sizes: impl Iterator<Item = u64>,
    build: impl Fn(u64) -> Option<Sample>,
    whole: f64,
    mut seconds: f64,
    power: impl Fn(&[Sample], fn(&Sample) -> f64) -> f64,
) -> Forecast {
    let mut samples: Vec<Sample> = Vec::new();
    let extrapolate = |samples: &[Sample], size: f64| match samples.last() {
        Some(last) => {
            let larger = |of: fn(&Sample) -> f64| of(last) * (size / last.size).powf(power(samples, of));
            Forecast { seconds: larger(|sample| sample.seconds), bytes: larger(|sample| sample.bytes) }
        }
        None => Forecast::default(),
    };
    for size in sizes {
        if samples
            .last()
            .is_some_and(|last| extrapolate(&samples, last.size * GROWTH as f64).seconds > seconds)
        {
            break;
        }
        // A part of the map without any ground says nothing about the rest.
        let Some(sample) = build(size) else { continue };
        seconds -= sample.seconds;
        samples.push(sample);
    }
    extrapolate(&samples, whole)
}

/// With which power of its size a figure grew in the last step; 1, the least, if there was only one.
fn power(samples: &[Sample], of: fn(&Sample) -> f64) -> f64 {
    let [.., before, last] = samples else { return 1.0 };
    let power = (of(last) / of(before)).ln() / (last.size / before.size).ln();
    if power.is_finite() { power.clamp(1.0, MOST_POWER) } else { MOST_POWER }
}

fn measure(space: &GridSpace, config: &dyn DatabaseConfig, size: f64) -> Option<Sample> {
    if size == 0.0 {
        return None;
    }
    let begin = Instant::now();
    let database = config.build_quietly(space).ok()?;
    let seconds = begin.elapsed().as_secs_f64();
    Some(Sample { size, seconds, bytes: database.memory_bytes() as f64 })
}

/// The middle of a map, `share` of it in width and height.
fn middle(space: &GridSpace, share: f64) -> Option<GridSpace> {
    let grid = space.grid();
    let side = |whole: u32| ((f64::from(whole) * share) as u32).clamp(1, whole);
    let (width, height) = (side(grid.width()), side(grid.height()));
    let (left, top) = ((grid.width() - width) / 2, (grid.height() - height) / 2);
    space.part(Cell::new(left, top), width, height).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maps::{MapKind, generate};
    use surefoot::space::{CostModel, Grid, MoveRule, TerrainSet};
    use surefoot_classics::ROSTER;

    fn space(side: u32) -> GridSpace {
        let map = generate(MapKind::Game, side, side, 3).unwrap();
        GridSpace::new(map.grid(TerrainSet::GROUND), MoveRule::NoCut, CostModel::Sqrt2)
    }

    fn config(spec: &str) -> Box<dyn DatabaseConfig> {
        ROSTER.database_for(&spec.parse().unwrap(), 1).unwrap().unwrap()
    }

    #[test]
    fn sizes_are_told_from_smaller_ones() {
        let space = space(256);
        for (spec, within) in
            [("knn-lrta*(n=1000)", 1.4), ("pra*", 1.4), ("beacon*", 4.0), ("lrta*(f,pdb;level=5)", 4.0)]
        {
            let forecast = forecast(&space, &*config(spec), f64::INFINITY);
            let bytes = config(spec).build_quietly(&space).unwrap().memory_bytes() as f64;
            let ratio = forecast.bytes / bytes;
            assert!((1.0 / within..within).contains(&ratio), "{spec}: {ratio}");
        }
    }

    #[test]
    fn there_is_nothing_to_rehearse_on_small_maps() {
        let forecast = forecast(&space(100), &*config("pra*"), 1.0);
        assert_eq!(forecast, Forecast::default());
    }

    #[test]
    fn steps_end_where_the_next_would_take_too_long() {
        // A second for every ten states: 1, 4 and 16 are tried, and 64 would take more than what is left.
        let build = |size: u64| {
            Some(Sample { size: size as f64, seconds: size as f64 / 10.0, bytes: 7.0 * size as f64 })
        };
        let tried = std::cell::Cell::new(0);
        let counted = |size| {
            tried.set(size);
            build(size)
        };
        let forecast = grow(growing(1, 1 << 20), counted, 1000.0, 7.0, |_, _| 1.0);
        assert_eq!(tried.get(), 16);
        assert!((forecast.seconds - 100.0).abs() < 1e-9 && (forecast.bytes - 7000.0).abs() < 1e-9);
        // What grows with the square is seen to do so.
        let square =
            |size: u64| Some(Sample { size: size as f64, seconds: 1e-6 * (size * size) as f64, bytes: 1.0 });
        let forecast = grow(growing(1, 256), square, 1000.0, 1e9, power);
        assert!((forecast.seconds - 1.0).abs() < 1e-6, "{forecast:?}");
        assert!(forecast.bytes < 5.0, "{forecast:?}");
    }

    #[test]
    fn fixed_costs_are_not_taken_for_growth() {
        // 20 ms for any size, and half a microsecond for each state.
        let build = |size: u64| {
            let seconds = 0.02 + 5e-7 * size as f64;
            Some(Sample { size: size as f64, seconds, bytes: 1000.0 + size as f64 })
        };
        let whole: u64 = 1 << 18;
        let truth = build(whole).unwrap();
        // Whatever the time, a few steps or only the first.
        for seconds in [1e9, 0.4, 0.1, 0.03, 0.0] {
            let forecast = grow(growing(FIRST_CELLS, whole / GROWTH), build, whole as f64, seconds, power);
            assert!(forecast.seconds < 10.0 * truth.seconds, "{seconds}: {forecast:?}");
            assert!(forecast.seconds > 0.9 * truth.seconds, "{seconds}: {forecast:?}");
            assert!(forecast.bytes < 2.0 * truth.bytes, "{seconds}: {forecast:?}");
        }
    }

    #[test]
    fn the_middle_of_a_map() {
        let grid = Grid::from_fn(9, 5, |cell| cell == Cell::new(4, 2)).unwrap();
        let space = GridSpace::new(grid, MoveRule::Squeeze, CostModel::Diagonal14);
        let part = middle(&space, 0.34).unwrap();
        assert_eq!((part.grid().width(), part.grid().height(), part.grid().free_count()), (3, 1, 1));
        assert_eq!((part.rule(), part.costs()), (MoveRule::Squeeze, CostModel::Diagonal14));
    }
}
