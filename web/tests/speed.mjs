// How fast the package is beside the native library, on one machine and one map: `node web/tests/speed.mjs`,
// after `cargo xtask web`. The best of some runs counts; the first one in JavaScript is shown, too, because
// engines compile while they run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import surefoot, { native } from "./package.mjs";
import { cells, ends } from "./map.mjs";

const SIDE = 512;
const RUNS = 5;

/** Milliseconds that a call takes. */
function time(call) {
  const begin = performance.now();
  call();
  return performance.now() - begin;
}

function measure() {
  const map = surefoot.Map.fromCells(cells(SIDE), SIDE, SIDE);
  let navigator;
  const buildMilliseconds = time(() => (navigator = map.navigator()));
  const ways = ends(SIDE);
  let [cost, moves] = [0, 0];
  const paths = time(() => {
    for (const way of ways) {
      const path = navigator.path(...way);
      cost += path?.cost ?? 0;
      path?.free();
    }
  });
  const walkers = ways.filter((way) => navigator.reachable(...way)).map((way) => navigator.walker(...way));
  const walks = time(() => {
    for (const walker of walkers) while (walker.advance()) moves += 1;
  });
  const pathMicroseconds = (paths * 1e3) / ways.length;
  return { buildMilliseconds, pathMicroseconds, moveNanoseconds: (walks * 1e6) / moves, cost, moves };
}

const folder = mkdtempSync(join(tmpdir(), "surefoot-"));
try {
  const file = join(folder, "map.sfdb");
  native(SIDE, file, ["--release"]);
  const [here, there] = [[], []];
  for (let run = 0; run < RUNS; run += 1) {
    // In turns, so that whatever else the machine does is in both.
    there.push(native(SIDE, file, ["--release"]));
    here.push(measure());
  }
  const [one, other] = [here[0], there[0]];
  if (one.cost !== other.cost || one.moves !== other.moves) throw new Error("the walks are not the same");
  console.log(`a map of ${SIDE} x ${SIDE} cells, best of ${RUNS}; ${one.moves} moves, the same in both`);
  console.log(`${"".padEnd(12)}${["native", "node", "times", "node, first"].map((name) => name.padStart(14)).join("")}`);
  for (const [name, key, unit] of [
    ["build", "buildMilliseconds", "ms"],
    ["a path", "pathMicroseconds", "µs"],
    ["a move", "moveNanoseconds", "ns"],
  ]) {
    const best = (runs) => Math.min(...runs.map((run) => run[key]));
    const [slow, fast] = [best(here), best(there)];
    const numbers = [`${fast.toFixed(1)} ${unit}`, `${slow.toFixed(1)} ${unit}`, (slow / fast).toFixed(2), `${one[key].toFixed(1)} ${unit}`];
    console.log(`${name.padEnd(12)}${numbers.map((number) => number.padStart(14)).join("")}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
