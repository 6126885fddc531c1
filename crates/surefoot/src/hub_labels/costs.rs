//! What ways cost, in 32 bits where that is enough.

use alloc::vec::Vec;

use crate::space::{Cost, CostModel};

/// A cost as two numbers of 16 bits: so many times one cost and so many times another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CostCode {
    model: CostModel,
    /// What the upper 16 bits are multiplied with.
    pub(crate) high: Cost,
    /// What the lower 16 bits are multiplied with.
    pub(crate) low: Cost,
}

impl CostCode {
    pub(crate) const fn new(model: CostModel) -> Self {
        let (high, low) = match model {
            CostModel::Sqrt2 => (model.cardinal(), model.diagonal()),
            CostModel::Diagonal14 => (1 << 16, 1),
        };
        Self { model, high, low }
    }

    /// The code of a cost. `None` if there is none.
    pub(crate) fn encode(self, cost: Cost) -> Option<u32> {
        let (high, low) = match self.model {
            CostModel::Sqrt2 => self.model.counts(cost),
            CostModel::Diagonal14 => (cost >> 16, cost & 0xffff),
        };
        let is_narrow = high <= 0xffff && low <= 0xffff;
        // Not every number is a cost of straight and diagonal moves.
        (is_narrow && high * self.high + low * self.low == cost).then_some((high << 16 | low) as u32)
    }

    #[inline]
    pub(crate) fn decode(self, code: u32) -> Cost {
        Cost::from(code >> 16) * self.high + Cost::from(code & 0xffff) * self.low
    }
}

/// Costs, all in codes or all as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Costs {
    Narrow { codes: Vec<u32>, code: CostCode },
    Wide(Vec<Cost>),
}

impl Costs {
    pub(super) fn new(model: CostModel, count: usize) -> Self {
        Self::Narrow { codes: Vec::with_capacity(count), code: CostCode::new(model) }
    }

    /// Adds a cost. All become wide if it has no code.
    pub(super) fn push(&mut self, cost: Cost) {
        match self {
            Self::Wide(costs) => costs.push(cost),
            Self::Narrow { codes, code } => match code.encode(cost) {
                Some(coded) => codes.push(coded),
                None => {
                    let room = codes.capacity();
                    let mut costs = Vec::with_capacity(room);
                    costs.extend(codes.iter().map(|&coded| code.decode(coded)));
                    costs.push(cost);
                    *self = Self::Wide(costs);
                }
            },
        }
    }

    #[inline]
    pub(super) fn slice(&self, range: core::ops::Range<usize>) -> CostSlice<'_> {
        match self {
            Self::Narrow { codes, code } => CostSlice::Narrow { codes: &codes[range], code: *code },
            Self::Wide(costs) => CostSlice::Wide(&costs[range]),
        }
    }
}

/// The costs of one label.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CostSlice<'a> {
    Narrow { codes: &'a [u32], code: CostCode },
    Wide(&'a [Cost]),
}

impl CostSlice<'_> {
    #[inline]
    pub(crate) fn get(self, place: usize) -> Cost {
        match self {
            Self::Narrow { codes, code } => code.decode(codes[place]),
            Self::Wide(costs) => costs[place],
        }
    }
}
