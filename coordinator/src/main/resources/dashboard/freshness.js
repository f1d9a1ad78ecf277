// How fresh the pages of a crawl are: their next visits, what its runs have found, and the changes themselves.

import { api } from "./api.js";
import { runsOf } from "./crawl.js";
import { h, setText, show } from "./dom.js";
import { count, millis, moment, percent, words } from "./format.js";
import { crumbs } from "./items.js";
import { card, notice, pairs, repeat } from "./parts.js";

const PAGE = 100;
const LONG = 20_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KINDS = ["new", "changed", "touched", "gone", "back", "moved", "failed", "unlinked", "unchanged"];
const TONES = { new: "tag good", back: "tag good", gone: "tag bad", failed: "tag bad" };
const STATES = { STORED: "stored", MISSING: "missing once", GONE: "gone", UNKNOWN: "never an item" };
const TILES = [
  ["Expected fresh", ({ fresh }) => percent(fresh)],
  ["Pages", ({ pages }) => count(pages)],
  ["Due now", ({ due }) => count(due.now)],
  ["Within an hour", ({ due }) => count(due.hour)],
  ["Within a day", ({ due }) => count(due.day)],
  ["Within a week", ({ due }) => count(due.week)],
  ["Within 30 days", ({ due }) => count(due.month)],
];

const address = (id, view, query = {}) => `#/crawl/${encodeURIComponent(id)}/${view}${Object.keys(query).length ? `?${new URLSearchParams(query)}` : ""}`;

const whole = (ms) => (ms % DAY ? `${ms / HOUR} h` : `${ms / DAY} d`);

/** The freshness of a crawl, `#/crawl/docs/freshness`. Visits are counted when it opens, after each run, and when asked. */
export function freshnessView(id) {
  const visits = visitsCard(id);
  const runs = runsCard(id);
  const node = h("div", { class: "view" }, crumbs([id, `#/crawl/${encodeURIComponent(id)}`]), h("h1", {}, `Freshness of ${id}`), visits.node, runs.node);
  let seen = "";
  return {
    node,
    title: `Freshness of ${id}`,
    asks: () => ({ crawls: id }),
    update: ({ summary }) => {
      const crawl = summary?.crawls.find((one) => one.crawl === id);
      if (!crawl) return;
      visits.update(crawl);
      const now = `${crawl.epoch} ${crawl.state}`;
      if (seen === now) return;
      seen = now;
      visits.ask();
    },
    close: runs.close,
  };
}

function visitsCard(id) {
  const values = TILES.map(([label]) => h("dd", { "data-value": label }));
  const next = h("dd", { "data-value": "Next run" });
  const tiles = h("dl", { class: "tiles" }, TILES.map(([label], i) => h("div", {}, h("dt", { text: label }), values[i])), h("div", {}, h("dt", { text: "Next run" }), next));
  const intervals = pairs("Pages by interval", (name) => name, count);
  const states = pairs("Pages by their last visit", (state) => STATES[state] ?? words(state), count);
  const about = h("p", { class: "sub" });
  const problem = notice();
  const again = h("button", { type: "button", class: "button", "data-do": "count", on: { click: ask } }, "Count again");
  const found = h("div", { class: "stack", hidden: true }, tiles, h("div", { class: "row two" }, intervals.node, states.node));
  const node = card("Next visits", problem.node, found, h("div", { class: "inline" }, again, about));

  async function ask() {
    again.disabled = true;
    setText(about, "Counting …");
    try {
      const answer = await api.visits(id);
      TILES.forEach(([, of], i) => setText(values[i], of(answer)));
      intervals.update(answer.intervals.map(({ most, pages }) => [most ? `up to ${whole(millis(most))}` : "longer", pages]));
      states.update(Object.entries(answer.states).sort(([, a], [, b]) => b - a));
      setText(about, `Of run ${answer.epoch}, counted ${moment(answer.at)}`);
      problem.say();
      show(found, true);
    } catch (error) {
      setText(about, "");
      problem.fail(error);
    } finally {
      again.disabled = false;
    }
  }

  return { node, ask, update: (crawl) => setText(next, crawl.nextRun ? moment(crawl.nextRun) : "no schedule") };
}

/** What the last runs that were compared have found. */
function runsCard(id) {
  const body = h("tbody");
  const names = ["Run", "Ended", ...KINDS.map((kind) => kind[0].toUpperCase() + kind.slice(1)), "304"];
  const table = h("table", { class: "runs cards" }, h("caption", { class: "hidden", text: "Runs, newest first, and how many items each has found new, changed, and so on" }), h("thead", {}, h("tr", {}, names.map((name, i) => h("th", { scope: "col", class: i > 1 ? "number" : "" }, name)))), body);
  const problem = notice();
  const node = card("What the runs have found", h("div", { class: "scroll", tabindex: "0" }, table), problem.node);
  table.hidden = true;
  let shown;
  const stop = repeat(5000, async () => {
    try {
      const { epoch, runs } = await api.diff(id, { limit: 1 });
      if (shown !== epoch) draw(runs, new Map(runsOf(await api.events({ crawl: id, limit: 1000 }))));
      shown = epoch;
      problem.say();
    } catch (error) {
      problem.fail(error);
      return !error.missing;
    }
    return true;
  });

  function draw(runs, ended) {
    show(table, true);
    body.replaceChildren(
      ...runs.map(({ epoch, counts }) => {
        const totals = ended.get(epoch)?.totals;
        const cells = KINDS.map((kind) => h("td", { class: "number", "data-label": kind }, count(counts[kind])));
        const there = totals ? totals.pages + (totals.unchanged ?? 0) : 0;
        const share = there ? percent((totals.notModified ?? 0) / there) : "–";
        return h("tr", {}, h("th", { scope: "row", "data-label": "Run" }, h("a", { href: address(id, "changes", { run: epoch }), "aria-label": `Changes of run ${epoch}`, text: String(epoch) })), h("td", { "data-label": "Ended" }, moment(ended.get(epoch)?.ended)), cells, h("td", { class: "number", "data-label": "304" }, share));
      }),
    );
  }

  return { node, close: stop };
}

/** What a run has changed, `#/crawl/docs/changes?run=3`; in one page, with `&url=`. */
export function changesView(id, query = "") {
  const asked = new URLSearchParams(query);
  const run = asked.get("run") ?? undefined;
  const url = asked.get("url");
  return url ? pageView(id, run, url) : listView(id, run);
}

const way = (id) => [[id, `#/crawl/${encodeURIComponent(id)}`], ["Freshness", address(id, "freshness")]];

function listView(id, run) {
  const body = h("tbody");
  const table = h("table", { class: "changes cards", hidden: true }, h("caption", { class: "hidden", text: "Items that differ" }), h("thead", {}, h("tr", {}, ["Change", "Page"].map((name) => h("th", { scope: "col" }, name)))), body);
  const problem = notice();
  const state = h("p", { class: "empty", role: "status", text: "Reading …" });
  const more = h("button", { type: "button", class: "button", hidden: true, on: { click: load } }, "More");
  const title = `Changes of ${id}${run ? `, run ${run}` : ""}`;
  const node = h("div", { class: "view" }, crumbs(...way(id)), h("h1", {}, title), card("Since the run before", h("div", { class: "scroll", tabindex: "0" }, table), problem.node, state, h("div", { class: "controls" }, more)));
  let cursor;

  async function load() {
    more.disabled = true;
    try {
      const answer = await api.diff(id, { epoch: run, cursor, limit: PAGE });
      body.append(...answer.changes.map(({ epoch, change, url, name }) => h("tr", {}, h("td", { "data-label": "Change" }, h("span", { class: TONES[change] ?? "tag", text: change })), h("td", { class: "wide", "data-label": "Page" }, h("a", { class: "url", href: address(id, "changes", { run: epoch, url }), text: url }), name && ` ${name}`))));
      cursor = answer.next;
      problem.say();
      setText(state, body.children.length ? "" : "Nothing differs.");
      show(more, cursor !== undefined);
    } catch (error) {
      setText(state, "");
      problem.fail(error);
    }
    more.disabled = false;
    show(table, body.children.length > 0);
  }

  load();
  return { node, title, update: () => {} };
}

function pageView(id, run, url) {
  const problem = notice();
  const content = h("div", { class: "stack" }, h("p", { class: "empty", role: "status", text: "Reading …" }));
  const node = h("div", { class: "view" }, crumbs(...way(id), [`Changes${run ? ` of run ${run}` : ""}`, address(id, "changes", run ? { run } : {})]), h("h1", {}, "What has changed"), h("p", { class: "url", text: url }), problem.node, content);
  api.diff(id, { epoch: run, url }).then(
    ({ items }) => content.replaceChildren(...items.map(({ key, name, fields }) => card(name || (items.length > 1 ? `Item ${key}` : "Item"), ...compared(Object.entries(fields ?? {}))))),
    (error) => {
      content.replaceChildren();
      problem.fail(error);
    },
  );
  return { node, title: "What has changed", update: () => {} };
}

/** The fields that differ, before and now; of texts the lines, with their words. */
function compared(fields) {
  if (fields.length === 0) return [h("p", { class: "empty", text: "It has not changed." })];
  const rows = fields.flatMap(([name, { before, now, words: lines }]) => (lines?.length ? lines.map((line) => row(name, marked(line, "del"), marked(line, "ins"))) : [row(name, values(before, now), values(now, before))]));
  return [h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "compared" }, h("caption", { class: "hidden", text: "Fields that differ" }), h("thead", {}, h("tr", {}, ["Field", "Before", "Now"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)))];
}

function row(name, before, now) {
  return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, before), h("td", {}, now));
}

/** One side of a line such as `The [-old-]{+new+} way`. */
function marked(line, side) {
  return line.split(/(\[-.*?-\]|\{\+.*?\+\})/s).map((part) => {
    const kind = part.startsWith("[-") && part.endsWith("-]") ? "del" : part.startsWith("{+") && part.endsWith("+}") ? "ins" : undefined;
    return kind === undefined ? part : kind === side ? h(kind, { text: part.slice(2, -2) }) : "";
  });
}

/** Of a list the elements that only this side has. */
function values(side, other) {
  if (side === undefined) return "–";
  const known = new Set(Array.isArray(other) ? other.map((one) => JSON.stringify(one)) : []);
  const all = Array.isArray(side) ? side.filter((one) => !known.has(JSON.stringify(one))) : [side];
  const text = all.map((one) => (typeof one === "object" ? JSON.stringify(one) : String(one))).join("\n");
  return text.length > LONG ? `${text.slice(0, LONG)} …` : text;
}
