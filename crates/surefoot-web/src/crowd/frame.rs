//! Frames, and what happened in them.

use js_sys::{Float64Array, Object, Uint32Array};
use surefoot::{FrameBudget, GroupId, KindId, UnitId};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::Crowd;
use super::kinds::set;
use crate::Problem;

#[wasm_bindgen]
impl Crowd {
    /// Lets all units walk for a frame, with so much work for all of them together; without a number as much
    /// as they need. The same numbers lead to the same moves on all machines.
    #[wasm_bindgen(unchecked_return_type = "FrameReport")]
    pub fn frame(&mut self, work: Option<f64>) -> Result<JsValue, Problem> {
        let budget = match work {
            None | Some(f64::INFINITY) => FrameBudget::Everyone,
            Some(work) if work >= 0.0 => FrameBudget::Work(work as u64),
            Some(work) => {
                return Err(Problem::new(format!(
                    "work {work} is not a number from 0; leave it out for no bound"
                )));
            }
        };
        let report = self.crowd.frame(budget);
        let object = Object::new();
        let lists = [
            ("arrived", &report.arrived),
            ("unreachable", &report.unreachable),
            ("reachable", &report.reachable),
            ("blocked", &report.blocked),
            ("lost", &report.lost),
        ];
        for (name, units) in lists {
            set(&object, name, Float64Array::from(&numbers(units)[..]))?;
        }
        let settled: Vec<u32> = report.settled.iter().copied().map(GroupId::to_bits).collect();
        set(&object, "settled", Uint32Array::from(&settled[..]))?;
        for (name, kinds) in [("built", &report.built), ("notBuilt", &report.not_built)] {
            let kinds: Vec<u32> = kinds.iter().copied().map(KindId::to_bits).collect();
            set(&object, name, Uint32Array::from(&kinds[..]))?;
        }
        let counts = [
            ("frame", f64::from(report.frame)),
            ("moves", report.moves.len() as f64),
            ("served", f64::from(report.served)),
            ("waiting", f64::from(report.waiting)),
            ("longestWait", f64::from(report.longest_wait)),
            ("work", report.work as f64),
            ("upkeep", report.upkeep as f64),
            ("overdrawn", f64::from(report.overdrawn)),
            ("relieved", f64::from(report.relieved)),
        ];
        for (name, count) in counts {
            set(&object, name, count)?;
        }
        set(&object, "waitBound", report.wait_bound.map(|bound| bound as f64))?;
        Ok(object.into())
    }
}

/// Units as JavaScript has them.
pub(super) fn numbers(units: &[UnitId]) -> Vec<f64> {
    units.iter().map(|unit| unit.to_bits() as f64).collect()
}
