package io.trawl.coordinator.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.admission.Admission;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenDefinitionTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    private final DefinitionRules rules = new DefinitionRules(new Admission(2048), 3);

    @Test
    void whatCannotBeReadAndWhatBreaksRulesIsNamedAllAtOnce() {
        List<Fault> faults = faults("""
                {"depth":"deep","dealy":"1s","maxTime":"soon","priority":9,"webhooks":{},"domains":[null],
                 "seeds":[{"url":"ftp://x/"},7,{"url":"mailto:y"},{"url":"https://a.org/","headers":"none"}]}""");
        assertThat(faults).extracting(Fault::field).containsExactly("depth", "dealy", "maxTime", "webhooks", "domains",
                "seeds[1]", "seeds[3]", "priority", "seeds[0].url", "seeds[2].url");
        assertThat(faults).allMatch(f -> !f.rule().isBlank());
        assertThat(faults.get(1).rule()).contains("delay");
        assertThat(faults.get(2)).isEqualTo(new Fault("maxTime", "soon",
                "a number with a unit of ms, s, m or h, for example 500ms or 2s"));
    }

    @Test
    void whatCanBeReadIsReadAsItIs() {
        String json = "{\"seeds\":[{\"url\":\"https://a.org/\"}],\"delay\":\"2s\",\"maxBytes\":5,\"schedule\":{\"cron\":\"0 3 * * *\"}}";
        assertThat(read(json).complete(DOCS, rules, Optional.empty()))
                .isEqualTo(Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nonsense", "[]", "null", "7", ""})
    void whatIsNoObjectIsMalformed(String json) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(MalformedRecord.class);
    }

    private List<Fault> faults(String json) {
        return catchThrowableOfType(InvalidDefinition.class, () -> read(json).complete(DOCS, rules, Optional.empty())).faults();
    }

    private static WrittenDefinition read(String json) {
        return WrittenDefinition.read(json.getBytes(StandardCharsets.UTF_8));
    }
}
