// The tab of maps: files in and out, maps that are made, links that bring all of it back.

import { COSTS, RULES, mapText, onWorld, setWorld, world } from "./world.js";
import { MapView } from "./view.js";

const $ = (id) => document.getElementById(id);
/** What a link says besides, if it is not as at first. */
const SETTINGS = ["crowd-count", "crowd-budget", "crowd-speed", "crowd-wander", "crowd-obstacles", "show-expanded", "show-learned", "show-trail", "show-database", "view-number"];
const LARGEST = 2048 * 2048;

export function startYourMap(say, algorithms, showTab) {
  const { lab } = algorithms;
  const view = new MapView($("map-canvas"), { move: (cell, event, by) => view.pan(by.x, by.y) });
  const fill = (id, names) => $(id).replaceChildren(...Object.entries(names).map(([value, words]) => new Option(words, value)));
  fill("rule", RULES);
  fill("costs", COSTS);
  let hasKinds = false;

  onWorld(() => {
    view.setWorld(world);
    [$("rule").value, $("costs").value] = [world.rule, world.costs];
    tell();
  });

  function tell() {
    let free = 0;
    for (const cell of world.cells) free += cell;
    $("map-name").textContent = `${world.name}: ${world.width} × ${world.height} cells, ${free.toLocaleString("en")} of them free.`;
  }

  const base = () => (world.name.replace(/\.\w+$/, "").replace(/[^\w-]+/g, "-") || "map");
  function save(name, data, type = "application/octet-stream") {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([data], { type })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    save.last = { name, bytes: data.length ?? data.size };
  }

  /** What a file is depends on its name, and on nothing else: the errors are about that kind then. */
  async function open(file) {
    const kind = file.name.split(".").pop().toLowerCase();
    if (kind === "scen") return showProblems(await lab.call("problems", { text: await file.text() }));
    if (kind === "tape") {
      await showTab("algorithms");
      return algorithms.replay(new Uint8Array(await file.arrayBuffer()));
    }
    if (kind === "sfdb") {
      const facts = await lab.call("openDatabase", { plain: algorithms.plain(), bytes: new Uint8Array(await file.arrayBuffer()) });
      const { b } = algorithms.get(), [first] = facts.serves;
      if (first && !facts.serves.includes(b.split("(")[0].trim())) algorithms.set({ b: first, isComparing: true });
      return showTab("algorithms");
    }
    if (["png", "bmp", "gif", "jpg", "jpeg", "webp"].includes(kind) || file.type.startsWith("image/")) return openImage(file);
    const { default: init, Map: GameMap } = await import("./surefoot/surefoot.js");
    await init();
    // A row has an end, which may be two letters.
    if (file.size > 3 * LARGEST) throw new Error(`${file.name}: this is a larger file than any map that this page takes.`);
    const map = GameMap.fromText(await file.text());
    try {
      checkSize(file.name, map.width, map.height);
      setWorld({ name: file.name, cells: map.cells(), width: map.width, height: map.height });
    } finally { map.free(); }
  }

  function checkSize(name, width, height) {
    if (width * height > LARGEST) throw new Error(`${name}: ${width} × ${height} cells are more than this page takes. It takes ${LARGEST.toLocaleString("en")} cells.`);
  }

  async function openImage(file) {
    const bitmap = await createImageBitmap(file).catch(() => { throw new Error(`${file.name}: this is no image that the browser can read.`); });
    const { width, height } = bitmap;
    checkSize(file.name, width, height);
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { default: init, Map: GameMap } = await import("./surefoot/surefoot.js");
    await init();
    const map = GameMap.fromImage(context.getImageData(0, 0, width, height).data, width, height);
    const cells = map.cells();
    map.free();
    setWorld({ name: file.name, cells, width, height });
  }

  function showProblems(problems) {
    const rows = problems.slice(0, 500).map((problem, number) => {
      const row = document.createElement("tr");
      row.tabIndex = 0;
      for (const words of [number + 1, `${problem.start}`, `${problem.goal}`, problem.isReachable === false ? "no way" : problem.length]) row.append(Object.assign(document.createElement("td"), { textContent: words }));
      row.onclick = () => {
        const [start, goal] = [problem.start, problem.goal].map(([x, y]) => ({ x, y }));
        for (const [name, end] of [["start", start], ["goal", goal]]) {
          if (!view.isFree(end)) return say(new Error(`The ${name} (${end.x}, ${end.y}) of this problem is no free cell of ${world.name}. Is it of another map?`));
        }
        algorithms.set({ start, goal });
        showTab("algorithms");
      };
      row.onkeydown = (event) => { if (event.key === "Enter") row.onclick(); };
      return row;
    });
    $("problem-rows").replaceChildren(...rows);
    $("problem-count").textContent = problems.length > rows.length ? `The first ${rows.length} of ${problems.length.toLocaleString("en")}.` : "";
    $("problems").hidden = false;
    showTab("map");
  }

  const attempt = (act) => async (...values) => { try { say(null); return await act(...values); } catch (error) { say(error); } };
  const openAny = attempt(open);
  $("file").onchange = ({ target }) => { if (target.files[0]) openAny(target.files[0]); target.value = ""; };
  addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dragging"); });
  addEventListener("dragleave", () => document.body.classList.remove("dragging"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dragging");
    if (event.dataTransfer.files[0]) openAny(event.dataTransfer.files[0]);
  });

  async function generate({ kind, width, height, seed }) {
    for (const [name, value] of Object.entries({ width, height })) if (!(value >= 8 && value <= 2048 && Number.isInteger(value))) throw new Error(`The ${name} must be a whole number of 8 to 2,048 cells.`);
    const cells = await lab.call("generate", { kind, width, height, seed });
    setWorld({ name: `${kind}-${width}x${height}-${seed}`, cells, width, height, made: { kind, width, height, seed } });
  }
  $("generate").onclick = attempt(() => generate({ kind: $("gen-kind").value, width: Number($("gen-width").value), height: Number($("gen-height").value), seed: Number($("gen-seed").value) }));
  for (const id of ["rule", "costs"]) $(id).onchange = () => setWorld({ ...world, [id]: $(id).value });

  $("save-map").onclick = () => save(`${base()}.map`, mapText(world), "text/plain");
  $("save-database").onclick = attempt(async () => {
    const { a, b } = algorithms.get(), button = $("save-database"), name = base();
    const onProgress = (stage, done, all) => {
      [$("save-busy").hidden, $("save-stage").textContent] = [false, stage];
      if (all) $("save-progress").value = done / all; else $("save-progress").removeAttribute("value");
    };
    button.disabled = true;
    try {
      const bytes = await lab.call("database", { plain: algorithms.plain(), specs: [b, a] }, { onProgress });
      if (!bytes) throw new Error(`Neither ${b} nor ${a} has a database. Choose another algorithm in the tab “Algorithms”.`);
      save(`${name}.sfdb`, bytes);
    } catch (error) { if (!error.isCancelled) throw error; } finally { [button.disabled, $("save-busy").hidden] = [false, true]; }
  });
  $("save-cancel").onclick = () => lab.restart();
  $("save-picture").onclick = attempt(() => new Promise((done, fail) => {
    const canvas = algorithms.canvas().width > 0 && algorithms.walks()[0].moves ? algorithms.canvas() : $("map-canvas");
    canvas.toBlob((blob) => blob ? done(save(`${base()}.png`, blob, "image/png")) : fail(new Error("The browser gave no picture.")));
  }));
  $("save-tape").onclick = attempt(async () => {
    const tape = await lab.call("tape", { pane: 0 });
    if (!tape) throw new Error("No walk has been recorded. Open the tab “Algorithms” first.");
    save(`${base()}.tape`, tape);
  });
  $("copy-link").onclick = attempt(async () => {
    const link = await linkOf();
    history.replaceState(null, "", link);
    await navigator.clipboard.writeText(link).catch(() => { throw new Error("The browser does not let this page copy. The link is in the address bar."); });
  });

  async function packed(bytes, stream) {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
  }

  /** A link that brings back the map, the rule, the problem, the algorithms, the move and the settings. */
  async function linkOf(tab = document.querySelector("[role=tab][aria-selected=true]").id.slice(4)) {
    const { a, b, start, goal, isComparing, at } = algorithms.get(), said = new URLSearchParams({ tab, rule: world.rule, costs: world.costs, name: world.name });
    if (world.made) said.set("made", Object.values(world.made).join(","));
    else {
      const bits = new Uint8Array(Math.ceil(world.cells.length / 8));
      world.cells.forEach((cell, at) => { if (cell) bits[at >> 3] |= 1 << (at & 7); });
      const small = await packed(bits, new CompressionStream("deflate-raw"));
      let binary = "";
      for (const byte of small) binary += String.fromCharCode(byte);
      said.set("cells", btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
      said.set("size", `${world.width},${world.height}`);
    }
    said.set("a", a);
    if (isComparing) said.set("b", b);
    if (start && goal) said.set("ends", [start.x, start.y, goal.x, goal.y].join(","));
    if (at !== undefined) said.set("at", at);
    for (const id of SETTINGS) {
      const input = $(id), isCheck = input.type === "checkbox";
      if (isCheck ? input.checked !== input.defaultChecked : input.value !== input.defaultValue) said.set(id, isCheck ? input.checked : input.value);
    }
    return `${location.origin}${location.pathname}#${said}`;
  }

  /** Does what a link says, and gives the tab to show. Throws if it says what cannot be. */
  async function restore(hash) {
    const said = new URLSearchParams(hash.replace(/^#/, ""));
    const rule = said.get("rule") ?? world.rule, costs = said.get("costs") ?? world.costs;
    if (!Object.hasOwn(RULES, rule) || !Object.hasOwn(COSTS, costs)) throw new Error("The link has a rule or a cost that this page does not know.");
    Object.assign(world, { rule, costs });
    const numbers = (name, count) => {
      const found = said.get(name)?.split(",").map(Number);
      if (found && (found.length !== count || !found.every((value) => Number.isInteger(value) && value >= 0))) throw new Error(`The link is damaged: ${name} should be ${count} whole numbers.`);
      return found;
    };
    const ends = numbers("ends", 4);
    const problem = ends ? { start: { x: ends[0], y: ends[1] }, goal: { x: ends[2], y: ends[3] } } : {};
    algorithms.set({ a: said.get("a"), b: said.get("b"), isComparing: said.has("a") ? said.has("b") : undefined, at: numbers("at", 1)?.[0], ...problem });
    for (const id of SETTINGS) {
      // An input takes no value that it cannot have.
      if (said.has(id)) $(id)[$(id).type === "checkbox" ? "checked" : "value"] = $(id).type === "checkbox" ? said.get(id) === "true" : said.get(id);
    }
    if (said.has("made")) {
      const [kind, width, height, seed] = said.get("made").split(",");
      await generate({ kind, width: Number(width), height: Number(height), seed: Number(seed) });
    } else if (said.has("cells")) {
      const [width, height] = numbers("size", 2) ?? [0, 0];
      if (!width || !height || width * height > LARGEST) throw new Error("The link is damaged: it does not say how large its map is.");
      let bits;
      try {
        const binary = atob(said.get("cells").replaceAll("-", "+").replaceAll("_", "/"));
        bits = await packed(Uint8Array.from(binary, (letter) => letter.charCodeAt(0)), new DecompressionStream("deflate-raw"));
      } catch { throw new Error("The link is damaged: its map cannot be read."); }
      if (bits.length !== Math.ceil(width * height / 8)) throw new Error("The link is damaged: its map has another size than it says.");
      const cells = Uint8Array.from({ length: width * height }, (_, at) => bits[at >> 3] >> (at & 7) & 1);
      setWorld({ name: said.get("name") ?? "a map", cells, width, height });
    } else if (said.get("map") === "given") {
      const answer = await fetch("given-map");
      if (!answer.ok) throw new Error("There is no map at hand. Start the page with: surefoot serve --map FILE");
      await open(new File([await answer.arrayBuffer()], decodeURIComponent(answer.headers.get("x-file-name") ?? "given.map")));
    } else throw new Error("The link says nothing of a map.");
    return said.get("tab") ?? "crowd";
  }

  return {
    open: openAny, restore, linkOf, saved: () => save.last, repaint: () => view.paint(),
    async show(isShown) {
      if (!isShown) return;
      view.paint();
      tell();
      if (hasKinds) return;
      hasKinds = true;
      try {
        $("gen-kind").replaceChildren(...(await lab.call("kinds")).map(({ name, summary }) => Object.assign(new Option(name, name), { title: summary })));
      } catch (error) {
        hasKinds = false;
        // Another map, or a walk that was cancelled, has cut it off: it is asked anew.
        if (error.isCancelled) return $("map").hidden || this.show(true);
        say(error);
      }
    },
  };
}
