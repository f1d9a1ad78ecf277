package io.trawl.downloader.robots;

import static io.trawl.downloader.robots.CachedRobotsTest.allows;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.trawl.codec.Json;
import io.trawl.model.Body;
import io.trawl.model.ProductToken;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cases of other parsers; the README beside them has their source. */
class RobotsVectorsTest {
    /** The cases of one file. */
    record Group(String test, String robots, List<Case> cases) {}

    /** A verdict. */
    record Case(String agent, String url, boolean allowed) {}

    private static <T> T read(String name, TypeReference<T> type) throws IOException {
        try (InputStream in = Objects.requireNonNull(RobotsVectorsTest.class.getResourceAsStream(name), name)) {
            return Json.mapper().readValue(in, type);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"google", "robots-parser"})
    void eachVerdictIsTheirsOrItsDifferenceHasAReason(String parser) throws IOException {
        Map<String, String> reasons = read(parser + "-differences.json", new TypeReference<>() {
        });
        Set<String> different = new HashSet<>();
        for (Group group : read(parser + "-cases.json", new TypeReference<List<Group>>() {
        })) {
            for (Case one : group.cases()) {
                RobotsFile file = RobotsParser.parse(new Body(group.robots().getBytes(UTF_8)), false, "text/plain",
                        ProductToken.of(one.agent()));
                if (allows(file, one.url()) != one.allowed()) {
                    different.add(group.test() + " " + one.agent() + " " + one.url());
                }
            }
        }
        assertThat(different).isEqualTo(reasons.keySet());
    }
}
