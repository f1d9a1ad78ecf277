#!/usr/bin/env python3
"""A baseline crawler, to compare a crawl with. Python's standard library only, shares no code with Trawl.

    python3 -m http.server 8000 --bind 127.0.0.1 --directory /usr/share/doc/python3/html &
    ./trawl crawl http://127.0.0.1:8000/ --depth 2 --delay 0ms --allow-network 127.0.0.0/8 --out pages
    docs/evidence/baseline_crawler.py http://127.0.0.1:8000/ --depth 2 --compare pages

It walks breadth first, one request at a time, and says which URLs a crawl has too many, too few or more than once.
"""
import argparse, glob, html.parser, json, os, sys, time, urllib.error, urllib.parse, urllib.request, urllib.robotparser

UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
AGENT = "trawl-walk"


def encode(text, keep):
    """Percent-encoding made uniform: unreserved characters bare, everything else as it was or encoded, hexadecimal digits upper case."""
    raw, out, i = text.encode("utf-8"), [], 0
    while i < len(raw):
        c = raw[i]
        if c == 0x25 and len(raw) > i + 2 and all(chr(d) in "0123456789abcdefABCDEF" for d in raw[i + 1:i + 3]):
            value = int(raw[i + 1:i + 3], 16)
            out.append(chr(value) if value in UNRESERVED else "%%%02X" % value)
            i += 3
            continue
        out.append(chr(c) if c in UNRESERVED or chr(c) in keep else "%%%02X" % c)
        i += 1
    return "".join(out)


def normal(url):
    """The normal form, or None if it is not http(s)."""
    try:
        parts = urllib.parse.urlsplit(url.strip().replace("\t", "").replace("\n", "").replace("\r", ""))
        if parts.scheme not in ("http", "https") or not parts.hostname:
            return None
        host = parts.hostname.encode("idna").decode().lower()
        port = parts.port
    except (ValueError, UnicodeError):
        return None
    if port and port != {"http": 80, "https": 443}[parts.scheme]:
        host += ":%d" % port
    path, segments = encode(parts.path or "/", "!$&'()*+,;=:@/"), []
    pieces = path.split("/")[1:]
    for i, piece in enumerate(pieces):
        last = i == len(pieces) - 1
        if piece in (".", ".."):
            if piece == ".." and segments:
                segments.pop()
            if last:
                segments.append("")
        else:
            segments.append(piece)
    query = "?" + encode(parts.query, "!$&'()*+,;=:@/?") if "?" in url.split("#")[0] else ""
    return "%s://%s/%s%s" % (parts.scheme, host, "/".join(segments), query)


class Links(html.parser.HTMLParser):
    """The links of a page in document order, each with whether it may be followed."""

    def __init__(self, base):
        super().__init__(convert_charrefs=True)
        self.base, self.found, self.follow, self.based = base, [], True, False

    def handle_starttag(self, tag, attributes):
        a = {k: v or "" for k, v in reversed(attributes)}
        if tag == "base" and a.get("href") and not self.based:
            self.base, self.based = urllib.parse.urljoin(self.base, a["href"].strip()), True
        elif tag == "meta" and a.get("name", "").lower() == "robots":
            words = {w.strip() for w in a.get("content", "").lower().split(",")}
            self.follow &= not words & {"nofollow", "none"}
        elif tag in ("a", "area") and "href" in a:
            self.found.append((a["href"], "nofollow" not in a.get("rel", "").lower().split()))
        elif tag in ("frame", "iframe") and a.get("src"):
            self.found.append((a["src"], True))

    handle_startendtag = handle_starttag


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def fetch(url):
    request = urllib.request.Request(url, headers={"User-Agent": AGENT})
    try:
        with OPENER.open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as e:
        return e.code, e.headers, b""
    except OSError:
        return 0, {}, b""


def allowed(url, rules):
    root = "%s://%s" % urllib.parse.urlsplit(url)[:2]
    if root not in rules:
        status, _, body = fetch(root + "/robots.txt")
        rules[root] = urllib.robotparser.RobotFileParser()
        rules[root].parse(body.decode("utf-8", "replace").splitlines() if status == 200 else [])
        if status >= 500:
            rules[root].disallow_all = True
    return rules[root].can_fetch(AGENT, url)


def walk(seeds, depth, accept=lambda url: True, keep=lambda url, text: None):
    """Pages (status 2xx) by URL, and everything else by URL, of a breadth-first walk within the seeds' hosts and of accepted URLs; keep gets each HTML page."""
    hosts = {urllib.parse.urlsplit(u).hostname for u in seeds}
    seen, pages, others, rules = dict.fromkeys(seeds, 0), {}, {}, {}
    level = list(seeds)
    for d in range(depth + 1):
        following, queue = [], list(level)
        while queue:
            url = queue.pop(0)
            if not allowed(url, rules):
                others[url] = "robots"
                continue
            status, headers, body = fetch(url)
            if 300 <= status < 400 and headers.get("Location"):
                others[url] = status
                target = normal(urllib.parse.urljoin(url, headers["Location"]))
                if target and target not in seen and urllib.parse.urlsplit(target).hostname in hosts and accept(target):
                    seen[target] = d
                    queue.append(target)
                continue
            if not 200 <= status < 300:
                others[url] = status
                continue
            pages[url] = d
            if "html" not in headers.get("Content-Type", ""):
                continue
            text = body.decode(headers.get_content_charset() or "utf-8", "replace")
            keep(url, text)
            if d == depth:
                continue
            links = Links(url)
            links.feed(text)
            if not links.follow or "nofollow" in headers.get("X-Robots-Tag", ""):
                continue
            for href, follow in links.found:
                target = normal(urllib.parse.urljoin(links.base, href.strip())) if follow else None
                if target and target not in seen and urllib.parse.urlsplit(target).hostname in hosts and accept(target):
                    seen[target] = d + 1
                    following.append(target)
        level = following
    return pages, others


def crawled(folder, kind):
    return [item["url"] for item in items(folder, kind)]


def items(folder, kind):
    found = []
    for name in glob.glob(os.path.join(folder, kind, "**", "*.jsonl"), recursive=True):
        with open(name, encoding="utf-8") as lines:
            found += [json.loads(line) for line in lines]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", nargs="+")
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--compare", metavar="OUT", help="the --out folder of a crawl")
    options = parser.parse_args()
    began = time.time()
    pages, others = walk([normal(u) for u in options.url], options.depth)
    print("walk: %d pages, %d others, %.1f s" % (len(pages), len(others), time.time() - began))
    if not options.compare:
        print("\n".join(sorted(pages)))
        return 0
    got = crawled(options.compare, "items")
    few, many = sorted(set(pages) - set(got)), sorted(set(got) - set(pages))
    print("crawl: %d pages, %d missing, %d too many, %d more than once" % (len(got), len(few), len(many), len(got) - len(set(got))))
    for url in few[:20]:
        print("  missing  ", url)
    for url in many[:20]:
        print("  too many ", url)
    return 1 if few or many or len(got) != len(set(got)) else 0


if __name__ == "__main__":
    sys.exit(main())
