// Builds and updates the page. Texts become text nodes only, so the text of a crawled page cannot become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (`on`), a class and children; strings become text. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "class") {
      element.setAttribute("class", value);
    } else if (name === "text") {
      element.textContent = value;
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Sets a text, unless the element has it already: this keeps selections, and screen readers stay silent. */
export function setText(element, text) {
  const wanted = text === undefined || text === null ? "" : String(text);
  if (element.textContent !== wanted) element.textContent = wanted;
}

/** Sets or removes an attribute. */
export function setAttr(element, name, value) {
  if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : String(value));
}

/** Shows or hides an element. */
export function show(element, shown) {
  if (element.hidden === shown) element.hidden = !shown;
}

/**
 * Keeps the children of an element in step with a list, reusing existing elements, so that focus and hover survive an update.
 * `make(item)` returns an object with `node` and, if it can change, `update(item)`.
 */
export function keyed(parent, keyOf, make) {
  const entries = new Map();
  return (items) => {
    const wanted = new Set(items.map(keyOf));
    for (const [key, entry] of entries) {
      if (!wanted.has(key)) {
        entry.node.remove();
        entries.delete(key);
      }
    }
    let before = parent.firstElementChild;
    for (const item of items) {
      const key = keyOf(item);
      let entry = entries.get(key);
      if (!entry) {
        entry = make(item);
        entries.set(key, entry);
      }
      entry.update?.(item);
      if (entry.node === before) before = before.nextElementSibling;
      else parent.insertBefore(entry.node, before);
    }
  };
}

/** An icon from a path in a 16 x 16 box, hidden from screen readers. */
export function icon(name) {
  const svg = s("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" });
  for (const d of ICONS[name]) svg.append(s("path", { d }));
  return svg;
}

const ICONS = {
  start: ["M5 3.2v9.600l7.500-4.800z"],
  stop: ["M4.500 4.500h7v7h-7z"],
  fresh: ["M13 8a5 5 0 1 1-1.600-3.700", "M13 2.500v3h-3"],
  refresh: ["M3 7a5 5 0 0 1 9-2.200", "M12.500 2.200v3h-3", "M13 9a5 5 0 0 1-9 2.200", "M3.500 13.800v-3h3"],
  trash: ["M3 4.500h10", "M6.200 4.500v-1.500h3.600v1.500", "M4.300 4.500l.7 8.500h6l.7-8.500"],
  plus: ["M8 3v10", "M3 8h10"],
  sun: ["M8 5.200a2.800 2.800 0 1 0 0 5.600a2.800 2.800 0 0 0 0-5.600z", "M8 1.500v1.300M8 13.200v1.300M1.500 8h1.300M13.200 8h1.300M3.400 3.400l.9.9M11.700 11.700l.9.9M12.600 3.400l-.9.9M4.300 11.700l-.9.9"],
  key: ["M5.500 8.500a2.500 2.500 0 1 0 0 .01z", "M8 8.500h5.500v2.500M11 8.500v1.800"],
  close: ["M4 4l8 8", "M12 4l-8 8"],
  hand: ["M5.800 1.800h4.400l4 4v4.400l-4 4h-4.400l-4-4v-4.400z", "M5 8h6"],
};
