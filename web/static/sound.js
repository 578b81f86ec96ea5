/* What a table hears, made by the page itself: played on `cue` events when this device has asked for sound.
   Every one of them has a sign on the page too. */
"use strict";
window.sound = (() => {
  const LOUDNESS = { 1: 0.06, 2: 0.16, 3: 0.4 };
  // Notes: hertz, when it begins, how long (ms); a click is a short noise through a wooden band.
  const two = (first, second, length = 150) => [
    [first, 0, length],
    [second, length, length + 40],
  ];
  const CUES = {
    "your-turn": two(587, 880),
    tick: [[1175, 0, 60]],
    "reveal-3": [[1175, 0, 70]],
    "reveal-2": [[1175, 0, 70]],
    "reveal-1": [[1175, 0, 70]],
    reveal: [[392, 0, 340]],
    counted: [["click", 0, 70]],
    unsure: [
      [494, 0, 110],
      [494, 190, 110],
    ],
    "last-five": [[880, 0, 45]],
    over: [[440, 0, 300]],
    "ring-lost": [[196, 0, 900]],
    test: two(587, 880),
  };
  const BUZZ = { "your-turn": [120], unsure: [60, 60, 60] };
  let context = null;

  const wanted = () => device.wish("sound") === "on";

  // Browsers let a page be heard only after it was touched.
  function unlock() {
    if (!wanted() || !("AudioContext" in window)) return;
    context ??= new AudioContext();
    if (context.state !== "running") context.resume();
  }

  function play(cue) {
    const notes = CUES[cue];
    if (!notes || !wanted() || context?.state !== "running") return;
    for (const [pitch, at, length] of notes)
      (pitch === "click" ? click : note)(context.currentTime + at / 1000, length / 1000, pitch);
  }

  function louder(begins, length) {
    const gain = context.createGain(),
      level = LOUDNESS[device.wish("volume")] ?? LOUDNESS[2];
    gain.gain.setValueAtTime(0, begins);
    gain.gain.linearRampToValueAtTime(level, begins + 0.008);
    gain.gain.exponentialRampToValueAtTime(level / 200, begins + length);
    gain.connect(context.destination);
    return gain;
  }

  function note(begins, length, hertz) {
    const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
    tone.connect(louder(begins, length));
    tone.start(begins);
    tone.stop(begins + length);
  }

  function click(begins, length) {
    const noise = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
    noise.getChannelData(0).forEach((_, n, samples) => {
      samples[n] = Math.random() * 2 - 1;
    });
    const source = new AudioBufferSourceNode(context, { buffer: noise });
    source
      .connect(new BiquadFilterNode(context, { type: "bandpass", frequency: 1100, Q: 4 }))
      .connect(louder(begins, length));
    source.start(begins);
  }

  function buzz(cue) {
    // A browser lets nothing hum that was not touched yet, and says so where it is asked to.
    const may = device.wish("vibrate") === "yes" && (navigator.userActivation?.hasBeenActive ?? true);
    if (BUZZ[cue] && may) navigator.vibrate?.(BUZZ[cue]);
  }

  for (const touch of ["pointerup", "keydown"]) document.addEventListener(touch, unlock, true);
  document.addEventListener("cue", ({ detail: cue }) => {
    play(cue);
    buzz(cue);
  });
  document.addEventListener("wish", async ({ detail: name }) => {
    if (name !== "sound" && name !== "volume") return;
    unlock();
    await context?.resume();
    play("test");
  });
  // A game adds what only its own table can hear.
  const learn = (cues) => Object.assign(CUES, cues);
  return { cues: () => Object.keys(CUES), learn, state: () => context?.state ?? "none" };
})();
