// The map that all tabs look at, and what tells them of another one.

export const RULES = { "no-cut": "never cut", "one-free": "cut beside one wall", squeeze: "squeeze between two walls", cardinal: "no diagonals" };
export const COSTS = { sqrt2: "√2", "1.4": "1.4" };

/** Cells are bytes, row after row; 1 is free. */
export const world = { name: "", cells: new Uint8Array(1), width: 1, height: 1, rule: "no-cut", costs: "sqrt2", made: null, edits: 0 };
const watchers = [];

/** Calls a function for every other map, rule or cost. */
export function onWorld(watcher) { watchers.push(watcher); }

/** `made` says how the map was made, if its link can say so in few words. */
export function setWorld({ name, cells, width, height, rule = world.rule, costs = world.costs, made = null }) {
  Object.assign(world, { name, cells, width, height, rule, costs, made });
  for (const watcher of watchers) watcher(world);
}

/** Cells were changed by hand: all tabs share them. */
export function editWorld(cells, free) {
  for (let at = 0; at < cells.length; at += 2) world.cells[cells[at + 1] * world.width + cells[at]] = free ? 1 : 0;
  world.made = null;
  world.edits++;
}

/** A copy for a worker. */
export function plainWorld() {
  const { cells, width, height, rule, costs } = world;
  return { cells: cells.slice(), width, height, rule, costs };
}

/** A map as a `.map` file. */
export function mapText({ cells, width, height }) {
  const rows = [];
  for (let y = 0; y < height; y++) {
    let row = "";
    for (let x = 0; x < width; x++) row += cells[y * width + x] ? "." : "@";
    rows.push(row);
  }
  return `type octile\nheight ${height}\nwidth ${width}\nmap\n${rows.join("\n")}\n`;
}

/** The largest part of the map in which everyone can reach everyone by moves along rows and columns, as cells x, y, x, y… */
export function largestPart({ cells, width, height }) {
  const part = new Int32Array(cells.length).fill(-1), queue = new Int32Array(cells.length);
  let best = 0, most = 0, parts = 0, head = 0, tail = 0;
  const reach = (at) => { if (cells[at] && part[at] < 0) { part[at] = parts; queue[tail++] = at; } };
  for (let first = 0; first < cells.length; first++) {
    if (!cells[first] || part[first] >= 0) continue;
    head = tail = 0;
    reach(first);
    while (head < tail) {
      const at = queue[head++], x = at % width;
      if (x > 0) reach(at - 1);
      if (x < width - 1) reach(at + 1);
      if (at >= width) reach(at - width);
      if (at + width < cells.length) reach(at + width);
    }
    if (tail > most) [best, most] = [parts, tail];
    parts++;
  }
  const found = new Uint32Array(2 * most);
  for (let at = 0, place = 0; at < cells.length; at++) if (part[at] === best) { found[place++] = at % width; found[place++] = Math.floor(at / width); }
  return found;
}
