package io.trawl.analyzer.parse;

import io.trawl.model.ProductToken;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.NormalUrl;
import io.trawl.log.LogKeys;
import io.trawl.model.InvalidValue;
import io.trawl.plugin.Plugins;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All response parsers of this process, and the merging of their results (S12): later parsers replace fields of earlier ones, links are joined, what
 * any of them says about robots holds. A parser that fails is reported and hides nothing of the others. Thread-safe if the parsers are.
 */
public final class Parsers {
    private static final Logger LOG = LoggerFactory.getLogger(Parsers.class);
    private static final String FIRST = "html";
    private final Map<String, ResponseParser> byName = new LinkedHashMap<>();
    private final int mostLinks;

    /**
     * @param parsers in any order; they run with {@code html} first, then by name
     * @param mostLinks how many links of a page are considered
     * @throws InvalidValue if two have the same name
     */
    public Parsers(Iterable<ResponseParser> parsers, int mostLinks) {
        List<ResponseParser> sorted = new ArrayList<>();
        parsers.forEach(sorted::add);
        sorted.sort(Comparator.comparing((ResponseParser p) -> !p.name().equals(FIRST)).thenComparing(ResponseParser::name));
        for (ResponseParser parser : sorted) {
            if (byName.putIfAbsent(parser.name(), parser) != null) {
                throw new InvalidValue("parser", parser.name(), "a name that no other parser has");
            }
        }
        this.mostLinks = mostLinks;
    }

    /** The built-in ones and those of the plugins. */
    public static Parsers among(Plugins plugins, int mostLinks) {
        return new Parsers(plugins.of(ResponseParser.class), mostLinks);
    }

    /** Their names, in the order in which they run. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** Lets every parser that wants the page, or the one that its request names, read it. */
    public Analyzed parse(Page page) {
        Merge merge = new Merge(page, mostLinks);
        Optional<String> wanted = page.response().request().options().parser();
        if (wanted.isPresent() && !byName.containsKey(wanted.get())) {
            merge.failed(wanted.get(), "no parser has this name; there are: " + String.join(", ", byName.keySet()));
        }
        byName.values().stream().filter(p -> wanted.isEmpty() || p.name().equals(wanted.get()))
                .forEach(p -> parse(p, page, merge));
        return merge.result();
    }

    private static void parse(ResponseParser parser, Page page, Merge merge) {
        try {
            if (parser.handles(page.response())) {
                merge.add(parser.parse(page));
            }
        } catch (Exception | Error e) {
            // Plug-ins may throw anything, and a page may blow the stack or the heap: it costs this parser's share of this page.
            LOG.atDebug().addKeyValue(LogKeys.CRAWL, page.response().run().crawl()).addKeyValue(LogKeys.URL, page.url())
                    .setCause(e)
                    .log("parser {} failed on {}", parser.name(), page.url());
            merge.failed(parser.name(), e.toString());
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static final class Merge {
        private final Page page;
        private final Map<String, Object> fields = new LinkedHashMap<>();
        private final Links links;
        private final List<String> errors = new ArrayList<>();
        private boolean looked;
        private int succeeded;
        private RobotsDirectives robots;

        Merge(Page page, int mostLinks) {
            this.page = page;
            this.links = new Links(mostLinks);
            this.robots = RobotsDirectives.ofHeader(page.response().header("x-robots-tag"),
                    ProductToken.of(page.definition().userAgent()));
        }

        void add(Parsed parsed) {
            fields.putAll(parsed.fields());
            robots = robots.and(parsed.robots());
            parsed.links().ifPresent(found -> {
                looked = true;
                links.add(BaseUrl.of(new NormalUrl(parsed.base().orElse(page.url()))), found);
            });
            succeeded++;
        }

        void failed(String parser, String cause) {
            errors.add("parser '" + parser + "': " + (cause.length() > 500 ? cause.substring(0, 500) + "…" : cause));
        }

        Analyzed result() {
            return new Analyzed(page.contentType(), fields, looked ? Optional.of(links.targets()) : Optional.empty(),
                    links.refused(), links.strays(), robots, errors,
                    succeeded == 0 && !errors.isEmpty());
        }
    }
}
