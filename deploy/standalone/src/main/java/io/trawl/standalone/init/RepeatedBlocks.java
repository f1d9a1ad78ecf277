package io.trawl.standalone.init;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * Finds elements that come again and again in pages, with the same tag and classes in the same kind of parent: things
 * of schema.org, headings and terms with an anchor, and entries of a list that lead elsewhere.
 */
record RepeatedBlocks(List<SurveyedPage> pages) {
    private static final int LEAST = 3;
    private static final int MOST_TYPES = 5;
    private static final int MOST_CLASSES = 2;
    static final String HEADINGS = "h1, h2, h3, h4, h5, h6";
    private static final String ANCHORS = "a[id], a[name], a[href^=#]";
    /** What markup says of other things, not of the content of a page. */
    private static final Set<String> AROUND_THINGS = Set.of("BreadcrumbList", "ListItem", "WebPage", "WebSite",
            "Organization", "Person", "ImageObject", "SearchAction", "CollectionPage", "ItemList",
            "SiteNavigationElement", "WPHeader", "WPFooter", "WPSideBar");
    private static final Pattern FRAME = Pattern
            .compile("(?i)(^|[\\s_-])(\\w*nav\\w*|\\w*side-?bar|menu\\w*|footer|bread-?crumbs?|toc)([\\s_-]|$)");
    private static final Set<String> ENTRIES = Set.of("li", "article", "div", "section", "tr", "figure", "a");
    private static final Pattern CLASS = Pattern.compile("[A-Za-z][A-Za-z_-]*");

    /** Where elements of a kind are. @param tag of headings of all levels {@code h} */
    private record Kind(String parent, String tag, String classes) {}

    /** Elements of a kind, and the number of pages that have them. */
    private record Blocks(Kind kind, List<Element> elements, long pages) {
        /** The anchor that most of them have. */
        String anchor() {
            return elements.stream().map(RepeatedBlocks::anchor).flatMap(Optional::stream)
                    .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())).entrySet()
                    .stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
        }

        boolean mostHave(String selector) {
            return 2 * elements.stream().filter(element -> element.selectFirst(selector) != null).count() > elements
                    .size();
        }

        String seen(int of) {
            return elements.size() + " on " + pages + " of " + of + " pages";
        }
    }

    /** Whether a type of schema.org is that of an item. */
    static boolean isThing(String type) {
        return type.matches("[A-Za-z]+") && !AROUND_THINGS.contains(type);
    }

    /** The things that elements with {@code itemtype} describe. */
    List<ItemProposal> microdata() {
        return blocks(page -> page.select("[itemscope][itemtype]:not([itemprop])").stream(), 1,
                element -> new Kind("", thing(element), "")).stream().filter(blocks -> isThing(blocks.kind().tag()))
                .limit(MOST_TYPES)
                .map(blocks -> new ItemProposal(typeName(blocks.kind().tag()),
                        "microdata of schema.org, " + blocks.seen(pages.size()), Optional.empty(),
                        Optional.of("[itemtype$=/" + blocks.kind().tag() + "]"), properties(blocks)))
                .filter(rule -> !rule.fields().isEmpty()).toList();
    }

    private static String thing(Element element) {
        return element.attr("itemtype").strip().replaceFirst(".*[/#]", "");
    }

    private static Map<String, String> properties(Blocks blocks) {
        Map<String, String> fields = new LinkedHashMap<>();
        blocks.elements().stream().flatMap(block -> block.select("[itemprop]").stream())
                .map(element -> element.attr("itemprop").strip()).distinct()
                .filter(name -> PageRecords.mayName(name) && blocks.mostHave("[itemprop=" + name + "]"))
                .forEach(name -> fields.put(name,
                        "{microdata: " + name + (name.startsWith("date") ? ", type: date}" : "}")));
        return fields;
    }

    /** Terms and headings with an anchor, those of terms first. @param common texts of headings that most pages have */
    List<ItemProposal> anchored(Set<String> common) {
        return blocks(
                page -> page.select("dt, " + HEADINGS).stream()
                        .filter(element -> anchor(element).isPresent() && !common.contains(element.text())),
                LEAST, RepeatedBlocks::kind).stream()
                .sorted(Comparator.comparing(blocks -> blocks.kind().tag().equals("h"))).limit(MOST_TYPES)
                .map(this::anchoredItem).toList();
    }

    private ItemProposal anchoredItem(Blocks blocks) {
        Kind kind = blocks.kind();
        boolean heading = kind.tag().equals("h");
        String tag = heading ? levels(blocks) : "dt";
        String own = blocks.anchor();
        Map<String, String> fields = new LinkedHashMap<>();
        switch (own) {
            case "id" -> fields.put("anchor", ItemProposal.css(tag, ", attribute: id, required: true"));
            case "a[href^=#]" -> fields.put("link", ItemProposal.css(own, ", type: url, required: true"));
            default -> fields.put("anchor", ItemProposal.css(own,
                    ", attribute: " + (own.equals("a[id]") ? "id" : "name") + ", required: true"));
        }
        fields.put("title", ItemProposal.css(tag, ", transform: [{replace: ['¶', '']}, trim]"));
        String name = heading
                ? "section"
                : typeName(kind.parent().contains(".") ? kind.parent().replaceFirst(".*\\.", "") : "term");
        return new ItemProposal(name,
                (heading ? "headings" : "terms") + " with an anchor, " + blocks.seen(pages.size()), Optional.empty(),
                Optional.of(kind.parent() + " > " + tag + kind.classes()), fields);
    }

    /** The levels of headings that were seen, and those below. */
    private static String levels(Blocks blocks) {
        int least = blocks.elements().stream().mapToInt(element -> element.normalName().charAt(1) - '0').min()
                .orElse(1);
        return IntStream.rangeClosed(least, 6).mapToObj(level -> "h" + level)
                .collect(Collectors.joining(", ", ":is(", ")"));
    }

    /** What identifies an element within its page: its own id, or the selector of its anchor. */
    private static Optional<String> anchor(Element element) {
        if (element.hasAttr("id")) {
            return Optional.of("id");
        }
        return Stream.of(ANCHORS.split(", ")).filter(selector -> element.selectFirst(selector) != null).findFirst();
    }

    /** Entries of a list that say more than a link. */
    List<ItemProposal> listed() {
        return blocks(
                page -> page.document().stream().flatMap(document -> document.body().getAllElements().stream())
                        .filter(parent -> parent.childrenSize() >= LEAST).flatMap(this::entries),
                LEAST, RepeatedBlocks::kind).stream().limit(1).map(this::listedItem).toList();
    }

    private Stream<Element> entries(Element parent) {
        return parent.children().stream()
                .collect(Collectors.groupingBy(RepeatedBlocks::kind, LinkedHashMap::new, Collectors.toList())).values()
                .stream()
                .filter(siblings -> siblings.size() >= LEAST && siblings.stream().allMatch(RepeatedBlocks::isEntry))
                .flatMap(List::stream).map(RepeatedBlocks::content);
    }

    private static boolean isEntry(Element element) {
        return ENTRIES.contains(element.normalName()) && element.selectFirst("a[href]:not([href^=#])") != null
                && element.selectFirst(HEADINGS + ", img, time, p:not(:empty), [class*=price]") != null;
    }

    /** The only element within an entry, if it has a class. */
    private static Element content(Element entry) {
        return entry.childrenSize() == 1 && isEntry(entry.child(0)) && !classes(entry.child(0)).isEmpty()
                ? content(entry.child(0))
                : entry;
    }

    private ItemProposal listedItem(Blocks blocks) {
        Kind kind = blocks.kind();
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("title", ItemProposal.css(blocks.mostHave(HEADINGS) ? HEADINGS : "a[href]", ""));
        fields.put("link", ItemProposal.css("a[href]", ", type: url, required: true"));
        Map.of("image", "img[src]", "price", "[class*=price]", "date", "time").entrySet().stream()
                .sorted(Map.Entry.comparingByKey()).filter(field -> blocks.mostHave(field.getValue())).forEach(
                        field -> fields.put(field.getKey(), ItemProposal.css(field.getValue(), switch (field.getKey()) {
                            case "image" -> ", type: url";
                            case "price" -> ", type: money";
                            default -> blocks.mostHave("time[datetime]") ? ", attribute: datetime, type: date" : "";
                        })));
        String named = kind.classes().isEmpty() ? kind.tag() : kind.classes();
        return new ItemProposal(typeName(named.replaceFirst(".*\\.", "")),
                "entries of lists, " + blocks.seen(pages.size()), Optional.empty(),
                Optional.of(kind.parent() + " > " + kind.tag() + kind.classes()), fields);
    }

    /** The elements by their kind, if they are no part of the frame of the page, most first. */
    private List<Blocks> blocks(Function<SurveyedPage, Stream<Element>> found, int least,
            Function<Element, Kind> kinds) {
        Map<Kind, List<Element>> elements = new LinkedHashMap<>();
        pages.forEach(page -> found.apply(page).filter(Predicate.not(RepeatedBlocks::inFrame)).forEach(
                element -> elements.computeIfAbsent(kinds.apply(element), _ -> new ArrayList<>()).add(element)));
        return elements.entrySet().stream().filter(kind -> kind.getValue().size() >= least)
                .map(kind -> new Blocks(kind.getKey(), kind.getValue(),
                        kind.getValue().stream().map(Element::root).distinct().count()))
                .sorted(Comparator.comparingInt((Blocks blocks) -> -blocks.elements().size())).toList();
    }

    static boolean inFrame(Element element) {
        return element.parents().stream().anyMatch(parent -> switch (parent.normalName()) {
            case "nav", "footer", "aside" -> true;
            case "html", "body", "main", "article" -> false;
            default -> parent.attr("role").equals("navigation")
                    || FRAME.matcher(parent.className() + " " + parent.id()).find();
        });
    }

    private static Kind kind(Element element) {
        Element parent = element.parent();
        String tag = element.normalName().matches("h[1-6]") ? "h" : tag(element);
        return new Kind(tag(parent) + classes(parent), tag, classes(element));
    }

    /** The name of a tag in a selector. */
    static String tag(@Nullable Element element) {
        return element != null && element.normalName().matches("[a-z][a-z0-9-]*") ? element.normalName() : "*";
    }

    private static String classes(@Nullable Element element) {
        return element == null
                ? ""
                : element.classNames().stream().filter(name -> CLASS.matcher(name).matches()).limit(MOST_CLASSES)
                        .map(name -> "." + name).collect(Collectors.joining());
    }

    /** The name of a type. */
    static String typeName(String from) {
        String name = from.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]+", "-").replaceAll("^[^a-z]+|-+$", "");
        return name.isEmpty() || name.equals("page") || name.equals("error") ? "entry" : name;
    }
}
