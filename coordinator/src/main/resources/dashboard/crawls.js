// The table of crawls, and the controls of a crawl.

import { api } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { h, icon, keyed, setAttr, setText, show } from "./dom.js";
import { bytes, count, millis, rate, span, words } from "./format.js";
import { ask, refresh } from "./store.js";

const PASSING = new Set(["INITIALIZING", "STARTING", "STOPPING"]);

/** The tone of the word for the state of a crawl. */
function toneOf({ state, end }) {
  if (state === "STARTED") return "run";
  if (state === "STOPPED" && end?.reason === "FINISHED") return "done";
  return PASSING.has(state) ? "pass" : "rest";
}

/** The pill of a state. */
export function statePill() {
  const node = h("span", { class: "pill" });
  return {
    node,
    update: (crawl) => {
      setAttr(node, "class", `pill ${toneOf(crawl)}`);
      setAttr(node, "title", `run ${crawl.epoch}`);
      setText(node, crawl.condition);
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
      const values = [found(totals), totals.redirects, errors, totals.repeats + totals.refused + totals.duplicates];
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

/** Start, stop, rerun, refresh, delete. */
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
  const again = button("refresh", "Refresh", () => run(`A run of ${id()} begins that visits the pages of run ${crawl.epoch} again`, () => api.refresh(id())));
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
    node: h("div", { class: "controls", role: "group" }, start, stop, fresh, again, drop),
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
      // Only a run that has ended by itself has kept what its pages are.
      show(again, Boolean(now.definition?.refresh) && now.state === "STOPPED" && now.end !== undefined && now.end.reason !== "ASKED");
      for (const [node, label] of [[start, "Start"], [stop, "Stop"], [fresh, "Rerun"], [again, "Refresh"], [drop, "Delete"]]) {
        setAttr(node, "aria-label", `${label} ${id()}`);
        setAttr(node, "title", label);
      }
    },
  };
}

const PAGE = 40;
/** Title, alignment, and the order by the column: texts upwards, numbers downwards. */
const COLUMNS = [
  ["Crawl", "", "crawl"],
  ["State", "", "state"],
  ["Progress", "", "-progress"],
  ["Pages", "number", "-pages"],
  ["Errors", "number", "-errors"],
  ["Waiting", "number", "-waiting"],
  ["Data", "number", "-bytes"],
  ["Pages/s", "number", "-rate"],
  ["Time", "number", "-elapsed"],
  ["Controls", "end"],
];

/** The table of all crawls. */
export function crawlTable() {
  const body = h("tbody");
  const heads = COLUMNS.map(([name, kind, key]) => h("th", { scope: "col", class: kind }, key ? h("button", { type: "button", class: "sort", on: { click: () => order(key) } }, name) : name));
  const table = h("table", { class: "crawls cards" }, h("caption", { class: "hidden", text: "Crawls with state, progress and controls" }), h("thead", {}, h("tr", {}, heads)), body);
  const part = h("input", { id: "crawls-part", type: "search", autocomplete: "off", spellcheck: "false", placeholder: "name, domain or state", on: { input: first } });
  const before = h("button", { type: "button", class: "button small-text", on: { click: () => turn(-PAGE) } }, "Previous");
  const after = h("button", { type: "button", class: "button small-text", on: { click: () => turn(PAGE) } }, "Next");
  const place = h("span", { class: "aside", role: "status" });
  const pages = h("div", { class: "controls" }, before, after, place);
  const search = h("form", { class: "inline filters", role: "search", "aria-label": "Filter crawls", on: { submit: (event) => event.preventDefault() } }, h("div", { class: "field grow" }, h("label", { for: "crawls-part", text: "Search" }), part));
  const node = h("div", {}, search, h("div", { class: "scroll", tabindex: "0" }, table), pages);
  const sync = keyed(body, (crawl) => crawl.crawl, row);
  let sort = "crawl";
  let offset = 0;

  function first() {
    offset = 0;
    ask(asks());
  }

  function turn(by) {
    offset = Math.max(0, offset + by);
    ask(asks());
  }

  function order(key) {
    sort = key;
    first();
  }

  function asks() {
    return { q: part.value.trim(), sort, offset, limit: PAGE };
  }

  return {
    node,
    asks,
    update: ({ asked, counts, crawls }) => {
      // The summary of before a search, or of another view.
      if (asked.limit !== PAGE) return;
      if (offset > 0 && offset >= counts.found) return turn(-PAGE);
      sync(crawls);
      COLUMNS.forEach(([, , key], i) => setAttr(heads[i], "aria-sort", key && key === asked.sort ? (key.startsWith("-") ? "descending" : "ascending") : undefined));
      show(search, counts.all > 5 || part.value !== "");
      show(pages, counts.found > PAGE);
      setText(place, crawls.length ? `${count(asked.offset + 1)} to ${count(asked.offset + crawls.length)} of ${count(counts.found)}` : "");
      before.disabled = asked.offset === 0;
      after.disabled = asked.offset + PAGE >= counts.found;
    },
  };
}

function row(first) {
  const id = first.crawl;
  const pill = statePill();
  const bar = progressBar();
  const actions = controls();
  const labels = { pages: "Pages", errors: "Errors", waiting: "Waiting", bytes: "Data", rate: "Pages/s", time: "Time" };
  const cell = (kind, name) => h("td", { class: kind, "data-value": name, "data-label": labels[name] });
  const [pages, errors, waiting, data, speed, time] = ["pages", "errors", "waiting", "bytes", "rate", "time"].map((name) => cell("number", name));
  const seed = h("span", { class: "sub" });
  const node = h(
    "tr",
    { "data-crawl": id },
    h("th", { scope: "row" }, h("a", { href: `#/crawl/${encodeURIComponent(id)}`, text: id }), seed),
    h("td", { "data-label": "State" }, pill.node),
    h("td", { class: "wide", "data-label": "Progress" }, bar.node),
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
      setAttr(pages, "title", totals.unchanged ? `and ${count(totals.unchanged)} unchanged` : undefined);
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

/** Pages that are there, changed or not. */
function found({ pages, unchanged = 0 }) {
  return pages + unchanged;
}

/** Pages per second of a running crawl: of the last minute if the coordinator reports them, else of the whole run. */
export function speedOf(crawl) {
  if (crawl.state !== "STARTED") return undefined;
  if (crawl.rates?.pages1m !== undefined) return crawl.rates.pages1m;
  const seconds = (millis(crawl.elapsed) ?? 0) / 1000;
  return seconds > 0 ? found(crawl.totals) / seconds : undefined;
}

function where(crawl) {
  const domains = crawl.domains ?? [];
  return domains.length > 2 ? `${domains.slice(0, 2).join(", ")} and ${domains.length - 2} more` : domains.join(", ");
}
