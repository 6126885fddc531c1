//! Crowds.

mod edits;
mod frame;
mod kinds;
mod orders;
mod questions;

use surefoot::space::{CostModel, MoveRule};
use surefoot::{CrowdConfig, Kind, Priority};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::types::{Bytes, CellList, CrowdOptions, Num};
use crate::{Map, Problem, arguments};

/// Thousands of units on one map that changes, with one budget a frame.
#[wasm_bindgen]
pub struct Crowd {
    crowd: surefoot::Crowd,
    /// The kind of units that the map was made for.
    usual: Kind,
}

#[wasm_bindgen]
impl Crowd {
    /// A crowd on a copy of a map, without any units yet.
    #[wasm_bindgen(constructor)]
    pub fn new(map: &Map, options: Option<CrowdOptions>) -> Result<Crowd, Problem> {
        let are_obstacles =
            match arguments::property(options.map(JsValue::from).as_ref(), "unitsAsObstacles")? {
                None => false,
                Some(value) => value
                    .as_bool()
                    .ok_or_else(|| arguments::other(&value, "unitsAsObstacles", "true or false"))?,
            };
        let config = CrowdConfig::default().with_units_as_obstacles(are_obstacles);
        Ok(Self { crowd: surefoot::Crowd::with_config(&map.map, config), usual: Kind::from(&map.map) })
    }

    /// A crowd that `save` gave: it goes on exactly as the one that was saved.
    pub fn load(bytes: &Bytes) -> Result<Crowd, Problem> {
        let crowd = surefoot::Crowd::load(&arguments::bytes(bytes)?)?;
        Ok(Self { crowd, usual: Kind::new(MoveRule::NoCut, CostModel::Sqrt2) })
    }

    /// The whole crowd as bytes, for `load`.
    pub fn save(&self) -> Vec<u8> {
        self.crowd.save()
    }

    /// A number that is the same for crowds that go on alike, as 16 hexadecimal digits: for players in
    /// lockstep.
    pub fn checksum(&self) -> String {
        format!("{:016x}", self.crowd.checksum())
    }

    /// The map as it is now, with the move rule and the costs of the one that the crowd was made with.
    #[wasm_bindgen(getter)]
    pub fn map(&self) -> Map {
        let map = surefoot::Map::from(self.crowd.map().clone());
        Map { map: map.with_rule(self.usual.rule).with_costs(self.usual.costs) }
    }

    /// How many units there are.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> f64 {
        self.crowd.len() as f64
    }

    /// The bytes of what units share and of the units themselves. It looks at every unit.
    #[wasm_bindgen(getter, js_name = memoryBytes)]
    pub fn memory_bytes(&self) -> f64 {
        let memory = self.crowd.memory();
        (memory.shared_bytes + memory.log_bytes + memory.bytes_per_unit * self.crowd.len()) as f64
    }

    /// Adds a unit of a kind at one cell, on its way to another.
    pub fn add(&mut self, kind: &Num, x0: &Num, y0: &Num, x1: &Num, y1: &Num) -> Result<f64, Problem> {
        let (kind, start, goal) =
            (arguments::kind(kind)?, arguments::cell(x0, y0)?, arguments::cell(x1, y1)?);
        Ok(self.crowd.add(kind, start, goal, Priority::Normal)?.to_bits() as f64)
    }

    /// Adds as many units as there are starts, each on its way to the goal in the same place of the other
    /// list. If one of them cannot be added, none is.
    #[wasm_bindgen(js_name = addMany)]
    pub fn add_many(&mut self, kind: &Num, starts: &CellList, goals: &CellList) -> Result<Vec<f64>, Problem> {
        let kind = arguments::kind(kind)?;
        let (starts, goals) = (arguments::cells(starts)?, arguments::cells(goals)?);
        if starts.len() != goals.len() {
            let words = format!("{} starts and {} goals; each unit needs both", starts.len(), goals.len());
            return Err(Problem::new(words));
        }
        let mut added = Vec::with_capacity(starts.len());
        for (&start, &goal) in starts.iter().zip(&goals) {
            match self.crowd.add(kind, start, goal, Priority::Normal) {
                Ok(unit) => added.push(unit),
                Err(error) => {
                    for unit in added {
                        self.crowd.remove(unit)?;
                    }
                    return Err(error.into());
                }
            }
        }
        Ok(added.into_iter().map(|unit| unit.to_bits() as f64).collect())
    }

    /// Removes a unit.
    pub fn remove(&mut self, unit: &Num) -> Result<(), Problem> {
        Ok(self.crowd.remove(arguments::unit(unit)?)?)
    }
}
