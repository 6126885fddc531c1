//! Links: extra moves from one cell to another, far away or next door. One-way doors, ladders, teleporters,
//! stairs between floors.
//!
//! A grid has moves between neighbours only, and each can be undone. A link is neither: it leads from its
//! *entry* to its *exit*, wherever they are, and not back.

use alloc::string::String;
use alloc::vec::Vec;

use super::{Cell, Cost, Grid, GridSpace, Heuristic, Reachability, State, StateSpace};

/// The most links in a set.
pub const MAX_LINKS: usize = 256;
/// The most that a link costs, in straight moves: so that sums of costs stay small enough.
pub const MAX_LINK_MOVES: u32 = 1 << 20;

/// An extra move from one cell to another. It leads one way: what leads both ways is two links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// Where it begins: its entry.
    pub from: Cell,
    /// Where it ends: its exit.
    pub to: Cell,
    /// What it costs: as much as so many straight moves over ground of weight 1.
    pub moves: u32,
}

impl Link {
    /// A link that costs as much as one straight move.
    #[must_use]
    pub fn new(from: impl Into<Cell>, to: impl Into<Cell>) -> Self {
        Self { from: from.into(), to: to.into(), moves: 1 }
    }

    /// The same link at another cost.
    #[must_use]
    pub fn costing(self, moves: u32) -> Self {
        Self { moves, ..self }
    }

    /// The link that leads back.
    #[must_use]
    pub fn reversed(self) -> Self {
        Self { from: self.to, to: self.from, ..self }
    }

    /// Makes sure that there can be such a link on a map.
    ///
    /// # Errors
    /// If an end lies outside the map, both ends are one cell, or it costs nothing or too much. Ends may be
    /// blocked: then nobody can take it until they are freed.
    pub fn check(self, map: &Grid) -> Result<(), LinkError> {
        let Self { from, to, moves } = self;
        if let Some(cell) = [from, to].into_iter().find(|&cell| !map.contains(cell)) {
            let (width, height) = (map.width(), map.height());
            return Err(LinkError::Outside { from, to, cell, width, height });
        }
        if from == to {
            return Err(LinkError::Nowhere(from));
        }
        if moves == 0 || moves > MAX_LINK_MOVES {
            return Err(LinkError::Cost { from, to, moves });
        }
        Ok(())
    }

    /// What it costs in a space.
    pub(crate) fn cost(self, space: &GridSpace) -> Cost {
        space.units().of_steps(u64::from(self.moves), 0)
    }
}

/// A link that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// An end beyond the map's edges.
    #[error(
        "the link from {from} to {to} leaves the map at {cell}: the map is {width} x {height} cells; \
        x is 0 to {}, y is 0 to {}", width - 1, height - 1
    )]
    Outside {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
        /// The end that lies outside.
        cell: Cell,
        /// The map's width.
        width: u32,
        /// The map's height.
        height: u32,
    },
    /// Both ends are one cell.
    #[error("a link from {0} to itself leads nowhere; give it another exit")]
    Nowhere(Cell),
    /// It costs nothing, or too much.
    #[error("the link from {from} to {to} costs {moves} moves; a link costs 1 to {MAX_LINK_MOVES}")]
    Cost {
        /// Where it begins.
        from: Cell,
        /// Where it ends.
        to: Cell,
        /// What it was to cost.
        moves: u32,
    },
    /// More links than there can be.
    #[error("a map, or a kind of units, has at most {MAX_LINKS} links; remove one first")]
    TooMany,
}

/// The links of a map, each of them checked. Their order is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    links: Vec<Link>,
}

impl Links {
    /// Links on a map.
    ///
    /// # Errors
    /// If one of them [cannot be](Link::check), or there are more than [`MAX_LINKS`].
    pub fn new(map: &Grid, links: impl IntoIterator<Item = Link>) -> Result<Self, LinkError> {
        let mut checked = Vec::new();
        for link in links {
            link.check(map)?;
            if checked.len() == MAX_LINKS {
                return Err(LinkError::TooMany);
            }
            checked.push(link);
        }
        Ok(Self { links: checked })
    }

    /// All of them, in their order.
    #[must_use]
    pub fn as_slice(&self) -> &[Link] {
        &self.links
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }
}

impl<'a> IntoIterator for &'a Links {
    type Item = &'a Link;
    type IntoIter = core::slice::Iter<'a, Link>;

    fn into_iter(self) -> Self::IntoIter {
        self.links.iter()
    }
}

/// Adds all components to `reached` that links lead to from there on. Each link is the component of its entry
/// and that of its exit; a blocked end has none.
pub(crate) fn spread(reached: &mut Vec<u32>, links: &(impl Iterator<Item = [Option<u32>; 2]> + Clone)) {
    loop {
        let before = reached.len();
        for [entry, exit] in links.clone() {
            if let (Some(entry), Some(exit)) = (entry, exit)
                && reached.contains(&entry)
                && !reached.contains(&exit)
            {
                reached.push(exit);
            }
        }
        if reached.len() == before {
            return;
        }
    }
}

impl GridSpace {
    /// The cells of a path up to its first link, or all of them: what is walked on the grid. A link may lead
    /// next door.
    pub(crate) fn up_to_link<'a>(&self, path: &'a [Cell]) -> &'a [Cell] {
        let is_move = |ends: &[Cell]| {
            let mut is_move = false;
            if let (Some(from), Some(to)) = (self.state_at(ends[0]), self.state_at(ends[1])) {
                self.for_each_successor(from, |state, _| is_move |= state == to);
            }
            is_move
        };
        let link = path.windows(2).position(|ends| !is_move(ends));
        link.and_then(|at| path.get(..=at)).unwrap_or(path)
    }
}

/// A link that can be taken.
#[derive(Clone, Copy, Debug)]
struct OpenLink {
    entry: State,
    exit: State,
    cost: Cost,
}

/// A grid with links: the moves of the grid, and one more for each link. Any search that knows only
/// [`StateSpace`] finds its cheapest ways over them.
///
/// The moves of the grid come first, then the links that begin in a state, in their order. A link with a
/// blocked end is none. The estimate is the lesser of two: the octile distance, and what it takes at least to
/// get to the nearest entry and from the nearest exit. It takes a few steps for each link.
///
/// ```
/// use surefoot::formats::grid_from_art;
/// use surefoot::search::AStar;
/// use surefoot::space::{CostModel, GridSpace, Link, LinkedSpace, Links, MoveRule, State};
///
/// let grid = grid_from_art("..#..")?; // a door that opens to the right only
/// let links = Links::new(&grid, [Link::new((1, 0), (3, 0))])?;
/// let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Sqrt2);
/// let linked = LinkedSpace::new(&space, &links);
/// let there = AStar::new().find(&linked, &linked, State(0), State(4))?;
/// assert_eq!(there.path.map(|path| path.states.len()), Some(4));
/// assert!(AStar::new().find(&linked, &linked, State(4), State(0))?.path.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinkedSpace<'a> {
    space: &'a GridSpace,
    links: Vec<OpenLink>,
}

impl<'a> LinkedSpace<'a> {
    /// A grid with links, as it is now.
    #[must_use]
    pub fn new(space: &'a GridSpace, links: &Links) -> Self {
        let open = |link: &Link| {
            let state = |cell| space.state_at(cell).filter(|&state| space.contains(state));
            Some(OpenLink { entry: state(link.from)?, exit: state(link.to)?, cost: link.cost(space) })
        };
        Self { space, links: links.into_iter().filter_map(open).collect() }
    }

    /// The grid without its links.
    #[must_use]
    pub fn grid_space(&self) -> &'a GridSpace {
        self.space
    }

    fn visit_links(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        for link in self.links.iter().filter(|link| link.entry == state) {
            visit(link.exit, link.cost);
        }
    }
}

impl StateSpace for LinkedSpace<'_> {
    fn state_limit(&self) -> usize {
        self.space.state_limit()
    }

    fn contains(&self, state: State) -> bool {
        self.space.contains(state)
    }

    fn for_each_successor(&self, state: State, mut visit: impl FnMut(State, Cost)) {
        self.space.for_each_successor(state, &mut visit);
        self.visit_links(state, visit);
    }

    fn for_each_successor_after(&self, state: State, parent: State, mut visit: impl FnMut(State, Cost)) {
        // Who came over a link did not make a move of the grid, even if it leads next door.
        if self.links.iter().any(|link| link.entry == parent && link.exit == state) {
            return self.for_each_successor(state, visit);
        }
        self.space.for_each_successor_after(state, parent, &mut visit);
        self.visit_links(state, visit);
    }

    fn cheapest_move(&self) -> Cost {
        let links = self.links.iter().map(|link| link.cost);
        links.fold(self.space.cheapest_move(), Cost::min)
    }

    fn is_reversible(&self) -> bool {
        self.links.is_empty()
    }

    /// Links lead one way: that there is a way does not mean that there is one back.
    fn reachability(&self, from: State, to: State) -> Reachability {
        let component = |state| self.space.components().of(self.space.cell(state));
        let (Some(here), Some(there)) = (component(from), component(to)) else { return Reachability::No };
        let mut reached = Vec::from([here]);
        if here != there {
            let ends: Vec<_> =
                self.links.iter().map(|link| [component(link.entry), component(link.exit)]).collect();
            spread(&mut reached, &ends.iter().copied());
        }
        if reached.contains(&there) { Reachability::Yes } else { Reachability::No }
    }

    fn describe(&self, state: State) -> String {
        self.space.describe(state)
    }
}

impl Heuristic for LinkedSpace<'_> {
    fn estimate(&self, from: State, to: State) -> Cost {
        let straight = self.space.estimate(from, to);
        let to_entry = self.links.iter().map(|link| self.space.estimate(from, link.entry)).min();
        let from_exit = self.links.iter().map(|link| link.cost + self.space.estimate(link.exit, to)).min();
        match (to_entry, from_exit) {
            (Some(to_entry), Some(from_exit)) => straight.min(to_entry + from_exit),
            _ => straight,
        }
    }

    /// Along a move of the grid each part falls by no more than the move costs. Before a link it is at most
    /// what leads over that link.
    fn is_consistent(&self) -> bool {
        self.space.is_consistent()
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;
    use crate::search::{AStar, Dijkstra};
    use crate::space::{CellWeights, CostModel, MoveRule, check_consistency};
    use crate::store::draws::Draws;
    use crate::test_maps::{linked_maps, states};

    #[test]
    fn the_estimate_is_consistent_and_searches_agree() {
        let mut draws = Draws::new(7, 0);
        let mut over_links = 0;
        for (space, links) in linked_maps(300, 11) {
            let linked = LinkedSpace::new(&space, &links);
            let all: Vec<State> = states(&space).collect();
            for _ in 0..20 {
                let [from, to] = [0, 1].map(|_| all[draws.below(all.len() as u64) as usize]);
                assert_eq!(check_consistency(&linked, &linked, to), Ok(()));
                let exact = Dijkstra::new().find(&linked, from, to).unwrap().path.map(|path| path.cost);
                let guided = AStar::new().find(&linked, &linked, from, to).unwrap().path;
                assert_eq!(guided.map(|path| path.cost), exact, "{from:?} {to:?} {links:?}");
                let is_open = linked.reachability(from, to) == Reachability::Yes;
                assert_eq!(is_open, exact.is_some());
                let without = Dijkstra::new().find(&space, from, to).unwrap().path.map(|path| path.cost);
                over_links += u32::from(exact != without);
            }
        }
        assert!(over_links > 300, "{over_links}");
    }

    #[test]
    fn links_come_last_and_in_their_order() {
        let grid = Grid::from_fn(5, 1, |_| true).unwrap();
        let links =
            [Link::new((1, 0), (4, 0)).costing(9), Link::new((1, 0), (3, 0)), Link::new((0, 0), (1, 0))];
        let links = Links::new(&grid, links).unwrap();
        let space = GridSpace::new(grid, MoveRule::NoCut, CostModel::Diagonal14);
        let linked = LinkedSpace::new(&space, &links);
        let mut seen = Vec::new();
        linked.for_each_successor(State(1), |state, cost| seen.push((state.0, cost)));
        assert_eq!(seen, [(2, 5), (0, 5), (4, 45), (3, 5)]);
        assert!(linked.revision().is_none() && !linked.is_reversible());
    }

    #[test]
    fn links_that_cannot_be_are_named() {
        let grid = Grid::from_fn(5, 4, |_| true).unwrap();
        for (link, message) in [
            (
                Link::new((1, 1), (5, 0)),
                "the link from (1, 1) to (5, 0) leaves the map at (5, 0): the map is 5 x 4 cells; \
                x is 0 to 4, y is 0 to 3",
            ),
            (Link::new((1, 1), (1, 1)), "a link from (1, 1) to itself leads nowhere; give it another exit"),
            (
                Link::new((1, 1), (2, 2)).costing(0),
                "the link from (1, 1) to (2, 2) costs 0 moves; a link costs 1 to 1048576",
            ),
        ] {
            assert_eq!(Links::new(&grid, [link]).unwrap_err().to_string(), message);
        }
        let many = core::iter::repeat_n(Link::new((0, 0), (1, 0)), MAX_LINKS + 1);
        assert_eq!(Links::new(&grid, many), Err(LinkError::TooMany));
    }

    #[test]
    fn a_link_costs_as_many_straight_moves_on_light_ground() {
        let grid = Grid::from_fn(4, 1, |cell| cell.x != 1).unwrap();
        let links = Links::new(&grid, [Link::new((0, 0), (2, 0)).costing(3)]).unwrap();
        let weights = CellWeights::new(4, 1, [9, 9, 9, 9].to_vec()).unwrap();
        let space = GridSpace::weighted(grid, MoveRule::NoCut, CostModel::Sqrt2, weights).unwrap();
        let linked = LinkedSpace::new(&space, &links);
        let path = Dijkstra::new().find(&linked, State(0), State(3)).unwrap().path.unwrap();
        assert_eq!(space.units().to_f64(path.cost), 3.0 + 9.0);
    }
}
