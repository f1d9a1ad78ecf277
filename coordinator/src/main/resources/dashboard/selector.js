// Tries a field of an extraction rule on a page that was previewed.

import { api } from "./api.js";
import { h, show } from "./dom.js";
import { count } from "./format.js";
import { card, notice } from "./parts.js";

const SOURCES = { css: "CSS", xpath: "XPath", json: "JSON Pointer or JSONPath", jsonld: "JSON-LD", meta: "Meta element", microdata: "Microdata", page: "Field of the page" };
const TYPES = ["text", "markdown", "html", "number", "date", "money", "url"];

/** A card with a form. `page` is the id of a preview. */
export function selectorCard(page) {
  const source = h("select", { id: "try-source", name: "source" }, Object.entries(SOURCES).map(([value, text]) => h("option", { value }, text)));
  const selector = h("input", { id: "try-selector", name: "selector", required: true, autocomplete: "off", spellcheck: "false", placeholder: "h1" });
  const type = h("select", { id: "try-type", name: "type" }, TYPES.map((value) => h("option", { value }, value)));
  const name = h("input", { id: "try-name", name: "name", required: true, value: "value", pattern: "[A-Za-z_][A-Za-z0-9_\\-]{0,63}", autocomplete: "off", spellcheck: "false" });
  const problem = notice();
  const values = h("div", { "aria-live": "polite" });
  const line = h("input", { id: "try-line", readonly: true, spellcheck: "false" });
  const copy = h("button", { class: "button", type: "button", on: { click: copied } }, "Copy");
  const result = h("div", { class: "stack", hidden: true }, values, h("div", { class: "inline probe" }, h("div", { class: "field grow" }, h("label", { for: "try-line", text: "Line for fields of the crawl file" }), line), copy));
  const form = h(
    "form",
    { class: "inline probe", on: { submit } },
    labelled("Source", source),
    labelled("Selector", selector, true),
    labelled("Type", type),
    labelled("Name of the field", name),
    h("button", { class: "button primary", type: "submit", value: "try" }, "Try"),
  );
  const help = h("p", { class: "sub" }, "Shows what a field of the crawl file takes of this page. The page is not fetched again.");
  let asked = 0;

  async function submit(event) {
    event.preventDefault();
    const turn = ++asked;
    const field = { [source.value]: selector.value, ...(type.value === "text" ? {} : { type: type.value }) };
    problem.say("Searching …");
    show(result, false);
    try {
      const taken = await api.values(page, field);
      if (turn !== asked) return;
      problem.say(taken.errors.join("\n"));
      values.replaceChildren(...drawValues(taken));
      line.value = `${name.value}: ${flow(field)}`;
      show(result, true);
    } catch (error) {
      if (turn === asked) problem.fail(error);
    }
  }

  /** Without the clipboard of a secure page, the line is selected. */
  async function copied() {
    line.select();
    try {
      await navigator.clipboard.writeText(line.value);
      problem.say("Copied.");
    } catch {
      problem.say(document.execCommand("copy") ? "Copied." : "The line is selected: copy it with the keyboard.");
    }
  }

  return card("Try a selector", form, help, problem.node, result);
}

function labelled(text, input, grow) {
  return h("div", { class: grow ? "field grow" : "field" }, h("label", { for: input.id, text }), input);
}

/** A text in JSON is one in YAML, too. */
function flow(field) {
  return `{${Object.entries(field).map(([key, value]) => `${key}: ${key === "type" ? value : JSON.stringify(value)}`).join(", ")}}`;
}

function drawValues(taken) {
  const more = taken.count - taken.values.length;
  const head = h("p", { class: "small-text", text: taken.count === 0 ? "It takes nothing." : `${count(taken.count)} ${taken.count === 1 ? "value" : "values"}; the field takes the first one, or all with list: true.` });
  const list = h("ol", { class: "story" }, taken.values.map((value) => h("li", {}, h("pre", { class: "taken", text: typeof value === "string" ? value : JSON.stringify(value) }))));
  return [head, taken.count === 0 ? null : h("div", { class: "scroll tall" }, list), more > 0 ? h("p", { class: "small-text", text: `and ${count(more)} more` }) : null].filter(Boolean);
}
