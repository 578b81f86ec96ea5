// Runs an emulated RP2040 as far as it is told: node run.mjs LIBRARY ROM FLASH; it asks by descriptor 3.
//
// LIBRARY: the folder of the npm package rp2040js. ROM: the chip's boot ROM. FLASH: what lies in its flash; it is
// only read, and written where we are told to. A question is a line of JSON, and so is its answer: docs in README.md.
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
let bornUs = 0; // the rig's time at which the chip's own began, and what it read then
let bornNanos = 0;
let saidBytes = [];
const changes = []; // of pins, still to come
let outputs = new Map(); // of pins that the rig minds
let minded = [];
let light = { since: 0, bits: [] };

const nowUs = () => bornUs + (chip.nanos - bornNanos) / 1000;
const nanosAt = (us) => bornNanos + (us - bornUs) * 1000;

function answer() {
  let text = "";
  while (!text.endsWith("\n")) {
    const length = fs.readSync(LINE, portion);
    if (length === 0) process.exit(0); // nobody is there any more
    text += portion.toString("latin1", 0, length);
  }
  return JSON.parse(text);
}

// Say what has come up since the last time, ask, and take in what is answered.
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
  writes: 0, // of the flash
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

// A pixel's bits are told apart by how long the line is high.
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
