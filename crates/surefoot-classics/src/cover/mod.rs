//! Covers: a map in regions, each with a state that stands for it, cheapest paths between the states of
//! neighbouring regions, and for every pair of regions the neighbour that the cheapest chain of such paths
//! leads to next.
//!
//! HCDPS and DBA* go by them, after Lawrence and Bulitko, "Database-driven real-time heuristic search in
//! video-game pathfinding" (2013), and Lawrence, "Efficient real-time search with database-driven
//! abstractions" (DBA*, 2013 on); what is built here follows descriptions of these, not their texts.
//! `partition.rs` says how a map is divided, `links.rs` what is computed, `docs/reference/sfdb.md` how it
//! lies in a file.
//!
//! Readings and deviations:
//! - Seeds of HCDPS's regions come from a lattice first and then from what is left, in order. A region grows
//!   outwards from its seed, over states that belong to it, and once more from the state nearest to its
//!   centroid. Every state ends up in one region; some regions have one state.
//! - Paths are cut down as kNN LRTA*'s are, and climbed without a limit; with `lossless` so that nothing is
//!   lost.
//! - Dynamic programming is one run of Dijkstra's algorithm for each region, over what the paths cost when
//!   they are climbed.
//! - DBA* stores the next region for every pair, too. As published it searches the region graph for every
//!   problem, which takes as long as the map makes it.

mod agent;
mod build;
mod checkpoint;
mod config;
mod database;
mod entry;
mod links;
mod repair;
#[cfg(test)]
mod repair_tests;
#[cfg(test)]
mod tests;
mod trail;
mod verify;

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use alloc::{format, vec};
use core::fmt;
use core::ops::Range;

pub use self::config::CoverConfig;
pub use self::database::KIND;
pub use self::entry::{DBA, HCDPS};
pub use self::repair::CoverRepairer;
pub use self::trail::Trail;
pub(crate) use self::trail::TrailPlace;
pub use self::verify::CoverFault;
pub use crate::regions::partition::Partition;
use surefoot::search::climb;
use surefoot::space::{GridSpace, State, StateSpace, World};
use surefoot::store::codec::Reader;
use surefoot::store::container::{BuiltFor, Container, DatabaseError, SharedBytes, malformed};

use crate::knn::subgoals::{Cursor, PackedRecords, RecordLayout};
pub use crate::regions::RegionId;
use crate::regions::RegionSpan;
use crate::regions::bits::BitReader;
use crate::regions::labels::{Labels, bits_for};
use crate::regions::region_list::RegionList;

pub(super) const CONTENTS: &str = "cover";

/// What the file of a cover says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CoverFileInfo {
    /// The version of the format.
    pub version: u32,
    /// What it was built for.
    pub built_for: BuiltFor,
    /// What it was built from.
    pub config: CoverConfig,
    /// The number of regions.
    pub regions: u32,
    /// The number of paths between regions.
    pub links: u64,
    /// The number of ordered pairs of regions between which there is a way.
    pub pairs: u64,
    /// The states in all paths.
    pub states: u64,
    /// The bytes of the file.
    pub bytes: u64,
    /// The bytes of each section, by its tag.
    pub sections: Vec<(String, usize)>,
}

/// Regions that cover a map, and the ways between them.
#[derive(Clone)]
pub struct CoverDatabase {
    bytes: SharedBytes,
    config: CoverConfig,
    built_for: BuiltFor,
    labels: Labels,
    regions: Vec<Region>,
    /// The region that each link leads to.
    links: Vec<RegionId>,
    paths: PackedRecords,
    table: Range<usize>,
    pairs: u64,
    /// The states in all paths.
    path_states: u64,
    ground_states: u64,
    /// Whether each link is not to be used; nothing as long as all are.
    retired: Vec<bool>,
    /// By goal region: the first link of the chain there from each region of the component, where it is not
    /// that of the table; nothing as long as there is none.
    chains: Vec<Option<Arc<[Option<u32>]>>>,
}

#[derive(Clone, Copy, Debug)]
struct Region {
    representative: State,
    /// The regions of its component.
    component: RegionSpan,
    /// Its links.
    first_link: u32,
    links: u32,
    /// Where its row begins in the table, in bits, and how many bits a number there has.
    row: u64,
    width: u32,
}

impl Region {
    fn row_bits(&self) -> u64 {
        self.component.len() as u64 * u64::from(self.width)
    }
}

impl CoverDatabase {
    /// Opens a cover for `world`. The bytes are kept and used in place.
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
    pub(crate) fn from_shared(world: &impl World, bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let mut opened = Self::parse(bytes)?;
        opened.built_for.check(world)?;
        let Some(space) = world.octile_grid() else {
            return Err(DatabaseError::Unsuitable { problem: "covers are for grids" });
        };
        opened.check_regions(space)?;
        let ties = opened.config.ties;
        opened.path_states = opened.check_paths(|link, from, to| {
            if from != to
                && [from, to].into_iter().all(|state| space.contains(state))
                && climb(space, from, to, u64::MAX, ties).end == to
            {
                return Ok(());
            }
            Err(malformed("subg", format!("a climb does not get from one state of path {link} to the next")))
        })?;
        opened.check_chains()?;
        Ok(opened)
    }

    /// What a file says of itself, read without the world that it was built for.
    ///
    /// # Errors
    /// If the bytes are damaged, or of another version or kind.
    pub fn inspect(bytes: &[u8]) -> Result<CoverFileInfo, DatabaseError> {
        let opened = Self::parse(&(Arc::new(bytes.to_vec()) as SharedBytes))?;
        Ok(CoverFileInfo {
            version: surefoot::store::codec::version_of(opened.as_bytes()),
            built_for: opened.built_for.clone(),
            config: opened.config,
            regions: opened.regions(),
            links: u64::from(opened.links()),
            pairs: opened.pairs,
            states: opened.check_paths(|_, _, _| Ok(()))?,
            bytes: opened.as_bytes().len() as u64,
            sections: Container::read(opened.as_bytes())?.sizes().collect(),
        })
    }

    /// Takes a file apart, and makes sure that nothing in it points outside.
    fn parse(bytes: &SharedBytes) -> Result<Self, DatabaseError> {
        let all: &[u8] = (**bytes).as_ref();
        let container = Container::read_of(CONTENTS, all)?;
        let mut head = Reader::new(&all[container.section("conf")?]);
        let config = CoverConfig::read(&mut head)?;
        let leg_bits = head.number_up_to(20, "no leg needs so many bits")? as u32;
        let record_bits = head.number_up_to(20, "no path needs so many bits")? as u32;
        head.finish()?;
        let built_for = container.built_for.clone();
        let list = RegionList::read(&all[container.section("regn")?], built_for.states)?;
        let pairs = list.components.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
        let (regions, links) = read_links(&all[container.section("link")?], &list)?;
        let table = container.section("tabl")?;
        check_table(&all[table.clone()], &regions)?;
        let states = usize::try_from(built_for.states).unwrap_or(usize::MAX);
        let shape = (states, built_for.size.0);
        let labels = Labels::read(all, container.section("labl")?, regions.len() as u32, shape)
            .map_err(|problem| malformed("labl", problem))?;
        let layout = RecordLayout { width: RecordLayout::width_for(built_for.size), leg_bits, record_bits };
        let paths = PackedRecords {
            layout,
            groups: container.section("grps")?,
            subgoals: container.section("subg")?,
        };
        Ok(Self {
            bytes: Arc::clone(bytes),
            config,
            built_for,
            labels,
            regions,
            links,
            paths,
            table,
            pairs,
            path_states: 0,
            ground_states: 0,
            retired: Vec::new(),
            chains: Vec::new(),
        })
    }

    /// Makes sure that every state has a region, and every region its own state to stand for it. Counts the
    /// states.
    fn check_regions(&mut self, space: &GridSpace) -> Result<(), DatabaseError> {
        self.labels.check_coverage(self.as_bytes(), space)?;
        for (number, region) in RegionId::first(self.regions()).zip(&self.regions) {
            let state = region.representative;
            if !space.contains(state) || self.region(state) != Some(number) {
                return Err(malformed("regn", format!("region {number} is represented by another's state")));
            }
        }
        self.ground_states = space.grid().free_count();
        Ok(())
    }

    fn check_paths(
        &self,
        check_leg: impl FnMut(u32, State, State) -> Result<(), DatabaseError>,
    ) -> Result<u64, DatabaseError> {
        let mut ends = Vec::with_capacity(self.links.len());
        for region in &self.regions {
            let links = &self.links[region.first_link as usize..][..region.links as usize];
            ends.extend(links.iter().map(|&to| (region.representative, self.representative(to))));
        }
        self.paths.check(self.as_bytes(), ends.len(), |link| ends[link as usize], check_leg)
    }

    /// Makes sure that every chain of links ends in its goal region.
    fn check_chains(&self) -> Result<(), DatabaseError> {
        // For each region the last goal for which the chain from here was followed, and whether it is known
        // to end.
        let mut seen = vec![(RegionId::NONE, false); self.regions.len()];
        let mut chain = Vec::new();
        for (goal, region) in RegionId::first(self.regions()).zip(&self.regions) {
            seen[goal.index()] = (goal, true);
            for from in region.component.regions() {
                let mut at = from;
                while seen[at.index()].0 != goal {
                    seen[at.index()] = (goal, false);
                    chain.push(at);
                    match self.next_region(at, goal) {
                        Some(next) => at = next,
                        None => return Err(malformed("tabl", "a chain of links ends too early".to_string())),
                    }
                }
                if !seen[at.index()].1 {
                    return Err(malformed("tabl", "a chain of links leads in a circle".to_string()));
                }
                for region in chain.drain(..) {
                    seen[region.index()].1 = true;
                }
            }
        }
        Ok(())
    }

    /// The region of a state. `None` where there is none.
    #[inline]
    #[must_use]
    pub fn region(&self, state: State) -> Option<RegionId> {
        self.labels.of(self.as_bytes(), state.index())
    }

    /// The state that stands for a region.
    ///
    /// # Panics
    /// If there is no such region.
    #[inline]
    #[must_use]
    pub fn representative(&self, region: RegionId) -> State {
        self.regions[region.index()].representative
    }

    /// The regions that a path leads to from a region.
    ///
    /// # Panics
    /// If there is no such region.
    #[must_use]
    pub fn neighbours(&self, region: RegionId) -> &[RegionId] {
        let region = &self.regions[region.index()];
        &self.links[region.first_link as usize..][..region.links as usize]
    }

    /// The states of the path from a region to the neighbour at this place of its [list](Self::neighbours):
    /// its ends, and what a climb needs between them.
    ///
    /// # Panics
    /// If there is no such region or place.
    #[must_use]
    pub fn path(&self, region: RegionId, place: usize) -> Vec<State> {
        let neighbour = self.neighbours(region)[place];
        let mut path = self.path_of(region, self.regions[region.index()].first_link + place as u32);
        let mut states = Vec::from([path.at()]);
        while let Ok(Some(state)) = self.paths.next(self.as_bytes(), &mut path) {
            states.push(state);
        }
        states.push(self.representative(neighbour));
        states
    }

    /// The walk along a link from a region.
    fn path_of(&self, region: RegionId, link: u32) -> Cursor {
        let ends = (self.representative(region), self.representative(self.links[link as usize]));
        let path = self.paths.cursor(self.as_bytes(), link, ends);
        path.unwrap_or(Cursor::without_subgoals(link, ends))
    }

    /// The link that the cheapest chain from one region to another begins with. `None` if they are the same
    /// or no way leads there.
    #[inline]
    fn next_link(&self, from: RegionId, goal: RegionId) -> Option<u32> {
        let region = &self.regions[from.index()];
        if from == goal || !region.component.contains(goal) {
            return None;
        }
        // Where there is no chain without retired links it is that of the table: it comes to where there is
        // one, or to the goal.
        if let Some(Some(chains)) = self.chains.get(goal.index())
            && let Some(link) = chains[region.component.place(from)]
        {
            return Some(link);
        }
        let at = region.row + region.component.place(goal) as u64 * u64::from(region.width);
        let place = BitReader::new(&self.as_bytes()[self.table.clone()], at).take(region.width);
        Some(region.first_link + place as u32)
    }

    /// The region that the cheapest chain of paths from one region to another leads to next. `None` if they
    /// are the same or no way leads there.
    ///
    /// # Panics
    /// If there is no such region.
    #[must_use]
    pub fn next_region(&self, from: RegionId, goal: RegionId) -> Option<RegionId> {
        self.next_link(from, goal).map(|link| self.links[link as usize])
    }

    /// Whether a path between regions is not to be used: the map was edited, and it cannot be climbed any
    /// more. Paths are numbered in the order of regions, and for each region in that of its
    /// [neighbours](Self::neighbours).
    #[must_use]
    pub fn is_retired(&self, path: u32) -> bool {
        self.retired.get(path as usize).is_some_and(|&is_retired| is_retired)
    }

    /// Whether paths were retired since it was built.
    fn has_retired(&self) -> bool {
        self.retired.contains(&true)
    }

    fn set_retired(&mut self, link: u32, is_retired: bool) {
        self.retired.resize(self.links.len(), false);
        self.retired[link as usize] = is_retired;
    }

    /// Sets the chains to a goal region; nothing: those of the table.
    fn set_chains(&mut self, goal: RegionId, chains: Option<Arc<[Option<u32>]>>) {
        self.chains.resize(self.regions.len(), None);
        self.chains[goal.index()] = chains;
    }

    /// The number of regions.
    #[must_use]
    pub fn regions(&self) -> u32 {
        self.regions.len() as u32
    }

    /// The number of paths between regions.
    #[must_use]
    pub fn links(&self) -> u32 {
        self.links.len() as u32
    }

    /// The number of ordered pairs of regions between which there is a way, each region with itself among
    /// them.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// What it was built from.
    #[must_use]
    pub fn config(&self) -> &CoverConfig {
        &self.config
    }

    /// What it was built for.
    #[must_use]
    pub fn built_for(&self) -> &BuiltFor {
        &self.built_for
    }

    /// The bytes of its file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// What tells this database from others: the checksum of its file.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.as_bytes().last_chunk().map_or(0, |checksum| u64::from_le_bytes(*checksum))
    }

    /// The states in all paths.
    #[must_use]
    pub fn path_states(&self) -> u64 {
        self.path_states
    }

    /// The papers' measure of size: a label for every state, the states of all paths, and one for every pair.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.ground_states + self.path_states + self.pairs
    }
}

impl fmt::Debug for CoverDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.as_bytes().len();
        f.debug_struct("CoverDatabase").field("config", &self.config).field("bytes", &bytes).finish()
    }
}

/// Reads the links of all regions, and says each region where its are and where its row of the table is.
fn read_links(section: &[u8], list: &RegionList) -> Result<(Vec<Region>, Vec<RegionId>), DatabaseError> {
    let mut reader = Reader::new(section);
    let mut regions = Vec::with_capacity(list.representatives.len());
    let (mut links, mut row) = (Vec::new(), 0_u64);
    let all = RegionId::first(list.representatives.len() as u32).zip(&list.representatives);
    for ((own, &representative), component) in all.zip(list.component_spans()) {
        let count = reader.count(1)?;
        if count == 0 && component.len() > 1 {
            return Err(reader.malformed("no way leads out of this region").into());
        }
        let width = bits_for((count as u64).saturating_sub(1));
        let first_link = links.len() as u32;
        let region = Region { representative, component, first_link, links: count as u32, row, width };
        row = row.saturating_add(region.row_bits());
        regions.push(region);
        // Each is as much higher than the one before as the number says, and one more.
        let mut next = u64::from(component.first().number());
        for _ in 0..count {
            next = next.saturating_add(reader.number()?);
            let to = u32::try_from(next).ok().map(RegionId::from_number);
            let to = to.filter(|&to| component.contains(to) && to != own);
            links.push(to.ok_or_else(|| reader.malformed("this region has no such neighbour"))?);
            next += 1;
        }
    }
    reader.finish()?;
    Ok((regions, links))
}

/// Makes sure that the table has a row for each region, and that it names links of that region only.
fn check_table(table: &[u8], regions: &[Region]) -> Result<(), DatabaseError> {
    let bits = regions.last().map_or(0, |last| last.row.saturating_add(last.row_bits()));
    if table.len() as u64 != bits.div_ceil(8) {
        return Err(malformed("tabl", format!("it should have {} bytes", bits.div_ceil(8))));
    }
    for region in regions.iter().filter(|region| region.width > 0) {
        let mut row = BitReader::new(table, region.row);
        let mut goals = region.component.regions();
        if goals.any(|_| row.take(region.width) >= u64::from(region.links)) {
            return Err(malformed("tabl", "it names a link that is none".to_string()));
        }
    }
    Ok(())
}
