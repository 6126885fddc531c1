// The page: tabs, themes, messages, and which tab gets the keys.

import { startAlgorithms } from "./algorithms.js";
import { startCrowd } from "./crowd.js";
import { startTours } from "./tours.js";
import { startYourMap } from "./yourmap.js";
import { setWorld, world } from "./world.js";

const $ = (id) => document.getElementById(id);

/** Shows what went wrong, until something goes right. */
function say(error) {
  $("message").hidden = !error;
  $("message").textContent = error ? error.message ?? String(error) : "";
}
addEventListener("unhandledrejection", ({ reason }) => say(reason));

const names = ["crowd", "algorithms", "map", "papers"];
const crowd = startCrowd(say), algorithms = startAlgorithms(say);
const map = startYourMap(say, algorithms, showTab);
const tabs = { crowd, algorithms, map, papers: { show() {} } };
let shown = "crowd";

async function showTab(name) {
  shown = name;
  for (const other of names) {
    $(other).hidden = other !== name;
    $(`tab-${other}`).setAttribute("aria-selected", other === name);
    $(`tab-${other}`).tabIndex = other === name ? 0 : -1;
  }
  for (const other of names) if (other !== name) tabs[other].show(false);
  await tabs[name].show(true);
}
const choose = (name) => { say(null); return showTab(name); };
for (const name of names) $(`tab-${name}`).onclick = () => choose(name);
document.querySelector("[role=tablist]").addEventListener("keydown", (event) => {
  const at = names.indexOf(shown), to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  const next = names.at(to % names.length);
  event.preventDefault();
  choose(next);
  $(`tab-${next}`).focus();
});
addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input:not([type=range], [type=radio], [type=checkbox]), select, textarea") || (event.key === " " && event.target.closest?.("button, input, a"));
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (tabs[shown].key?.(event)) event.preventDefault();
});

const dark = matchMedia("(prefers-color-scheme: dark)");
function repaint() { for (const name of names) tabs[name].repaint?.(); }
$("theme").onclick = () => {
  const isDark = (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  document.documentElement.dataset.theme = isDark ? "light" : "dark";
  repaint();
};
dark.addEventListener("change", repaint);

startTours(async ({ world, start, goal, a, b, showsDatabase }) => {
  say(null);
  algorithms.set({ a, b, start, goal, isComparing: true });
  $("show-database").checked = showsDatabase;
  setWorld(world);
  await showTab("algorithms");
  algorithms.play();
});

async function firstWorld() {
  const answer = await fetch(new URL("valley.map", import.meta.url));
  if (!answer.ok) throw new Error("The first map could not be loaded. Load the page again, or generate a map.");
  const rows = (await answer.text()).split("\n"), height = Number(rows[1].split(" ")[1]), width = Number(rows[2].split(" ")[1]);
  const cells = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) cells[y * width + x] = ".GS".includes(rows[4 + y][x]) ? 1 : 0;
  setWorld({ name: "valley.map", cells, width, height });
}

/** Whether the address had a map in it. */
async function restore() {
  if (location.hash.length < 2) return false;
  say(null);
  try {
    const tab = await map.restore(location.hash);
    if (names.includes(tab)) await showTab(tab);
    return true;
  } catch (error) {
    say(error);
    return false;
  }
}
try {
  if (!await restore()) await firstWorld();
} catch (error) { say(error); }
requestAnimationFrame(() => performance.mark("first map"));
addEventListener("hashchange", restore);
document.documentElement.dataset.ready = "yes";

/** For tests, and for the console. */
window.surefoot = { crowd, algorithms, map, showTab, world, setWorld, firstWorld };
