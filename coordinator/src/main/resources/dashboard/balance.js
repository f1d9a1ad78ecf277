// The conservation law of a crawl: every request and every item is in exactly one place.

import { h, setAttr, setText } from "./dom.js";
import { count } from "./format.js";

const ANSWERS = [["pages", "pages"], ["repeats", "repeats"], ["redirects", "redirects"], ["httpErrors", "HTTP errors"], ["failures", "failures"], ["refused", "refused"], ["duplicates", "duplicates"], ["waiting", "waiting"]];
const ITEMS = [["stored", "stored"], ["dropped", "dropped"], ["rejected", "rejected"], ["waiting", "waiting"]];

/** One line that is red when the numbers of the crawl do not add up, or when something still waits after its end. */
export function balanceLine() {
  const node = h("p", { class: "balance" });
  let leftBefore = false;
  return {
    node,
    update: ({ totals, end, counting }) => {
      const { items } = totals;
      setText(node, equation(totals.emitted, "requests", ANSWERS, totals) + (items ? `; ${equation(items.written, "items", ITEMS, items)}` : ""));
      const adds = balances(totals.emitted, ANSWERS, totals) && (!items || balances(items.written, ITEMS, items));
      // The end and the totals come over two topics, so a coordinator may show them a moment apart.
      const left = end?.reason === "FINISHED" && !counting && totals.waiting + (items?.waiting ?? 0) !== 0;
      setAttr(node, "class", adds && !(left && leftBefore) ? "balance" : "balance bad");
      leftBefore = left;
    },
  };
}

function equation(whole, name, parts, values) {
  const shown = parts.filter(([key], i) => i === 0 || key === "waiting" || values[key]);
  return `${count(whole)} ${name} = ${shown.map(([key, label]) => `${count(values[key])} ${label}`).join(" + ")}`;
}

function balances(whole, parts, values) {
  return parts.every(([key]) => values[key] >= 0) && parts.reduce((sum, [key]) => sum + values[key], 0) === whole;
}
