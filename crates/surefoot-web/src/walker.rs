//! Units on their way.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::types::Num;
use crate::{Navigator, Problem, arguments};

/// A unit on its way to a goal, one move per call: `Navigator.walker` makes it.
#[wasm_bindgen]
pub struct Walker {
    pub(crate) walker: surefoot::Walker,
}

#[wasm_bindgen]
impl Walker {
    /// Makes the next move: the cell that it leads to, as x, y. `undefined` if the walker has arrived. It is
    /// an error if there is no way.
    #[wasm_bindgen(js_name = next)]
    pub fn next_move(&mut self) -> Result<Option<Box<[u32]>>, Problem> {
        Ok(self.walker.next_move()?.map(|cell| Box::from([cell.x, cell.y])))
    }

    /// Makes the next move, and nothing else: `x` and `y` say where it led to. Whether there was one; `false`
    /// if the walker has arrived. It is an error if there is no way. Unlike `next` it leaves nothing for the
    /// garbage collector.
    pub fn advance(&mut self) -> Result<bool, Problem> {
        Ok(self.walker.next_move()?.is_some())
    }

    /// The column that it stands in.
    #[wasm_bindgen(getter)]
    pub fn x(&self) -> u32 {
        self.walker.position().x
    }

    /// The row that it stands in.
    #[wasm_bindgen(getter)]
    pub fn y(&self) -> u32 {
        self.walker.position().y
    }

    /// Where it stands: x, y.
    #[wasm_bindgen(getter)]
    pub fn position(&self) -> Vec<u32> {
        arguments::numbers(&[self.walker.position()])
    }

    /// Where it is to go: x, y.
    #[wasm_bindgen(getter)]
    pub fn goal(&self) -> Vec<u32> {
        arguments::numbers(&[self.walker.goal()])
    }

    /// Whether it stands on its goal.
    #[wasm_bindgen(getter, js_name = hasArrived)]
    pub fn has_arrived(&self) -> bool {
        self.walker.has_arrived()
    }

    /// What the way from here to the goal costs; `undefined` if there is none.
    #[wasm_bindgen(getter, js_name = costLeft)]
    pub fn cost_left(&self) -> Option<f64> {
        self.walker.cost_left().map(surefoot::PathCost::to_f64)
    }

    /// Gives it another goal where it stands.
    #[wasm_bindgen(js_name = setGoal)]
    pub fn set_goal(&mut self, x: &Num, y: &Num) -> Result<(), Problem> {
        Ok(self.walker.set_goal(arguments::cell(x, y)?)?)
    }

    /// Goes on by another navigator: one that was edited, say. It keeps its place and its goal.
    pub fn follow(&mut self, navigator: &Navigator) -> Result<(), Problem> {
        Ok(self.walker.follow(&navigator.navigator)?)
    }
}
