// One process: state, memory, numbers, and the end of its log.

import { api } from "./api.js";
import { h, keyed, setText, show } from "./dom.js";
import { bytes, count, moment, span, stateText } from "./format.js";
import { crumbs } from "./items.js";
import { card, notice, repeat } from "./parts.js";

const LINES = 200;

/** A process, `#/module/D1|127.0.0.1:40123`. */
export function moduleView(mid) {
  const facts = h("dl", { class: "about wide-about" });
  const problem = notice();
  const silent = notice();
  const body = h("tbody");
  const table = h("table", { class: "log-lines cards" }, h("caption", { class: "hidden", text: "Log lines, newest first" }), h("thead", {}, h("tr", {}, ["Time", "Level", "Message"].map((name) => h("th", { scope: "col" }, name)))), body);
  const none = h("p", { class: "empty", text: "No log lines." });
  const node = h("div", { class: "view" }, crumbs(["Fleet", "#/fleet"]), h("h1", {}, mid), card("State", facts, problem.node), card("Log", h("div", { class: "scroll", tabindex: "0" }, table), none, silent.node));
  const sync = keyed(body, (line) => line.key, (line) => ({ node: logRow(line) }));

  const stop = repeat(3000, async () => {
    const [summary, log] = await Promise.allSettled([api.module(mid), api.logs(mid, LINES)]);
    if (summary.status === "fulfilled") drawFacts(facts, summary.value);
    problem.say(summary.status === "rejected" ? summary.reason.message : undefined);
    silent.say(log.status === "rejected" ? log.reason.message : undefined);
    if (log.status === "fulfilled") {
      const seen = new Map();
      const lines = log.value.map((line) => {
        const text = `${line.at} ${line.thread} ${line.message}`;
        seen.set(text, (seen.get(text) ?? 0) + 1);
        return { ...line, key: `${text} ${seen.get(text)}` };
      });
      sync(lines.reverse());
      show(table, lines.length > 0);
    }
    show(none, log.status === "fulfilled" && log.value.length === 0);
    return true;
  });
  return { node, title: mid, update: () => {}, close: stop };
}

function drawFacts(list, { state, since, score, counts, extra = {} }) {
  const { heap, version, java, ...rest } = extra;
  const rows = [["state", `${stateText(state)}${state.detail ? `: ${state.detail}` : ""}`], ["running for", `${span(Date.now() - Date.parse(since))}, since ${moment(since)}`]];
  if (heap) rows.push(["memory", `${bytes(heap.used)} of ${bytes(heap.limit)} heap`]);
  if (version) rows.push(["version", `Trawl ${version}${java ? `, Java ${java}` : ""}`]);
  rows.push(["score", count(score)], ...Object.entries(counts).map(([name, value]) => [name, count(value)]), ...Object.entries(rest).map(([name, value]) => [name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), shown(value)]));
  const wanted = JSON.stringify(rows);
  if (list.dataset.shown === wanted) return;
  list.dataset.shown = wanted;
  list.replaceChildren(...rows.flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: value })]));
}

function shown(value) {
  if (typeof value === "number") return count(value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(shown).join(", ") || "none";
  return Object.entries(value).map(([key, one]) => `${key} ${shown(one)}`).join(", ") || "none";
}

function logRow(line) {
  const tone = line.level === "ERROR" ? "tag bad" : "tag";
  return h("tr", {}, h("td", { class: "time", "data-label": "Time" }, moment(line.at)), h("td", { "data-label": "Level" }, h("span", { class: tone, text: line.level })), h("td", { class: "wide", "data-label": "Message" }, h("span", { class: "url", text: line.message }), h("span", { class: "sub", text: `${line.logger} on ${line.thread}` })));
}
