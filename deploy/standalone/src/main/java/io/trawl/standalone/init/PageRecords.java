package io.trawl.standalone.init;

import io.trawl.extract.ItemSchema;
import io.trawl.standalone.init.SiteSurvey.Site;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;

/** Finds pages that are records themselves: with JSON-LD, or of one shape of URLs. */
final class PageRecords {
    private static final int LEAST = 3;
    private static final int MOST_PARTS = 8;
    private final Site site;
    /** The pages of the shape of which most were seen. */
    private final List<SurveyedPage> alike;
    private final String shape;

    PageRecords(Site site) {
        this.site = site;
        Entry<String, List<SurveyedPage>> most = site.pages().stream()
                .collect(Collectors.groupingBy(page -> site.shape(page.url()), LinkedHashMap::new, Collectors.toList()))
                .entrySet().stream().max(Comparator.comparingInt(group -> group.getValue().size())).orElseThrow();
        this.shape = most.getKey();
        this.alike = most.getValue();
    }

    /** Whether a rule may have a field of this name. */
    static boolean mayName(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_-]{0,63}") && !ItemSchema.RESERVED.contains(name);
    }

    /** The texts of headings that at least half of the pages alike have: those of a template. */
    Set<String> common() {
        Map<String, Integer> pages = new HashMap<>();
        alike.forEach(page -> headings(page).map(Element::text).distinct()
                .forEach(text -> pages.merge(text, 1, Integer::sum)));
        return alike.size() < LEAST
                ? Set.of()
                : pages.entrySet().stream().filter(text -> text.getValue() >= 2 && most(text.getValue()))
                        .map(Entry::getKey).collect(Collectors.toSet());
    }

    private static Stream<Element> headings(SurveyedPage page) {
        return page.select(RepeatedBlocks.HEADINGS).stream()
                .filter(heading -> !RepeatedBlocks.inFrame(heading) && !heading.text().isBlank());
    }

    private boolean most(long pages) {
        return 2 * pages >= alike.size();
    }

    /** Pages with JSON-LD about something. */
    Optional<ItemProposal> linkedData() {
        Map<String, List<SurveyedPage>> types = new LinkedHashMap<>();
        site.pages().forEach(page -> {
            if (page.facts("json-ld").get("types") instanceof Collection<?> named) {
                named.stream().map(String::valueOf).filter(RepeatedBlocks::isThing).distinct()
                        .forEach(type -> types.computeIfAbsent(type, _ -> new ArrayList<>()).add(page));
            }
        });
        return types.entrySet().stream().filter(type -> type.getValue().size() >= Math.min(2, site.pages().size()))
                .max(Comparator.comparingInt(type -> type.getValue().size())).map(type -> {
                    Map<String, String> fields = new LinkedHashMap<>();
                    SiteSurvey.sources("json-ld").forEach((name, source) -> {
                        if (!name.equals("types")
                                && 2 * having(type.getValue(), "json-ld", name) >= type.getValue().size()) {
                            fields.put(name, source);
                        }
                    });
                    return new ItemProposal(
                            RepeatedBlocks.typeName(type.getKey()), "JSON-LD of the type " + type.getKey() + ", on "
                                    + type.getValue().size() + " of " + site.pages().size() + " pages",
                            Optional.empty(), Optional.empty(), fields);
                }).filter(rule -> !rule.fields().isEmpty());
    }

    private static long having(List<SurveyedPage> pages, String type, String field) {
        return pages.stream().filter(page -> page.facts(type).containsKey(field)).count();
    }

    /** An item for each page alike: its title, what stands below the headings of the template, its code and terms. */
    Optional<ItemProposal> pages() {
        if (alike.size() < LEAST) {
            return Optional.empty();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("title", title().map(selector -> ItemProposal.css(selector, ", required: true"))
                .orElse("{page: title, required: true}"));
        SiteSurvey.sources("document").forEach((name, source) -> {
            if (!name.equals("feeds") && most(having(alike, "document", name))) {
                fields.put(name, source);
            }
        });
        common().stream().sorted().filter(text -> text.matches("[A-Za-z][A-Za-z ]{0,40}"))
                .forEach(text -> part(text).filter(_ -> fields.size() <= MOST_PARTS)
                        .ifPresent(selector -> fields.putIfAbsent(name(text), ItemProposal.css(selector, ""))));
        Map.of("code", "pre", "terms", "dt").entrySet().stream().sorted(Entry.comparingByKey())
                .filter(list -> most(alike.stream().filter(page -> !page.select(list.getValue()).isEmpty()).count()))
                .forEach(list -> fields.putIfAbsent(list.getKey(), ItemProposal.css(list.getValue(), ", list: true")));
        String folder = shape.replaceAll("(/[^/]*[*])*[^/]*$", "").replaceFirst(".*/", "");
        return Optional.of(new ItemProposal(RepeatedBlocks.typeName(folder),
                "pages alike, " + alike.size() + " of " + site.pages().size(), Optional.of(shape), Optional.empty(),
                fields));
    }

    /** Whether most pages have a text, and not all the same one. */
    private boolean tells(List<String> texts) {
        return most(texts.size()) && texts.stream().distinct().count() > 1;
    }

    private static String name(String text) {
        return text.strip().toLowerCase(Locale.ROOT).replace(' ', '_');
    }

    /** The first selector whose first element has another text on each page. */
    private Optional<String> title() {
        return alike.stream().flatMap(PageRecords::headings)
                .flatMap(heading -> Stream.of(heading.normalName(),
                        RepeatedBlocks.tag(heading.parent()) + " > " + heading.normalName()))
                .distinct().filter(selector -> {
                    Set<String> texts = new HashSet<>();
                    return alike.stream().allMatch(page -> page.select(selector).stream().findFirst().map(Element::text)
                            .filter(text -> !text.isBlank() && texts.add(text)).isPresent());
                }).findFirst();
    }

    /** What follows a heading, if most pages have that. */
    private Optional<String> part(String text) {
        return Stream.of("h1", "h2", "h3", "h4").map(level -> level + ":matchesOwn(^" + text + "$) + *")
                .filter(selector -> mayName(name(text)) && tells(alike.stream().map(page -> page.select(selector))
                        .filter(found -> !found.isEmpty()).map(found -> found.getFirst().text()).toList()))
                .findFirst();
    }
}
