/* One event stream for all tabs of a browser, in a SharedWorker. It is open while at least one tab is visible. */
"use strict";
const KINDS = ["hello", "table", "ring", "beat"];
const AGAIN_MS = 1000,
  JUST_MS = 2500,
  MOST_UNANSWERED = 3;
const listening = new Map(); // by port: the number of beats that it has not answered
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
  // The browser does not reconnect a stream that was refused.
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
    } // the tab has died, or it is frozen and will join again
    if (kind === "beat") listening.set(port, unanswered + 1);
    port.postMessage({ kind, news, at: heard });
  }
}

// Send the last events to a tab that joins later, with ages increased by the time since.
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
