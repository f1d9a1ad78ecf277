package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.Body;
import io.trawl.api.Item;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TopicSpec;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord;
import io.trawl.definition.PageChange;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.model.CrawlerError;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import io.trawl.settings.SettingsReader;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/records.md names every topic, header and field of the code, and every example is a record. */
class RecordsDocumentTest {
    private static final Pattern EXAMPLE = Pattern.compile("(?s)```json\n(.*?)```");
    private final String document = Files.readString(Documents.ROOT.resolve("docs/records.md"));

    RecordsDocumentTest() throws IOException {}

    /** The text under a heading. */
    private String section(String heading) {
        int start = document.indexOf("\n## " + heading + "\n");
        assertThat(start).as("section " + heading).isPositive();
        int end = document.indexOf("\n## ", start + 1);
        return document.substring(start, end < 0 ? document.length() : end);
    }

    private byte[] example(String heading) {
        Matcher found = EXAMPLE.matcher(section(heading));
        assertThat(found.find()).as("example of " + heading).isTrue();
        return found.group(1).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void everyTopicOfADeploymentIsInTheTable() {
        TopicNames names = new TopicNames("trawl.");
        List<String> topics = TopicSpec
                .all(names, SettingsReader.from(Map.of()).topics(),
                        names.requests(ChannelsBuilder.builder().version(1).generation(1).levels(1).partitions(8)
                                .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()))
                .stream().map(topic -> topic.name().substring("trawl.".length())).toList();
        assertThat(topics).hasSize(12).allSatisfy(topic -> assertThat(section("Topics")).contains("| `" + topic + "`"));
        assertThat(Stream.of(names.coordinatorGroup(), names.downloaderGroup(), names.analyzerGroup(),
                names.pipelineGroup(), names.webhookGroup()))
                .allSatisfy(group -> assertThat(section("Topics"))
                        .contains("`" + group.substring("trawl.".length()) + "`"));
    }

    @Test
    void everyFieldIsNamed() {
        Map<String, List<Class<?>>> records = Map.of("Seed", List.of(Seed.class), "Request",
                List.of(Request.class, FetchOptions.class, Request.RedirectHop.class), "Response",
                List.of(Response.class), "Item", List.of(Item.class), "Ledger record",
                List.of(LedgerRecord.class, ItemCounts.class, LedgerRecord.StraySeed.class), "Error",
                List.of(CrawlerError.class));
        // The body is the value, and the trace is in headers.
        records.forEach((heading, types) -> types.stream().flatMap(Json::fields)
                .filter(field -> !List.of("body", "trace").contains(field))
                .forEach(field -> assertThat(section(heading)).as(heading).containsAnyOf("`" + field + "`",
                        "\"" + field + "\"")));
        assertThat(OutcomeKind.values()).allSatisfy(kind -> assertThat(section("Response")).contains("`" + kind + "`"));
    }

    @Test
    void everyControlRecordIsInTheTableWithItsFields() {
        List<String> lines = section("Control records").lines().toList();
        for (JsonSubTypes.Type type : requireTypes()) {
            assertThat(lines).filteredOn(line -> line.startsWith("| `" + type.name() + "`")).singleElement()
                    .satisfies(line -> assertThat(Json.fields(type.value()).filter(field -> !field.equals("version")))
                            .allSatisfy(field -> assertThat(line).contains("`" + field + "`")));
        }
    }

    private static List<JsonSubTypes.Type> requireTypes() {
        JsonSubTypes types = ControlRecord.class.getAnnotation(JsonSubTypes.class);
        assertThat(types).isNotNull();
        return Arrays.asList(types.value());
    }

    @Test
    void theExamplesAreRecordsAndTheHeaderAndSchemaAreThoseOfTheCode() {
        assertThat(Codec.seed(example("Seed")).metadata()).containsEntry("batch", "7");
        assertThat(Codec.request(example("Request")).options().parser()).contains("html");
        assertThat(Codec.response(example("Response"), Body.EMPTY).outcome().kind()).isEqualTo(OutcomeKind.PAGE);
        LedgerRecord ledger = Codec.ledger(example("Ledger record"));
        assertThat(ledger.emitted()).hasSize(1);
        assertThat(ledger.items()).contains(ItemCounts.written(1, Map.of()));
        assertThat(Codec.change(example("Change")).told()).containsEntry("change", "changed").containsEntry("visit", 2);
        assertThat(PageChange.TOLD).allSatisfy(field -> assertThat(section("Change")).contains("`" + field + "`"));
        assertThat(section("Response")).contains("header `" + Codec.RESPONSE_HEADER + "`");
        assertThat(document).contains("`\"schema\":" + Codec.SCHEMA + "`");
        assertThat(section("Seed")).contains("`trawl-place`", "`trawl-epoch`");
    }
}
