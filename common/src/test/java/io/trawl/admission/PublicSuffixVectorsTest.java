package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.IDN;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The vectors of the Public Suffix List, from Debian's package {@code publicsuffix}; they are in the public domain. */
class PublicSuffixVectorsTest {
    private static final Pattern VECTOR = Pattern
            .compile("(?m)^checkPublicSuffix\\('([^.'][^']*)', (?:'([^']+)'|null)\\);");

    /** A host without a registered domain is its own primary domain. */
    @Test
    void theDomainOfEachHostIsThatOfTheList() throws IOException {
        Map<String, String> different = new TreeMap<>();
        List<MatchResult> vectors = VECTOR.matcher(read()).results().toList();
        for (MatchResult vector : vectors) {
            String host = normal(vector.group(1));
            String domain = vector.group(2) == null ? host : normal(vector.group(2));
            if (!PrimaryDomain.of(host).equals(domain)) {
                different.put(host, PrimaryDomain.of(host) + " and not " + domain);
            }
        }
        assertThat(vectors).hasSizeGreaterThan(70);
        assertThat(different).isEmpty();
    }

    private static String normal(String host) {
        return IDN.toASCII(host.toLowerCase(Locale.ROOT));
    }

    private static String read() throws IOException {
        try (InputStream in = Objects
                .requireNonNull(PublicSuffixVectorsTest.class.getResourceAsStream("/publicsuffix/test_psl.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
