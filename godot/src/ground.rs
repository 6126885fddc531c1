//! A map, what was computed for it, and what was edited since. It knows nothing of the engine.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use godot::builtin::Vector2i;
use godot::global::Error as Code;
use surefoot::space::{CellWeights, Grid};
use surefoot::{Cell, Edit, Map, Navigator};

use crate::problem::Problem;
use crate::region::Region;

/// What has changed in some cells; of each only the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits {
    pub(crate) free: BTreeMap<Cell, bool>,
    pub(crate) weights: BTreeMap<Cell, u8>,
}

impl Edits {
    pub(crate) fn is_empty(&self) -> bool {
        self.free.is_empty() && self.weights.is_empty()
    }

    fn add(&mut self, others: &Self) {
        self.free.extend(&others.free);
        self.weights.extend(&others.weights);
    }

    fn list(&self) -> impl Iterator<Item = Edit> + '_ {
        let cells = self.free.iter().map(|(&cell, &is_free)| match is_free {
            true => Edit::Free(cell),
            false => Edit::Block(cell),
        });
        cells.chain(self.weights.iter().map(|(&cell, &weight)| Edit::Weigh(cell, weight)))
    }
}

/// What a crowd has not heard of yet.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) edits: Edits,
    /// Whether there is another map in the place of the crowd's.
    pub(crate) is_over: bool,
}

/// A map as the game sees it. Edits are kept until somebody asks: many of them together cost little more than
/// one.
#[derive(Debug)]
pub(crate) struct Ground {
    pub(crate) region: Region,
    map: Map,
    navigator: Option<Navigator>,
    /// What neither of the two knows yet.
    edits: Edits,
    /// What the map knows, and the navigator does not.
    unbuilt: Edits,
    /// What the map knows, and a build that is under way does not: the navigator may have heard of it.
    since_build: Option<Edits>,
    listeners: Vec<Weak<RefCell<News>>>,
}

impl Ground {
    pub(crate) fn new(region: Region, map: Map) -> Self {
        let (edits, unbuilt) = (Edits::default(), Edits::default());
        Self { region, map, navigator: None, edits, unbuilt, since_build: None, listeners: Vec::new() }
    }

    /// The map as it is now.
    pub(crate) fn map(&mut self) -> Result<&Map, Problem> {
        if !self.edits.is_empty() {
            self.map.edit(self.edits.list())?;
            let edits = std::mem::take(&mut self.edits);
            self.unbuilt.add(&edits);
            if let Some(since) = &mut self.since_build {
                since.add(&edits);
            }
        }
        Ok(&self.map)
    }

    pub(crate) fn is_built(&self) -> bool {
        self.navigator.is_some()
    }

    /// Takes what was built for the map. What was edited since [`begin_build`](Self::begin_build) is told to
    /// it with the next question.
    pub(crate) fn give(&mut self, navigator: Navigator) {
        self.navigator = Some(navigator);
        self.unbuilt = self.since_build.take().unwrap_or_default();
    }

    /// A copy of the map, for a build. A build that was under way is forgotten.
    pub(crate) fn begin_build(&mut self) -> Result<Map, Problem> {
        let map = self.map()?.clone();
        self.since_build = Some(Edits::default());
        Ok(map)
    }

    /// What was computed, brought up to date. It fails if nothing was.
    pub(crate) fn navigator(&mut self) -> Result<&Navigator, Problem> {
        self.map()?;
        let navigator = self.navigator.as_mut().ok_or_else(|| {
            Problem::early("the map is not built; call build() or open_database(path) first")
        })?;
        if !self.unbuilt.is_empty() {
            navigator.edit(self.unbuilt.list())?;
            self.unbuilt = Edits::default();
        }
        Ok(navigator)
    }

    /// What a crowd begins with: what was computed, or else the map; what was edited since; and what tells it
    /// of edits to come.
    pub(crate) fn begin_crowd(&mut self) -> Result<(Beginning, Rc<RefCell<News>>), Problem> {
        self.map()?;
        let (beginning, edits) = match &self.navigator {
            Some(navigator) => (Beginning::Built(navigator.clone()), self.unbuilt.clone()),
            None => (Beginning::Unbuilt(self.map.clone()), Edits::default()),
        };
        let news = Rc::new(RefCell::new(News { edits, is_over: false }));
        self.listeners.retain(|listener| listener.strong_count() > 0);
        self.listeners.push(Rc::downgrade(&news));
        Ok((beginning, news))
    }

    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.edits.free.get(&cell).copied().unwrap_or_else(|| self.map.is_free(cell))
    }

    /// A cell of the map that is free; `role` says in the error what it was to be.
    pub(crate) fn find_free(&self, role: &str, cell: Vector2i) -> Result<Cell, Problem> {
        let found = self.region.find(role, cell)?;
        match self.is_free(found) {
            true => Ok(found),
            false => {
                Err(Problem::argument(format!("{role} ({}, {}) is solid; take a free cell", cell.x, cell.y)))
            }
        }
    }

    /// The nearest cell to a goal that there is a way to, by the octile distance. The goal may be solid.
    pub(crate) fn nearest_reachable(&mut self, from: Cell, goal: Vector2i) -> Result<Cell, Problem> {
        let goal = self.region.find("goal", goal)?;
        let space = self.map()?.space();
        let from = space.locate(from).map_err(surefoot::MapError::from)?;
        Ok(space.cell(space.nearest_reachable(from, goal)))
    }

    /// What ground costs in a cell: 1 unless weights were given.
    pub(crate) fn weight(&self, cell: Cell) -> u8 {
        self.edits.weights.get(&cell).copied().or_else(|| self.map.space().weight(cell)).unwrap_or(1)
    }

    /// Frees or blocks cells: all, or none if one lies outside the map.
    pub(crate) fn set_solid(
        &mut self,
        cells: impl IntoIterator<Item = Vector2i>,
        solid: bool,
    ) -> Result<(), Problem> {
        let found = cells.into_iter().map(|cell| Ok((self.region.find("cell", cell)?, !solid)));
        let free = found.collect::<Result<_, Problem>>()?;
        self.note(&Edits { free, weights: BTreeMap::new() });
        Ok(())
    }

    /// Makes cells as they are on another map of the same size.
    pub(crate) fn follow(&mut self, grid: &Grid) -> Result<(), Problem> {
        let Region { width, height, .. } = self.region;
        if (grid.width(), grid.height()) != (width, height) {
            let message = format!(
                "that is of a map of {} x {} cells; this has {width} x {height}",
                grid.width(),
                grid.height()
            );
            return Err(Problem::new(Code::ERR_INVALID_DATA, message));
        }
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(x, y)));
        let free = cells.map(|cell| (cell, grid.is_free(cell)));
        let free = free.filter(|&(cell, is_free)| is_free != self.is_free(cell)).collect();
        self.note(&Edits { free, weights: BTreeMap::new() });
        Ok(())
    }

    /// Says what ground costs in a cell. The map has to have weights.
    pub(crate) fn set_weight(&mut self, cell: Vector2i, weight: i64) -> Result<(), Problem> {
        let found = self.region.find("cell", cell)?;
        let weight = u8::try_from(weight)
            .ok()
            .filter(|&weight| weight > 0)
            .ok_or_else(|| Problem::argument(format!("weight {weight} cannot be; weights are 1 to 255")))?;
        if self.map.space().weights().is_none() {
            return Err(Problem::early("the map has no weights; call set_weights(bytes) before build()"));
        }
        self.note(&Edits { free: BTreeMap::new(), weights: BTreeMap::from([(found, weight)]) });
        Ok(())
    }

    /// Says what ground costs everywhere, row after row. What was computed is void.
    pub(crate) fn set_weights(&mut self, weights: Vec<u8>) -> Result<(), Problem> {
        let Region { width, height, .. } = self.region;
        let weights = CellWeights::new(width, height, weights).map_err(surefoot::MapError::from)?;
        let map = self.map()?.clone().with_weights(weights)?;
        self.end();
        *self = Self::new(self.region, map);
        Ok(())
    }

    /// Crowds hear that they are on a map of the past.
    pub(crate) fn end(&self) {
        self.listeners.iter().filter_map(Weak::upgrade).for_each(|news| news.borrow_mut().is_over = true);
    }

    fn note(&mut self, edits: &Edits) {
        self.edits.add(edits);
        for news in self.listeners.iter().filter_map(Weak::upgrade) {
            news.borrow_mut().edits.add(edits);
        }
    }
}

/// What a crowd can be made from.
pub(crate) enum Beginning {
    /// What was computed for the map.
    Built(Navigator),
    /// A map that nothing was computed for.
    Unbuilt(Map),
}

#[cfg(test)]
mod tests {
    use godot::builtin::Rect2i;

    use super::*;

    fn ground(art: &str) -> Ground {
        let map = Map::from_art(art).unwrap();
        let size = Vector2i::new(map.width() as i32, map.height() as i32);
        Ground::new(Region::new(Rect2i::new(Vector2i::new(-3, -1), size)).unwrap(), map)
    }

    fn cost(ground: &mut Ground, from: (u32, u32), to: (u32, u32)) -> Option<f64> {
        ground.navigator().unwrap().cost(from, to).unwrap().map(surefoot::PathCost::to_f64)
    }

    #[test]
    fn edits_are_known_before_and_after_a_build() {
        let mut ground = ground("......\n......\n......");
        let wall = |x| Vector2i::new(x - 3, 0);
        ground.set_solid((0..5).map(wall), true).unwrap();
        assert!(!ground.is_free(Cell::new(0, 1)) && ground.is_free(Cell::new(5, 1)));
        assert!(ground.navigator().is_err());
        let built = ground.begin_build().unwrap().navigator().unwrap();
        // While it was built:
        ground.set_solid([wall(0)], false).unwrap();
        ground.give(built);
        assert_eq!(cost(&mut ground, (0, 0), (0, 2)), Some(2.0));
        ground.set_solid([wall(0), wall(5)], true).unwrap();
        assert_eq!(cost(&mut ground, (0, 0), (0, 2)), None);
        ground.set_solid([wall(5)], false).unwrap();
        assert_eq!(cost(&mut ground, (0, 0), (0, 2)), Some(12.0));
    }

    #[test]
    fn what_was_asked_during_another_build_is_right_after_it() {
        let mut ground = ground("...\n...\n...");
        let built = ground.begin_build().unwrap().navigator().unwrap();
        ground.give(built);
        let again = ground.begin_build().unwrap().navigator().unwrap();
        let walls = [Vector2i::new(-3, 0), Vector2i::new(-2, 0)];
        ground.set_solid(walls, true).unwrap();
        // The first one hears of the walls now, and the second one is to hear of them, too.
        assert_eq!(cost(&mut ground, (0, 0), (0, 2)), Some(6.0));
        ground.give(again);
        assert_eq!(cost(&mut ground, (0, 0), (0, 2)), Some(6.0));
        // A build that came to nothing leaves no trace.
        ground.begin_build().unwrap();
        ground.set_solid(walls, false).unwrap();
        assert_eq!(cost(&mut ground, (0, 0), (0, 2)), Some(2.0));
    }

    #[test]
    fn what_cannot_be_reached_has_a_nearest_cell_that_can() {
        let mut ground = ground("..#.\n..#.");
        let (from, goal) = (Cell::new(0, 1), Vector2i::new(0, -1));
        assert_eq!(ground.nearest_reachable(from, goal).unwrap(), Cell::new(1, 0));
        assert_eq!(ground.nearest_reachable(from, Vector2i::new(-1, -1)).unwrap(), Cell::new(1, 0));
        ground.set_solid([Vector2i::new(-1, -1)], false).unwrap();
        assert_eq!(ground.nearest_reachable(from, goal).unwrap(), Cell::new(3, 0));
        assert!(ground.nearest_reachable(from, Vector2i::new(1, -1)).is_err());
    }

    #[test]
    fn all_cells_are_edited_or_none() {
        let mut ground = ground("..\n..");
        assert!(ground.set_solid([Vector2i::new(-3, -1), Vector2i::new(-1, -1)], true).is_err());
        assert!(ground.is_free(Cell::new(0, 0)));
    }

    #[test]
    fn crowds_hear_of_every_edit_and_of_the_end() {
        let mut ground = ground("....");
        ground.set_solid([Vector2i::new(-3, -1)], true).unwrap();
        let built = ground.begin_build().unwrap().navigator().unwrap();
        ground.give(built);
        ground.set_solid([Vector2i::new(0, -1)], true).unwrap();
        let (beginning, news) = ground.begin_crowd().unwrap();
        let Beginning::Built(navigator) = beginning else { panic!("it was built") };
        assert!(!navigator.map().is_free((0, 0)) && navigator.map().is_free((3, 0)));
        ground.set_solid([Vector2i::new(-2, -1)], true).unwrap();
        let edits = std::mem::take(&mut news.borrow_mut().edits).free;
        assert_eq!(edits, BTreeMap::from([(Cell::new(1, 0), false), (Cell::new(3, 0), false)]));
        ground.end();
        assert!(news.borrow().is_over);
    }

    #[test]
    fn a_map_becomes_as_another_of_its_size() {
        let mut ground = ground("...\n...");
        let (_, news) = ground.begin_crowd().unwrap();
        ground.follow(&(&Map::from_art(".#.\n...").unwrap()).into()).unwrap();
        assert!(!ground.is_free(Cell::new(1, 0)) && ground.is_free(Cell::new(1, 1)));
        assert_eq!(news.borrow().edits.free.len(), 1);
        assert!(ground.follow(&(&Map::from_art("....\n....").unwrap()).into()).is_err());
    }

    #[test]
    fn weights_are_checked() {
        let mut ground = ground("...\n...");
        let cell = Vector2i::new(-2, -1);
        assert!(ground.set_weight(cell, 3).is_err());
        ground.set_weights(vec![1; 5]).unwrap_err();
        ground.set_weights(vec![1; 6]).unwrap();
        for weight in [0, 256, -1] {
            assert!(ground.set_weight(cell, weight).is_err());
        }
        ground.set_weight(cell, 9).unwrap();
        assert_eq!(
            (ground.weight(Cell::new(1, 0)), ground.map().unwrap().space().weight(Cell::new(1, 0))),
            (9, Some(9))
        );
    }
}
