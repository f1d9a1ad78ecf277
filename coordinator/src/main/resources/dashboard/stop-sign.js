// Stop signs: the modules that have drained, and those that have not yet.

import { api } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { h, setText, show } from "./dom.js";
import { count, moment } from "./format.js";
import { notice, repeat } from "./parts.js";

/**
 * The stop signs, kept up to date.
 *
 * `crawl`: only that of one crawl; absent: those of the fleet and of all crawls, with the fleet's own controls.
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
      const all = await api.stopSigns();
      const wanted = all.filter((one) => (crawl ? one.crawl === crawl : one.signed || one.crawl === undefined));
      draw(wanted);
      const fleet = all.find((one) => one.crawl === undefined);
      show(sign, !fleet?.signed);
      show(reset, Boolean(fleet?.signed));
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
    const standing = signs.filter((one) => one.signed || crawl);
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
  const deals = Object.entries(sign.deals ?? {});
  const tone = !sign.signed ? "rest" : sign.complete ? "done" : "pass";
  const word = !sign.signed ? "reset" : sign.complete ? "all have drained" : `waiting for ${count(waiting.length)}`;
  const total = h("span", { class: "sub" });
  setText(total, `set at ${moment(sign.at)}, ${count(sign.dealTotal ?? 0)} deals`);
  const caption = sign.crawl === undefined ? "The fleet" : sign.crawl;
  const rows = [
    ...waiting.map((mid) => h("tr", {}, h("th", { scope: "row", class: "mid" }, mid), h("td", {}, h("span", { class: "pill pass", text: "waiting" })))),
    ...deals.map(([mid, deals]) => h("tr", {}, h("th", { scope: "row", class: "mid" }, mid), h("td", {}, h("span", { class: "pill done", text: deals === 1 ? "drained" : `drained ${count(deals)} times` })))),
  ];
  return h(
    "div",
    { class: "sign" },
    h("p", {}, h("b", { text: caption }), " ", h("span", { class: `pill ${tone}`, text: word }), " ", total),
    rows.length ? h("table", { class: "pairs" }, h("caption", { class: "hidden", text: `Stop sign of ${caption}` }), h("tbody", {}, rows)) : null,
  );
}
