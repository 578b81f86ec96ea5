// Run a board's files on MicroPython's WebAssembly port: node run.mjs PORT FLASH BOARD. Requests use descriptor 3.
//
// PORT: the folder of the npm package. FLASH: the board's flash as a folder, to which the board's writes go.
// BOARD: the emulator's modules. This port collects garbage only between two calls, so the loop is in turns.py.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [port, flash, board] = process.argv.slice(2);
const LINE = 3;
const HEAP = 160 * 1024;
const portion = Buffer.alloc(65536);

const { loadMicroPython } = await import(pathToFileURL(path.join(port, "micropython.mjs")));
const said = (data) => process.stderr.write(data);
const mp = await loadMicroPython({ heapsize: HEAP, pystack: 4096, linebuffer: false, stdout: said, stderr: said });

function ask(...question) {
  fs.writeSync(LINE, `${question.join(" ")}\n`);
  let answer = "";
  while (!answer.endsWith("\n")) {
    const length = fs.readSync(LINE, portion);
    if (length === 0) process.exit(0); // the simulation has closed the connection
    answer += portion.toString("latin1", 0, length);
  }
  return answer.slice(0, -1);
}

function copy(from, to) {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.posix.join(to, entry.name)];
    if (entry.isDirectory()) {
      if (!mp.FS.analyzePath(target).exists) mp.FS.mkdir(target);
      copy(source, target);
    } else mp.FS.writeFile(target, fs.readFileSync(source));
  }
}

// Copy every write of the board to FLASH at once, because the simulation can cut the power at any time.
function keepFlash() {
  const { close, rename, unlink } = mp.FS;
  const kept = (name) => path.join(flash, name);
  mp.FS.close = (stream) => {
    const written = (stream.flags & 3) !== 0 && stream.path !== undefined && !stream.path.startsWith("/dev/");
    close(stream);
    if (written) fs.writeFileSync(kept(stream.path), mp.FS.readFile(stream.path));
  };
  mp.FS.rename = (from, to) => {
    rename(from, to);
    fs.renameSync(kept(from), kept(to));
  };
  mp.FS.unlink = (name) => {
    unlink(name);
    fs.unlinkSync(kept(name));
  };
}

copy(flash, "/");
copy(path.join(board, "ring"), "/ring"); // a .py is imported before an .mpy of the same name
mp.FS.mkdir("/emulator");
// Do not replace the owner's custom.py in the flash.
for (const name of fs.readdirSync(board).filter((name) => name.endsWith(".py") && name !== "custom.py"))
  mp.FS.writeFile(`/emulator/${name}`, fs.readFileSync(path.join(board, name)));
keepFlash();
mp.registerJsModule("host", { ask });
try {
  mp.runPython("import sys\nsys.path[:] = ['/emulator', '', '.frozen', '/lib']\nimport turns\n");
  const { begin, turn } = mp.pyimport("turns");
  begin();
  for (;;) turn();
} catch (fault) {
  said(`${fault.type ?? ""} ${fault.message}\n`);
  ask("!", 0, -1, 0, 0, "");
}
