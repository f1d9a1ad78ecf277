// Explains a URL or a host, and previews a page.

import { api } from "./api.js";
import { h } from "./dom.js";
import { bytes, count, moment, words } from "./format.js";
import { card, notice } from "./parts.js";
import { selectorCard } from "./selector.js";
import { crawlIds } from "./store.js";

/** Each is a question to Redis and, if it knows the URL, a search of topics. */
const MOST_CRAWLS = 50;

export function probeView() {
  const url = h("input", { id: "probe-url", name: "url", required: true, autocomplete: "off", spellcheck: "false", placeholder: "https://example.org/page or a host" });
  const crawl = h("select", { id: "probe-crawl", name: "crawl" });
  const explain = h("button", { class: "button primary", type: "submit", value: "explain" }, "Explain");
  const preview = h("button", { class: "button", type: "submit", value: "preview" }, "Preview");
  const problem = notice();
  const result = h("div", { class: "stack", "aria-live": "polite" });
  const form = h(
    "form",
    { class: "inline probe", on: { submit } },
    h("div", { class: "field grow" }, h("label", { for: "probe-url", text: "URL or host" }), url),
    h("div", { class: "field" }, h("label", { for: "probe-crawl", text: "Crawl" }), crawl),
    explain,
    preview,
  );
  const help = h("p", { class: "sub" }, "Explain tells what a crawl, or each crawl that knows it, knows about a URL or a host, and why it waits. Preview fetches a page now, shows its links and items, and lets you try selectors on it; it changes no crawl.");
  const node = h("div", { class: "view probe-view" }, h("h1", { class: "hidden", text: "Look up" }), card("Look up", form, help, problem.node), result);
  let known = [];
  let asked = 0;

  async function submit(event) {
    event.preventDefault();
    const turn = ++asked;
    const wanted = event.submitter === preview ? preview : explain;
    problem.say(wanted === preview ? "Fetching …" : "Searching …");
    result.replaceChildren();
    try {
      const shown = wanted === preview ? drawPreview(await api.preview(question())) : await explanations(() => turn === asked);
      if (turn !== asked) return;
      problem.say();
      result.replaceChildren(...shown);
    } catch (error) {
      if (turn === asked) problem.fail(error);
    }
  }

  function question() {
    return { url: url.value.trim(), ...(crawl.value ? { crawl: crawl.value } : {}) };
  }

  function asking(id) {
    const text = url.value.trim();
    return { crawl: id, ...(/^[a-z]+:/i.test(text) && text.includes("//") ? { url: text } : { host: text }) };
  }

  /** Of the chosen crawl; else of each that knows the URL or the host, or of one that tells why none does. */
  async function explanations(wanted) {
    if (crawl.value || known.length === 0) return [drawExplanation(crawl.value, await api.explain(asking(crawl.value)))];
    const ids = known.slice(0, MOST_CRAWLS);
    const knowing = [];
    let other;
    for (const id of ids) {
      if (!wanted()) return [];
      const explanation = await api.explain(asking(id));
      if (["UNKNOWN", "REFUSED"].includes(explanation.state)) other ??= drawExplanation(id, explanation);
      else knowing.push(drawExplanation(id, explanation));
    }
    if (ids.length < known.length) knowing.push(h("p", { class: "sub" }, `The first ${count(ids.length)} crawls were asked; choose another by its name.`));
    return knowing.length ? knowing : [other];
  }

  return {
    node,
    title: "Look up",
    update: async ({ summary }) => {
      const ids = summary ? await crawlIds(summary) : [];
      if (known.join() === ids.join()) return;
      known = ids;
      const before = ids.includes(crawl.value) ? crawl.value : ids.length === 1 ? ids[0] : "";
      crawl.replaceChildren(...ids.map((id) => h("option", { value: id }, id)), h("option", { value: "" }, "all crawls"));
      crawl.value = before;
    },
  };
}

/** A part of a response as a list of names and values, including fields that later versions add. */
function facts(values) {
  const rows = [];
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)) continue;
    const text = typeof value === "object" ? Object.entries(value).map(([key, v]) => `${key} ${typeof v === "object" ? JSON.stringify(v) : shown(key, v)}`).join(", ") : shown(name, value);
    rows.push(h("dt", { text: label(name) }), h("dd", { text }));
  }
  return h("dl", { class: "about wide-about" }, rows);
}

function label(name) {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shown(name, value) {
  if (name === "bytes") return bytes(value);
  if (["at", "since", "until"].includes(name)) return moment(value);
  return /^[A-Z_]+$/.test(String(value)) ? words(value) : String(value);
}

function drawExplanation(id, { story = [], state }) {
  const explanation = card(id || "Explanation", h("ol", { class: "story" }, story.map((sentence) => h("li", { text: sentence }))));
  if (state) explanation.querySelector("header").append(h("span", { class: "pill rest", text: words(state) }));
  return explanation;
}

function drawPreview({ page, response = {}, links = [], items = [], dropped = [], errors = [], ...rest }) {
  const admitted = links.filter((link) => link.verdict === "ADMITTED").length;
  const rows = links.map((link) => {
    const fine = link.verdict === "ADMITTED";
    return h("tr", {}, h("td", { class: "wide" }, h("span", { class: "url", text: link.url })), h("td", {}, h("span", { class: fine ? "tag good" : "tag", text: fine ? "admitted" : words(link.verdict) }), link.nofollow ? h("span", { class: "tag", text: "nofollow" }) : null, link.priorityRule ? h("span", { class: "tag", text: `priority by ${link.priorityRule}` }) : null));
  });
  const cards = [card("Response", facts({ ...rest, ...response }))];
  if (page) cards.push(selectorCard(page));
  for (const item of items) cards.push(card("Item", facts(flat(item))));
  if (dropped.length) cards.push(card("Dropped items", h("ul", {}, dropped.map((why) => h("li", {}, why)))));
  const table = h("table", {}, h("caption", { class: "hidden", text: "Links" }), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Link"), h("th", { scope: "col" }, "Verdict"))), h("tbody", {}, rows));
  const list = card("Links", rows.length ? h("div", { class: "scroll tall" }, table) : h("p", { class: "empty", text: "None." }));
  list.querySelector("header").append(h("span", { class: "aside", text: `${count(admitted)} of ${count(links.length)} admitted` }));
  cards.push(list);
  if (errors.length) cards.push(card("Errors", h("ul", {}, errors.map((error) => h("li", {}, typeof error === "string" ? error : `${words(error.kind)}: ${error.cause}`)))));
  return cards;
}

/** The fields of an item, long texts cut. */
function flat(item) {
  const { fields, data, links, ...rest } = item;
  const all = { ...rest, ...(fields ?? {}), ...(data ?? {}) };
  if (Array.isArray(links)) all.links = count(links.length);
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === "string" && value.length > 400) all[name] = `${value.slice(0, 400)} …`;
  }
  return all;
}
