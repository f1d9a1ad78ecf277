package io.trawl.extract.rule;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.InvalidValueException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of an item, as a user wrote it; a text is its CSS selector. {@code Extraction.faults} says what is wrong with
 * it.
 *
 * @param css a CSS selector
 * @param xpath an XPath 1.0 expression
 * @param json a JSON Pointer (RFC 6901), or a JSONPath that begins with {@code $}
 * @param jsonld the same in the JSON-LD blocks of the page
 * @param meta the name or property of a meta element
 * @param openGraph the same without {@code og:}
 * @param microdata the name of an {@code itemprop}
 * @param header the name of a response header
 * @param page the name of a field of the page
 * @param regex a regular expression that takes its first group of the value, or of the source text of the page if there
 * is no other source
 * @param attribute of the elements, instead of their text
 * @param type of the value; default text
 * @param formats of dates, besides the usual ones
 * @param locale of numbers, dates and amounts; default English
 * @param list whether the field holds all values, else it holds the first one
 * @param required whether an item without it is an error
 * @param onError what a value of the wrong type costs, unless the field is required; default the value alone
 * @param fallback the value if the page has none
 * @param transform what is done with the text before it gets its type, in order
 * @param fields of a nested object
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ItemField(@JsonProperty("css") Optional<String> css, @JsonProperty("xpath") Optional<String> xpath,
        @JsonProperty("json") Optional<String> json, @JsonProperty("jsonld") Optional<String> jsonld,
        @JsonProperty("meta") Optional<String> meta, @JsonProperty("openGraph") Optional<String> openGraph,
        @JsonProperty("microdata") Optional<String> microdata, @JsonProperty("header") Optional<String> header,
        @JsonProperty("page") Optional<String> page, @JsonProperty("regex") Optional<String> regex,
        @JsonProperty("attribute") Optional<String> attribute, @JsonProperty("type") Optional<ValueType> type,
        @JsonProperty("formats") List<String> formats, @JsonProperty("locale") Optional<String> locale,
        @JsonProperty("list") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean list,
        @JsonProperty("required") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean required,
        @JsonProperty("onError") Optional<ErrorScope> onError, @JsonProperty("default") Optional<Object> fallback,
        @JsonProperty("transform") List<Transform> transform, @JsonProperty("fields") Map<String, ItemField> fields) {
    /** Fills in what is absent, and keeps the order of the fields. */
    @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
    public ItemField {
        formats = formats == null ? List.of() : List.copyOf(formats);
        transform = transform == null ? List.of() : List.copyOf(transform);
        fields = ordered(fields);
    }

    /** A text is a CSS selector. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static ItemField of(String css) {
        return new ItemField(Optional.of(css), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), Optional.empty(), false, false, Optional.empty(),
                Optional.empty(), List.of(), Map.of());
    }

    /** The same field with all values that there are, and without error if there is none. */
    public ItemField optionalList() {
        return new ItemField(css, xpath, json, jsonld, meta, openGraph, microdata, header, page, regex, attribute, type,
                formats, locale, true, false, onError, Optional.empty(), transform, fields);
    }

    /** Where the values come from; {@link #regex} comes on top. */
    public List<Optional<String>> sources() {
        return List.of(css, xpath, json, jsonld, meta, openGraph, microdata, header, page);
    }

    /** Whether a value that cannot be read, or is missing without a default, costs the item. */
    public boolean strict() {
        return required && fallback.isEmpty() || onError.filter(ErrorScope.ITEM::equals).isPresent();
    }

    /** This rule and those of the objects in it. */
    public Stream<ItemField> all() {
        return Stream.concat(Stream.of(this), fields.values().stream().flatMap(ItemField::all));
    }

    /** @throws InvalidValueException if a field is null */
    static Map<String, ItemField> ordered(@Nullable Map<String, ItemField> fields) {
        if (fields == null) {
            return Map.of();
        }
        fields.forEach((name, field) -> {
            if (field == null) {
                throw new InvalidValueException("fields." + name, "null",
                        "a CSS selector, or an object with its source");
            }
        });
        return Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
}
