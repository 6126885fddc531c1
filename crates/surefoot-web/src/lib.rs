//! surefoot for browsers: what the npm package `surefoot` has in it.
#![allow(missing_docs)]
use surefoot::*;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
pub struct Nav(Navigator);
#[wasm_bindgen]
impl Nav {
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Nav, JsError> {
        Ok(Nav(Map::from_bytes(text.as_bytes())?.navigator()?))
    }
    pub fn path(&self, a: u32, b: u32, c: u32, d: u32) -> Result<usize, JsError> {
        Ok(self.0.path((a, b), (c, d))?.map_or(0, |p| p.moves()))
    }
    pub fn bytes(&self) -> Result<Vec<u8>, JsError> {
        Ok(self.0.to_bytes()?)
    }
}
#[wasm_bindgen]
pub struct Many(Crowd);
#[wasm_bindgen]
impl Many {
    #[wasm_bindgen(constructor)]
    pub fn new(text: &str) -> Result<Many, JsError> {
        let map = Map::from_bytes(text.as_bytes())?;
        let mut crowd = Crowd::new(map.space().grid().clone());
        crowd.add_kind(Kind::from(&map))?;
        Ok(Many(crowd))
    }
    pub fn add(&mut self, a: u32, b: u32, c: u32, d: u32) -> Result<u64, JsError> {
        Ok(self
            .0
            .add(KindId::from_bits(0).unwrap(), Cell::new(a, b), Cell::new(c, d), Priority::Normal)?
            .to_bits())
    }
    pub fn frame(&mut self, b: u64) -> usize {
        self.0.frame(FrameBudget::Work(b)).moves.len()
    }
    pub fn set(&mut self, x: u32, y: u32, free: bool) -> Result<bool, JsError> {
        Ok(self.0.set_cell(Cell::new(x, y), free)?)
    }
    pub fn send(&mut self, x: u32, y: u32) -> Result<u32, JsError> {
        let u: Vec<_> = self.0.units().collect();
        Ok(self.0.send(u, Cell::new(x, y))?.to_bits())
    }
}
