// Every algorithm, in a worker. Its module is loaded when something is first asked of it.

import { serve } from "./call.js";

let loading = null;
/** The module. Calls that come while it is loaded wait for it, too. After a failure the next call tries again. */
const load = () => loading ??= (async () => {
  const lab = await import("./playground/playground.js");
  await lab.default();
  return lab;
})().catch((error) => { loading = null; throw error; });
let world = null, mark = null;
/** The walks of the two panes, the one beside the other. */
const walks = [null, null];
/** What there is to say of the database that was opened last, and how long it is. */
let opened = null;

/** The map that is asked about: made anew only if it is another one. Nothing waits from here on: a call for another map would free it. */
function worldOf({ World }, plain) {
  if (!world || mark !== plain.mark) {
    world?.free();
    walks.forEach((walk, pane) => { walk?.free(); walks[pane] = null; });
    world = opened = null;
    world = new World(plain.cells, plain.width, plain.height, plain.rule, plain.costs);
    mark = plain.mark;
  }
  return world;
}

/** Whether an algorithm goes by the database that was opened. */
function goesByOpened(world, spec) {
  try { return opened !== null && world.databaseBytes(spec).length === opened.length; } catch { return false; }
}

/** What an algorithm needs: opened, or else built. */
function prepared(world, spec, progress) {
  if (goesByOpened(world, spec)) return opened.facts;
  return JSON.parse(world.build(spec, 1, (stage, done, all) => { progress?.(stage, done, all); return true; }) ?? "null");
}

function packed(walk, pane) {
  const value = {
    spec: walk.spec, cost: walk.cost, moves: walk.moves, steps: walk.steps, goal: walk.goal, end: walk.end, path: walk.path, work: walk.work, bound: walk.bound,
    expandedStarts: walk.expandedStarts, expanded: walk.expanded, raisedStarts: walk.raisedStarts, raised: walk.raised,
    raisedValues: walk.raisedValues, subgoals: walk.subgoals, wasCutOff: walk.wasCutOff,
  };
  walks[pane]?.free();
  walks[pane] = walk;
  return value;
}

serve({
  async roster({ states }) { return JSON.parse((await load()).roster(states)); },
  async kinds() { return JSON.parse((await load()).kinds()); },
  async generate({ kind, width, height, seed }) { return (await load()).generate(kind, width, height, seed); },
  async problems({ text }) { return JSON.parse((await load()).problems(text)); },
  async walk({ plain, pane, spec, start, goal, most }, progress) {
    const world = worldOf(await load(), plain);
    const begin = performance.now();
    const facts = prepared(world, spec, progress);
    const building = performance.now() - begin;
    const walk = packed(world.walk(spec, start.x, start.y, goal.x, goal.y, most), pane);
    return { ...walk, optimum: world.optimum(start.x, start.y, goal.x, goal.y), facts, building };
  },
  async replay({ plain, bytes }) {
    const world = worldOf(await load(), plain), walk = packed(world.replay(bytes), 0);
    const goal = { x: walk.goal % plain.width, y: Math.floor(walk.goal / plain.width) };
    return { ...walk, optimum: world.optimum(walk.path[0], walk.path[1], goal.x, goal.y), facts: null, building: 0 };
  },
  async sketch({ plain, spec, start, goal, record, level }) {
    const world = worldOf(await load(), plain);
    prepared(world, spec);
    return JSON.parse(world.sketch(start?.x, start?.y, goal?.x, goal?.y, record, level, spec));
  },
  /** The database of the first of some algorithms that has one. */
  async database({ plain, specs }, progress) {
    const world = worldOf(await load(), plain);
    for (const spec of specs) {
      if (prepared(world, spec, progress)) return world.databaseBytes(spec);
    }
    return null;
  },
  /** Says of a database what there is to say, and which algorithms of the roster go by it from now on. */
  async openDatabase({ plain, bytes }) {
    const lab = await load(), world = worldOf(lab, plain), facts = JSON.parse(world.openDatabase(bytes));
    opened = { facts, length: bytes.length };
    return { ...facts, serves: JSON.parse(lab.roster(plain.cells.length)).map(({ name }) => name).filter((name) => goesByOpened(world, name)) };
  },
  tape({ pane }) { return walks[pane]?.tapeBytes() ?? null; },
});
