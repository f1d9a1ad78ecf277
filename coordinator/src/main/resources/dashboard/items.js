// The stored items of a crawl: a list, newest first, and one item in full.

import { api } from "./api.js";
import { attempt } from "./dialogs.js";
import { h, setText, show } from "./dom.js";
import { count, moment, words } from "./format.js";
import { card, notice } from "./parts.js";

const PAGE = 50;
const LONG = 20_000;

const MOST_RUNS = 100;

/** The items of a run of a crawl, `#/crawl/docs/items?run=3`; of the present run if the address names none. */
export function itemsView(id, run) {
  const address = `#/crawl/${encodeURIComponent(id)}/items`;
  const runs = h("select", { id: "items-run", on: { change: () => (location.hash = `${address}?run=${runs.value}`) } });
  const ofRun = h("div", { class: "field", hidden: true }, h("label", { for: "items-run", text: "Run" }), runs);
  const url = h("input", { id: "items-url", name: "url", type: "search", autocomplete: "off", spellcheck: "false", placeholder: "/guide/" });
  const kind = h("select", { id: "items-kind", name: "kind" }, h("option", { value: "" }, "pages and errors"), h("option", { value: "page" }, "pages"), h("option", { value: "error" }, "errors"));
  const form = h(
    "form",
    { class: "inline filters", role: "search", "aria-label": "Filter items", on: { submit: (event) => event.preventDefault() || begin(), change: begin } },
    h("div", { class: "field grow" }, h("label", { for: "items-url", text: "Text in the URL" }), url),
    h("div", { class: "field" }, h("label", { for: "items-kind", text: "Kind" }), kind),
    ofRun,
    h("button", { class: "button", type: "submit" }, "Search"),
    h("button", { class: "button", type: "button", "data-do": "download", on: { click: () => attempt(undefined, () => save(id, filter())) } }, "Download"),
  );
  const body = h("tbody");
  const columns = ["Fetched", "Status", "URL and title", "Found on"];
  const table = h("table", { class: "items cards" }, h("caption", { class: "hidden", text: "Stored items, newest first" }), h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, name)))), body);
  const problem = notice();
  const state = h("p", { class: "empty", role: "status" });
  const more = h("button", { type: "button", class: "button", hidden: true, on: { click: () => load() } }, "Older items");
  const node = h("div", { class: "view" }, crumbs([id, `#/crawl/${encodeURIComponent(id)}`]), h("h1", {}, `Items of ${id}`), card("Newest first", form, h("div", { class: "scroll", tabindex: "0" }, table), problem.node, state, h("div", { class: "controls" }, more)));
  let turn = 0;
  let cursor;

  const filter = () => ({ url: url.value.trim(), kind: kind.value, epoch: run });

  function begin() {
    turn++;
    cursor = undefined;
    body.replaceChildren();
    load();
  }

  async function load() {
    const mine = turn;
    more.disabled = true;
    setText(state, "Reading …");
    try {
      const page = await api.items(id, { ...filter(), cursor, limit: PAGE, brief: true });
      if (mine !== turn) return;
      body.append(...page.items.map(({ place, item }) => row(address, place, item, run)));
      cursor = page.next;
      problem.say();
      setText(state, page.complete ? (body.children.length ? "" : "No items.") : page.items.length < PAGE ? `${count(page.scanned)} older items were read.` : "");
      show(more, !page.complete);
    } catch (error) {
      if (mine !== turn) return;
      setText(state, "");
      problem.fail(error);
    } finally {
      more.disabled = false;
    }
    show(table, body.children.length > 0);
  }

  function update({ summary }) {
    const newest = summary?.crawls.find((crawl) => crawl.crawl === id)?.epoch ?? 1;
    show(ofRun, newest > 1);
    if (runs.length >= Math.min(newest, MOST_RUNS) || newest === 1) return;
    const numbers = Array.from({ length: Math.min(newest, MOST_RUNS) }, (_, i) => String(newest - i));
    runs.replaceChildren(...numbers.map((number) => h("option", { value: number, selected: number === (run ?? String(newest)) }, number)));
  }

  begin();
  return { node, title: `Items of ${id}`, asks: () => ({ crawls: id }), update, close: () => turn++ };
}

function row(address, place, item, run) {
  const error = item.cause !== undefined;
  return h(
    "tr",
    {},
    h("td", { class: "time", "data-label": "Fetched" }, moment(item.fetchedAt)),
    h("td", { "data-label": "Status" }, h("span", { class: error ? "tag bad" : "tag good", text: String(item.status ?? words(item.reason ?? item.kind ?? "–")) })),
    h("td", { class: "wide", "data-label": "URL" }, h("a", { class: "url", href: `${address}/${encodeURIComponent(place)}${run ? `?run=${run}` : ""}`, text: item.url }), item.method ? h("span", { class: "tag", text: item.method }) : null, h("span", { class: "sub", text: item.title ?? item.cause ?? "" })),
    h("td", { class: "wide", "data-label": "Found on" }, item.parent ? h("span", { class: "url", text: item.parent }) : h("span", { class: "sub", text: item.depth === 0 ? "a seed" : "–" })),
  );
}

/** One item in full, `#/crawl/docs/items/i3.120.4567`. */
export function itemView(id, place, run) {
  const problem = notice();
  const content = h("div", { class: "stack" });
  const node = h("div", { class: "view" }, crumbs([id, `#/crawl/${encodeURIComponent(id)}`], ["Items", `#/crawl/${encodeURIComponent(id)}/items${run ? `?run=${run}` : ""}`]), h("h1", {}, "Item"), problem.node, content);
  api.item(id, place, run).then(
    ({ item }) => content.replaceChildren(...cards(item)),
    (error) => problem.fail(error),
  );
  return { node, title: `Item of ${id}`, update: () => {} };
}

function cards({ text, links, ...fields }) {
  const rows = Object.entries(fields).flatMap(([name, value]) => [h("dt", { text: name }), h("dd", { text: typeof value === "object" ? JSON.stringify(value) : String(value) })]);
  const all = [card("Fields", h("dl", { class: "about wide-about" }, rows))];
  if (text) all.push(card("Text", h("div", { class: "item-text", tabindex: 0, role: "region", "aria-label": "Text of the page" }, text.length > LONG ? `${text.slice(0, LONG)} …` : text)));
  if (Array.isArray(links)) all.push(card(`Links (${count(links.length)})`, h("ul", { class: "item-text", tabindex: 0, "aria-label": "Links of the page" }, links.slice(0, 1000).map((link) => h("li", { text: typeof link === "string" ? link : link.url })))));
  return all;
}

/** The way back. */
export function crumbs(...links) {
  return h("nav", { "aria-label": "Breadcrumb", class: "crumbs" }, [["Overview", "#/"], ...links].flatMap(([name, href], i) => [i ? " / " : null, h("a", { href, text: name })]));
}

async function save(id, filter) {
  const blob = await api.download(id, filter);
  const link = h("a", { href: URL.createObjectURL(blob), download: `${id}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
