// The table of crawls, and the controls of a crawl.

import { api } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText, show } from "./dom.js";
import { bytes, count, millis, rate, span, words } from "./format.js";
import { refresh } from "./store.js";

const PASSING = new Set(["INITIALIZING", "STARTING", "STOPPING"]);

/** The state of a crawl in a word or two, with its tone. */
export function standing(crawl) {
  if (crawl.state === "STOPPED" && crawl.end) {
    if (crawl.end.reason === "FINISHED") return { word: "finished", tone: "done" };
    return { word: crawl.end.reason === "ASKED" ? "stopped" : words(crawl.end.reason), tone: "rest" };
  }
  const tone = crawl.state === "STARTED" ? "run" : PASSING.has(crawl.state) ? "pass" : "rest";
  return { word: crawl.state === "STARTED" ? "running" : words(crawl.state), tone };
}

/** The pill of a state. */
export function statePill() {
  const node = h("span", { class: "pill" });
  return {
    node,
    update: (crawl) => {
      const { word, tone } = standing(crawl);
      setAttr(node, "class", `pill ${tone}`);
      setText(node, word);
    },
  };
}

const PARTS = [
  ["pages", "pages"],
  ["redirects", "redirects"],
  ["errors", "errors"],
  ["others", "refused and repeated"],
];

/** The share of completed requests among those that are known, by outcome. */
export function progressBar() {
  const parts = PARTS.map(([key]) => h("i", { class: `part ${key}` }));
  const node = h("div", { class: "progress", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 }, parts);
  const percent = h("span", { class: "percent" });
  return {
    node: h("div", { class: "progress-cell" }, node, percent),
    update: ({ crawl, totals }) => {
      const errors = totals.httpErrors + totals.failures;
      const values = [totals.pages, totals.redirects, errors, totals.repeats + totals.refused + totals.duplicates];
      const whole = Math.max(1, totals.emitted);
      values.forEach((value, i) => (parts[i].style.width = `${(100 * value) / whole}%`));
      const done = totals.emitted - totals.waiting;
      const share = totals.emitted ? Math.floor((100 * done) / totals.emitted) : 0;
      setAttr(node, "aria-valuenow", share);
      setAttr(node, "aria-label", `${crawl}: ${count(done)} of ${count(totals.emitted)} known requests done`);
      setText(percent, `${share} %`);
      percent.title = `${count(done)} of ${count(totals.emitted)}`;
    },
  };
}

/** Start, stop, rerun, delete. */
export function controls(labelled = false) {
  let crawl;
  const id = () => crawl.crawl;
  const button = (name, label, command, tone = "") => {
    const node = h("button", { type: "button", class: `button ${tone}${labelled ? "" : " small"}`, "data-do": name, on: { click: command } }, icon(name));
    if (labelled) node.append(h("span", { text: label }));
    return node;
  };
  const start = button("start", "Start", () => run(`${id()} is started`, () => api.start(id())));
  const stop = button("stop", "Stop", () => run(`${id()} is stopping: fetches in flight complete`, () => api.stop(id())));
  const fresh = button("fresh", "Rerun", async () => {
    const asked = await confirm({
      title: `Rerun ${id()}?`,
      text: `A new run starts with an empty ledger and fetches every page again. Its numbers replace those of run ${crawl.epoch}.`,
      action: "Rerun",
    });
    if (asked) await run(`A new run of ${id()} is started`, async () => api.define(id(), (await api.crawl(id())).definition, true));
  });
  const drop = button("trash", "Delete", async () => {
    const asked = await confirm({
      title: `Delete ${id()}?`,
      text: "This permanently deletes its definition, its ledger and its numbers. The output files stay.",
      action: "Delete",
      danger: true,
    });
    if (asked && (await run(`${id()} is deleted`, () => api.drop(id()))) && location.hash.startsWith("#/crawl/")) location.hash = "#/";
  });

  async function run(done, command) {
    const result = await attempt(done, command);
    await refresh();
    return result;
  }

  return {
    node: h("div", { class: "controls", role: "group" }, start, stop, fresh, drop),
    update: (now) => {
      crawl = now;
      const passing = PASSING.has(now.state);
      const started = now.state === "STARTED";
      const stoppable = started || now.state === "STOPPING";
      const focused = [start, stop].includes(document.activeElement);
      stop.disabled = passing;
      start.disabled = passing || now.state === "UNINITIALIZED";
      show(stop, stoppable);
      show(start, !stoppable);
      // One button replaces the other and takes its focus.
      if (focused) (stoppable ? stop : start).focus();
      fresh.disabled = passing || started;
      drop.disabled = passing || started;
      for (const [node, label] of [[start, "Start"], [stop, "Stop"], [fresh, "Rerun"], [drop, "Delete"]]) {
        setAttr(node, "aria-label", `${label} ${id()}`);
        setAttr(node, "title", label);
      }
    },
  };
}

const COLUMNS = [
  ["Crawl", ""],
  ["State", ""],
  ["Progress", ""],
  ["Pages", "number"],
  ["Errors", "number"],
  ["Waiting", "number"],
  ["Data", "number"],
  ["Pages/s", "number"],
  ["Time", "number"],
  ["Controls", "end"],
];

/** The table of all crawls. */
export function crawlTable() {
  const body = h("tbody");
  const node = h(
    "table",
    { class: "crawls" },
    h("caption", { class: "hidden", text: "Crawls with state, progress and controls" }),
    h("thead", {}, h("tr", {}, COLUMNS.map(([name, kind]) => h("th", { scope: "col", class: kind }, name)))),
    body,
  );
  const sync = keyed(body, (crawl) => crawl.crawl, row);
  return { node, update: sync };
}

function row(first) {
  const id = first.crawl;
  const pill = statePill();
  const bar = progressBar();
  const actions = controls();
  const cell = (kind, name) => h("td", { class: kind, "data-value": name });
  const [pages, errors, waiting, data, speed, time] = ["pages", "errors", "waiting", "bytes", "rate", "time"].map((name) => cell("number", name));
  const seed = h("span", { class: "sub" });
  const node = h(
    "tr",
    { "data-crawl": id },
    h("th", { scope: "row" }, h("a", { href: `#/crawl/${encodeURIComponent(id)}`, text: id }), seed),
    h("td", {}, pill.node),
    h("td", { class: "wide" }, bar.node),
    pages, errors, waiting, data, speed, time,
    h("td", { class: "end" }, actions.node),
  );
  return {
    node,
    update: (crawl) => {
      const { totals } = crawl;
      pill.update(crawl);
      bar.update(crawl);
      actions.update(crawl);
      setText(seed, where(crawl));
      const failed = totals.httpErrors + totals.failures;
      setText(pages, count(totals.pages));
      setText(errors, count(failed));
      setAttr(errors, "class", failed ? "number bad" : "number");
      setText(waiting, count(totals.waiting));
      setText(data, bytes(totals.bytes));
      setText(speed, rate(speedOf(crawl)));
      setText(time, span(millis(crawl.elapsed)));
      setAttr(time, "title", crawl.remaining ? `about ${span(millis(crawl.remaining))} left` : undefined);
    },
  };
}

/** Pages per second of a running crawl: of the last minute if the coordinator reports them, else of the whole run. */
export function speedOf(crawl) {
  if (crawl.state !== "STARTED") return undefined;
  if (crawl.rates?.pages1m !== undefined) return crawl.rates.pages1m;
  const seconds = (millis(crawl.elapsed) ?? 0) / 1000;
  return seconds > 0 ? crawl.totals.pages / seconds : undefined;
}

function where(crawl) {
  const domains = crawl.domains ?? [];
  return domains.length > 2 ? `${domains.slice(0, 2).join(", ")} and ${domains.length - 2} more` : domains.join(", ");
}
