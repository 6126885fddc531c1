//! Builds covers.

use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use super::links::{Link, RegionGraph, in_parallel, link_all, neighbours};
use super::partition::{NONE, Regions};
use super::{CONTENTS, CoverConfig, CoverDatabase};
use crate::codec::put_number;
use crate::database::bits::BitWriter;
use crate::database::container::{BuiltFor, Container, DatabaseError};
use crate::database::labels::{Labels, bits_for};
use crate::database::subgoals::{Layout, Record, pack};
use crate::space::{Cost, GridSpace};

/// No more pairs of regions than this: a table of some hundred megabytes.
const MOST_PAIRS: u64 = 1 << 30;

impl CoverDatabase {
    /// Builds a cover of a map, on all cores with the feature `rayon`. The bytes do not depend on how many there are.
    ///
    /// # Errors
    /// If there are too many regions.
    pub fn build(space: &GridSpace, config: CoverConfig) -> Result<Self, DatabaseError> {
        let regions = Regions::new(space, config.partition, config.ties);
        let squares = regions.list.components.iter().map(|&count| u64::from(count) * u64::from(count));
        let pairs = squares.sum::<u64>();
        if pairs > MOST_PAIRS {
            let problem = format!("{pairs} pairs of regions; larger regions are fewer");
            return Err(DatabaseError::TooLarge { problem });
        }
        let count = regions.list.representatives.len() as u32;
        let mut links = link_all(space, &regions, &config, &neighbours(space, &regions.labels));
        let mut graph = RegionGraph::new(count, &links);
        if config.near > 0 {
            let limit = space.mean_move().saturating_mul(u64::from(config.near));
            let pairs = near_pairs(&regions, &config, &graph, limit);
            links.extend(link_all(space, &regions, &config, &pairs));
            links.sort_unstable_by_key(|link| (link.from, link.to));
            graph = RegionGraph::new(count, &links);
        }
        let built_for = BuiltFor::of(space);
        let records: Vec<Record> = (0..)
            .zip(links.iter())
            .map(|(number, link)| Record { number, states: link.states.clone() })
            .collect();
        let (layout, subgoals, groups) = pack(Layout::width_for(built_for.size), &records)?;
        let mut head = config.to_bytes();
        put_number(&mut head, u64::from(layout.leg_bits));
        put_number(&mut head, u64::from(layout.record_bits));
        let labels = regions.labels.iter().map(|&label| Some(label).filter(|&label| label != NONE));
        let sections = [
            (*b"conf", head),
            (*b"regn", regions.list.to_bytes()),
            (*b"labl", Labels::write(labels, count, built_for.size.0)),
            (*b"link", link_list(&regions, &links, &graph)),
            (*b"grps", groups),
            (*b"subg", subgoals),
            (*b"tabl", table(&regions, &graph)),
        ];
        Self::from_bytes(space, Container::write(CONTENTS, &built_for, &sections))
    }
}

/// A small region has paths to so many large ones.
const GATES: usize = 3;

/// The pairs of regions that are no neighbours and that get a path, each once: large regions that a chain of links up to a cost connects,
/// and small ones with the nearest large ones. Nooks behind jagged walls are regions, too, and there are many of them.
fn near_pairs(regions: &Regions, config: &CoverConfig, graph: &RegionGraph, limit: Cost) -> Vec<(u32, u32)> {
    let mut sizes = vec![0_u64; regions.list.representatives.len()];
    for &label in regions.labels.iter().filter(|&&label| label != NONE) {
        sizes[label as usize] += 1;
    }
    let is_large = |region: u32| !config.partition.is_small(sizes[region as usize]);
    let sources: Vec<(u32, (u32, u32))> = (0..).zip(regions.list.component_ranges()).collect();
    let of_source = |&(source, (first, after)): &(u32, (u32, u32))| {
        let chains = graph.chains_from(source, first..after, limit);
        let mut near: Vec<(Cost, u32)> = (first..)
            .zip(chains)
            .filter(|&(to, (_, cost))| to != source && cost <= limit && is_large(to))
            .map(|(to, (_, cost))| (cost, to))
            .collect();
        near.sort_unstable();
        near.truncate(if is_large(source) { usize::MAX } else { GATES });
        let pairs = near.into_iter().filter(|&(_, to)| !graph.has_link(source, to));
        pairs.map(|(_, to)| (source.min(to), source.max(to))).collect::<Vec<_>>()
    };
    let mut pairs = in_parallel(&sources, || (), |(), source| of_source(source)).concat();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// For each region where its links lead.
fn link_list(regions: &Regions, links: &[Link], graph: &RegionGraph) -> Vec<u8> {
    let mut out = Vec::new();
    for (range, (first, _)) in graph.starts.windows(2).zip(regions.list.component_ranges()) {
        let own = &links[range[0] as usize..range[1] as usize];
        put_number(&mut out, own.len() as u64);
        let mut next = first;
        for link in own {
            put_number(&mut out, u64::from(link.to - next));
            next = link.to + 1;
        }
    }
    out
}

/// For each region and each of its component the link to begin with.
fn table(regions: &Regions, graph: &RegionGraph) -> Vec<u8> {
    let sources: Vec<(u32, (u32, u32))> = (0..).zip(regions.list.component_ranges()).collect();
    let rows = in_parallel(
        &sources,
        || (),
        |(), &(source, (first, after))| {
            let chains = graph.chains_from(source, first..after, Cost::MAX);
            chains.into_iter().map(|(first_link, _)| first_link).collect::<Vec<u32>>()
        },
    );
    let mut table = BitWriter::default();
    for (row, range) in rows.iter().zip(graph.starts.windows(2)) {
        let width = bits_for(u64::from((range[1] - range[0]).saturating_sub(1)));
        for &link in row {
            table.put(u64::from(link), width);
        }
    }
    table.into_bytes()
}
