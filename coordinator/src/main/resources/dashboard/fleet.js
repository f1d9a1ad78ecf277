// The processes and the channels between them.

import { api } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { h, keyed, setAttr, setText, show } from "./dom.js";
import { modulesOf, WORKING } from "./flow.js";
import { count, moment, plural, span, stateText } from "./format.js";
import { card, noticeList, pairs, timeline, troubles } from "./parts.js";
import { signList } from "./stop-sign.js";

const KINDS = [["D", "Downloaders"], ["A", "Analyzers"], ["P", "Pipelines"], ["C", "Coordinators"]];
const COLUMNS = [["MID", ""], ["Health", ""], ["Score", "number"], ["Handling", "number"], ["Called", "number"], ["Accepted", "number"], ["Completed", "number"], ["Failed", "number"], ["Running for", "number"]];
const FAILURES = { D: "unanswered request", A: "unparsed page", P: "rejected item", C: "seed" };
const REMEMBERED = 60_000;

export function fleetView() {
  const kinds = KINDS.map(([letter, name]) => kind(letter, name));
  const modules = h(
    "table",
    { class: "modules" },
    h("caption", { class: "hidden", text: "Modules by kind, with health and counts" }),
    h("thead", {}, h("tr", {}, COLUMNS.map(([label, type]) => h("th", { scope: "col", class: type }, label)))),
    kinds.map((one) => one.node),
  );
  const channels = channelTable();
  const resize = resizeForm();
  const changes = timeline("changes", (change) => change.channel);
  const signs = signList();
  const { node: notes, tell } = noticeList();
  const refused = pairs("Seeds refused", (name) => name.toLowerCase().replaceAll("_", " "), count);
  const node = h(
    "div",
    { class: "view fleet" },
    h("h1", { class: "hidden", text: "Fleet" }),
    notes,
    card("Modules", h("div", { class: "scroll", tabindex: "0" }, modules)),
    h("div", { class: "row two-one" }, card("Channels", h("div", { class: "scroll", tabindex: "0" }, channels.node), resize.node, changes.node, refused.node), card("Stop signs", signs.node)),
  );
  return {
    node,
    title: "Fleet",
    update: ({ summary }) => {
      if (!summary) return;
      for (const one of kinds) one.update(summary);
      channels.update(summary.queue);
      resize.update(summary);
      changes.update((summary.queue.changes ?? []).map(({ done, ...change }) => ({ at: done, ...change })));
      tell([], [...troubles(summary), ...(summary.notes ?? [])]);
      const sums = new Map();
      for (const map of [summary.queue.refused, summary.queue.refusedCalls]) {
        for (const [reason, n] of Object.entries(map ?? {})) sums.set(reason, (sums.get(reason) ?? 0) + n);
      }
      refused.update([...sums]);
      show(refused.node, sums.size > 0);
    },
    close: () => signs.close(),
  };
}

/** The live modules of a kind, and for a minute those that have left. */
function kind(letter, name) {
  const number = h("span", { class: "aside" });
  const heading = { title: true, mid: "" };
  const titleRow = h("tr", { class: "group" }, h("th", { scope: "rowgroup", colspan: COLUMNS.length }, name, " ", number));
  const body = h("tbody");
  const sync = keyed(body, (module) => module.mid, (module) => (module.title ? { node: titleRow } : moduleRow()));
  const seen = new Map();
  return {
    node: body,
    update: (summary) => {
      const live = modulesOf(summary, letter);
      const now = Date.now();
      for (const module of live) seen.set(module.mid, { module, at: now });
      for (const [mid, { at }] of seen) if (now - at > REMEMBERED) seen.delete(mid);
      const all = [...seen.values()].map(({ module, at }) => ({ ...module, gone: at !== now, leads: module.mid === summary.leader }));
      all.sort((a, b) => serial(a.mid) - serial(b.mid));
      setText(number, live.length ? count(live.length) : "none is running");
      sync([heading, ...all]);
    },
  };
}

function serial(mid) {
  return Number(/^[A-Z](\d+)/.exec(mid)?.[1] ?? 0);
}

function moduleRow() {
  const link = h("a", {});
  const mid = h("th", { scope: "row", class: "mid" }, link);
  const pill = h("span", { class: "pill" });
  const cells = COLUMNS.slice(2).map(() => h("td", { class: "number" }));
  const node = h("tr", {}, mid, h("td", {}, pill), cells);
  return {
    node,
    update: (module) => {
      const { counts } = module;
      const tone = module.gone ? "gone" : WORKING.has(module.state.phase) ? "run" : "pass";
      setAttr(node, "class", module.gone ? "gone" : null);
      setText(link, module.mid);
      setAttr(link, "href", `#/module/${encodeURIComponent(module.mid)}`);
      setAttr(pill, "class", `pill ${tone}`);
      setText(pill, module.gone ? "has left" : stateText(module.state));
      const values = [module.score, counts.handling, counts.called, counts.accepted, counts.completed].map(count);
      values.push(counts.failed ? plural(counts.failed, FAILURES[module.mid[0]]) : "0");
      values.push(span(Date.now() - Date.parse(module.since)));
      values.forEach((value, i) => setText(cells[i], value));
      setAttr(node, "title", `since ${moment(module.since)}${module.state.detail ? `: ${module.state.detail}` : ""}`);
    },
  };
}

function channelTable() {
  const body = h("tbody");
  const line = h("caption");
  const node = h(
    "table",
    {},
    line,
    h("thead", {}, h("tr", {}, [["Channel", ""], ["Backlog", "number"], ["Capacity", "number"], ["Pushed", "number"], ["Popped", "number"], ["Waiting", "number"], ["Abandoned", "number"]].map(([name, type]) => h("th", { scope: "col", class: type }, name)))),
    body,
  );
  const sync = keyed(body, (row) => row.name, (row) => {
    const cells = ["backlog", "capacity", "pushed", "popped", "waiting", "abandoned"].map((key) => ({ key, node: h("td", { class: "number", "data-value": `${row.name}-${key}` }) }));
    return {
      node: h("tr", {}, h("th", { scope: "row" }, row.name), cells.map((cell) => cell.node)),
      update: (now) => cells.forEach(({ key, node: cell }) => setText(cell, key === "capacity" && now.capacity === undefined ? "no limit" : now[key] === null ? "" : count(now[key]))),
    };
  });
  return {
    node,
    update: (queue) => {
      const rest = { pushed: null, popped: null, waiting: null, abandoned: null };
      sync([
        ...queue.levels.map((level) => ({ name: `requests p${level.priority}`, ...level })),
        { name: "responses", ...rest, backlog: queue.responses.backlog, capacity: queue.responses.limit },
        { name: "items", ...rest, backlog: queue.items.backlog, capacity: queue.items.limit },
      ]);
      const now = queue.replacement;
      const left = now && now.secondsLeft !== undefined ? `, about ${count(now.secondsLeft)} s` : "";
      const doing = queue.relaying ? `; responses get ${queue.relaying.to} partitions instead of ${queue.relaying.from}: those of the former ones are handled first` : "";
      setText(line, now ? `replacing generation ${now.from} by ${now.to}: ${count(now.forwarded)} forwarded, ${count(now.left)} left${left}` : `${queue.status}, ${plural(queue.pushed, "request")} pushed, ${count(queue.popped)} popped${doing}`);
    },
  };
}

/** Changes the counts of request topics and of the partitions of items, responses and the ledger, after the plan is confirmed. */
function resizeForm() {
  const input = (name, most) => h("input", { type: "number", name, min: 1, max: most, required: true });
  const partitions = input("partitions", 10_000);
  const levels = input("levels", 10);
  const items = input("items", 10_000);
  const responses = input("responses", 10_000);
  const ledger = input("ledger", 1000);
  const button = h("button", { type: "submit", class: "button" }, "Resize ...");
  const node = h("form", { class: "controls resize", on: { submit } }, h("label", {}, "Partitions of requests ", partitions), h("label", {}, "Priorities ", levels), h("label", {}, "Partitions of items ", items), h("label", {}, "Partitions of responses ", responses), h("label", {}, "Partitions of the ledger, for new runs ", ledger), button);
  let shown = "";

  async function submit(event) {
    event.preventDefault();
    const counts = { partitions: Number(partitions.value), levels: Number(levels.value), items: Number(items.value), responses: Number(responses.value), ledger: Number(ledger.value) };
    const plan = await attempt("", () => api.resize(counts, true));
    if (!plan) return;
    const asked = await confirm({
      title: "Change the channels?",
      text: effect(plan),
      action: "Resize",
    });
    if (asked) await attempt("The channels are being changed", () => api.resize(counts, false));
  }

  return {
    node,
    update: ({ channels, queue }) => {
      const now = channels ? `${channels.partitions}/${channels.levels}/${channels.items}/${channels.responses}/${channels.ledger}` : "";
      if (now && now !== shown) {
        partitions.value = channels.partitions;
        levels.value = channels.levels;
        items.value = channels.items;
        responses.value = channels.responses;
        ledger.value = channels.ledger;
        shown = now;
      }
      show(node, Boolean(channels));
      const laying = channels && channels.layout && (channels.layout.closing || channels.layout.left);
      setAttr(button, "disabled", queue.replacement || laying ? "" : null);
    },
  };
}

/** What a plan says, without what does not change. */
function effect({ partitions, levels, items, responses, ledger, waiting, restSeconds, hosts, complete }) {
  const counts = [[items, "partitions of items"], [responses, "partitions of responses"], [ledger, "partitions of the ledger for new runs"], [partitions, "partitions of requests"], [levels, "priorities"]];
  const changes = counts.filter(([{ from, to }]) => from !== to).map(([{ from, to }, noun]) => `${from} to ${to} ${noun}`).join(", ");
  const requests = partitions.from !== partitions.to || levels.from !== levels.to;
  const effects = requests
    ? [`Up to ${plural(waiting, "request")} are forwarded, and nothing is fetched for up to ${restSeconds} s.`, `${plural(hosts.length, "host")} ${complete ? "" : "or more "}with waiting requests change their partition.`]
    : ["Downloads go on, and no request is forwarded."];
  if (responses.from !== responses.to) effects.push("Analyzers handle the responses of the former partitions first.");
  return `${changes}. ${effects.join(" ")}`;
}
