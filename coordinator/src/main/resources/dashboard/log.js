// Errors and events of all crawls.

import { h } from "./dom.js";
import { errorList, eventList } from "./errors.js";
import { card } from "./parts.js";

export function logView() {
  const fields = [["crawl", "Crawl", "docs"], ["kind", "Kind", "HTTP error"], ["host", "Host", "example.org"]].map(([name, label, placeholder]) => ({ name, label, input: h("input", { id: `filter-${name}`, name, placeholder, autocomplete: "off", spellcheck: "false" }) }));
  const form = h(
    "form",
    { class: "inline filters", role: "search", "aria-label": "Filter errors", on: { submit: (event) => event.preventDefault(), change: open } },
    fields.map(({ label, input }) => h("div", { class: "field" }, h("label", { for: input.id, text: label }), input)),
    h("button", { class: "button", type: "submit" }, "Filter"),
  );
  const place = h("div");
  const events = eventList();
  const node = h("div", { class: "view log" }, h("h1", { class: "hidden", text: "Errors and events" }), h("div", { class: "row two-one" }, card("Errors", form, place), card("Events", events.node)));
  let errors;

  function open() {
    errors?.close();
    const filter = Object.fromEntries(fields.map(({ name, input }) => [name, input.value.trim()]).filter(([, value]) => value));
    if (filter.kind) filter.kind = filter.kind.toUpperCase().replaceAll(" ", "_");
    errors = errorList({ limit: 200, filter });
    place.replaceChildren(errors.node);
  }

  open();
  return {
    node,
    title: "Errors and events",
    update: () => {},
    close: () => {
      errors.close();
      events.close();
    },
  };
}
