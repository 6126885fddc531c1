// The page's module as JavaScript calls it: what comes out, and that no misuse breaks it.
// Run by `node --test` after `cargo xtask web`; PLAYGROUND names another folder with the module.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = process.env.PLAYGROUND ?? fileURLToPath(new URL("../dist/playground", import.meta.url));
// The folder has no package.json: as data it is a module for any node.
const source = readFileSync(`${folder}/playground.js`);
const module = await import(`data:text/javascript;base64,${source.toString("base64")}`);
await module.default({ module_or_path: readFileSync(`${folder}/playground_bg.wasm`) });
const { World, Walk, generate, kinds, problems, roster } = module;

const SIDE = 40;
const cells = () => generate("rooms", SIDE, SIDE, 3);
const world = () => new World(cells(), SIDE, SIDE, "no-cut", "sqrt2");
const free = cells().reduce((all, cell, index) => (cell ? [...all, index] : all), []);
const [first, last] = [free[0], free.at(-1)].map((index) => [index % SIDE, Math.floor(index / SIDE)]);
const ends = [...first, ...last];
// What is no number at all is refused before the module is called: "expected a number argument, found string".
const fails = (call, words) =>
  assert.throws(
    call,
    (error) =>
      error instanceof Error &&
      !(error instanceof WebAssembly.RuntimeError) &&
      (words.test(error.message) || /^expected a number argument, found/.test(error.message)),
  );

test("every entry of the roster walks, and its tape is the same walk", () => {
  const map = world();
  assert.equal(map.states, free.length);
  const optimum = map.optimum(...ends);
  for (const entry of JSON.parse(roster(map.states))) {
    const facts = map.build(entry.quick);
    assert.equal(facts !== undefined, entry.needsDatabase, entry.name);
    const walk = map.walk(entry.quick, ...ends, 20000);
    assert.ok(walk instanceof Walk);
    if (entry.complete) assert.equal(walk.end, "arrived", entry.name);
    if (entry.optimal) assert.ok(Math.abs(walk.cost - optimum) < 1e-9, entry.name);
    const path = walk.path;
    assert.equal(path.length, 2 * (walk.steps + 1));
    assert.deepEqual([...path.slice(0, 2)], first);
    if (walk.end === "arrived") assert.deepEqual([...path.slice(-2)], last, entry.name);
    assert.equal(walk.goal, free.at(-1));
    assert.equal(walk.work.length, walk.steps);
    assert.equal(walk.expandedStarts.length, walk.steps + 1);
    assert.equal(walk.expandedStarts.at(-1), walk.expanded.length);
    assert.equal(walk.raisedStarts.at(-1), walk.raised.length);
    assert.equal(walk.raisedValues.length, walk.raised.length);
    assert.equal(walk.subgoals.length, walk.steps);
    if (walk.bound !== undefined) assert.ok(walk.work.every((work) => work <= walk.bound), entry.name);
    assert.equal(walk.wasCutOff, false);
    const again = map.replay(walk.tapeBytes());
    assert.deepEqual([again.spec, again.cost, again.end], [walk.spec, walk.cost, walk.end]);
    assert.deepEqual(again.path, path);
    if (facts) {
      const bytes = map.databaseBytes(entry.quick);
      assert.equal(bytes.length, JSON.parse(facts).bytes);
      const other = world();
      assert.equal(other.openDatabase(bytes, entry.quick), facts);
      assert.ok(JSON.parse(other.sketch()).panels.length > 0);
      assert.equal(other.walk(entry.quick, ...ends).cost, walk.cost);
      if (JSON.parse(facts).shows.way) assert.ok(JSON.parse(other.sketch(...ends)).panels.length > 0);
      other.free();
    }
    again.free();
    walk.free();
  }
  map.free();
});

test("a build tells of its progress, can be cancelled, and passes on what is thrown", () => {
  const map = world();
  const told = [];
  fails(() => map.build("beacon*", 1, (...stage) => (told.push(stage), false)), /the build was cancelled/);
  assert.equal(told.length, 1);
  assert.deepEqual(told[0].map((part) => typeof part), ["string", "number", "number"]);
  fails(() => map.build("beacon*", 1, () => { throw new RangeError("mine"); }), /^mine$/);
  fails(() => map.build("beacon*", 1, 5), /./);
  // Whoever is called back cannot use the map meanwhile, nor take it away.
  map.build("beacon*", 1, () => {
    fails(() => map.walk("a*", ...ends), /./);
    fails(() => map.width, /./);
  });
  assert.equal(map.walk("beacon*", ...ends).end, "arrived");
});

test("maps and problems", () => {
  for (const kind of JSON.parse(kinds())) assert.equal(generate(kind.name, 9, 7, 1).length, 63);
  const [problem] = JSON.parse(problems("version 1\n0\ta.map\t9\t9\t1\t2\t3\t4\t2.8\n"));
  assert.deepEqual([problem.start, problem.goal, problem.length], [[1, 2], [3, 4], 2.8]);
  fails(() => problems("version 1\nx"), /line 2/);
  fails(() => problems(undefined), /scen must be a string/);
  fails(() => problems({ length: 1e9 }), /scen must be a string/);
});

test("what is wrong throws, and the module goes on", () => {
  const map = world();
  const odd = [NaN, -1, 1.5, 1e99, Infinity, undefined, null, {}, "x"];
  for (const value of odd) {
    if (value !== null && value !== undefined) fails(() => roster(value), /states/);
    if (value !== null) fails(() => generate("rooms", value, 5, 1), /width/);
    if (value !== null) fails(() => generate("rooms", 5, 5, value), /seed/);
    fails(() => generate(value, 5, 5, 1), /kind/);
    fails(() => new World(cells(), value ?? NaN, SIDE, "no-cut", "sqrt2"), /width/);
    fails(() => new World(value, SIDE, SIDE, "no-cut", "sqrt2"), /cells must be a Uint8Array/);
    fails(() => new World(cells(), SIDE, SIDE, value, "sqrt2"), /rule/);
    fails(() => map.walk(value, ...ends), /spec|algorithm/);
    fails(() => map.walk("a*", value ?? NaN, 0, ...last), /start/);
    fails(() => map.optimum(...first, 0, value ?? NaN), /goal/);
    fails(() => map.replay(value), /the tape must be a Uint8Array/);
    fails(() => map.openDatabase(value), /the database must be a Uint8Array/);
    if (value !== null && value !== undefined) fails(() => map.walk("a*", ...ends, value), /mostMoves/);
    if (value !== null && value !== undefined) fails(() => map.sketch(undefined, undefined, undefined, undefined, value), /record/);
  }
  fails(() => map.walk("a*", ...ends, 0), /mostMoves is 0: expected a whole number from 1 to 4194304/);
  fails(() => map.walk("a*", SIDE, 0, ...last), /start/);
  fails(() => map.walk("b*", ...ends), /there is no algorithm of this name/);
  fails(() => map.sketch(1, 2), /a way has two cells/);
  fails(() => map.databaseBytes(), /there is no database yet/);
  fails(() => map.openDatabase(new Uint8Array(100)), /./);
  fails(() => map.replay(new Uint8Array(100)), /./);
  fails(() => new World(new Uint8Array(5), 2, 3, "no-cut", "sqrt2"), /5 cells were given/);
  fails(() => generate("rooms", 5000, 5000, 1), /at most/);
  const tape = map.walk("lrta*", ...ends).tapeBytes();
  const other = new World(new Uint8Array(SIDE * SIDE).fill(1), SIDE, SIDE, "no-cut", "sqrt2");
  fails(() => other.replay(tape), /this tape is of another map/);
  other.free();
  for (const use of [() => other.width, () => other.walk("a*", ...ends), () => other.free()]) {
    try {
      use();
    } catch (error) {
      assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), String(error));
    }
  }
  fails(() => other.walk("a*", ...ends), /./);
  assert.equal(map.walk("beacon*", ...ends).end, "arrived");
});
