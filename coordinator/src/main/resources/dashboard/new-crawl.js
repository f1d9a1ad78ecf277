// The form that defines a crawl.

import { api } from "./api.js";
import { say } from "./dialogs.js";
import { h, setText, show } from "./dom.js";
import { refresh } from "./store.js";

const dialog = document.getElementById("new-crawl");
const form = dialog.querySelector("form");
const problem = dialog.querySelector(".notice");
let named = false;

/** Connects the form; every element with data-open="new-crawl" opens it. */
export function connect() {
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-open=new-crawl]")) open();
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  form.elements.seeds.addEventListener("input", suggest);
  form.elements.id.addEventListener("input", () => (named = form.elements.id.value !== ""));
  form.addEventListener("submit", submit);
}

function open() {
  form.reset();
  named = false;
  clear();
  dialog.showModal();
  form.elements.seeds.focus();
}

/** Suggests a name from the first seed's host until the user enters one. */
function suggest() {
  if (named) return;
  try {
    const { hostname, port } = new URL(lines(form.elements.seeds.value)[0]);
    form.elements.id.value = `${hostname.replace(/^www\./, "")}${port ? `-${port}` : ""}`.toLowerCase().replace(/[^a-z0-9.-]+/g, "-").slice(0, 60);
  } catch {
    form.elements.id.value = "";
  }
}

function lines(text) {
  return text.split(/\s+/).filter(Boolean);
}

/** The definition in the form; empty fields get the coordinator's defaults. The name of a field is its path in the definition: limits.depth. */
function definition() {
  const made = { seeds: lines(form.elements.seeds.value).map((url) => ({ url })) };
  for (const input of form.querySelectorAll("[name=priority], [name*='.']:not([name*='['])")) {
    const [field, group] = input.name.split(".").reverse();
    const value = valueOf(input);
    if (value !== undefined) (group ? (made[group] ??= {}) : made)[field] = value;
  }
  const [url, secret] = ["url", "secret"].map((field) => valueOf(form.elements[`webhooks[0].${field}`]));
  if (url) made.webhooks = [{ url, secret }];
  return made;
}

/** The value of a field; undefined for the default. */
function valueOf(input) {
  if (input.type === "checkbox") return input.checked ? undefined : false;
  const text = input.value.trim();
  if (!text) return undefined;
  if ("list" in input.dataset) return lines(text);
  return input.type === "number" ? Number(text) : text;
}

async function submit(event) {
  event.preventDefault();
  clear();
  const button = form.querySelector("[type=submit]");
  const id = form.elements.id.value.trim();
  button.disabled = true;
  try {
    await api.define(id, definition(), form.elements.fresh.checked);
    dialog.close();
    say(`${id} is started`);
    await refresh();
  } catch (error) {
    explain(error);
  } finally {
    button.disabled = false;
  }
}

function clear() {
  show(problem, false);
  for (const note of form.querySelectorAll(".fault")) note.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

/** Shows each fault beside its field, if the form has one. */
function explain(error) {
  const elsewhere = [];
  let first;
  for (const { field, value, rule } of error.faults ?? []) {
    const input = inputOf(field);
    const text = `${value ? `“${value}”: ` : ""}${rule}`;
    if (!input) {
      elsewhere.push(`${field}: ${text}`);
      continue;
    }
    const note = h("span", { class: "fault", id: `fault-${input.id}`, text });
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", note.id);
    input.closest(".field").append(note);
    input.closest("details")?.setAttribute("open", "");
    first ??= input;
  }
  const text = error.faults?.length ? elsewhere.join("; ") : error.message;
  setText(problem, text);
  show(problem, Boolean(text));
  (first ?? form.querySelector("[type=submit]")).focus();
}

/** The field of the form that holds a field of the definition: scope.domains for scope.domains[1]. */
function inputOf(field) {
  const name = FIELDS[field] ?? field;
  return form.elements[name] ?? form.elements[name.replace(/\[.*/, "")];
}

const FIELDS = { crawl: "id", schedule: "schedule.cron", webhooks: "webhooks[0].url" };
