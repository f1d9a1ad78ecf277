// The hosts of all downloaders.

import { api } from "./api.js";
import { h, keyed, setAttr, setText, show } from "./dom.js";
import { count, millis, span, words } from "./format.js";
import { movesPanel } from "./moves.js";
import { card, notice, repeat } from "./parts.js";
import { crawlIds } from "./store.js";

const PAGE = 50;
const EVERY = 3000;
const COLUMNS = [["Host", "host", ""], ["Waiting", "waiting", "number"], ["Done", "answered", "number"], ["Errors", "errors", "number"], ["Pause", "pause", "number"], ["Next turn", "next", ""], ["robots.txt", undefined, ""], ["Module", undefined, ""], ["Move to", undefined, ""]];

/** The table of hosts, `#/hosts`. */
export function hostsView() {
  const part = h("input", { id: "hosts-part", name: "q", type: "search", autocomplete: "off", spellcheck: "false", placeholder: "example.org" });
  const crawl = h("select", { id: "hosts-crawl", name: "crawl" }, h("option", { value: "" }, "all"));
  const form = h(
    "form",
    { class: "inline filters", role: "search", "aria-label": "Filter hosts", on: { submit: (event) => event.preventDefault() || again(), change: again, input: again } },
    h("div", { class: "field grow" }, h("label", { for: "hosts-part", text: "Host" }), part),
    h("div", { class: "field" }, h("label", { for: "hosts-crawl", text: "Crawl" }), crawl),
  );
  const heads = COLUMNS.map(([name, key, kind]) => {
    const node = h("th", { scope: "col", class: kind }, key ? h("button", { type: "button", class: "sort", on: { click: () => order(key) } }, name) : name);
    return { key, node };
  });
  const body = h("tbody");
  const table = h("table", { class: "hosts cards" }, h("caption", { class: "hidden", text: "Hosts with waiting requests, answers, errors and pauses" }), h("thead", {}, h("tr", {}, heads.map((head) => head.node))), body);
  const problem = notice();
  const none = h("p", { class: "empty", text: "No hosts." });
  const place = h("span", { class: "aside", role: "status" });
  const before = h("button", { type: "button", class: "button small-text", on: { click: () => turn(-PAGE) } }, "Previous");
  const after = h("button", { type: "button", class: "button small-text", on: { click: () => turn(PAGE) } }, "Next");
  const list = card("Hosts", form, h("div", { class: "scroll", tabindex: "0" }, table), none, problem.node, h("p", { class: "sub", text: "Done and errors count since the downloader started; waiting requests are those of all crawls." }), h("div", { class: "controls" }, before, after));
  list.querySelector("header").append(place);
  const moves = movesPanel();
  const node = h("div", { class: "view" }, h("h1", { class: "hidden", text: "Hosts" }), list, moves.node);
  let levels = [];
  const sync = keyed(body, (host) => `${host.host} ${host.mid}`, () => row(() => (crawl.value ? levels : []), (host, to) => moves.move({ host, to })));
  let sort = "waiting";
  let offset = 0;
  let known = "";
  let asked = 0;

  async function load() {
    const mine = ++asked;
    try {
      const { hosts, matching, silent = [] } = await api.hosts({ q: part.value.trim(), crawl: crawl.value, sort, offset, limit: PAGE });
      if (mine !== asked) return true;
      sync(hosts);
      show(table, hosts.length > 0);
      show(none, hosts.length === 0);
      setText(place, matching ? `${count(offset + 1)} to ${count(offset + hosts.length)} of ${count(matching)}` : "");
      before.disabled = offset === 0;
      after.disabled = offset + hosts.length >= matching;
      problem.say(silent.length ? `No answer from ${silent.join("; ")}` : undefined);
    } catch (error) {
      if (mine === asked) problem.fail(error);
      return !error.missing;
    }
    return true;
  }

  function again() {
    offset = 0;
    moves.update(crawl.value, levels);
    load();
  }

  function turn(by) {
    offset = Math.max(0, offset + by);
    load();
  }

  function order(key) {
    sort = key;
    mark();
    again();
  }

  function mark() {
    for (const { key, node: head } of heads) setAttr(head, "aria-sort", key === sort ? (key === "host" ? "ascending" : "descending") : undefined);
  }

  mark();
  const stop = repeat(EVERY, load);
  return {
    node,
    title: "Hosts",
    update: async ({ summary }) => {
      levels = summary ? summary.queue.levels.map((level) => level.priority) : [];
      moves.update(crawl.value, levels);
      const ids = summary ? await crawlIds(summary) : [];
      if (known === ids.join()) return;
      known = ids.join();
      const chosen = crawl.value;
      crawl.replaceChildren(h("option", { value: "" }, "all"), ...ids.map((id) => h("option", { value: id }, id)));
      crawl.value = chosen;
    },
    close: () => {
      stop();
      moves.close();
    },
  };
}

/** @param levels the priorities to choose from; none while no crawl is chosen */
function row(levels, move) {
  const choice = h("select", { "aria-label": "Move what waits to priority", on: { change: () => choose() } });
  let shown = "";
  let at = "";
  function choose() {
    const to = choice.value;
    choice.value = "";
    if (to !== "") move(at, Number(to));
  }
  const cells = COLUMNS.slice(1).map(([name, , kind]) => h("td", { class: kind, "data-label": name }));
  const name = h("th", { scope: "row" });
  cells[7].append(choice);
  return {
    node: h("tr", {}, name, cells),
    update: (host) => {
      setText(name, host.host);
      const values = [count(host.waiting), count(host.answered), count(host.errors), host.pause ? span(millis(host.pause)) : "–", next(host), words(host.robots ?? "–"), host.mid];
      values.forEach((value, i) => setText(cells[i], value));
      setAttr(cells[2], "class", host.errors ? "number bad" : "number");
      setAttr(cells[4], "class", host.silence ? "bad" : undefined);
      setAttr(cells[6], "class", "mid");
      at = host.host;
      const priorities = levels();
      show(choice, priorities.length > 1 && host.waiting > 0);
      if (shown !== priorities.join()) {
        shown = priorities.join();
        choice.replaceChildren(h("option", { value: "" }, "–"), ...priorities.map((p) => h("option", { value: String(p) }, `p${p}`)));
      }
    },
  };
}

function next(host) {
  if (host.silence?.givenUp) return `given up: ${host.silence.last}`;
  const failed = host.silence ? `, failed ${host.silence.failures === 1 ? "" : `${host.silence.failures} times `}(${host.silence.last})` : "";
  if (host.inFlight) return `now${host.inFlightFor && millis(host.inFlightFor) > 2000 ? `, for ${span(millis(host.inFlightFor))}` : ""}${failed}`;
  if (failed) return `${host.nextIn ? `in ${span(millis(host.nextIn))}` : "now"}${failed}`;
  if (!host.waiting) return "–";
  return host.nextIn ? `in ${span(millis(host.nextIn))}` : "now";
}
