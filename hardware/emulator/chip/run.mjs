// Run an emulated RP2040: node run.mjs LIBRARY ROM FLASH. Requests to the simulation use descriptor 3.
//
// LIBRARY: the folder of the npm package rp2040js. ROM: the chip's boot ROM. FLASH: the content of its flash; it is
// only written when the simulation says so. Requests and answers are lines of JSON, described in README.md.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Chip } from "./chip.mjs";

const [folder, romFile, flashFile] = process.argv.slice(2);
const LINE = 3;
const BITS_OF_LIGHT = 24;
const LONG_NS = 600;
const PIXEL = 12;
const portion = Buffer.alloc(65536);
const library = await import(pathToFileURL(path.join(folder, "dist/esm/index.js")));
const bytes = fs.readFileSync(romFile);
const rom = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const image = new Uint8Array(fs.readFileSync(flashFile));

let chip = null;
let bornUs = 0; // the simulation's time when the chip started, and the chip's clock then
let bornNanos = 0;
let saidBytes = [];
const changes = []; // future changes of pins
let outputs = new Map(); // levels of the pins that the simulation watches
let minded = [];
let light = { since: 0, bits: [] };

const nowUs = () => bornUs + (chip.nanos - bornNanos) / 1000;
const nanosAt = (us) => bornNanos + (us - bornUs) * 1000;

function answer() {
  let text = "";
  while (!text.endsWith("\n")) {
    const length = fs.readSync(LINE, portion);
    if (length === 0) process.exit(0); // the simulation has closed the connection
    text += portion.toString("latin1", 0, length);
  }
  return JSON.parse(text);
}

// Send everything since the last request together with a request, and apply the answer.
function ask(question) {
  const out = Buffer.from(saidBytes).toString("hex");
  saidBytes = [];
  const at = chip ? Math.floor(nowUs()) : 0;
  fs.writeSync(
    LINE,
    `${JSON.stringify({ ...question, at, out, writes: world.writes, mhz: (chip?.mcu.clkSys ?? 0) / 1e6 })}\n`,
  );
  const told = answer();
  for (const [gpio, level, us] of told.pins ?? []) changes.push({ gpio, level, us });
  changes.sort((one, other) => one.us - other.us);
  if (chip) take(told);
  return told;
}

function take(told) {
  if (told.until !== undefined) until = told.until;
  if (told.usb) chip.host.write(Buffer.from(told.usb, "hex"));
  if (told.reading !== undefined) chip.host.read(told.reading);
  if (told.version !== undefined) world.version = told.version;
  if (told.save) fs.writeFileSync(told.save, image);
  chip.limit = nanosAt(Math.min(until, changes[0]?.us ?? Number.POSITIVE_INFINITY));
}

const world = {
  ask,
  writes: 0, // number of writes to the flash
  version: 0,
  name: [],
  said: (data) => saidBytes.push(...data),
  changed: () => {
    world.writes += 1;
  },
  set(gpio, level) {
    if (gpio === PIXEL) shine(level);
    if (!minded.includes(gpio) || outputs.get(gpio) === level) return;
    outputs.set(gpio, level);
    ask({ q: "pin", gpio, level });
  },
};

// A bit of the pixel is 1 if the line is high for longer than LONG_NS.
function shine(level) {
  if (level) light.since = chip.nanos;
  else light.bits.push(chip.nanos - light.since > LONG_NS ? 1 : 0);
  if (light.bits.length < BITS_OF_LIGHT) return;
  const value = Number.parseInt(light.bits.splice(0, BITS_OF_LIGHT).join(""), 2);
  ask({ q: "light", value });
}

function start(remains) {
  const us = chip ? nowUs() : bornUs;
  outputs = new Map();
  saidBytes = [];
  light = { since: 0, bits: [] };
  const { reading, version } = { reading: chip?.host.reading ?? true, version: world.version };
  const levels = chip ? chip.mcu.gpio.map((pin) => pin.rawInputValue) : [];
  chip = new Chip(library, rom, image, world, remains);
  bornUs = us;
  bornNanos = chip.nanos;
  world.version = version;
  chip.host.read(reading);
  for (const [gpio, level] of levels.entries()) chip.mcu.gpio[gpio].rawInputValue = level;
  chip.limit = chip.nanos;
}

let until = 0;
const first = ask({ q: "begin" });
[bornUs, minded, world.name, world.version] = [first.at, first.minded, first.name, first.version];
start({ nanos: first.ticks * 1000, reason: 0, scratch: [] });
take(first);
for (;;) {
  while (changes.length && changes[0].us <= nowUs()) {
    const { gpio, level } = changes.shift();
    chip.drive(gpio, level);
  }
  chip.limit = nanosAt(Math.min(until, changes[0]?.us ?? Number.POSITIVE_INFINITY));
  chip.run();
  if (chip.over) {
    const { remains } = chip;
    start(remains);
    ask({ q: "reset", reason: remains.reason });
  } else if (nowUs() >= until) {
    const told = ask({ q: "more" });
    if (told.power !== undefined) start({ nanos: told.power * 1000, reason: 0, scratch: [] });
  }
}
