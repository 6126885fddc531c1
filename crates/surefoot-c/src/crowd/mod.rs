//! Crowds.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

pub mod edits;
pub mod frame;
pub mod kinds;
pub mod orders;
pub mod questions;
pub mod ways;

use surefoot::space::{CostModel, MoveRule};
use surefoot::{CrowdConfig, Kind};

use crate::border::{In, Out};
use crate::handles::{Handle as _, SurefootBytes, SurefootCrowd, SurefootMap};
use crate::problem::{Problem, SurefootResult, argument, done};

/// What a handle of a crowd stands for.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub(crate) crowd: surefoot::Crowd,
    /// The kind of units that the map was made for.
    pub(crate) usual: Kind,
}

/// How a crowd is to be. Zero is as usual everywhere, so `SurefootCrowdOptions options = {0};` is a good
/// beginning.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SurefootCrowdOptions {
    /// Not 0: no two units stand on one cell.
    pub units_as_obstacles: u32,
    /// Not 0: units are served on all cores. What comes of it is the same.
    pub parallel: u32,
    /// A unit that has waited for so many frames counts as one of high priority. At most 65,535.
    pub patience: u32,
    /// How often a unit may have to choose its way anew because of edits without getting nearer to its goal,
    /// before it goes on by an exact search. At most 65,535.
    pub most_choices: u32,
    /// The most states that a unit may learn a value of, before it goes on by an exact search.
    pub most_learned: u64,
}

impl SurefootCrowdOptions {
    fn config(self) -> Result<CrowdConfig, Problem> {
        let small = |number: u32, what: &str| {
            u16::try_from(number).map_err(|_| argument(format!("{what} {number} is more than {}", u16::MAX)))
        };
        let mut config = CrowdConfig::default()
            .with_units_as_obstacles(self.units_as_obstacles != 0)
            .with_parallel(self.parallel != 0);
        if self.patience != 0 {
            config = config.with_patience(small(self.patience, "patience")?);
        }
        if self.most_choices != 0 {
            config = config.with_most_choices(small(self.most_choices, "most_choices")?);
        }
        if self.most_learned != 0 {
            config = config.with_most_learned(self.most_learned);
        }
        Ok(config)
    }
}

/// A new handle at a place, and none if that does not work.
fn give(crowd: Out<SurefootCrowd>, make: impl FnOnce() -> Result<Crowd, Problem>) -> SurefootResult {
    done(|| {
        let place = crowd.place("crowd")?;
        place.put(SurefootCrowd::NONE);
        place.put(SurefootCrowd::of(make()?)?);
        Ok(())
    })
}

/// A crowd on a copy of a map, without any units yet. `options` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_new(
    map: SurefootMap,
    options: In<SurefootCrowdOptions>,
    crowd: Out<SurefootCrowd>,
) -> SurefootResult {
    give(crowd, || {
        let config = options.one("options")?.map(SurefootCrowdOptions::config).transpose()?;
        let map = map.copied()?;
        let crowd = surefoot::Crowd::with_config(&map, config.unwrap_or_default());
        Ok(Crowd { crowd, usual: Kind::from(&map) })
    })
}

/// A crowd from the bytes that `surefoot_crowd_save` gave: it goes on exactly as the one that was saved.
/// Kinds that are added later have the usual rule and costs where they leave them out.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_load(
    bytes: In<u8>,
    size: usize,
    crowd: Out<SurefootCrowd>,
) -> SurefootResult {
    give(crowd, || {
        let crowd = surefoot::Crowd::load(&bytes.list(size, "bytes")?)?;
        Ok(Crowd { crowd, usual: Kind::new(MoveRule::NoCut, CostModel::Sqrt2) })
    })
}

/// Makes a copy that goes on from here on its own: to look ahead, or to go back to. What was built is shared
/// until one of the two changes it.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_copy(crowd: SurefootCrowd, copy: Out<SurefootCrowd>) -> SurefootResult {
    give(copy, || crowd.copied())
}

/// The whole crowd as bytes. Free them with `surefoot_bytes_free`.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_save(crowd: SurefootCrowd, bytes: Out<SurefootBytes>) -> SurefootResult {
    done(|| {
        let place = bytes.place("bytes")?;
        place.put(SurefootBytes::NONE);
        let saved = crowd.read(|crowd| Ok(crowd.crowd.save()))?;
        place.put(SurefootBytes::of(saved)?);
        Ok(())
    })
}

/// A number that is the same for crowds that go on alike: for players in lockstep.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_checksum(crowd: SurefootCrowd, checksum: Out<u64>) -> SurefootResult {
    done(|| {
        let checksum = checksum.place("checksum")?;
        crowd.read(|crowd| checksum.answer(crowd.crowd.checksum()))
    })
}

/// The map as it is now, with the rule and the costs of the one that the crowd was made with, for you to
/// free.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_map(crowd: SurefootCrowd, map: Out<SurefootMap>) -> SurefootResult {
    done(|| {
        let place = map.place("map")?;
        place.put(SurefootMap::NONE);
        let (grid, rule, costs) =
            crowd.read(|crowd| Ok((crowd.crowd.map().clone(), crowd.usual.rule, crowd.usual.costs)))?;
        place.put(SurefootMap::of(surefoot::Map::from(grid).with_rule(rule).with_costs(costs))?);
        Ok(())
    })
}

/// Frees a crowd.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_free(crowd: SurefootCrowd) -> SurefootResult {
    crowd.free()
}
