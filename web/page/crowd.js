// The tab of crowds: thousands of units, a map that is drawn on while they walk.

import { Caller } from "./call.js";
import { editWorld, onWorld, plainWorld, world } from "./world.js";
import { MapView, colour } from "./view.js";

const $ = (id) => document.getElementById(id);
const HINTS = {
  send: "Drag over units to select them. Click where they shall go.",
  wall: "Drag to build walls. Units go around them at once.",
  floor: "Drag to tear walls down.",
  pan: "Drag to move the map. Two fingers or the wheel zoom.",
};

/** Starts the tab. `say(error)` shows what went wrong. Gives what the page asks it. */
export function startCrowd(say) {
  const worker = new Caller(new URL("crowd-worker.js", import.meta.url));
  const state = { isShown: true, isPaused: false, isReady: false, isBuilding: false, isStale: false, isOld: false, positions: new Float32Array(), chosen: new Set(), box: null, stroke: null, way: null, sent: null };
  const figures = { frames: 0, moves: 0, worst: 0, since: performance.now(), drawing: 0, last: null };
  let generation = 0;

  const tool = () => document.querySelector("input[name=tool]:checked").value;
  const budget = () => Math.round(10 ** $("crowd-budget").value);
  const number = new Intl.NumberFormat("en");

  function showSettings() {
    $("crowd-count-out").value = number.format($("crowd-count").value);
    $("crowd-budget-out").value = number.format(budget());
    $("crowd-speed-out").value = `${$("crowd-speed").value}/32`;
    $("crowd-hint").textContent = state.chosen.size && tool() === "send" ? `${number.format(state.chosen.size)} selected. Click where they shall go.` : HINTS[tool()];
  }

  const view = new MapView($("crowd-canvas"), {
    draw(context, view) {
      const begin = performance.now(), { positions, chosen, box } = state;
      const size = Math.max(0.8, 2.2 / view.scale), edge = (1 - size) / 2;
      context.fillStyle = colour("unit");
      for (let at = 0; at < positions.length; at += 2) context.fillRect(positions[at] + edge, positions[at + 1] + edge, size, size);
      if (state.way) {
        context.strokeStyle = colour("trail");
        context.lineWidth = Math.max(0.3, 2 / view.scale);
        context.beginPath();
        for (let at = 0; at < state.way.length; at += 2) context.lineTo(state.way[at] + 0.5, state.way[at + 1] + 0.5);
        context.stroke();
      }
      if (chosen.size) {
        // Larger, and turned by a corner: not by colour alone.
        const reach = size * 0.9;
        context.fillStyle = colour("chosen");
        context.beginPath();
        for (const at of chosen) {
          const x = positions[2 * at] + 0.5, y = positions[2 * at + 1] + 0.5;
          context.moveTo(x - reach, y); context.lineTo(x, y - reach); context.lineTo(x + reach, y); context.lineTo(x, y + reach);
        }
        context.fill();
      }
      if (state.sent) {
        const { x, y, until } = state.sent, reach = Math.max(1.5, 10 / view.scale);
        context.strokeStyle = colour("goal");
        context.lineWidth = 3 / view.scale;
        context.strokeRect(x + 0.5 - reach, y + 0.5 - reach, 2 * reach, 2 * reach);
        if (performance.now() > until) state.sent = null;
      }
      if (box) {
        context.strokeStyle = colour("accent");
        context.lineWidth = 2 / view.scale;
        context.setLineDash([6 / view.scale, 4 / view.scale]);
        context.strokeRect(Math.min(box.x, box.toX), Math.min(box.y, box.toY), Math.abs(box.toX - box.x) + 1, Math.abs(box.toY - box.y) + 1);
        context.setLineDash([]);
      }
      figures.drawing = performance.now() - begin;
    },
    down(cell, event) {
      if (tool() === "send") state.box = { ...cell, toX: cell.x, toY: cell.y };
      else if (tool() !== "pan") {
        state.stroke = cell;
        // The first of two fingers builds nothing.
        if (event.pointerType !== "touch") edit([cell]);
      }
    },
    move(cell, event, by) {
      if (tool() === "pan") return view.pan(by.x, by.y);
      if (state.box) { state.box.toX = cell.x; state.box.toY = cell.y; view.redraw(); }
      if (state.stroke) { edit(line(state.stroke, cell)); state.stroke = cell; }
    },
    up(cell) {
      const { box, stroke } = state;
      state.box = state.stroke = null;
      if (stroke) edit([cell]);
      if (!box) return;
      if (box.x === cell.x && box.y === cell.y) click(cell); else choose(box);
      view.redraw();
    },
    cancel() { state.box = state.stroke = null; view.redraw(); },
  });

  /** The cells of a stroke, two wide, so that nobody slips through. */
  function line(from, to) {
    const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), 1), cells = [];
    for (let step = 0; step <= steps; step++) {
      cells.push({ x: Math.round(from.x + (to.x - from.x) * step / steps), y: Math.round(from.y + (to.y - from.y) * step / steps) });
    }
    return cells;
  }

  /** Tells the crowd something. What is cut off by another map or a cancelled build is no error. */
  async function ask(name, values) {
    const mine = generation;
    try {
      const answer = await worker.call(name, values);
      state.isOld = true;
      return answer;
    } catch (error) { if (mine === generation && !error.isCancelled) say(error); }
  }

  function edit(cells) {
    const free = tool() === "floor", seen = new Set(), flat = [];
    const wide = Math.max(2, Math.round(3 / view.scale));
    for (const { x, y } of cells) for (let dy = 0; dy < wide; dy++) for (let dx = 0; dx < wide; dx++) {
      const cell = { x: x + dx, y: y + dy }, at = cell.y * world.width + cell.x;
      if (view.contains(cell) && view.isFree(cell) !== free && !seen.has(at)) { seen.add(at); flat.push(cell.x, cell.y); }
    }
    if (!flat.length || !state.isReady) return;
    const changed = Uint32Array.from(flat);
    editWorld(changed, free);
    view.paintCells(changed, free);
    ask("setCells", { cells: changed, free });
  }

  function click(cell) {
    if (!view.contains(cell) || !state.isReady) return;
    if (!state.chosen.size) {
      // The unit there, if there is one: its way is shown.
      const reach = Math.max(1, 8 / view.scale), { positions } = state;
      let best = -1, near = reach;
      for (let at = 0; at < positions.length; at += 2) {
        const far = Math.max(Math.abs(positions[at] - cell.x), Math.abs(positions[at + 1] - cell.y));
        if (far <= near) { near = far; best = at / 2; }
      }
      if (best >= 0) setChosen(new Set([best]));
      return;
    }
    say(null);
    worker.call("send", { chosen: Uint32Array.from(state.chosen), x: cell.x, y: cell.y })
      .then(() => { state.sent = { ...cell, until: performance.now() + 1500 }; state.way = null; state.isOld = true; view.redraw(); })
      .catch((error) => { if (!error.isCancelled) say(error); });
  }

  function choose({ x, y, toX, toY }) {
    const [left, right, top, bottom] = [Math.min(x, toX), Math.max(x, toX), Math.min(y, toY), Math.max(y, toY)];
    const inside = new Set();
    for (let at = 0; at < state.positions.length; at += 2) {
      const px = state.positions[at], py = state.positions[at + 1];
      if (px >= left && px <= right && py >= top && py <= bottom) inside.add(at / 2);
    }
    setChosen(inside);
  }

  function setChosen(chosen) {
    [state.chosen, state.way, state.isOld] = [chosen, null, true];
    showSettings();
    view.redraw();
  }

  /** Without a database each unit searches by itself: that takes longer, and more memory. */
  async function start(isBuilt = true) {
    const mine = ++generation;
    // What is built for another map is of no use.
    if (state.isBuilding) worker.restart();
    $("crowd-build").hidden = true;
    Object.assign(state, { isReady: false, isBuilding: true, isStale: false, positions: new Float32Array(), chosen: new Set(), way: null, sent: null, box: null, stroke: null });
    view.setWorld(world);
    showSettings();
    try {
      const onProgress = (stage, done, all) => {
        if (mine !== generation) return;
        $("crowd-build").hidden = false;
        $("crowd-stage").textContent = stage;
        $("crowd-progress").value = all ? done / all : 0;
      };
      const count = Number($("crowd-count").value);
      await worker.call("start", { ...plainWorld(), count: isBuilt ? count : Math.min(count, 1000), obstacles: $("crowd-obstacles").checked, parts: Number($("crowd-speed").value), isBuilt }, { onProgress });
    } catch (error) {
      if (mine !== generation) return;
      [state.isBuilding, $("crowd-build").hidden] = [false, true];
      return say(error);
    }
    if (mine !== generation) return;
    $("crowd-build").hidden = true;
    Object.assign(state, { isReady: true, isBuilding: false, isOld: true });
    loop(mine);
  }

  /** A frame of the crowd for every frame of the screen, if the crowd is done by then. */
  async function loop(mine) {
    let isIdle = true;
    while (mine === generation) {
      await new Promise(requestAnimationFrame);
      if (!state.isShown || document.hidden) { isIdle = true; await new Promise((done) => setTimeout(done, 100)); continue; }
      try {
        if (state.isPaused) { isIdle = true; if (state.isOld) await look(mine); continue; }
        // What is counted a second is counted while they walk.
        if (isIdle) Object.assign(figures, { frames: 0, moves: 0, worst: 0, since: performance.now() });
        isIdle = false;
        const frame = await worker.call("frame", { budget: budget(), wanders: $("crowd-wander").checked });
        if (mine !== generation || !frame) return;
        state.positions = frame.positions;
        if (figures.frames % 8 === 0) await lookAhead();
        note(frame);
        view.redraw();
      } catch (error) { if (mine === generation) say(error); return; }
    }
  }

  /** The way of the unit that is selected, if it is one. */
  async function lookAhead() {
    const { chosen } = state;
    if (chosen.size !== 1) return;
    const way = await worker.call("path", { at: [...chosen][0] });
    if (chosen === state.chosen) state.way = way;
  }

  /** Who stands where, while nobody moves: units may have been added, or pushed out of a wall. */
  async function look(mine) {
    state.isOld = false;
    const positions = await worker.call("positions");
    if (mine !== generation) return;
    state.positions = positions;
    $("f-units").textContent = number.format(positions.length / 2);
    await lookAhead();
    view.redraw();
  }

  function note(frame) {
    figures.frames++;
    figures.moves += frame.moves;
    figures.worst = Math.max(figures.worst, frame.planning);
    figures.last = frame;
    const now = performance.now(), seconds = (now - figures.since) / 1000;
    if (seconds < 0.5) return;
    const ms = (value) => `${value.toFixed(2)} ms`;
    $("f-units").textContent = number.format(frame.positions.length / 2);
    $("f-plan").textContent = ms(frame.planning);
    $("f-worst").textContent = ms(figures.worst);
    $("f-draw").textContent = ms(figures.drawing);
    $("f-fps").textContent = (figures.frames / seconds).toFixed(0);
    $("f-moves").textContent = number.format(Math.round(figures.moves / seconds));
    $("f-work").textContent = number.format(frame.work + frame.upkeep);
    $("f-waiting").textContent = number.format(frame.waiting);
    $("f-memory").textContent = `${(frame.memory / 1e6).toFixed(1)} MB`;
    figures.shown = { fps: figures.frames / seconds, moves: figures.moves / seconds, planning: frame.planning, worst: figures.worst, drawing: figures.drawing, memory: frame.memory };
    Object.assign(figures, { frames: 0, moves: 0, worst: 0, since: now });
  }

  // A crowd is built when somebody looks at it.
  onWorld(() => {
    if (state.isShown) return start();
    generation++;
    if (state.isBuilding) worker.restart();
    Object.assign(state, { isReady: false, isBuilding: false, isStale: true });
  });
  const count = $("crowd-count");
  // A small screen shows no more.
  if (matchMedia("(max-width: 50rem)").matches) count.value = 4000;
  count.addEventListener("change", () => {
    setChosen(new Set());
    if (state.isReady) ask("setCount", { count: Number(count.value) });
  });
  $("crowd-speed").addEventListener("change", (event) => state.isReady && ask("setSpeed", { parts: Number(event.target.value) }));
  $("crowd-obstacles").addEventListener("change", () => start());
  for (const input of document.querySelectorAll("#crowd input")) input.addEventListener("input", showSettings);
  const pause = () => {
    state.isPaused = !state.isPaused;
    $("crowd-pause").textContent = state.isPaused ? "Go on" : "Pause";
  };
  const all = () => setChosen(new Set(Array.from({ length: state.positions.length / 2 }, (_, at) => at)));
  $("crowd-pause").onclick = pause;
  $("crowd-all").onclick = all;
  $("crowd-none").onclick = () => setChosen(new Set());
  $("crowd-fit").onclick = () => view.fit();
  $("crowd-cancel").onclick = () => start(false);
  const tools = [...document.querySelectorAll("input[name=tool]")];
  showSettings();

  return {
    view,
    show(isShown) {
      state.isShown = isShown;
      if (!isShown) return;
      if (state.isStale) start(); else view.paint();
    },
    key(event) {
      const at = "1234".indexOf(event.key);
      if (at >= 0) { tools[at].checked = true; showSettings(); } else if (event.key === " ") pause();
      else if (event.key === "a") all();
      else if (event.key === "Escape") setChosen(new Set());
      else if ("+=-0".includes(event.key)) ({ "+": () => view.zoom(1.25), "=": () => view.zoom(1.25), "-": () => view.zoom(0.8), 0: () => view.fit() })[event.key]();
      else return false;
      return true;
    },
    repaint: () => view.paint(),
    /** For tests: what the figures are. */
    figures: () => ({ ...figures.shown, units: state.positions.length / 2, isReady: state.isReady, chosen: state.chosen.size }),
    positions: () => Array.from(state.positions),
  };
}
