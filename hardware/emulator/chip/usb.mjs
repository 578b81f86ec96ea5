// The host's end of the chip's USB: it enumerates the device, opens its serial port, and transfers bytes both ways.
//
// It can stop reading, like a program that hangs; the device then waits with its packet.
const PACKET = 64;
const CARRIED_NS = 50_000; // time of a packet of 64 bytes and its token at 12 Mbit/s
const AVAILABLE = 1 << 10;
const BOTH = AVAILABLE | (AVAILABLE << 16);
const [FIRST_BUFFER, LAST_BUFFER] = [0x80, 0xfc]; // the buffer control registers in the controller's memory
const OUT = 4;

export class Host {
  constructor(library, mcu, said) {
    this.usb = mcu.usbCtrl;
    this.memory = mcu.usbDPRAMView;
    this.clock = mcu.clock;
    this.line = new library.USBCDC(this.usb);
    this.line.onSerialData = said;
    this.reading = true;
    this.waiting = []; // bytes for the device
    this.wanted = []; // free receive buffers of the device
    this.full = new Set(); // buffers with packets that have not been read yet
    this.usb.onEndpointRead = (endpoint, size) => this.room(endpoint, size);
    const { DPRAMUpdated } = this.usb;
    this.usb.DPRAMUpdated = (offset, value) => {
      if (this.serial(offset) && value & BOTH) this.filled(offset);
      else DPRAMUpdated.call(this.usb, offset, value);
    };
    this.fetch = (offset) => DPRAMUpdated.call(this.usb, offset, this.memory.getUint32(offset, true));
    this.fetching = this.clock.createAlarm(() => this.fetched());
    this.sending = this.clock.createAlarm(() => this.send());
  }

  // Return whether *offset* is the buffer control of a packet from the serial port's data endpoint to the host.
  serial(offset) {
    const endpoint = (offset - FIRST_BUFFER) >> 3;
    return offset >= FIRST_BUFFER && offset <= LAST_BUFFER && !(offset & OUT) && endpoint === this.line.inEndpoint;
  }

  filled(offset) {
    this.full.add(offset);
    if (this.reading && !this.fetching.scheduled) this.fetching.schedule(CARRIED_NS);
  }

  fetched() {
    this.fetching.scheduled = false;
    if (!this.reading) return;
    const full = [...this.full];
    this.full.clear();
    for (const offset of full) this.fetch(offset);
  }

  read(reading) {
    this.reading = reading;
    if (reading && this.full.size && !this.fetching.scheduled) this.fetching.schedule(CARRIED_NS);
  }

  write(bytes) {
    this.waiting.push(...bytes);
    this.soon();
  }

  room(endpoint, size) {
    if (endpoint !== this.line.outEndpoint) return;
    this.wanted.push(size);
    this.soon();
  }

  soon() {
    if (this.waiting.length && this.wanted.length && !this.sending.scheduled) this.sending.schedule(CARRIED_NS);
  }

  send() {
    this.sending.scheduled = false;
    const size = Math.min(this.wanted.shift() ?? 0, PACKET);
    this.usb.endpointReadDone(this.line.outEndpoint, Uint8Array.from(this.waiting.splice(0, size)));
    this.soon();
  }
}
