// One format of numbers and times for all views.

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const NONE = "–";

/** A part of an address as text; one that somebody has cut or typed wrong stays as it is. */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A count, exact. */
export function count(n) {
  return n === undefined || n === null ? NONE : WHOLE.format(n);
}

/** A rate with few digits; a small rate is not rounded to 0. */
export function rate(n) {
  if (n === undefined || n === null || Number.isNaN(n)) return NONE;
  if (n === 0) return "0";
  if (n < 0.1) return n.toFixed(2);
  return n < 100 ? n.toFixed(1) : WHOLE.format(n);
}

/** A share between 0 and 1, with one digit behind the point. */
export function percent(share) {
  return share === undefined || share === null ? NONE : `${(100 * share).toFixed(1)} %`;
}

/** A size with its unit. */
export function bytes(n) {
  if (n === undefined || n === null || Number.isNaN(n)) return NONE;
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = n;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? Math.round(value) : value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** Milliseconds of `500ms`, `2s`, `1.5m`, `3h` or ISO 8601 `PT1M30S`. */
export function millis(text) {
  if (typeof text !== "string") return undefined;
  const simple = /^([0-9.]+)(ms|s|m|h|d)$/.exec(text);
  if (simple) return Number(simple[1]) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[simple[2]];
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([0-9.]+)S)?)?$/.exec(text);
  if (!iso) return undefined;
  return (Number(iso[1] ?? 0) * 86_400 + Number(iso[2] ?? 0) * 3600 + Number(iso[3] ?? 0) * 60 + Number(iso[4] ?? 0)) * 1000;
}

/** A span of time in two units at most. */
export function span(ms) {
  if (ms === undefined || ms === null || Number.isNaN(ms)) return NONE;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return ms > 0 ? `${Math.round(ms)} ms` : "0 s";
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${pad(Math.floor((seconds % 3600) / 60))} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

function pad(n) {
  return String(n).padStart(2, "0");
}

/** A moment: day and time, with the year unless it is this one. */
export function moment(iso) {
  if (!iso) return NONE;
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return String(iso);
  return (new Date().getFullYear() === at.getFullYear() ? DAY : YEAR).format(at);
}

/** `1 page`, `2 pages`. */
export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** `43 pages, 9,940 unchanged`. */
export function pagesText({ pages, unchanged }) {
  return plural(pages, "page") + (unchanged ? `, ${count(unchanged)} unchanged` : "");
}

/** The state of a module: `waiting for redis`. */
export function stateText({ phase, for: reason }) {
  return (reason ? `${phase} for ${reason}` : phase).toLowerCase().replaceAll(/[_-]/g, " ");
}

/** `HTTP_ERROR` as `HTTP error`. */
export function words(constant) {
  const text = String(constant).toLowerCase().replaceAll("_", " ");
  return text.replace(/^http /, "HTTP ").replace(/^robots$/, "robots.txt").replace(/^bad url$/, "bad URL").replace(/^no url$/, "no URL");
}

export function byCount(map) {
  return Object.entries(map ?? {}).sort(([, a], [, b]) => b - a);
}
