//! The file of beacons: what it was built from, how much there is, and by importance the corners that have
//! labels. All else follows from the map and that order, and is found anew when it is opened.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::build::{Parts, Ways};
use super::climbs::Climbs;
use super::thinning::Thinning;
use super::{BeaconConfig, BeaconDatabase, BeaconFigures, BeaconFileInfo, BeaconId, CONTENTS};
use crate::hub_labels::{HubLabels, write_order};
use crate::space::{GridSpace, World, sorting};
use crate::store::codec::{CodecError, Reader, put_number};
use crate::store::container::{Container, DatabaseError, SharedBytes, malformed};

impl BeaconDatabase {
    /// The bytes of the file.
    pub(super) fn write(&self) -> Vec<u8> {
        self.write_with(self.figures)
    }

    /// The same with these figures.
    pub(super) fn write_with(&self, figures: BeaconFigures) -> Vec<u8> {
        let mut labels = Vec::new();
        self.ways.write(&mut labels);
        let sections =
            [(*b"conf", self.config.to_bytes()), (*b"figs", figures.to_bytes()), (*b"labl", labels)];
        Container::write(CONTENTS, &self.built_for, &sections)
    }

    /// Opens beacons for `world`. Corners, legs and the core are found anew, and labels are made in the order
    /// of the file.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version or kind, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        Self::from_shared(world, &(Arc::new(bytes) as SharedBytes))
    }

    /// The same for bytes that are shared already.
    pub(super) fn from_shared(world: &impl World, bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let head = Head::read((**bytes).as_ref())?;
        head.container.built_for.check(world)?;
        let Some(space) = world.octile_grid().filter(|space| !space.is_weighted()) else {
            return Err(DatabaseError::Unsuitable { problem: "corners are for grids without weights" });
        };
        let parts = Parts::find(space);
        let wrong = |problem: &str| malformed("figs", problem.to_string());
        if head.figures.corners as usize != parts.corners.count()
            || head.figures.legs != parts.graph.leg_count() as u64 / 2
        {
            return Err(wrong("the map has other corners, or other legs between them"));
        }
        let section = head.container.section("labl")?;
        let mut reader = Reader::new(&(**bytes).as_ref()[section]);
        let ways = Ways::read(space, &parts, head.figures, &mut reader)?;
        reader.finish()?;
        let made_of = (Arc::clone(bytes), head.config, head.container.built_for);
        let mut opened = Self::assemble(space, made_of, parts, ways);
        // A decision takes no more than it says: that is held. What it takes in memory and at a corner is for
        // this program to say.
        opened.figures.decision = head.figures.decision;
        let BeaconFigures { memory, next_leg, .. } = opened.figures;
        let expected = BeaconFigures { memory, next_leg, ..head.figures };
        if opened.figures != expected {
            return Err(wrong("there is more or less of something than it says"));
        }
        Ok(opened)
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: &[u8]) -> Result<BeaconFileInfo, DatabaseError> {
        let Head { container, config, figures } = Head::read(bytes)?;
        Ok(BeaconFileInfo {
            version: crate::store::codec::version_of(bytes),
            config,
            figures,
            bytes: bytes.len() as u64,
            sections: container.sizes().collect(),
            built_for: container.built_for,
        })
    }
}

/// What a file says before its labels.
pub(super) struct Head {
    pub(super) container: Container,
    pub(super) config: BeaconConfig,
    pub(super) figures: BeaconFigures,
}

impl Head {
    pub(super) fn read(all: &[u8]) -> Result<Self, DatabaseError> {
        let container = Container::read_of(CONTENTS, all)?;
        let section = |tag| container.section(tag).map(|range| Reader::new(&all[range]));
        // Files of before there was a core have none.
        let mut head = section("figs")?;
        let figures = BeaconFigures::read(&mut head)?;
        head.finish()?;
        let mut conf = section("conf")?;
        let config = BeaconConfig::read(&mut conf)?;
        conf.finish()?;
        Ok(Self { container, config, figures })
    }
}

impl Ways {
    /// Writes the order of the corners that have labels: all else follows.
    fn write(&self, out: &mut Vec<u8>) {
        if self.is_thin() {
            let core = || self.labels.corners().take(self.core as usize);
            let mut corners: Vec<BeaconId> = core().collect();
            sorting::sort(&mut corners);
            let number = |corner: BeaconId| corners.binary_search(&corner).unwrap_or(0) as u32;
            let order: Vec<u32> = core().map(number).collect();
            let entries = core().map(|corner| self.labels.hubs_of_corner(corner).len());
            write_order(entries.sum::<usize>() as u64, &order, out);
        } else {
            write_order(self.labels.entries() as u64, self.labels.order(), out);
        }
    }

    /// Reads what was written for the same map.
    fn read(
        space: &GridSpace,
        parts: &Parts,
        figures: BeaconFigures,
        reader: &mut Reader<'_>,
    ) -> Result<Self, CodecError> {
        // A forged order could make labels of any size.
        if !figures.is_thin {
            let labels = HubLabels::read(&parts.graph, space.costs(), figures.hubs, reader)?;
            return Ok(Self::of_all(&parts.graph, labels));
        }
        let sight = parts.sight(space);
        let core = Thinning::of(sight, &parts.graph);
        let labels = HubLabels::read(&core.graph(), space.costs(), figures.hubs, reader)?;
        Ok(Self::over_core(&parts.graph, Climbs::of(sight, core, labels)))
    }
}

impl BeaconFigures {
    fn to_bytes(self) -> Vec<u8> {
        let Self { corners, core, legs, hubs, most_legs, most_hubs, decision, next_leg, memory, is_thin } =
            self;
        let mut out = Vec::new();
        let small = [corners, core, most_legs, most_hubs, u32::from(is_thin)].map(u64::from);
        for number in small.into_iter().chain([legs, hubs, decision, next_leg, memory]) {
            put_number(&mut out, number);
        }
        out
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let mut number = || reader.number_up_to(u64::from(u32::MAX), "there is not so much of anything");
        let mut small = || number().map(|number| number as u32);
        let (corners, core, most_legs, most_hubs, is_thin) =
            (small()?, small()?, small()?, small()?, small()? != 0);
        let (legs, hubs, decision, next_leg) = (number()?, number()?, number()?, number()?);
        let memory = reader.number()?;
        Ok(Self { corners, core, legs, hubs, most_legs, most_hubs, decision, next_leg, memory, is_thin })
    }
}
