// A live list of errors: the newest from the REST interface, then its stream.

import { api } from "./api.js";
import { h, keyed, show } from "./dom.js";
import { moment, pagesText, words } from "./format.js";
import { notice, repeat } from "./parts.js";

const AGAIN = 3000;
const TOGETHER = 250;

/**
 * A live list, newest first.
 *
 * `limit`: how many are shown; `filter`: { crawl, kind, host }; `compact`: without the module.
 */
export function errorList({ limit, filter = {}, compact = false }) {
  const body = h("tbody");
  const columns = ["Time", ...(filter.crawl ? [] : ["Crawl"]), "Kind", "URL and cause", ...(compact ? [] : ["Module"])];
  const table = h(
    "table",
    { class: "errors cards" },
    h("caption", { class: "hidden", text: "Errors, newest first" }),
    h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))),
    body,
  );
  const none = h("p", { class: "empty", text: "No errors." });
  const problem = notice();
  const node = h("div", { class: "scroll", tabindex: "0" }, table, none, problem.node);
  const sync = keyed(body, keyOf, (error) => ({ node: row(error, filter, compact) }));
  let closed = false;
  let connection = new AbortController();
  let errors = [];
  let fresh = [];
  let later;
  // A browser limits the connections to a host: a hidden page closes its own.
  const hide = () => document.hidden && connection.abort();
  document.addEventListener("visibilitychange", hide);

  function draw() {
    sync(errors);
    show(table, errors.length > 0);
    show(none, errors.length === 0 && problem.node.hidden);
  }

  function add(more) {
    const known = new Set(errors.map(keyOf));
    errors = [...more.filter((error) => !known.has(keyOf(error))), ...errors];
    errors.sort((a, b) => Date.parse(b.at) - Date.parse(a.at) || b.offset - a.offset);
    errors = errors.slice(0, limit);
    draw();
  }

  /** Errors may arrive by the thousand: they are drawn in batches. */
  function next(error) {
    fresh.push(error);
    if (fresh.length > limit) fresh.shift();
    later ??= setTimeout(() => {
      add(fresh);
      fresh = [];
      later = undefined;
    }, TOGETHER);
  }

  async function open() {
    add(await api.errors({ ...filter, limit }));
    problem.say();
    draw();
  }

  const stop = repeat(AGAIN, async () => {
    if (document.hidden) return true;
    connection = new AbortController();
    try {
      await api.followErrors(filter, { open, next }, connection.signal);
    } catch (error) {
      if (closed) return false;
      if (error.status) problem.fail(error);
      draw();
      return !error.missing || errors.length > 0;
    }
    return true;
  });
  draw();
  return {
    node,
    close: () => {
      closed = true;
      stop();
      document.removeEventListener("visibilitychange", hide);
      connection.abort();
    },
  };
}

function keyOf({ partition, offset }) {
  return `${partition}:${offset}`;
}

function row(error, filter, compact) {
  return h(
    "tr",
    {},
    h("td", { class: "time", "data-label": "Time" }, moment(error.at)),
    filter.crawl ? null : h("td", { "data-label": "Crawl" }, error.crawl ? h("a", { href: `#/crawl/${encodeURIComponent(error.crawl)}`, text: error.crawl }) : "–"),
    h("td", { "data-label": "Kind" }, h("span", { class: "tag bad" }, words(error.kind))),
    h("td", { class: "wide" }, error.url ? h("span", { class: "url", text: error.url, title: error.url }) : null, h("span", { class: "sub", text: `${error.cause ?? ""}${error.attempts > 1 ? `, ${error.attempts} attempts` : ""}` })),
    compact ? null : h("td", { class: "mid", "data-label": "Module" }, error.mid ?? "–"),
  );
}

/** Events of crawls, newest first. */
export function eventList(filter = {}) {
  const list = h("ol", { class: "events" });
  const none = h("p", { class: "empty", text: "No events." });
  const problem = notice();
  const node = h("div", { class: "scroll", tabindex: "0" }, list, none, problem.node);
  const sync = keyed(list, (event) => event.id, (event) => ({ node: eventRow(event, filter) }));
  const stop = repeat(2000, async () => {
    try {
      const events = await api.events(filter);
      sync(events);
      show(none, events.length === 0);
      problem.say();
    } catch (error) {
      show(none, false);
      problem.fail(error);
      return !error.missing;
    }
    return true;
  });
  return { node, close: stop };
}

function eventRow(event, filter) {
  const kind = String(event.type);
  const tone = kind.endsWith("finished") ? "done" : kind.endsWith("started") ? "run" : "rest";
  const about = filter.crawl ? "" : event.crawl;
  const rest = [event.epoch === undefined ? "" : `run ${event.epoch}`, event.refreshes ? `refreshes run ${event.refreshes}` : "", event.totals ? pagesText(event.totals) : "", event.by ? `by ${event.by}` : ""];
  const node = h("li", {}, h("span", { class: "time", text: moment(event.at) }), h("span", { class: `pill ${tone}`, text: kind.endsWith("stopped") ? event.condition : words(kind.replace(/^crawl\./, "")) }));
  if (about) node.append(h("a", { href: `#/crawl/${encodeURIComponent(about)}`, text: about }));
  node.append(h("span", { class: "sub", text: rest.filter(Boolean).join(", ") }));
  return node;
}
