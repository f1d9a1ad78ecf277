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

/** Calls the view with the state now and on every change; returns a function that ends this. */
export function watch(view) {
  views.add(view);
  if (state.summary || !state.reachable) view(state);
  return () => views.delete(view);
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
  try {
    const summary = await api.summary();
    state.summary = summary;
    state.reachable = true;
    state.at = Date.now();
    sample(summary);
    await history();
  } catch (error) {
    state.reachable = error.status === 401 || error.status === 403;
  } finally {
    asking = false;
  }
  publish();
  clearTimeout(timer);
  timer = setTimeout(tick, document.hidden ? 5 * EVERY : EVERY);
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

/** The totals of all crawls. */
export function sums(summary) {
  const all = { pages: 0, errors: 0, bytes: 0, waiting: 0, emitted: 0 };
  for (const { totals } of summary.crawls) {
    all.pages += totals.pages;
    all.errors += totals.httpErrors + totals.failures;
    all.bytes += totals.bytes;
    all.waiting += totals.waiting;
    all.emitted += totals.emitted;
  }
  return all;
}

function sample(summary) {
  const backlog = { responses: summary.queue.responses.backlog ?? 0, items: summary.queue.items.backlog ?? 0 };
  for (const level of summary.queue.levels) backlog[`requests.p${level.priority}`] = level.backlog ?? 0;
  samples.push({ at: Date.now(), ...sums(summary), backlog });
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
