package io.trawl.analyzer.extract;

import io.trawl.api.Link;
import io.trawl.api.LinkOptions;
import io.trawl.model.FetchOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * Collects the files that a page needs to look as it does: what a browser loads for its elements and styles (HTML,
 * section Links; CSS). Their requests name the parser of requisites.
 */
public final class Requisites {
    /** The request of a requisite, by the fetcher that returns bodies as they are. */
    public static final LinkOptions REQUEST = LinkOptions.NONE.withParser(FetchOptions.REQUISITE)
            .withFetcher(FetchOptions.HTTP);
    private static final String STYLE = "style";
    private static final String IMAGE = "image";
    private static final String SCRIPT = "script";
    private static final String MEDIA = "media";
    private static final String ICON = "icon";
    private static final String OBJECT = "object";
    private static final String HREF = "href";
    private static final String SRC = "src";
    /** The kinds of {@code <link rel=preload as=...>}. */
    private static final Map<String, String> PRELOADED = Map.of(STYLE, STYLE, IMAGE, IMAGE, SCRIPT, SCRIPT, "font",
            "font", "audio", MEDIA, "video", MEDIA, "track", MEDIA);
    /** The kinds of {@code <link rel=...>}. */
    private static final Map<String, String> RELATED = Map.of("stylesheet", STYLE, ICON, ICON, "apple-touch-icon", ICON,
            "apple-touch-icon-precomposed", ICON, "mask-icon", ICON, "modulepreload", SCRIPT);
    private final Set<String> kinds;
    private final Map<String, Link> links = new LinkedHashMap<>();

    /** @param kinds the wanted ones, as definitions name them */
    Requisites(Set<String> kinds) {
        this.kinds = kinds;
    }

    /** In the order in which they were found, without duplicates, as written. */
    List<Link> links() {
        return List.copyOf(links.values());
    }

    /** Adds what an element needs. */
    void add(Element element) {
        if (kinds.isEmpty()) {
            return;
        }
        switch (element.normalName()) {
            case "link" -> related(element);
            case STYLE -> style(element.data());
            case SCRIPT -> {
                add(SCRIPT, element, SRC);
                drawing(SCRIPT, element);
            }
            case "img" -> image(element);
            case IMAGE, "use", "feimage" -> drawing(IMAGE, element);
            case "input" -> {
                if (element.attr("type").equalsIgnoreCase(IMAGE)) {
                    add(IMAGE, element, SRC);
                }
            }
            case "source" -> {
                sizes(element, "srcset");
                add(MEDIA, element, SRC);
            }
            case "video" -> {
                add(MEDIA, element, SRC);
                add(IMAGE, element, "poster");
            }
            case "audio", "track" -> add(MEDIA, element, SRC);
            case OBJECT -> add(OBJECT, element, "data");
            case "embed" -> add(OBJECT, element, SRC);
            case "body", "table", "td", "th" -> add(IMAGE, element, "background");
            default -> {
                // It shows nothing but its text.
            }
        }
        if (element.hasAttr(STYLE)) {
            style(element.attr(STYLE));
        }
    }

    /** Adds what a style sheet, or an attribute {@code style}, needs. */
    void style(String css) {
        CssReferences.of(css).forEach(reference -> add(reference.kind(), reference.url()));
    }

    private void image(Element element) {
        add(IMAGE, element, SRC);
        sizes(element, "srcset");
    }

    private void sizes(Element element, String attribute) {
        if (kinds.contains(IMAGE) && element.hasAttr(attribute)) {
            SourceSet.urls(element.attr(attribute)).forEach(url -> add(IMAGE, url));
        }
    }

    private void related(Element element) {
        for (StringTokenizer words = new StringTokenizer(element.attr("rel")); words.hasMoreTokens();) {
            String rel = words.nextToken().toLowerCase(Locale.ROOT);
            Optional<String> kind = rel.equals("preload")
                    ? Optional.ofNullable(PRELOADED.get(element.attr("as").toLowerCase(Locale.ROOT)))
                    : Optional.ofNullable(RELATED.get(rel));
            kind.ifPresent(one -> add(one, element, HREF));
            if (kind.filter(IMAGE::equals).isPresent()) {
                sizes(element, "imagesrcset");
            }
        }
    }

    /** An element of SVG, whose reference may have the prefix of XLink (SVG 2 section 16.2). */
    private void drawing(String kind, Element element) {
        if (element.tag().namespace().equals(Parser.NamespaceSvg)) {
            add(kind, element, element.hasAttr(HREF) ? HREF : "xlink:href");
        }
    }

    private void add(String kind, Element element, String attribute) {
        if (element.hasAttr(attribute)) {
            add(kind, element.attr(attribute));
        }
    }

    private void add(String kind, String reference) {
        String url = reference.strip();
        if (kinds.contains(kind) && !url.isEmpty() && url.charAt(0) != '#' && !inline(url)) {
            links.putIfAbsent(url, Link.to(url).with(REQUEST));
        }
    }

    /** Whether the reference is the file itself, or one that the page makes. */
    private static boolean inline(String url) {
        return url.regionMatches(true, 0, "data:", 0, 5) || url.regionMatches(true, 0, "blob:", 0, 5)
                || url.regionMatches(true, 0, "about:", 0, 6);
    }
}
