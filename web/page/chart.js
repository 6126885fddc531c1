// The work of every move, beside the bound that no move may exceed.

import { colour } from "./view.js";

/** Draws bars on a canvas: `work` by move, the bound as a dashed line if it is in reach, the move that is looked at. */
export function drawChart(canvas, { work, bound, at }) {
  const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (!width) return;
  canvas.width = width * ratio; canvas.height = height * ratio;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, height);
  let most = 1;
  for (const value of work) if (value > most) most = value;
  const isBoundNear = bound !== undefined && bound <= 4 * most;
  const top = isBoundNear ? Math.max(most, bound) : most, floor = height - 4, room = height - 22;
  const high = (value) => floor - room * value / top;
  context.fillStyle = colour("unit");
  // Where moves are more than pixels, a pixel shows the worst of its moves.
  const columns = Math.min(work.length, Math.floor(width));
  for (let column = 0; column < columns; column++) {
    const from = Math.floor(column * work.length / columns), to = Math.max(from + 1, Math.floor((column + 1) * work.length / columns));
    let worst = 0;
    for (let move = from; move < to; move++) worst = Math.max(worst, work[move]);
    context.fillRect(column * width / columns, high(worst), Math.max(1, width / columns - (columns < width / 4 ? 1 : 0)), floor - high(worst));
  }
  if (isBoundNear) {
    context.strokeStyle = colour("bad");
    context.setLineDash([5, 4]);
    context.beginPath(); context.moveTo(0, high(bound)); context.lineTo(width, high(bound)); context.stroke();
    context.setLineDash([]);
  }
  if (work.length) {
    context.strokeStyle = colour("accent");
    const x = Math.min(work.length, Math.max(0, at)) * width / work.length;
    context.beginPath(); context.moveTo(x, 0); context.lineTo(x, height); context.stroke();
  }
  context.fillStyle = colour("ink");
  context.font = "12px system-ui, sans-serif";
  const said = bound === undefined ? "no bound" : `bound ${bound.toLocaleString("en")}${isBoundNear ? " (dashed)" : ""}`;
  context.fillText(`work of each move: at most ${most.toLocaleString("en")}, ${said}`, 4, 12);
}
