// The page as a person sees it, as one document: what is in an open shadow root comes before what no slot of it shows, and a
// frame that can be read becomes a <div> behind its element, with absolute links. Runs in a world of its own, where the
// page's scripts have changed no function; since the fields of a form can have the names of its properties, those are read
// from prototypes. Elements are copied into a document without a window, where nothing runs or loads.
(() => {
  const of = (type, name, object) => Reflect.get(type.prototype, name, object);
  const nodes = node => [...of(Node, "childNodes", node)];
  const unseen = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TITLE"]);
  const copies = of(Document, "implementation", document).createHTMLDocument("");
  const append = (parent, child) => Element.prototype.append.call(parent, child);
  let seen = false;

  // What a frame or a slot shows has other constructors, if it is of another document: names tell what it is.
  const name = node => of(Node, "nodeType", node) === Node.ELEMENT_NODE ? of(Element, "localName", node) : "";
  const children = node => {
    const assigned = name(node) === "slot" ? HTMLSlotElement.prototype.assignedNodes.call(node) : [];
    const root = of(Element, "shadowRoot", node);
    const unassigned = each => !of(name(each) ? Element : Text, "assignedSlot", each);
    return assigned.length ? assigned
        : root ? [...nodes(root), ...nodes(node).filter(each => of(Node, "nodeType", each) <= Node.TEXT_NODE && unassigned(each))]
        : nodes(node);
  };
  const content = node => {
    const type = {iframe: HTMLIFrameElement, frame: HTMLFrameElement}[name(node)];
    const inner = type && of(type, "contentDocument", node);
    return inner && (of(Document, "body", inner) || of(Document, "documentElement", inner));
  };
  // A frameset is no place for text, and the <body> of a frame none of the page.
  const renamed = (node, base) => ({frame: "iframe", frameset: "div", body: base && "div"})[name(node)];
  const element = (node, base) => {
    const other = renamed(node, base);
    const copy = other ? copies.createElement(other) : copies.importNode(node, name(node) === "template");
    if (other) {
      [...of(Element, "attributes", node)].forEach(each => copy.setAttributeNode(copies.importNode(each)));
    }
    for (const reference of base ? ["href", "src"] : []) {
      if (copy.hasAttribute(reference) && URL.canParse(copy.getAttribute(reference), base)) {
        copy.setAttribute(reference, new URL(copy.getAttribute(reference), base).href);
      }
    }
    return copy;
  };

  const page = copies.createElement("div");
  // Without recursion: scripts may nest deeper than a stack. The base is that of a frame, empty outside of frames.
  const open = [[of(Document, "documentElement", document), page, ""]];
  while (open.length) {
    const [node, parent, base] = open.pop();
    if (node && of(Node, "nodeType", node) === Node.TEXT_NODE) {
      seen ||= !unseen.has(of(Node, "nodeName", parent)) && !!node.data.trim();
      append(parent, node.data);
    } else if (node && name(node) && !(base && name(node) === "head")) {
      const copy = element(node, base);
      append(parent, copy);
      const inner = content(node);
      if (inner) {
        const place = copies.createElement("div");
        place.setAttribute("data-frame", of(Document, "URL", of(Node, "ownerDocument", inner)));
        append(parent, place);
        open.push([inner, place, of(Node, "baseURI", inner)]);
      }
      if (name(node) === "noscript") {
        copy.innerHTML = of(Node, "textContent", node);
      } else if (name(node) !== "template") {
        children(node).reverse().forEach(each => open.push([each, copy, base]));
      }
    }
  }
  const doctype = of(Document, "doctype", document);
  return {html: (doctype ? new XMLSerializer().serializeToString(doctype) : "") + page.innerHTML, text: seen};
})()
