// The path of a page through the stages, with the backlog before each stage and its modules.

import { h, setAttr, setText } from "./dom.js";
import { count, plural, stateText } from "./format.js";
import { card } from "./parts.js";

const KINDS = { D: "Downloaders", A: "Analyzers", P: "Pipelines", C: "Coordinators" };

/** The phases in which a module works. */
export const WORKING = new Set(["running", "following", "taking-over", "leading"]);

/** The live modules of a kind. */
export function modulesOf(summary, letter) {
  return summary.modules.filter(({ mid }) => mid.startsWith(letter));
}

/** The stages from left to right. */
export function flow() {
  const list = h("ol", { class: "flow" });
  const line = h("p", { class: "hidden" });
  const node = card("Flow", list, line);
  let parts;
  let shape = "";

  function build(levels) {
    parts = {
      C: station("C"),
      levels: levels.map(({ priority }) => channel(`p${priority}`)),
      D: station("D"),
      responses: channel("responses"),
      A: station("A"),
      items: channel("items"),
      P: station("P"),
    };
    const requests = h("li", { class: "channels" }, h("span", { class: "channel-title", text: "Requests" }), parts.levels.map((one) => one.node));
    const alone = (title, one) => h("li", { class: "channels" }, h("span", { class: "channel-title", text: title }), one.node);
    list.replaceChildren(parts.C.node, requests, parts.D.node, alone("Responses", parts.responses), parts.A.node, alone("Items", parts.items), parts.P.node);
  }

  return {
    node,
    update: (summary) => {
      const { levels, responses, items } = summary.queue;
      if (shape !== levels.map((level) => level.priority).join()) {
        shape = levels.map((level) => level.priority).join();
        build(levels);
      }
      if (!parts) build([]);
      // Transaction markers count in the backlog, and not in what waits by the ledger.
      const length = ({ backlog, waiting }) => (summary.queue.counting || backlog === undefined ? backlog : Math.min(backlog, waiting));
      levels.forEach((level, i) => parts.levels[i].update(length(level), level.capacity));
      parts.responses.update(responses.backlog, responses.limit);
      parts.items.update(items.backlog, items.limit);
      for (const letter of Object.keys(KINDS)) parts[letter].update(modulesOf(summary, letter));
    },
  };
}

function station(letter) {
  const number = h("b");
  const doing = h("span", { class: "sub" });
  const node = h("li", { class: `station kind-${letter}` }, h("a", { href: "#/fleet" }, h("span", { text: KINDS[letter] }), number), doing);
  return {
    node,
    update: (modules) => {
      const handling = modules.reduce((sum, { counts }) => sum + counts.handling, 0);
      const waiting = modules.filter(({ state }) => !WORKING.has(state.phase));
      setText(number, count(modules.length));
      setAttr(node, "class", `station kind-${letter}${modules.length === 0 ? " missing" : handling ? " busy" : ""}`);
      setText(doing, modules.length === 0 ? "none is running" : waiting.length ? stateText(waiting[0].state) : letter === "C" ? stateText(modules[0].state) : `${count(handling)} in progress`);
    },
  };
}

function channel(name) {
  const fill = h("i");
  const number = h("b");
  const node = h("div", { class: "channel" }, h("span", { text: name }), h("span", { class: "gauge" }, fill), number);
  return {
    node,
    update: (backlog, most) => {
      const value = backlog ?? 0;
      // A logarithmic scale shows both ten and ten million.
      const share = value === 0 ? 0 : Math.min(1, Math.log10(1 + value) / Math.log10(1 + (most ?? 10_000_000)));
      fill.style.width = `${100 * share}%`;
      setAttr(fill, "class", most && value > 0.8 * most ? "high" : null);
      setText(number, backlog === undefined ? "?" : count(backlog));
      setAttr(node, "title", most ? `${plural(value, "record")} of at most ${count(most)}` : plural(value, "record"));
    },
  };
}
