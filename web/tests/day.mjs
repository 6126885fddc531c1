// A game with all that a crowd can do, played in node for `cargo xtask campaign day`, which gives the orders, a line each:
// `open FILE`, and `play FRAMES EVERY FILE`, which answers with the bytes that the module takes and with
// checksums, and writes the game to the file. What fails is answered with `fault`, and why.
//
// node web/tests/day.mjs FOLDER, which has what `cargo xtask web --day` builds.
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [folder] = process.argv.slice(2);
// The folder has no package.json: as data it is a module for any node.
const source = readFileSync(`${folder}/day.js`);
const module = await import(`data:text/javascript;base64,${source.toString("base64")}`);
const { memory } = await module.default({ module_or_path: readFileSync(`${folder}/day_bg.wasm`) });

let game;

function follow(order) {
  const [what, ...rest] = order.split(" ");
  if (what === "open") {
    game = module.Day.open(readFileSync(rest.join(" ")));
    return "done";
  }
  if (what === "play" && game) {
    const [frames, every] = rest.slice(0, 2).map(Number);
    const checksums = game.play(frames, every);
    writeFileSync(rest.slice(2).join(" "), game.save());
    return `${memory.buffer.byteLength} ${checksums}`;
  }
  throw new Error(`there is no order ${order}, or no game`);
}

for await (const order of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = follow(order);
  } catch (error) {
    answer = `fault ${String(error?.message ?? error).replaceAll("\n", " ")}`;
  }
  console.log(answer);
}
