// Simulates a board on a terminal: MicroPython's own prompt (WebAssembly port), a lasting flash, and a plug to pull.
//
// node prompt.mjs PORT FLASH SETTINGS: PORT is the folder of the npm package, FLASH the folder with the board's files.
// SETTINGS is JSON: machine, version and mpy (as the board reports them), room (the number of free blocks that it
// reports), full (the number of blocks that it has), pull (the end of a path: opening that file for writing pulls the
// plug), renames (the plug is pulled after this many), up (a file descriptor, closed when the board has started).
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [port, flash, words] = process.argv.slice(2);
const settings = JSON.parse(words);
const { loadMicroPython } = await import(pathToFileURL(path.join(port, "micropython.mjs")));
const OURS = ["/dev", "/proc"];
const BLOCK = 4096;
const portion = Buffer.alloc(65536);
let renamed = 0;
let restarting = false;

const pull = () => process.exit(0);
const kept = (name) => path.join(flash, name);

function read() {
  const length = fs.readSync(0, portion);
  if (length === 0) pull();
  return portion.subarray(0, length);
}

function say(data) {
  fs.writeSync(1, data);
}

function load(FS, folder) {
  for (const entry of fs.readdirSync(kept(folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) {
      FS.mkdir(name);
      load(FS, name);
    } else FS.writeFile(name, fs.readFileSync(kept(name)));
  }
}

// Like a board's flash, the folder only contains closed files: one that is being written is lost with the power.
function keep(FS) {
  const { close, open, rename, unlink, mkdir, rmdir } = FS;
  const ours = (name) => OURS.some((each) => name.startsWith(each));
  FS.open = (name, ...rest) => {
    if (settings.pull && String(name).endsWith(settings.pull) && rest[0] & 3) pull();
    return open(name, ...rest);
  };
  FS.close = (stream) => {
    const written = (stream.flags & 3) !== 0 && stream.path !== undefined && !ours(stream.path);
    close(stream);
    if (written) fs.writeFileSync(kept(stream.path), FS.readFile(stream.path));
  };
  FS.rename = (from, to) => {
    rename(from, to);
    fs.renameSync(kept(from), kept(to));
    if (++renamed === settings.renames) pull();
  };
  FS.unlink = (name) => (unlink(name), fs.rmSync(kept(name), { force: true }));
  FS.mkdir = (name, mode) => (mkdir(name, mode), fs.mkdirSync(kept(name)));
  FS.rmdir = (name) => (rmdir(name), fs.rmdirSync(kept(name)));
  const files = FS.filesystems.MEMFS.ops_table.file.stream;
  const { write } = files;
  files.write = (stream, ...rest) => {
    if (blocks(flash) + 1 > settings.full) throw new FS.ErrnoError(28); // the error number that a board uses
    return write(stream, ...rest);
  };
}

function blocks(folder) {
  const entries = fs.readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => {
      return sum + Math.ceil(fs.statSync(path.join(entry.parentPath ?? entry.path, entry.name)).size / BLOCK);
    }, 0);
}

const PRELUDE = (it) => `
def begin():
    import os, sys
    class Own: pass
    def like(module):
        own = Own()
        for name in dir(module):
            if name[:2] != "__":
                setattr(own, name, getattr(module, name))
        sys.modules[module.__name__] = own
        return own
    board, flash = like(sys), like(os)
    board.platform = "rp2"
    Implementation = __import__("collections").namedtuple("i", ("name", "version", "_machine", "_mpy"))
    board.implementation = Implementation("micropython", ${it.version}, "${it.machine}", ${it.mpy})
    hidden = ("dev", "proc")
    flash.ilistdir = lambda path=".": (e for e in os.ilistdir(path) if not (path == "/" and e[0] in hidden))
    flash.statvfs = lambda path: (${BLOCK}, ${BLOCK}, 352, ${it.room}, ${it.room}, 0, 0, 0, 0, 255)
begin()
del begin
`;

// Closing the descriptor tells the test that the board has started, however long that takes on a busy machine.
function up() {
  if (settings.up) fs.closeSync(settings.up);
  settings.up = 0;
}

async function boot() {
  restarting = false;
  let saying = false;
  const stdout = (data) => saying && say(data);
  const mp = await loadMicroPython({ heapsize: 160 * 1024, linebuffer: false, stdout, stderr: stdout });
  for (const name of ["/tmp", "/home/web_user", "/home"]) if (mp.FS.analyzePath(name).exists) mp.FS.rmdir(name);
  load(mp.FS, "/");
  keep(mp.FS);
  const reset = () => (restarting = true);
  mp.registerJsModule("machine", { reset });
  mp.registerJsModule("usb", {
    read: () => read().toString("latin1"),
    write: (text) => say(Buffer.from(text, "latin1")),
  });
  mp.runPython(PRELUDE(settings));
  saying = true;
  up();
  try {
    if (mp.FS.analyzePath("/main.py").exists) mp.runPython(mp.FS.readFile("/main.py", { encoding: "utf8" }));
  } catch (fault) {
    say(`${fault.message}\r\n`);
  }
  if (!restarting) prompt(mp);
}

function prompt(mp) {
  let waiting = Buffer.alloc(0);
  mp.replInit();
  while (!restarting) {
    waiting = Buffer.concat([waiting, read()]);
    while (waiting.length && !restarting) {
      // This port can't receive code in portions: it answers so, and the host sends everything at once.
      const asks = waiting[0] === 5;
      if (asks && waiting.length < 3) break;
      if (asks) say(Buffer.from("R\x00", "latin1"));
      else mp.replProcessChar(waiting[0]);
      waiting = waiting.subarray(asks ? 3 : 1);
    }
  }
}

for (;;) await boot();
