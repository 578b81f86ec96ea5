/* Connects a page with the server's event stream: the one that all tabs of a browser share, or otherwise one of its own. */
"use strict";
window.hearing = (tell) => {
  const KINDS = ["hello", "table", "ring", "beat"],
    ANSWER_MS = 2000;
  let port = shared(),
    own = null,
    doubt = 0;

  function shared() {
    if (!("SharedWorker" in window)) return null;
    try {
      const worker = new SharedWorker("/static/shared_stream.js");
      worker.onerror = alone;
      worker.port.onmessage = ({ data: { kind, news, at } }) => {
        clearTimeout(doubt);
        if (kind === "beat") worker.port.postMessage("here");
        if (kind !== "here" && port) tell(kind, news, at);
      };
      return worker.port;
    } catch {
      return null;
    }
  }

  // Use a stream of our own if the shared worker fails or does not answer in time.
  function alone() {
    clearTimeout(doubt);
    if (!port) return;
    port.postMessage("leave");
    port = null;
    listen(true);
  }

  // Start listening. If *anew*, open a new stream, because the old one may have died while the device slept.
  function listen(anew) {
    if (document.visibilityState === "hidden") return close(); // a hidden page needs no stream
    clearTimeout(doubt);
    if (port) {
      port.postMessage(anew ? "anew" : "join");
      doubt = setTimeout(alone, ANSWER_MS);
      return;
    }
    own?.close();
    own = new EventSource("/api/v1/events");
    for (const kind of KINDS) own.addEventListener(kind, (event) => tell(kind, JSON.parse(event.data), Date.now()));
  }

  function close() {
    clearTimeout(doubt);
    port?.postMessage("leave");
    own?.close();
    own = null;
  }

  return {
    join: () => listen(false),
    open: () => listen(true),
    close,
    refused: () => own?.readyState === EventSource.CLOSED,
  };
};
