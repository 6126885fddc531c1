//! Builds covers.

use alloc::format;
use alloc::vec::Vec;

use surefoot::space::GridSpace;
use surefoot::store::codec::put_number;
use surefoot::store::container::{BuiltFor, Container, DatabaseError};
use surefoot::store::parallel::in_parallel;

use super::links::{Link, RegionGraph, link_all};
use super::{CONTENTS, CoverConfig, CoverDatabase};
use crate::knn::subgoals::{Record, RecordLayout, pack};
use crate::regions::bits::BitWriter;
use crate::regions::labels::{Labels, bits_for};
use crate::regions::partition::{Regions, neighbours};
use crate::regions::{RegionId, RegionSpan};

/// No more pairs of regions than this: a table of some hundred megabytes.
const MOST_PAIRS: u64 = 1 << 30;

impl CoverDatabase {
    /// Builds a cover of a map, on all cores with the feature `rayon`. The bytes do not depend on how many
    /// there are.
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
        let links = link_all(space, &regions, &config, &neighbours(space, &regions.labels));
        let graph = RegionGraph::new(count, &links);
        let built_for = BuiltFor::of(space);
        let records: Vec<Record> = (0..)
            .zip(links.iter())
            .map(|(number, link)| Record { number, states: link.states.clone() })
            .collect();
        let (layout, subgoals, groups) = pack(RecordLayout::width_for(built_for.size), &records)?;
        let mut head = config.to_bytes();
        put_number(&mut head, u64::from(layout.leg_bits));
        put_number(&mut head, u64::from(layout.record_bits));
        let labels = regions.labels.iter().map(|&label| Some(label).filter(|&label| label != RegionId::NONE));
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

/// For each region where its links lead.
fn link_list(regions: &Regions, links: &[Link], graph: &RegionGraph) -> Vec<u8> {
    let mut out = Vec::new();
    for (range, component) in graph.starts.windows(2).zip(regions.list.component_spans()) {
        let own = &links[range[0] as usize..range[1] as usize];
        put_number(&mut out, own.len() as u64);
        let mut next = component.first().number();
        for link in own {
            let to = link.to.number();
            put_number(&mut out, u64::from(to - next));
            next = to + 1;
        }
    }
    out
}

/// For each region and each of its component the link to begin with.
fn table(regions: &Regions, graph: &RegionGraph) -> Vec<u8> {
    let count = regions.list.representatives.len() as u32;
    let sources: Vec<(RegionId, RegionSpan)> =
        RegionId::first(count).zip(regions.list.component_spans()).collect();
    let rows = in_parallel(
        &sources,
        || (),
        |(), &(source, component)| {
            let chains = graph.chains_from(source, component);
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
