// The first view: the current state of the deployment.

import { chart, legend } from "./chart.js";
import { crawlTable } from "./crawls.js";
import { h, setAttr, setText, show } from "./dom.js";
import { errorList } from "./errors.js";
import { flow } from "./flow.js";
import { bytes, count, plural, rate } from "./format.js";
import { card, noticeList, troubles } from "./parts.js";
import { chooseMinutes, chosenMinutes } from "./store.js";

const DAY = 86_400_000;

export function overview() {
  const speeds = [
    speed("Pages", "pages", 1, rate, "/s", (rates) => [rates.pages1m, rates.pages5m]),
    speed("Data", "bytes", 2, bytes, "/s", (rates) => [rates.bytes1m, rates.bytes5m]),
    speed("Errors", "errors", 3, rate, "/s", (rates) => [rates.errors1m, rates.errors5m]),
  ];
  const backlog = backlogCard();
  const table = crawlTable();
  const empty = h("p", { class: "empty" }, "No crawl yet. ", h("button", { type: "button", class: "link", "data-open": "new-crawl" }, "Define the first one"), ".");
  const crawls = card("Crawls", table.node, empty);
  const tally = h("span", { class: "aside" });
  crawls.querySelector("header").append(tally, h("button", { type: "button", class: "button primary small-text", "data-open": "new-crawl" }, "New crawl"));
  const stages = flow();
  const spans = spanChoice();
  const { node: notes, tell } = noticeList();
  const errors = errorList({ limit: 8, compact: true });
  const node = h(
    "div",
    { class: "view overview" },
    h("h1", { class: "hidden", text: "Overview" }),
    notes,
    spans.node,
    h("div", { class: "row speeds" }, speeds.map((one) => one.node), backlog.node),
    stages.node,
    crawls,
    card("Newest errors", errors.node),
  );
  return {
    node,
    title: "Overview",
    update: (state) => {
      if (!state.summary) return;
      tell([], [...troubles(state.summary), ...(state.summary.notes ?? [])]);
      for (const one of speeds) one.update(state);
      // The ledger, which knows the hours, has no backlogs.
      show(backlog.node, chosenMinutes() === 0);
      backlog.update(state);
      stages.update(state.summary);
      const { counts } = state.summary;
      table.update(state.summary);
      show(table.node, counts.all > 0);
      show(empty, counts.all === 0);
      setText(tally, `${plural(counts.all, "crawl")}, ${count(counts.conditions.started ?? 0)} started`);
    },
    asks: table.asks,
    close: () => errors.close(),
  };
}

/** Ten minutes, or the hours that the history has, for all charts of this view. */
function spanChoice() {
  const choices = [["10 minutes", 0], ["2 hours", 120], ["24 hours", 1440]].map(([name, minutes]) => {
    const node = h("button", { type: "button", class: "button small-text", "aria-pressed": String(chosenMinutes() === minutes), on: { click: () => choose(minutes) } }, name);
    return { minutes, node };
  });
  function choose(minutes) {
    chooseMinutes(minutes);
    for (const { minutes: own, node } of choices) setAttr(node, "aria-pressed", String(own === minutes));
  }
  return { node: h("div", { class: "controls spans", role: "group", "aria-label": "Span of the charts" }, choices.map(({ node }) => node)) };
}

function speed(name, key, colour, format, unit, of) {
  const now = h("span", { class: "figure", "data-value": `${key}-now` });
  const means = h("span", { class: "aside" });
  const picture = chart({ label: `${name} per second`, series: [{ key, label: name, colour }], format: (n) => format(n), longest: DAY });
  const node = card(`${name} per second`, h("p", { class: "headline" }, now, h("span", { class: "unit", text: unit }), means), picture.node);
  return {
    node,
    update: ({ points, summary }) => {
      const last = points[points.length - 1];
      setText(now, last ? format(last.values[key]) : "–");
      const [one, five] = summary.rates ? of(summary.rates) : [];
      setText(means, one === undefined ? "" : `1 min ${format(one)}${five === undefined ? "" : `, 5 min ${format(five)}`}`);
      picture.update(points);
    },
  };
}

function backlogCard() {
  const total = h("span", { class: "figure", "data-value": "backlog-now" });
  const place = h("div");
  const rest = h("span", { class: "aside" });
  const node = card("Backlog", h("p", { class: "headline" }, total, h("span", { class: "unit", text: "waiting" }), rest), place);
  let series = [];
  let picture;
  let names;

  function build(levels) {
    const priorities = levels.map(({ priority }, i) => ({ key: `requests.p${priority}`, label: `Requests p${priority}`, colour: 4 + Math.min(i, 2) }));
    series = [{ key: "items", label: "Items", colour: 8 }, { key: "responses", label: "Responses", colour: 7 }, ...priorities.reverse()];
    picture = chart({ label: "Backlog by stage", series, stacked: true, format: count, height: 98, longest: DAY });
    names = legend([...series].reverse(), count);
    place.replaceChildren(picture.node, names.node);
  }

  return {
    node,
    update: ({ points, summary }) => {
      const { levels } = summary.queue;
      if (!picture || series.length !== levels.length + 2) build(levels);
      const last = points[points.length - 1];
      setText(total, last ? count(series.reduce((sum, one) => sum + (last.values[one.key] ?? 0), 0)) : "–");
      const { left } = summary.counts;
      setText(rest, left ? `${count(left)} of stopped crawls` : "");
      picture.update(points);
      names.update(last);
    },
  };
}
