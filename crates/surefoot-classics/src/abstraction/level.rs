//! A level of an abstraction, read where it lies: in the bytes of its file or, once it was edited, in lists
//! with room to change.

use surefoot::space::{Cost, CostModel};

use super::cliques::Lower;

/// No node: the parent of a top node, and of numbers that are no states.
pub(crate) const NONE: u32 = u32::MAX;

/// Numbers of four bytes, little-endian.
pub(crate) type Numbers<'a> = &'a [[u8; 4]];

#[inline]
pub(super) fn number(numbers: Numbers<'_>, at: usize) -> u32 {
    u32::from_le_bytes(numbers[at])
}

/// Of 64 numbers in a row: which of them are states with a parent, and how many such states come before. Most
/// maps have more blocked cells than free ones, and only what has a parent has a place in the list of
/// parents.
pub(crate) type Ranks<'a> = &'a [[u8; 12]];

/// The bits of a block of ranks, and how many bits are set before it.
#[inline]
pub(super) fn rank_block(block: [u8; 12]) -> (u64, u32) {
    let [a, b, c, d, e, f, g, h, i, j, k, l] = block;
    (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u32::from_le_bytes([i, j, k, l]))
}

/// Where an abstract node lies, in fractions of a cell.
pub(crate) type NodePlace = (u32, u32);

/// Reads a place: x and y, little-endian.
#[inline]
pub(super) fn node_place(bytes: [u8; 8]) -> NodePlace {
    let both = u64::from_le_bytes(bytes);
    (both as u32, (both >> 32) as u32)
}

/// Writes a place.
pub(super) fn place_bytes((x, y): NodePlace) -> [u8; 8] {
    (u64::from(y) << 32 | u64::from(x)).to_le_bytes()
}

/// How far places are from each other, in whole numbers that keep the triangle inequality: so A* with this as
/// its estimate need not open a node twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Metric {
    straight: u64,
    diagonal: u64,
    is_euclidean: bool,
}

impl Metric {
    /// The octile distance at a map's costs, or the distance as the crow flies.
    pub(crate) fn new(costs: CostModel, is_euclidean: bool) -> Self {
        // Small numbers: places are far finer than cells, and a way over the largest map must not overflow.
        let (straight, diagonal) = match costs {
            CostModel::Diagonal14 => (5, 7),
            // √2, and whatever there may be.
            _ => (985, 1393),
        };
        Self { straight, diagonal, is_euclidean }
    }

    #[inline]
    pub(crate) fn distance(self, from: NodePlace, to: NodePlace) -> Cost {
        let (dx, dy) = (u64::from(from.0.abs_diff(to.0)), u64::from(from.1.abs_diff(to.1)));
        if self.is_euclidean {
            let square = u128::from(dx * dx) + u128::from(dy * dy);
            // Rounded up, which keeps the triangle inequality.
            let root = square.isqrt();
            return self.straight * (root + u128::from(root * root < square)) as u64;
        }
        self.straight * dx.max(dy) + (self.diagonal - self.straight) * dx.min(dy)
    }

    /// What nodes that lie `cells` cells apart in a row are apart.
    pub(crate) fn of_cells(self, cells: u64, fraction_bits: u32) -> Cost {
        (self.straight << fraction_bits) * cells
    }
}

/// One level. Level 0 is the space itself: of it only the parents are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level<'a> {
    pub(super) count: usize,
    /// Of level 0 only.
    pub(super) ranks: Ranks<'a>,
    pub(super) parents: Numbers<'a>,
    /// Where each node's children begin.
    pub(super) child_starts: Numbers<'a>,
    /// Where they end. In a file that is where those of the next node begin.
    pub(super) child_ends: Numbers<'a>,
    pub(super) children: Numbers<'a>,
    /// Where each node's edges begin.
    pub(super) edge_starts: Numbers<'a>,
    /// Where they end.
    pub(super) edge_ends: Numbers<'a>,
    pub(super) targets: Numbers<'a>,
    pub(super) capacities: &'a [u8],
    /// x and y of each node; empty without a grid.
    pub(super) places: &'a [[u8; 8]],
    /// The weight of each edge; empty on grids, where the places tell.
    pub(super) weights: Numbers<'a>,
}

impl<'a> Level<'a> {
    /// The number of nodes; on level 0, of numbers that may be states.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The parent of a node, or [`NONE`].
    #[inline]
    pub(crate) fn parent(&self, node: u32) -> u32 {
        if self.ranks.is_empty() {
            return number(self.parents, node as usize);
        }
        let (bits, before) = rank_block(self.ranks[node as usize / 64]);
        let bit = 1_u64 << (node % 64);
        if bits & bit == 0 {
            return NONE;
        }
        number(self.parents, before as usize + (bits & (bit - 1)).count_ones() as usize)
    }

    /// The children of a node of level 1 or above.
    pub(crate) fn children(&self, node: u32) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        let range = number(self.child_starts, node as usize) as usize
            ..number(self.child_ends, node as usize) as usize;
        self.children[range].iter().map(|child| u32::from_le_bytes(*child))
    }

    /// The numbers of a node's edges.
    #[inline]
    pub(crate) fn edges(&self, node: u32) -> core::ops::Range<usize> {
        number(self.edge_starts, node as usize) as usize..number(self.edge_ends, node as usize) as usize
    }

    /// The neighbours of a node, in order.
    #[inline]
    pub(crate) fn neighbours(&self, node: u32) -> impl Iterator<Item = u32> + use<'a> {
        self.targets[self.edges(node)].iter().map(|target| u32::from_le_bytes(*target))
    }

    /// Where an edge leads.
    #[inline]
    pub(crate) fn target(&self, edge: usize) -> u32 {
        number(self.targets, edge)
    }

    /// The edge from one node to another.
    pub(crate) fn edge_to(&self, from: u32, to: u32) -> Option<usize> {
        let edges = self.edges(from);
        let first = edges.start;
        let found = self.targets[edges].binary_search_by_key(&to, |target| u32::from_le_bytes(*target));
        found.ok().map(|offset| first + offset)
    }

    /// Where a node lies.
    #[inline]
    pub(crate) fn place(&self, node: u32) -> Option<NodePlace> {
        self.places.get(node as usize).map(|&place| node_place(place))
    }

    /// The stored weight of an edge; without a grid only.
    #[inline]
    pub(crate) fn stored_weight(&self, edge: usize) -> u32 {
        self.weights.get(edge).map_or(1, |weight| u32::from_le_bytes(*weight))
    }
}

impl Lower for Level<'_> {
    fn count(&self) -> usize {
        self.count
    }

    #[inline]
    fn for_each_neighbour(&self, node: u32, mut visit: impl FnMut(u32, u32)) {
        for edge in self.edges(node) {
            visit(self.target(edge), self.stored_weight(edge));
        }
    }

    fn are_adjacent(&self, a: u32, b: u32) -> bool {
        self.edge_to(a, b).is_some()
    }
}
