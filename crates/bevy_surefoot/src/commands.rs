//! What games say by commands.

use bevy_ecs::prelude::*;
use surefoot::{Cell, KindId};

use crate::messages::{NavigationError, Refused};
use crate::navigation::{Navigation, Order};

/// Edits and orders as commands. They are carried out at the beginning of the next tick, in the order in
/// which they were given; what is refused is told as [`Refused`].
pub trait NavigationCommands {
    /// Blocks a cell.
    fn block_cell(&mut self, cell: impl Into<Cell>);
    /// Frees a cell.
    fn free_cell(&mut self, cell: impl Into<Cell>);
    /// Frees (`true`) and blocks (`false`) many cells in one go: all of them, or none if one lies outside the
    /// map.
    fn set_cells(&mut self, cells: impl IntoIterator<Item = (Cell, bool)>);
    /// What ground costs a kind of units, from 1 to 255. A kind that is to have weights is best
    /// [added](Navigation::add_kind) with some.
    fn set_weights(&mut self, kind: KindId, weights: impl IntoIterator<Item = (Cell, u8)>);
    /// Sends units to one place. They spread over the cells around it. A [`Destination`](crate::Destination)
    /// that is given later comes before it. Entities that are no units any more are refused one by one, and
    /// the others are sent.
    fn send_units(&mut self, units: impl IntoIterator<Item = Entity>, cell: impl Into<Cell>);
}

impl NavigationCommands for Commands<'_, '_> {
    fn block_cell(&mut self, cell: impl Into<Cell>) {
        order(self, Order::Cells(vec![(cell.into(), false)]));
    }

    fn free_cell(&mut self, cell: impl Into<Cell>) {
        order(self, Order::Cells(vec![(cell.into(), true)]));
    }

    fn set_cells(&mut self, cells: impl IntoIterator<Item = (Cell, bool)>) {
        order(self, Order::Cells(cells.into_iter().collect()));
    }

    fn set_weights(&mut self, kind: KindId, weights: impl IntoIterator<Item = (Cell, u8)>) {
        order(self, Order::Weights(kind, weights.into_iter().collect()));
    }

    fn send_units(&mut self, units: impl IntoIterator<Item = Entity>, cell: impl Into<Cell>) {
        order(self, Order::Send(units.into_iter().collect(), cell.into()));
    }
}

fn order(commands: &mut Commands<'_, '_>, order: Order) {
    commands.queue(move |world: &mut World| match world.get_resource_mut::<Navigation>() {
        Some(mut navigation) => navigation.order(order),
        None => {
            world.write_message(Refused { entity: None, error: NavigationError::NoNavigation });
        }
    });
}
