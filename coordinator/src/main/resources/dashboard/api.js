// The REST interface: every call of the page goes through here.

const TOKEN = "trawl.token";

/** A refused call, with the problem document of the response. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || `the coordinator responded with status ${status}`);
    this.status = status;
    this.type = problem.type ?? "";
    this.faults = problem.faults ?? [];
  }

  /** Whether this coordinator does not know the path; an object that is not found has another problem type. */
  get missing() {
    return [404, 405].includes(this.status) && this.type.startsWith("urn:trawl:problem:http-");
  }
}

const listeners = new Set();

/** Adds a listener, called with true when a call needs a token, and with false when calls succeed again. */
export function onLocked(listener) {
  listeners.add(listener);
}

function locked(now) {
  for (const listener of listeners) listener(now);
}

export function token() {
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

export function setToken(value) {
  try {
    if (value) sessionStorage.setItem(TOKEN, value);
    else sessionStorage.removeItem(TOKEN);
  } catch {
    // Storage is not available: the page asks for the token again.
  }
}

/** Takes the token of an address that a command has printed, #token=..., and removes it from the address bar and the history. */
export function takeToken() {
  const given = /^#token=([A-Za-z0-9._~+/=-]+)$/.exec(location.hash);
  if (!given) return;
  setToken(given[1]);
  history.replaceState(null, "", `${location.pathname}${location.search}#/`);
}

function headers(more = {}) {
  const known = token();
  return known ? { ...more, Authorization: `Bearer ${known}` } : more;
}

async function call(method, path, body, signal, type = "application/json", more = {}) {
  const response = await fetch(path, {
    method,
    headers: headers({ Accept: "application/json", ...more, ...(body === undefined ? {} : { "Content-Type": type }) }),
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    cache: "no-store",
    signal,
  });
  if (!response.ok) throw await refusal(response);
  locked(false);
  return response.status === 204 ? undefined : response.json();
}

/** The definition of a crawl, with its tag. */
async function definition(id) {
  const response = await fetch(`${crawl(id)}/definition`, { headers: headers({ Accept: "application/json" }), cache: "no-store" });
  if (!response.ok) throw await refusal(response);
  return { tag: response.headers.get("ETag") ?? "", definition: await response.json() };
}

/** The body of an answer as a file. */
async function download(path) {
  const response = await fetch(path, { headers: headers(), cache: "no-store" });
  if (!response.ok) throw await refusal(response);
  return response.blob();
}

async function refusal(response) {
  if (response.status === 401) locked(true);
  const type = response.headers.get("Content-Type") ?? "";
  const problem = type.includes("json") ? await response.json().catch(() => ({})) : {};
  return new Refusal(response.status, problem);
}

const get = (path, signal) => call("GET", path, undefined, signal);
const crawl = (id) => `api/v1/crawls/${encodeURIComponent(id)}`;

function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
}

export const api = {
  // The page lives on this call: one that hangs must not end it.
  summary: (crawls) => get(`api/v1/summary${query(crawls)}`, AbortSignal.timeout(20_000)),
  // The first thousand.
  crawlIds: async () => (await get("api/v1/crawls?fields=crawl&limit=1000")).map(({ crawl }) => crawl),
  history: (filter = {}) => get(`api/v1/history${query(filter)}`),
  module: (mid) => get(`api/v1/modules/${encodeURIComponent(mid)}/summary`),
  logs: (mid, lines) => get(`api/v1/modules/${encodeURIComponent(mid)}/logs?lines=${lines}`),
  hosts: (filter) => get(`api/v1/hosts${query(filter)}`),
  items: (id, filter) => get(`${crawl(id)}/items${query(filter)}`),
  item: (id, place, epoch) => get(`${crawl(id)}/items/${encodeURIComponent(place)}${query({ epoch })}`),
  download: (id, filter) => download(`${crawl(id)}/items.jsonl${query(filter)}`),
  retry: (id, filter = {}) => call("POST", `${crawl(id)}/retry${query(filter)}`),
  crawl: (id) => get(crawl(id)),
  visits: (id) => get(`${crawl(id)}/visits`),
  diff: (id, filter) => get(`${crawl(id)}/diff${query(filter)}`),
  define: (id, definition, fresh, start = true) => call("PUT", `${crawl(id)}?start=${start}&fresh=${fresh}`, definition),
  patch: (id, changes) => call("PATCH", crawl(id), changes, undefined, "application/merge-patch+json"),
  definition,
  changes: (id, text, tag) => call("PUT", `${crawl(id)}?dryRun=true`, text, undefined, "application/yaml", { "If-Match": tag }),
  redefine: (id, text, fresh, tag) => call("PUT", `${crawl(id)}?start=${fresh}&fresh=${fresh}`, text, undefined, "application/yaml", { "If-Match": tag }),
  start: (id) => call("POST", `${crawl(id)}/start`),
  stop: (id) => call("POST", `${crawl(id)}/stop`),
  refresh: (id) => call("POST", `${crawl(id)}/refresh`),
  close: (id) => call("POST", `${crawl(id)}/close`),
  moves: (id) => get(`${crawl(id)}/moves`),
  move: (id, wanted) => call("POST", `${crawl(id)}/moves`, wanted),
  drop: (id) => call("DELETE", crawl(id)),
  seeds: (id, urls) => call("POST", `${crawl(id)}/seeds`, urls.map((url) => ({ url }))),
  domains: (id) => get(`${crawl(id)}/domains`),
  accept: (id, name) => call("PUT", `${crawl(id)}/domains/${encodeURIComponent(name)}`),
  reject: (id, name) => call("DELETE", `${crawl(id)}/domains/${encodeURIComponent(name)}`),
  stopSigns: () => get("api/v1/stop-signs"),
  stopSign: () => get("api/v1/stop-sign"),
  stopSignOf: (id) => get(`api/v1/crawls/${encodeURIComponent(id)}/stop-sign`),
  resize: (counts, plan) => call("POST", `api/v1/queue/resize${query({ plan: plan || undefined })}`, counts),
  signFleet: () => call("POST", "api/v1/stop-sign"),
  resetFleet: () => call("DELETE", "api/v1/stop-sign"),
  errors: (filter) => get(`api/v1/errors${query(filter)}`),
  followErrors: (filter, heard, signal) => follow(`api/v1/errors/stream${query(filter)}`, "error", heard, signal),
  events: (filter) => get(`api/v1/events${query({ limit: 100, ...filter })}`),
  explain: (question) => get(`api/v1/explain${query(question)}`),
  preview: (question) => call("POST", "api/v1/preview", question),
  values: (page, field) => call("POST", "api/v1/preview/values", { page, field }),
};

/**
 * Follows a stream of server-sent events until the signal ends it. The browser's own EventSource cannot send a token.
 * Returns when the connection closes; throws a Refusal if there is no such stream.
 *
 * `heard`: { open: awaited when the stream is open, before the first event, so that no event is missed; next: called with each event }.
 */
async function follow(path, event, heard, signal) {
  const response = await fetch(path, { headers: headers({ Accept: "text/event-stream" }), cache: "no-store", signal });
  if (!response.ok) throw await refusal(response);
  await heard.open();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending += value.replaceAll("\r", "");
    for (let end = pending.indexOf("\n\n"); end >= 0; end = pending.indexOf("\n\n")) {
      deliver(pending.slice(0, end), event, heard.next);
      pending = pending.slice(end + 2);
    }
  }
}

function deliver(block, event, listener) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  if (name === event && data.length) listener(JSON.parse(data.join("\n")));
}
