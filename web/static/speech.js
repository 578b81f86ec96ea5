/* Speaks news with the browser's voice on devices with speech switched on. Sentences are fetched after each event of the stream.
   Newer sentences replace waiting ones, so speech does not lag behind the game (as in companion/speech/narrator.py). */
"use strict";
window.speech = (() => {
  const possible = "speechSynthesis" in window && "SpeechSynthesisUtterance" in window;
  const PATIENCE_MS = 6000,
    VOICES_MS = 3000;
  let waiting = [],
    speaking = null,
    known = Number(document.getElementById("page").dataset.version), // everything up to this version was spoken or is older than the page
    asking = false,
    again = false,
    told = Promise.resolve(); // resolves when all fetched sentences are queued
  const refused = new Set(); // warnings that this page has shown already

  const wanted = () => possible && device.wish("speech") !== "none" && document.visibilityState === "visible";
  const words = () => document.getElementById("words").dataset;

  // Show a warning once above the page; the next touch hides it.
  function cannot(what) {
    const strip = document.getElementById("cannot-speak");
    if (refused.has(what) || !strip || kept(what)) return;
    refused.add(what);
    strip.textContent = words()[what];
    strip.hidden = false;
    document.addEventListener("pointerup", () => (strip.hidden = true), { once: true });
  }

  // A missing voice is reported once per visit, because the next page lacks it too; a needed touch once per page.
  function kept(what) {
    try {
      const before = sessionStorage.getItem(what);
      if (what === "noVoice") sessionStorage.setItem(what, "said");
      return before !== null;
    } catch {
      return false;
    }
  }

  const voice = () =>
    speechSynthesis.getVoices().find((one) => one.lang.toLowerCase().startsWith(document.documentElement.lang));

  function add(batch) {
    if (!batch.length) return;
    const topics = new Set(batch.map((one) => one.topic)),
      right = batch.some((one) => one.at_once),
      at = performance.now();
    waiting = waiting.filter((old) => !right && old.words === "few" && old.topic && !topics.has(old.topic));
    waiting.push(...batch.map((one) => ({ ...one, at })));
    if (right && speaking) {
      speaking = null;
      speechSynthesis.cancel();
    }
    document.dispatchEvent(new CustomEvent("queued", { detail: waiting.map((one) => one.text) }));
    next();
  }

  function next() {
    if (speaking) return;
    waiting = waiting.filter((one) => performance.now() - one.at <= PATIENCE_MS);
    const one = waiting.shift();
    if (!one || !wanted()) return;
    const sentence = new SpeechSynthesisUtterance(one.text);
    sentence.lang = document.documentElement.lang;
    const own = voice();
    if (own) sentence.voice = own;
    speaking = sentence;
    sentence.onend = () => over(sentence);
    sentence.onerror = ({ error }) => {
      if (error === "not-allowed") cannot("mayNotSpeak");
      over(sentence);
    };
    speechSynthesis.speak(sentence);
  }

  function over(sentence) {
    if (speaking !== sentence) return; // it was cancelled
    speaking = null;
    next();
  }

  // Resolves when the page shows *version* and the words of a result, because events arrive before the page does.
  // A page that is being filled in is not swapped, so it resolves at once there.
  function seen(version) {
    return new Promise((done) => {
      const worded = () => (window.stage ? stage.after(done) : done());
      const look = () => {
        const shown = document.getElementById("page").dataset;
        if (Number(shown.version) < version && !("still" in shown)) return;
        document.removeEventListener("swapped", look);
        worded();
      };
      setTimeout(worded, PATIENCE_MS); // speak anyway if the page does not arrive
      document.addEventListener("swapped", look);
      look();
    });
  }

  async function ask() {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    const query = new URLSearchParams({ after: known, words: device.wish("words"), whose: device.wish("speech") });
    try {
      const answer = await fetch(`/api/v1/utterances?${query}`, { cache: "no-store", credentials: "same-origin" });
      const { version, utterances } = await answer.json();
      known = version;
      for (const at of new Set(utterances.map((one) => one.version)))
        told = Promise.all([told, seen(at)]).then(() => add(utterances.filter((one) => one.version === at)));
    } catch {
      /* missed sentences are not spoken later */
    } finally {
      asking = false;
      if (again) {
        again = false;
        ask();
      }
    }
  }

  // Events before the stream's hello are not news, and events that a hidden page missed are not spoken later.
  document.addEventListener("news", ({ detail: { kind, version } }) => {
    if (kind === "hello" || !wanted()) known = version;
    else if (version !== known) ask();
  });
  document.addEventListener("cue", ({ detail }) => {
    const counted = /^reveal-(\d)$/.exec(detail);
    if (counted && wanted()) add([{ text: counted[1], words: "few", topic: "clock" }]);
  });
  document.addEventListener("seconds", ({ detail: seconds }) => {
    if (!wanted()) return;
    const text = { 10: words().tenSeconds, 0: words().timeUp }[seconds];
    if (text) add([{ text, words: "few", topic: "clock" }]);
    else if (seconds <= 5 && device.wish("words") !== "few")
      add([{ text: String(seconds), words: "usual", topic: "clock" }]);
  });
  document.addEventListener("wish", ({ detail: name }) => {
    if (name !== "speech" && name !== "words") return;
    waiting = [];
    if (possible) speechSynthesis.cancel();
    speaking = null;
    if (!wanted()) return;
    add([{ text: words().speaks, words: "few", topic: "test" }]);
    if (speechSynthesis.getVoices().length) look();
    else setTimeout(look, VOICES_MS); // some browsers load their voices only on request
  });

  function look() {
    if (wanted() && !voice()) cannot("noVoice");
  }

  if (wanted()) setTimeout(look, VOICES_MS);
  return {
    possible,
    speaks: () => wanted() && Boolean(voice()),
    say: (text) => add([{ text, words: "few", topic: "answer", at_once: true }]),
  };
})();
