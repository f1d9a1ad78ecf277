package io.trawl.analyzer.sitemap;

import io.trawl.analyzer.sitemap.SitemapParser.SitemapLinks;
import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.api.Page;
import io.trawl.scope.LinkFacts;
import io.trawl.value.HttpDate;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes the entries of a sitemap, an index of sitemaps or a feed. A URL counts if its own element is whole and belongs
 * to an entry; an entry may lack its end. What is damaged costs its entry alone, which is counted. Not thread-safe.
 */
final class SitemapReader implements MarkupScanner.Handler {
    private static final int DEEPEST = 50;
    private static final int LONGEST_VALUE = 10_000;
    private static final Set<String> SITEMAP = Set.of("url", "sitemap");
    /** The names of entries, by that of the root. */
    private static final Map<String, Set<String>> ENTRIES = Map.of("urlset", SITEMAP, "sitemapindex", SITEMAP, "rss",
            Set.of("item"), "rdf", Set.of("item"), "feed", Set.of("entry"));
    /** The roots of entries whose own root is damaged. */
    private static final Map<String, String> ROOTS = Map.of("url", "urlset", "sitemap", "sitemapindex", "item", "rss",
            "entry", "feed");
    private static final Set<String> DATES = Set.of("lastmod", "pubdate", "date", "updated", "published", "modified");
    private final Page page;
    private final Set<String> kinds;
    private final List<Link> links = new ArrayList<>();
    private String root = "";
    private String prefix = "";
    private String base;
    private boolean html;
    private @Nullable Entry entry;
    /** The elements within the entry. */
    private final Deque<String> open = new ArrayDeque<>();
    private @Nullable Value reading;
    /** Whether a location stands in no entry, behind the last one. */
    private boolean stray;
    private int notTaken;

    /** An entry that is read. */
    private static final class Entry {
        private final String name;
        private final String base;
        private final List<String> further = new ArrayList<>();
        private Optional<String> url = Optional.empty();
        private Optional<Instant> date = Optional.empty();
        private double priority = 0.5;
        private boolean damaged;
        private boolean empty = true;

        Entry(String name, String base) {
            this.name = name;
            this.base = base;
        }
    }

    /** The text of an element that is read. */
    private static final class Value {
        private final String name;
        private final String base;
        private final StringBuilder text = new StringBuilder();
        private boolean whole = true;

        Value(String name, String base) {
            this.name = name;
            this.base = base;
        }
    }

    private SitemapReader(Page page) {
        this.page = page;
        this.kinds = page.linkKinds();
        this.base = page.url();
    }

    /** Reads a file in XML. @param cut whether its end is missing, so that its last entry may be none */
    static SitemapLinks read(String text, boolean cut, Page page) {
        SitemapReader reader = new SitemapReader(page);
        MarkupScanner.scan(text, reader);
        if (!cut || reader.entry != null && reader.entry.url.isPresent()) {
            reader.endEntry();
            reader.countStray();
        }
        return SitemapLinks.of(reader.links, reader.notTaken, !reader.root.isEmpty());
    }

    private static String local(String name) {
        return name.substring(name.indexOf(':') + 1).toLowerCase(Locale.ROOT);
    }

    private static String prefix(String name) {
        return name.substring(0, name.indexOf(':') + 1).toLowerCase(Locale.ROOT);
    }

    private boolean isSitemap() { return ENTRIES.get(root) == SITEMAP; }

    @Override
    public boolean isEntry(String name) {
        return ENTRIES.getOrDefault(root, Set.of()).contains(local(name))
                && (prefix(name).equals(prefix) || root.equals("rdf"));
    }

    @Override
    public void start(MarkupScanner.Tag tag, boolean closed) {
        String name = tag.name();
        breakValue();
        if (root.isEmpty() && begin(tag)) {
            return;
        }
        if (isEntry(name)) {
            if (entry == null || !entry.empty) {
                endEntry();
                countStray();
            }
            entry = new Entry(name, base(tag, base));
            if (closed) {
                endEntry();
            }
        } else if (entry != null) {
            child(entry, tag, closed);
        } else {
            stray |= local(name).equals("loc") || local(name).equals("link") && !links.isEmpty();
        }
    }

    /** Reads the root. @return whether the element is none of an entry */
    private boolean begin(MarkupScanner.Tag tag) {
        String name = local(tag.name());
        html |= Set.of("html", "head", "body").contains(name);
        if (html) {
            return true;
        }
        boolean isRoot = ENTRIES.containsKey(name);
        root = isRoot ? name : ROOTS.getOrDefault(name, "");
        prefix = prefix(tag.name());
        base = isRoot ? base(tag, base) : base;
        return isRoot || root.isEmpty();
    }

    private String base(MarkupScanner.Tag tag, String outer) {
        return tag.attribute("xml:base").flatMap(href -> page.resolve(outer, href)).orElse(outer);
    }

    private void child(Entry of, MarkupScanner.Tag tag, boolean closed) {
        of.empty = false;
        String name = tag.name();
        String local = local(name);
        boolean direct = open.isEmpty();
        boolean own = direct && prefix(name).equals(prefix(of.name));
        boolean image = open.size() == 1 && local(open.getLast()).equals("image") && local.equals("loc");
        if (!closed && open.size() < DEEPEST) {
            open.addLast(name);
        }
        if (direct && local.equals("link") && !tag.attribute("href").orElse("").isBlank()) {
            reference(of, tag, own);
        } else if (!closed && (image || own && (local.equals("loc") || local.equals("link") || local.equals("priority"))
                || direct && DATES.contains(local))) {
            reading = new Value(name, base(tag, of.base));
        } else if (own && local.equals("link") && root.equals("feed")) {
            of.damaged = true;
        }
    }

    /** A link of an entry of Atom, or another language of a page. */
    private void reference(Entry of, MarkupScanner.Tag tag, boolean own) {
        String url = resolved(base(tag, of.base), tag.attribute("href").orElse(""));
        boolean alternate = tag.attribute("rel").map(rel -> rel.strip().equalsIgnoreCase("alternate")).orElse(true);
        if (alternate && !isSitemap() && of.url.isEmpty()) {
            of.url = Optional.of(url);
        } else if (alternate && isSitemap() && !own && kinds.contains("alternate")) {
            of.further.add(url);
        }
    }

    private String resolved(String from, String reference) {
        return from.equals(page.url()) ? reference.strip() : page.resolve(from, reference).orElse(reference.strip());
    }

    @Override
    public void end(String written) {
        String name = written.toLowerCase(Locale.ROOT);
        Value value = reading;
        if (value != null && value.name.equals(name) && entry != null) {
            take(entry, value);
            reading = null;
        }
        breakValue();
        if (isEntry(name)) {
            countUnbegun();
            endEntry();
        } else if (open.contains(name)) {
            while (!open.removeLast().equals(name)) {
                // It lacks its end.
            }
        }
    }

    private void take(Entry of, Value value) {
        String text = value.text.toString().strip();
        if (!value.whole) {
            of.damaged = true;
        } else if (open.size() > 1) {
            // An image of the page: the page names it, too.
        } else if (DATES.contains(local(value.name))) {
            of.date = of.date.or(() -> HttpDate.parse(text, page.fetchedAt()));
        } else if (local(value.name).equals("priority")) {
            of.priority = priority(text);
        } else if (of.url.isEmpty() && !text.isEmpty()) {
            of.url = Optional.of(resolved(value.base, text));
        }
    }

    private static double priority(String text) {
        try {
            double priority = Double.parseDouble(text);
            return priority >= 0 && priority <= 1 ? priority : 0.5;
        } catch (NumberFormatException e) {
            return 0.5;
        }
    }

    @Override
    public void text(String text, boolean whole) {
        if (reading != null) {
            reading.whole &= whole && reading.text.length() + text.length() <= LONGEST_VALUE;
            reading.text.append(reading.whole ? text : "");
        }
    }

    @Override
    public void broken() {
        breakValue();
        if (entry != null) {
            entry.damaged = true;
        }
    }

    /** Markup within a value, or another end, leaves none. */
    private void breakValue() {
        if (reading != null && entry != null) {
            entry.damaged = true;
        }
        reading = null;
    }

    private void endEntry() {
        Entry ended = entry;
        if (ended != null && ended.url.isPresent()) {
            add(ended, ended.url.get());
        } else if (ended != null && (isSitemap() || ended.damaged || !open.isEmpty())) {
            notTaken++;
        }
        entry = null;
        open.clear();
        reading = null;
    }

    private void add(Entry ended, String url) {
        if (links.size() > SitemapParser.MOST_URLS) {
            return;
        }
        Link link = Link.to(url);
        links.add(local(ended.name).equals("sitemap") ? link.with(SitemapParser.REQUEST) : link.with(options(ended)));
        ended.further.forEach(further -> links.add(Link.to(further)));
    }

    /** Feeds have no priorities. */
    private LinkOptions options(Entry ended) {
        LinkOptions options = ended.date.map(date -> LinkOptions.NONE.withMetadata(LinkFacts.LASTMOD, date.toString()))
                .orElse(LinkOptions.NONE);
        return isSitemap() ? options.withMetadata(LinkFacts.PRIORITY, Double.toString(ended.priority)) : options;
    }

    /** The end of an entry that has not begun. */
    private void countUnbegun() {
        if (entry == null && stray) {
            notTaken++;
            stray = false;
        }
    }

    /** Entries of sitemaps that neither begin nor end. */
    private void countStray() {
        if (isSitemap()) {
            countUnbegun();
        }
        stray = false;
    }
}
