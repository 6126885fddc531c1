//! The section "regn" of databases with regions: how many each component of the map has, and the state that
//! stands for each.

use alloc::vec::Vec;

use surefoot::space::State;
use surefoot::store::codec::{CodecError, Reader, put_number, put_signed};

use super::RegionSpan;

/// Regions, those of one component in a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct RegionList {
    /// How many regions each component has.
    pub(crate) components: Vec<u32>,
    /// The state that stands for each region.
    pub(crate) representatives: Vec<State>,
}

impl RegionList {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.components.len() as u64);
        for &count in &self.components {
            put_number(&mut out, u64::from(count));
        }
        let mut before = 0;
        for state in &self.representatives {
            put_signed(&mut out, i64::from(state.0) - before);
            before = i64::from(state.0);
        }
        out
    }

    /// Reads regions of a map whose states are all below `states`.
    pub(crate) fn read(section: &[u8], states: u64) -> Result<Self, CodecError> {
        let mut reader = Reader::new(section);
        let mut list = Self::default();
        let mut regions = 0_u64;
        for _ in 0..reader.count(1)? {
            let most = states.saturating_sub(regions);
            let count = reader.number_up_to(most, "there are more regions than states")?;
            regions += count;
            // Each region has a representative of a byte at least: no more room is taken than there are
            // bytes.
            if regions > section.len() as u64 {
                return Err(reader.malformed("there are too many regions"));
            }
            list.components.push(count as u32);
        }
        let mut state = 0_i64;
        for _ in 0..regions {
            state = state.saturating_add(reader.signed()?);
            let number = u32::try_from(state).ok().filter(|&number| u64::from(number) < states);
            let number = number.ok_or_else(|| reader.malformed("there is no such state"))?;
            list.representatives.push(State(number));
        }
        reader.finish()?;
        Ok(list)
    }

    /// The regions of each component.
    pub(crate) fn spans(&self) -> impl Iterator<Item = RegionSpan> {
        let mut before = None;
        self.components.iter().map(move |&count| *before.insert(RegionSpan::after(before, count)))
    }

    /// For each region those of its component.
    pub(crate) fn component_spans(&self) -> impl Iterator<Item = RegionSpan> {
        self.spans().flat_map(|span| core::iter::repeat_n(span, span.len()))
    }
}
