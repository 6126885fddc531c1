//! The file of transit nodes: what it was built from, how much there is, where nodes are, legs with their
//! moves, and the order of hubs. What legs cost, and the labels, are found anew when it is opened.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::build::MOST_HUBS;
use super::legs::LegTable;
use super::moves::Moves;
use super::nodes::Nodes;
use super::{CONTENTS, Network, TransitConfig, TransitDatabase, TransitFigures, TransitFileInfo};
use crate::hub_labels::HubLabels;
use crate::space::{Cost, GridSpace, State, StateSpace as _, World};
use crate::store::codec::{CodecError, Reader, put_number};
use crate::store::container::{Container, DatabaseError, SharedBytes, malformed};
use crate::store::pool::Pool;

impl TransitDatabase {
    /// The bytes of the file.
    pub(super) fn write(&self) -> Vec<u8> {
        let Network { nodes, legs, labels, figures } = &*self.network;
        let mut of_nodes = Vec::new();
        let mut next = 0;
        for &State(state) in nodes.states() {
            put_number(&mut of_nodes, u64::from(state - next));
            next = state + 1;
        }
        let (mut of_legs, mut of_moves) = (Vec::new(), Vec::new());
        for from in 0..nodes.len() as u32 {
            let onwards = || legs.of(from).filter(|&(to, ..)| to > from);
            put_number(&mut of_legs, onwards().count() as u64);
            let mut next = from + 1;
            for (to, _, number) in onwards() {
                put_number(&mut of_legs, u64::from(to - next));
                put_number(&mut of_legs, u64::from(legs.length(number)));
                next = to + 1;
            }
        }
        legs.moves().write(&mut of_moves);
        let mut of_labels = Vec::new();
        labels.write(&mut of_labels);
        let sections = [
            (*b"conf", self.config.to_bytes()),
            (*b"head", figures.to_bytes()),
            (*b"node", of_nodes),
            (*b"legs", of_legs),
            (*b"move", of_moves),
            (*b"labl", of_labels),
        ];
        Container::write(CONTENTS, &self.built_for, &sections)
    }

    /// Opens transit nodes for `world`. What legs cost is looked up on the map, and labels are made anew.
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
        let all = (**bytes).as_ref();
        let head = Head::read(all)?;
        head.container.built_for.check(world)?;
        let Some(space) = world.octile_grid() else {
            return Err(DatabaseError::Unsuitable { problem: "transit nodes are for grids" });
        };
        let section = |tag| head.container.section(tag).map(|range| Reader::new(&all[range]));
        let nodes = read_nodes(space, &head.figures, &mut section("node")?)?;
        let legs = read_legs(space, &nodes, &mut section("legs")?, &mut section("move")?)?;
        let mut reader = section("labl")?;
        let most = (nodes.len() as u64).saturating_mul(nodes.len() as u64).min(MOST_HUBS);
        let labels = HubLabels::read(&legs.graph, space.costs(), most, &mut reader)?;
        reader.finish()?;
        let network = Network::new(nodes, legs, labels, head.figures.reach);
        if network.figures != head.figures {
            let problem = "there is more or less of something than it says";
            return Err(malformed("head", problem.to_string()));
        }
        Ok(Self {
            config: head.config,
            built_for: head.container.built_for,
            network: Arc::new(network),
            edits: None,
            pool: Pool::default(),
            bytes: Arc::clone(bytes),
        })
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: &[u8]) -> Result<TransitFileInfo, DatabaseError> {
        let Head { container, config, figures } = Head::read(bytes)?;
        Ok(TransitFileInfo {
            version: crate::store::codec::version_of(bytes),
            config,
            figures,
            bytes: bytes.len() as u64,
            sections: container.sizes().collect(),
            built_for: container.built_for,
        })
    }
}

fn read_nodes(
    space: &GridSpace,
    figures: &TransitFigures,
    reader: &mut Reader<'_>,
) -> Result<Nodes, CodecError> {
    let mut states = Vec::new();
    let mut next = 0;
    for _ in 0..figures.nodes {
        let state = reader.state_from(next, space.state_limit())?;
        if !space.contains(state) {
            return Err(reader.malformed("a transit node lies in a wall"));
        }
        next = u64::from(state.0) + 1;
        states.push(state);
    }
    reader.finish()?;
    Ok(Nodes::new(space.state_limit(), states))
}

fn read_legs(
    space: &GridSpace,
    nodes: &Nodes,
    reader: &mut Reader<'_>,
    moves: &mut Reader<'_>,
) -> Result<LegTable, CodecError> {
    let most = nodes.len() as u64;
    let packed = Moves::read(moves)?;
    moves.finish()?;
    let (mut legs, mut ranges): (Vec<(u32, u32, Cost)>, _) = (Vec::new(), Vec::from([0_u32]));
    let mut at = 0_u32;
    for (from, &start) in (0..).zip(nodes.states()) {
        let mut next = u64::from(from) + 1;
        for _ in 0..reader.number_up_to(most, "a node has more legs than there are nodes")? {
            let to = next + reader.number_up_to(most, "a leg leads nowhere")?;
            next = to + 1;
            let length = reader.number_up_to(u64::from(packed.len() - at), "there are fewer moves")? as u32;
            let (mut state, mut cost): (State, Cost) = (start, 0);
            for direction in packed.range(at..at + length) {
                if !space.moves(state).contains(direction) {
                    return Err(reader.malformed("a leg leads into a wall"));
                }
                cost += space.step_cost(state, direction);
                state = space.step(state, direction);
            }
            if length == 0 || to >= most || nodes.state(to as u32) != Some(state) {
                return Err(reader.malformed("a leg does not lead to its end"));
            }
            at += length;
            ranges.push(at);
            legs.push((from, to as u32, cost));
        }
    }
    reader.finish()?;
    if at != packed.len() {
        return Err(reader.malformed("there are more moves than legs have"));
    }
    Ok(LegTable::of_parts(nodes.len(), &legs, ranges, packed))
}

/// What a file says before its nodes.
pub(super) struct Head {
    pub(super) container: Container,
    pub(super) config: TransitConfig,
    figures: TransitFigures,
}

impl Head {
    pub(super) fn read(all: &[u8]) -> Result<Self, DatabaseError> {
        let container = Container::read_of(CONTENTS, all)?;
        let section = |tag| container.section(tag).map(|range| Reader::new(&all[range]));
        let mut head = section("head")?;
        let figures = TransitFigures::read(&mut head)?;
        head.finish()?;
        let mut conf = section("conf")?;
        let config = TransitConfig::read(&mut conf)?;
        conf.finish()?;
        Ok(Self { container, config, figures })
    }
}

impl TransitFigures {
    fn to_bytes(self) -> Vec<u8> {
        let Self { reach, nodes, legs, moves, hubs, most_legs, most_hubs, most_moves, next_leg } = self;
        let small = [reach, nodes, most_legs, most_hubs, most_moves].map(u64::from);
        let mut out = Vec::new();
        small
            .into_iter()
            .chain([legs, moves, hubs, next_leg])
            .for_each(|number| put_number(&mut out, number));
        out
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, CodecError> {
        let mut small = || reader.number_up_to(u64::from(u32::MAX), "there is not so much of anything");
        let (reach, nodes, most_legs) = (small()? as u32, small()? as u32, small()? as u32);
        let (most_hubs, most_moves) = (small()? as u32, small()? as u32);
        let (legs, moves, hubs) = (small()?, small()?, small()?);
        Ok(Self {
            reach,
            nodes,
            legs,
            moves,
            hubs,
            most_legs,
            most_hubs,
            most_moves,
            next_leg: reader.number()?,
        })
    }
}
