// Starts the page: views by address, the state of the deployment, theme and token.

import { api, setToken, takeToken, token } from "./api.js";
import { crawlView } from "./crawl.js";
import { connect as connectDefinition } from "./definition.js";
import { say } from "./dialogs.js";
import { setAttr, setText, show } from "./dom.js";
import { fleetView } from "./fleet.js";
import { changesView, freshnessView } from "./freshness.js";
import { hostsView } from "./hosts.js";
import { itemsView, itemView } from "./items.js";
import { moduleView } from "./module.js";
import { decoded, pagesText, stateText } from "./format.js";
import { logView } from "./log.js";
import { connect } from "./new-crawl.js";
import { overview } from "./overview.js";
import { waits } from "./parts.js";
import { probeView } from "./probe.js";
import { ask, begin, refresh, watch } from "./store.js";

const main = document.getElementById("main");
const status = document.getElementById("fleet-state");
let ended;
let finished = 0;
let tries = 0;
let view;
let unwatch;

const ROUTES = [
  [/^#\/crawl\/([^/]+)$/, (id) => crawlView(decoded(id))],
  [/^#\/crawl\/([^/]+)\/items(?:\?run=(\d+))?$/, (id, run) => itemsView(decoded(id), run)],
  [/^#\/crawl\/([^/]+)\/items\/([^/?]+)(?:\?run=(\d+))?$/, (id, place, run) => itemView(decoded(id), decoded(place), run)],
  [/^#\/crawl\/([^/]+)\/freshness$/, (id) => freshnessView(decoded(id))],
  [/^#\/crawl\/([^/]+)\/changes(?:\?(.*))?$/, (id, query) => changesView(decoded(id), query)],
  [/^#\/module\/(.+)$/, (mid) => moduleView(decoded(mid))],
  [/^#\/hosts$/, hostsView],
  [/^#\/fleet$/, fleetView],
  [/^#\/log$/, logView],
  [/^#\/look-up$/, probeView],
];

function route(event) {
  takeToken();
  const [pattern, make] = ROUTES.find(([one]) => one.test(location.hash)) ?? [/^/, overview];
  const [, ...parameters] = pattern.exec(location.hash) ?? [];
  unwatch?.();
  view?.close?.();
  view = make(...parameters);
  main.replaceChildren(view.node);
  setText(document.querySelector("title"), `${view.title} – Trawl`);
  for (const link of document.querySelectorAll("#views a")) {
    const here = link.hash === location.hash || (link.hash === "#/" && (make === overview || location.hash.startsWith("#/crawl/"))) || (link.hash === "#/fleet" && location.hash.startsWith("#/module/"));
    setAttr(link, "aria-current", here ? "page" : undefined);
  }
  unwatch = watch(view.update);
  ask(view.asks?.() ?? { limit: 0 });
  // After a navigation the new view starts at its top.
  if (event) {
    main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
}

const KINDS = { D: "downloader", A: "analyzer", P: "pipeline", C: "coordinator" };
const asking = document.getElementById("token");

function fleetState({ summary, reachable, locked }) {
  const queue = summary?.queue.status;
  const signed = summary?.modules.some(({ deals }) => deals?.["stop/*"] !== undefined);
  const counting = summary?.counting;
  const stuck = summary?.modules.find(waits);
  const text = locked ? "access token needed" : !reachable ? "coordinator not reachable, retrying" : queue === undefined ? "connecting" : counting ? `counting the ledger, ${Math.floor((100 * counting.counted) / Math.max(1, counting.known))} %` : !summary.leader ? (summary.modules.some((module) => module.mid.startsWith("C")) ? "no coordinator leads" : "no coordinator registered") : signed ? "stopped by a stop sign" : stuck ? `${KINDS[stuck.mid[0]] ?? stuck.mid} ${stateText(stuck.state)}` : queue === "started" ? "crawling" : "ready";
  setText(status, text);
  setAttr(status, "class", `pill ${locked || !reachable || (summary && !summary.leader) || counting || signed || stuck ? "pass" : queue === "started" ? "run" : "rest"}`);
  setText(document.getElementById("leader"), reachable && summary?.leader ? summary.leader : "");
  document.body.classList.toggle("stale", !reachable);
  if (locked && !asking.open) {
    asking.querySelector("input").value = token();
    asking.showModal();
  }
}

/** Reports the end of a crawl in every view: asks for events when more crawls are finished than before. */
async function announceEnds({ summary }) {
  if (!summary) return;
  const now = summary.counts.conditions.finished ?? 0;
  if (ended && now <= finished) {
    finished = now;
    return;
  }
  const ends = (await api.events({}).catch(() => [])).filter(({ type }) => type === "crawl.finished");
  const news = ended ? ends.filter(({ id }) => !ended.has(id)) : [];
  // The event may be read a moment after the state.
  if (!ended || news.length || ++tries > 3) {
    finished = now;
    tries = 0;
  }
  ended = new Set(ends.map(({ id }) => id));
  for (const { crawl, totals } of news) say(`${crawl} has finished: ${pagesText(totals)}`);
}

function connectToken() {
  const input = asking.querySelector("input");
  document.getElementById("open-token").addEventListener("click", () => {
    input.value = token();
    asking.showModal();
  });
  asking.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    setToken(input.value.trim());
    asking.close();
    await refresh();
    route();
  });
  asking.querySelector("[data-forget]").addEventListener("click", () => {
    setToken("");
    input.value = "";
    asking.close();
    refresh();
  });
}

function connectTheme() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const now = () => document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light");
  const label = () => setAttr(button, "aria-label", now() === "dark" ? "Light theme" : "Dark theme");
  button.addEventListener("click", () => {
    const next = now() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("trawl.theme", next);
    } catch {
      // Storage is not available: the choice lasts until the page closes.
    }
    label();
  });
  dark.addEventListener("change", label);
  label();
}

show(document.getElementById("app"), true);
connect();
connectDefinition();
connectToken();
connectTheme();
watch(fleetState);
watch(announceEnds);
addEventListener("hashchange", route);
route();
begin();
