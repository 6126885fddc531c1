//! Kinds of units, and the databases that they go by.

use js_sys::{Object, Reflect};
use surefoot::Kind;
use surefoot::space::{CellWeights, CostModel, MoveRule};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::Crowd;
use crate::progress::Watcher;
use crate::types::{KindOptions, Num, ProgressFunction};
use crate::{Problem, arguments};

#[wasm_bindgen]
impl Crowd {
    /// Adds a kind of units, and builds what they find their way by. On large maps that takes a while: a
    /// function hears how far it is, and cancels it by `return false`. `addKindUnbuilt` does not wait.
    #[wasm_bindgen(js_name = addKind)]
    pub fn add_kind(
        &mut self,
        options: Option<KindOptions>,
        progress: Option<ProgressFunction>,
    ) -> Result<u32, Problem> {
        let mut watcher = Watcher::new(progress)?;
        let mut kind = self.kind(options.map(JsValue::from).as_ref())?;
        if let Some(config) = kind.algorithm.database_config(kind.seed) {
            let space = kind.space(self.crowd.map())?;
            let built = config.build(&space, &mut |event| watcher.hear(&event));
            kind = kind.with_database(watcher.judge(built)?);
        }
        Ok(self.crowd.add_kind(kind)?.to_bits())
    }

    /// Adds a kind of units whose database is built later, by `buildInFrames`. Units can be added at once;
    /// until then they go by a search.
    #[wasm_bindgen(js_name = addKindUnbuilt)]
    pub fn add_kind_unbuilt(&mut self, options: Option<KindOptions>) -> Result<u32, Problem> {
        let kind = self.kind(options.map(JsValue::from).as_ref())?;
        Ok(self.crowd.add_kind_unbuilt(kind)?.to_bits())
    }

    /// Begins to build what a kind needs within the budgets of the next frames. `FrameReport.built` tells
    /// when it is there.
    #[wasm_bindgen(js_name = buildInFrames)]
    pub fn build_in_frames(&mut self, kind: &Num) -> Result<(), Problem> {
        Ok(self.crowd.build_in_frames(arguments::kind(kind)?)?)
    }

    /// How far such a build is; `undefined` if there is none under way.
    #[wasm_bindgen(js_name = buildProgress, unchecked_return_type = "BuildProgress | undefined")]
    pub fn build_progress(&self, kind: &Num) -> Result<JsValue, Problem> {
        let Some(progress) = self.crowd.build_progress(arguments::kind(kind)?)? else {
            return Ok(JsValue::UNDEFINED);
        };
        let object = Object::new();
        set(&object, "stage", progress.stage)?;
        set(&object, "done", progress.done as f64)?;
        set(&object, "all", progress.all as f64)?;
        Ok(object.into())
    }

    /// Cancels such a build. Whether there was one.
    #[wasm_bindgen(js_name = cancelBuild)]
    pub fn cancel_build(&mut self, kind: &Num) -> Result<bool, Problem> {
        Ok(self.crowd.cancel_build(arguments::kind(kind)?)?)
    }

    /// Whether what a kind needs is there.
    #[wasm_bindgen(js_name = isBuilt)]
    pub fn is_built(&self, kind: &Num) -> Result<bool, Problem> {
        Ok(self.crowd.is_built(arguments::kind(kind)?)?)
    }

    /// Whether what a kind goes by knows all edits of the map. It becomes so a number of frames after an
    /// edit.
    #[wasm_bindgen(js_name = isUpToDate)]
    pub fn is_up_to_date(&self, kind: &Num) -> Result<bool, Problem> {
        Ok(self.crowd.is_up_to_date(arguments::kind(kind)?)?)
    }
}

impl Crowd {
    /// The kind that options ask for. What they leave out is as usual.
    fn kind(&self, options: Option<&JsValue>) -> Result<Kind, Problem> {
        let mut kind = self.usual.clone();
        if let Some(rule) = arguments::text(options, "rule")? {
            kind.rule = rule.parse::<MoveRule>()?;
        }
        if let Some(costs) = arguments::text(options, "costs")? {
            kind.costs = costs.parse::<CostModel>()?;
        }
        if let Some(size) = arguments::property(options, "size")? {
            kind.size = arguments::whole(arguments::number(&size, "size")?, "size")?;
        }
        if let Some(weights) = arguments::property(options, "weights")? {
            let (width, height) = (self.crowd.map().width(), self.crowd.map().height());
            kind.weights = Some(CellWeights::new(width, height, arguments::bytes(&weights)?)?);
        }
        Ok(kind)
    }
}

/// Sets a property of an object that is being made.
pub(super) fn set(object: &Object, name: &str, value: impl Into<JsValue>) -> Result<(), Problem> {
    Reflect::set(object, &name.into(), &value.into()).map(drop).map_err(Problem::Thrown)
}
