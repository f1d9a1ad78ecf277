#!/usr/bin/env python3
"""Compares the items of a crawl of this folder with what a baseline crawler and regular expressions find in the same pages.

    docs/examples/crawls/check.py debian-faq http://127.0.0.1:8000/ OUT

It uses Python's standard library and ../../evidence/baseline_crawler.py, and shares no code with Trawl.
"""
import html, os, re, sys, urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "evidence"))
import baseline_crawler


def text(source):
    """The text of a piece of HTML, with single blanks."""
    return re.sub(r"[ \t\n\r\f\xa0]+", " ", html.unescape(re.sub(r"<[^>]*>", "", source))).strip()


def python_functions(url, page):
    for block in re.findall(r'<dl class="py function">\s*((?:<dt.*?</dt>\s*)+)', page, re.S):
        for name, rest in re.findall(r'<dt class="[^"]*" id="([^"]*)">(.*?)</dt>', block, re.S):
            yield {"name": name, "signature": text(rest).replace("¶", "").strip()}


def debian_faq(url, page):
    for anchor, number, title in re.findall(r'<h[23] class="title"><a id="([^"]*)"></a>([0-9.]+)\.\s(.*?)</h[23]>', page, re.S):
        yield {"anchor": anchor, "number": number, "question": text(title)}


def debian_policy(url, page):
    for level, number, title in re.findall(r'<h([1-6])><span class="section-number">([0-9A-Z.]+)\. </span>(.*?)</h\1>', page, re.S):
        yield {"number": number, "title": text(title).replace("¶", "").strip()}


def git_commands(url, page):
    name = re.search(r'<h2>NAME</h2>\s*<div class="sectionbody">\s*<p>(.*?) -\s(.*?)</p>', page, re.S)
    options = [text(o) for o in re.findall(r'<dt class="hdlist1">(.*?)</dt>', page, re.S)]
    if name and re.search(r"/git-[^/]*\.html$", url):
        yield {"name": text(name[1]), "summary": text(name[2]), **({"options": options} if options else {}),
               "updated": re.sub(r"(\S+) (\S+)", r"\1T\2.000Z", re.search(r"Last updated\s+([0-9-]+ [0-9:]+)", page)[1])}


def sqlite_functions(url, page):
    blocks = re.findall(r"<blockquote><pre>(.*?)</pre></blockquote>", page, re.S)
    names = [name for block in blocks for name in re.findall(r"\b(sqlite3_[a-z0-9_]+)\(", block)]
    if names:
        yield {"names": names}


# The first page, which URLs belong to it, and its items.
EXAMPLES = {
    "python-functions": ("python3.11-doc/html/library/index.html", lambda path: "/html/library/" in path, python_functions),
    "debian-faq": ("debian/FAQ/index.en.html", lambda path: path.endswith(".en.html"), debian_faq),
    "debian-policy": ("debian-policy/policy.html/index.html",
                      lambda path: re.search(r"/policy\.html/[a-z-]+\.html$", path), debian_policy),
    "git-commands": ("git-doc/git.html", lambda path: re.search(r"/git(-[^/]*)?\.html$", path), git_commands),
    "sqlite-functions": ("sqlite3/c3ref/funclist.html", lambda path: "/c3ref/" in path, sqlite_functions),
}


def main():
    name, base, out = sys.argv[1:4]
    first, belongs, find = EXAMPLES[name]
    expected = []
    pages, _ = baseline_crawler.walk([baseline_crawler.normal(base + first)], 20,
                         lambda url: urllib.parse.urlsplit(url).path.endswith(".html") and belongs(urllib.parse.urlsplit(url).path),
                         lambda url, page: expected.extend({"url": url, **item} for item in find(url, page)))
    got = baseline_crawler.items(out, "items")
    fields = sorted({field for item in expected for field in item})

    def key(item):
        return repr([item.get(field) for field in fields])

    few, many = set(map(key, expected)) - set(map(key, got)), set(map(key, got)) - set(map(key, expected))
    print("%s: %d pages walked, %d items expected, %d items crawled, %d missing, %d too many"
          % (name, len(pages), len(expected), len(got), len(few), len(many)))
    for kind, items in (("missing", few), ("too many", many)):
        for item in sorted(items)[:10]:
            print("  %-9s %s" % (kind, item[:300]))
    return 1 if few or many or len(expected) != len(got) else 0


if __name__ == "__main__":
    sys.exit(main())
