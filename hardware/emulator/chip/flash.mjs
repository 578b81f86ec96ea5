// The flash chip of a Pico and its serial interface to the processor. It carries out the commands that the boot ROM's
// routines send, so they erase and write as on a board and take as long.
//
// Source: datasheet of the W25Q16JV (Winbond), commands in 8.1.2, typical times in 9.6.
const PAGE = 256;
const SECTOR = 4096;
const BLOCK = 65536;
const ERASE_NS = { [SECTOR]: 45e6, [BLOCK]: 150e6 };
const PROGRAM_NS = 0.4e6;
const POLLED_NS = 10_000; // shortest time of a status read while the chip is busy, so that polling takes few reads
const [WRITE, READ, STATUS, ENABLE, STATUS2, NAME, JEDEC] = [0x02, 0x03, 0x05, 0x06, 0x35, 0x4b, 0x9f];
const ERASES = new Map([
  [0x20, SECTOR],
  [0xd8, BLOCK],
]);
const ADDRESSED = 4; // the command and three bytes
const DUMMY = 5;
const BUSY = 1;
const ENABLED = 2;
const QUAD = 2; // in the second status register: boot code checks it before it reads with four lines

export class FlashChip {
  constructor(memory, name, clock, changed) {
    Object.assign(this, { memory, name, clock, changed });
    this.enabled = false;
    this.readyAt = 0;
    this.release();
  }

  release() {
    this.finish?.();
    this.finish = null;
    this.heard = [];
    this.page = [];
  }

  // Send a byte to the chip and return the byte that it sends at the same time.
  exchange(byte) {
    this.heard.push(byte);
    const [command] = this.heard;
    const count = this.heard.length;
    if (count === 1) return this.begin(command);
    if (command === STATUS) return this.status();
    if (command === STATUS2) return QUAD;
    if (command === JEDEC) return [0xef, 0x40, 0x15][(count - 2) % 3];
    if (command === NAME) return count > DUMMY ? (this.name[(count - DUMMY - 1) % this.name.length] ?? 0) : 0;
    if (command === READ) return count > ADDRESSED ? this.memory[this.address + count - ADDRESSED - 1] : 0;
    if (command === WRITE && count > ADDRESSED && this.page.length < PAGE) this.page.push(byte);
    return 0;
  }

  get address() {
    return (this.heard[1] << 16) | (this.heard[2] << 8) | this.heard[3];
  }

  // Prepare a command; the chip carries it out when it is deselected.
  begin(command) {
    if (command === ENABLE) this.enabled = true;
    else if (ERASES.has(command)) this.finish = () => this.erase(ERASES.get(command));
    else if (command === WRITE) this.finish = () => this.program();
    return 0;
  }

  status() {
    const busy = this.clock.nanos < this.readyAt;
    if (busy) this.clock.skip(POLLED_NS);
    return (busy ? BUSY : 0) | (this.enabled ? ENABLED : 0);
  }

  erase(size) {
    const start = this.address - (this.address % size);
    if (!this.enabled || this.heard.length < ADDRESSED) return;
    this.memory.fill(0xff, start, start + size);
    this.worked(start, size, ERASE_NS[size]);
  }

  program() {
    const start = this.address - (this.address % PAGE);
    if (!this.enabled || this.heard.length <= ADDRESSED) return;
    for (const [n, byte] of this.page.entries()) this.memory[start + ((this.address + n) % PAGE)] &= byte;
    this.worked(start, PAGE, PROGRAM_NS);
  }

  worked(start, size, ns) {
    this.enabled = false;
    this.readyAt = this.clock.nanos + ns;
    this.changed(start, size);
  }
}

// The part of the synchronous serial interface (RP2040 datasheet, 4.10) that the boot ROM and a boot from flash use.
const [SSIENR, SR, DR0, RXFLR, IDR, VERSION] = [0x08, 0x28, 0x60, 0x24, 0x58, 0x5c];
const [NOT_FULL, EMPTY, NOT_EMPTY] = [0x02, 0x04, 0x08];
const OUTOVER = 8;
const LOW = 2;

export class Serial {
  constructor(chip) {
    this.chip = chip;
    this.kept = new Map([
      [IDR, 0x51535049],
      [VERSION, 0x3430312a],
    ]);
    this.received = [];
    this.held = false;
  }

  read(offset) {
    if (offset === SR) return NOT_FULL | EMPTY | (this.received.length ? NOT_EMPTY : 0);
    if (offset === RXFLR) return this.received.length;
    if (offset === DR0) return this.received.shift() ?? 0;
    return this.kept.get(offset) ?? 0;
  }

  write(offset, value) {
    if (offset === SSIENR) this.received = [];
    if (offset !== DR0) this.kept.set(offset, value);
    else {
      // Without manual control the interface deselects the chip once everything has been read.
      if (!this.held && !this.received.length) this.chip.release();
      this.received.push(this.chip.exchange(value & 0xff));
    }
  }

  // Set the select line, if a program controls it manually (GPIO_QSPI_SS_CTRL).
  select(value) {
    const held = ((value >> OUTOVER) & 3) === LOW;
    if (held !== this.held) this.chip.release();
    this.held = held;
  }
}
