// A live chart over time in SVG: lines or stacked areas, drawn by the theme's colours. Screen readers get one image with a description.

import { h, s, setAttr, setText, show } from "./dom.js";
import { moment } from "./format.js";

const PAD = { top: 8, right: 2, bottom: 18, left: 2 };
const SHORTEST = 60_000;
const LONGEST = 600_000;
const RESTS = 5_000;

/**
 * `series`: [{ key, label, colour (1 to 8) }], `stacked` or lines, `format` of a value.
 * `longest`: the span that it shows at most, in milliseconds.
 * `update(points, over)` takes [{ at: millis, values: { key: number } }], oldest first; `over`: no more will come.
 */
export function chart({ label, series, stacked = false, format, height = 120, longest = LONGEST }) {
  const svg = s("svg", { class: "chart", height, role: "img", "aria-label": label });
  const grid = s("g", { class: "chart-grid" });
  const plot = s("g");
  const cursor = s("line", { class: "chart-cursor", y1: PAD.top, y2: height - PAD.bottom });
  svg.append(grid, plot, cursor);
  const tip = h("div", { class: "chart-tip", "aria-hidden": "true", hidden: true });
  const node = h("div", { class: "chart-box" }, svg, tip);
  const shapes = series.map((one) => ({
    ...one,
    area: plot.appendChild(s("path", { class: `chart-area colour-${one.colour}${stacked ? " stacked" : ""}` })),
    line: plot.appendChild(s("path", { class: `chart-line colour-${one.colour}` })),
  }));
  let points = [];
  let width = 0;
  let over = false;
  let scale;
  let described = 0;

  new ResizeObserver(([entry]) => {
    width = Math.floor(entry.contentRect.width);
    draw();
  }).observe(node);
  node.addEventListener("pointermove", (event) => point(event.clientX - node.getBoundingClientRect().left));
  node.addEventListener("pointerleave", () => point(undefined));

  function update(now, ended = false) {
    points = now;
    over = ended;
    draw();
  }

  function draw() {
    if (width < 20) return;
    setAttr(svg, "width", width);
    setAttr(svg, "viewBox", `0 0 ${width} ${height}`);
    const end = points.length ? points[points.length - 1].at : Date.now();
    const begin = end - Math.min(longest, Math.max(SHORTEST, points.length ? end - points[0].at : 0));
    const visible = points.filter((p) => p.at >= begin - 3000);
    const top = nice(Math.max(0, ...visible.map(highest)));
    scale = {
      visible,
      top,
      x: (at) => PAD.left + ((at - begin) / (end - begin)) * (width - PAD.left - PAD.right),
      y: (value) => height - PAD.bottom - (value / top) * (height - PAD.top - PAD.bottom),
    };
    drawGrid(begin, end);
    drawSeries();
    describe();
  }

  function highest(p) {
    const values = series.map((one) => p.values[one.key] ?? 0);
    return stacked ? values.reduce((a, b) => a + b, 0) : Math.max(...values);
  }

  function drawGrid(begin, end) {
    const parts = [];
    for (const part of [0, 0.5, 1]) {
      const y = scale.y(scale.top * part);
      parts.push(s("line", { x1: PAD.left, x2: width - PAD.right, y1: y, y2: y, class: part === 0 ? "base" : null }));
      if (part > 0) parts.push(s("text", { x: PAD.left + 2, y: y + 11 }, format(scale.top * part)));
    }
    const minutes = (end - begin) / 60_000;
    parts.push(s("text", { x: PAD.left + 2, y: height - 5 }, over ? moment(new Date(begin).toISOString()) : minutes >= 119 ? `${Math.round(minutes / 60)} h ago` : minutes >= 1.95 ? `${Math.round(minutes)} min ago` : `${Math.round(minutes * 60)} s ago`));
    parts.push(s("text", { x: width - PAD.right - 2, y: height - 5, "text-anchor": "end" }, over ? moment(new Date(end).toISOString()) : "now"));
    grid.replaceChildren(...parts);
  }

  function drawSeries() {
    const below = scale.visible.map(() => 0);
    for (const one of shapes) {
      const tops = scale.visible.map((p, i) => (stacked ? below[i] : 0) + (p.values[one.key] ?? 0));
      const line = scale.visible.map((p, i) => `${scale.x(p.at).toFixed(1)} ${scale.y(tops[i]).toFixed(1)}`);
      const base = scale.visible.map((p, i) => `${scale.x(p.at).toFixed(1)} ${scale.y(stacked ? below[i] : 0).toFixed(1)}`).reverse();
      setAttr(one.line, "d", line.length > 1 ? `M${line.join("L")}` : "");
      setAttr(one.area, "d", line.length > 1 ? `M${line.join("L")}L${base.join("L")}Z` : "");
      if (stacked) tops.forEach((value, i) => (below[i] = value));
    }
  }

  function describe() {
    const last = points[points.length - 1];
    if (!last || Date.now() - described < RESTS) return;
    described = Date.now();
    setAttr(svg, "aria-label", `${label}: ${series.map((one) => `${one.label} ${format(last.values[one.key] ?? 0)}`).join(", ")} now`);
  }

  function point(x) {
    const visible = scale?.visible ?? [];
    if (x === undefined || visible.length < 2) {
      show(tip, false);
      svg.classList.remove("pointed");
      return;
    }
    const near = visible.reduce((a, b) => (Math.abs(scale.x(b.at) - x) < Math.abs(scale.x(a.at) - x) ? b : a));
    const at = scale.x(near.at);
    setAttr(cursor, "x1", at);
    setAttr(cursor, "x2", at);
    svg.classList.add("pointed");
    tip.replaceChildren(
      h("div", { class: "chart-tip-time", text: moment(new Date(near.at).toISOString()) }),
      ...[...series].reverse().map((one) =>
        h("div", {}, h("i", { class: `swatch colour-${one.colour}` }), h("span", { text: one.label }), h("b", { text: format(near.values[one.key] ?? 0) })),
      ),
    );
    show(tip, true);
    const room = width - tip.offsetWidth;
    tip.style.transform = `translateX(${Math.max(0, Math.min(room, at + (at > width / 2 ? -tip.offsetWidth - 10 : 10)))}px)`;
  }

  return { node, update };
}

/** The next round number: 1, 2 or 5 times a power of ten. */
function nice(value) {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 1.5, 2, 3, 4, 5, 6, 8, 10]) {
    if (value <= step * power) return step * power;
  }
  return 10 * power;
}

/** The names of the series with their colours; `update` shows their latest values. */
export function legend(series, format) {
  const values = new Map();
  const node = h("ul", { class: "legend" });
  for (const one of series) {
    const value = h("b");
    values.set(one.key, value);
    node.append(h("li", {}, h("i", { class: `swatch colour-${one.colour}` }), h("span", { text: one.label }), value));
  }
  return {
    node,
    update: (latest) => series.forEach((one) => setText(values.get(one.key), latest ? format(latest.values[one.key] ?? 0) : "")),
  };
}
