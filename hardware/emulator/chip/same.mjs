// Compare fast.mjs with rp2040js, instruction by instruction: node same.mjs LIBRARY ROM FLASH COUNT
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Chip } from "./chip.mjs";

const [folder, romFile, flashFile, count] = process.argv.slice(2);
const library = await import(pathToFileURL(path.join(folder, "dist/esm/index.js")));
const bytes = fs.readFileSync(romFile);
const rom = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const FLAGS = ["N", "Z", "C", "V"];
const PC = 15;
let quick = 0;
Math.random = () => 0.3; // the same for both

function made() {
  const world = { ask: () => ({ data: null, number: 0 }), said() {}, set() {}, changed() {}, version: 1, name: [1] };
  return new Chip(library, rom, new Uint8Array(fs.readFileSync(flashFile)), world);
}

function step({ mcu, fast }, quickly) {
  const { core, clock } = mcu;
  if (core.waiting) return clock.tick(Math.max((clock.nextAlarm?.nanos ?? 0) - clock.nanosCounter, 0));
  const spent = quickly && !core.interruptsUpdated ? fast.run(1) : 0;
  if (spent) quick += 1;
  clock.nanosCounter += (spent || core.executeInstruction()) * (1e9 / mcu.clkSys);
  if (clock.nextAlarm && clock.nextAlarm.nanos <= clock.nanosCounter) clock.tick(0);
}

function differ(one, other) {
  const [a, b] = [one.mcu.core, other.mcu.core];
  if (one.nanos !== other.nanos || FLAGS.some((flag) => a[flag] !== b[flag])) return true;
  for (let n = 0; n < PC; n++) if (a.registers[n] !== b.registers[n]) return true;
  return (a.PC ^ b.PC) >>> 1 !== 0;
}

const [one, other] = [made(), made()];
for (let n = 0; n < Number(count); n++) {
  const at = one.mcu.core.PC;
  step(one, true);
  step(other, false);
  if (differ(one, other)) {
    console.log(`They differ at instruction ${n}, at ${at.toString(16)}.`);
    process.exit(1);
  }
}
console.log(`The same for ${count} instructions, ${quick} of them the quick way.`);
process.exit(0);
