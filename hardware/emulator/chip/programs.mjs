// The chip's PIO in simulated time. rp2040js runs it independently of the processor's clock and ignores its divider.
const SOON_NS = 4_000; // the longest delay from a pin's change until the DMA gets the edge
const OFTEN_NS = 1e6;
const CTRL = 0;
const RESTARTS = 8; // bits of CTRL that restart a machine's clock divider
const LOOP = 8; // longest loop, in instructions, that is recognised

export class Programs {
  constructor(mcu, pio) {
    this.mcu = mcu;
    this.pio = pio;
    this.due = pio.machines.map(() => 0);
    this.alarm = mcu.clock.createAlarm(() => this.again());
    const { readUint32, writeUint32 } = pio;
    pio.run = () => this.again();
    pio.readUint32 = (offset) => {
      this.catchUp();
      return readUint32.call(pio, offset);
    };
    pio.writeUint32 = (offset, value) => {
      this.catchUp();
      if (offset === CTRL) this.begin(value);
      writeUint32.call(pio, offset, value);
    };
    for (const machine of pio.machines) machine.clkDivRestart = () => {};
  }

  // Start the clocks of machines that are enabled or whose dividers restart, before their next step.
  begin(value) {
    for (const [n, machine] of this.pio.machines.entries()) {
      const starts = ((value >> n) & 1) === 1 && !machine.enabled;
      if (starts || ((value >> (RESTARTS + n)) & 1) === 1) this.due[n] = this.mcu.clock.nanos;
    }
  }

  again() {
    this.catchUp();
    if (!this.pio.stopped) this.alarm.schedule(OFTEN_NS);
  }

  // Call before a pin changes: the machines run up to the current time first.
  moved() {
    if (this.pio.stopped) return;
    this.catchUp();
    this.alarm.schedule(SOON_NS);
  }

  catchUp() {
    if (this.pio.stopped) return;
    for (const [n, machine] of this.pio.machines.entries()) if (machine.enabled) this.caughtUp(machine, n);
    this.pio.checkChangedPins();
  }

  caughtUp(machine, n) {
    const now = this.mcu.clock.nanos;
    const cycle = ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256) * (1e9 / this.mcu.clkSys);
    while (this.due[n] <= now) {
      const round = this.round(machine, (now - this.due[n]) / cycle);
      this.due[n] += (round || this.step(machine)) * cycle;
    }
  }

  step(machine) {
    const before = machine.cycles;
    machine.step();
    return Math.max(machine.cycles - before, 1);
  }

  // A loop of jumps repeats while no pin changes, so skip as many rounds as fit into *room* cycles.
  round(machine, room) {
    const { pc, x, y } = machine;
    let cycles = 0;
    for (let n = 0; n < LOOP; n++) {
      if (machine.waiting || this.pio.instructions[machine.pc] >>> 13 !== 0 || cycles > room) return cycles;
      cycles += this.step(machine);
      if (machine.pc !== pc) continue;
      const down = x - machine.x;
      if (machine.y !== y || down < 0) return cycles;
      const times = Math.floor(room / cycles) - 1;
      if (times < 1 || machine.x < down * (times + 1)) return cycles;
      machine.x -= down * times;
      return cycles * (times + 1);
    }
    return cycles;
  }
}
