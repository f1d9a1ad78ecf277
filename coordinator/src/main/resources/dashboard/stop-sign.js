// Stop signs: the modules that have drained, and those that have not yet.

import { api } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { h, setText, show } from "./dom.js";
import { count, moment, plural } from "./format.js";
import { notice, repeat } from "./parts.js";

const FLEET = "The fleet";

/**
 * The stop signs, kept up to date.
 *
 * `crawl`: only that of one crawl; absent: those of the fleet, of all crawls, hosts and processes, with the fleet's own controls.
 */
export function signList({ crawl } = {}) {
  const list = h("div", { class: "signs", "aria-live": "polite" });
  const none = h("p", { class: "empty", text: crawl ? "This crawl has not been stopped yet." : "No stop sign is set." });
  const problem = notice();
  const sign = h("button", { type: "button", class: "button danger", on: { click: signFleet } }, "Stop the whole fleet");
  const reset = h("button", { type: "button", class: "button primary", on: { click: () => run("The stop sign is reset", api.resetFleet) } }, "Reset");
  const buttons = h("div", { class: "controls" }, sign, reset);
  const node = h("div", {}, list, none, crawl ? null : buttons, problem.node);

  async function signFleet() {
    const asked = await confirm({
      title: "Stop the whole fleet?",
      text: "Every crawl pauses: no new fetches start, and fetches in flight complete. Reset the stop sign to resume all crawls.",
      action: "Stop the fleet",
      danger: true,
    });
    if (asked) await run("The stop sign is set", api.signFleet);
  }

  async function run(done, command) {
    await attempt(done, command);
    await look();
  }

  async function look() {
    try {
      const main = crawl ? await api.stopSignOf(crawl) : await api.stopSign();
      const others = crawl ? [] : (await api.stopSigns()).filter((one) => one.signed && whose(one) !== FLEET);
      draw([main, ...others]);
      show(sign, !main.signed);
      show(reset, main.signed);
      show(buttons, true);
      problem.say();
    } catch (error) {
      show(none, false);
      show(buttons, false);
      problem.fail(error);
      return !error.missing;
    }
    return true;
  }

  function draw(signs) {
    const standing = signs.filter((one) => one.signed || one.history?.length);
    const wanted = JSON.stringify(standing);
    show(none, standing.length === 0);
    if (list.dataset.shown === wanted) return;
    list.dataset.shown = wanted;
    list.replaceChildren(...standing.map(one));
  }

  const stop = repeat(1000, look);
  return { node, close: stop };
}

function one(sign) {
  const waiting = sign.waiting ?? [];
  const deals = sign.deals ?? [];
  const tone = !sign.signed ? "rest" : sign.complete ? "done" : "pass";
  const word = !sign.signed ? "not set" : sign.complete ? "all have drained" : `waiting for ${count(waiting.length)}`;
  const total = h("span", { class: "sub" });
  if (sign.signed) setText(total, `set at ${moment(sign.at)}, ${count(sign.dealTotal ?? 0)} deals`);
  const caption = whose(sign);
  const rows = [
    ...waiting.map((one) => row(one.mid, "pass", "waiting", why(one))),
    ...deals.map((one) => row(one.mid, "done", one.live ? "drained" : "drained, has left", dealt(one))),
  ];
  const past = sign.history ?? [];
  return h(
    "div",
    { class: "sign" },
    h("p", {}, h("b", { text: caption }), " ", h("span", { class: `pill ${tone}`, text: word }), " ", total),
    rows.length ? h("table", { class: "pairs" }, h("caption", { class: "hidden", text: `Stop sign of ${caption}` }), h("tbody", {}, rows)) : null,
    past.length ? h("details", {}, h("summary", { text: `History: ${plural(past.length, "change")}` }), h("ul", {}, past.map((one) => h("li", { text: change(one) })))) : null,
  );
}

/** What a sign stops: a crawl, a host, a process, or all. */
function whose({ crawl, host, module }) {
  return crawl ?? (host && `Host ${host}`) ?? module ?? FLEET;
}

function row(mid, tone, word, detail) {
  return h("tr", {}, h("th", { scope: "row", class: "mid" }, mid), h("td", {}, h("span", { class: `pill ${tone}`, text: word }), " ", h("span", { class: "sub", text: detail })));
}

/** Why a module has not dealt with the sign yet. */
function why({ inFlight, oldest }) {
  if (inFlight === undefined) return "has not reported the sign";
  return `${count(inFlight)} in flight${oldest ? `: ${oldest.url}, ${oldest.age}` : ""}`;
}

function dealt({ at, took, inFlight, times }) {
  if (at === undefined) return "";
  return `at ${moment(at)}, took ${took}, ${count(inFlight)} in flight${times > 1 ? `, ${count(times)} deals in all` : ""}`;
}

function change({ signed, at, deals, slowest }) {
  if (!signed) return `reset at ${moment(at)}`;
  return `set at ${moment(at)}, ${count(deals)} deals${slowest ? `, the slowest took ${slowest}` : ""}`;
}
