//! Maps that change.
//!
//! Corners change only beside an edited cell, and are put right at once: what is seen from a cell is right
//! again before the next move. Legs and labels are found anew piece by piece where they can have changed,
//! with the corners ranked as before and new ones last. Where only the core has labels, it and all labels are
//! made anew. Where much has changed all of them are made anew, in an order of their own. Until they are
//! there, ways are those from before the edit: agents ask the map before every run of moves, and choose anew
//! where one is blocked. Corners keep their numbers, so that agents go on with what they know.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use xxhash_rust::xxh3::xxh3_64;

use super::build::{Ways, legs as all_legs};
use super::changed_legs::ChangedLegs;
use super::climbs::Climbs;
use super::corners::Corners;
use super::first_labels::FirstLabels;
use super::renewal::{LabelRenewal, Relabelling};
use super::thinning::Thinning;
use super::tuning::{CHECKED, LABELS_CHECKED, LINED, MANY_CHANGED, MOST_AFFECTED, MOST_SPENT};
use super::turns::Turns;
use super::{BeaconDatabase, BeaconId, BeaconOutlook, BeaconStage, Labelled};
use crate::hub_labels::{HopSearch, Hops, LabelUpdate, Labelling, LegGraph};
use crate::space::{Cell, GridSpace, State, sorting};
use crate::store::container::DatabaseError;

/// What is no longer as in the file.
#[derive(Clone, Debug)]
pub(super) struct BeaconEdits {
    /// What tells these edits from others.
    pub(super) mark: u64,
    /// Whether there were edits since legs were last begun to be found anew.
    pub(super) is_outdated: bool,
    /// The cells around those edits.
    pub(super) around: Vec<Cell>,
    /// How many corners have changed since then.
    pub(super) changed: u32,
    pub(super) renewal: Option<LabelRenewal>,
    /// What was done of it since the last checkpoint.
    pub(super) since: u64,
    /// The legs between all corners, where only the core has labels.
    pub(super) legs: Option<Arc<LegGraph>>,
    /// How many corners have looked for their legs, when these were last found anew.
    pub(super) looked: usize,
    /// What is known of the first labels, while these are being made.
    pub(super) first: Option<Box<FirstLabels>>,
}

impl BeaconEdits {
    /// Takes note of how many hubs there are so far.
    fn note_hubs(&mut self, hubs: u64) {
        if let Some(first) = &mut self.first {
            first.note(BeaconStage::Hubs(0, 0, hubs));
        }
    }

    /// Whether so many of these corners have changed that all labels are made anew.
    fn is_much(&self, corners: usize) -> bool {
        self.changed as usize * MANY_CHANGED > corners
    }

    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// The legs between all corners, where only the core has labels.
    #[cfg(test)]
    pub(super) fn legs(&self) -> Option<&LegGraph> {
        self.legs.as_deref()
    }

    /// How many corners have looked for their legs, when these were last found anew.
    #[cfg(test)]
    pub(super) fn looked(&self) -> usize {
        self.looked
    }
}

/// What a repair did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BeaconRepair {
    /// The corners that came to be.
    pub new_corners: u32,
    /// What it took, legs and labels apart: cells that were looked at.
    pub work: u64,
    /// The numbers of corners that there are no more, in order. Agents that go by them have to choose anew.
    pub(crate) retired: Vec<BeaconId>,
}

/// A piece of making legs and labels anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// What it took.
    pub(crate) work: u64,
    /// Whether there are new labels now.
    pub(crate) is_last: bool,
}

impl BeaconDatabase {
    /// Brings beacons up to date after cells of their map were blocked or freed.
    ///
    /// `space` is the map as it is now. `changed` must name every cell that was changed since the beacons
    /// were built or last repaired; it may name others, and one twice. From then on they are exact again.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<BeaconRepair, DatabaseError> {
        let report = self.repair_but_labels(space, changed)?;
        if self.edits.as_ref().is_some_and(|edits| edits.is_much(self.corners.slots())) {
            self.renew_at_once(space);
        }
        while self.label_on(space).is_some() {
            if let Some(
                LabelRenewal::Core { .. } | LabelRenewal::Labels { labels: Relabelling::Anew(_), .. },
            ) = self.edits.as_ref().and_then(|edits| edits.renewal.as_ref())
            {
                self.renew_at_once(space);
            }
        }
        Ok(report)
    }

    /// Makes all legs and labels anew, on all cores: the very ones that come of it piece by piece.
    fn renew_at_once(&mut self, space: &GridSpace) {
        let sight = super::Sight { space, turns: &self.turns, corners: &self.corners };
        let legs = all_legs(sight);
        let labelled = if self.ways.is_thin() { Labelled::Core } else { Labelled::All };
        let ways = Ways::build(sight, &legs, labelled, |_| ControlFlow::Continue(()));
        self.corners.release(self.corners.retired());
        if let Some(edits) = &mut self.edits {
            edits.around.clear();
            (edits.is_outdated, edits.changed, edits.renewal, edits.since) = (false, 0, None, 0);
            edits.legs = (labelled == Labelled::Core).then(|| Arc::new(legs));
        }
        // Nobody said to stop.
        self.ways = ways.map_or_else(|| Arc::clone(&self.ways), Arc::new);
        self.hops = Arc::new(Hops::find(&self.ways.graph, &self.ways.labels));
        self.derive(space);
    }

    /// The same, but only corners are put right: [`label_on`](Self::label_on) goes on with legs and labels.
    pub(crate) fn repair_but_labels(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<BeaconRepair, DatabaseError> {
        self.built_for.check_like(space)?;
        let mut mark = Vec::from(self.checksum().to_le_bytes());
        let mut cells: Vec<Cell> = Vec::new();
        for cell in changed.into_iter().filter(|&cell| space.grid().contains(cell)) {
            mark.extend_from_slice(&space.state(cell).0.to_le_bytes());
            mark.push(u8::from(space.grid().is_free(cell)));
            cells.push(cell);
        }
        let around = cells_around_all(space, &cells);
        let mark = xxh3_64(&mark);
        let edits = self.begin_edits(mark);
        if let Some(first) = &mut edits.first {
            first.is_edited = true;
        }
        edits.around.extend_from_slice(&around);
        if edits.around.len() > 2 * space.grid().cell_count() {
            // No cell needs to be there twice.
            sorting::sort_by_key(&mut edits.around, |cell| (cell.y, cell.x));
            edits.around.dedup();
        }
        let mut report = BeaconRepair { work: around.len() as u64, ..BeaconRepair::default() };
        let is_little = around.len() <= LINED;
        for cell in around {
            self.corners.update(space, &self.turns, cell, is_little, &mut report);
        }
        if !is_little {
            self.corners.reline(space.grid());
        }
        sorting::sort(&mut report.retired);
        if let Some(edits) = &mut self.edits {
            edits.changed = edits.changed.saturating_add(report.new_corners + report.retired.len() as u32);
        }
        Ok(report)
    }

    /// From now on something is no longer as in the file.
    pub(super) fn begin_edits(&mut self, mark: u64) -> &mut BeaconEdits {
        let edits = self.edits.get_or_insert_with(|| {
            Box::new(BeaconEdits {
                mark,
                is_outdated: true,
                around: Vec::new(),
                changed: 0,
                renewal: None,
                since: 0,
                legs: None,
                looked: 0,
                first: None,
            })
        });
        (edits.mark, edits.is_outdated) = (mark, true);
        edits
    }

    /// Whether legs and labels are being made anew.
    pub(crate) fn is_labelling(&self) -> bool {
        self.edits.as_ref().is_some_and(|edits| edits.is_outdated || edits.renewal.is_some())
    }

    /// Does a piece of making legs and labels anew; `None` if there is nothing to do.
    pub(crate) fn label_on(&mut self, space: &GridSpace) -> Option<Piece> {
        let edits = self.edits.as_mut()?;
        let sight = super::Sight { space, turns: &self.turns, corners: &self.corners };
        let mut is_last = false;
        let was_core = matches!(edits.renewal, Some(LabelRenewal::Core { .. }));
        let work = match edits.renewal.take() {
            None if !edits.is_outdated => return None,
            None => {
                edits.is_outdated = false;
                let around = core::mem::take(&mut edits.around);
                let slots = if edits.first.is_some() { sight.corners.slots() } else { 0 };
                let work = 1 + (around.len() + slots) as u64 / 16;
                // Where only the core has labels, nobody has kept the legs before the first edit.
                let are_known = edits.first.is_none() && (!self.ways.is_thin() || edits.legs.is_some());
                let legs =
                    if are_known { ChangedLegs::around(sight, around) } else { ChangedLegs::of_all(sight) };
                edits.renewal = Some(LabelRenewal::Legs(Box::new(legs)));
                work
            }
            Some(LabelRenewal::Legs(mut legs)) => {
                if let Some(work) = legs.work_on(sight) {
                    edits.renewal = Some(LabelRenewal::Legs(legs));
                    work
                } else {
                    edits.looked = legs.looked();
                    let retired = legs.retired();
                    let before = edits.legs.as_deref().unwrap_or(&self.ways.graph);
                    let (legs, work) = legs.finish(sight, before);
                    // All legs were copied.
                    let work = work + copied(&legs);
                    let is_thin = match &mut edits.first {
                        Some(first) => first.is_for_core(sight, &legs),
                        None => self.ways.is_thin(),
                    };
                    let work = if is_thin { work + legs.leg_count() as u64 } else { work };
                    edits.renewal = Some(if is_thin {
                        let thinning = Box::new(Thinning::new(sight, &legs));
                        LabelRenewal::Core { legs: Arc::new(legs), thinning, retired }
                    } else {
                        let labels = if edits.first.is_some() || edits.is_much(legs.nodes()) {
                            Relabelling::Anew(Box::new(Labelling::new(&legs)))
                        } else {
                            Relabelling::Changed(Box::new(LabelUpdate::new(&self.ways.labels, &legs)), 0)
                        };
                        LabelRenewal::Labels { legs, labels, retired }
                    });
                    edits.changed = 0;
                    work
                }
            }
            Some(LabelRenewal::Core { legs, mut thinning, retired }) => {
                if let Some(work) = thinning.work_on(sight) {
                    edits.renewal = Some(LabelRenewal::Core { legs, thinning, retired });
                    work
                } else {
                    let core = Box::new(thinning.finish());
                    let graph = core.graph();
                    if let Some(first) = &mut edits.first {
                        let (corners, legs) = (graph.nodes() as u32, graph.leg_count() as u64 / 2);
                        first.note(BeaconStage::Core(BeaconOutlook::new(space, corners, legs)));
                    }
                    let labels = Box::new(Labelling::new(&graph));
                    let work = legs.leg_count() as u64;
                    edits.renewal = Some(LabelRenewal::LabelsOfCore { legs, core, labels, retired });
                    work
                }
            }
            Some(LabelRenewal::LabelsOfCore { legs, core, mut labels, retired }) => {
                if let Some(work) = labels.work_on() {
                    edits.note_hubs(labels.entries());
                    edits.renewal = Some(LabelRenewal::LabelsOfCore { legs, core, labels, retired });
                    work.max(1)
                } else {
                    let labels = labels.finish(space.costs());
                    let work = labels.entries() as u64 / 16;
                    let climbs = Box::new(Climbs::new(*core, labels));
                    edits.renewal = Some(LabelRenewal::Climbs { legs, climbs, retired });
                    work
                }
            }
            Some(LabelRenewal::Climbs { legs, mut climbs, retired }) => {
                if let Some(work) = climbs.work_on(sight) {
                    edits.note_hubs(climbs.entries());
                    edits.renewal = Some(LabelRenewal::Climbs { legs, climbs, retired });
                    work
                } else {
                    let made = Ways::over_core(&legs, climbs.finish(space.costs()));
                    edits.legs = Some(legs);
                    // All labels were copied.
                    let work = made.labels.entries() as u64 / 4;
                    let hops = HopSearch::new(&made.labels);
                    edits.renewal = Some(LabelRenewal::Hops { made: Box::new(made), hops, retired });
                    work
                }
            }
            Some(LabelRenewal::Labels { legs, mut labels, retired }) => {
                let Ways { graph, labels: before, .. } = &*self.ways;
                let mut piece = match &mut labels {
                    Relabelling::Anew(labelling) => labelling.work_on(),
                    Relabelling::Changed(update, spent) => {
                        let piece = update.work_on(before, graph, &legs);
                        *spent += piece.unwrap_or(0);
                        piece
                    }
                };
                if let Relabelling::Changed(update, spent) = &labels {
                    let entries = before.entries() as u64;
                    let affected = update.affected(graph).unwrap_or(0);
                    if MOST_AFFECTED * affected > entries || *spent > MOST_SPENT * entries {
                        labels = Relabelling::Anew(Box::new(Labelling::new(&legs)));
                        piece = piece.map(|work| work + copied(&legs));
                    }
                }
                if let Some(hubs) = labels.entries_anew() {
                    edits.note_hubs(hubs);
                    if edits.first.as_mut().is_some_and(|first| first.is_core_better(hubs)) {
                        // Where the map was edited since, these are not its legs.
                        edits.renewal = (!edits.is_outdated).then(|| {
                            let thinning = Box::new(Thinning::new(sight, &legs));
                            LabelRenewal::Core { legs: Arc::new(legs), thinning, retired }
                        });
                        return Some(Piece { work: hubs / 16 + piece.unwrap_or(1), is_last });
                    }
                }
                if let Some(work) = piece {
                    edits.renewal = Some(LabelRenewal::Labels { legs, labels, retired });
                    work.max(1)
                } else {
                    let labels = match labels {
                        Relabelling::Anew(labelling) => labelling.finish(space.costs()),
                        Relabelling::Changed(update, _) => update.finish(space.costs()),
                    };
                    // All labels were copied.
                    let work = labels.entries() as u64 / 16;
                    let hops = HopSearch::new(&labels);
                    let made = Box::new(Ways::of_all(&legs, labels));
                    edits.renewal = Some(LabelRenewal::Hops { made, hops, retired });
                    work
                }
            }
            Some(LabelRenewal::Hops { made, mut hops, retired }) => {
                if let Some(work) = hops.work_on(&made.graph, &made.labels) {
                    edits.renewal = Some(LabelRenewal::Hops { made, hops, retired });
                    work
                } else {
                    (self.ways, self.hops) = (Arc::new(*made), Arc::new(hops.finish()));
                    self.corners.release(retired);
                    let is_first = edits.first.is_some();
                    if is_first {
                        edits.renewal = Some(LabelRenewal::Bound);
                    }
                    self.derive(space);
                    if is_first {
                        self.begin_bound();
                    }
                    is_last = !is_first;
                    // All legs were looked at.
                    self.ways.graph.leg_count() as u64 / 16
                }
            }
            Some(LabelRenewal::Bound) => {
                edits.renewal = Some(LabelRenewal::Bound);
                match self.find_bound(space) {
                    Some(work) => work,
                    None => {
                        self.end_first();
                        is_last = true;
                        1
                    }
                }
            }
        };
        let Some(edits) = &mut self.edits else { return Some(Piece { work, is_last }) };
        let is_stage = match &edits.renewal {
            Some(LabelRenewal::Core { legs, .. }) => edits.since > CHECKED * legs.leg_count() as u64,
            Some(LabelRenewal::LabelsOfCore { .. }) if was_core => true,
            Some(
                LabelRenewal::LabelsOfCore { labels, .. }
                | LabelRenewal::Labels { labels: Relabelling::Anew(labels), .. },
            ) => labels.is_between_hubs() && edits.since > labels.size() / LABELS_CHECKED,
            _ => is_last,
        };
        edits.since = if is_stage { 0 } else { edits.since + work };
        Some(Piece { work, is_last })
    }

    /// The database as the map is now, as a file: legs and labels are brought up to date first.
    ///
    /// # Errors
    /// If the map is of another size, rule or costs.
    pub fn renewed(&self, space: &GridSpace) -> Result<Self, DatabaseError> {
        self.built_for.check_like(space)?;
        if self.ways.is_thin() {
            return Self::build_with(space, self.config, |_| ControlFlow::Continue(()));
        }
        let mut current = self.clone();
        while current.label_on(space).is_some() {}
        // Numbers go row by row again.
        let corners = Corners::new(space.grid(), &current.turns);
        let number = |slot: BeaconId| {
            current.corners.is_there(slot).then(|| corners.at(current.corners.cell(slot))).flatten()
        };
        let order: Vec<BeaconId> = current.ways.labels.corners().filter_map(number).collect();
        Self::build_in_order(space, self.config, &order)
    }
}

/// What it takes to copy all legs.
fn copied(graph: &LegGraph) -> u64 {
    (graph.nodes() + graph.leg_count()) as u64 / 16
}

/// The cells of a map around some, these included, row by row.
fn cells_around_all(space: &GridSpace, cells: &[Cell]) -> Vec<Cell> {
    let around = cells.iter().flat_map(|&cell| cells_around(space, cell));
    if cells.len() < space.grid().cell_count() / 64 {
        let mut around: Vec<Cell> = around.collect();
        sorting::sort_by_key(&mut around, |cell| (cell.y, cell.x));
        around.dedup();
        return around;
    }
    // Where there are many it is faster to mark them.
    let mut is_around = vec![false; space.grid().cell_count()];
    around.for_each(|cell| is_around[space.state(cell).index()] = true);
    let marked = (0..).zip(is_around).filter(|&(_, is_around)| is_around);
    marked.map(|(state, _)| space.cell(State(state))).collect()
}

/// The cells of a map around one, itself included.
fn cells_around(space: &GridSpace, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
    let span = |at: u32, side: u32| at.saturating_sub(1)..at.saturating_add(2).min(side);
    let columns = span(cell.x, space.grid().width());
    span(cell.y, space.grid().height()).flat_map(move |y| columns.clone().map(move |x| Cell::new(x, y)))
}

impl Corners {
    /// Takes over what has become of a cell.
    fn update(
        &mut self,
        space: &GridSpace,
        turns: &Turns,
        cell: Cell,
        is_lined: bool,
        report: &mut BeaconRepair,
    ) {
        let grid = space.grid();
        let free = grid.free_neighbours(cell);
        let is_corner = grid.is_free(cell) && turns.corner(free).stops != 0;
        match (self.at(cell), is_corner) {
            (Some(corner), true) => self.turn_into(corner, free),
            (Some(corner), false) => {
                if is_lined {
                    self.remove(corner);
                } else {
                    self.remove_unlined(corner);
                }
                report.retired.push(corner);
            }
            (None, true) => {
                if is_lined {
                    self.add(cell, free);
                } else {
                    self.add_unlined(cell, free);
                }
                report.new_corners += 1;
            }
            (None, false) => {}
        }
    }
}
