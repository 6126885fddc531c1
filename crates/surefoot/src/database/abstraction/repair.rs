//! Repair: the levels follow the map when cells are blocked or freed, near what was edited and nowhere else.
//!
//! The PRA* paper says that abstractions can be repaired and not how; its authors' later code takes things away and adds
//! none. Here one mechanism does both, level by level from the ground up:
//! - On each level some nodes have other neighbours than before, some are new and some are gone. Their groups are looked at.
//!   A group that is still a clique with orphans, as in a fresh build, stays; else its members are free.
//! - Free nodes are grouped anew by the rules of `cliques.rs`. So that they do not end up alone, small groups next to them are
//!   taken apart first; and whenever a free node has a neighbour that is alone in its group, that one is free too. So no two
//!   neighbours are both alone, every level with edges shrinks, and there is a top.
//! - A new group takes the number of an old one that some of its members were in, so that the level above sees little of it.
//!   Edges of all groups that were looked at are counted anew, and where they differ, those of their neighbours are told.
//! - What changed so is what the next level begins with. Where nothing did, only places are brought up to date.
//!
//! So the groups of a repaired abstraction are cliques with orphans too (the paper and its successors only ask for connected groups), and
//! no capacity can outgrow its byte.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::build::Sum;
use super::cliques::{self, Grouping, Lower};
use super::edited::{Edited, EditedLevel, add_up};
use super::level::{NONE, number};
use super::{Abstraction, Storage};
use crate::database::container::{BuiltFor, DatabaseError};
use crate::space::{Cell, GridSpace};

/// Groups of fewer members are taken apart when a node next to them needs a group.
const SMALL: usize = 4;

impl Abstraction {
    /// Brings the abstraction of a grid up to date after cells of it were blocked or freed, near those cells and nowhere else.
    ///
    /// `space` is the grid as it is now. `changed` must name every cell that was changed since the abstraction was built or last
    /// repaired; it may name others, and one twice. (With a cell left out it is no abstraction of this grid any more, which
    /// [`verify`](Self::verify) notices; PRA* on it still finds legal ways, but perhaps not the best or slowly.)
    ///
    /// The first repair takes about as long as to build the abstraction, for it has to be brought into a form that can be changed;
    /// so does one of an abstraction that others share, which keep what they have. All others take time by the number of
    /// cells, and hardly by the size of the map.
    ///
    /// # Errors
    /// If it is no abstraction of a grid of this size, rule and costs, or too large to be repaired. Then nothing has changed.
    pub fn repair(
        &mut self,
        space: &GridSpace,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<(), DatabaseError> {
        let (grid, built_for) = (space.grid(), self.storage.origin());
        if built_for.size != (grid.width(), grid.height())
            || built_for.rule != space.rule().name()
            || built_for.costs != space.costs().name()
        {
            let (expected, found) = (format!("{}", BuiltFor::of(space)), format!("{}", self.built_for()));
            return Err(DatabaseError::OtherWorld { expected, found });
        }
        if let Storage::Packed(packed, _) = &self.storage {
            let levels = (0..packed.levels()).map(|level| packed.level(level));
            let edited = Edited::new(grid, packed.built_for.clone(), self.fraction_bits, levels);
            self.storage = Storage::Edited(Arc::new(edited));
        }
        if let Storage::Edited(edited) = &mut self.storage {
            // Half of what can be numbered: no list of cells is long enough to use up the rest.
            if edited.levels.iter().any(|level| level.edges.pool.len() > (u32::MAX / 2) as usize) {
                let problem = format!("{} cells that may change", grid.cell_count());
                return Err(DatabaseError::TooLarge { problem });
            }
            let cells = changed.into_iter().filter(|&cell| grid.contains(cell));
            Arc::make_mut(edited).repair(space, cells, self.config.aligned, self.fraction_bits);
        }
        Ok(())
    }
}

/// What a level hands on to the one above it.
#[derive(Default)]
struct News {
    /// Nodes of the level that have other neighbours than before, and new ones.
    changed: Vec<u32>,
    /// Nodes that lie elsewhere than before.
    moved: Vec<u32>,
    /// Nodes of the level above that have lost a child.
    bereft: Vec<u32>,
}

impl News {
    fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.bereft.is_empty()
    }
}

impl Edited {
    /// Brings all levels up to date with `space`, in which these cells were changed.
    fn repair(
        &mut self,
        space: &GridSpace,
        cells: impl Iterator<Item = Cell>,
        is_aligned: bool,
        fraction_bits: u32,
    ) {
        let size = (space.grid().width(), space.grid().height());
        let mut news = News::default();
        for cell in cells {
            self.set_cell(cell, space.grid().is_free(cell));
            // A cell may be in the way of moves between its neighbours.
            for y in cell.y.saturating_sub(1)..=cell.y.saturating_add(1).min(size.1 - 1) {
                for x in cell.x.saturating_sub(1)..=cell.x.saturating_add(1).min(size.0 - 1) {
                    news.changed.push(space.state(Cell::new(x, y)).0);
                }
            }
        }
        let mut below = 0;
        while !news.is_empty() {
            if below + 1 == self.levels.len() {
                self.levels.push(EditedLevel::default());
            }
            let (lower, upper) = self.levels.split_at_mut(below + 1);
            let (Some((lower, lowest)), Some((upper, above))) =
                (lower.split_last_mut(), upper.split_first_mut())
            else {
                return;
            };
            let EditedLevel { parents, edges, sums, places, .. } = lower;
            let map = Map { lowest, places, size, fraction_bits, is_aligned };
            let above = above.first_mut();
            news = if below == 0 {
                Pass { graph: &space, parents, sums, map, upper, above }.run(news)
            } else {
                Pass { graph: &*edges, parents, sums, map, upper, above }.run(news)
            };
            if upper.parents.is_empty() {
                self.levels.truncate(below + 1);
                return;
            }
            below += 1;
        }
    }
}

/// Where the nodes of a level lie on the map.
struct Map<'a> {
    /// The levels below.
    lowest: &'a [EditedLevel],
    places: &'a [[u8; 4]],
    size: (u32, u32),
    fraction_bits: u32,
    is_aligned: bool,
}

impl Map<'_> {
    /// The four nodes that the aligned pass would group where a node lies; nothing if they are not all there.
    fn block_at(&self, node: u32) -> Option<[u32; 4]> {
        let level = self.lowest.len();
        if !self.is_aligned || level > 30 {
            return None;
        }
        let (x, y) = if level == 0 {
            (node % self.size.0, node / self.size.0)
        } else {
            let at = node as usize * 2;
            (number(self.places, at) >> self.fraction_bits, number(self.places, at + 1) >> self.fraction_bits)
        };
        let side = 1_u32 << level;
        let (x, y) = (x & !(2 * side - 1), y & !(2 * side - 1));
        let mut block = [NONE; 4];
        for (member, (x, y)) in
            block.iter_mut().zip([(x, y), (x + side, y), (x, y + side), (x + side, y + side)])
        {
            *member = self.ancestor(x, y)?;
        }
        Some(block)
    }

    fn ancestor(&self, x: u32, y: u32) -> Option<u32> {
        let is_inside = x < self.size.0 && y < self.size.1;
        self.lowest
            .iter()
            .try_fold(if is_inside { y * self.size.0 + x } else { return None }, |node, level| {
                Some(number(&level.parents, node as usize)).filter(|&parent| parent != NONE)
            })
    }
}

/// The repair of the groups of one level.
struct Pass<'a, G> {
    graph: &'a G,
    /// The group of each node of the level; free nodes have none, and so have those without neighbours.
    parents: &'a mut [[u8; 4]],
    sums: &'a [Sum],
    map: Map<'a>,
    /// The groups.
    upper: &'a mut EditedLevel,
    /// The groups of these.
    above: Option<&'a mut EditedLevel>,
}

/// Groups in the middle of a repair.
#[derive(Default)]
struct Regrouping {
    /// Nodes that need a group, and which they had.
    free: Vec<(u32, u32)>,
    /// Groups that were taken apart.
    dissolved: Vec<u32>,
    /// Groups whose edges may be others than before.
    affected: Vec<u32>,
    /// Groups whose members are others than before.
    reshaped: Vec<u32>,
    /// Groups that are no more.
    gone: Vec<u32>,
}

impl<G: Lower> Pass<'_, G> {
    fn run(mut self, mut news: News) -> News {
        let mut work = Regrouping::default();
        news.changed.sort_unstable();
        news.changed.dedup();
        self.look_at_groups(&news, &mut work);
        self.free_small_neighbours(&mut work);
        self.group_anew(&mut work);
        let mut next = News { changed: self.recount_edges(&mut work), ..News::default() };
        next.moved = self.locate(&news.moved, &mut work);
        self.remove(&work.gone, &mut next);
        next
    }

    fn parent(&self, node: u32) -> u32 {
        number(self.parents, node as usize)
    }

    /// Frees the nodes that have no group and need one, and those whose groups no longer hold.
    fn look_at_groups(&mut self, news: &News, work: &mut Regrouping) {
        work.reshaped.extend(&news.bereft);
        let mut groups = news.bereft.clone();
        for &node in &news.changed {
            match self.parent(node) {
                NONE if degree(self.graph, node) > 0 => work.free.push((node, NONE)),
                NONE => {}
                group => groups.push(group),
            }
        }
        groups.sort_unstable();
        groups.dedup();
        let mut members: Vec<u32> = Vec::new();
        for group in groups {
            members.clear();
            members.extend(self.upper.children.of(group));
            let before = members.len();
            members.retain(|&member| {
                let stays = degree(self.graph, member) > 0;
                if !stays {
                    self.parents[member as usize] = NONE.to_le_bytes();
                }
                stays
            });
            if members.len() < before {
                self.upper.children.set(group, members.iter().copied());
                work.reshaped.push(group);
            }
            if is_sound(self.graph, &members) {
                work.affected.push(group);
            } else {
                self.dissolve(group, work);
            }
        }
    }

    fn dissolve(&mut self, group: u32, work: &mut Regrouping) {
        for member in self.upper.children.of(group) {
            self.parents[member as usize] = NONE.to_le_bytes();
            work.free.push((member, group));
        }
        work.dissolved.push(group);
    }

    /// Frees more nodes around those that are free, so that few end up alone, and no two side by side.
    fn free_small_neighbours(&mut self, work: &mut Regrouping) {
        let first = work.free.len();
        let mut small = Vec::new();
        let mut done = 0;
        while let Some(&(node, _)) = work.free.get(done) {
            let limit = if done < first { SMALL } else { 2 };
            self.graph.for_each_neighbour(node, |next, _| {
                let group = self.parent(next);
                if group != NONE && self.upper.children.range(group).len() < limit {
                    small.push(group);
                }
            });
            small.sort_unstable();
            small.dedup();
            for group in small.drain(..) {
                self.dissolve(group, work);
            }
            done += 1;
        }
    }

    /// Groups the free nodes, and numbers the groups.
    fn group_anew(&mut self, work: &mut Regrouping) {
        work.free.sort_unstable();
        work.dissolved.sort_unstable();
        let nodes = work.free.iter().map(|&(node, _)| node);
        let mut blocks: Vec<[u32; 4]> = nodes.clone().filter_map(|node| self.map.block_at(node)).collect();
        blocks.dedup();
        let base = self.upper.parents.len() as u32;
        let mut making = Making { parents: self.parents, next: base, made: Vec::new() };
        cliques::group(self.graph, nodes, blocks.into_iter(), &mut making);
        let mut made = making.made;
        made.sort_unstable();
        let mut is_claimed = vec![false; work.dissolved.len()];
        for members in made.chunk_by(|a, b| a.0 == b.0) {
            let group = if members[0].0 < base {
                members[0].0
            } else {
                claim(members, work, &mut is_claimed).unwrap_or_else(|| self.upper.push())
            };
            let mut children: Vec<u32> = members.iter().map(|&(_, member)| member).collect();
            for &child in &children {
                self.parents[child as usize] = group.to_le_bytes();
            }
            if members[0].0 < base {
                children.extend(self.upper.children.of(group));
                children.sort_unstable();
            }
            if !self.upper.children.of(group).eq(children.iter().copied()) {
                self.upper.children.set(group, children.into_iter());
                work.reshaped.push(group);
            }
            work.affected.push(group);
        }
        for (&group, is_claimed) in work.dissolved.iter().zip(is_claimed) {
            if !is_claimed {
                self.upper.children.set(group, core::iter::empty());
                work.gone.push(group);
                work.affected.push(group);
            }
        }
    }

    /// Counts the edges of the affected groups anew. Gives the groups that have other neighbours than before.
    fn recount_edges(&mut self, work: &mut Regrouping) -> Vec<u32> {
        work.affected.sort_unstable();
        work.affected.dedup();
        let mut changed = Vec::new();
        let (mut met, mut now, mut before) = (Vec::new(), Vec::new(), Vec::new());
        for &group in &work.affected {
            met.clear();
            for member in self.upper.children.of(group) {
                self.graph.for_each_neighbour(member, |next, _| {
                    let other = self.parent(next);
                    if other != group && other != NONE {
                        met.push(other);
                    }
                });
            }
            met.sort_unstable();
            now.clear();
            now.extend(met.chunk_by(|a, b| a == b).map(|edges| (edges[0], edges.len() as u32)));
            before.clear();
            before.extend(self.upper.edges(group));
            if now == before {
                continue;
            }
            self.upper.set_edges(group, now.iter().copied());
            if !now.iter().map(|edge| edge.0).eq(before.iter().map(|edge| edge.0)) {
                changed.push(group);
            }
            // Affected ones count for themselves.
            let find = |edges: &[(u32, u32)], target: u32| {
                edges.binary_search_by_key(&target, |edge| edge.0).ok().map(|at| edges[at].1)
            };
            for &(other, _) in before.iter().filter(|edge| find(&now, edge.0).is_none()).chain(&now) {
                let (capacity, old) = (find(&now, other), find(&before, other));
                if capacity != old && work.affected.binary_search(&other).is_err() {
                    self.upper.set_edge(other, group, capacity);
                    if capacity.is_none() || old.is_none() {
                        changed.push(other);
                    }
                }
            }
        }
        changed
    }

    /// Brings the places of groups up to date whose members are others or were moved. Gives those that lie elsewhere now.
    fn locate(&mut self, moved: &[u32], work: &mut Regrouping) -> Vec<u32> {
        let mut groups = core::mem::take(&mut work.reshaped);
        groups.extend(moved.iter().map(|&node| self.parent(node)).filter(|&parent| parent != NONE));
        groups.sort_unstable();
        groups.dedup();
        groups.retain(|&group| {
            let children = self.upper.children.of(group);
            if children.len() == 0 {
                return false;
            }
            let sum = add_up(self.sums, children, self.map.size.0);
            self.upper.set_sum(group, sum, self.map.fraction_bits)
        });
        groups
    }

    /// Removes groups. The last ones take their numbers.
    fn remove(&mut self, gone: &[u32], news: &mut News) {
        if gone.is_empty() {
            return;
        }
        for &group in gone {
            self.replace_child(group, None, news);
        }
        let is_gone = |group: u32| gone.binary_search(&group).is_ok();
        let count = self.upper.parents.len() as u32;
        let left = count - gone.len() as u32;
        let movers: Vec<u32> = (left..count).filter(|&group| !is_gone(group)).collect();
        for (&from, &to) in movers.iter().zip(gone) {
            for child in self.upper.children.of(from) {
                self.parents[child as usize] = to.to_le_bytes();
            }
            self.replace_child(from, Some(to), news);
            self.upper.rename(from, to);
        }
        self.upper.truncate(left as usize);
        for groups in [&mut news.changed, &mut news.moved] {
            groups.retain(|&group| !is_gone(group));
            for group in groups.iter_mut() {
                if let Ok(place) = movers.binary_search(group) {
                    *group = gone[place];
                }
            }
        }
    }

    /// Takes a group off the list of its parent, or puts another number there.
    fn replace_child(&mut self, group: u32, number_now: Option<u32>, news: &mut News) {
        let parent = number(&self.upper.parents, group as usize);
        let Some(above) = self.above.as_deref_mut().filter(|_| parent != NONE) else { return };
        let children = above.children.of(parent).filter(|&child| child != group).chain(number_now);
        let mut children: Vec<u32> = children.collect();
        children.sort_unstable();
        above.children.set(parent, children.into_iter());
        if number_now.is_none() {
            news.bereft.push(parent);
        }
    }
}

/// The number that a new group takes over: that of a group which one of its members was in, the first that is not taken.
fn claim(members: &[(u32, u32)], work: &Regrouping, is_claimed: &mut [bool]) -> Option<u32> {
    members.iter().find_map(|&(_, member)| {
        let at = work.free.binary_search_by_key(&member, |free| free.0).ok()?;
        let place = work.dissolved.binary_search(&work.free[at].1).ok()?;
        (!core::mem::replace(&mut is_claimed[place], true)).then(|| work.dissolved[place])
    })
}

/// New groups with provisional numbers, and who is in them.
struct Making<'a> {
    parents: &'a mut [[u8; 4]],
    next: u32,
    made: Vec<(u32, u32)>,
}

impl Making<'_> {
    fn put(&mut self, node: u32, group: u32) {
        self.parents[node as usize] = group.to_le_bytes();
        self.made.push((group, node));
    }
}

impl Grouping for Making<'_> {
    fn is_free(&self, node: u32) -> bool {
        number(self.parents, node as usize) == NONE
    }

    fn add(&mut self, members: &[u32]) {
        for &member in members {
            self.put(member, self.next);
        }
        self.next += 1;
    }

    fn join(&mut self, node: u32, other: u32) {
        self.put(node, number(self.parents, other as usize));
    }
}

fn degree(graph: &impl Lower, node: u32) -> usize {
    let mut count = 0;
    graph.for_each_neighbour(node, |_, _| count += 1);
    count
}

/// Whether nodes that all have neighbours are a group as a fresh build makes them: at most four that are mutually adjacent, and
/// orphans of these; or two that have none but each other. One alone may find company now.
fn is_sound(graph: &impl Lower, members: &[u32]) -> bool {
    let (orphans, proper): (Vec<u32>, Vec<u32>) =
        members.iter().copied().partition(|&member| degree(graph, member) == 1);
    let has_one_of = |orphan: u32, nodes: &[u32]| {
        let mut found = false;
        graph.for_each_neighbour(orphan, |next, _| found |= nodes.contains(&next));
        found
    };
    if members.len() < 2 {
        false
    } else if proper.is_empty() {
        members.len() == 2 && has_one_of(members[0], &members[1..])
    } else {
        proper.len() <= 4
            && proper.iter().enumerate().all(|(place, &member)| {
                proper[place + 1..].iter().all(|&other| graph.are_adjacent(member, other))
            })
            && orphans.iter().all(|&orphan| has_one_of(orphan, &proper))
    }
}
