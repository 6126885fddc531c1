// The crowd, in a worker: the page never waits for it.

import init, { Crowd, Map as GameMap } from "./surefoot/surefoot.js";
import { serve } from "./call.js";
import { largestPart } from "./world.js";

const ready = init();
let module = null, crowd = null, kind = 0, units = new Float64Array(), rooms = new Uint32Array(), speed = 1, random = 1, most = Infinity;

const draw = (below) => {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return Math.floor(random / 2 ** 32 * below);
};
const drawCell = () => { const at = 2 * draw(rooms.length / 2); return [rooms[at], rooms[at + 1]]; };
// A speed is so many of these parts of a cell a frame.
const PARTS = 32;

function addUnits(count) {
  const added = [];
  for (let tries = 0; added.length < count && tries < 4 * count; tries++) {
    const [x, y] = drawCell(), [goalX, goalY] = drawCell();
    // Somebody may stand there already, or a wall may have come.
    try { added.push(crowd.add(kind, x, y, goalX, goalY)); } catch { continue; }
  }
  crowd.setSpeeds(Float64Array.from(added), speed, PARTS);
  units = Float64Array.from([...units, ...added]);
}

serve({
  start({ cells, width, height, rule, costs, count, obstacles, parts, isBuilt }, progress) {
    crowd?.free();
    [crowd, units] = [null, new Float64Array()];
    rooms = largestPart({ cells, width, height });
    if (!rooms.length) throw new Error("This map has no free cell.");
    const map = GameMap.fromCells(cells, width, height);
    crowd = new Crowd(map, { unitsAsObstacles: obstacles });
    map.free();
    kind = isBuilt ? crowd.addKind({ rule, costs }, (stage, done, all) => { progress(stage, done, all); return true; }) : crowd.addKindUnbuilt({ rule, costs });
    // Where no two stand on one cell, they need room to move.
    [speed, random, most] = [parts, 1, obstacles ? Math.ceil(rooms.length / 8) : Infinity];
    addUnits(Math.min(count, most));
    return units.length;
  },

  frame({ budget, wanders }) {
    if (!crowd) return null;
    const begin = performance.now();
    const report = crowd.frame(budget);
    const planning = performance.now() - begin;
    if (wanders) {
      for (const unit of report.arrived) {
        const [x, y] = drawCell();
        try { crowd.setGoal(unit, x, y); } catch { /* a wall has come there since */ }
      }
    }
    const positions = crowd.positionsOf(units), { moves, work, upkeep, waiting, longestWait, overdrawn } = report;
    const value = {
      positions, planning, moves, work, upkeep, waiting, longestWait, overdrawn,
      memory: module.memory.buffer.byteLength, crowdMemory: crowd.memoryBytes,
    };
    return { value, transfer: [positions.buffer] };
  },

  setCount({ count: wanted }) {
    const count = Math.min(wanted, most);
    if (count < units.length) {
      for (const unit of units.subarray(count)) crowd.remove(unit);
      units = units.slice(0, count);
    } else addUnits(count - units.length);
    return units.length;
  },

  positions() {
    const value = crowd.positionsOf(units);
    return { value, transfer: [value.buffer] };
  },

  setSpeed({ parts }) { speed = parts; crowd.setSpeeds(units, speed, PARTS); },

  // Some of those who were selected may have been taken away since.
  send({ chosen, x, y }) { return crowd.send(Float64Array.from(chosen.filter((at) => at < units.length), (at) => units[at]), x, y); },

  setCells({ cells, free }) {
    crowd.setCells(cells, free);
    if (!free) crowd.pushOut();
  },

  path({ at }) {
    if (at >= units.length) return null;
    const path = crowd.path(units[at]), cells = path?.cells ?? null;
    path?.free();
    return cells;
  },
}, ready.then((loaded) => { module = loaded; }));
