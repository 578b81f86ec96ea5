// The host's end of the chip's USB: it greets the device, opens its serial port, and carries bytes both ways.
//
// It can leave off reading, as a program does that has stopped: the device keeps its packet until it goes on.
const PACKET = 64;
const CARRIED_NS = 50_000; // a packet of 64 bytes and its token at 12 Mbit/s
const AVAILABLE = 1 << 10;
const BOTH = AVAILABLE | (AVAILABLE << 16);
const [FIRST_BUFFER, LAST_BUFFER] = [0x80, 0xfc]; // the buffer controls in the controller's memory
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
    this.wanted = []; // packets that the device has room for
    this.full = new Set(); // where packets lie that nobody has fetched yet
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

  // Whether a packet to us on the serial port's data is controlled there.
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
