/* Recomputes the random draws as in docs/fairness.md: SHA-256, HMAC and each lot. It also works in a file from a disk, where
   browsers offer no Web Crypto. */
"use strict";
(() => {
  const bytesOf = (text) => new TextEncoder().encode(text),
    unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16)),
    hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  /* The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4). */
  function roots(count, power) {
    const found = [];
    for (let n = 2; found.length < count; n++) {
      let prime = true;
      for (let d = 2; d * d <= n; d++) prime = prime && n % d !== 0;
      if (prime) found.push(((n ** power % 1) * 2 ** 32) | 0);
    }
    return found;
  }
  const K = roots(64, 1 / 3),
    H = roots(8, 1 / 2);

  function sha256(message) {
    const blocks = ((message.length + 8) >> 6) + 1,
      padded = new Uint8Array(64 * blocks),
      view = new DataView(padded.buffer),
      state = [...H],
      w = new Int32Array(64),
      turn = (x, n) => (x >>> n) | (x << (32 - n));
    padded.set(message);
    padded[message.length] = 128;
    view.setUint32(64 * blocks - 4, 8 * message.length);
    for (let block = 0; block < blocks; block++) {
      for (let t = 0; t < 16; t++) w[t] = view.getInt32(64 * block + 4 * t);
      for (let t = 16; t < 64; t++) {
        const a = w[t - 15],
          b = w[t - 2];
        w[t] = w[t - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[t - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let t = 0; t < 64; t++) {
        const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[t] + w[t]) | 0,
          two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
      }
      [a, b, c, d, e, f, g, h].forEach((value, n) => (state[n] = (state[n] + value) | 0));
    }
    const sum = new DataView(new ArrayBuffer(32));
    state.forEach((value, n) => sum.setInt32(4 * n, value));
    return new Uint8Array(sum.buffer);
  }

  function hmac(key, message) {
    const pad = (byte) => Uint8Array.from({ length: 64 }, (_, n) => (key[n] || 0) ^ byte);
    return sha256(new Uint8Array([...pad(92), ...sha256(new Uint8Array([...pad(54), ...message]))]));
  }

  function lotOf(seed, words, under, counter) {
    const colours = Object.keys(under).sort(),
      of = colours.reduce((sum, colour) => sum + under[colour], 0),
      span = 2 ** 48;
    for (; ; counter++) {
      const sum = hmac(seed, bytesOf([...words, counter].join("\n"))),
        number = sum.slice(0, 6).reduce((value, byte) => value * 256 + byte, 0);
      if (number >= span - (span % of)) continue;
      let place = number % of;
      for (const colour of colours) {
        place -= under[colour];
        if (place < 0) return { counter, colour };
      }
    }
  }

  function check() {
    const told = document.querySelector("[data-sealed]");
    if (!told || told.dataset.done) return;
    told.dataset.done = "1";
    const { seal, seed, words, lots, drawn = lots.length } = JSON.parse(told.dataset.sealed);
    if (!seed) return;
    const key = unhex(seed),
      rows = document.querySelectorAll("[data-lot]");
    let fits = hex(sha256(key)) === seal && drawn === lots.length,
      next = 0;
    lots.forEach((lot, n) => {
      const honest = lotOf(key, words.slice(0, lot.words), lot.under, next),
        right = honest.colour === lot.colour && honest.counter === lot.counter;
      rows[n].textContent = right ? "✓" : `✗ ${honest.colour}`;
      rows[n].className = right ? "right" : "wrong";
      fits = fits && right;
      next = lot.counter + 1;
    });
    document.querySelector(fits ? "[data-fits]" : "[data-broken]").hidden = false;
    document.querySelector("[data-unchecked]").hidden = true;
  }

  document.addEventListener("swapped", check);
  check();
})();
