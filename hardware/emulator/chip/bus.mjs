// The sensor's end of the chip's I2C bus. Bytes take as long as on a real bus; the simulation answers for the sensor.
const BITS = 9; // per byte, with its acknowledgement
const AHEAD = 16; // registers that one request reads ahead

export class Bus {
  // *ask* sends a request to the simulation and returns the answer.
  constructor(mcu, i2c, ask) {
    Object.assign(this, { mcu, i2c, ask });
    this.written = [];
    this.coming = [];
    i2c.onStart = () => this.after(1, () => i2c.completeStart());
    i2c.onConnect = (address, mode) => this.after(BITS, () => i2c.completeConnect(this.begun(address, mode)));
    i2c.onWriteByte = (byte) =>
      this.after(BITS, () => {
        this.written.push(byte);
        i2c.completeWrite(true);
      });
    i2c.onReadByte = () => this.after(BITS, () => i2c.completeRead(this.coming.shift() ?? 0xff));
    i2c.onStop = () =>
      this.after(1, () => {
        this.ended();
        i2c.completeStop();
      });
    this.alarm = mcu.clock.createAlarm(() => {
      this.alarm.scheduled = false;
      this.next();
    });
  }

  after(bits, next) {
    this.next = next;
    const period = (this.i2c.sclHighPeriod + this.i2c.sclLowPeriod) * (1e9 / this.mcu.clkSys);
    this.alarm.schedule(bits * period);
  }

  // Return whether a device answers at that address. A read continues at the register that was written last.
  begun(address, reads) {
    if (reads) {
      const [command = 0] = this.written.splice(0);
      const { data } = this.ask({ q: "read", address, command, count: AHEAD });
      this.coming = data === null ? [] : [...Buffer.from(data, "hex")];
      return data !== null;
    }
    this.ended();
    this.address = address;
    return this.ask({ q: "read", address, command: 0, count: 0 }).data !== null;
  }

  ended() {
    if (!this.written.length) return;
    const [command, ...data] = this.written.splice(0);
    this.ask({ q: "write", address: this.address, command, data: Buffer.from(data).toString("hex") });
  }
}
