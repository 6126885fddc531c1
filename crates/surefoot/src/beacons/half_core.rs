//! A core that is being found, as bytes: what crowds save of it.
//!
//! Legs between corners that are left lead both ways. Those of corners that went lead to others that went
//! later, or are left. All else is made of that, and it is checked.

use crate::space::sorting;
use alloc::vec;
use alloc::vec::Vec;

use super::BeaconId;
use super::climbs::Core;
use super::sight::Sight;
use super::thinning::{CoreLeg, Thinning};
use super::tuning::ROUNDS;
use crate::store::codec::{CodecError, Reader, put_number};

fn put_leg(out: &mut Vec<u8>, leg: CoreLeg) {
    put_number(out, u64::from(leg.end.node()));
    out.extend_from_slice(&leg.leaves.to_le_bytes());
    out.extend_from_slice(&leg.arrives.to_le_bytes());
}

fn put_corners(out: &mut Vec<u8>, corners: &[BeaconId]) {
    put_number(out, corners.len() as u64);
    corners.iter().for_each(|corner| put_number(out, u64::from(corner.node())));
}

fn put_legs(out: &mut Vec<u8>, lists: &[Vec<CoreLeg>], gone: &[BeaconId]) {
    for list in lists {
        put_number(out, list.len() as u64);
        list.iter().for_each(|&leg| put_leg(out, leg));
    }
    put_corners(out, gone);
}

fn read_corner(reader: &mut Reader<'_>, nodes: usize) -> Result<BeaconId, CodecError> {
    let node = reader.number()?;
    if node < nodes as u64 {
        return Ok(BeaconId::from_node(node as u32));
    }
    Err(reader.malformed("there is no such corner"))
}

/// Reads a leg from a corner. It costs what it costs over open ground.
fn read_leg(
    reader: &mut Reader<'_>,
    sight: Sight<'_>,
    nodes: usize,
    from: BeaconId,
) -> Result<CoreLeg, CodecError> {
    let end = read_corner(reader, nodes)?;
    let [start, there] = [from, end].map(|corner| sight.corners.cell(corner));
    if from == end || start == there {
        return Err(reader.malformed("a leg leads nowhere"));
    }
    let [leaves, arrives] = [reader.array()?, reader.array()?].map(u16::from_le_bytes);
    Ok(CoreLeg { end, cost: sight.estimate(start, there), leaves, arrives })
}

/// Corners, none of which comes twice.
fn read_corners(reader: &mut Reader<'_>, nodes: usize) -> Result<Vec<BeaconId>, CodecError> {
    let (mut corners, mut is_there) = (Vec::new(), vec![false; nodes]);
    for _ in 0..reader.count(1)? {
        let corner = read_corner(reader, nodes)?;
        if core::mem::replace(&mut is_there[corner.index()], true) {
            return Err(reader.malformed("a corner comes twice"));
        }
        corners.push(corner);
    }
    Ok(corners)
}

/// The legs of all corners, and those that went.
fn read_legs(
    reader: &mut Reader<'_>,
    sight: Sight<'_>,
    nodes: usize,
) -> Result<(Vec<Vec<CoreLeg>>, Vec<BeaconId>), CodecError> {
    let mut lists = Vec::with_capacity(nodes);
    for corner in BeaconId::first(nodes) {
        let mut list = Vec::new();
        for _ in 0..reader.count(5)? {
            list.push(read_leg(reader, sight, nodes, corner)?);
        }
        lists.push(list);
    }
    let gone = read_corners(reader, nodes)?;
    // When each of them went; those that are left come after all.
    let mut times = vec![usize::MAX; nodes];
    (0..).zip(&gone).for_each(|(time, corner)| times[corner.index()] = time);
    let (mut there, mut back, mut up) = (Vec::new(), Vec::new(), Vec::new());
    for (corner, list) in BeaconId::first(nodes).zip(&lists) {
        let time = times[corner.index()];
        for end in list.iter().map(|leg| leg.end) {
            let is_left = times[end.index()] == usize::MAX;
            if time == usize::MAX && is_left {
                there.push((corner, end));
                back.push((end, corner));
            } else if times[end.index()] > time {
                up.push((corner, end));
            } else {
                return Err(reader.malformed("a leg leads to a corner that has gone before"));
            }
        }
    }
    sorting::sort(&mut there);
    sorting::sort(&mut back);
    sorting::sort(&mut up);
    let comes_twice = |legs: &[(BeaconId, BeaconId)]| legs.windows(2).any(|pair| pair[0] == pair[1]);
    if there != back || comes_twice(&there) || comes_twice(&up) {
        return Err(reader.malformed("a leg does not lead back, or comes twice"));
    }
    Ok((lists, gone))
}

impl Thinning {
    /// Writes how far it is, between two pieces.
    pub(super) fn save(&self, out: &mut Vec<u8>) {
        put_legs(out, &self.legs, &self.gone);
        put_corners(out, &self.order);
        put_number(out, self.at.0 as u64);
        put_number(out, self.at.1 as u64);
        put_number(out, u64::from(self.round));
        put_number(out, self.bent.len() as u64);
        for &(start, leg) in &self.bent {
            put_number(out, u64::from(start.node()));
            put_leg(out, leg);
        }
        for (&depth, &is_new) in self.depths.iter().zip(&self.is_new) {
            put_number(out, u64::from(depth) << 1 | u64::from(is_new));
        }
    }

    /// Reads what was written, for so many corners.
    pub(super) fn resumed(
        reader: &mut Reader<'_>,
        sight: Sight<'_>,
        nodes: usize,
    ) -> Result<Self, CodecError> {
        let (legs, gone) = read_legs(reader, sight, nodes)?;
        let order = read_corners(reader, nodes)?;
        let place = reader.number_up_to(order.len() as u64, "there are fewer corners")? as usize;
        let nth = reader.number_up_to(nodes as u64, "no corner has so many legs")? as usize;
        let round = reader.number_up_to(u64::from(ROUNDS), "there are fewer rounds")? as u32;
        let mut is_gone = vec![false; nodes];
        gone.iter().for_each(|corner| is_gone[corner.index()] = true);
        if order[place..].iter().any(|corner| is_gone[corner.index()]) {
            return Err(reader.malformed("a corner has gone already"));
        }
        let mut bent = Vec::new();
        for _ in 0..reader.count(6)? {
            let start = read_corner(reader, nodes)?;
            let leg = read_leg(reader, sight, nodes, start)?;
            // It takes the place of legs over the corner at hand.
            let are_ends = order.get(place).is_some_and(|corner| {
                let ends = &legs[corner.index()];
                [start, leg.end].iter().all(|&end| ends.iter().any(|leg| leg.end == end))
            });
            if !are_ends || legs[start.index()].iter().any(|own| own.end == leg.end) {
                return Err(reader.malformed("a bent leg stands for nothing"));
            }
            bent.push((start, leg));
        }
        let mut pairs: Vec<[BeaconId; 2]> =
            bent.iter().map(|(start, leg)| [*start.min(&leg.end), *start.max(&leg.end)]).collect();
        sorting::sort(&mut pairs);
        if pairs.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(reader.malformed("a bent leg comes twice"));
        }
        let (mut depths, mut is_new) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
        for _ in 0..nodes {
            let number = reader.number_up_to(2 * nodes as u64 + 1, "no way is so deep")?;
            depths.push((number >> 1) as u32);
            is_new.push(number & 1 == 1);
        }
        Ok(Self::half_done((legs, gone), order, (place, nth), bent, (depths, is_new), round))
    }
}

impl Core {
    /// Writes which corners are left, and their legs.
    pub(super) fn save(&self, out: &mut Vec<u8>) {
        put_legs(out, &self.legs, &self.gone);
    }

    /// Reads what was written, for so many corners.
    pub(super) fn resumed(
        reader: &mut Reader<'_>,
        sight: Sight<'_>,
        nodes: usize,
    ) -> Result<Self, CodecError> {
        let (legs, gone) = read_legs(reader, sight, nodes)?;
        if legs.iter().any(|legs| !legs.is_sorted_by_key(|leg| leg.end)) {
            return Err(reader.malformed("legs are not in order"));
        }
        Ok(Self::new(legs, gone))
    }
}
