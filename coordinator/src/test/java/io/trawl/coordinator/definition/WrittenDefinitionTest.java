package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenDefinitionTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private final DefinitionRules rules = new DefinitionRules(new Admission(2048), 3);

    @Test
    void unreadableAndInvalidFieldsAreNamedAllAtOnce() {
        List<Fault> faults = faults("""
                {"limits":{"depth":"deep","maxTime":"soon","maxPages":0},"fetch":{"dealy":"1s","proxy":"p"},"extract":true,
                 "priority":9,"webhooks":{},"scope":{"domains":[null]},"schedule":{"crom":"0 3 * * *"},
                 "seeds":[{"url":"ftp://x/"},7,{"url":"mailto:y"},{"url":"https://a.org/","headers":"none"}]}""");
        assertThat(faults).extracting(Fault::field).containsExactly("limits.depth", "limits.maxTime", "fetch.dealy",
                "extract", "webhooks", "scope.domains", "schedule.crom", "seeds[1]", "seeds[3]",
                "limits.maxPages", "fetch.proxy", "priority", "schedule.cron", "seeds[0].url", "seeds[2].url");
        assertThat(faults).allMatch(f -> !f.rule().isBlank());
        assertThat(faults.get(1)).isEqualTo(new Fault("limits.maxTime", "soon",
                "a number with a unit of ms, s, m or h, for example 500ms or 2s"));
        assertThat(faults.get(3)).isEqualTo(new Fault("extract", "true", "an object with the fields anchors, text"));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(delimiter = '|', value = {
            "{\"fetch\":{\"dealy\":\"1s\"}}|fetch.dealy|one of the fields contact, delay, ignoreRobots, profile, proxy, userAgent; did you mean fetch.delay?",
            "{\"fetch\":{\"maxpages\":7}}|fetch.maxpages|one of the fields contact, delay, ignoreRobots, profile, proxy, userAgent; did you mean limits.maxPages?",
            "{\"limits\":{\"colour\":7}}|limits.colour|one of the fields depth, maxBytes, maxPages, maxTime"})
    void aNameThatIsNoFieldIsRefusedWithTheNearestOne(String json, String field, String rule) {
        assertThat(faults(json)).singleElement().satisfies(fault -> {
            assertThat(fault.field()).isEqualTo(field);
            assertThat(fault.rule()).isEqualTo(rule);
        });
    }

    @Test
    void aFieldOutsideItsGroupIsRefusedWithItsPlace() {
        assertThat(faults("{\"depth\":2,\"limit\":{},\"cron\":\"0 3 * * *\"}")).extracting(Fault::rule).satisfiesExactly(
                rule -> assertThat(rule).endsWith("; did you mean limits.depth?"),
                rule -> assertThat(rule).endsWith("; did you mean limits?"),
                rule -> assertThat(rule).endsWith("; did you mean schedule.cron?"));
    }

    @Test
    void aValidDefinitionIsReadUnchanged() {
        String json = "{\"seeds\":[{\"url\":\"https://a.org/\"}],\"fetch\":{\"delay\":\"2s\"},\"limits\":{\"maxBytes\":5},\"extract\":null,\"schedule\":{\"cron\":\"0 3 * * *\"}}";
        assertThat(read(json).complete(DOCS, rules, Optional.empty()))
                .isEqualTo(Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nonsense", "[]", "null", "7", ""})
    void aDefinitionThatIsNotAnObjectIsMalformed(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecordException.class);
    }

    private List<Fault> faults(String json) {
        return catchThrowableOfType(InvalidDefinitionException.class, () -> read(json).complete(DOCS, rules, Optional.empty()))
                .faults();
    }

    private static WrittenDefinition read(String json) {
        return WrittenDefinition.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
