/* One stream for all tabs of a browser, held in a SharedWorker: it is open while at least one of them is looked at. */
"use strict";
const KINDS = ["hello", "table", "ring", "beat"];
const AGAIN_MS = 1000,
  JUST_MS = 2500,
  MOST_UNANSWERED = 3;
const listening = new Map(); // port: how many beats it has not answered
let stream = null,
  opened = 0,
  heard = 0,
  last = {};

function open() {
  stream?.close();
  last = {};
  opened = Date.now();
  const mine = new EventSource("/api/v1/events");
  stream = mine;
  for (const kind of KINDS) mine.addEventListener(kind, (event) => hear(kind, JSON.parse(event.data)));
  // A stream that was refused does not try again by itself.
  mine.onerror = () => {
    if (mine.readyState === EventSource.CLOSED)
      setTimeout(() => {
        if (mine === stream) open();
      }, AGAIN_MS);
  };
}

function close() {
  stream?.close();
  stream = null;
}

function hear(kind, news) {
  heard = Date.now();
  if (kind !== "beat") last[kind] = { news, at: heard };
  for (const [port, unanswered] of listening) {
    if (unanswered >= MOST_UNANSWERED) {
      leave(port);
      continue;
    } // it has died, or is frozen and will ask again
    if (kind === "beat") listening.set(port, unanswered + 1);
    port.postMessage({ kind, news, at: heard });
  }
}

// Who comes later is told what the others know; what has an age has grown older since.
function greet(port) {
  for (const kind of KINDS.filter((one) => one in last)) {
    const { news, at } = last[kind],
      age = news.last_passage_age_s;
    const aged = age == null ? news : { ...news, last_passage_age_s: age + (Date.now() - at) / 1000 };
    port.postMessage({ kind, news: aged, at: heard });
  }
}

function listen(port, anew) {
  listening.set(port, 0);
  port.postMessage({ kind: "here" });
  if (!stream || (anew && Date.now() - opened > JUST_MS)) open();
  else greet(port);
}

function leave(port) {
  listening.delete(port);
  if (!listening.size) close();
}

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data === "leave") leave(port);
    else if (data === "here") {
      if (listening.has(port)) listening.set(port, 0);
    } else listen(port, data === "anew");
  };
};
