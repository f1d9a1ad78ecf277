package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trawl.admission.Normalized.NormalUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the normaliser with the vectors of the WHATWG URL standard (resources, folder {@code whatwg}). For each vector
 * the normal form is the href of the standard after the differences that {@link UrlNormalizer} documents, or
 * {@code differences.json} lists the vector with a reason.
 */
class WhatwgVectorsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REFUSED = "refused";
    private static final String UNRESERVED = "[A-Za-z0-9._~-]";
    private static final Pattern UNIT = Pattern.compile("%\\p{XDigit}{2}|.", Pattern.DOTALL);
    private static final Map<Vector, Difference> DIFFERENCES = differences();

    /** The input of the parser; an absent base means none. */
    record Vector(String input, Optional<String> base) {}

    record Expectation(Vector vector, String normal) {}

    record Difference(String input, Optional<String> base, String expected, String ours, String why) {
        Vector vector() {
            return new Vector(input, base);
        }
    }

    @ParameterizedTest(name = "[{index}] {0}")
    @MethodSource("expectations")
    void theNormalFormIsThatOfTheStandardOrTheDifferenceIsListed(Expectation expectation) {
        String ours = text(parsed(expectation.vector()));
        Difference listed = DIFFERENCES.get(expectation.vector());
        if (listed == null) {
            assertThat(ours).isEqualTo(expectation.normal());
        } else {
            assertThat(ours).as(listed.why()).isEqualTo(listed.ours()).as("listed, but no difference")
                    .isNotEqualTo(expectation.normal());
            assertThat(listed.expected()).isEqualTo(expectation.normal());
        }
    }

    @Test
    void everyListedDifferenceBelongsToAVectorAndHasAReason() {
        assertThat(expectations().map(Expectation::vector)).containsAll(DIFFERENCES.keySet());
        assertThat(DIFFERENCES.values()).allSatisfy(difference -> assertThat(difference.why()).hasSizeGreaterThan(20));
    }

    @Test
    void normalisingTheResultOfAVectorChangesNothing() {
        List<NormalUrl> normal = expectations().map(e -> parsed(e.vector())).filter(NormalUrl.class::isInstance)
                .map(NormalUrl.class::cast).toList();
        assertThat(normal).hasSizeGreaterThan(240).allSatisfy(url -> {
            assertThat(UrlNormalizer.normalize(url.text())).isEqualTo(url);
            assertThat(UrlParser.absolute(url.text())).as("without the fast path").isEqualTo(url);
            assertThat(URI.create(url.text()).getRawAuthority()).as("as java.net.URI").isNotEmpty();
        });
    }

    static Stream<Expectation> expectations() {
        return Stream.concat(
                vectors("urltestdata.json")
                        .map(v -> new Expectation(new Vector(v.get("input").textValue(), text(v, "base")),
                                text(v, "href").map(WhatwgVectorsTest::normal).orElse(REFUSED))),
                vectors("toascii.json").map(v -> new Expectation(
                        new Vector("https://" + v.get("input").textValue() + "/x", Optional.empty()),
                        text(v, "output").map(host -> normal("https://" + host + "/x")).orElse(REFUSED))))
                .distinct();
    }

    private static Stream<JsonNode> vectors(String file) {
        try (InputStream in = WhatwgVectorsTest.class.getResourceAsStream("/whatwg/" + file)) {
            return StreamSupport.stream(JSON.readTree(in).spliterator(), false).filter(JsonNode::isObject);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<String> text(JsonNode vector, String name) {
        return Optional.ofNullable(vector.path(name).textValue());
    }

    private static Map<Vector, Difference> differences() {
        return vectors("differences.json")
                .map(v -> new Difference(v.get("input").textValue(), text(v, "base"), v.get("expected").textValue(),
                        v.get("ours").textValue(), v.get("why").textValue()))
                .collect(Collectors.toMap(Difference::vector, Function.identity()));
    }

    /** A base that is not an http or https URL counts as absent: only an absolute URL is valid there. */
    private static Normalized parsed(Vector vector) {
        return vector.base().filter(base -> base.startsWith("http"))
                .map(base -> UrlNormalizer.resolve(base, vector.input()))
                .orElseGet(() -> UrlNormalizer.normalize(vector.input()));
    }

    private static String text(Normalized result) {
        return result instanceof NormalUrl url ? url.text() : REFUSED;
    }

    /**
     * The standard's href after the documented differences: no user information, fragment or trailing dot of the host,
     * and RFC 3986's percent-encoding.
     */
    private static String normal(String href) {
        if (!href.matches("(?s)https?:.*")) {
            return REFUSED;
        }
        String whole = href.replaceFirst("(?s)#.*", "").replaceFirst("^(https?://)[^/@]*@", "$1")
                .replaceFirst("^(https?://[^/:]*[^/:.])\\.(?=[:/])", "$1");
        int path = whole.indexOf('/', 8);
        int query = whole.indexOf('?') < 0 ? whole.length() : whole.indexOf('?');
        return whole.substring(0, path) + encoded(whole.substring(path, query), "[A-Za-z0-9._~!$&'()*+,;=:@/-]")
                + encoded(whole.substring(query), "[A-Za-z0-9._~!$&'()*+,;=:@/?-]");
    }

    private static String encoded(String text, String allowed) {
        return UNIT.matcher(text).replaceAll(unit -> {
            String triple = unit.group().length() == 3
                    ? unit.group()
                    : "%%%02X".formatted((int) unit.group().charAt(0));
            String character = unit.group().length() == 3
                    ? Character.toString((char) Integer.parseInt(triple.substring(1), 16))
                    : unit.group();
            return Matcher.quoteReplacement(character.matches(unit.group().length() == 3 ? UNRESERVED : allowed)
                    ? character
                    : triple.toUpperCase(Locale.ROOT));
        });
    }
}
