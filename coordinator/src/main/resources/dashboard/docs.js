// The description of the REST interface as a page: made from the OpenAPI document, with links between calls and schemas.

import { takeToken, token } from "./api.js";
import { h } from "./dom.js";
import { decoded } from "./format.js";

const METHODS = ["get", "put", "post", "patch", "delete"];
const main = document.getElementById("main");
let open;

takeToken();
show().catch((error) => main.append(h("p", { role: "alert", text: error.message })));

async function show() {
  const known = token();
  const response = await fetch("api/v1/openapi.json", { headers: known ? { Authorization: `Bearer ${known}` } : {} });
  if (response.status === 401) throw new Error("A token is needed: open the dashboard, give it the token, and come back.");
  if (!response.ok) throw new Error(`The coordinator responded with status ${response.status}.`);
  const document = await response.json();
  open = (node) => (node?.$ref ? { ...at(document, node.$ref), ...node, $ref: undefined } : node ?? {});
  main.append(...[
    h("p", {}, h("a", { href: "./", text: "Dashboard" })),
    h("h1", { text: `REST interface ${document.info.version}` }),
    paragraphs(document.info.description),
    h("p", {}, "As a file: ", h("a", { href: "api/v1/openapi.yaml", text: "YAML" }), ", ", h("a", { href: "api/v1/openapi.json", text: "JSON" })),
    document.tags.map((tag) => calls(document, tag.name)),
    h("h2", { text: "Schemas" }),
    Object.entries(document.components.schemas).map(([name, one]) => schema(name, one)),
  ].flat(Infinity));
  // The parts are there only now, so the browser has not found the one that the address names.
  if (location.hash) reveal();
  addEventListener("hashchange", reveal);
}

function reveal() {
  const wanted = document.getElementById(decoded(location.hash.slice(1)));
  if (!wanted) return;
  if (wanted instanceof HTMLDetailsElement) wanted.open = true;
  wanted.scrollIntoView();
}

function at(document, ref) {
  return ref.slice(2).split("/").reduce((node, key) => node[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

function paragraphs(text) {
  return (text ?? "").split(/\n\n/).filter((part) => part.trim()).map((part) => h("p", {}, inline(part)));
}

/** Marks what stands between backticks as code. */
function inline(text) {
  return String(text).split("`").map((part, i) => (i % 2 ? h("code", { text: part }) : part));
}

function calls(document, tag) {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]?.tags.includes(tag)).map((method) => call(path, method, item[method], item.parameters ?? [])));
  return [h("h2", { text: tag[0].toUpperCase() + tag.slice(1) }), found];
}

function call(path, method, operation, shared) {
  const parameters = [...shared, ...(operation.parameters ?? [])].map(open);
  const body = operation.requestBody;
  return h("details", { id: operation.operationId },
    h("summary", {}, h("span", { class: "method", text: method.toUpperCase() }), h("code", { text: path }), ` ${operation.summary}`),
    h("div", {},
      paragraphs(operation.description),
      parameters.length ? table(["parameter", "in", "value", "meaning"], parameters.map((one) =>
        [h("code", { text: one.name + (one.required ? " *" : "") }), one.in, type(one.schema), inline(one.description ?? "")])) : "",
      body ? table(["body", "schema"], Object.entries(body.content).map(([media, one]) => [h("code", { text: media }), type(one.schema)])) : "",
      table(["status", "meaning", "answer"], Object.entries(operation.responses).map(([status, one]) => {
        const answer = open(one);
        return [status, inline(answer.description), Object.entries(answer.content ?? {}).map(([media, each]) => h("div", {}, h("code", { text: media }), " ", type(each.schema)))];
      }))));
}

function table(heads, rows) {
  return h("div", { class: "wide" }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col", text })))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell) => h("td", {}, cell)))))));
}

function schema(name, one) {
  return h("details", { id: `schema-${name}` }, h("summary", {}, h("code", { text: name })),
    h("div", {}, paragraphs(one.description), fields(one) ?? h("p", {}, type({ ...one, description: undefined }))));
}

function fields(one) {
  if (!one.properties) return undefined;
  return table(["field", "value", "meaning"], Object.entries(one.properties).map(([name, each]) =>
    [h("code", { text: name + (one.required?.includes(name) ? " *" : "") }), [type(each), fields(each) ?? ""], inline(each.description ?? "")]));
}

/** The kind of a value in words, with a link to a schema that has a name. */
function type(one) {
  if (!one) return "";
  if (one.$ref) {
    const name = one.$ref.split("/").pop();
    return h("a", { href: `#schema-${name}`, text: name });
  }
  if (one.oneOf) return one.oneOf.flatMap((each, i) => [i ? " or " : "", type(each)]);
  if (one.enum) return one.enum.flatMap((word, i) => [i ? ", " : "", h("code", { text: word })]);
  if (one.type === "array") return ["list of ", type(one.items)];
  if (one.additionalProperties?.$ref) return ["object of ", type(one.additionalProperties)];
  const limits = [one.minimum !== undefined ? `at least ${one.minimum}` : "", one.maximum !== undefined ? `at most ${one.maximum}` : "",
    one.default !== undefined ? `default ${one.default}` : "", one.pattern ? `form ${one.pattern}` : ""].filter(Boolean);
  return [[one.type ?? "any value"].flat().join(" or "), limits.length ? ` (${limits.join(", ")})` : ""].join("");
}
