// The built package, loaded in node: there is no `fetch` of files, so its bytes are read.
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as surefoot from "../dist/surefoot/surefoot.js";

const wasm = new URL("../dist/surefoot/surefoot_bg.wasm", import.meta.url);
await surefoot.default({ module_or_path: readFileSync(wasm) });

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs the native example: it writes the database's bytes to `file`, and gives what it measured. */
export function native(side, file, profile = []) {
  const example = ["run", "--quiet", ...profile, "-p", "surefoot-web", "--example", "native", "--"];
  const run = spawnSync("cargo", [...example, String(side), file], { cwd: root, encoding: "utf8" });
  if (run.status !== 0) throw new Error(`the native example failed: ${run.stderr || run.error}`);
  return JSON.parse(run.stdout);
}

export default surefoot;
