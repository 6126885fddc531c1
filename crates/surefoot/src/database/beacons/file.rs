//! The file of beacons: what it was built from, how much there is, and the corners by importance. Corners, legs and labels follow from the map and that order: they are found anew when it is opened.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::build::Parts;
use super::{BeaconConfig, BeaconDatabase, BeaconFigures, BeaconFileInfo, CONTENTS};
use crate::codec::{CodecError, Reader, put_number};
use crate::database::container::{Container, DatabaseError, SharedBytes, malformed};
use crate::database::hub_labels::HubLabels;
use crate::space::World;

impl BeaconDatabase {
    /// The bytes of the file.
    pub(super) fn write(&self) -> Result<Vec<u8>, DatabaseError> {
        let mut labels = Vec::new();
        self.labels.write(&mut labels);
        let sections =
            [(*b"conf", self.config.to_bytes()), (*b"head", self.figures.to_bytes()), (*b"labl", labels)];
        Ok(Container::write(CONTENTS, &self.built_for, &sections))
    }

    /// Opens beacons for `world`. Corners and legs are found anew, and labels are unpacked.
    ///
    /// # Errors
    /// If the bytes are damaged, of another version or kind, or belong to another world.
    pub fn from_bytes(
        world: &impl World,
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<Self, DatabaseError> {
        let bytes: SharedBytes = Arc::new(bytes);
        let head = Head::read((*bytes).as_ref())?;
        head.container.built_for.check(world)?;
        let Some(space) = world.octile_grid().filter(|space| !space.is_weighted()) else {
            return Err(DatabaseError::Unsuitable { problem: "corners are for grids without weights" });
        };
        let parts = Parts::find(space);
        let wrong = |problem: &str| malformed("head", problem.to_string());
        if head.figures.corners as usize != parts.corners.count()
            || head.figures.legs != parts.graph.leg_count() as u64 / 2
        {
            return Err(wrong("the map has other corners, or other legs between them"));
        }
        let section = head.container.section("labl")?;
        let mut reader = Reader::new(&(*bytes).as_ref()[section]);
        // A forged order could make labels of any size.
        let labels = HubLabels::read(&parts.graph, space.costs(), head.figures.hubs, &mut reader)?;
        reader.finish()?;
        let made_of = (Arc::clone(&bytes), head.config, head.container.built_for);
        let mut opened = Self::assemble(space, made_of, parts, labels);
        // A decision takes no more than it says: that is held. What it takes in memory and at a corner is for this program to say.
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
    pub fn inspect(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<BeaconFileInfo, DatabaseError> {
        let bytes = bytes.as_ref();
        let Head { container, config, figures } = Head::read(bytes)?;
        Ok(BeaconFileInfo {
            version: crate::codec::version_of(bytes),
            config,
            figures,
            bytes: bytes.len() as u64,
            sections: container.sizes().collect(),
            built_for: container.built_for,
        })
    }
}

/// What a file says before its labels.
struct Head {
    container: Container,
    config: BeaconConfig,
    figures: BeaconFigures,
}

impl Head {
    fn read(all: &[u8]) -> Result<Self, DatabaseError> {
        let container = Container::read_of(CONTENTS, all)?;
        let section = |tag| container.section(tag).map(|range| Reader::new(&all[range]));
        // Files of beacons that were not exact have none.
        let mut head = section("head")?;
        let figures = BeaconFigures::read(&mut head)?;
        head.finish()?;
        let mut conf = section("conf")?;
        let config = BeaconConfig::read(&mut conf)?;
        conf.finish()?;
        Ok(Self { container, config, figures })
    }
}

impl BeaconFigures {
    fn to_bytes(self) -> Vec<u8> {
        let Self { corners, legs, hubs, most_legs, most_hubs, decision, next_leg, memory } = self;
        let mut out = Vec::new();
        for number in
            [corners.into(), legs, hubs, most_legs.into(), most_hubs.into(), decision, next_leg, memory]
        {
            put_number(&mut out, number);
        }
        out
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let mut number = || reader.number_up_to(u64::from(u32::MAX), "there is not so much of anything");
        let (corners, legs, hubs) = (number()? as u32, number()?, number()?);
        let (most_legs, most_hubs) = (number()? as u32, number()? as u32);
        let (decision, next_leg) = (number()?, number()?);
        let memory = reader.number()?;
        Ok(Self { corners, legs, hubs, most_legs, most_hubs, decision, next_leg, memory })
    }
}
