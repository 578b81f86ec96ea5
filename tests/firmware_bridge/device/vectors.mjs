// Runs the protocol's test vectors in MicroPython: node vectors.mjs micropython.mjs WIRE_FOLDER RUNNER VECTORS
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [port, wire, runner, vectors] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(path.resolve(port)));
const board = await loadMicroPython({
  heapsize: 4 * 1024 * 1024,
  linebuffer: true,
  stdout: (line) => console.log(line),
});

board.FS.mkdir("/wire");
const modules = fs.readdirSync(wire).filter((name) => name.endsWith(".py"));
for (const name of modules) board.FS.writeFile(`/wire/${name}`, fs.readFileSync(path.join(wire, name)));
board.FS.writeFile("/vectors.py", fs.readFileSync(runner));
board.FS.writeFile("/vectors.json", fs.readFileSync(vectors));

const imports = ["clock", "codec", "beam_recogniser", "endpoint", "frame_filter", "framing", "resend_timeout"].map(
  (name) => `import wire.${name}`,
);
board.runPython(`
import json, sys
sys.path.append("/")
${imports.join("\n")}
import vectors
with open("/vectors.json") as file:
    wrong, run = vectors.failures(wire, json.load(file))
print(json.dumps({"wrong": wrong, "run": run}))
`);
