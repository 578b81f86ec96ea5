/* Replaces `:has` for browsers before Safari 15.4 and Chrome 105; device.js loads it if necessary. It rewrites each
   stylesheet with an attribute selector of the same specificity in place of `:has(...)`, and updates the attribute
   of matching elements whenever the page changes. */
"use strict";
(() => {
  const known = new Map(); // by `:has(...)` with the compound selector before it: name, selector and arguments
  const WATCHED = ["class", "hidden", "open", "disabled", "aria-current"];

  // Return the index of the bracket that closes the one just before *from*.
  function closed(text, from) {
    let depth = 1,
      at = from;
    for (; depth; at++) depth += { "(": 1, ")": -1 }[text[at]] || 0;
    return at - 1;
  }

  // Return the start of the compound selector to which `:has` at *to* belongs.
  function begun(text, to) {
    let depth = 0,
      at = to;
    for (; at > 0; at--) {
      const before = text[at - 1];
      if (before === ")") depth++;
      else if (before === "(" && !depth--) break;
      else if (!depth && /[\s,>+~{}]/.test(before)) break;
    }
    return at;
  }

  // Split a selector list at its commas, except at those within brackets.
  function parts(list) {
    const found = [""];
    let depth = 0;
    for (const letter of list) {
      depth += { "(": 1, ")": -1 }[letter] || 0;
      if (letter === "," && !depth) found.push("");
      else found[found.length - 1] += letter;
    }
    return found.map((one) => one.trim());
  }

  // Return the specificity of *list*: the highest number of ids, classes and type names among its selectors.
  function weight(list) {
    const weighed = parts(list).map((one) => {
      let own = one,
        inner = [0, 0, 0];
      for (let at = own.search(/:(is|not|has)\(/); at >= 0; at = own.search(/:(is|not|has)\(/)) {
        const open = own.indexOf("(", at) + 1,
          close = closed(own, open);
        inner = weight(own.slice(open, close)).map((more, n) => inner[n] + more);
        own = own.slice(0, at) + own.slice(close + 1);
      }
      own = own.replace(/\([^()]*\)/g, "").replace(/\[[^\]]*\]/g, ".of");
      const counts = [/#/g, /[.:]/g, /(^|[\s>+~])[a-z]/gi].map((kind) => (own.match(kind) || []).length);
      return counts.map((count, n) => count + inner[n]);
    });
    return weighed.sort((one, other) => other[0] - one[0] || other[1] - one[1] || other[2] - one[2])[0];
  }

  function mark(whom, holds) {
    const key = `${whom}:has(${holds})`;
    if (!known.has(key)) known.set(key, { name: `h${known.size}`, whom: whom || "*", holds: parts(holds) });
    const heavy = weight(holds).map((count, n) => [":not(#no)", ":not(.no)", ":not(no)"][n].repeat(count));
    return `:where([data-has~="${known.get(key).name}"])${heavy.join("")}`;
  }

  function written(text) {
    let css = text.replace(/\/\*.*?\*\//gs, "");
    for (let at = css.indexOf(":has("); at >= 0; at = css.indexOf(":has(")) {
      const end = closed(css, at + 5);
      css = css.slice(0, at) + mark(css.slice(begun(css, at), at), css.slice(at + 5, end)) + css.slice(end + 1);
    }
    return css;
  }

  // Yield rules one by one, so that a rule with a syntax error for this browser does not affect the others.
  function* rules(css) {
    let depth = 0,
      from = 0;
    for (let at = 0; at < css.length; at++) {
      depth += { "{": 1, "}": -1 }[css[at]] || 0;
      if (css[at] !== "}" || depth) continue;
      yield css.slice(from, at + 1);
      from = at + 1;
    }
  }

  async function rewrite(link) {
    if ("told" in link.dataset) return;
    link.dataset.told = "not yet";
    const css = await (await fetch(link.href)).text();
    if (css.includes(":has(")) await replace(link, css);
    link.dataset.told = "all";
  }

  async function replace(link, css) {
    if (!link.sheet) await new Promise((done) => link.addEventListener("load", done, { once: true }));
    const { sheet } = link;
    while (sheet.cssRules.length) sheet.deleteRule(0);
    for (const rule of rules(written(css))) {
      try {
        sheet.insertRule(rule, sheet.cssRules.length);
      } catch {
        /* this browser does not support the rule */
      }
    }
    tell();
  }

  const holds = (element, wanted) =>
    wanted.startsWith("+")
      ? element.nextElementSibling?.matches(wanted.slice(1))
      : element.querySelector(`:scope ${wanted}`);

  function tell() {
    const marked = new Map();
    for (const { name, whom, holds: wanted } of known.values())
      for (const one of document.querySelectorAll(whom))
        if (wanted.some((part) => holds(one, part))) marked.set(one, [...(marked.get(one) || []), name]);
    for (const one of document.querySelectorAll("[data-has]")) if (!marked.has(one)) delete one.dataset.has;
    for (const [one, names] of marked) if (one.dataset.has !== names.join(" ")) one.dataset.has = names.join(" ");
  }

  const rewriteAll = () => document.querySelectorAll("link[rel=stylesheet]").forEach(rewrite);
  const element = (node) => node.nodeType === Node.ELEMENT_NODE;
  const told = ({ type, addedNodes, removedNodes }) =>
    type === "attributes" || [...addedNodes, ...removedNodes].some(element);

  new MutationObserver((changes) => {
    if (!changes.some(told)) return; // only texts changed, as in a clock
    rewriteAll();
    tell();
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: WATCHED });
  for (const hand of ["input", "change"]) document.addEventListener(hand, tell);
  rewriteAll();
})();
