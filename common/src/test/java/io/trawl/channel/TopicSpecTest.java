package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.TopicSpec.Retention;
import io.trawl.model.ModuleKind;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class TopicSpecTest {
    private static final TopicNames TOPIC_NAMES = new TopicNames("t.");

    private static List<TopicSpec> all(Settings settings) {
        return TopicSpec.all(TOPIC_NAMES, settings.topics(),
                List.of(TOPIC_NAMES.requests(1, 0), TOPIC_NAMES.requests(1, 1)));
    }

    @Test
    void everyTopicWithoutALimitIsTrimmed() {
        Settings settings = SettingsReader.from(Map.of());
        List<String> untrimmed = all(settings).stream()
                .filter(topic -> "delete".equals(topic.configs(settings).get("cleanup.policy")))
                .filter(topic -> "-1".equals(topic.configs(settings).get("retention.ms")))
                .filter(topic -> Arrays.stream(ModuleKind.values()).noneMatch(topic::trimmedBy)).map(TopicSpec::name)
                .toList();
        assertThat(untrimmed).as("the leader trims them").containsExactly(TOPIC_NAMES.ledger(), TOPIC_NAMES.visits());
    }

    @Test
    void theModulesOfTheGroupThatReadsATopicTrimIt() {
        assertThat(all(SettingsReader.from(Map.of())))
                .filteredOn(topic -> topic.retention() instanceof Retention.UntilHandled)
                .extracting(TopicSpec::name, TopicSpec::retention).containsExactlyInAnyOrder(
                        row(TOPIC_NAMES.requests(1, 0), TOPIC_NAMES.downloaderGroup(), ModuleKind.DOWNLOADER),
                        row(TOPIC_NAMES.requests(1, 1), TOPIC_NAMES.downloaderGroup(), ModuleKind.DOWNLOADER),
                        row(TOPIC_NAMES.seeds(), TOPIC_NAMES.coordinatorGroup(), ModuleKind.COORDINATOR),
                        row(TOPIC_NAMES.responses(), TOPIC_NAMES.analyzerGroup(), ModuleKind.ANALYZER),
                        row(TOPIC_NAMES.items(), TOPIC_NAMES.pipelineGroup(), ModuleKind.PIPELINE));
    }

    private static Tuple row(String topic, String group, ModuleKind trimmer) {
        return Tuple.tuple(topic, new Retention.UntilHandled(group, trimmer));
    }

    @Test
    void aSegmentHoldsTheLargestRecord() {
        Settings settings = SettingsReader.from(Map.of("trawl.downloader.body-limit", Integer.toString(64 << 20)));
        assertThat(all(settings)).filteredOn(TopicSpec::bodies).hasSize(2).allSatisfy(topic -> {
            Map<String, String> configs = topic.configs(settings);
            assertThat(Integer.parseInt(configs.get("segment.bytes")))
                    .isGreaterThanOrEqualTo(Integer.parseInt(configs.get(TopicSpec.RECORD_SIZE)));
        });
    }
}
