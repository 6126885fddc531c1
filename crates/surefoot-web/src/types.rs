//! Types that TypeScript is told of and that are no classes.
//!
//! In Rust they are values that can still be anything: `arguments` checks them.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// A number. wasm-bindgen would make one of `null`, of `true` and of a string.
    #[wasm_bindgen(typescript_type = "number")]
    pub type Num;
    /// A list of cells.
    #[wasm_bindgen(typescript_type = "Cells")]
    pub type CellList;
    /// A list of units.
    #[wasm_bindgen(typescript_type = "Units")]
    pub type UnitList;
    /// Bytes.
    #[wasm_bindgen(typescript_type = "Uint8Array")]
    pub type Bytes;
    /// Red, green, blue and alpha of each pixel.
    #[wasm_bindgen(typescript_type = "Uint8ClampedArray | Uint8Array")]
    pub type Pixels;
    /// A function that hears how far a build is.
    #[wasm_bindgen(typescript_type = "Progress")]
    pub type ProgressFunction;
    /// How a crowd behaves.
    #[wasm_bindgen(typescript_type = "CrowdOptions")]
    pub type CrowdOptions;
    /// A kind of units.
    #[wasm_bindgen(typescript_type = "KindOptions")]
    pub type KindOptions;
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** When a diagonal move is allowed; `cardinal` has none. */
export type MoveRule = "squeeze" | "one-free" | "no-cut" | "cardinal";

/** What a diagonal move costs. A straight one costs 1. */
export type CostModel = "sqrt2" | "1.4";

/** A list of cells: x, y, x, y and so on. */
export type Cells = Uint32Array | readonly number[];

/** A list of units, as `Crowd.units` and `Crowd.addMany` give it. */
export type Units = Float64Array | readonly number[];

/** Hears how far a build is. It cancels the build by `return false`. */
export type Progress = (stage: string, done: number, all: number) => boolean | void;

/** How a crowd behaves. */
export interface CrowdOptions {
  /** Whether no two units may stand on one cell. They may unless this is set. */
  unitsAsObstacles?: boolean;
}

/** A kind of units. What is left out is as on the map that the crowd was made with. A `Map` will do, too. */
export interface KindOptions {
  rule?: MoveRule;
  costs?: CostModel;
  /** How many cells a unit is wide and high: 1 to 64. Its place is the top left one. */
  size?: number;
  /** What ground costs, a byte for each cell, 1 to 255 where it is free. */
  weights?: Uint8Array;
}

/** What is going on in a build within frames. */
export interface BuildProgress {
  stage: string;
  done: number;
  all: number;
}

/** What happened in a frame. Units and groups are numbers. */
export interface FrameReport {
  /** Which frame it was, counted from 1. */
  frame: number;
  /** How many moves were made. */
  moves: number;
  /** Units that got to their goals. */
  arrived: Float64Array;
  /** Units that found that there is no way to their goals. */
  unreachable: Float64Array;
  /** Units that had no way to their goals, and have one now. */
  reachable: Float64Array;
  /** Units that have been in each other's way for too long. */
  blocked: Float64Array;
  /** Pursuers whose targets were removed. */
  lost: Float64Array;
  /** Groups of which nobody is on the way any more. */
  settled: Uint32Array;
  /** Kinds whose databases were built in frames, and are there now. */
  built: Uint32Array;
  /** Kinds whose builds in frames were given up: the map is too cluttered for them. */
  notBuilt: Uint32Array;
  /** How many units planned. */
  served: number;
  /** How many would have, if there had been work left. */
  waiting: number;
  /** For how many frames in a row the unit that waited longest has waited. */
  longestWait: number;
  /** The most frames that a unit that waits now will have waited when it is served. */
  waitBound: number | undefined;
  /** The work that units did. */
  work: number;
  /** The work on databases after edits. */
  upkeep: number;
  /** Units that did more work than their algorithm says it can take: a mistake of the algorithm's. */
  overdrawn: number;
  /** Units that had learned as much as they may, and now go on by other means. */
  relieved: number;
}
"#;
