//! A game with all that a crowd can do, for `cargo xtask campaign day`: it has to go on here as it does in a
//! native program. The page does not have it.

use surefoot_lab::full_play::FullPlay;
use wasm_bindgen::prelude::*;

/// A game that goes on.
#[wasm_bindgen]
pub struct Day(FullPlay);

#[wasm_bindgen]
impl Day {
    /// The game that these bytes are.
    ///
    /// # Errors
    /// If they are none.
    pub fn open(bytes: &[u8]) -> Result<Day, JsError> {
        Ok(Self(FullPlay::open(bytes).map_err(JsError::from)?))
    }

    /// Plays so many frames. Each that is a multiple of `every` is a word of the answer, with the crowd's
    /// checksum after it: `40:9f3c`.
    ///
    /// # Errors
    /// If something is not as it should be.
    pub fn play(&mut self, frames: u32, every: u32) -> Result<String, JsError> {
        let mut words = Vec::new();
        for _ in 0..frames {
            self.0.frame().map_err(JsError::from)?;
            let frame = self.0.frames();
            if frame.is_multiple_of(every.max(1).into()) {
                words.push(format!("{frame}:{:x}", self.0.crowd().checksum()));
            }
        }
        Ok(words.join(" "))
    }

    /// The game as bytes.
    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }
}
