// The most common instructions, six times as fast as in rp2040js: one switch statement over local variables.
//
// It stops before any other instruction: system instructions, interrupts, and accesses to anything except plain memory.
// rp2040js carries those out. Both count the same cycles and give the same registers after each instruction; same.mjs
// compares them. Source: ARMv6-M Architecture Reference Manual, A5 and A6.
const RAM = 0x2000_0000;
const SIZE = 264 * 1024;
const RAM_END = RAM + SIZE;
const FLASH = 0x1000_0000;
const ROM_END = 0x4000;
const RETURN = 0xf; // the first four bits of a return address that ends an interrupt
const SIO = 0xd000_0000;
const [PURE, PURE_END] = [SIO + 0x60, SIO + 0x180]; // the divider and the spinlocks, which have no effect outside the processor
const [SP, LR, PC] = [13, 14, 15];

export class Fast {
  constructor(mcu) {
    this.core = mcu.core;
    this.sio = mcu.sio;
    this.ram8 = mcu.sram;
    this.ram16 = new Uint16Array(mcu.sram.buffer);
    this.ram32 = new Uint32Array(mcu.sram.buffer);
    this.flash8 = mcu.flash;
    this.flash16 = new Uint16Array(mcu.flash.buffer);
    this.flash32 = new Uint32Array(mcu.flash.buffer);
    this.rom16 = new Uint16Array(mcu.bootrom.buffer);
    this.rom32 = mcu.bootrom;
    this.rom8 = new Uint8Array(mcu.bootrom.buffer);
  }

  // Return the word at an address of plain memory (0 to 2 ** 32 - 1), or -1 for any other address.
  word(at) {
    if (at & 3) return -1;
    if (at >= RAM && at < RAM_END) return this.ram32[(at - RAM) >>> 2];
    if (at >>> 24 === FLASH >>> 24) return this.flash32[(at & 0xffffff) >>> 2];
    return at < ROM_END ? this.rom32[at >>> 2] : -1;
  }

  half(at) {
    if (at & 1) return -1;
    if (at >= RAM && at < RAM_END) return this.ram16[(at - RAM) >>> 1];
    if (at >>> 24 === FLASH >>> 24) return this.flash16[(at & 0xffffff) >>> 1];
    return at < ROM_END ? this.rom16[at >>> 1] : -1;
  }

  byte(at) {
    if (at >= RAM && at < RAM_END) return this.ram8[at - RAM];
    if (at >>> 24 === FLASH >>> 24) return this.flash8[at & 0xffffff];
    return at < ROM_END ? this.rom8[at] : -1;
  }

  // Run for *most* cycles or until another instruction comes; return the number of cycles.
  run(most) {
    const { core, sio, ram8, ram16, ram32, flash16, rom16 } = this;
    const r = core.registers;
    let { N: n, Z: z, C: c, V: v } = core;
    let pc = r[PC] & ~1;
    let spent = 0;
    going: while (spent < most) {
      let op;
      if (pc >= RAM && pc < RAM_END) op = ram16[(pc - RAM) >>> 1];
      else if (pc >>> 24 === FLASH >>> 24) op = flash16[(pc & 0xffffff) >>> 1];
      else if (pc < ROM_END) op = rom16[pc >>> 1];
      else break;
      const low = op & 7;
      const mid = (op >> 3) & 7;
      const imm5 = (op >> 6) & 31;
      const imm8 = op & 255;
      const top = (op >> 8) & 7;
      let cycles = 1;
      let next = pc + 2;
      switch (op >>> 11) {
        case 0: {
          const a = r[mid];
          const result = a << imm5;
          if (imm5) c = ((a >>> (32 - imm5)) & 1) === 1;
          r[low] = result;
          n = result < 0;
          z = result === 0;
          break;
        }
        case 1: {
          const a = r[mid];
          const result = imm5 ? a >>> imm5 : 0;
          c = ((a >>> ((imm5 || 32) - 1)) & 1) === 1;
          r[low] = result;
          n = false;
          z = result === 0;
          break;
        }
        case 2: {
          const a = r[mid];
          const result = a >> (imm5 || 31);
          c = ((a >>> ((imm5 || 32) - 1)) & 1) === 1;
          r[low] = result;
          n = result < 0;
          z = result === 0;
          break;
        }
        case 3: {
          const a = r[mid];
          const b = op & 0x400 ? imm5 & 7 : r[imm5 & 7];
          const result = op & 0x200 ? (a - b) | 0 : (a + b) | 0;
          if (op & 0x200) {
            c = a >= b;
            v = ((a ^ b) & (a ^ result)) < 0;
          } else {
            c = a + b > 0xffffffff;
            v = (~(a ^ b) & (a ^ result)) < 0;
          }
          r[low] = result;
          n = result < 0;
          z = result === 0;
          break;
        }
        case 4:
          r[top] = imm8;
          n = false;
          z = imm8 === 0;
          break;
        case 5:
        case 7: {
          const a = r[top];
          const result = (a - imm8) | 0;
          c = a >= imm8;
          v = ((a ^ imm8) & (a ^ result)) < 0;
          if (op & 0x1000) r[top] = result;
          n = result < 0;
          z = result === 0;
          break;
        }
        case 6: {
          const a = r[top];
          const result = (a + imm8) | 0;
          c = a + imm8 > 0xffffffff;
          v = (~(a ^ imm8) & (a ^ result)) < 0;
          r[top] = result;
          n = result < 0;
          z = result === 0;
          break;
        }
        case 8: {
          if (op & 0x400) {
            const m = (op >> 3) & 15;
            const d = ((op >> 4) & 8) | low;
            const kind = (op >> 8) & 3;
            const b = m === PC ? pc + 4 : r[m];
            if (kind === 2) {
              if (d === SP) r[SP] = b & ~3;
              else if (d === PC) {
                next = b & ~1;
                cycles = 2;
              } else r[d] = b;
            } else if (kind === 0) {
              if (d === SP) r[SP] = (r[SP] + b) & ~3;
              else if (d === PC) {
                next = (pc + 4 + b) & ~1;
                cycles = 2;
              } else r[d] = r[d] + b;
            } else if (kind === 1) {
              if (m === PC || d === PC) break going;
              const a = r[d];
              const result = (a - b) | 0;
              c = a >= b;
              v = ((a ^ b) & (a ^ result)) < 0;
              n = result < 0;
              z = result === 0;
            } else {
              if (low || m === PC || b >>> 28 === RETURN) break going;
              if (op & 0x80) r[LR] = next | 1;
              next = b & ~1;
              cycles = 2;
            }
            break;
          }
          const a = r[low];
          const b = r[mid];
          let result;
          switch ((op >> 6) & 15) {
            case 0:
              result = a & b;
              r[low] = result;
              break;
            case 1:
              result = a ^ b;
              r[low] = result;
              break;
            case 2: {
              const by = b & 255;
              result = by < 32 ? a << by : 0;
              if (by > 31) break going;
              if (by) c = ((a >>> (32 - by)) & 1) === 1;
              r[low] = result;
              break;
            }
            case 3: {
              const by = b & 255;
              if (by === 0 || by > 31) break going;
              result = a >>> by;
              c = ((a >>> (by - 1)) & 1) === 1;
              r[low] = result;
              break;
            }
            case 4: {
              const by = b & 255;
              if (by === 0 || by > 31) break going;
              result = (a | 0) >> by;
              c = ((a >>> (by - 1)) & 1) === 1;
              r[low] = result;
              break;
            }
            case 5: {
              const sum = a + b + (c ? 1 : 0);
              result = sum | 0;
              c = sum > 0xffffffff;
              v = (~(a ^ b) & (a ^ result)) < 0;
              r[low] = result;
              break;
            }
            case 6: {
              const less = b + (c ? 0 : 1);
              result = (a - less) | 0;
              c = a >= less;
              v = ((a ^ b) & (a ^ result)) < 0;
              r[low] = result;
              break;
            }
            case 8:
              result = a & b;
              break;
            case 9: {
              result = -b | 0;
              c = b === 0;
              v = (b & result) < 0;
              r[low] = result;
              break;
            }
            case 10:
              result = (a - b) | 0;
              c = a >= b;
              v = ((a ^ b) & (a ^ result)) < 0;
              break;
            case 12:
              result = a | b;
              r[low] = result;
              break;
            case 13:
              result = Math.imul(a, b);
              r[low] = result;
              break;
            case 14:
              result = a & ~b;
              r[low] = result;
              break;
            case 15:
              result = ~b;
              r[low] = result;
              break;
            default:
              break going; // ROR and CMN are left to rp2040js
          }
          n = (result | 0) < 0;
          z = (result | 0) === 0;
          break;
        }
        case 9: {
          const value = this.word(((pc + 4) & ~3) + (imm8 << 2));
          if (value < 0) break going;
          r[top] = value;
          cycles = 2;
          break;
        }
        case 10:
        case 11: {
          const at = (r[mid] + r[imm5 & 7]) >>> 0;
          const kind = (op >> 9) & 7;
          if (kind < 3) {
            if (at < RAM || at >= RAM_END) break going;
            if (kind === 0) {
              if (at & 3) break going;
              ram32[(at - RAM) >>> 2] = r[low];
            } else if (kind === 1) {
              if (at & 1) break going;
              ram16[(at - RAM) >>> 1] = r[low];
            } else ram8[at - RAM] = r[low];
          } else {
            let value;
            if (kind === 4) value = this.word(at);
            else value = kind === 5 || kind === 7 ? this.half(at) : this.byte(at);
            if (value < 0) break going;
            r[low] = kind === 3 ? (value << 24) >> 24 : kind === 7 ? (value << 16) >> 16 : value;
          }
          cycles = 2;
          break;
        }
        case 12: {
          const at = (r[mid] + (imm5 << 2)) >>> 0;
          if (at & 3) break going;
          if (at >= RAM && at < RAM_END) ram32[(at - RAM) >>> 2] = r[low];
          else if (at >= PURE && at < PURE_END) {
            sio.writeUint32(at - SIO, r[low]);
            break;
          } else break going;
          cycles = 2;
          break;
        }
        case 13: {
          const at = (r[mid] + (imm5 << 2)) >>> 0;
          if (at >= PURE && at < PURE_END) {
            r[low] = sio.readUint32(at - SIO);
            break;
          }
          const value = this.word(at);
          if (value < 0) break going;
          r[low] = value;
          cycles = 2;
          break;
        }
        case 14: {
          const at = (r[mid] + imm5) >>> 0;
          if (at < RAM || at >= RAM_END) break going;
          ram8[at - RAM] = r[low];
          cycles = 2;
          break;
        }
        case 15: {
          const value = this.byte((r[mid] + imm5) >>> 0);
          if (value < 0) break going;
          r[low] = value;
          cycles = 2;
          break;
        }
        case 16: {
          const at = (r[mid] + (imm5 << 1)) >>> 0;
          if (at < RAM || at >= RAM_END || at & 1) break going;
          ram16[(at - RAM) >>> 1] = r[low];
          cycles = 2;
          break;
        }
        case 17: {
          const value = this.half((r[mid] + (imm5 << 1)) >>> 0);
          if (value < 0) break going;
          r[low] = value;
          cycles = 2;
          break;
        }
        case 18: {
          const at = (r[SP] + (imm8 << 2)) >>> 0;
          if (at < RAM || at >= RAM_END) break going;
          ram32[(at - RAM) >>> 2] = r[top];
          cycles = 2;
          break;
        }
        case 19: {
          const value = this.word((r[SP] + (imm8 << 2)) >>> 0);
          if (value < 0) break going;
          r[top] = value;
          cycles = 2;
          break;
        }
        case 20:
          r[top] = ((pc + 4) & ~3) + (imm8 << 2);
          break;
        case 21:
          r[top] = r[SP] + (imm8 << 2);
          break;
        case 22: {
          if (op >>> 8 === 0xb0) r[SP] = (r[SP] + (op & 0x80 ? -((op & 127) << 2) : (op & 127) << 2)) & ~3;
          else if (op >>> 8 === 0xb2) {
            const b = r[mid];
            const kind = (op >> 6) & 3;
            r[low] = kind === 0 ? (b << 16) >> 16 : kind === 1 ? (b << 24) >> 24 : kind === 2 ? b & 0xffff : b & 255;
          } else if (op >>> 9 === 0x5a) {
            let count = 0;
            for (let bits = op & 0x1ff; bits; bits &= bits - 1) count++;
            let at = r[SP] - 4 * count - RAM;
            if (at < 0 || at + 4 * count > SIZE) break going;
            r[SP] -= 4 * count;
            for (let i = 0; i < 8; i++)
              if (op & (1 << i)) {
                ram32[at >>> 2] = r[i];
                at += 4;
                cycles++;
              }
            if (op & 0x100) ram32[at >>> 2] = r[LR];
          } else break going;
          break;
        }
        case 23: {
          if (op >>> 9 !== 0x5e) break going;
          let count = 0;
          for (let bits = op & 255; bits; bits &= bits - 1) count++;
          let at = r[SP] - RAM;
          if (at < 0 || at + 4 * count + 4 > SIZE) break going;
          if (op & 0x100) {
            const to = ram32[(at + 4 * count) >>> 2];
            if (to >>> 28 === RETURN) break going;
            next = to & ~1;
            r[SP] += 4;
            cycles += 2;
          }
          for (let i = 0; i < 8; i++)
            if (op & (1 << i)) {
              r[i] = ram32[at >>> 2];
              at += 4;
            }
          r[SP] += 4 * count;
          cycles += count;
          break;
        }
        case 24: {
          let at = r[top] - RAM;
          if (at < 0 || at + 32 > SIZE || at & 3) break going;
          for (let i = 0; i < 8; i++)
            if (op & (1 << i)) {
              ram32[at >>> 2] = r[i];
              at += 4;
              cycles++;
            }
          if (!(op & (1 << top))) r[top] = at + RAM;
          break;
        }
        case 25: {
          let at = r[top];
          if (this.word(at) < 0 || this.word(at + 28) < 0) break going;
          for (let i = 0; i < 8; i++)
            if (op & (1 << i)) {
              r[i] = this.word(at);
              at += 4;
              cycles++;
            }
          if (!(op & (1 << top))) r[top] = at;
          break;
        }
        case 26:
        case 27: {
          const condition = (op >> 8) & 15;
          if (condition > 13) break going;
          let met;
          switch (condition >> 1) {
            case 0:
              met = z;
              break;
            case 1:
              met = c;
              break;
            case 2:
              met = n;
              break;
            case 3:
              met = v;
              break;
            case 4:
              met = c && !z;
              break;
            case 5:
              met = n === v;
              break;
            default:
              met = n === v && !z;
          }
          if (met !== ((condition & 1) === 1)) {
            next = pc + 4 + ((imm8 << 24) >> 23);
            cycles = 2;
          }
          break;
        }
        case 28:
          next = pc + 4 + (((op & 0x7ff) << 21) >> 20);
          cycles = 2;
          break;
        case 30: {
          const more = this.half(pc + 2);
          if (more < 0 || (more & 0xd000) !== 0xd000) break going;
          const s = (op >> 10) & 1;
          const one = ((more >> 13) & 1) ^ s ^ 1;
          const two = ((more >> 11) & 1) ^ s ^ 1;
          r[LR] = (pc + 4) | 1;
          next =
            pc + 4 + ((s ? 0xff000000 : 0) | (one << 23) | (two << 22) | ((op & 0x3ff) << 12) | ((more & 0x7ff) << 1));
          cycles = 3;
          break;
        }
        default:
          break going;
      }
      pc = next >>> 0;
      spent += cycles;
    }
    r[PC] = pc;
    core.N = n;
    core.Z = z;
    core.C = c;
    core.V = v;
    core.cycles += spent;
    return spent;
  }
}
