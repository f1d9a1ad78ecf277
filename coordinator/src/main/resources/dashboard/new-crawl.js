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

/** A name from the first seed's host, until somebody gives one. */
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

/** What the form says as a definition; what is left empty has the coordinator's default. */
function definition() {
  const value = (name) => form.elements[name].value.trim();
  const made = { seeds: lines(value("seeds")).map((url) => ({ url })) };
  const domains = lines(value("domains"));
  if (domains.length) made.domains = domains;
  for (const name of ["depth", "maxPages", "priority", "maxBytes"]) if (value(name)) made[name] = Number(value(name));
  for (const name of ["delay", "userAgent", "profile", "proxy", "maxTime"]) if (value(name)) made[name] = value(name);
  if (!form.elements.text.checked) made.text = false;
  if (value("cron")) made.schedule = { cron: value("cron"), zone: value("zone") || "UTC" };
  if (value("webhook")) made.webhooks = [{ url: value("webhook"), ...(value("webhookSecret") ? { secret: value("webhookSecret") } : {}) }];
  return made;
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

/** Each fault beside its field, where there is one. */
function explain(error) {
  const elsewhere = [];
  let first;
  for (const { field, value, rule } of error.faults ?? []) {
    const name = FIELDS[field] ?? (/^seeds?\b|^url$/i.test(field) ? "seeds" : /^domains?\b/.test(field) ? "domains" : field.split(/[.[]/)[0]);
    const input = form.elements[name];
    const text = `${value ? `“${value}”: ` : ""}${rule}`;
    if (!(input instanceof HTMLElement)) {
      elsewhere.push(`${field}: ${text}`);
      continue;
    }
    const note = h("span", { class: "fault", id: `fault-${name}`, text });
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

const FIELDS = { crawl: "id", "schedule.cron": "cron", "schedule.zone": "zone", schedule: "cron", webhooks: "webhook" };
