//! The file of an abstraction taken apart: where each level lies in the bytes.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use surefoot::store::codec::Reader;
use surefoot::store::container::{BuiltFor, Container, DatabaseError, SharedBytes};

use super::level::{self, Level, NONE};
use super::{AbstractionConfig, CONTENTS, malformed};

/// The levels of a file.
#[derive(Clone)]
pub(super) struct Packed {
    bytes: SharedBytes,
    pub(super) built_for: BuiltFor,
    pub(super) config: AbstractionConfig,
    levels: Vec<LevelRanges>,
}

/// Where the parts of a level lie in the bytes.
#[derive(Clone, Debug, Default)]
struct LevelRanges {
    nodes: usize,
    ranks: Range<usize>,
    parents: Range<usize>,
    child_starts: Range<usize>,
    children: Range<usize>,
    edge_starts: Range<usize>,
    targets: Range<usize>,
    capacities: Range<usize>,
    places: Range<usize>,
    weights: Range<usize>,
}

impl Packed {
    /// Takes a file apart, and makes sure that nothing in it points outside.
    pub(super) fn parse(bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let all: &[u8] = (**bytes).as_ref();
        let container = Container::read_of(CONTENTS, all)?;
        let built_for = container.built_for.clone();
        let is_grid = built_for.size != (0, 0);
        let mut head = Reader::new(&all[container.section("conf")?]);
        let config = AbstractionConfig::read(&mut head)?;
        let count = head.count(2)?;
        let mut counts = Vec::with_capacity(count);
        for _ in 0..count {
            let most = u64::from(u32::MAX - 1);
            let nodes = head.number_up_to(most, "no level has so many nodes")? as usize;
            counts.push((nodes, head.number_up_to(most, "no level has so many edges")? as usize));
        }
        head.finish()?;
        if counts.first().is_none_or(|&(states, edges)| states as u64 != built_for.states || edges != 0) {
            return Err(malformed("conf", "the lowest level is not that of the map".to_string()));
        }
        // The parts of a section lie one after the other; what is left in the end is too much.
        let mut takers: Vec<(&'static str, Range<usize>)> = Vec::new();
        for tag in ["rank", "prnt", "kids", "edge", "caps", "plac", "wght"] {
            takers.push((tag, container.section(tag)?));
        }
        let mut take = |tag: &'static str, count: usize, size: usize| {
            let rest = takers.iter_mut().find(|(known, _)| *known == tag).map(|(_, rest)| rest);
            let taken = rest.and_then(|rest| {
                let end = rest.start.checked_add(count.checked_mul(size)?).filter(|&end| end <= rest.end)?;
                Some(core::mem::replace(&mut rest.start, end)..end)
            });
            taken.ok_or_else(|| malformed(tag, "it is too short".to_string()))
        };
        let mut levels: Vec<LevelRanges> = Vec::with_capacity(counts.len());
        for (level, &(nodes, edges)) in counts.iter().enumerate() {
            let mut ranges = LevelRanges { nodes, ..LevelRanges::default() };
            if level == 0 {
                ranges.ranks = take("rank", nodes.div_ceil(64), 12)?;
                let count = count_ranked(all[ranges.ranks.clone()].as_chunks().0, nodes);
                let count = count.ok_or_else(|| malformed("rank", "the ranks are wrong".to_string()))?;
                ranges.parents = take("prnt", count, 4)?;
            } else {
                ranges.parents = take("prnt", nodes, 4)?;
                ranges.child_starts = take("kids", nodes + 1, 4)?;
                let children = all[ranges.child_starts.clone()].last_chunk().copied().unwrap_or_default();
                ranges.children = take("kids", u32::from_le_bytes(children) as usize, 4)?;
                ranges.edge_starts = take("edge", nodes + 1, 4)?;
                ranges.targets = take("edge", edges, 4)?;
                ranges.capacities = take("caps", edges, 1)?;
                ranges.places = take("plac", if is_grid { nodes } else { 0 }, 8)?;
                ranges.weights = take("wght", if is_grid { 0 } else { edges }, 4)?;
            }
            levels.push(ranges);
        }
        if let Some((tag, _)) = takers.iter().find(|(_, rest)| !rest.is_empty()) {
            return Err(malformed(tag, "it is too long".to_string()));
        }
        let opened = Self { bytes: Arc::clone(bytes), built_for, config, levels };
        opened.check_numbers()?;
        Ok(opened)
    }

    /// Makes sure that ranges lie in order and that all nodes named are there.
    fn check_numbers(&self) -> Result<(), DatabaseError> {
        for index in 0..self.levels() {
            let level = self.level(index);
            let above = if index + 1 < self.levels() { self.node_count(index + 1) } else { 0 };
            let is_outside = |number: &[u8; 4], limit: usize| u32::from_le_bytes(*number) as usize >= limit;
            if level.parents.iter().any(|parent| *parent != NONE.to_le_bytes() && is_outside(parent, above)) {
                return Err(malformed("prnt", format!("a parent of level {index} is none")));
            }
            if index == 0 {
                continue;
            }
            let in_order = |starts: &Range<usize>, end: usize| {
                let starts = self.numbers(starts).iter().map(|start| u32::from_le_bytes(*start) as usize);
                starts.clone().next() == Some(0)
                    && starts.clone().next_back() == Some(end)
                    && starts.is_sorted()
            };
            let (ranges, below) = (&self.levels[index], self.node_count(index - 1));
            if !in_order(&ranges.child_starts, level.children.len())
                || level.children.iter().any(|child| is_outside(child, below))
            {
                return Err(malformed("kids", format!("the children of level {index} are wrong")));
            }
            if !in_order(&ranges.edge_starts, level.targets.len())
                || level.targets.iter().any(|target| is_outside(target, level.count()))
            {
                return Err(malformed("edge", format!("the edges of level {index} are wrong")));
            }
        }
        Ok(())
    }

    fn numbers(&self, range: &Range<usize>) -> level::Numbers<'_> {
        self.bytes()[range.clone()].as_chunks().0
    }

    pub(super) fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    pub(super) fn levels(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn node_count(&self, level: usize) -> usize {
        self.levels[level].nodes
    }

    pub(super) fn edge_count(&self, level: usize) -> usize {
        self.levels[level].targets.len() / 4
    }

    /// A level, ready to be read.
    pub(super) fn level(&self, level: usize) -> Level<'_> {
        let ranges = &self.levels[level];
        let (child_starts, edge_starts) =
            (self.numbers(&ranges.child_starts), self.numbers(&ranges.edge_starts));
        Level {
            count: ranges.nodes,
            ranks: self.bytes()[ranges.ranks.clone()].as_chunks().0,
            parents: self.numbers(&ranges.parents),
            child_starts,
            child_ends: child_starts.get(1..).unwrap_or_default(),
            children: self.numbers(&ranges.children),
            edge_starts,
            edge_ends: edge_starts.get(1..).unwrap_or_default(),
            targets: self.numbers(&ranges.targets),
            capacities: &self.bytes()[ranges.capacities.clone()],
            places: self.bytes()[ranges.places.clone()].as_chunks().0,
            weights: self.numbers(&ranges.weights),
        }
    }
}

/// How many of so many numbers have a rank. `None` if the ranks are not what they should be.
fn count_ranked(ranks: level::Ranks<'_>, numbers: usize) -> Option<usize> {
    let mut count = 0;
    for (place, &block) in ranks.iter().enumerate() {
        let (bits, before) = level::rank_block(block);
        let left = numbers - place * 64;
        if before as usize != count || left < 64 && bits >> left != 0 {
            return None;
        }
        count += bits.count_ones() as usize;
    }
    Some(count)
}
