// The form that defines a crawl.

import { api } from "./api.js";
import { say } from "./dialogs.js";
import { h, setText, show } from "./dom.js";
import { refresh } from "./store.js";

const dialog = document.getElementById("new-crawl");
const form = dialog.querySelector("form");
const problem = dialog.querySelector(".notice");
let named = false;
let mode = "new";
let base = {};
/** The definition of the form as it was opened: what has not been changed is not sent. */
let opened = {};

/** Connects the form; every element with data-open="new-crawl" opens it. */
export function connect() {
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-open=new-crawl]")) open("new", {}, "");
  });
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  form.elements.seeds.addEventListener("input", suggest);
  form.elements.id.addEventListener("input", () => (named = form.elements.id.value !== ""));
  form.addEventListener("submit", submit);
}

/** Opens the form with the definition of a crawl: to change it, or as a copy with another name. */
export function edit(id, known) {
  open("edit", known, id);
}

/** The same for a new crawl. Secrets are not known here, so a copy has none. */
export function clone(id, known) {
  open("clone", withoutSecrets(known), `${id}-copy`);
}

function open(kind, known, id) {
  form.reset();
  mode = kind;
  base = known;
  named = id !== "";
  clear();
  form.elements.id.value = id;
  form.elements.id.readOnly = kind === "edit";
  form.elements.seeds.value = (known.seeds ?? []).map((seed) => seed.url).join("\n");
  for (const input of inputs()) fill(input, path(input.name).reduce((value, key) => value?.[key], known));
  form.elements.refresh.checked = known.refresh !== undefined;
  opened = definition();
  setText(dialog.querySelector("h2"), { new: "New crawl", edit: `Edit ${id}`, clone: "Clone" }[kind]);
  setText(form.querySelector("[type=submit]"), kind === "edit" ? "Save" : "Start crawl");
  if (kind === "edit") hint("Other seeds, domains or another depth need a new run: tick “Start a new run” under More settings.");
  if (kind === "clone") hint("Secrets are not copied: enter headers, passwords and webhook secrets again.");
  dialog.showModal();
  (kind === "clone" ? form.elements.id : form.elements.seeds).focus();
}

function hint(text) {
  setText(problem, text);
  show(problem, true);
}

function inputs() {
  return form.querySelectorAll("[name=priority], [name*='.']");
}

/** The path of a field in a definition: webhooks[0].url is webhooks, 0, url. */
function path(name) {
  return name.replace(/\[(\d+)\]/g, ".$1").split(".");
}

function fill(input, value) {
  if (input.type === "checkbox") input.checked = value !== false;
  else if (value === undefined || value === null) return;
  else input.value = "list" in input.dataset ? value.join(" ") : String(value).toLowerCase() === "plain" && input.tagName === "SELECT" ? "" : input.tagName === "SELECT" ? String(value).toLowerCase() : value;
}

function withoutSecrets(value) {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one !== "string" || !one.includes("(hidden)")).map(([key, one]) => [key, withoutSecrets(one)]));
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
  const made = structuredClone(base);
  const known = new Map((base.seeds ?? []).map((seed) => [seed.url, seed]));
  made.seeds = lines(form.elements.seeds.value).map((url) => known.get(url) ?? { url });
  for (const input of form.querySelectorAll("[name=priority], [name*='.']:not([name*='['])")) {
    const [field, group] = input.name.split(".").reverse();
    const value = valueOf(input);
    const place = group ? (made[group] ??= {}) : made;
    if (value === undefined) delete place[field];
    else place[field] = value;
  }
  if (form.elements.refresh.checked) made.refresh ??= {};
  else delete made.refresh;
  if (made.schedule && !made.schedule.cron) delete made.schedule;
  const [url, secret] = ["url", "secret"].map((field) => valueOf(form.elements[`webhooks[0].${field}`]));
  const others = (base.webhooks ?? []).slice(1);
  made.webhooks = url ? [{ ...base.webhooks?.[0], url, secret }, ...others] : others;
  return made;
}

/** The merge patch that makes one definition of another: what has changed, and null for what is the default again. */
function changes(before, after) {
  const group = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const patch = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before[key], after[key]];
    if (JSON.stringify(old) === JSON.stringify(now) || (Array.isArray(now) && now.length === 0 && old === undefined)) continue;
    const both = group(old) && group(now);
    const part = both ? changes(old, now) : now ?? null;
    if (!both || Object.keys(part).length) patch[key] = part;
  }
  return patch;
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
  const missing = [];
  if (mode !== "edit" && !lines(form.elements.seeds.value).length) missing.push({ field: "seeds", rule: "enter at least one URL" });
  if (!id) missing.push({ field: "crawl", rule: "enter a name" });
  if (missing.length) {
    explain({ faults: missing });
    return;
  }
  button.disabled = true;
  try {
    if (mode === "edit" && !form.elements.fresh.checked) await api.patch(id, changes(opened, definition()));
    else await api.define(id, definition(), form.elements.fresh.checked);
    dialog.close();
    say(mode === "edit" ? `${id} is changed` : `${id} is started`);
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
