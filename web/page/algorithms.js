// The tab of algorithms: two of them on the same problem, move by move.

import { Caller } from "./call.js";
import { drawChart } from "./chart.js";
import { drawSketch, legendOf } from "./sketch.js";
import { MapView, colour } from "./view.js";
import { largestPart, onWorld, plainWorld, world } from "./world.js";

const $ = (id) => document.getElementById(id);
const MOST_MOVES = 100_000;
/** What of a database can be asked for by its number. */
const numbered = (pane) => pane.walk?.facts?.shows?.records ? "record" : pane.walk?.facts?.shows?.levels ? "level" : null;

export function startAlgorithms(say) {
  const lab = new Caller(new URL("lab-worker.js", import.meta.url));
  const state = { roster: null, start: null, goal: null, at: 0, isPlaying: false, dragged: null, mark: 1, isShown: false, isComparing: true, cells: null, states: 0 };
  const panes = [makePane("a", "lrta*"), makePane("b", "beacon*")];
  const shown = () => panes.filter((pane) => pane === panes[0] || state.isComparing);
  const longest = () => Math.max(0, ...shown().map((pane) => pane.walk?.steps ?? 0));

  function makePane(name, first) {
    const root = document.createElement("section");
    root.className = "pane";
    root.setAttribute("aria-label", `Algorithm ${name.toUpperCase()}`);
    root.innerHTML = `<div class="row"><label>${name.toUpperCase()} <select aria-label="Algorithm ${name.toUpperCase()}"></select></label>
      <input type="text" spellcheck="false" aria-label="Algorithm ${name.toUpperCase()} with its parameters"></div>
      <div class="stage"><canvas role="application" tabindex="0" aria-label="The map with the walk of algorithm ${name.toUpperCase()}. Arrow keys move a cross, s and g put start and goal there."></canvas></div>
      <p class="said" aria-live="polite"></p><p class="legend"></p><canvas class="chart" role="img" aria-label="Work of each move"></canvas>`;
    $("panes").append(root);
    const [select, spec, stage, said, legend, chart] = ["select", "input", ".stage canvas", ".said", ".legend", ".chart"].map((part) => root.querySelector(part));
    const pane = { root, select, spec, said, legend, chart, walk: null, sketch: null, heat: null, heatAt: -1 };
    spec.value = first;
    pane.view = new MapView(stage, {
      draw: (context, view) => drawPane(pane, context, view),
      down: (cell) => {
        const reach = Math.max(1.5, 14 / pane.view.scale), far = (end) => end ? Math.max(Math.abs(end.x - cell.x), Math.abs(end.y - cell.y)) : Infinity;
        if (Math.min(far(state.start), far(state.goal)) > reach) return;
        state.dragged = far(state.start) <= far(state.goal) ? "start" : "goal";
      },
      move: (cell, event, by) => { if (state.dragged) put(state.dragged, cell); else pane.view.pan(by.x, by.y); },
      up: () => { state.dragged = null; },
      cancel: () => { state.dragged = null; },
    });
    stage.addEventListener("keydown", (event) => {
      const end = { s: "start", g: "goal" }[event.key];
      if (end && !event.ctrlKey && !event.metaKey) { put(end, pane.view.cursor); event.preventDefault(); event.stopPropagation(); }
    });
    select.onchange = () => { spec.value = select.value; run(); };
    spec.onchange = () => run();
    return pane;
  }

  function put(end, cell) {
    if (!panes[0].view.isFree(cell)) return;
    if (state[end] && state[end].x === cell.x && state[end].y === cell.y) return;
    state[end] = { x: cell.x, y: cell.y };
    run();
    redraw();
  }

  function drawPane(pane, context, view) {
    const { walk } = pane, width = world.width;
    const cell = (index, name, alpha) => { context.globalAlpha = alpha; context.fillStyle = name; context.fillRect(index % width, Math.floor(index / width), 1, 1); };
    if ($("show-database").checked && pane.sketch) drawSketch(context, view, pane.sketch);
    if (walk) {
      const at = Math.min(state.at, walk.steps);
      if ($("show-learned").checked) {
        const heat = heatOf(pane, at), hot = colour("learned");
        for (const [index, rise] of heat.values) cell(index, hot, 0.15 + 0.75 * Math.min(1, rise / heat.most));
      }
      if ($("show-expanded").checked && at > 0) {
        const blue = colour("expanded");
        for (let number = walk.expandedStarts[at - 1]; number < walk.expandedStarts[at]; number++) cell(walk.expanded[number], blue, 0.6);
      }
      context.globalAlpha = 1;
      if ($("show-trail").checked) {
        context.strokeStyle = colour("trail");
        context.lineWidth = Math.max(0.25, 2 / view.scale);
        context.lineJoin = "round";
        context.beginPath();
        for (let step = 0; step <= at; step++) context.lineTo(walk.path[2 * step] + 0.5, walk.path[2 * step + 1] + 0.5);
        context.stroke();
      }
      const subgoal = at > 0 ? walk.subgoals[at - 1] : 2 ** 32 - 1;
      if (subgoal !== 2 ** 32 - 1) mark(context, view, { x: subgoal % width, y: Math.floor(subgoal / width) }, "subgoal", "×");
      disc(context, view, { x: walk.path[2 * at], y: walk.path[2 * at + 1] });
    }
    context.globalAlpha = 1;
    if (state.start) mark(context, view, state.start, "start", "S");
    if (state.goal) mark(context, view, state.goal, "goal", "G");
  }

  function disc(context, view, { x, y }) {
    context.fillStyle = colour("ink");
    context.strokeStyle = colour("floor");
    context.lineWidth = 2 / view.scale;
    context.beginPath();
    context.arc(x + 0.5, y + 0.5, Math.max(0.4, 5 / view.scale), 0, 7);
    context.fill(); context.stroke();
  }

  function mark(context, view, { x, y }, name, letter) {
    const reach = Math.max(0.5, 8 / view.scale);
    context.fillStyle = colour(name);
    context.fillRect(x + 0.5 - reach, y + 0.5 - reach, 2 * reach, 2 * reach);
    context.fillStyle = colour("on-accent");
    context.font = `bold ${1.6 * reach}px system-ui, sans-serif`;
    context.textAlign = "center"; context.textBaseline = "middle";
    context.fillText(letter, x + 0.5, y + 0.5 + reach * 0.1);
  }

  /** What was learned up to a move: rises over the estimate, by cell. Going on is quick, going back begins anew. */
  function heatOf(pane, at) {
    const { walk } = pane;
    if (!pane.heat || pane.heatAt > at) [pane.heat, pane.heatAt] = [{ values: new Map(), most: 1 }, 0];
    const { heat } = pane;
    for (let number = walk.raisedStarts[pane.heatAt]; number < walk.raisedStarts[at]; number++) {
      heat.values.set(walk.raised[number], walk.raisedValues[number]);
      heat.most = Math.max(heat.most, walk.raisedValues[number]);
    }
    pane.heatAt = at;
    return heat;
  }

  function redraw() {
    for (const pane of shown()) {
      pane.view.redraw();
      drawChart(pane.chart, { work: pane.walk?.work ?? [], bound: pane.walk?.bound, at: state.at });
    }
  }

  function setAt(at) {
    state.at = Math.max(0, Math.min(longest(), at));
    $("walk-at").max = longest();
    $("walk-at").value = state.at;
    $("walk-at-out").value = `${state.at} of ${longest()}`;
    redraw();
  }

  const plain = () => ({ ...plainWorld(), mark: `${state.mark}.${world.edits}` });

  /** Walks anew in all panes, one after the other; of several wishes the last one counts. */
  async function run() {
    if (!state.isShown || !state.start || !state.roster) return;
    run.isWanted = true;
    await (run.now ??= runAll());
  }

  async function runAll() {
    try {
      while (run.isWanted) {
        [run.isWanted, run.isStopped] = [false, false];
        for (const pane of shown()) if (!run.isStopped) await runPane(pane);
      }
    } finally { run.now = null; }
    setAt(state.isPlaying ? state.at : state.wanted ?? longest());
    state.wanted = null;
  }

  /** Ends what is walked or built: its database would be of no use. Whoever wants a walk then asks anew. */
  function stop() {
    if (!run.now) return;
    [run.isStopped, run.isWanted] = [true, false];
    lab.restart();
    $("lab-busy").hidden = true;
  }

  async function runPane(pane) {
    const spec = pane.spec.value.trim(), { start, goal } = state;
    nameOf(pane, spec);
    const busy = setTimeout(() => { $("lab-busy").hidden = false; }, 300);
    const onProgress = (stage, done, all) => {
      $("lab-stage").textContent = stage;
      if (all) [$("lab-progress").max, $("lab-progress").value] = [all, done];
    };
    try {
      pane.root.setAttribute("aria-busy", "true");
      const walk = await lab.call("walk", { plain: plain(), pane: panes.indexOf(pane), spec, start, goal, most: MOST_MOVES }, { onProgress });
      [pane.walk, pane.heat, pane.error] = [walk, null, null];
      await sketchPane(pane);
    } catch (error) {
      [pane.walk, pane.sketch, pane.error] = [null, null, error];
    }
    clearTimeout(busy);
    $("lab-busy").hidden = true;
    pane.root.removeAttribute("aria-busy");
    sayOf(pane);
  }

  /** The menu shows the algorithm of a spec: the one with the longest name that it begins with. */
  function nameOf({ select }, spec) {
    let best = null;
    for (const option of select.options) if (spec.startsWith(option.text) && option.text.length > (best?.text.length ?? 0)) best = option;
    select.selectedIndex = best ? best.index : -1;
  }

  async function sketchPane(pane) {
    pane.sketch = null;
    pane.legend.replaceChildren();
    const { shows } = pane.walk?.facts ?? {}, asks = numbered(pane), text = $("view-number").value;
    $("view-number-label").hidden = !$("show-database").checked || !shown().some(numbered);
    if (asks) $("view-number-name").textContent = asks;
    if (!$("show-database").checked || !shows) return;
    const view = {};
    if (text !== "" && asks) view[asks] = Number(text);
    else if (shows.levels) view.level = Math.min(shows.levels[1], shows.levels[0] + 2);
    else if (shows.way) [view.start, view.goal] = [state.start, state.goal];
    try {
      pane.sketch = await lab.call("sketch", { plain: plain(), spec: pane.walk.spec, ...view });
      pane.legend.innerHTML = legendOf(pane.sketch);
    } catch (error) { pane.legend.textContent = error.message; }
  }

  function sayOf(pane) {
    const { walk, error } = pane;
    if (error) { pane.said.textContent = `! ${error.message}`; return; }
    if (!walk) return;
    const { cost, optimum, moves, end, work, facts, building } = walk;
    const over = optimum > 0 ? 100 * (cost / optimum - 1) : 0;
    // Costs are sums of roots: their last digits depend on the order.
    const judged = over < 1e-7 ? "optimal" : `${over < 0.05 ? "less than 0.1" : over.toFixed(1)} % too long`;
    let all = 0;
    for (const value of work) all += value;
    const parts = [end === "arrived" ? `${moves.toLocaleString("en")} moves` : `${end} after ${moves.toLocaleString("en")} moves`, `cost ${cost.toFixed(1)}`];
    if (optimum !== undefined && end === "arrived") parts.push(`optimum ${optimum.toFixed(1)}: ${judged}`);
    if (optimum === undefined) parts.push("there is no way");
    parts.push(`work ${(all / Math.max(1, moves)).toFixed(1)} a move`);
    if (facts?.bytes) parts.push(`database ${(facts.bytes / 1000).toFixed(1)} KB${building > 1 ? `, built in ${building.toFixed(0)} ms` : ""}`);
    if (walk.wasCutOff) parts.push("the recording was cut off");
    pane.said.textContent = parts.join(" · ");
  }

  /** Far corners of the largest part of the map. */
  function chooseEnds() {
    const cells = largestPart(world);
    const best = (score) => {
      let found = null, most = -Infinity;
      for (let at = 0; at < cells.length; at += 2) {
        const value = score(cells[at], cells[at + 1]);
        if (value > most) [most, found] = [value, at];
      }
      return found === null ? null : { x: cells[found], y: cells[found + 1] };
    };
    state.start = best((x, y) => -Math.max(Math.abs(x - world.width * 0.12), Math.abs(y - world.height * 0.2)));
    state.goal = best((x, y) => -Math.max(Math.abs(x - world.width * 0.88), Math.abs(y - world.height * 0.8)));
  }

  onWorld(() => {
    state.mark++;
    stop();
    for (const pane of panes) {
      pane.view.setWorld(world);
      pane.walk = pane.sketch = pane.error = pane.heat = null;
      pane.said.textContent = "";
      pane.legend.replaceChildren();
    }
    // Under another rule the problem stays the same.
    if (!state.given && state.cells !== world.cells) state.start = state.goal = null;
    [state.given, state.cells] = [false, world.cells];
    if (state.isShown) prepare();
  });

  /** Ends that are free, and a menu for a map of this size; then the walks. */
  async function prepare() {
    if (![state.start, state.goal].every((end) => end && panes[0].view.isFree(end))) chooseEnds();
    if (!state.start) for (const pane of panes) {
      pane.walk = pane.sketch = null;
      pane.said.textContent = "! This map has no free cell.";
    }
    try {
      if (state.states !== world.cells.length) {
        const states = world.cells.length, roster = await lab.call("roster", { states });
        [state.roster, state.states] = [roster, states];
        for (const pane of panes) {
          pane.select.replaceChildren(...roster.map(({ name, summary, quick }) => Object.assign(document.createElement("option"), { value: quick, textContent: name, title: summary })));
          const entry = roster.find(({ name }) => name === pane.spec.value);
          if (entry) pane.spec.value = entry.quick;
          nameOf(pane, pane.spec.value);
        }
      }
      await run();
      if (!run.now) setAt(state.at);
    } catch (error) { if (!error.isCancelled) say(error); }
  }

  // Playing: so many moves a second, however fast the screen is.
  let last = 0, owed = 0;
  function tick(now) {
    if (!state.isPlaying) return;
    owed += (now - last) / 1000 * Number($("walk-speed").value);
    last = now;
    const whole = Math.floor(owed);
    owed -= whole;
    if (whole) setAt(state.at + whole);
    if (state.at >= longest()) return setPlaying(false);
    requestAnimationFrame(tick);
  }
  function setPlaying(isPlaying) {
    state.isPlaying = isPlaying;
    $("walk-play").textContent = isPlaying ? "Pause" : "Play";
    if (!isPlaying) return;
    if (state.at >= longest()) setAt(0);
    [last, owed] = [performance.now(), 0];
    requestAnimationFrame(tick);
  }
  const step = (by) => { setPlaying(false); setAt(state.at + by); };
  $("walk-play").onclick = () => setPlaying(!state.isPlaying);
  $("walk-step").onclick = () => step(1);
  $("walk-back").onclick = () => step(-1);
  $("walk-first").onclick = () => step(-Infinity);
  $("walk-last").onclick = () => step(Infinity);
  $("walk-at").oninput = (event) => { setPlaying(false); setAt(Number(event.target.value)); };
  for (const id of ["show-expanded", "show-learned", "show-trail"]) $(id).onchange = redraw;
  const sketchAll = async () => { for (const pane of shown()) await sketchPane(pane); redraw(); };
  $("show-database").onchange = sketchAll;
  $("view-number").onchange = sketchAll;
  $("compare").onchange = () => { state.isComparing = $("compare").checked; panes[1].root.hidden = !state.isComparing; run(); };
  $("lab-cancel").onclick = stop;
  addEventListener("resize", redraw);

  async function show(isShown) {
    state.isShown = isShown;
    if (!isShown) return setPlaying(false);
    repaint();
    state.given = false;
    await prepare();
  }

  /** In the colours of now. */
  function repaint() {
    for (const pane of panes) pane.view.paint();
    redraw();
  }

  return {
    lab, plain, show, repaint, stop,
    /** What a link, a tour or a problem says: specs, ends, whether to play. */
    set({ a, b, start, goal, isComparing, at }) {
      if (at !== undefined) state.wanted = at;
      if (a) panes[0].spec.value = a;
      if (b) panes[1].spec.value = b;
      if (start) [state.start, state.given] = [start, true];
      if (goal) [state.goal, state.given] = [goal, true];
      if (isComparing !== undefined) {
        state.isComparing = $("compare").checked = isComparing;
        panes[1].root.hidden = !isComparing;
      }
    },
    get: () => ({ a: panes[0].spec.value, b: panes[1].spec.value, start: state.start, goal: state.goal, isComparing: state.isComparing, at: state.at }),
    play() {
      if (!state.isShown) return;
      setAt(0);
      setPlaying(true);
    },
    /** A recorded walk takes the place of the first. */
    async replay(bytes) {
      panes[0].walk = await lab.call("replay", { plain: plain(), bytes });
      [panes[0].heat, panes[0].sketch, panes[0].error, panes[0].spec.value] = [null, null, null, panes[0].walk.spec];
      const { path, goal } = panes[0].walk;
      [state.start, state.goal] = [{ x: path[0], y: path[1] }, { x: goal % world.width, y: Math.floor(goal / world.width) }];
      panes[0].legend.replaceChildren();
      nameOf(panes[0], panes[0].spec.value);
      sayOf(panes[0]);
      // The other one walks the same problem.
      if (state.isComparing) await runPane(panes[1]);
      setAt(longest());
    },
    key(event) {
      if (event.key === " ") setPlaying(!state.isPlaying);
      else if (event.key === ".") step(1);
      else if (event.key === ",") step(-1);
      else return false;
      return true;
    },
    canvas: () => panes[0].root.querySelector(".stage canvas"),
    /** For tests. */
    walks: () => panes.map(({ walk, error }) => walk ? { cost: walk.cost, optimum: walk.optimum, moves: walk.moves, end: walk.end, path: Array.from(walk.path) } : { error: error?.message ?? null }),
    walkWith(spec) { panes[0].spec.value = spec; run(); },
    roster: () => state.roster,
    isBusy: () => Boolean(run.now) || (state.isShown && state.states !== world.cells.length),
  };
}
