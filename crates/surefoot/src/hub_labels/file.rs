//! Labels as bytes: the order of the nodes is enough.
//!
//! With the order, the graph tells the labels. To make them again takes no longer than to read them from a
//! file in which each entry takes a bit or two; and whatever the bytes are, labels that come of them are
//! right.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::graph::LegGraph;
use super::labels::HubLabels;
use crate::space::CostModel;
use crate::store::codec::{CodecError, Reader, put_number};

impl HubLabels {
    /// Writes labels.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        write_order(self.entries() as u64, self.order(), out);
    }

    /// Reads what was written for the same graph. An order can be so bad that labels do not fit into memory:
    /// no more than `most_entries` are made, and no more than were written.
    pub(crate) fn read(
        graph: &LegGraph,
        model: CostModel,
        most_entries: u64,
        reader: &mut Reader<'_>,
    ) -> Result<Self, CodecError> {
        let entries = reader.number_up_to(most_entries, "there are more entries than there may be")?;
        let order = read_order(graph.nodes(), reader)?;
        let labels = Self::build_in_order(graph, model, &order, |progress| match progress.entries {
            made if made > entries => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        });
        let labels = labels.filter(|labels| labels.entries() as u64 == entries);
        labels.ok_or_else(|| reader.malformed("these are no labels of the graph at hand"))
    }
}

/// The bits that the number of a node takes.
fn bits_a_node(nodes: usize) -> u32 {
    nodes.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1)
}

/// Writes labels of so many entries whose nodes become hubs in this order.
pub(crate) fn write_order(entries: u64, order: &[u32], out: &mut Vec<u8>) {
    put_number(out, entries);
    let bits = bits_a_node(order.len());
    let (mut buffer, mut filled) = (0_u64, 0);
    for &node in order {
        buffer |= u64::from(node) << filled;
        filled += bits;
        while filled >= 8 {
            out.push(buffer as u8);
            buffer >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        out.push(buffer as u8);
    }
}

/// The order of the nodes, each of which is in it once.
fn read_order(nodes: usize, reader: &mut Reader<'_>) -> Result<Vec<u32>, CodecError> {
    let bits = bits_a_node(nodes);
    let mut bytes = reader.bytes((nodes * bits as usize).div_ceil(8))?.iter();
    let mut is_there = vec![false; nodes];
    let mut order = Vec::with_capacity(nodes);
    let (mut buffer, mut filled) = (0_u64, 0);
    for _ in 0..nodes {
        while filled < bits {
            buffer |= u64::from(*bytes.next().unwrap_or(&0)) << filled;
            filled += 8;
        }
        let node = buffer & ((1 << bits) - 1);
        buffer >>= bits;
        filled -= bits;
        match is_there.get_mut(node as usize) {
            Some(is_there) if !*is_there => *is_there = true,
            _ => return Err(reader.malformed("this is no order of the nodes")),
        }
        order.push(node as u32);
    }
    Ok(order)
}
