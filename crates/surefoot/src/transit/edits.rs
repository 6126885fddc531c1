//! Maps that change.
//!
//! Balls are grown on the map as it is, and agents ask it before every move, so that nothing has to be put
//! right at once. Legs near a change are found anew piece by piece, around one node after the other; then
//! labels are brought up to date, with the nodes ranked as before and new ones last. Until all is done, ways
//! are those from before the edit. Nodes keep their numbers: one in a wall has no legs.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::ball::Ball;
use super::complete::{Groups, Joining, has_node};
use super::legs::{FoundLegs, LegTable};
use super::nodes::Nodes;
use super::tuning::{NODES_A_PIECE, STATES_A_PIECE};
use super::walks::Extent;
use super::{Network, TransitDatabase};
use crate::hub_labels::LabelUpdate;
use crate::space::{Cell, Direction, GridSpace, State, StateSpace as _, sorting};
use crate::store::container::DatabaseError;

/// What has happened to the map since the database was built.
#[derive(Clone, Debug)]
pub(super) struct TransitEdits {
    /// What tells these edits from others.
    mark: u64,
    /// The cells that were changed since legs were last begun to be found anew.
    changed: Vec<State>,
    renewal: Option<Box<NetworkRenewal>>,
}

impl TransitEdits {
    pub(super) fn new(mark: u64, changed: Vec<State>) -> Self {
        Self { mark, changed, renewal: None }
    }

    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// The cells that were changed since legs were last begun to be found anew.
    pub(super) fn changed(&self) -> &[State] {
        &self.changed
    }

    /// Whether legs and labels are not being made anew.
    pub(super) fn is_whole(&self) -> bool {
        self.renewal.is_none()
    }
}

/// Legs and labels that are being made anew.
#[derive(Clone, Debug)]
struct NetworkRenewal {
    /// The cells that were changed, tile by tile.
    changed: Vec<State>,
    /// The first cells of the tiles that they lie in.
    tiles: Vec<Cell>,
    nodes: Nodes,
    /// The nodes whose legs have to be found, without any twice.
    affected: Vec<u32>,
    is_affected: Vec<bool>,
    found: Vec<(u32, FoundLegs)>,
    stage: RenewalStage,
}

#[derive(Clone, Debug)]
enum RenewalStage {
    /// It is looked around so many changed cells.
    Around(usize),
    /// It was seen whether so many nodes have legs that are cut.
    Cut(usize),
    /// The legs of so many nodes are found.
    Legs(usize),
    /// Groups of nodes are joined that no leg connects any more.
    Join(Groups, Option<Box<Joining>>),
    Labels(Box<LegTable>, Box<LabelUpdate>),
}

/// A piece of making legs and labels anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransitPiece {
    /// What it took.
    pub(crate) work: u64,
    /// Whether there are new legs and labels now.
    pub(crate) is_last: bool,
}

impl TransitDatabase {
    /// Brings the database up to date after cells of its map were blocked, freed or given another weight.
    ///
    /// `space` is the map as it is now. `changed` must name every cell that was changed since the database
    /// was built or last repaired; it may name others, and one twice.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<(), DatabaseError> {
        self.repair_but_labels(space, changed)?;
        while self.label_on(space).is_some() {}
        Ok(())
    }

    /// The same, but the changes are only remembered: [`label_on`](Self::label_on) goes on with legs and
    /// labels. How many there are.
    pub(crate) fn repair_but_labels(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<u64, DatabaseError> {
        self.built_for.check_like(space)?;
        let mut mark = Vec::from(self.checksum().to_le_bytes());
        let mut states = Vec::new();
        for cell in changed.into_iter().filter(|&cell| space.grid().contains(cell)) {
            let state = space.state(cell);
            mark.extend_from_slice(&state.0.to_le_bytes());
            mark.push(u8::from(space.grid().is_free(cell)));
            mark.push(space.weight(cell).unwrap_or(1));
            states.push(state);
        }
        let mark = xxh3_64(&mark);
        let edits = self.edits.get_or_insert_with(|| Box::new(TransitEdits::new(mark, Vec::new())));
        edits.mark = mark;
        let work = states.len() as u64;
        edits.changed.append(&mut states);
        sorting::sort(&mut edits.changed);
        edits.changed.dedup();
        Ok(work)
    }

    /// Whether legs and labels are being made anew.
    pub(crate) fn is_labelling(&self) -> bool {
        self.edits.as_ref().is_some_and(|edits| !edits.changed.is_empty() || edits.renewal.is_some())
    }

    /// Does a piece of making legs and labels anew; `None` if there is nothing to do.
    pub(crate) fn label_on(&mut self, space: &GridSpace) -> Option<TransitPiece> {
        let reach = self.network.figures.reach;
        let edits = self.edits.as_mut()?;
        let Some(renewal) = &mut edits.renewal else {
            if edits.changed.is_empty() {
                return None;
            }
            let nodes = self.network.nodes.clone();
            let mut changed = core::mem::take(&mut edits.changed);
            sorting::sort_by_key(&mut changed, |&state| (tile(space.cell(state)), state));
            let mut tiles: Vec<Cell> = changed.iter().map(|&state| tile(space.cell(state))).collect();
            tiles.dedup();
            let renewal = NetworkRenewal {
                changed,
                tiles,
                is_affected: alloc::vec![false; nodes.len()],
                nodes,
                affected: Vec::new(),
                found: Vec::new(),
                stage: RenewalStage::Around(0),
            };
            edits.renewal = Some(Box::new(renewal));
            return Some(TransitPiece { work: 1 + self.network.nodes.len() as u64 / 64, is_last: false });
        };
        let (work, labels) = renewal.work_on(space, &self.network, reach as usize);
        let is_last = labels.is_some();
        if let Some((legs, update)) = labels {
            let nodes = core::mem::take(&mut renewal.nodes);
            edits.renewal = None;
            self.network = Arc::new(Network::new(nodes, legs, update.finish(space.costs()), reach));
        }
        Some(TransitPiece { work: work.max(1), is_last })
    }

    /// The database as the map is now, built anew.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs, or there is more than a file can hold.
    pub fn renewed(&self, space: &GridSpace) -> Result<Self, DatabaseError> {
        self.built_for.check_like(space)?;
        Self::build(space, self.config)
    }
}

/// The side of a tile. Changed cells of one tile are looked around from together.
const TILE: u32 = 8;
/// Up to so many changed cells are compared one by one.
const TILE_CELLS: usize = (TILE * TILE) as usize;

/// The first cell of the tile that a cell lies in.
fn tile(cell: Cell) -> Cell {
    Cell::new(cell.x / TILE * TILE, cell.y / TILE * TILE)
}

/// What there is at the end: all legs, and labels that are up to date.
type Labelled = Option<(LegTable, LabelUpdate)>;

impl NetworkRenewal {
    /// Does a piece. What that took, and what there is at the end.
    fn work_on(&mut self, space: &GridSpace, before: &Network, reach: usize) -> (u64, Labelled) {
        let stage = core::mem::replace(&mut self.stage, RenewalStage::Cut(0));
        let work = match stage {
            RenewalStage::Around(next) => match self.changed.get(next) {
                Some(&state) => {
                    let here = tile(space.cell(state));
                    let others = self.changed[next..].iter();
                    let count = others.take_while(|&&state| tile(space.cell(state)) == here).count();
                    self.stage = RenewalStage::Around(next + count);
                    self.look_around(space, before, next..next + count, reach)
                }
                None => 1,
            },
            RenewalStage::Cut(next) => {
                let end = (next + NODES_A_PIECE).min(before.nodes.len());
                let work = (next..end).map(|node| self.look_for_cuts(space, before, node as u32)).sum();
                self.stage = if next == end { RenewalStage::Legs(0) } else { RenewalStage::Cut(end) };
                work
            }
            RenewalStage::Legs(next) => match self.affected.get(next) {
                Some(&node) => {
                    self.stage = RenewalStage::Legs(next + 1);
                    self.find_legs(space, node, 4 * reach)
                }
                None => {
                    self.stage = RenewalStage::Join(self.groups(space, before), None);
                    before.legs.count() as u64
                }
            },
            RenewalStage::Join(groups, joining) => self.join(space, before, groups, joining),
            RenewalStage::Labels(legs, mut update) => {
                match update.work_on(&before.labels, &before.legs.graph, &legs.graph) {
                    Some(work) => {
                        self.stage = RenewalStage::Labels(legs, update);
                        work
                    }
                    None => return (legs.graph.nodes() as u64, Some((*legs, *update))),
                }
            }
        };
        (work, None)
    }

    fn affect(&mut self, node: u32) {
        if let Some(is_affected) = self.is_affected.get_mut(node as usize)
            && !core::mem::replace(is_affected, true)
        {
            self.affected.push(node);
        }
    }

    /// Finds the nodes near cells that were changed, which lie in one tile. Where there are none one comes to
    /// be.
    fn look_around(
        &mut self,
        space: &GridSpace,
        before: &Network,
        changed: Range<usize>,
        reach: usize,
    ) -> u64 {
        let mut ball = Ball::default();
        let states = self.changed[changed].to_vec();
        let around = |&state: &State| {
            let cell = space.cell(state);
            let around = Direction::ALL.into_iter().map(move |direction| {
                let (dx, dy) = direction.delta();
                Cell::new(cell.x.wrapping_add_signed(dx), cell.y.wrapping_add_signed(dy))
            });
            core::iter::once(cell).chain(around)
        };
        let roots = states.iter().flat_map(around).filter_map(|cell| space.state_at(cell));
        let mut roots: Vec<State> = roots.filter(|&state| space.contains(state)).collect();
        let is_one = states.len() == 1;
        if !is_one {
            sorting::sort(&mut roots);
            roots.dedup();
        }
        let (mut work, mut has_seen) = (1, false);
        for &root in &roots {
            // Where there are many, one that another has seen before it found a node is not far from it.
            if !is_one && has_seen && ball.settled(space, root).is_some() {
                continue;
            }
            has_seen = has_node(&mut ball, space, &self.nodes, root, reach);
            if !has_seen && ball.len() >= reach {
                self.nodes.add(root);
                self.is_affected.push(false);
                self.affect(self.nodes.len() as u32 - 1);
            }
            work += ball.len() as u64;
        }
        // A ball around many reaches as far as one around each would.
        let count = if is_one { reach } else { 2 * reach + roots.len() };
        ball.begin(space, roots);
        ball.grow(space, None, Extent::Count(count));
        for &place in ball.order() {
            if let Some(node) = self.nodes.at(ball.at(place).state) {
                self.affect(node);
            }
        }
        // Whoever had a leg to a node in a wall needs others.
        for state in states {
            if let Some(node) = self.nodes.at(state) {
                self.affect(node);
                before.legs.of(node).for_each(|(to, ..)| self.affect(to));
            }
        }
        work + ball.len() as u64
    }

    /// Sees whether a node has legs that are cut, or cost something else now.
    fn look_for_cuts(&mut self, space: &GridSpace, before: &Network, node: u32) -> u64 {
        let Some(state) = before.nodes.state(node) else { return 0 };
        let (cell, most) = (space.cell(state), before.figures.most_moves);
        let reaches = |changed: Cell| cell.moves_to(changed) <= most + 1;
        let (is_near, looked_at) = match self.changed.len() {
            0..=TILE_CELLS => (self.changed.iter().any(|&state| reaches(space.cell(state))), 0),
            _ => {
                // The cell of a tile that is nearest may have been changed.
                let side = |at: u32, from: u32| at.clamp(from, from + TILE - 1);
                let nearest = |from: Cell| Cell::new(side(cell.x, from.x), side(cell.y, from.y));
                (self.tiles.iter().any(|&from| reaches(nearest(from))), self.tiles.len() as u64 / 16)
            }
        };
        if !is_near {
            return looked_at;
        }
        let mut work = 1 + looked_at;
        for (to, cost, number) in before.legs.of(node) {
            work += 1 + u64::from(before.legs.length(number)) / 8;
            if !before.legs.is_open(space, state, number, to < node, cost) {
                self.affect(node);
                self.affect(to);
            }
        }
        work
    }

    fn find_legs(&mut self, space: &GridSpace, node: u32, limit: usize) -> u64 {
        let mut ball = Ball::default();
        if let Some(state) = self.nodes.state(node).filter(|&state| space.contains(state)) {
            ball.begin_at(space, state);
            ball.grow(space, Some(&self.nodes), Extent::Count(limit));
        }
        self.found.push((node, FoundLegs::of(&ball, space)));
        ball.len() as u64
    }

    /// Which nodes will be connected by legs.
    fn groups(&self, space: &GridSpace, before: &Network) -> Groups {
        let legs = LegTable::new(space, &self.nodes, Some((&before.legs, &self.is_affected)), &self.found);
        let mut groups = Groups::new(self.nodes.len());
        for node in 0..self.nodes.len() as u32 {
            legs.of(node).for_each(|(to, ..)| groups.join(node, to));
        }
        groups
    }

    /// Looks for a leg that joins two groups of nodes.
    fn join(
        &mut self,
        space: &GridSpace,
        before: &Network,
        mut groups: Groups,
        joining: Option<Box<Joining>>,
    ) -> u64 {
        let Some(mut search) = joining else {
            match groups.next_apart(space, &self.nodes) {
                Some(apart) => {
                    let search = Joining::new(space, &self.nodes, &mut groups, &apart);
                    self.stage = RenewalStage::Join(groups, Some(Box::new(search)));
                }
                None => self.begin_labels(space, before),
            }
            return 1 + self.nodes.len() as u64 / 16;
        };
        for looked_at in 1..=STATES_A_PIECE {
            match search.work_on(space, &self.nodes, &mut groups) {
                Ok(None) => {}
                Ok(Some((from, to, leg))) => {
                    groups.join(from, to);
                    self.found.push((from, leg));
                    self.stage = RenewalStage::Join(groups, None);
                    return looked_at;
                }
                // The map was edited meanwhile: what is apart now is joined the next time.
                Err(()) => {
                    self.begin_labels(space, before);
                    return looked_at;
                }
            }
        }
        self.stage = RenewalStage::Join(groups, Some(search));
        STATES_A_PIECE
    }

    fn begin_labels(&mut self, space: &GridSpace, before: &Network) {
        let legs = LegTable::new(space, &self.nodes, Some((&before.legs, &self.is_affected)), &self.found);
        let update = LabelUpdate::new(&before.labels, &legs.graph);
        self.stage = RenewalStage::Labels(Box::new(legs), Box::new(update));
    }
}
