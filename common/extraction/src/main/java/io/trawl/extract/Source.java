package io.trawl.extract;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.JsonPart;
import io.trawl.extract.Part.TextPart;
import io.trawl.model.InvalidValueException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;
import org.jsoup.select.QueryParser;

/** Where the values of a field come from. Thread-safe. */
interface Source {
    /**
     * The values, in order.
     *
     * @param within the element or value that the item is about, or the whole page
     * @param all whether more than the first one is wanted
     * @throws InvalidValueException if the page cannot be read in this way
     */
    List<Part> read(PageSource page, Part within, boolean all);

    /** @throws InvalidValueException if it is no CSS selector */
    static Source css(String selector) {
        Evaluator evaluator = evaluator(selector);
        return (_, within,
                all) -> within instanceof ElementPart(Element element) ? select(element, evaluator, all) : List.of();
    }

    private static Evaluator evaluator(String selector) {
        try {
            return QueryParser.parse(selector);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new InvalidValueException("", selector, "a CSS selector: " + e.getMessage());
        }
    }

    private static List<Part> select(Element element, Evaluator evaluator, boolean all) {
        return all
                ? element.select(evaluator).stream().<Part>map(ElementPart::new).toList()
                : Optional.ofNullable(element.selectFirst(evaluator)).stream().<Part>map(ElementPart::new).toList();
    }

    /** @throws InvalidValueException if it is no XPath */
    static Source xpath(String text) {
        XPathDocument.Expression expression = new XPathDocument.Expression(text);
        return (page, within, _) -> within instanceof ElementPart(Element element)
                ? page.xpath(element).select(expression, element)
                : List.of();
    }

    /** @throws InvalidValueException if it is neither a JSON Pointer nor a JSONPath */
    static Source json(String text) {
        JsonSelector selector = JsonSelector.of(text);
        return (_, within, _) -> within instanceof JsonPart(JsonNode value) ? selector.select(value) : List.of();
    }

    /** The same in JSON that is the text of what another source finds; a text that is no JSON has no values. */
    static Source jsonIn(Source outer, String text) {
        JsonSelector selector = JsonSelector.of(text);
        return (page, within, all) -> outer.read(page, within, all).stream()
                .flatMap(part -> PageSource.json(part.text()).stream())
                .flatMap(value -> selector.select(value).stream()).toList();
    }

    /** @throws InvalidValueException if it is neither a JSON Pointer nor a JSONPath */
    static Source linkedData(String text) {
        JsonSelector selector = JsonSelector.of(text);
        return (page, _, _) -> page.linkedData().stream().flatMap(object -> selector.select(object).stream()).toList();
    }

    static Source meta(String name) {
        return (page, _, _) -> page.meta(name).stream().<Part>map(TextPart::new).toList();
    }

    static Source header(String name) {
        return (page, _, _) -> Stream.of(page.page().header(name)).filter(value -> !value.isEmpty())
                .<Part>map(TextPart::new).toList();
    }

    /** @throws InvalidValueException if pages have no such field */
    static Source page(String name) {
        PageField field = PageField.of(name).orElseThrow(
                () -> new InvalidValueException("", name, "one of " + String.join(", ", PageField.words())));
        return (page, _, _) -> page.field(field);
    }

    /** The text of the page, or of the element or value, as it is written. */
    static Source written() {
        return (page, within, _) -> List.of(new TextPart(within == page.root() ? page.page().text() : within.source()));
    }

    /** The values of an itemprop, as the HTML standard reads them. */
    static Source microdata(String name) {
        Evaluator properties = evaluator("[itemprop]");
        return (_, within, _) -> within instanceof ElementPart(Element element)
                ? element.select(properties).stream()
                        .filter(e -> List.of(e.attr("itemprop").split("\\s+")).contains(name)).map(Microdata::value)
                        .toList()
                : List.of();
    }

    /** What {@code each} names. @throws InvalidValueException if its selector is not valid */
    static Source each(String text) {
        if (text.startsWith("xpath:")) {
            return xpath(text.substring("xpath:".length()));
        }
        return text.startsWith("json:") ? json(text.substring("json:".length())) : css(text);
    }

    /** The values of properties. */
    final class Microdata {
        private static final Set<String> SRC = Set.of("audio", "embed", "iframe", "img", "source", "track", "video");
        private static final Set<String> HREF = Set.of("a", "area", "link");

        private Microdata() {}

        private static Part value(Element element) {
            String name = element.normalName();
            String attribute = element.hasAttr("content")
                    ? "content"
                    : SRC.contains(name)
                            ? "src"
                            : HREF.contains(name) ? "href" : name.equals("time") ? "datetime" : "value";
            return element.hasAttr(attribute) && !attribute.equals("value") || Set.of("data", "meter").contains(name)
                    ? new TextPart(element.attr(attribute))
                    : new ElementPart(element);
        }
    }
}
