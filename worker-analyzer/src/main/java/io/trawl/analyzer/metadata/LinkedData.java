package io.trawl.analyzer.metadata;

import io.trawl.analyzer.metadata.PageFacts.Fact;
import io.trawl.analyzer.metadata.PageFacts.Trust;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the JSON-LD of a page says about it, by the vocabulary of schema.org. Contexts are not resolved: nearly all
 * pages write names of that vocabulary as they are. Scripts beyond {@value #MOST_CHARACTERS} characters of a page are
 * not read.
 */
final class LinkedData {
    private static final int MOST_CHARACTERS = 512 << 10;
    private static final int MOST_NODES = 500;
    private static final int MOST_AUTHORS = 20;
    /** So many names of one type are those of a list. */
    private static final int LIST = 3;
    private final List<Map<?, ?>> nodes = new ArrayList<>();
    private final Map<String, Map<?, ?>> byId = new HashMap<>();
    private int charactersLeft = MOST_CHARACTERS;

    /** Reads a script of the type {@code application/ld+json}. */
    void read(String script) {
        if (script.length() <= charactersLeft) {
            charactersLeft -= script.length();
            LooseJson.read(bare(script)).forEach(this::collect);
        }
    }

    /** Without what hid scripts from old browsers and from parsers of XML. */
    private static String bare(String script) {
        int begin = 0;
        while (begin < script.length() && "{[".indexOf(script.charAt(begin)) < 0) {
            begin = script.startsWith("<![CDATA[", begin) ? begin + "<![CDATA[".length() : begin + 1;
        }
        return script.substring(begin);
    }

    private void collect(@Nullable Object value) {
        if (nodes.size() >= MOST_NODES) {
            return;
        }
        if (value instanceof Collection<?> all) {
            all.forEach(this::collect);
        } else if (value instanceof Map<?, ?> node) {
            nodes.add(node);
            if (node.get("@id") instanceof String id) {
                // A mere reference has nothing else.
                byId.merge(id, node, (known, other) -> other.size() > known.size() ? other : known);
            }
            collect(node.get("@graph"));
            if (node.get("mainEntity") instanceof Map<?, ?> main) {
                collect(main);
            }
        }
    }

    /** Offers what it says. */
    void offer(FactReader facts) {
        if (nodes.isEmpty()) {
            return;
        }
        Optional<PageType> type = nodes.stream().flatMap(LinkedData::types).map(PageType::of).flatMap(Optional::stream)
                .min(PageType::compareTo);
        List<Map<?, ?>> mains = type.map(this::ofType).orElse(List.of());
        boolean several = mains.stream().map(node -> text(node, "headline", "name").orElse("")).distinct()
                .count() >= LIST;
        type.ifPresent(one -> facts.offer(Fact.TYPE, Trust.LINKED_DATA, (several ? one.several() : one).word()));
        List<Map<?, ?>> pages = nodes.stream().filter(node -> types(node).anyMatch(LinkedData::isPage)).toList();
        Stream.concat(several ? Stream.empty() : mains.stream(), pages.stream()).forEach(node -> page(node, facts));
        nodes.stream().filter(node -> types(node).anyMatch(name -> name.equalsIgnoreCase("WebSite"))).forEach(
                site -> text(site, "name").ifPresent(name -> facts.offer(Fact.SITE_NAME, Trust.LINKED_DATA, name)));
    }

    /** What it states of the content. */
    StatedContent stated() {
        String text = nodes.stream()
                .flatMap(node -> Stream
                        .of("articleBody", "text", is(PageType.PRODUCT, node) ? "description" : "articleBody")
                        .map(node::get))
                .filter(String.class::isInstance).map(String.class::cast).max(Comparator.comparingInt(String::length))
                .orElse("");
        return new StatedContent(text, nodes.stream().anyMatch(node -> is(PageType.FORUM, node)));
    }

    private static boolean is(PageType type, Map<?, ?> node) {
        return types(node).map(PageType::of).flatMap(Optional::stream).anyMatch(type::equals);
    }

    private void page(Map<?, ?> node, FactReader facts) {
        String authors = Stream.of("author", "creator").map(name -> names(node.get(name)))
                .filter(names -> !names.isEmpty()).findFirst().orElse("");
        facts.offer(Fact.AUTHOR, Trust.LINKED_DATA, authors);
        text(node, "datePublished", "dateCreated", "uploadDate", "datePosted")
                .ifPresent(date -> facts.offer(Fact.PUBLISHED, Trust.LINKED_DATA, date));
        text(node, "dateModified").ifPresent(date -> facts.offer(Fact.MODIFIED, Trust.LINKED_DATA, date));
        Stream.of("image", "primaryImageOfPage", "thumbnailUrl").map(name -> url(node.get(name)))
                .filter(url -> !url.isEmpty()).findFirst()
                .ifPresent(url -> facts.offer(Fact.IMAGE, Trust.LINKED_DATA, url));
        // The publisher of a page is not always the site, so what names the site counts first.
        facts.offer(Fact.SITE_NAME, Trust.VISIBLE, names(node.get("publisher")));
    }

    private List<Map<?, ?>> ofType(PageType type) {
        return nodes.stream().filter(node -> is(type, node)).toList();
    }

    private static boolean isPage(String name) {
        return name.toLowerCase(Locale.ROOT).endsWith("page");
    }

    private static Stream<String> types(Map<?, ?> node) {
        return switch (node.get("@type")) {
            case String one -> Stream.of(one);
            case Collection<?> all -> all.stream().filter(String.class::isInstance).map(String.class::cast);
            case null, default -> Stream.empty();
        };
    }

    private static Optional<String> text(Map<?, ?> node, String... names) {
        return Stream.of(names).map(node::get)
                .map(value -> value instanceof Collection<?> all && !all.isEmpty() ? all.iterator().next() : value)
                .filter(String.class::isInstance).map(String.class::cast).findFirst();
    }

    /** The names of people and organisations, one behind another. */
    private String names(@Nullable Object value) {
        Set<String> all = new LinkedHashSet<>();
        each(value).limit(MOST_AUTHORS)
                .map(one -> one instanceof Map<?, ?> node
                        ? text(node, "name").or(() -> text(known(node), "name")).orElse("")
                        : String.valueOf(one))
                .map(Bylines::collapsed).filter(name -> !name.isEmpty()).forEach(all::add);
        return all.stream().collect(Collectors.joining(", "));
    }

    private String url(@Nullable Object value) {
        return each(value).map(one -> one instanceof Map<?, ?> node
                ? text(node, "url", "contentUrl").or(() -> text(known(node), "url", "contentUrl")).orElse("")
                : String.valueOf(one)).filter(url -> !url.isBlank()).findFirst().orElse("");
    }

    private static Stream<?> each(@Nullable Object value) {
        return value instanceof Collection<?> all ? all.stream().filter(Objects::nonNull) : Stream.ofNullable(value);
    }

    /** The node that another one refers to. */
    private Map<?, ?> known(Map<?, ?> reference) {
        return reference.get("@id") instanceof String id ? byId.getOrDefault(id, reference) : reference;
    }
}
