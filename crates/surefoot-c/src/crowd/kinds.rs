//! Kinds of units, and what they go by.

#![allow(unsafe_code, reason = "exported; blocks are in `border` only")]

use core::ffi::c_void;

use surefoot::Kind;
use surefoot::agent::CORE;
use surefoot::space::{CellWeights, Link};

use super::Crowd;
use crate::border::{In, Out, SurefootProgress, tell};
use crate::handles::{Handle as _, SurefootCrowd, SurefootNavigator};
use crate::problem::{self, Problem, SurefootResult, done};
use crate::values::{self, SurefootKind, SurefootLink};

/// How a kind of units is to be. Zero is as on the crowd's map everywhere, so
/// `SurefootKindOptions options = {0};` is a good beginning.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SurefootKindOptions {
    /// When a diagonal move is allowed: one of SurefootRule.
    pub rule: i32,
    /// What it costs: one of SurefootCosts.
    pub costs: i32,
    /// Units of size 2 take 2 x 2 cells.
    pub size: u32,
    /// Not 0: what the units need is built later, by `surefoot_crowd_build_in_frames` or
    /// `surefoot_crowd_build`. Until then they go by a search.
    pub unbuilt: u32,
    /// What ground costs them, 1 to 255 for each cell of the map, row after row; or NULL.
    pub weights: In<u8>,
    /// Width times height of the map, if there are weights.
    pub weight_count: usize,
    /// Extra moves of theirs, or NULL.
    pub links: In<SurefootLink>,
    /// How many links there are.
    pub link_count: usize,
    /// A navigator of the same map, for units of one cell under the same rule, costs and weights; or zero.
    /// What it has computed is taken, and nothing is built. What becomes of one does not concern the other.
    pub navigator: SurefootNavigator,
}

impl SurefootKindOptions {
    fn kind(self, usual: Kind, (width, height): (u32, u32)) -> Result<Kind, Problem> {
        let mut kind = usual;
        if let Some(rule) = values::rule(self.rule)? {
            kind.rule = rule;
        }
        if let Some(costs) = values::costs(self.costs)? {
            kind.costs = costs;
        }
        if self.size != 0 {
            kind.size = self.size;
        }
        if !self.weights.is_null() || self.weight_count != 0 {
            let weights = self.weights.list(self.weight_count, "weights")?;
            kind.weights = Some(CellWeights::new(width, height, weights)?);
        }
        if !self.links.is_null() || self.link_count != 0 {
            let links = self.links.list(self.link_count, "links")?;
            kind.links = links.into_iter().map(Link::from).collect();
        }
        Ok(kind)
    }
}

/// Adds a kind of units, and builds what they find their way by. `options` may be NULL: then it is the kind
/// that the map was made for. On large maps a build takes a while: `progress` hears how far it is, and can
/// cancel it. It may be NULL. The crowd can be used meanwhile. If its map was edited, what was built does not
/// fit, and is built again while the crowd waits.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_add_kind(
    crowd: SurefootCrowd,
    options: In<SurefootKindOptions>,
    progress: SurefootProgress,
    user: *mut c_void,
    kind: Out<SurefootKind>,
) -> SurefootResult {
    done(|| {
        let place = kind.place("kind")?;
        let options = options.one("options")?;
        let (usual, map) = crowd.read(|Crowd { crowd, usual }| Ok((usual.clone(), crowd.map().clone())))?;
        let mut kind = match options {
            Some(options) => options.kind(usual, (map.width(), map.height()))?,
            None => usual,
        };
        if options.is_some_and(|options| options.unbuilt != 0) {
            let added = crowd.write(|crowd| Ok(crowd.crowd.add_kind_unbuilt(kind)?))?;
            place.put(added.to_bits());
            return Ok(());
        }
        // What is built for another map would be refused.
        if let Some(options) = options.filter(|options| options.navigator != SurefootNavigator::NONE) {
            let (space, bytes) = (kind.space(&map)?, options.navigator.copied()?.to_bytes()?);
            kind = kind.with_database(CORE.open(&space, bytes)?);
        } else if let Some(config) = kind.algorithm.database_config(kind.seed) {
            let space = kind.space(&map)?;
            kind = kind.with_database(config.build(&space, &mut |event| tell(progress, user, &event))?);
        }
        let added = crowd.write(|Crowd { crowd, .. }| {
            if *crowd.map() != map {
                kind = kind.with_database(None);
            }
            Ok(crowd.add_kind(kind)?)
        })?;
        place.put(added.to_bits());
        Ok(())
    })
}

/// Begins to build what a kind needs within the budgets of the next frames. `built` of their reports tells
/// when it is there.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_build_in_frames(crowd: SurefootCrowd, kind: SurefootKind) -> SurefootResult {
    done(|| {
        let kind = values::kind(kind)?;
        crowd.write(|crowd| Ok(crowd.crowd.build_in_frames(kind)?))
    })
}

/// Builds what a kind needs: one that was added as unbuilt, say. The crowd can be used meanwhile, by other
/// threads; what is edited meanwhile is told to what was built. `progress` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_build(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    progress: SurefootProgress,
    user: *mut c_void,
) -> SurefootResult {
    done(|| {
        let kind = values::kind(kind)?;
        let build = crowd.read(|crowd| Ok(crowd.crowd.build_of(kind)?))?;
        let built = build.run(&mut |event| tell(progress, user, &event))?;
        crowd.write(|crowd| Ok(crowd.crowd.give_database(kind, built)?))
    })
}

/// How far a build in frames is, in the stage that it is in: how much is done, and how much there is. Both
/// are 0 if there is none. Either place may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_build_progress(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    done: Out<u64>,
    all: Out<u64>,
) -> SurefootResult {
    problem::done(|| {
        let (done, all, kind) = (done.maybe("done")?, all.maybe("all")?, values::kind(kind)?);
        let progress = crowd.read(|crowd| Ok(crowd.crowd.build_progress(kind)?))?;
        done.put(progress.map_or(0, |progress| progress.done));
        all.answer(progress.map_or(0, |progress| progress.all))
    })
}

/// Cancels a build in frames.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_cancel_build(crowd: SurefootCrowd, kind: SurefootKind) -> SurefootResult {
    done(|| {
        let kind = values::kind(kind)?;
        crowd.write(|crowd| Ok(crowd.crowd.cancel_build(kind).map(drop)?))
    })
}

/// Whether what a kind needs is there, and whether it knows all edits of the map, which it does a number of
/// frames after the last: 1 or 0. Either place may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn surefoot_crowd_is_built(
    crowd: SurefootCrowd,
    kind: SurefootKind,
    is_built: Out<i32>,
    is_up_to_date: Out<i32>,
) -> SurefootResult {
    done(|| {
        let (is_built, is_up_to_date) = (is_built.maybe("is_built")?, is_up_to_date.maybe("is_up_to_date")?);
        let kind = values::kind(kind)?;
        crowd.read(|Crowd { crowd, .. }| {
            is_built.put(i32::from(crowd.is_built(kind)?));
            is_up_to_date.put(i32::from(crowd.is_up_to_date(kind)?));
            Ok(())
        })
    })
}
