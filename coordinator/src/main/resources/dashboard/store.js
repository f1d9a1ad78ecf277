// The state of the deployment: polled every second, shared by all views.

import { api, onLocked } from "./api.js";

const EVERY = 1000;
const LONGEST = 600_000;
const SMOOTH = 4;

const views = new Set();
const state = { summary: undefined, points: [], reachable: true, locked: false, at: undefined };
const samples = [];
let historyKnown = true;
let historyStep = 2000;
let historyAsked = 0;
let minutes = 0;
let timer;
let asking = false;
let asked = { limit: 0 };
let ids = { of: "", all: [] };

/** Calls the view with the state now and on every change; returns a function that ends this. */
export function watch(view) {
  views.add(view);
  if (state.summary || !state.reachable) view(state);
  return () => views.delete(view);
}

/** The crawls that the summary shows from now on: `{ crawls: "docs" }` or a page of a list. `summary.asked` is what it was asked for. */
export function ask(crawls) {
  if (JSON.stringify(crawls) === JSON.stringify(asked)) return;
  asked = crawls;
  refresh();
}

/** The ids of all crawls, which are read again when their counts have changed. */
export async function crawlIds({ counts }) {
  const of = JSON.stringify([counts.all, counts.conditions]);
  if (ids.of !== of) {
    try {
      ids = { of, all: await api.crawlIds() };
    } catch {
      // The next look asks again.
    }
  }
  return ids.all;
}

/** The span of the charts in minutes; 0 for the last ten in detail. */
export function chosenMinutes() {
  return minutes;
}

/** Chooses it. */
export function chooseMinutes(wanted) {
  minutes = wanted;
  historyAsked = 0;
  refresh();
}

/** Polls at once, for example after a command. */
export function refresh() {
  clearTimeout(timer);
  return tick();
}

onLocked((now) => {
  if (state.locked === now) return;
  state.locked = now;
  publish();
});

function publish() {
  for (const view of views) view(state);
}

async function tick() {
  if (asking) return;
  asking = true;
  const crawls = asked;
  let again = false;
  try {
    const summary = { ...(await api.summary(crawls)), asked: crawls };
    state.summary = summary;
    state.reachable = true;
    state.at = Date.now();
    sample(summary);
    await history();
    again = crawls !== asked;
  } catch (error) {
    state.reachable = error.status === 401 || error.status === 403;
  } finally {
    asking = false;
  }
  publish();
  clearTimeout(timer);
  timer = setTimeout(tick, again ? 0 : document.hidden ? 5 * EVERY : EVERY);
}

/** The coordinator's history if it has one, else the samples of this page. */
async function history() {
  if (!historyKnown || Date.now() - historyAsked < historyStep) {
    if (!historyKnown) state.points = own();
    return;
  }
  historyAsked = Date.now();
  try {
    const { stepMillis, points } = await api.history(minutes ? { minutes } : {});
    historyStep = Math.min(stepMillis ?? historyStep, 15_000);
    const all = points.map(({ at, pages, errors, bytes, requests, backlog }) => ({
      at: Date.parse(at),
      values: { pages, errors, bytes, requests, ...backlog },
    }));
    // Points before the first activity are cut, since they would compress the chart.
    const quiet = all.findIndex(({ values }) => Object.values(values).some((value) => value > 0));
    state.points = quiet < 0 ? all.slice(-2) : all.slice(Math.max(0, quiet - 1));
  } catch (error) {
    // Other errors are temporary; the charts keep their last points until then.
    if (!error.missing) return;
    historyKnown = false;
    state.points = own();
  }
}

function sample(summary) {
  const backlog = { responses: summary.queue.responses.backlog ?? 0, items: summary.queue.items.backlog ?? 0 };
  for (const level of summary.queue.levels) backlog[`requests.p${level.priority}`] = level.backlog ?? 0;
  const { pages, httpErrors, failures, bytes } = summary.totals;
  samples.push({ at: Date.now(), pages, errors: httpErrors + failures, bytes, backlog });
  while (samples.length && samples[0].at < Date.now() - LONGEST) samples.shift();
}

function own() {
  return samples.slice(1).map((now, i) => {
    const before = samples[Math.max(0, i + 1 - SMOOTH)];
    const per = (key) => Math.max(0, (now[key] - before[key]) / ((now.at - before.at) / 1000));
    return { at: now.at, values: { pages: per("pages"), errors: per("errors"), bytes: per("bytes"), ...now.backlog } };
  });
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});

/** Starts to poll. */
export function begin() {
  return tick();
}
