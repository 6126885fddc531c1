// The npm package as it was built, tried in node: `node --test web/tests`, after `cargo xtask web`.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import surefoot, { native } from "./package.mjs";
import { cells, ends, isFree } from "./map.mjs";

const { Map: Grid, Navigator, Path, Walker, Crowd } = surefoot;
const ART = "......\n.####.\n......";
const list = (array) => Array.from(array);
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

test("maps come from text, bytes, pixels, cells and bits", () => {
  const art = Grid.fromText(ART);
  assert.deepEqual([art.width, art.height, art.rule, art.costs], [6, 3, "no-cut", "sqrt2"]);
  assert.deepEqual([art.isFree(0, 1), art.isFree(1, 1), art.isFree(6, 0), art.isFree(-1, NaN)], [true, false, false, false]);
  const bytes = art.cells();
  assert.equal(bytes.join(""), "111111100001111111");
  const pixels = new Uint8ClampedArray(18 * 4).map((_, i) => (i % 4 === 3 ? 255 : bytes[i >> 2] * 200));
  const bits = new Uint8Array(3);
  bytes.forEach((free, i) => (bits[i >> 3] |= free << (i & 7)));
  const others = [
    Grid.fromText(art.toText()),
    Grid.fromBytes(new TextEncoder().encode(ART)),
    Grid.fromImage(pixels, 6, 3),
    Grid.fromCells(bytes, 6, 3),
    Grid.fromBits(bits, 6, 3),
    art.clone(),
  ];
  for (const other of others) assert.deepEqual(other.cells(), bytes);
  // A pixel that nobody sees is a wall.
  pixels[3] = 0;
  assert.equal(Grid.fromImage(pixels, 6, 3).isFree(0, 0), false);
  const view = pixels.subarray(4, 8);
  assert.equal(Grid.fromImage(view, 1, 1).isFree(0, 0), true);
});

test("maps change, and what was made of them does not", () => {
  const map = Grid.fromText(ART);
  const cardinal = map.withRule("cardinal").withCosts("1.4");
  assert.deepEqual([cardinal.rule, cardinal.costs, map.rule], ["cardinal", "1.4", "no-cut"]);
  const navigator = map.navigator();
  map.set(0, 1, false);
  map.setCells([5, 1], false);
  assert.equal(map.navigator().path(0, 0, 0, 2), undefined);
  assert.equal(navigator.cost(0, 0, 0, 2), 2);
  const heavy = map.withWeights(new Uint8Array(18).fill(3));
  assert.equal(heavy.navigator().cost(0, 0, 2, 0), 6);
  assert.deepEqual([heavy.weights.length, map.weights], [18, undefined]);
});

test("a walk takes the path, and costs what was said", () => {
  const navigator = Grid.fromText(ART).navigator();
  const path = navigator.path(1, 0, 1, 2);
  assert.deepEqual(list(path.cells), [1, 0, 0, 0, 0, 1, 0, 2, 1, 2]);
  assert.deepEqual([path.moves, path.length, path.cost], [4, 5, 4]);
  assert.deepEqual(list(path.turningPoints), [1, 0, 0, 0, 0, 2, 1, 2]);
  assert.deepEqual(list(path.smooth()), [1, 0, 0, 0, 0, 2, 1, 2]);
  assert.equal(path.smoothLength(), 4);
  assert.ok(navigator.isExact && navigator.memoryBytes > 0 && navigator.reachable(1, 0, 1, 2));
  const walker = navigator.walker(1, 0, 1, 2);
  const walked = [1, 0];
  for (let cell; (cell = walker.next()); ) walked.push(...cell);
  assert.deepEqual(walked, list(path.cells));
  const other = navigator.walker(1, 0, 1, 2), advanced = [1, 0];
  while (other.advance()) advanced.push(other.x, other.y);
  assert.deepEqual(advanced, walked);
  assert.deepEqual([walker.hasArrived, walker.costLeft, list(walker.position)], [true, 0, [1, 2]]);
  walker.setGoal(5, 2);
  assert.deepEqual([walker.costLeft, list(walker.goal)], [4, [5, 2]]);
});

test("questions about many goals", () => {
  const navigator = Grid.fromText("...#.\n...#.").navigator();
  assert.deepEqual(list(navigator.costs(0, 0, Uint32Array.of(2, 0, 4, 0, 0, 1))), [2, Infinity, 1]);
  assert.equal(navigator.nearestOf(0, 0, [2, 0, 0, 1]), 1);
  assert.equal(navigator.nearestOf(0, 0, [4, 1]), undefined);
  assert.equal(navigator.cost(0, 0, 4, 0), undefined);
  assert.equal(navigator.reachable(0, 0, 4, 0), false);
  assert.throws(() => navigator.walker(0, 0, 4, 0).next(), /no way from \(0, 0\) to \(4, 0\)/);
});

test("a navigator is edited, and walkers follow", () => {
  const navigator = Grid.fromText(ART).navigator();
  const walker = navigator.walker(1, 0, 1, 2);
  navigator.edit(Uint32Array.of(0, 1), false);
  assert.equal(navigator.map.isFree(0, 1), false);
  assert.equal(walker.costLeft, 4);
  walker.follow(navigator);
  assert.equal(walker.costLeft, 10);
  navigator.edit([0, 1], true);
  assert.equal(navigator.cost(1, 0, 1, 2), 4);
});

test("a build tells how far it is, and is cancelled", () => {
  const map = Grid.fromCells(cells(64), 64, 64);
  const stages = new Set();
  map.navigator((stage, done, all) => {
    stages.add(stage);
    assert.ok(done >= 0 && done <= all, `${done} of ${all}`);
  });
  assert.ok(stages.size > 0);
  assert.throws(() => map.navigator(() => false), /cancelled/);
  assert.throws(() => map.navigator(() => { throw new RangeError("of the caller's"); }), RangeError);
  assert.throws(() => map.navigator(() => map.set(0, 0, false)), /recursive/);
  const crowd = new Crowd(map);
  assert.throws(() => crowd.addKind({}, () => false), /cancelled/);
  assert.throws(() => crowd.addKind({}, () => crowd.frame()), /recursive/);
  assert.equal(crowd.addKind(), 0);
  map.set(0, 0, false);
  assert.equal(map.isFree(0, 0), false);
  map.free();
});

test("databases have the same bytes as native ones", () => {
  const folder = mkdtempSync(join(tmpdir(), "surefoot-"));
  try {
    for (const side of [64, 200]) {
      const file = join(folder, `${side}.sfdb`);
      const measured = native(side, file);
      const map = Grid.fromCells(cells(side), side, side);
      const navigator = map.navigator();
      const bytes = navigator.toBytes();
      assert.equal(sha256(bytes), sha256(readFileSync(file)), `side ${side}`);
      const opened = Navigator.fromBytes(map, new Uint8Array(readFileSync(file)));
      const cost = ends(side).reduce((sum, way) => sum + (opened.path(...way)?.cost ?? 0), 0);
      assert.equal(cost, measured.cost);
      let moves = 0;
      for (const way of ends(side).filter((way) => navigator.reachable(...way))) {
        const walker = navigator.walker(...way);
        while (walker.next()) moves += 1;
      }
      assert.equal(moves, measured.moves);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("10,000 units walk, are sent, and go around a new wall", () => {
  const side = 256;
  const map = Grid.fromCells(cells(side), side, side);
  const crowd = new Crowd(map);
  const kind = crowd.addKind();
  const free = [];
  for (let i = 0; free.length < 20000; i = (i + 7919) % (side * side)) {
    if (isFree(i % side, Math.floor(i / side))) free.push(i % side, Math.floor(i / side));
  }
  const starts = Uint32Array.from(free);
  const units = crowd.addMany(kind, starts, starts.slice().reverse().map((_, i, all) => all[i ^ 1]));
  assert.equal(units.length, 10000);
  assert.equal(crowd.size, 10000);
  const order = crowd.units();
  assert.deepEqual(order.slice().sort(), units.slice().sort());
  let [moves, arrived] = [0, 0];
  for (let frame = 1; frame <= 60; frame += 1) {
    const report = crowd.frame(2_000_000);
    assert.equal(report.frame, frame);
    assert.equal(report.overdrawn, 0);
    moves += report.moves;
    arrived += report.arrived.length;
  }
  assert.ok(moves > 300000, `${moves} moves`);
  const [positions, statuses] = [crowd.positions(), crowd.statuses()];
  assert.deepEqual([positions.length, statuses.length], [20000, 10000]);
  order.forEach((unit, i) => {
    if (i % 500 === 0) {
      assert.deepEqual(list(crowd.position(unit)), [positions[2 * i], positions[2 * i + 1]]);
      assert.equal(crowd.status(unit), statuses[i]);
    }
  });
  assert.deepEqual(crowd.positionsOf(order), positions);
  assert.deepEqual(crowd.positionsOf([order[7]]), positions.slice(14, 16));
  assert.equal(statuses.filter((status) => status === 1).length, arrived);

  const group = crowd.send(units.subarray(0, 200), 128, 128);
  assert.equal(crowd.groupOf(units[0]), group);
  const unit = units[300];
  crowd.place(unit, 100, 101);
  crowd.setGoal(unit, 140, 101);
  const before = crowd.path(unit);
  assert.deepEqual([before.cost, before.moves], [crowd.costLeft(unit), crowd.movesLeft(unit)]);
  const wall = [];
  for (let y = 60; y < 140; y += 1) wall.push(120, y);
  assert.ok(crowd.setCells(Uint32Array.from(wall), false) > 0);
  assert.ok(crowd.pushOut().length % 3 === 0);
  for (let frame = 0; frame < 400 && !(crowd.isUpToDate(kind) && crowd.status(unit) === 1); frame += 1) {
    crowd.frame(2_000_000);
    const [x, y] = crowd.position(unit);
    assert.ok(crowd.map.isFree(x, y), `${x}, ${y}`);
  }
  assert.equal(crowd.status(unit), 1);
  assert.ok(crowd.isUpToDate(kind) && crowd.memoryBytes > 10000);

  const loaded = Crowd.load(crowd.save());
  assert.equal(loaded.checksum(), crowd.checksum());
  loaded.frame(100000);
  crowd.frame(100000);
  assert.equal(loaded.checksum(), crowd.checksum());
  assert.match(crowd.checksum(), /^[0-9a-f]{16}$/);
});

test("kinds, speeds, links, weights and obstacles", () => {
  const map = Grid.fromText("........\n........\n........");
  const crowd = new Crowd(map, { unitsAsObstacles: true });
  const small = crowd.addKind();
  const large = crowd.addKind({ rule: "cardinal", costs: "1.4", size: 2 });
  assert.equal(crowd.addKind(map.withRule("squeeze")), 2);
  const [walker, slow] = [crowd.add(small, 0, 0, 7, 0), crowd.add(large, 0, 1, 6, 1)];
  crowd.setSpeed(slow, 1, 2);
  crowd.setSpeeds([walker, slow], 1, 4);
  crowd.setPriority(walker, "high");
  assert.throws(() => crowd.add(small, 1, 2, 2, 0), /taken/);
  crowd.frame();
  crowd.frame();
  assert.ok(crowd.positions().some((number) => number % 1 !== 0));
  assert.equal(crowd.cost(small, 0, 0, 7, 0), 7);
  const link = crowd.addLink(small, 1, 0, 7, 0);
  assert.equal(crowd.cost(small, 0, 0, 7, 0), 2);
  crowd.removeLink(small, link);
  assert.equal(crowd.setWeights(small, [3, 0, 3, 1, 3, 2], 9), 3);
  assert.ok(crowd.cost(small, 0, 0, 7, 0) > 7);
  assert.equal(crowd.nearestOf(small, 0, 0, [7, 0, 1, 0]), 1);
  assert.ok(crowd.reachable(small, 0, 0, 7, 2));
  crowd.pursue(walker, slow);
  crowd.stop(walker);
  crowd.remove(slow);
  assert.equal(crowd.size, 1);
});

test("a kind is built while frames go on", () => {
  const crowd = new Crowd(Grid.fromCells(cells(64), 64, 64));
  const kind = crowd.addKindUnbuilt();
  const unit = crowd.add(kind, 0, 0, 60, 60);
  assert.equal(crowd.isBuilt(kind), false);
  assert.equal(crowd.buildProgress(kind), undefined);
  crowd.buildInFrames(kind);
  crowd.frame(1000);
  assert.equal(typeof crowd.buildProgress(kind).stage, "string");
  assert.equal(crowd.cancelBuild(kind), true);
  crowd.buildInFrames(kind);
  let built = [];
  for (let frame = 0; frame < 2000 && built.length === 0; frame += 1) built = list(crowd.frame(100000).built);
  assert.deepEqual(built, [kind]);
  for (let frame = 0; frame < 200; frame += 1) crowd.frame();
  assert.deepEqual(list(crowd.position(unit)), [60, 60]);
});

test("the first example of the README runs, and says what it says", async () => {
  const readme = readFileSync(new URL("../package/README.md", import.meta.url), "utf8");
  const [, example] = readme.match(/```js\n([^]*?)```/);
  const body = example.replace(/^import init, \{ Map \} from "surefoot";.*\n/, "");
  assert.notEqual(body, example);
  const said = [];
  const run = Object.getPrototypeOf(async () => {}).constructor("init", "Map", "console", body);
  await run(async () => {}, Grid, { log: (cost, path) => said.push(cost, ...path) });
  const [, promised] = example.match(/console\.log.*\/\/ (.*)\n/);
  assert.deepEqual(said, JSON.parse(`[${promised.replace("[", "").replace("]", "")}]`));
});
