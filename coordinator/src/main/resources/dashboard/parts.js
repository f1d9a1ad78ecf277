// Elements that several views share.

import { h, keyed, setText, show } from "./dom.js";
import { moment, stateText } from "./format.js";

let serial = 0;

/** A section with a heading. */
export function card(title, ...content) {
  const id = `card-${++serial}`;
  return h("section", { class: "card", "aria-labelledby": id }, h("header", {}, h("h2", { id, text: title })), ...content);
}

/** A line that reports why a panel cannot show its content. */
export function notice() {
  const node = h("p", { class: "notice", role: "status", hidden: true });
  return {
    node,
    say: (text) => {
      setText(node, text ?? "");
      show(node, Boolean(text));
    },
    /** Shows the cause of a failure. */
    fail: (error) => {
      setText(node, error.missing ? "Not available: this coordinator does not support it." : error.message);
      show(node, true);
    },
  };
}

/** Sentences that an operator should read; those of `bad` have the colour of a warning. */
export function noticeList() {
  const node = h("div", { class: "stray", hidden: true });
  return {
    node,
    tell: (notes, bad = []) => {
      const told = JSON.stringify([bad, notes]);
      if (node.dataset.shown === told) return;
      node.dataset.shown = told;
      show(node, notes.length + bad.length > 0);
      node.replaceChildren(...bad.map((note) => h("p", { class: "notice warn" }, note)), ...notes.map((note) => h("p", { class: "notice" }, note)));
    },
  };
}

/** Sentences with their times, which are read aloud when they change. @param {(entry) => string} keyOf of `{ at, text }` */
export function timeline(name, keyOf) {
  const list = h("ul", { class: `events ${name}` });
  const sync = keyed(list, keyOf, () => {
    const time = h("span", { class: "time" });
    const text = h("span");
    return {
      node: h("li", {}, time, text),
      update: (entry) => {
        setText(time, moment(entry.at));
        setText(text, entry.text ?? "");
      },
    };
  });
  return { node: h("div", { role: "status" }, list), update: sync };
}

/** A sentence for each kind of process of which none is registered, and for each process that waits for what it needs. */
export function troubles({ missing: kinds, modules }) {
  const absent = (kinds ?? []).map(({ kind, effect, since }) => `No ${kind.toLowerCase()} ${since ? `has been running since ${moment(since)}` : "is running"}: ${effect}.`);
  return [...absent, ...modules.filter(waits).map(({ mid, state }) => `${mid} is ${stateText(state)}${state.detail ? `: ${state.detail}` : ""}.`)];
}

/** Whether a process cannot work, since something that it needs does not answer or cannot be written. */
export function waits({ state }) {
  return state.phase === "waiting";
}

/** A table of two columns. */
export function pairs(caption, nameOf, valueOf) {
  const body = h("tbody");
  const table = h("table", { class: "pairs" }, h("caption", { text: caption }), body);
  const none = h("p", { class: "empty small-text", text: "None." });
  const node = h("div", {}, table, none);
  return {
    node,
    update: (entries) => {
      const wanted = JSON.stringify(entries);
      if (node.dataset.shown === wanted) return;
      node.dataset.shown = wanted;
      body.replaceChildren(...entries.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, nameOf(name)), h("td", { class: "number" }, valueOf(value)))));
      show(none, entries.length === 0);
    },
  };
}

/** Polls while the view is shown, until `ask` returns false. */
export function repeat(millis, ask) {
  let open = true;
  let timer;
  const turn = async () => {
    const again = await ask();
    if (open && again !== false) timer = setTimeout(turn, millis);
  };
  turn();
  return () => {
    open = false;
    clearTimeout(timer);
  };
}
