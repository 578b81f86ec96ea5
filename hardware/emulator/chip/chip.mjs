// One run of an emulated RP2040, from start to reset: the chip of rp2040js, and the parts that rp2040js lacks.
import { Bus } from "./bus.mjs";
import { Fast } from "./fast.mjs";
import { FlashChip, Serial } from "./flash.mjs";
import { Programs } from "./programs.mjs";
import { Host } from "./usb.mjs";

const FLASH = 0x1000_0000;
const SECOND_STAGE = FLASH; // the boot ROM jumps here
const STACK = 0x2004_1f00; // stack pointer after the boot ROM
const [XIP, SSI, QSPI, ROSC, VREG, MAILBOX] = [0x14000, 0x18000, 0x40018, 0x40060, 0x40064, 0x40070];
const SELECT = 0x0c; // GPIO_QSPI_SS_CTRL
const [ROSC_STATUS, RANDOM_BIT] = [0x18, 0x1c];
const STABLE = 0x8000_1000;
const [VSEL, AT_START, REGULATED] = [0xf0, 0xb1, 0x1000]; // of the voltage regulator: 1.10 V, in regulation
const FAST = { hz: 133e6, vsel: 0xc0 }; // a faster clock needs 1.15 V (datasheet, 2.15)
const [LETTER, DO, VERSION] = [0x0, 0x4, 0x8]; // of the mailbox, which no real chip has: see board/outside.py
const NOBODY = 0xffff_ffff;

export class Chip {
  // *world* is the simulation: ask(question), said(bytes), set(gpio, level), reset(), changed(start, size), version, name.
  constructor(library, rom, image, world, start = { nanos: 0, reason: 0, scratch: [] }) {
    this.world = world;
    const mcu = new library.RP2040();
    this.mcu = mcu;
    mcu.logger = { debug() {}, warn() {}, info() {}, error() {} };
    mcu.clock.nanosCounter = start.nanos;
    mcu.clock.skip = (nanos) => mcu.clock.tick(nanos);
    mcu.bootrom.set(rom);
    mcu.flash.set(image);
    this.fast = new Fast(mcu);
    this.limit = 0;
    this.over = false;
    this.flash(image);
    this.others();
    this.watchdog(start);
    this.programs = mcu.pio.map((pio) => new Programs(mcu, pio));
    this.bus = new Bus(mcu, mcu.i2c[0], world.ask);
    this.host = new Host(library, mcu, world.said);
    for (const [n, pin] of mcu.gpio.entries()) pin.addListener((state) => world.set(n, state === 1));
    mcu.core.VTOR = 0;
    mcu.core.SP = STACK;
    mcu.core.PC = SECOND_STAGE;
  }

  get nanos() {
    return this.mcu.clock.nanos;
  }

  flash(image) {
    const { mcu, world } = this;
    const chip = new FlashChip(image, world.name, mcu.clock, (start, size) => {
      mcu.flash.set(image.subarray(start, start + size), start);
      world.changed(start, size);
    });
    const serial = new Serial(chip);
    this.put(
      SSI,
      (at) => serial.read(at),
      (at, value) => serial.write(at, value),
    );
    this.put(
      QSPI,
      () => 0,
      (at, value) => at === SELECT && serial.select(value),
    );
    this.put(
      XIP,
      () => 1,
      () => {},
    );
  }

  others() {
    const { world } = this;
    const text = [];
    let answer = 0;
    this.put(
      ROSC,
      (at) => (at === RANDOM_BIT ? Number(Math.random() < 0.5) : at === ROSC_STATUS ? STABLE : 0),
      () => {},
    );
    let volts = AT_START;
    this.put(
      VREG,
      (at) => (at === 0 ? volts | REGULATED : 0),
      (at, value) => {
        if (at === 0) volts = value & 0xff;
      },
    );
    this.mcu.addClockListener((hz) => {
      if (hz > FAST.hz && (volts & VSEL) < FAST.vsel) throw new Error(`${hz / 1e6} MHz at too low a voltage`);
    });
    this.put(
      MAILBOX,
      (at) => (at === VERSION ? world.version : answer),
      (at, value) => {
        if (at === LETTER) text.push(value & 0xff);
        else if (at === DO)
          answer = world.ask({ q: "hand", words: Buffer.from(text.splice(0)).toString("latin1") }).number;
      },
    );
  }

  watchdog({ reason, scratch }) {
    const dog = this.mcu.peripherals[0x40058];
    dog.reason = reason;
    dog.scratchData.set(scratch);
    dog.onWatchdogTrigger = () => {
      this.over = true;
      dog.alarm.enable = false; // otherwise it would fire repeatedly at the same time
      dog.timer.enable = false;
    };
    this.dog = dog;
  }

  // The state that survives a reset by the watchdog: its reason and the scratch registers.
  get remains() {
    return { nanos: 0, reason: this.dog.reason, scratch: [...this.dog.scratchData] };
  }

  // Add a peripheral. Its registers can be set, cleared and toggled bit by bit as on the chip (2.1.2).
  put(page, read, write) {
    const held = new Map();
    this.mcu.peripherals[page] = {
      readUint32: (offset) => read(offset & 0xfff) ?? NOBODY,
      writeUint32Atomic: (offset, value, kind) => {
        const before = held.get(offset) ?? 0;
        const after = [value, before ^ value, before | value, before & ~value][kind];
        held.set(offset, after);
        write(offset, after >>> 0);
      },
    };
  }

  // Drive a pin from outside.
  drive(gpio, level) {
    const pin = this.mcu.gpio[gpio];
    if (pin.rawInputValue === level) return;
    for (const each of this.programs) each.moved();
    pin.setInputValue(level);
  }

  // Run until the time `limit` or a reset.
  run() {
    const { mcu, fast } = this;
    const { core, clock } = mcu;
    while (clock.nanosCounter < this.limit && !this.over) {
      const next = clock.nextAlarm ? Math.min(clock.nextAlarm.nanos, this.limit) : this.limit;
      if (core.waiting) clock.tick(Math.max(next - clock.nanosCounter, 0));
      else {
        const cycle = 1e9 / mcu.clkSys;
        if (!core.interruptsUpdated) clock.nanosCounter += fast.run((next - clock.nanosCounter) / cycle) * cycle;
        if (clock.nanosCounter < next) clock.nanosCounter += core.executeInstruction() * cycle;
        const { nextAlarm } = clock;
        if (nextAlarm !== null && nextAlarm.nanos <= clock.nanosCounter) clock.tick(0);
      }
    }
  }
}
