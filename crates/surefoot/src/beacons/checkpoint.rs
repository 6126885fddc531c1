//! Beacons of a map that was edited, as bytes: what crowds save.
//!
//! Beside the file it has which numbers corners have, legs, labels and what is still to be done after edits.
//! Where corners are and what legs cost follows from the map. Whoever wrote the bytes, moves stay legal and
//! walks end: agents ask the map before every run of moves, and hops lead to their hubs.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::build::Ways;
use super::climbs::Core;
use super::corners::Corners;
use super::edits::BeaconEdits;
use super::file::Head;
use super::first_labels::FirstLabels;
use super::renewal::{LabelRenewal, Relabelling};
use super::thinning::Thinning;
use super::turns::{Sectors, Turns};
use super::{BeaconDatabase, BeaconFigures, BeaconId, Labelled, Sight};
use crate::hub_labels::{HubLabels, Labelling, LegGraph};
use crate::space::{Cell, DirectionSet, GridSpace, State, StateSpace as _};
use crate::store::Checkpoint;
use crate::store::codec::{CodecError, Reader, put_number, put_signed, put_state, put_states};
use crate::store::container::{DatabaseError, SharedBytes};

impl Checkpoint for BeaconDatabase {
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut file = Cow::Borrowed(self.as_bytes());
        if file.is_empty() {
            // The first labels are still being made: there is no file yet.
            let figures = BeaconFigures { decision: self.figures.decision, ..BeaconFigures::default() };
            file = self.write_with(figures).into();
        }
        put_number(&mut out, file.len() as u64);
        out.extend_from_slice(&file);
        self.corners.save(self.built_for.size.0, &mut out);
        self.ways.save(&mut out);
        self.ways.labels.save(Some(&self.hops), &mut out);
        // They are of the corners as they were when labels were made.
        out.extend(self.heads.iter().flat_map(|head| head.to_le_bytes()));
        put_number(&mut out, u64::from(self.edits.is_some()));
        if let Some(edits) = &self.edits {
            edits.save(self.built_for.size.0, &mut out);
        }
        out
    }

    /// Corners are copied, and what is being made. All else is shared.
    fn work(&self) -> u64 {
        let copied = match self.edits.as_ref().and_then(|edits| edits.renewal.as_ref()) {
            Some(LabelRenewal::Core { legs, .. }) => legs.leg_count() as u64,
            Some(LabelRenewal::LabelsOfCore { legs, labels, .. }) => legs.leg_count() as u64 + labels.size(),
            Some(LabelRenewal::Labels { legs, labels: Relabelling::Anew(labels), .. }) => {
                legs.leg_count() as u64 + labels.size()
            }
            _ => 0,
        };
        (self.corners.slots() as u64 + copied) / 16
    }
}

impl BeaconDatabase {
    /// Whether nothing is half done.
    pub(super) fn is_whole(&self) -> bool {
        self.edits.as_ref().is_none_or(|edits| edits.is_whole())
    }

    /// Whether it is time for a checkpoint: much was done since the last.
    pub(super) fn is_milestone(&self) -> bool {
        self.edits.as_ref().is_none_or(|edits| edits.since == 0 && edits.is_whole())
    }

    /// What a checkpoint was of, for the map as it was then.
    pub(super) fn resumed(space: &GridSpace, bytes: &[u8]) -> Result<Self, DatabaseError> {
        let mut reader = Reader::new(bytes);
        let length = reader.count(1)?;
        let file = reader.bytes(length)?;
        let Head { container, config, figures } = Head::read(file)?;
        container.built_for.check_like(space)?;
        if space.is_weighted() {
            return Err(DatabaseError::Unsuitable { problem: "corners are for grids without weights" });
        }
        let turns = Arc::new(Turns::new(space.rule()));
        let corners = Corners::resumed(&mut reader, space, &turns)?;
        let sight = Sight { space, turns: &turns, corners: &corners };
        let cost = |from: u32, to: u32| {
            let [from, to] = [from, to].map(|node| corners.cell(BeaconId::from_node(node)));
            sight.estimate(from, to)
        };
        let legs = |reader: &mut Reader<'_>, is_one_way: bool| {
            LegGraph::resumed(reader, corners.slots(), is_one_way, cost)
        };
        let is_thin = reader.number_up_to(1, "this should be 0 or 1")? == 1;
        let graph = legs(&mut reader, is_thin)?;
        let of_core = if is_thin { Some(OfCore::read(&mut reader, &graph)?) } else { None };
        let (labels, hops) = HubLabels::resumed(&mut reader, &graph, space.costs())?;
        let heads = read_sectors(&mut reader, graph.nodes())?;
        let edits = match reader.number_up_to(1, "this should be 0 or 1")? {
            0 => None,
            _ => Some(Box::new(BeaconEdits::resumed(&mut reader, sight, |reader| legs(reader, false))?)),
        };
        reader.finish()?;
        let ways = match of_core {
            None => Ways::with_all(graph, labels),
            Some(OfCore { leaves, core, legs }) => Ways::with_core(graph, leaves, labels, (core, legs)),
        };
        let is_first = edits.as_ref().is_some_and(|edits| edits.first.is_some());
        let file = if is_first { Vec::new() } else { file.to_vec() };
        let made_of = (Arc::new(file) as SharedBytes, config, container.built_for);
        let mut resumed = Self::of_ways(space, made_of, (turns, corners), (ways, hops));
        (resumed.figures.decision, resumed.edits, resumed.heads) = (figures.decision, edits, Arc::new(heads));
        Ok(resumed)
    }
}

/// What there is beside the graph where only the core has labels.
struct OfCore {
    leaves: Vec<Sectors>,
    core: u32,
    legs: u64,
}

impl OfCore {
    fn read(reader: &mut Reader<'_>, graph: &LegGraph) -> Result<Self, CodecError> {
        Ok(Self {
            leaves: read_sectors(reader, graph.leg_count())?,
            core: reader.number_up_to(graph.nodes() as u64, "the core has no more corners than there are")?
                as u32,
            legs: reader.number_up_to(u64::from(u32::MAX), "there are not so many legs")?,
        })
    }
}

impl Ways {
    fn save(&self, out: &mut Vec<u8>) {
        put_number(out, u64::from(self.is_thin()));
        self.graph.save(self.is_thin(), out);
        if self.is_thin() {
            out.extend(self.leaves.iter().flat_map(|leaves| leaves.to_le_bytes()));
            put_number(out, u64::from(self.core));
            put_number(out, self.legs());
        }
    }
}

impl Corners {
    /// Writes the numbers of corners, in the order of the map; and numbers that are out of use.
    fn save(&self, width: u32, out: &mut Vec<u8>) {
        let mut next = 0;
        put_number(out, self.count() as u64);
        for corner in self.by_row() {
            put_signed(out, i64::from(corner.node()) - next);
            next = i64::from(corner.node()) + 1;
        }
        for list in [self.retired_ones(), self.unused_ones()] {
            put_number(out, list.len() as u64);
            for &corner in list {
                put_number(out, u64::from(corner.node()));
                put_state(out, state(width, self.cell(corner)));
            }
        }
    }

    fn resumed(reader: &mut Reader<'_>, space: &GridSpace, turns: &Turns) -> Result<Self, CodecError> {
        let found = Self::new(space.grid(), turns);
        if reader.number()? != found.count() as u64 {
            return Err(reader.malformed("the map has more or fewer corners"));
        }
        let (mut numbers, mut next) = (Vec::with_capacity(found.count()), 0_i64);
        for _ in 0..found.count() {
            let number = next.saturating_add(reader.signed()?);
            next = number.saturating_add(1);
            numbers.push(u32::try_from(number).map_err(|_| reader.malformed("no corner has such a number"))?);
        }
        let mut lists = [Vec::new(), Vec::new()];
        for list in &mut lists {
            for _ in 0..reader.count(2)? {
                let number = reader.number_up_to(u64::from(u32::MAX), "no corner has such a number")? as u32;
                list.push((number, space.cell(reader.state(space.state_limit())?)));
            }
        }
        let slots = numbers.len() + lists.iter().map(Vec::len).sum::<usize>();
        let mut corners = vec![None; slots];
        let all = numbers.iter().zip(BeaconId::first(numbers.len()));
        let there = all.map(|(&number, place)| (number, (found.cell(place), found.around(place))));
        let others = lists.iter().flatten().map(|&(number, cell)| (number, (cell, DirectionSet::NONE)));
        for (number, corner) in there.chain(others) {
            match corners.get_mut(number as usize) {
                Some(slot @ None) => *slot = Some(corner),
                _ => return Err(reader.malformed("a corner's number is another's, or too high")),
            }
        }
        // There are as many as slots, and none came twice.
        let (cells, around) = corners.into_iter().flatten().unzip();
        let [retired, unused] = lists
            .map(|list| list.into_iter().map(|(number, _)| BeaconId::from_node(number)).collect::<Vec<_>>());
        Ok(Self::of_slots(space.grid(), (cells, around), retired, unused))
    }
}

impl BeaconEdits {
    /// Whether it can be resumed from here: legs and labels are not being made anew, or enough was done of it
    /// since the last time.
    fn is_whole(&self) -> bool {
        match &self.renewal {
            None => true,
            Some(LabelRenewal::Core { .. }) => self.since == 0,
            Some(
                LabelRenewal::LabelsOfCore { labels, .. }
                | LabelRenewal::Labels { labels: Relabelling::Anew(labels), .. },
            ) => self.since == 0 && labels.is_between_hubs(),
            Some(_) => false,
        }
    }

    fn save(&self, width: u32, out: &mut Vec<u8>) {
        let Self { mark, is_outdated, around, changed, legs, renewal, first, .. } = self;
        out.extend_from_slice(&mark.to_le_bytes());
        let flags = [*is_outdated, legs.is_some(), first.is_some()];
        put_number(out, flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag)));
        put_number(out, u64::from(*changed));
        put_states(out, &around.iter().map(|&cell| state(width, cell)).collect::<Vec<_>>());
        if let Some(legs) = legs {
            legs.save(false, out);
        }
        if let Some(first) = first {
            first.save(width, out);
        }
        match renewal {
            Some(LabelRenewal::Core { legs, thinning, retired }) => {
                put_number(out, 1);
                put_number(out, *retired as u64);
                legs.save(false, out);
                thinning.save(out);
            }
            Some(LabelRenewal::LabelsOfCore { legs, core, labels, retired }) => {
                put_number(out, 2);
                put_number(out, *retired as u64);
                legs.save(false, out);
                core.save(out);
                labels.save(out);
            }
            Some(LabelRenewal::Labels { legs, labels: Relabelling::Anew(labels), retired }) => {
                put_number(out, 3);
                put_number(out, *retired as u64);
                legs.save(false, out);
                labels.save(out);
            }
            // Nothing else is half done.
            _ => put_number(out, 0),
        }
    }

    fn resumed<'a>(
        reader: &mut Reader<'a>,
        sight: Sight<'_>,
        read_legs: impl Fn(&mut Reader<'a>) -> Result<LegGraph, CodecError>,
    ) -> Result<Self, CodecError> {
        let space = sight.space;
        let mark = u64::from_le_bytes(reader.array()?);
        let flags = reader.number_up_to(7, "there are three flags")?;
        let changed = reader.number_up_to(u64::from(u32::MAX), "not so many corners change")? as u32;
        let around = reader.states(space.state_limit())?.into_iter().map(|state| space.cell(state)).collect();
        let legs = if flags & 2 == 2 { Some(Arc::new(read_legs(reader)?)) } else { None };
        let first = if flags & 4 == 4 { Some(Box::new(FirstLabels::resumed(reader, space)?)) } else { None };
        let renewal = match reader.number_up_to(3, "nothing else is half done")? {
            0 => None,
            stage => {
                let most = sight.corners.slots() as u64;
                let retired = reader.number_up_to(most, "not so many corners were retired")? as usize;
                let legs = read_legs(reader)?;
                Some(if stage == 3 {
                    let labels = Relabelling::Anew(Box::new(Labelling::resumed(reader, &legs)?));
                    LabelRenewal::Labels { legs, labels, retired }
                } else if stage == 1 {
                    let thinning = Box::new(Thinning::resumed(reader, sight, legs.nodes())?);
                    LabelRenewal::Core { legs: Arc::new(legs), thinning, retired }
                } else {
                    let core = Box::new(Core::resumed(reader, sight, legs.nodes())?);
                    let labels = Box::new(Labelling::resumed(reader, &core.graph())?);
                    LabelRenewal::LabelsOfCore { legs: Arc::new(legs), core, labels, retired }
                })
            }
        };
        let is_outdated = flags & 1 == 1;
        Ok(Self { mark, is_outdated, around, changed, renewal, since: 0, legs, looked: 0, first })
    }
}

impl FirstLabels {
    fn save(&self, width: u32, out: &mut Vec<u8>) {
        let Self { labelled, sample, worst, is_too_much, is_edited } = self;
        put_number(out, *labelled as u64);
        put_number(out, u64::from(*is_too_much) | u64::from(*is_edited) << 1);
        put_number(out, *worst);
        put_states(out, &sample.iter().map(|&cell| state(width, cell)).collect::<Vec<_>>());
    }

    fn resumed(reader: &mut Reader<'_>, space: &GridSpace) -> Result<Self, CodecError> {
        let labelled = reader.number_up_to(2, "there is no such choice of labels")?;
        let flags = reader.number_up_to(3, "there are two flags")?;
        let worst = reader.number_up_to(u64::from(u32::MAX), "no decision takes so much")?;
        let sample = reader.states(space.state_limit())?.into_iter().map(|state| space.cell(state)).collect();
        let [is_too_much, is_edited] = [1, 2].map(|flag| flags & flag != 0);
        Ok(Self { labelled: Labelled::NAMES[labelled as usize].1, sample, worst, is_too_much, is_edited })
    }
}

fn read_sectors(reader: &mut Reader<'_>, count: usize) -> Result<Vec<Sectors>, CodecError> {
    let all = reader.bytes(2 * count)?.as_chunks().0;
    Ok(all.iter().map(|&bytes| Sectors::from_le_bytes(bytes)).collect())
}

fn state(width: u32, cell: Cell) -> State {
    State(cell.y * width + cell.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::beacons::{BeaconConfig, Labelled};
    use crate::space::{CostModel, Grid, MoveRule};
    use crate::store::draws::Draws;

    /// A map that is not all open, and its beacons after some edits. The last are still to be seen to.
    fn edited(draws: &mut Draws, labels: Labelled) -> (GridSpace, BeaconDatabase) {
        let (width, height) = (3 + draws.below(24) as u32, 3 + draws.below(24) as u32);
        let walls = 4 + draws.below(12);
        let grid = Grid::from_fn(width, height, |_| draws.below(walls) > 0).unwrap();
        let rule = MoveRule::ALL[draws.below(4) as usize];
        let mut space = GridSpace::new(grid, rule, CostModel::ALL[draws.below(2) as usize]);
        let config = BeaconConfig::default().with_labels(labels);
        // Some are still being built when they are edited and saved.
        let mut database = match draws.below(3) {
            0 => BeaconDatabase::without_labels(&space, config).unwrap(),
            _ => BeaconDatabase::build(&space, config).unwrap(),
        };
        for _ in 0..draws.below(5) {
            edit(&mut space, &mut database, draws);
            // Some edits come while labels are made.
            for _ in 0..draws.below(40) {
                database.label_on(&space);
            }
        }
        // On to the next place that it can be resumed from, or one of those after.
        let mut left = draws.below(4);
        while !database.is_whole() || left > 0 && database.is_labelling() {
            left = left.saturating_sub(u64::from(database.is_whole()));
            database.label_on(&space);
        }
        (space, database)
    }

    fn edit(space: &mut GridSpace, database: &mut BeaconDatabase, draws: &mut Draws) {
        let limit = space.state_limit() as u64;
        let cells: Vec<Cell> =
            (0..=draws.below(4)).map(|_| space.cell(State(draws.below(limit) as u32))).collect();
        for &cell in &cells {
            space.set(cell, !space.grid().is_free(cell));
        }
        database.repair_but_labels(space, cells).unwrap();
    }

    #[test]
    fn a_database_that_is_resumed_goes_on_as_the_other() {
        let (mut stages, mut firsts) = ([0; 4], [0; 4]);
        for seed in 0..150 {
            let mut draws = Draws::new(seed, 0);
            let (mut space, mut database) = edited(&mut draws, Labelled::NAMES[seed as usize % 3].1);
            let stage = match database.edits.as_ref().and_then(|edits| edits.renewal.as_ref()) {
                Some(LabelRenewal::Core { .. }) => 0,
                Some(LabelRenewal::LabelsOfCore { .. }) => 1,
                Some(_) => 2,
                None => 3,
            };
            stages[stage] += 1;
            let is_first = database.edits.as_ref().is_some_and(|edits| edits.first.is_some());
            firsts[stage] += u32::from(is_first);
            let bytes = database.to_bytes();
            let mut resumed = BeaconDatabase::resumed(&space, &bytes).unwrap();
            assert!(resumed.to_bytes() == bytes, "{seed}");
            assert_eq!(resumed.corners, database.corners, "{seed}");
            assert_eq!((&resumed.hops, &resumed.heads), (&database.hops, &database.heads), "{seed}");
            assert_eq!(resumed.ways.labels, database.ways.labels, "{seed}");
            for _ in 0..6 {
                for _ in 0..draws.below(60) {
                    assert_eq!(resumed.label_on(&space), database.label_on(&space), "{seed}");
                }
                let mut same = draws.clone();
                let mut map = space.clone();
                edit(&mut map, &mut resumed, &mut same);
                edit(&mut space, &mut database, &mut draws);
            }
            while let Some(piece) = database.label_on(&space) {
                assert_eq!(resumed.label_on(&space), Some(piece), "{seed}");
            }
            assert!(database.is_whole() && resumed.to_bytes() == database.to_bytes(), "{seed}");
        }
        let counts = stages.iter().chain(&firsts);
        assert!(counts.min() > Some(&0), "something is half done in all ways: {stages:?}, {firsts:?}");
    }

    #[test]
    fn no_checkpoint_is_trusted() {
        let mut accepted = 0;
        for seed in 0..3000 {
            let mut draws = Draws::new(seed, 1);
            let (mut space, database) = edited(&mut draws, Labelled::NAMES[1 + seed as usize % 2].1);
            let mut bytes = database.to_bytes();
            // The file has a checksum of its own.
            let first = Reader::new(&bytes).number().unwrap() as usize + 2;
            for _ in 0..=draws.below(4) {
                let place = first + draws.below((bytes.len() - first) as u64) as usize;
                bytes[place] = match draws.below(4) {
                    0 => bytes[place].wrapping_add(1),
                    1 => bytes[place].wrapping_sub(1),
                    2 => draws.below(8) as u8,
                    _ => draws.below(256) as u8,
                };
            }
            let Ok(mut forged) = BeaconDatabase::resumed(&space, &bytes) else { continue };
            accepted += 1;
            for _ in 0..3 {
                let free: Vec<Cell> = space.grid().free_cells().collect();
                for _ in 0..if free.is_empty() { 0 } else { 20 } {
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
            BeaconDatabase::resumed(&space, &forged.to_bytes()).unwrap();
        }
        assert!(accepted > 200, "some changes make other beacons: {accepted}");
    }
}
