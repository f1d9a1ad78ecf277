// One crawl in full.

import { api } from "./api.js";
import { balanceLine } from "./balance.js";
import { controls, progressBar, speedOf, statePill } from "./crawls.js";
import { chart, legend } from "./chart.js";
import { attempt, confirm } from "./dialogs.js";
import { h, keyed, setText, show } from "./dom.js";
import { errorList, eventList } from "./errors.js";
import { byCount, bytes, count, millis, moment, plural, rate, span, words } from "./format.js";
import { editText } from "./definition.js";
import { clone, edit } from "./new-crawl.js";
import { card, notice, noticeList, pairs, repeat, troubles } from "./parts.js";
import { signList } from "./stop-sign.js";
import { refresh } from "./store.js";

const DAY = 86_400_000;
const MINUTE = 60_000;

const TILES = [
  ["Pages", ({ totals }) => count(totals.pages)],
  ["Unchanged", ({ totals }) => count(totals.unchanged ?? 0)],
  ["Redirects", ({ totals }) => count(totals.redirects)],
  ["HTTP errors", ({ totals }) => count(totals.httpErrors)],
  ["Failures", ({ totals }) => count(totals.failures)],
  ["Refusals", ({ refusals }) => count(Object.values(refusals ?? {}).reduce((sum, n) => sum + n, 0))],
  ["Waiting", ({ totals }) => count(totals.waiting)],
  ["Stored", ({ totals }) => count(totals.items.stored)],
  ["Data", ({ totals }) => bytes(totals.bytes)],
  ["Pages/s", (crawl) => rate(speedOf(crawl))],
  ["Time", ({ elapsed }) => span(millis(elapsed))],
  ["Left", ({ remaining }) => (remaining ? `about ${span(millis(remaining))}` : "–")],
];

function visitsText(visits) {
  if (!visits?.later) return "";
  return `: ${count(visits.made)} of ${count(visits.made + visits.later)} pages${visits.overdue ? `, ${count(visits.overdue)} overdue` : ""}`;
}

export function crawlView(id) {
  const pill = statePill();
  const actions = controls(true);
  const bar = progressBar();
  const sub = h("p", { class: "sub" });
  const tiles = TILES.map(([label, of]) => {
    const value = h("dd", { "data-value": label });
    const title = h("dt", { text: label });
    const node = h("div", {}, title, value);
    return {
      node,
      update: (crawl) => {
        if (label === "Unchanged") show(node, crawl.refreshes !== undefined);
        // A crawl that has ended fetches nothing more, unless it is started again.
        if (label === "Waiting") setText(title, crawl.state === "STOPPED" && crawl.totals.waiting ? "Left when it ended" : label);
        setText(value, of(crawl));
      },
    };
  });
  const balance = balanceLine();
  const kinds = pairs("Errors by kind", wordsOf, count);
  const dropped = pairs("Items dropped, by processor and reason", (reason) => reason, count);
  const rejected = pairs("Items rejected, by processor and failure", (reason) => reason, count);
  const empty = pairs("Fields left empty", (field) => field, count);
  const refusals = pairs("Refusals, by reason", words, count);
  const byRule = pairs("Refusals, by rule of the scope", (rule) => rule, count);
  const levels = pairs("Waiting, by priority", (p) => `p${p}`, count);
  const stray = h("div", { class: "stray" });
  const { node: notes, tell } = noticeList();
  const about = h("dl", { class: "about" });
  const domains = domainPanel(id);
  const seeds = seedPanel(id);
  const signs = signList({ crawl: id });
  const errors = errorList({ limit: 50, filter: { crawl: id } });
  const events = eventList({ crawl: id });
  const tools = toolbar(id);
  const runs = runTable(id);
  const pace = paceCard(id);
  const body = h(
    "div",
    { class: "stack" },
    h("section", { class: "card", "aria-label": "Status" }, bar.node, h("dl", { class: "tiles" }, tiles.map((tile) => tile.node)), balance.node, notes, stray),
    pace.node,
    h("div", { class: "row three" }, card("Outcomes", kinds.node, dropped.node, rejected.node, empty.node, refusals.node, byRule.node, levels.node), domains.node, card("Definition", about, seeds.node)),
    // Behind all that is clicked, since it comes later than the rest.
    runs.node,
    h("div", { class: "row two-one" }, card("Errors", errors.node), h("div", { class: "stack" }, card("Events", events.node), card("Stop sign", signs.node))),
  );
  const gone = h("p", { class: "empty", text: `There is no crawl with the name ${id}.` });
  const node = h(
    "div",
    { class: "view crawl" },
    h("nav", { "aria-label": "Breadcrumb", class: "crumbs" }, h("a", { href: "#/" }, "Overview")),
    h("div", { class: "crawl-head" }, h("div", {}, h("h1", {}, id), sub), pill.node, tools.node, actions.node),
    gone,
    body,
  );
  let shown = "";
  return {
    node,
    title: id,
    asks: () => ({ crawls: id }),
    update: ({ summary }) => {
      if (summary?.asked.crawls !== id) return;
      const crawl = summary.crawls.find((one) => one.crawl === id);
      show(gone, !crawl);
      show(body, Boolean(crawl));
      show(pill.node, Boolean(crawl));
      show(actions.node, Boolean(crawl));
      show(tools.node, Boolean(crawl));
      if (!crawl) return;
      pill.update(crawl);
      actions.update(crawl);
      bar.update(crawl);
      for (const tile of tiles) tile.update(crawl);
      balance.update(crawl);
      for (const [list, counts] of [[dropped, crawl.droppedItems], [rejected, crawl.rejectedItems], [empty, crawl.totals.items.fieldErrors], [byRule, crawl.refusalsByRule]]) {
        list.update(byCount(counts));
        show(list.node, Object.keys(counts ?? {}).length > 0);
      }
      setText(sub, `Run ${crawl.epoch}${crawl.refreshes ? `, refreshes run ${crawl.refreshes}${visitsText(crawl.visits)}` : ""}${crawl.startedAt ? `, started ${moment(crawl.startedAt)}` : ", not started yet"}${crawl.end ? `, ended ${moment(crawl.end.at)}` : ""}${crawl.closedAt ? `, closed ${moment(crawl.closedAt)}` : ""}${crawl.nextRun ? `, next run ${moment(crawl.nextRun)}` : ""}`);
      tools.update(crawl);
      runs.update(crawl);
      pace.update(crawl);
      kinds.update(byCount(crawl.errorsByKind));
      refusals.update(byCount(crawl.refusals));
      levels.update(Object.entries(crawl.waitingByPriority ?? {}).sort(([a], [b]) => b - a));
      domains.update(crawl.domains ?? []);
      const faults = crawl.faults ?? [];
      tell((crawl.notes ?? []).filter((note) => !faults.includes(note)), [...troubles(summary), ...faults]);
      drawStray(stray, crawl.straySeeds ?? [], id);
      const definition = JSON.stringify([crawl.crawl, crawl.epoch, crawl.definition, crawl.definedSeeds]);
      if (shown !== definition) {
        shown = definition;
        drawDefinition(about, crawl.definition);
        // Summaries leave seeds out, as there may be very many.
        api.crawl(id).then(
          (whole) => shown === definition && drawDefinition(about, whole.definition),
          () => (shown = ""),
        );
      }
    },
    close: () => {
      errors.close();
      events.close();
      signs.close();
      domains.close();
      runs.close();
      pace.close();
    },
  };
}

/** Links and commands of a crawl beside those of every list. */
function toolbar(id) {
  const definition = async (use) => {
    const whole = await attempt(undefined, () => api.crawl(id));
    if (whole?.definition) use(id, whole.definition);
  };
  const button = (name, label, command) => h("button", { type: "button", class: "button", "data-do": name, on: { click: command } }, label);
  const again = button("retry", "Retry failures", async () => {
    const asked = await confirm({
      title: `Retry the failed URLs of ${id}?`,
      text: "A crawl of its own fetches every URL of this run that ended with an error, and follows links to pages that this run does not know.",
      action: "Retry",
    });
    const retry = asked ? await attempt(undefined, () => api.retry(id)) : undefined;
    if (!retry) return;
    await attempt(`${retry.crawl} fetches ${plural(retry.urls, "URL")} again`, async () => true);
    await refresh();
    location.hash = `#/crawl/${encodeURIComponent(retry.crawl)}`;
  });
  let open = true;
  const close = button("close", "Close", async () => {
    if (open) await attempt(`${id} is closed: it gets no new request`, () => api.close(id));
    else await attempt(`${id} is open`, () => api.start(id));
    await refresh();
  });
  const freshness = h("a", { class: "button", href: `#/crawl/${encodeURIComponent(id)}/freshness` }, "Freshness");
  const node = h("div", { class: "controls" }, h("a", { class: "button", href: `#/crawl/${encodeURIComponent(id)}/items` }, "Items"), freshness, again, close, button("edit", "Edit", () => definition(edit)), button("edit-text", "Edit as text", () => editText(id)), button("clone", "Clone", () => definition(clone)));
  return {
    node,
    update: ({ totals, closedAt, state, definition, epoch }) => {
      show(freshness, definition?.refresh !== undefined || epoch > 1);
      again.disabled = totals.httpErrors + totals.failures === 0;
      open = closedAt === undefined;
      setText(close, open ? "Close" : "Open");
      // The start of a crawl that rests opens it.
      close.disabled = !open && state !== "STARTED";
    },
  };
}

/** The newest hundred runs of which there are events, by epoch, the newest first: `{ started, ended, totals }`. */
export function runsOf(events) {
  const runs = new Map();
  for (const event of [...events].reverse()) {
    const run = runs.get(event.epoch) ?? {};
    if (event.type.endsWith("started")) run.started ??= event.at;
    if (event.totals) Object.assign(run, { ended: event.at, totals: event.totals });
    runs.set(event.epoch, run);
  }
  return [...runs].filter(([epoch, { started }]) => epoch !== undefined && started).sort(([a], [b]) => b - a).slice(0, 100);
}

/** The runs of a crawl with their totals, as far as events of them are kept. */
function runTable(id) {
  const body = h("tbody");
  const names = [["Run", ""], ["Started", ""], ["Ended", ""], ["Pages", "number"], ["Errors", "number"], ["Data", "number"]];
  const table = h("table", { class: "runs cards" }, h("caption", { class: "hidden", text: "Runs, newest first" }), h("thead", {}, h("tr", {}, names.map(([name, kind]) => h("th", { scope: "col", class: kind }, name)))), body);
  const node = card("Runs", h("div", { class: "scroll", tabindex: "0" }, table));
  node.hidden = true;
  let shown = "";
  const stop = repeat(5000, async () => {
    try {
      draw(await api.events({ crawl: id, limit: 1000 }));
    } catch (error) {
      return !error.missing;
    }
    return true;
  });

  function draw(events) {
    const list = runsOf(events);
    show(node, list.length > 1);
    const wanted = JSON.stringify(list);
    if (shown === wanted) return;
    shown = wanted;
    body.replaceChildren(...list.map(([epoch, { started, ended, totals }]) => h("tr", {}, h("th", { scope: "row", "data-label": "Run" }, h("a", { href: `#/crawl/${encodeURIComponent(id)}/items?run=${epoch}`, "aria-label": `Items of run ${epoch}`, text: String(epoch) })), h("td", { "data-label": "Started" }, moment(started)), h("td", { "data-label": "Ended" }, moment(ended)), h("td", { class: "number", "data-label": "Pages" }, totals?.unchanged ? `${count(totals.pages)}, ${count(totals.unchanged)} unchanged` : count(totals?.pages)), h("td", { class: "number", "data-label": "Errors" }, totals ? count(totals.httpErrors + totals.failures) : "–"), h("td", { class: "number", "data-label": "Data" }, bytes(totals?.bytes)))));
  }

  return { node, update: () => {}, close: stop };
}

/** Pages and errors of the crawl per minute over hours. */
function paceCard(id) {
  const series = [{ key: "pages", label: "Pages", colour: 1 }, { key: "errors", label: "Errors", colour: 3 }];
  const picture = chart({ label: `Pages and errors of ${id} per second`, series, format: rate, longest: DAY });
  const names = legend(series, rate);
  // Always shown, so that its first points move nothing.
  const early = h("span", { class: "aside", text: "its first minute is not over" });
  const node = card("Per second, by minute", picture.node, names.node);
  node.querySelector("header").append(early);
  let run = {};
  const stop = repeat(15_000, draw);

  /** From the minute in which the run has begun to that of its end; `at` is the end of a minute. */
  async function draw() {
    try {
      const { points } = await api.history({ crawl: id, minutes: 1440 });
      const begin = run.startedAt ? Date.parse(run.startedAt) : 0;
      const end = run.state === "STOPPED" && run.end ? Date.parse(run.end.at) : Infinity;
      const all = points.map(({ at, pages, errors }) => ({ at: Date.parse(at), values: { pages, errors } })).filter(({ at }) => at > begin && at < end + MINUTE);
      // A line needs two points: nothing had happened before the run.
      if (all.length) all.unshift({ at: all[0].at - MINUTE, values: { pages: 0, errors: 0 } });
      show(early, all.length === 0);
      picture.update(all, end < Infinity);
      names.update(all[all.length - 1]);
    } catch (error) {
      show(node, !error.missing);
      return !error.missing;
    }
    return true;
  }
  return {
    node,
    update: (crawl) => {
      const other = run.startedAt !== crawl.startedAt || run.state !== crawl.state;
      run = crawl;
      if (other) draw();
    },
    close: stop,
  };
}

function wordsOf(kind) {
  return words(kind).replace(/^HTTP error (?=\d)/, "HTTP ");
}

/** Another card shows the accepted domains. Secrets of webhooks are not shown. */
function drawDefinition(about, { seeds = [], scope, priority, schedule, refresh: visits, webhooks = [], ...groups }) {
  const entries = [
    ["seeds", seeds.slice(0, 5).map((seed) => seed.url).join("\n") + (seeds.length > 5 ? `\nand ${count(seeds.length - 5)} more` : "")],
    ...Object.entries(groups).flatMap(([name, value]) => (value.constructor === Object ? Object.entries(value) : [[name, value]])).filter(([, value]) => value !== true).map(([name, value]) => [name, shownValue(name, value)]),
    ["priority", String(priority)],
  ];
  if (schedule) entries.push(["schedule", `${schedule.cron} ${schedule.zone}`]);
  if (visits) entries.push(["refresh", visits.compare?.join(", ") ?? "by title and text"]);
  if (webhooks.length) entries.push(["webhooks", webhooks.map((hook) => hook.url).join("\n")]);
  about.replaceChildren(...entries.flatMap(([name, value]) => [h("dt", { text: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) }), h("dd", { text: value })]));
}

function shownValue(name, value) {
  if (name === "depth" && value < 0) return "no limit";
  if (Array.isArray(value)) return value.map((one) => shownValue("", one)).join(", ");
  return value === false ? "no" : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function drawStray(box, seeds, id) {
  const wanted = JSON.stringify(seeds);
  if (box.dataset.shown === wanted) return;
  box.dataset.shown = wanted;
  box.replaceChildren(
    ...seeds.map(({ url, target, domain }) =>
      h(
        "p",
        { class: "notice" },
        `The seed ${url} leads to ${target}, outside the accepted domains. `,
        domain ? h("button", { type: "button", class: "link", on: { click: () => attempt(`${domain} is accepted`, () => api.accept(id, domain)) } }, `Accept ${domain}`) : null,
      ),
    ),
  );
}

function domainPanel(id) {
  const list = h("ul", { class: "chips" });
  const problem = notice();
  const input = h("input", { id: "domain-name", name: "domain", autocomplete: "off", spellcheck: "false", placeholder: "example.org", required: true });
  const form = h("form", { class: "inline", on: { submit } }, h("label", { class: "hidden", for: "domain-name", text: "A domain to accept" }), input, h("button", { class: "button", type: "submit" }, "Accept"));
  const node = card("Accepted domains", list, form, problem.node);
  let changeable = true;
  let own = false;
  const sync = keyed(list, (name) => name, (name) => {
    const remove = h("button", { type: "button", class: "chip-remove", "aria-label": `No longer accept ${name}`, on: { click: () => change(`${name} is no longer accepted`, () => api.reject(id, name)) } }, "×");
    return { node: h("li", {}, h("span", { text: name }), remove), update: () => show(remove, changeable) };
  });

  async function submit(event) {
    event.preventDefault();
    const name = input.value.trim();
    if (name && (await change(`${name} is accepted`, () => api.accept(id, name)))) input.value = "";
  }

  async function change(done, command) {
    const result = await attempt(done, command);
    if (result?.domains) sync(result.domains);
    return result;
  }

  const stop = repeat(5000, async () => {
    try {
      const { domains } = await api.domains(id);
      own = true;
      changeable = true;
      show(form, true);
      sync(domains);
      problem.say();
    } catch (error) {
      changeable = false;
      show(form, false);
      problem.say(error.missing ? "This coordinator does not support changes of domains." : error.message);
      return !error.missing;
    }
    return true;
  });
  return { node, update: (domains) => !own && sync(domains), close: stop };
}

function seedPanel(id) {
  const area = h("textarea", { id: "more-seeds", rows: 2, spellcheck: "false", placeholder: "https://example.org/more/", required: true });
  const form = h("form", { on: { submit } }, h("label", { for: "more-seeds", text: "More seeds, one per line" }), area, h("button", { class: "button", type: "submit" }, "Add seeds"));
  async function submit(event) {
    event.preventDefault();
    const urls = area.value.split(/\s+/).filter(Boolean);
    const result = urls.length ? await attempt(undefined, () => api.seeds(id, urls)) : undefined;
    if (result) {
      area.value = "";
      const refused = byCount(result.refused).map(([reason, number]) => `, ${count(number)} refused (${words(reason)})`).join("");
      await attempt(`${plural(result.seeds, "seed")} sent to ${id}${refused}${result.waiting ? `, ${count(result.waiting)} not decided about yet` : ""}`, async () => true);
    }
  }
  return { node: h("details", {}, h("summary", {}, "Add seeds"), form) };
}

