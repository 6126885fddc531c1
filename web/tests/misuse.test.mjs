// Whatever a page passes, it gets an `Error`, and the module goes on: each case is followed by a walk.
import assert from "node:assert/strict";
import { test } from "node:test";
import surefoot from "./package.mjs";

const { Map: Grid, Navigator, Path, Walker, Crowd } = surefoot;
const ART = "......\n.####.\n......";
const NUMBERS = [NaN, Infinity, -Infinity, -1, 1.5, 1e99, 2 ** 40, 2 ** 53];
const OTHERS = [undefined, null, true, "1", "", {}, [], [1], () => 1, Symbol("x"), 1n, new Date(0)];

/** That a call throws an `Error` of the package's, and nothing worse. */
function refused(call, what) {
  assert.throws(
    call,
    (error) => {
      assert.ok(error instanceof Error, `${what}: ${String(error)}`);
      assert.ok(!(error instanceof WebAssembly.RuntimeError), `${what} trapped: ${error}`);
      assert.ok(error.message.length > 5, what);
      return true;
    },
    what,
  );
  works(what);
}

/** That the module still works. */
function works(what) {
  const walker = Grid.fromText(ART).navigator().walker(1, 0, 1, 2);
  let moves = 0;
  while (walker.next()) moves += 1;
  assert.equal(moves, 4, what);
}

/** Every method with every wrong value in every place, the other arguments being right. */
function everyPlace(name, call, right, wrong) {
  right.forEach((_, place) => {
    for (const value of wrong) {
      const given = right.map((argument, at) => (at === place ? value : argument));
      refused(() => call(...given), `${name}(${given.map(String).join(", ")})`);
    }
  });
}

function scene() {
  const map = Grid.fromText(ART);
  const navigator = map.navigator();
  const crowd = new Crowd(map);
  const kind = crowd.addKind();
  const unit = crowd.add(kind, 0, 0, 5, 2);
  return { map, navigator, crowd, kind, unit, path: navigator.path(0, 0, 5, 0), walker: navigator.walker(0, 0, 5, 0) };
}

test("numbers that are none", () => {
  const { map, navigator, crowd, kind, unit, walker } = scene();
  const wrong = [...NUMBERS, ...OTHERS];
  for (const name of ["path", "cost", "reachable", "walker"]) {
    everyPlace(name, (...way) => navigator[name](...way), [0, 0, 5, 0], wrong);
  }
  everyPlace("set", (x, y) => map.set(x, y, true), [0, 0], wrong);
  everyPlace("setGoal", (x, y) => walker.setGoal(x, y), [0, 0], wrong);
  everyPlace("costs", (x, y) => navigator.costs(x, y, [1, 0]), [0, 0], wrong);
  everyPlace("nearestOf", (x, y) => navigator.nearestOf(x, y, [1, 0]), [0, 0], wrong);
  for (const [name, right] of Object.entries({
    add: [kind, 0, 0, 5, 0], setGoal: [unit, 0, 0], place: [unit, 0, 0], stop: [unit], remove: [unit],
    path: [unit], costLeft: [unit], movesLeft: [unit], status: [unit], position: [unit], goal: [unit],
    groupOf: [unit], pursue: [unit, unit], cost: [kind, 0, 0, 5, 0], reachable: [kind, 0, 0, 5, 0],
    buildInFrames: [kind], buildProgress: [kind], cancelBuild: [kind], isBuilt: [kind], isUpToDate: [kind],
    addLink: [kind, 0, 0, 5, 0], removeLink: [kind, 0],
  })) {
    everyPlace(name, (...given) => crowd[name](...given), right, wrong);
  }
  everyPlace("setCell", (x, y) => crowd.setCell(x, y, true), [0, 0], wrong);
  everyPlace("send", (x, y) => crowd.send([unit], x, y), [0, 0], wrong);
  const notOptional = OTHERS.filter((value) => value !== undefined && value !== null);
  const wrongWork = [NaN, -1, -Infinity, ...notOptional];
  everyPlace("frame", (work) => crowd.frame(work), [1000], wrongWork);
  everyPlace("setSpeed", (cells, frames) => crowd.setSpeed(unit, cells, frames), [1, 2], [...NUMBERS, ...notOptional]);
  refused(() => crowd.setSpeed(unit, 0, 1), "no speed");
  refused(() => crowd.setSpeed(unit, 1, 0), "no frames");
  refused(() => crowd.setSpeed(unit, 9, 1), "too fast");
  everyPlace("setWeights", (weight) => crowd.setWeights(kind, [0, 0], weight), [1], [0, 256, ...wrong]);
  assert.deepEqual(Array.from(crowd.position(unit)), [0, 0]);
});

test("cells that are outside or blocked", () => {
  const { map, navigator, crowd, kind } = scene();
  for (const [x, y] of [[6, 0], [0, 3], [2 ** 32 - 1, 2 ** 32 - 1]]) {
    refused(() => navigator.path(x, y, 0, 0), "start outside");
    refused(() => navigator.path(0, 0, x, y), "goal outside");
    refused(() => crowd.add(kind, 0, 0, x, y), "unit's goal outside");
    refused(() => crowd.setCell(x, y, true), "cell outside");
    refused(() => crowd.setCells([0, 0, x, y], false), "cells outside");
    refused(() => map.set(x, y, true), "map's cell outside");
    refused(() => navigator.edit([x, y], false), "edit outside");
  }
  assert.ok(crowd.map.isFree(0, 0));
  assert.throws(() => navigator.path(0, 0, 1, 1), /goal \(1, 1\) is blocked; choose a passable one/);
  assert.throws(() => navigator.path(9, 0, 1, 0), /start \(9, 0\) is outside the map, which is 6 x 3 cells/);
  assert.throws(() => crowd.addMany(kind, [0, 0, 1, 1], [0, 0, 0, 0]), /blocked/);
  assert.equal(crowd.size, 1);
});

test("lists, bytes, texts and options of another kind", () => {
  const { map, navigator, crowd, kind, unit } = scene();
  const wrongLists = [undefined, null, 1, "00", true, {}, { length: 2 }, () => 1, [0], [0, NaN], [0, null], [0, "0"], [0, -1], [0, 1n],
    new Float32Array(2), new Uint8Array(2), Uint32Array.of(0), new ArrayBuffer(8)];
  everyPlace("edit", (list) => navigator.edit(list, false), [[0, 0]], wrongLists);
  everyPlace("costs", (list) => navigator.costs(0, 0, list), [[0, 0]], wrongLists);
  everyPlace("setCells", (list) => crowd.setCells(list, false), [[0, 0]], wrongLists);
  everyPlace("addMany", (a, b) => crowd.addMany(kind, a, b), [[0, 0], [0, 0]], wrongLists);
  refused(() => crowd.addMany(kind, [0, 0], []), "more starts than goals");
  for (const list of [1, "0", {}, [NaN], [unit, 77], Uint32Array.of(0), [null]]) {
    refused(() => crowd.send(list, 0, 0), "send");
    refused(() => crowd.positionsOf(list), "positionsOf");
    refused(() => crowd.setSpeeds(list, 1, 2), "setSpeeds");
  }
  for (const free of [undefined, null, 1, "true", {}]) refused(() => crowd.setCell(0, 0, free), "no boolean");

  for (const bytes of [undefined, null, 1, "bytes", {}, [1, 2], new Uint32Array(4), new Uint8Array(0), new Uint8Array(1000).fill(7)]) {
    refused(() => Grid.fromBytes(bytes), "map bytes");
    refused(() => Navigator.fromBytes(map, bytes), "navigator bytes");
    refused(() => Crowd.load(bytes), "crowd bytes");
    refused(() => Grid.fromCells(bytes, 7, 9), "cells");
    refused(() => Grid.fromImage(bytes, 7, 9), "pixels");
    refused(() => Grid.fromBits(bytes, 7, 9), "bits");
    refused(() => map.withWeights(bytes), "weights");
  }
  for (const [width, height] of [[0, 0], [NaN, 1], [-1, -18], [2 ** 32 - 1, 2 ** 32 - 1], [18, "1"], [4.5, 4]]) {
    refused(() => Grid.fromCells(new Uint8Array(18), width, height), "sides");
  }
  refused(() => Grid.fromCells(new Uint8Array(0), 0, 0), "an empty map");
  refused(() => Grid.fromBytes(Uint8Array.of(0x89, 0x50, 0x4e, 0x47)), "a picture");
  for (const text of [undefined, null, 1, {}, "", "type octile\nheight x", "..\n...", "?"]) refused(() => Grid.fromText(text), "text");
  for (const name of [undefined, null, 1, "", "nocut", "NO-CUT"]) {
    refused(() => map.withRule(name), "rule");
    refused(() => map.withCosts(name), "costs");
    refused(() => crowd.setPriority(unit, name), "priority");
  }
  for (const options of [1, "x", { rule: 1 }, { rule: "x" }, { costs: {} }, { size: 0 }, { size: 65 }, { size: NaN }, { size: "2" },
    { weights: [1] }, { weights: new Uint8Array(3) }, { get rule() { throw new Error("of the caller's"); } }]) {
    refused(() => crowd.addKind(options), "kind");
    refused(() => crowd.addKindUnbuilt(options), "unbuilt kind");
  }
  for (const options of [1, "x", { unitsAsObstacles: 1 }]) refused(() => new Crowd(map, options), "crowd's options");
  for (const progress of [1, "x", {}]) refused(() => map.navigator(progress), "progress");
});

test("bytes that were damaged", () => {
  const { map, navigator, crowd } = scene();
  const other = Grid.fromText("......\n.#.##.\n......");
  refused(() => Navigator.fromBytes(other, navigator.toBytes()), "bytes of another map");
  for (const [name, right, open] of [
    ["navigator", navigator.toBytes(), (bytes) => Navigator.fromBytes(map, bytes)],
    ["crowd", crowd.save(), (bytes) => Crowd.load(bytes)],
  ]) {
    open(right);
    for (let at = 0; at < right.length; at += Math.ceil(right.length / 200)) {
      const bytes = right.slice();
      bytes[at] ^= 0x55;
      refused(() => open(bytes), `${name}: byte ${at}`);
      refused(() => open(right.slice(0, at)), `${name}: the first ${at} bytes`);
    }
  }
});

test("objects that were freed, or are of another class", () => {
  const { map, navigator, crowd, kind, unit, path, walker } = scene();
  for (const thing of [undefined, null, 1, {}, walker, Object.create(Grid.prototype)]) {
    refused(() => new Crowd(thing), "no map");
    refused(() => Navigator.fromBytes(thing, navigator.toBytes()), "no map");
  }
  for (const thing of [undefined, null, 1, {}, map, Object.create(Navigator.prototype)]) refused(() => walker.follow(thing), "no navigator");
  for (const kind of [Grid, Navigator, Path, Walker]) refused(() => new kind(), `new ${kind.name}`);
  const goneMap = map.clone();
  goneMap.free();
  refused(() => new Crowd(goneMap), "a freed map");
  refused(() => crowd.addKind(goneMap), "a freed map's kind");
  const gone = Grid.fromText(ART).navigator();
  gone.free();
  // Often: nothing of it may pile up.
  for (let i = 0; i < 200000; i += 1) {
    assert.throws(() => walker.follow(gone));
    assert.throws(() => crowd.cost(kind, 9, 9, 9, 9));
  }
  works("many mistakes");
  walker.follow(navigator);
  walker.next();

  crowd.remove(unit);
  refused(() => crowd.status(unit), "a removed unit");
  refused(() => crowd.status(crowd.add(kind, 0, 0, 1, 0) + 1), "a unit that never was");
  for (const thing of [map, navigator, crowd, path, walker]) {
    thing.free();
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(thing)).filter((name) => !/^(constructor|free|__.*)$/.test(name));
    for (const name of names) {
      refused(() => {
        const member = thing[name];
        return member.call(thing, 0, 0, 0, 0, 0);
      }, `${thing.constructor.name}.${name}, freed`);
    }
  }
});
