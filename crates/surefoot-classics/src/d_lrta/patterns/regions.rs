//! The regions of a pattern database: the nodes of one level of the clique abstraction, each with a state
//! that stands for it.

use alloc::vec;
use alloc::vec::Vec;

use surefoot::space::{Cost, State, World};
use surefoot::store::container::DatabaseError;

use crate::abstraction::{Abstraction, AbstractionConfig};
use crate::regions::RegionId;
use crate::regions::region_list::RegionList;

/// The regions of a world. Those of one component are numbered in a row.
#[derive(Clone, Debug)]
pub(super) struct Regions {
    /// The region of each state.
    pub(super) labels: Vec<Option<RegionId>>,
    /// The state of each region that lies nearest to its centroid stands for it; without a grid, its first
    /// one.
    pub(super) list: RegionList,
}

/// No component yet.
const NONE: u32 = u32::MAX;

impl Regions {
    /// Abstracts a world `level` times. A component that is one node before that stays one region.
    pub(super) fn new(world: &impl World, level: usize, aligned: bool) -> Result<Self, DatabaseError> {
        let abstraction = Abstraction::build(world, AbstractionConfig { aligned, ..Default::default() })?;
        let mut regions = Self::label(world, &abstraction, (0, level));
        regions.number_by_component(&abstraction, 0);
        regions.choose_representatives(world);
        Ok(regions)
    }

    /// The nodes of level `base` of an abstraction, which are the states of `world`, in regions that are the
    /// nodes of a higher level. The node that lies nearest to its region's place stands for it; without
    /// places the first one.
    pub(super) fn of_nodes(world: &impl World, abstraction: &Abstraction, base: usize, level: usize) -> Self {
        let mut regions = Self::label(world, abstraction, (base, level));
        regions.number_by_component(abstraction, base);
        let mut nearest = vec![Cost::MAX; regions.list.representatives.len()];
        for (node, region) in (0..).zip(&regions.labels) {
            let Some(region) = region.map(RegionId::index) else { continue };
            let (above, name) = region_node(abstraction, (base, node), level);
            let places = abstraction.level(base).place(node).zip(abstraction.level(above).place(name));
            let distance = places.map(|(place, middle)| abstraction.metric().distance(place, middle));
            if let Some(distance) = distance
                && distance < nearest[region]
            {
                nearest[region] = distance;
                regions.list.representatives[region] = State(node);
            }
        }
        regions
    }

    /// Labels every state with the number of its region, in the order of the regions' first states.
    fn label(world: &impl World, abstraction: &Abstraction, (base, level): (usize, usize)) -> Self {
        let top = level.min(abstraction.levels() - 1);
        let mut numbers: Vec<Vec<RegionId>> =
            (0..=top).map(|level| vec![RegionId::NONE; abstraction.node_count(level)]).collect();
        let mut representatives = Vec::new();
        let mut labels = vec![None; world.state_limit()];
        for state in (0..world.state_limit() as u32).map(State).filter(|&state| world.contains(state)) {
            let (level, node) = region_node(abstraction, (base, state.0), top);
            let number = &mut numbers[level][node as usize];
            if *number == RegionId::NONE {
                *number = RegionId::from_index(representatives.len());
                representatives.push(state);
            }
            labels[state.index()] = Some(*number);
        }
        Self { labels, list: RegionList { components: Vec::new(), representatives } }
    }

    /// Numbers the regions anew, component by component.
    fn number_by_component(&mut self, abstraction: &Abstraction, base: usize) {
        let most = abstraction.levels() - 1;
        let mut tops: Vec<Vec<u32>> =
            (0..=most).map(|level| vec![NONE; abstraction.node_count(level)]).collect();
        let mut members: Vec<Vec<RegionId>> = Vec::new();
        let all = RegionId::first(self.list.representatives.len() as u32);
        for (region, &state) in all.zip(&self.list.representatives) {
            let (top, node) = region_node(abstraction, (base, state.0), most);
            let component = &mut tops[top][node as usize];
            if *component == NONE {
                *component = members.len() as u32;
                members.push(Vec::new());
            }
            members[*component as usize].push(region);
        }
        let mut new_numbers = vec![RegionId::NONE; self.list.representatives.len()];
        let mut representatives = Vec::with_capacity(new_numbers.len());
        for &region in members.iter().flatten() {
            new_numbers[region.index()] = RegionId::from_index(representatives.len());
            representatives.push(self.list.representatives[region.index()]);
        }
        self.list.representatives = representatives;
        self.list.components = members.iter().map(|members| members.len() as u32).collect();
        for label in self.labels.iter_mut().flatten() {
            *label = new_numbers[label.index()];
        }
    }

    /// "Ground-level states closest to centroids of the regions" (2008, section 5.2); of equally close ones
    /// the first.
    fn choose_representatives(&mut self, world: &impl World) {
        let Some(space) = world.octile_grid() else { return };
        let mut sums = vec![(0_u64, 0_u64, 0_u64); self.list.representatives.len()];
        let labelled = |labels: &[Option<RegionId>]| {
            let places = labels.iter().enumerate();
            places
                .filter_map(|(state, label)| Some((State(state as u32), (*label)?.index())))
                .collect::<Vec<_>>()
        };
        let states = labelled(&self.labels);
        for &(state, region) in &states {
            let (cell, sum) = (space.cell(state), &mut sums[region]);
            *sum = (sum.0 + u64::from(cell.x), sum.1 + u64::from(cell.y), sum.2 + 1);
        }
        let mut nearest = vec![u128::MAX; sums.len()];
        for &(state, region) in &states {
            let (cell, (x, y, count)) = (space.cell(state), sums[region]);
            let square = |at: u32, sum: u64| u128::from((u64::from(at) * count).abs_diff(sum)).pow(2);
            let distance = square(cell.x, x) + square(cell.y, y);
            if distance < nearest[region] {
                nearest[region] = distance;
                self.list.representatives[region] = state;
            }
        }
    }
}

/// The node that a node lies under on a level, or the top of its component if that is lower.
fn region_node(abstraction: &Abstraction, (base, mut node): (usize, u32), level: usize) -> (usize, u32) {
    for below in base..level {
        match abstraction.parent(below, node) {
            Some(parent) => node = parent,
            None => return (below, node),
        }
    }
    (level.max(base), node)
}
