//! Builds transit nodes.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::choose::{Effort, choose};
use super::complete::{Bits, Groups, Joining, far_cells, find_legs, find_legs_over, mark_near};
use super::corners::CornerGraph;
use super::legs::{FoundLegs, LegTable};
use super::nodes::Nodes;
use super::{Network, TransitConfig, TransitDatabase, TransitFigures};
use crate::hub_labels::HubLabels;
use crate::space::{GridSpace, State, StateSpace as _};
use crate::store::container::{BuiltFor, DatabaseError, SharedBytes};
use crate::store::pool::Pool;

/// More hubs than this are too many for any memory.
pub(super) const MOST_HUBS: u64 = 1 << 31;

/// A stage of a build, for those who show how far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransitStage {
    /// Transit nodes are chosen.
    Nodes,
    /// The legs between so many nodes are looked for.
    Legs(u32),
    /// So many of so many nodes have become hubs, and all labels together have so many of them.
    Hubs(u32, u32, u64),
}

impl TransitDatabase {
    /// Builds transit nodes for a map, on all cores with the feature `rayon`. The bytes do not depend on how
    /// many there are.
    ///
    /// # Errors
    /// If there is more than a file can hold.
    pub fn build(space: &GridSpace, config: TransitConfig) -> Result<Self, DatabaseError> {
        Self::build_with(space, config, |_| ControlFlow::Continue(()))
    }

    /// The same; `progress` hears of each stage, and may put an end to it.
    ///
    /// # Errors
    /// If there is more than a file can hold, or `progress` says that it is enough.
    pub fn build_with(
        space: &GridSpace,
        config: TransitConfig,
        mut progress: impl FnMut(TransitStage) -> ControlFlow<()>,
    ) -> Result<Self, DatabaseError> {
        let stopped = || DatabaseError::TooLarge { problem: String::from("it was given up") };
        if progress(TransitStage::Nodes).is_break() {
            return Err(stopped());
        }
        // Where ground has no weights, all that matters is where paths turn.
        let effort = Effort::new(space, &config, !space.is_weighted());
        let corners = (!space.is_weighted()).then(|| CornerGraph::new(space, effort.spacing(space)));
        let chosen = match &corners {
            Some(corners) => choose(space, corners, (effort, effort.over_corners(space))),
            None => choose(space, space, (effort, effort.over_cells())),
        };
        if progress(TransitStage::Legs(chosen.len() as u32)).is_break() {
            return Err(stopped());
        }
        let (nodes, legs) = connect(space, corners.as_ref(), chosen, effort);
        let labels = HubLabels::build(&legs.graph, space.costs(), |done| match done.entries {
            // As many as can be numbered.
            entries if entries > MOST_HUBS => ControlFlow::Break(()),
            entries => progress(TransitStage::Hubs(done.ranks_done, done.ranks, entries)),
        });
        let network = Network::new(nodes, legs, labels.ok_or_else(stopped)?, effort.reach as u32);
        Ok(Self::of_network(BuiltFor::of(space), config, network))
    }

    pub(super) fn of_network(built_for: BuiltFor, config: TransitConfig, network: Network) -> Self {
        let mut made = Self {
            bytes: Arc::new(Vec::new()) as SharedBytes,
            config,
            built_for,
            network: Arc::new(network),
            edits: None,
            pool: Pool::default(),
        };
        made.bytes = Arc::new(made.write()) as SharedBytes;
        made
    }
}

/// The nodes that were chosen, of the corners if there are any, and others that are needed, with the legs
/// between them.
fn connect(
    space: &GridSpace,
    corners: Option<&CornerGraph>,
    mut of: Vec<State>,
    effort: Effort,
) -> (Nodes, LegTable) {
    let (extent, reach) = (effort.over_cells().legs, effort.reach);
    let mut is_near = Bits::new(space.state_limit());
    let (mut nodes, mut found);
    if let Some(corners) = corners {
        found = find_legs_over(space, corners, &of, effort.over_corners(space).legs);
        of.iter_mut().for_each(|corner| *corner = corners.on_map(space, *corner));
        nodes = Nodes::new(space.state_limit(), of.clone());
        mark_near(space, &nodes, reach, &mut is_near);
    } else {
        nodes = Nodes::new(space.state_limit(), of.clone());
        found = find_legs(space, &nodes, &of, (extent, reach), &mut is_near);
    }
    let far = far_cells(space, &nodes, reach, &is_near);
    if !far.is_empty() {
        nodes = Nodes::new(space.state_limit(), of.iter().chain(&far).copied().collect());
        found.extend(find_legs(space, &nodes, &far, (extent, reach), &mut is_near));
        of.extend(far);
    }
    let number = |state: State| nodes.at(state).unwrap_or(0);
    let mut found: Vec<(u32, FoundLegs)> = of.into_iter().map(number).zip(found).collect();
    let mut legs = LegTable::new(space, &nodes, None, &found);
    let mut groups = Groups::new(nodes.len());
    for node in 0..nodes.len() as u32 {
        legs.of(node).for_each(|(to, ..)| groups.join(node, to));
    }
    let mut is_joined = false;
    while let Some(apart) = groups.next_apart(space, &nodes) {
        let mut joining = Joining::new(space, &nodes, &mut groups, &apart);
        let joint = loop {
            match joining.work_on(space, &nodes, &mut groups) {
                Ok(Some(joint)) => break joint,
                Ok(None) => {}
                // They are in one component of the map: there is a way.
                Err(()) => return (nodes, legs),
            }
        };
        groups.join(joint.0, joint.1);
        found.push((joint.0, joint.2));
        is_joined = true;
    }
    if is_joined {
        legs = LegTable::new(space, &nodes, None, &found);
    }
    (nodes, legs)
}

impl Network {
    pub(super) fn new(nodes: Nodes, legs: LegTable, labels: HubLabels, reach: u32) -> Self {
        let entries = |node: u32| labels.of(node).0.len() as u64;
        let all = || 0..nodes.len() as u32;
        let most_hubs = all().map(entries).max().unwrap_or(0);
        let next_leg = |node: u32| legs.of(node).map(|(to, ..)| 1 + entries(to) + most_hubs).sum::<u64>();
        let longest = (0..legs.count() as u32).map(|number| legs.length(number)).max();
        let figures = TransitFigures {
            reach,
            nodes: nodes.len() as u32,
            legs: legs.count() as u64,
            moves: u64::from(legs.moves().len()),
            hubs: labels.entries() as u64,
            most_legs: all().map(|node| legs.of(node).count()).max().unwrap_or(0) as u32,
            most_hubs: most_hubs as u32,
            most_moves: longest.unwrap_or(0),
            next_leg: all().map(next_leg).max().unwrap_or(0),
        };
        Self { nodes, legs, labels, figures }
    }
}
