package io.trawl.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.Body;
import io.trawl.admission.HostKeyFactory;
import io.trawl.api.Item;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.TopicNames;
import io.trawl.control.ControlRecord;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.ledger.DepthMode;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlerError;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import io.trawl.model.TraceContext;
import io.trawl.testkit.DamagedRecords;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a record holds: it is decoded to values in their ranges, or refused with one line. */
class DamagedRecordsTest {
    private static final Channels CHANNELS = ChannelsBuilder.builder().version(1).generation(1).levels(10).partitions(8)
            .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build();
    private static final int LONGEST_LINE = 600;

    static Stream<String> recorded() {
        return DamagedRecords.recorded();
    }

    private static Object read(String name, byte @Nullable [] json) {
        return switch (name.replaceFirst("-.*", "")) {
            case "request" -> Codec.request(json);
            case "response" -> Codec.response(json, Body.EMPTY);
            case "item" -> Codec.item(json);
            case "ledger" -> Codec.ledger(json);
            case "seed" -> Codec.seed(json);
            case "error" -> Codec.error(json);
            default -> Codec.control(json);
        };
    }

    /** What every reader does with a record first; in a record in its ranges nothing of it can fail. */
    private static void use(Object record) {
        switch (record) {
            case Request request -> use(request);
            case Response response -> {
                use(response.request());
                assertThat(response.outcome().kind()).isNotNull();
                assertThat(response.outcome().detail()).isNotEmpty();
                assertThat(response.took().toNanos()).isNotNegative();
                assertThat(response.fetchedAt().toEpochMilli()).isNotNegative();
                assertThat(response.attempts()).isNotNegative();
                Codec.describe(response);
            }
            case Item item -> {
                assertThat(item.crawl()).isNotEmpty();
                Codec.encode(item.with("more", 1));
            }
            case LedgerRecord ledger -> use(ledger);
            case Seed seed -> Codec.encode(seed);
            case CrawlerError error -> {
                assertThat(error.kind()).isNotNull();
                assertThat(error.cause()).isNotNull();
                assertThat(error.at().toEpochMilli()).isNotNegative();
                Codec.encode(error.from("t", 0, 1));
            }
            case ControlRecord control -> use(control);
            default -> throw new AssertionError(record);
        }
    }

    private static void use(Request request) {
        assertThat(request.depth()).isNotNegative();
        assertThat(request.depth() + 1).isPositive();
        assertThat(request.redirects() + 1).isPositive();
        assertThat(request.domains()).isNotNegative();
        assertThat(DepthMode.EXACT.inLedger(request.depth())).isBetween(0, UrlFacts.NO_DEPTH - 1);
        assertThat(HostKeyFactory.of(request.url()).value()).isNotEmpty();
        HostPartitioner.record(new TopicNames("t."), CHANNELS, request, TraceContext.NONE);
        request.options().waitTime().ifPresent(wait -> assertThat(wait.toNanos()).isNotNegative());
    }

    private static void use(LedgerRecord ledger) {
        assertThat(ledger.bytes()).isNotNegative();
        ledger.emitted().forEach(e -> assertThat(e.id().value() + e.priority() + e.depth()).isNotNull());
        ledger.answered().forEach(a -> assertThat(a.outcome() + a.detail() + a.id().value()).isNotNull());
        ledger.refused().values().forEach(n -> assertThat(n).isNotNegative());
        ledger.straySeeds().forEach(s -> assertThat(s.url() + s.target() + s.domain()).isNotNull());
        Codec.encode(ledger);
    }

    private static void use(ControlRecord control) {
        assertThat(control.key()).isNotEmpty();
        assertThat(control.version() + 1).isPositive();
        if (control instanceof CrawlStatus status) {
            assertThat(status.state()).isNotNull();
            status.finished();
            status.spentAt(Instant.parse("2026-01-02T03:04:05Z")).toNanos();
            status.definition().limits().depthMode();
            status.next(status.state(), status.startedAt(), status.end());
        } else if (control instanceof Deleted deleted) {
            deleted.keys();
        }
        Codec.encode(control);
    }

    private static void readsOrRefuses(String name, byte @Nullable [] json) {
        try {
            use(read(name, json));
        } catch (MalformedRecordException e) {
            assertThat(e.getMessage()).hasSizeLessThan(LONGEST_LINE).doesNotContain("\n", "\r", "io.trawl",
                    "com.fasterxml");
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void aDamagedRecordIsReadInItsRangesOrRefusedInOneLine(String name) {
        byte[] valid = DamagedRecords.recorded(name);
        use(read(name, valid));
        List<byte[]> damaged = DamagedRecords.of(valid);
        assertThat(damaged).hasSizeGreaterThan(150);
        damaged.forEach(json -> assertThatCode(() -> readsOrRefuses(name, json)).as("%.300s", new String(json))
                .doesNotThrowAnyException());
        readsOrRefuses(name, null);
    }

    @Property(tries = 300)
    void whatIsSalvagedOfAnyBytesIsARunAndAnId(@ForAll byte[] noise) {
        SalvagedHeader.of(noise);
        recorded().forEach(name -> readsOrRefuses(name, noise));
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void theHeaderOfADamagedRecordIsSalvagedOrNot(String name) {
        DamagedRecords.of(DamagedRecords.recorded(name))
                .forEach(json -> assertThatCode(() -> SalvagedHeader.of(json)).doesNotThrowAnyException());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "request|{\"id\":\"fffffffffffffffb\",\"run\":\"docs/3\",\"url\":\"https://x/\",\"host\":\"x:443\",\"depth\":-5}|depth: '-5'",
            "request|{\"id\":\"fffffffffffffffb\",\"run\":\"docs/3\",\"url\":\"https://x/\",\"host\":\"x:443\",\"priority\":10}|priority: '10'",
            "request|{\"id\":\"fffffffffffffffb\",\"run\":\"docs/3\",\"host\":\"x:443\"}|url: ''",
            "request|{\"id\":\"fffffffffffffffb\",\"run\":\"docs/3\",\"url\":\"mailto:x\",\"host\":\"x:443\"}|url: 'mailto:x'",
            "ledger|{\"run\":\"docs/3\",\"emitted\":[[null,1,1]]}|emitted.id",
            "ledger|{\"run\":\"docs/3\",\"bytes\":-1}|bytes: '-1'",
            "control|{\"type\":\"crawl\",\"version\":1}|run: ''",
            "control|{\"type\":\"channels\",\"version\":1,\"generation\":1,\"levels\":11,\"partitions\":8}|levels: '11'",
            "control|{\"type\":\"stop\",\"crawl\":\"docs\",\"version\":1,\"signed\":true}|at: ''",
            "control|{\"type\":\"ends\",\"run\":\"docs/3\",\"version\":1,\"ends\":{\"0\":-5}}|ends: ",
            "error|{\"module\":\"DOWNLOADER\",\"mid\":\"D3;10.0.0.7:8081\",\"kind\":\"X\"}|at: ''"})
    void theLineNamesTheFieldTheValueAndTheRule(String name, String json, String named) {
        assertThatThrownBy(() -> read(name, json.replace(';', '|').getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(MalformedRecordException.class).hasMessageContaining(named)
                .hasMessageContaining("is not valid: ");
    }
}
