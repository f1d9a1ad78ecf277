// Runs in a world of its own, so that the page's scripts have changed none of the functions that it uses.
(() => {
  const unseen = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "TITLE"]);
  const of = (type, name, object) => Reflect.get(type.prototype, name, object);
  const root = of(Document, "documentElement", document);
  const texts = root && document.createTreeWalker(root, NodeFilter.SHOW_TEXT,
      text => unseen.has(of(Node, "parentNode", text)?.nodeName) || !text.data.trim()
          ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  const doctype = of(Document, "doctype", document);
  return {
    html: (doctype ? new XMLSerializer().serializeToString(doctype) : "") + (root ? of(Element, "outerHTML", root) : ""),
    text: !!texts?.nextNode()
  };
})()
