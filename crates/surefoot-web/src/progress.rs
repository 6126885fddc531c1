//! Builds that a function of the caller's watches.

use core::ops::ControlFlow;
use js_sys::Function;
use surefoot::BuildEvent;
use wasm_bindgen::{JsCast as _, JsValue};

use crate::types::ProgressFunction;
use crate::{Problem, arguments};

/// A function that hears how far a build is, if there is one, and what it threw.
pub(crate) struct Watcher {
    function: Option<Function>,
    thrown: Option<JsValue>,
}

impl Watcher {
    /// Takes what a caller has passed: a function, or `undefined`.
    pub(crate) fn new(value: Option<ProgressFunction>) -> Result<Self, Problem> {
        let function = |value: ProgressFunction| {
            JsValue::from(value)
                .dyn_into::<Function>()
                .map_err(|value| arguments::other(&value, "progress", "a function"))
        };
        Ok(Self { function: value.map(function).transpose()?, thrown: None })
    }

    /// Tells it of an event. A build ends if it returns `false`, or throws.
    pub(crate) fn hear(&mut self, event: &BuildEvent) -> ControlFlow<()> {
        let (Some(function), BuildEvent::Progress { stage, done, all }) = (&self.function, event) else {
            return ControlFlow::Continue(());
        };
        let (stage, done, all) = (JsValue::from_str(stage), (*done as f64).into(), (*all as f64).into());
        match function.call3(&JsValue::UNDEFINED, &stage, &done, &all) {
            Ok(answer) if answer != false => ControlFlow::Continue(()),
            Ok(_) => ControlFlow::Break(()),
            Err(thrown) => {
                self.thrown = Some(thrown);
                ControlFlow::Break(())
            }
        }
    }

    /// What came of a build. If the function threw, it is the reason.
    pub(crate) fn judge<T>(self, built: Result<T, impl Into<Problem>>) -> Result<T, Problem> {
        match self.thrown {
            Some(thrown) => Err(Problem::Thrown(thrown)),
            None => built.map_err(Into::into),
        }
    }
}
