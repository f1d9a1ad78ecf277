// Orders to move what waits in a crawl to another priority.

import { api } from "./api.js";
import { attempt, confirm } from "./dialogs.js";
import { h, show } from "./dom.js";
import { card, notice, repeat, timeline } from "./parts.js";

const EVERY = 1000;
const SHOWN = 5;

/** A form for orders of a crawl, and how far its last ones are. Without a crawl it is hidden. */
export function movesPanel() {
  const by = h("select", { id: "move-by", name: "by" }, h("option", { value: "host" }, "Host"), h("option", { value: "match" }, "Pattern"));
  const what = h("input", { id: "move-what", name: "what", autocomplete: "off", spellcheck: "false", required: true, placeholder: "example.org or /archive/**" });
  const to = h("select", { id: "move-to", name: "to" });
  const form = h(
    "form",
    { class: "inline filters", on: { submit } },
    h("div", { class: "field" }, h("label", { for: "move-by", text: "What waits of a" }), by),
    h("div", { class: "field grow" }, h("label", { for: "move-what", text: "Its name, or the pattern of URLs" }), what),
    h("div", { class: "field" }, h("label", { for: "move-to", text: "To priority" }), to),
    h("button", { type: "submit", class: "button" }, "Move ..."),
  );
  const orders = timeline("moves", (order) => String(order.number));
  const problem = notice();
  const node = card("Move what waits", form, orders.node, problem.node);
  node.hidden = true;
  let crawl = "";
  let shown = "";

  /** Gives an order after a question. */
  async function move(wanted) {
    const asked = await confirm({
      title: `Move what waits ${wanted.host ? `at ${wanted.host}` : `of ${wanted.match}`} to priority ${wanted.to}?`,
      text: `All such requests of ${crawl} that wait now. Those that are found later are not affected.`,
      action: "Move",
    });
    const given = asked && (await attempt("The order is given", () => api.move(crawl, wanted)));
    if (given) draw(given);
    return given;
  }

  async function submit(event) {
    event.preventDefault();
    if (await move({ [by.value]: what.value.trim(), to: Number(to.value) })) what.value = "";
  }

  function draw({ moves }) {
    orders.update(moves.slice(-SHOWN).reverse());
  }

  const stop = repeat(EVERY, async () => {
    const asked = crawl;
    if (!asked) return true;
    try {
      const report = await api.moves(asked);
      if (asked === crawl) draw(report);
      problem.say();
    } catch (error) {
      problem.fail(error);
      return !error.missing;
    }
    return true;
  });

  return {
    node,
    move,
    update: (id, levels) => {
      if (crawl !== id) orders.update([]);
      crawl = id;
      show(node, Boolean(id) && levels.length > 1);
      if (shown === levels.join()) return;
      shown = levels.join();
      to.replaceChildren(...levels.map((p) => h("option", { value: String(p) }, `p${p}`)));
    },
    close: stop,
  };
}
