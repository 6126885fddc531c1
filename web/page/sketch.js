// Databases drawn: the shapes that the library says, in the colours that its pictures have.

const PATHS = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const half = (hex) => `color-mix(in srgb, ${hex} 50%, white)`;
const NAMED = { line: "#7d95a8", faint: "#8f96a3", faintLine: "#b9beb8", subgoal: "#8e3b8e" };

function shade({ name, number = 0 }) {
  const of = PATHS[number % PATHS.length];
  return { path: of, region: half(of) }[name] ?? NAMED[name] ?? "#8f96a3";
}

/** Draws the first panel of a sketch; one unit of the context is a cell. */
export function drawSketch(context, view, sketch) {
  const thin = Math.max(0.08, 1 / view.scale), dot = Math.max(0.22, 1.6 / view.scale), spot = Math.max(0.4, 4 / view.scale);
  const { marks } = sketch.panels[0] ?? { marks: [] };
  for (const { shape, shade: of, data } of marks) {
    context.fillStyle = context.strokeStyle = of ? shade(of) : "#8e3b8e";
    const points = (offset, draw) => { for (let at = 0; at + 1 < data.length; at += 2) draw(data[at] + offset, data[at + 1] + offset); };
    const line = (width, offset) => {
      context.lineWidth = width;
      context.beginPath();
      points(offset, (x, y) => context.lineTo(x, y));
      context.stroke();
    };
    const discs = (radius, offset) => {
      context.beginPath();
      points(offset, (x, y) => { context.moveTo(x + radius, y); context.arc(x, y, radius, 0, 7); });
      context.fill();
    };
    if (shape === "cells") points(0, (x, y) => context.fillRect(x, y, 1, 1));
    else if (shape === "lines") {
      context.lineWidth = thin;
      context.beginPath();
      for (let at = 0; at + 3 < data.length; at += 4) { context.moveTo(data[at] + 0.5, data[at + 1] + 0.5); context.lineTo(data[at + 2] + 0.5, data[at + 3] + 0.5); }
      context.stroke();
    } else if (shape === "path") line(3 * thin, 0.5);
    else if (shape === "curve") line(3 * thin, 0);
    else if (shape === "dots") discs(dot, 0.5);
    else if (shape === "spots") discs(spot, 0.5);
    else if (shape === "spotsAt") discs(spot, 0);
    else if (shape === "meeting") {
      context.lineWidth = 2 * thin;
      points(0.5, (x, y) => { context.beginPath(); context.arc(x, y, 1.6 * spot, 0, 7); context.stroke(); });
    }
  }
}

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** What the colours stand for, and what the sketch says besides. */
export function legendOf(sketch) {
  const entries = sketch.legend.map(({ shade: of, words }) => `<span><i style="background:${shade(of)}"></i>${escaped(words)}</span>`);
  const { caption } = sketch.panels[0] ?? {};
  return entries.join("") + [caption, sketch.words].filter(Boolean).map((text) => `<span>${escaped(text)}</span>`).join("");
}
