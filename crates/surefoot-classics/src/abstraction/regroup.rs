//! The repair of one level: which groups no longer hold, what becomes of their members, and what the level
//! above is told. `repair.rs` says why it is done so.

use alloc::vec;
use alloc::vec::Vec;
use surefoot::space::sorting;

use super::build::Sum;
use super::cliques::{self, Grouping, Lower};
use super::edited::{EditedLevel, add_up};
use super::level::{NONE, node_place, number};

/// Groups of fewer members are taken apart when a node next to them needs a group: on the ground, where a
/// cell that was freed completes a square, and above. With four above as well levels 2 to 6 would have 2 to 6
/// % fewer nodes after 10,000 edits, and repairs would take half as long again; with two on both they would
/// have up to half as many more.
const SMALL_ON_GROUND: usize = 4;
const SMALL_ABOVE: usize = 3;

/// What a level hands on to the one above it.
#[derive(Default)]
pub(super) struct News {
    /// Nodes of the level that have other neighbours than before, and new ones.
    pub(super) changed: Vec<u32>,
    /// Nodes that lie elsewhere than before.
    moved: Vec<u32>,
    /// Nodes of the level above that have lost a child.
    bereft: Vec<u32>,
}

impl News {
    pub(super) fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.bereft.is_empty()
    }

    fn clear(&mut self) {
        for nodes in [&mut self.changed, &mut self.moved, &mut self.bereft] {
            nodes.clear();
        }
    }
}

/// Where the nodes of a level lie on the map.
pub(super) struct Map<'a> {
    /// The levels below.
    pub(super) lowest: &'a [EditedLevel],
    pub(super) places: &'a [[u8; 8]],
    pub(super) size: (u32, u32),
    pub(super) fraction_bits: u32,
    pub(super) is_aligned: bool,
}

impl Map<'_> {
    /// The four nodes that the aligned pass would group where a node lies. `None` if they are not all there.
    fn block_at(&self, node: u32) -> Option<[u32; 4]> {
        let level = self.lowest.len();
        if !self.is_aligned || level > 30 {
            return None;
        }
        let (x, y) = if level == 0 {
            (node % self.size.0, node / self.size.0)
        } else {
            let (x, y) = node_place(self.places[node as usize]);
            (x >> self.fraction_bits, y >> self.fraction_bits)
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
        if x >= self.size.0 || y >= self.size.1 {
            return None;
        }
        self.lowest.iter().try_fold(y * self.size.0 + x, |node, level| {
            Some(number(&level.parents, node as usize)).filter(|&parent| parent != NONE)
        })
    }
}

/// The repair of the groups of one level.
pub(super) struct Pass<'a, G> {
    pub(super) graph: &'a G,
    /// The group of each node of the level; free nodes have none, and so have those without neighbours.
    pub(super) parents: &'a mut [[u8; 4]],
    pub(super) sums: &'a [Sum],
    pub(super) map: Map<'a>,
    /// The groups.
    pub(super) upper: &'a mut EditedLevel,
    /// The groups of these.
    pub(super) above: Option<&'a mut EditedLevel>,
}

/// Groups in the middle of a repair. The memory is used again on the next level.
#[derive(Default)]
pub(super) struct Regrouping {
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
    /// For a while: members of a group, groups to look at or around a node, aligned squares, new groups or
    /// edges, old edges.
    members: Vec<u32>,
    groups: Vec<u32>,
    blocks: Vec<[u32; 4]>,
    now: Vec<(u32, u32)>,
    before: Vec<(u32, u32)>,
}

impl Regrouping {
    fn clear(&mut self) {
        self.free.clear();
        for groups in [&mut self.dissolved, &mut self.affected, &mut self.reshaped, &mut self.gone] {
            groups.clear();
        }
    }
}

impl<G: Lower> Pass<'_, G> {
    /// Takes in what is new on this level, and says what that makes new on the next.
    pub(super) fn run(mut self, news: &mut News, next: &mut News, work: &mut Regrouping) {
        work.clear();
        next.clear();
        if !news.changed.is_empty() || !news.bereft.is_empty() {
            sorting::sort(&mut news.changed);
            news.changed.dedup();
            self.look_at_groups(news, work);
            if !work.free.is_empty() || !work.dissolved.is_empty() {
                self.free_small_neighbours(work);
                self.group_anew(work);
            }
            self.recount_edges(work, &mut next.changed);
        }
        self.locate(&news.moved, &mut work.reshaped, &mut next.moved);
        self.remove(&work.gone, next);
    }

    fn parent(&self, node: u32) -> u32 {
        number(self.parents, node as usize)
    }

    /// Frees the nodes that have no group and need one, and those whose groups no longer hold.
    fn look_at_groups(&mut self, news: &News, work: &mut Regrouping) {
        work.reshaped.extend(&news.bereft);
        let mut groups = core::mem::take(&mut work.groups);
        let mut members = core::mem::take(&mut work.members);
        groups.clear();
        groups.extend(&news.bereft);
        for &node in &news.changed {
            match self.parent(node) {
                NONE if self.graph.degree(node) > 0 => work.free.push((node, NONE)),
                NONE => {}
                group => groups.push(group),
            }
        }
        sorting::sort(&mut groups);
        groups.dedup();
        for &group in &groups {
            members.clear();
            members.extend(self.upper.children.of(group));
            let before = members.len();
            members.retain(|&member| {
                let stays = self.graph.degree(member) > 0;
                if !stays {
                    self.parents[member as usize] = NONE.to_le_bytes();
                }
                stays
            });
            if members.len() < before {
                self.upper.children.set(group, members.iter().copied());
                work.reshaped.push(group);
            }
            work.affected.push(group);
            if !is_sound(self.graph, &members) {
                self.dissolve(group, work);
            }
        }
        (work.groups, work.members) = (groups, members);
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
        let mut small = core::mem::take(&mut work.groups);
        small.clear();
        let mut done = 0;
        while let Some(&(node, _)) = work.free.get(done) {
            // Whoever is alone is always asked.
            let limit = match self.map.lowest {
                _ if done >= first => 2,
                [] => SMALL_ON_GROUND,
                _ => SMALL_ABOVE,
            };
            self.graph.for_each_neighbour(node, |next, _| {
                let group = self.parent(next);
                if group != NONE && self.upper.children.range(group).len() < limit {
                    small.push(group);
                }
            });
            sorting::sort(&mut small);
            small.dedup();
            for group in small.drain(..) {
                self.dissolve(group, work);
            }
            done += 1;
        }
        work.groups = small;
    }

    /// Groups the free nodes, and numbers the groups.
    fn group_anew(&mut self, work: &mut Regrouping) {
        sorting::sort(&mut work.free);
        sorting::sort(&mut work.dissolved);
        let nodes = work.free.iter().map(|&(node, _)| node);
        work.blocks.clear();
        work.blocks.extend(nodes.clone().filter_map(|node| self.map.block_at(node)));
        work.blocks.dedup();
        let base = self.upper.parents.len() as u32;
        let mut making = Making { parents: self.parents, next: base, made: core::mem::take(&mut work.now) };
        making.made.clear();
        cliques::group(self.graph, nodes, work.blocks.iter().copied(), &mut making);
        let mut made = making.made;
        sorting::sort(&mut made);
        let mut is_claimed = vec![false; work.dissolved.len()];
        let mut children = core::mem::take(&mut work.members);
        for members in made.chunk_by(|a, b| a.0 == b.0) {
            let group = if members[0].0 < base {
                members[0].0
            } else {
                claim(members, work, &mut is_claimed).unwrap_or_else(|| self.upper.push())
            };
            children.clear();
            children.extend(members.iter().map(|&(_, member)| member));
            for &child in &children {
                self.parents[child as usize] = group.to_le_bytes();
            }
            if members[0].0 < base {
                children.extend(self.upper.children.of(group));
                sorting::sort(&mut children);
            }
            if !self.upper.children.of(group).eq(children.iter().copied()) {
                self.upper.children.set(group, children.iter().copied());
                work.reshaped.push(group);
                // What became of its old self and was not to be looked at needs no recount: its neighbours
                // tell it.
                work.affected.push(group);
            }
        }
        (work.members, work.now) = (children, made);
        for (&group, is_claimed) in work.dissolved.iter().zip(is_claimed) {
            if !is_claimed {
                self.upper.children.set(group, core::iter::empty());
                work.gone.push(group);
                work.affected.push(group);
            }
        }
    }

    /// Counts the edges of the affected groups anew, and notes the groups that have other neighbours than
    /// before.
    fn recount_edges(&mut self, work: &mut Regrouping, changed: &mut Vec<u32>) {
        sorting::sort(&mut work.affected);
        work.affected.dedup();
        let Regrouping { affected, members: met, now, before, .. } = work;
        for &group in &*affected {
            met.clear();
            for member in self.upper.children.of(group) {
                self.graph.for_each_neighbour(member, |next, _| {
                    let other = self.parent(next);
                    if other != group && other != NONE {
                        met.push(other);
                    }
                });
            }
            sorting::sort(met);
            now.clear();
            now.extend(met.chunk_by(|a, b| a == b).map(|edges| (edges[0], edges.len() as u32)));
            before.clear();
            before.extend(self.upper.edges(group));
            if *now == *before {
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
            for &(other, _) in before.iter().filter(|edge| find(now, edge.0).is_none()).chain(&*now) {
                let (capacity, old) = (find(now, other), find(before, other));
                if capacity != old && affected.binary_search(&other).is_err() {
                    self.upper.set_edge(other, group, capacity);
                    if capacity.is_none() || old.is_none() {
                        changed.push(other);
                    }
                }
            }
        }
    }

    /// Brings the places of groups up to date that were reshaped or whose members moved, and notes those that
    /// lie elsewhere now.
    fn locate(&mut self, moved: &[u32], groups: &mut Vec<u32>, moved_groups: &mut Vec<u32>) {
        groups.extend(moved.iter().map(|&node| self.parent(node)).filter(|&parent| parent != NONE));
        sorting::sort(groups);
        groups.dedup();
        for &group in &*groups {
            let children = self.upper.children.of(group);
            // Those without are about to go.
            if children.len() > 0 {
                let sum = add_up(self.sums, children, self.map.size.0);
                if self.upper.set_sum(group, sum, self.map.fraction_bits) {
                    moved_groups.push(group);
                }
            }
        }
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
        sorting::sort(&mut children);
        above.children.set(parent, children.into_iter());
        if number_now.is_none() {
            news.bereft.push(parent);
        }
    }
}

/// The number that a new group takes over: that of a group which one of its members was in, the first that is
/// not taken.
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

/// Whether nodes that all have neighbours are a group as a fresh build makes them: at most four that are
/// mutually adjacent, and orphans of these; or two that have none but each other. One alone may find company
/// now.
fn is_sound(graph: &impl Lower, members: &[u32]) -> bool {
    let (mut clique, mut size) = ([NONE; 4], 0);
    for &member in members.iter().filter(|&&member| graph.degree(member) > 1) {
        if size == clique.len() || !clique[..size].iter().all(|&other| graph.are_adjacent(member, other)) {
            return false;
        }
        clique[size] = member;
        size += 1;
    }
    let has_one_of = |orphan: u32, nodes: &[u32]| {
        let mut found = false;
        graph.for_each_neighbour(orphan, |next, _| found |= nodes.contains(&next));
        found
    };
    match members {
        [] | [_] => false,
        _ if size == 0 => members.len() == 2 && has_one_of(members[0], &members[1..]),
        _ if size == members.len() => true,
        _ => members
            .iter()
            .all(|&member| clique[..size].contains(&member) || has_one_of(member, &clique[..size])),
    }
}
