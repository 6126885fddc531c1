//! Whole ways, from the database alone.

use alloc::vec::Vec;

use super::TransitDatabase;
use super::moves::Moves;
use super::query::Route;
use crate::search::StatePath;
use crate::space::{Cost, GridSpace, State, StateSpace as _};

impl TransitDatabase {
    /// The way from one state to another; `None` if none is known.
    pub(crate) fn route(&self, space: &GridSpace, from: State, to: State) -> Option<Route> {
        if !self.built_for.is_like(space) || !space.contains(from) || !space.contains(to) {
            return None;
        }
        let mut decision = self.new_decision();
        decision.begin(space, from, to, 0);
        while !decision.advance(self, space).1 {}
        let route = decision.route(self);
        self.recycle(decision);
        route
    }

    /// What a way from one state to another costs that is a cheapest one or little dearer; `None` if there is
    /// none. On a map that was edited since, it may be out of date until the database is
    /// [repaired](Self::repair).
    #[must_use]
    pub fn cost(&self, space: &GridSpace, from: State, to: State) -> Option<Cost> {
        self.route(space, from, to).map(|route| route.cost)
    }

    /// The same way, state by state; `None` if there is none.
    #[must_use]
    pub fn path(&self, space: &GridSpace, from: State, to: State) -> Option<StatePath> {
        let route = self.route(space, from, to)?;
        let mut states = Vec::from([from]);
        let mut cost = 0;
        let mut walk = |moves: &Moves| {
            for direction in moves.iter() {
                let at = *states.last()?;
                if !space.moves(at).contains(direction) {
                    return None;
                }
                cost += space.step_cost(at, direction);
                states.push(space.step(at, direction));
            }
            Some(())
        };
        walk(&route.first)?;
        if let Some((mut node, last, mut rest, end)) = route.over {
            let mut moves = Moves::default();
            while node != last {
                (node, rest) = self.next_leg(space, node, last, rest, &mut moves).0?;
                walk(&moves)?;
            }
            walk(&end)?;
        }
        Some(StatePath { states, cost })
    }
}
