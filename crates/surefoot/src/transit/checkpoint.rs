//! Transit nodes of a map that was edited, as bytes: what crowds save.
//!
//! Nodes may be in walls by now, and legs cut: agents ask the map before every move.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::edits::TransitEdits;
use super::file::Head;
use super::legs::LegTable;
use super::moves::Moves;
use super::nodes::Nodes;
use super::{Network, TransitDatabase};
use crate::hub_labels::{HubLabels, MOST_COST, are_too_long};
use crate::space::{Cost, GridSpace, State, StateSpace as _};
use crate::store::Checkpoint;
use crate::store::codec::{CodecError, Reader, put_number, put_states};
use crate::store::container::{DatabaseError, SharedBytes};
use crate::store::pool::Pool;

impl Checkpoint for TransitDatabase {
    fn to_bytes(&self) -> Vec<u8> {
        let Network { nodes, legs, labels, figures } = &*self.network;
        let mut out = Vec::new();
        put_number(&mut out, self.as_bytes().len() as u64);
        out.extend_from_slice(self.as_bytes());
        put_number(&mut out, u64::from(figures.reach));
        put_number(&mut out, nodes.first_ones().len() as u64);
        put_states(&mut out, nodes.states());
        for from in 0..nodes.len() as u32 {
            let onwards = || legs.of(from).filter(|&(to, ..)| to > from);
            put_number(&mut out, onwards().count() as u64);
            for (to, cost, number) in onwards() {
                put_number(&mut out, u64::from(to));
                put_number(&mut out, u64::from(legs.length(number)));
                put_number(&mut out, cost);
            }
        }
        legs.moves().write(&mut out);
        labels.save(None, &mut out);
        put_number(&mut out, u64::from(self.edits.is_some()));
        if let Some(edits) = &self.edits {
            out.extend_from_slice(&edits.mark().to_le_bytes());
            put_states(&mut out, edits.changed());
        }
        out
    }

    /// All is shared until it is made anew.
    fn work(&self) -> u64 {
        1
    }
}

impl TransitDatabase {
    /// Whether nothing is half done.
    pub(super) fn is_whole(&self) -> bool {
        self.edits.as_ref().is_none_or(|edits| edits.is_whole())
    }

    /// What a checkpoint was of, for the map as it was then.
    pub(super) fn resumed(space: &GridSpace, bytes: &[u8]) -> Result<Self, DatabaseError> {
        let mut reader = Reader::new(bytes);
        let length = reader.count(1)?;
        let file = reader.bytes(length)?;
        let Head { container, config, .. } = Head::read(file)?;
        container.built_for.check_like(space)?;
        let limit = space.state_limit();
        let reach = reader.number_up_to(u64::from(u32::MAX), "no ball is so large")? as u32;
        let first = reader.number()?;
        let states = reader.states(limit)?;
        let nodes = usize::try_from(first).ok().and_then(|first| Nodes::of_parts(limit, states, first));
        let nodes = nodes.ok_or_else(|| reader.malformed("these are no transit nodes"))?;
        let legs = read_legs(space, &nodes, &mut reader)?;
        let (labels, _) = HubLabels::resumed(&mut reader, &legs.graph, space.costs())?;
        let edits = match reader.number_up_to(1, "this should be 0 or 1")? {
            0 => None,
            _ => {
                let mark = u64::from_le_bytes(reader.array()?);
                Some(Box::new(TransitEdits::new(mark, reader.states(limit)?)))
            }
        };
        reader.finish()?;
        Ok(Self {
            config,
            built_for: container.built_for,
            network: Arc::new(Network::new(nodes, legs, labels, reach)),
            edits,
            pool: Pool::default(),
            bytes: Arc::new(file.to_vec()) as SharedBytes,
        })
    }
}

fn read_legs(space: &GridSpace, nodes: &Nodes, reader: &mut Reader<'_>) -> Result<LegTable, CodecError> {
    let last = (nodes.len() as u64).saturating_sub(1);
    let (mut legs, mut ranges): (Vec<(u32, u32, Cost)>, _) = (Vec::new(), Vec::from([0_u32]));
    let (mut at, mut longest) = (0_u32, alloc::vec![0; nodes.len()]);
    for from in 0..nodes.len() as u32 {
        let mut before = from;
        for _ in 0..reader.count(3)? {
            let to = reader.number_up_to(last, "there is no such transit node")? as u32;
            let length = reader.number_up_to(u64::from(u32::MAX / 4), "no leg has so many moves")? as u32;
            let cost = reader.number_up_to(MOST_COST, "no leg costs so much")?;
            at = at.checked_add(length).ok_or_else(|| reader.malformed("legs have too many moves"))?;
            if to <= before || cost == 0 || length == 0 {
                return Err(reader.malformed("this is no leg, or they are not in order"));
            }
            before = to;
            ranges.push(at);
            legs.push((from, to, cost));
            for node in [from, to] {
                longest[node as usize] = cost.max(longest[node as usize]);
            }
        }
    }
    if are_too_long(&longest) {
        return Err(reader.malformed("legs cost too much"));
    }
    let moves = Moves::read(reader)?;
    if at != moves.len() {
        return Err(reader.malformed("legs have more or fewer moves than there are"));
    }
    for (&(from, to, _), range) in legs.iter().zip(ranges.windows(2)) {
        let mut walk = moves.range(range[0]..range[1]);
        let end = walk.try_fold(nodes.state(from), |state: Option<State>, direction| {
            let cell = space.cell(state?);
            let (dx, dy) = direction.delta();
            let next = (cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?);
            Some(space.state_at(next.into()))
        });
        if end.flatten() != nodes.state(to) {
            return Err(reader.malformed("a leg does not lead to its end"));
        }
    }
    Ok(LegTable::of_parts(nodes.len(), &legs, ranges, moves))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Cell, CellWeights, CostModel, Grid, MoveRule};
    use crate::store::draws::Draws;
    use crate::transit::TransitConfig;

    fn edited(draws: &mut Draws) -> (GridSpace, TransitDatabase) {
        let (width, height) = (5 + draws.below(20) as u32, 5 + draws.below(20) as u32);
        let walls = 4 + draws.below(12);
        let grid = Grid::from_fn(width, height, |_| draws.below(walls) > 0).unwrap();
        let weights = CellWeights::from_fn(width, height, |_| 1 + draws.below(9) as u8).unwrap();
        let rule = MoveRule::ALL[draws.below(4) as usize];
        let mut space = match draws.below(2) {
            0 => GridSpace::new(grid, rule, CostModel::Sqrt2),
            _ => GridSpace::weighted(grid, rule, CostModel::Sqrt2, weights).unwrap(),
        };
        let config = TransitConfig { reach: 20, ..TransitConfig::default() };
        let mut database = TransitDatabase::build(&space, config).unwrap();
        for left in (0..draws.below(6)).rev() {
            edit(&mut space, &mut database, draws);
            while left > 0 && database.label_on(&space).is_some() {}
        }
        (space, database)
    }

    fn edit(space: &mut GridSpace, database: &mut TransitDatabase, draws: &mut Draws) {
        let limit = space.state_limit() as u64;
        let cells: Vec<Cell> =
            (0..=draws.below(4)).map(|_| space.cell(State(draws.below(limit) as u32))).collect();
        for &cell in &cells {
            if space.is_weighted() && draws.below(2) == 0 {
                space.set_weight(cell, 1 + draws.below(30) as u8).unwrap();
            } else {
                space.set(cell, !space.grid().is_free(cell));
            }
        }
        database.repair_but_labels(space, cells).unwrap();
    }

    #[test]
    fn a_database_that_is_resumed_goes_on_as_the_other() {
        for seed in 0..80 {
            let mut draws = Draws::new(seed, 0);
            let (mut space, mut database) = edited(&mut draws);
            let bytes = database.to_bytes();
            let mut resumed = TransitDatabase::resumed(&space, &bytes).unwrap();
            assert!(resumed.to_bytes() == bytes, "{seed}");
            assert_eq!(resumed.network.nodes, database.network.nodes, "{seed}");
            assert_eq!(resumed.network.legs, database.network.legs, "{seed}");
            assert_eq!(resumed.network.figures, database.network.figures, "{seed}");
            for _ in 0..6 {
                for _ in 0..draws.below(60) {
                    assert_eq!(resumed.label_on(&space), database.label_on(&space), "{seed}");
                }
                let (mut same, mut map) = (draws.clone(), space.clone());
                edit(&mut map, &mut resumed, &mut same);
                edit(&mut space, &mut database, &mut draws);
            }
            while let Some(piece) = database.label_on(&space) {
                assert_eq!(resumed.label_on(&space), Some(piece), "{seed}");
            }
            assert!(database.is_whole() && resumed.to_bytes() == database.to_bytes(), "{seed}");
        }
    }

    #[test]
    fn no_checkpoint_is_trusted() {
        let mut accepted = 0;
        for seed in 0..2000 {
            let mut draws = Draws::new(seed, 1);
            let (mut space, database) = edited(&mut draws);
            let mut bytes = database.to_bytes();
            // The file has a checksum of its own.
            let first = database.as_bytes().len() + 2;
            for _ in 0..=draws.below(4) {
                let place = first + draws.below((bytes.len() - first) as u64) as usize;
                bytes[place] = match draws.below(3) {
                    0 => bytes[place].wrapping_add(1),
                    1 => bytes[place].wrapping_sub(1),
                    _ => draws.below(256) as u8,
                };
            }
            let Ok(mut forged) = TransitDatabase::resumed(&space, &bytes) else { continue };
            accepted += 1;
            for _ in 0..3 {
                let free: Vec<Cell> = space.grid().free_cells().collect();
                for _ in 0..if free.is_empty() { 0 } else { 10 } {
                    let [from, to] =
                        [(); 2].map(|()| space.state(free[draws.below(free.len() as u64) as usize]));
                    // Whatever it says, it comes to an end.
                    let cost = forged.cost(&space, from, to);
                    assert!(cost.is_none_or(|cost| cost < 1 << 63));
                    let _ = forged.path(&space, from, to);
                }
                edit(&mut space, &mut forged, &mut draws);
                while forged.label_on(&space).is_some() {}
            }
            TransitDatabase::resumed(&space, &forged.to_bytes()).unwrap();
        }
        assert!(accepted > 200, "some changes make other networks: {accepted}");
    }
}
