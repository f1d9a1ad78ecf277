// The conservation law of a crawl: every request and every item is in exactly one place.

import { h, setAttr, setText } from "./dom.js";
import { count, plural } from "./format.js";

const ANSWERS = [["pages", noun("page")], ["unchanged", word("unchanged")], ["sources", noun("source")], ["requisites", noun("requisite")], ["repeats", noun("repeat")], ["redirects", noun("redirect")], ["httpErrors", noun("HTTP error")], ["failures", noun("failure")], ["refused", word("refused")], ["duplicates", noun("duplicate")], ["waiting", word("waiting")]];
const ITEMS = ["stored", "dropped", "rejected", "waiting"].map((key) => [key, word(key)]);

/** One line that is red when the numbers of the crawl do not add up, or when something still waits after its end. */
export function balanceLine() {
  const node = h("p", { class: "balance" });
  let leftBefore = false;
  return {
    node,
    update: ({ totals, end, counting }) => {
      const { items } = totals;
      setText(node, equation(totals.emitted, "request", ANSWERS, totals) + `; ${equation(items.written, "item", ITEMS, items)}` + lost(totals));
      const adds = balances(totals.emitted, ANSWERS, totals) && balances(items.written, ITEMS, items);
      // The end and the totals come over two topics, so a coordinator may show them a moment apart.
      const left = end?.reason === "FINISHED" && !counting && totals.waiting + items.waiting !== 0;
      setAttr(node, "class", adds && !(left && leftBefore) ? "balance" : "balance bad");
      leftBefore = left;
    },
  };
}

/** What is not in the sums: parts of sitemaps and of items that could not be read. */
function lost({ entriesNotTaken, items }) {
  const entries = entriesNotTaken ? `; ${plural(entriesNotTaken, "damaged entry", "damaged entries")} of sitemaps` : "";
  const fields = Object.values(items.fieldErrors ?? {}).reduce((sum, number) => sum + number, 0);
  return entries + (fields ? `; ${plural(fields, "field")} left empty` : "");
}

function noun(name) {
  return (number) => plural(number, name);
}

function word(name) {
  return (number) => `${count(number)} ${name}`;
}

function equation(whole, name, parts, values) {
  const shown = parts.filter(([key], i) => i === 0 || key === "waiting" || values[key]);
  return `${plural(whole, name)} = ${shown.map(([key, text]) => text(values[key])).join(" + ")}`;
}

function balances(whole, parts, values) {
  // Only "unchanged" may be absent, which is none.
  const numbers = parts.map(([key]) => values[key] ?? 0);
  return numbers.every((number) => number >= 0) && numbers.reduce((sum, number) => sum + number, 0) === whole;
}
