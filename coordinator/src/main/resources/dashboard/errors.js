// Errors as they come: the newest from the interface, then its stream.

import { api, follow } from "./api.js";
import { h, keyed, setText, show } from "./dom.js";
import { moment, words } from "./format.js";
import { notice, repeat } from "./parts.js";

const AGAIN = 3000;

/**
 * A live list, newest first.
 *
 * `limit`: how many are shown; `filter`: { crawl, kind, host }; `compact`: without the module.
 */
export function errorList({ limit, filter = {}, compact = false }) {
  const body = h("tbody");
  const columns = ["When", ...(filter.crawl ? [] : ["Crawl"]), "Kind", "What", ...(compact ? [] : ["Module"])];
  const table = h(
    "table",
    { class: "errors" },
    h("caption", { class: "hidden", text: "Errors, newest first" }),
    h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))),
    body,
  );
  const none = h("p", { class: "empty", text: "No errors." });
  const problem = notice();
  const node = h("div", { class: "scroll" }, table, none, problem.node);
  const sync = keyed(body, keyOf, (error) => ({ node: row(error, filter, compact) }));
  let closed = false;
  let connection = new AbortController();
  let errors = [];
  // A browser keeps few connections to a host: a page that nobody sees gives its own back.
  const hide = () => document.hidden && connection.abort();
  document.addEventListener("visibilitychange", hide);

  function draw() {
    sync(errors);
    show(table, errors.length > 0);
    show(none, errors.length === 0 && problem.node.hidden);
  }

  function add(more) {
    const known = new Set(errors.map(keyOf));
    errors = [...more.filter((error) => !known.has(keyOf(error)) && fits(error, filter)), ...errors];
    errors.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    errors = errors.slice(0, limit);
    draw();
  }

  const stop = repeat(AGAIN, async () => {
    if (document.hidden) return true;
    connection = new AbortController();
    try {
      add(await api.errors({ ...filter, limit }));
      problem.say();
      draw();
      await follow("api/errors/stream", "error", (error) => add([error]), connection.signal);
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

function keyOf({ partition, offset, at, url, kind }) {
  return offset === undefined ? `${at} ${kind} ${url}` : `${partition ?? 0}:${offset}`;
}

function fits(error, { crawl, kind, host }) {
  return (!crawl || error.crawl === crawl) && (!kind || error.kind === kind || error.module === kind) && (!host || hostOf(error.url) === host);
}

function hostOf(url) {
  try {
    return new URL(url).host;
  } catch {
    return undefined;
  }
}

function row(error, filter, compact) {
  return h(
    "tr",
    {},
    h("td", { class: "time" }, moment(error.at)),
    filter.crawl ? null : h("td", {}, error.crawl ? h("a", { href: `#/crawl/${encodeURIComponent(error.crawl)}`, text: error.crawl }) : "–"),
    h("td", {}, h("span", { class: "tag bad" }, words(error.kind))),
    h("td", { class: "wide" }, error.url ? h("span", { class: "url", text: error.url, title: error.url }) : null, h("span", { class: "sub", text: error.cause ?? "" })),
    compact ? null : h("td", { class: "mid" }, error.mid ?? "–"),
  );
}

/** What happened to crawls, newest first. */
export function eventList(filter = {}) {
  const list = h("ol", { class: "events" });
  const none = h("p", { class: "empty", text: "No events." });
  const problem = notice();
  const node = h("div", { class: "scroll" }, list, none, problem.node);
  const sync = keyed(list, (event) => event.id ?? `${event.at} ${event.type}`, (event) => ({ node: eventRow(event, filter) }));
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
  const epoch = event.epoch === undefined ? "" : `run ${event.epoch}`;
  const node = h("li", {}, h("span", { class: "time", text: moment(event.at) }), h("span", { class: `pill ${tone}`, text: words(kind.replace(/^crawl\./, "")) }));
  if (about) node.append(h("a", { href: `#/crawl/${encodeURIComponent(about)}`, text: about }));
  const rest = h("span", { class: "sub" });
  setText(rest, epoch);
  node.append(rest);
  return node;
}
