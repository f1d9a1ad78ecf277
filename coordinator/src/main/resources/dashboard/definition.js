// The definition of a crawl as a text in YAML or JSON: checked while it is written, compared with the one that is in force, and saved.

import { api } from "./api.js";
import { attempt, say } from "./dialogs.js";
import { h, setText, show } from "./dom.js";
import { byCount, count } from "./format.js";
import { refresh } from "./store.js";

const PAUSE = 400;
const dialog = document.getElementById("definition");
const form = dialog.querySelector("form");
const outcome = dialog.querySelector(".outcome");
const save = form.querySelector("[type=submit]");
const fresh = form.querySelector(".check");
let id = "";
/** The tag of the definition as it was opened, so that a change which another user saves meanwhile is not lost. */
let tag = "";
let timer;

export function connect() {
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  form.elements.text.addEventListener("input", later);
  form.addEventListener("submit", submit);
}

/** Opens the definition of a crawl. */
export async function editText(crawl) {
  const known = await attempt(undefined, () => api.definition(crawl));
  if (!known) return;
  id = crawl;
  tag = known.tag;
  form.reset();
  form.elements.text.value = JSON.stringify(known.definition, null, 2);
  setText(dialog.querySelector("h2"), `Definition of ${id}`);
  dialog.showModal();
  form.elements.text.focus();
  form.elements.text.setSelectionRange(0, 0);
  await check();
}

function later() {
  save.disabled = true;
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

async function check() {
  const text = form.elements.text.value;
  try {
    const difference = await api.changes(id, text, tag);
    // What was written meanwhile is checked by its own call.
    if (text === form.elements.text.value) compared(difference);
  } catch (error) {
    if (text === form.elements.text.value) refused(error);
  }
}

function compared({ changes, waiting, notes }) {
  const newRun = changes.some((change) => change.newRun);
  show(fresh, newRun);
  save.disabled = changes.length === 0;
  if (!changes.length) {
    outcome.replaceChildren(h("p", { class: "empty", text: "Nothing changes." }));
    return;
  }
  const head = ["Field", "Now", "Then"].map((name) => h("th", { scope: "col", text: name }));
  const rows = changes.map(({ field, before, after, newRun: run }) => h("tr", {}, h("th", { scope: "row" }, field, run && h("span", { class: "fault", text: " needs a new run" })), h("td", {}, h("code", { text: shown(before) })), h("td", {}, h("code", { text: shown(after) }))));
  outcome.replaceChildren(h("table", {}, h("caption", { class: "hidden", text: "Changes" }), h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows)), ...refusals(waiting), ...notes.map((note) => h("p", { class: "sub", text: note })));
}

/** What a changed scope refuses of the requests that wait. */
function refusals(waiting) {
  if (!waiting?.waiting) return [];
  const part = waiting.lookedAt < waiting.waiting ? ` that were looked at, of ${count(waiting.waiting)},` : "";
  const rules = byCount(waiting.byRule).map(([rule, number]) => h("li", {}, h("code", { text: rule }), `: ${count(number)}`));
  return [h("p", { text: `${count(waiting.refused)} of ${count(waiting.lookedAt)} waiting requests${part} would be refused${rules.length ? ":" : "."}` }), h("ul", {}, rules)];
}

function shown(value) {
  if (value === undefined) return "default";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function refused(error) {
  save.disabled = true;
  const faults = error.faults ?? [];
  const lines = faults.map(({ field, value, rule, line, column }) => h("li", {}, line && h("button", { type: "button", class: "link", text: `Line ${line}, column ${column}`, on: { click: () => jump(line, column) } }), line && ": ", h("code", { text: field }), `: “${value}” is not valid: ${rule}`));
  outcome.replaceChildren(faults.length ? h("ul", { class: "faults" }, lines) : h("p", { class: "fault", text: error.message }));
}

function jump(line, column) {
  const before = form.elements.text.value.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  form.elements.text.focus();
  form.elements.text.setSelectionRange(at, at);
}

async function submit(event) {
  event.preventDefault();
  save.disabled = true;
  try {
    await api.redefine(id, form.elements.text.value, form.elements.fresh.checked, tag);
    dialog.close();
    say(`${id} is changed`);
    await refresh();
  } catch (error) {
    refused(error);
  }
}
