package io.trawl.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import io.trawl.model.TraceContext;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.testkit.TraceCollector;
import io.trawl.testkit.TraceCollector.Told;
import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Timeout(60)
class TracerTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final String FOLLOWED = "00-" + TRACE + "-" + CALLER + "-01";
    private static final String NOT_FOLLOWED = "00-" + TRACE + "-" + CALLER + "-00";
    private static final String URL = "http://example.org/";
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private static final MID WHO = MID.parse("D3|10.0.0.7:8081");
    private static final Duration SOON = Duration.ofSeconds(20);

    @Test
    void offItReadsAndWritesNoHeadersAndFollowsNobody() {
        try (Tracer off = Tracer.of(SettingsReader.from(Map.of()).traces(), WHO)) {
            assertThat(off).isSameAs(Tracer.OFF);
            assertThat(off.read(headers("traceparent", FOLLOWED))).isEqualTo(TraceContext.NONE);
            Span span = off.next(new TraceContext(FOLLOWED, ""), SpanName.DOWNLOAD, RUN, URL);
            assertThat(List.of(span, off.first(SpanName.ADMISSION, RUN, URL, TraceContext.NONE))).containsOnly(Span.NONE);
            Headers written = headers();
            TraceHeaders.write(span.context(), written);
            assertThat(written).isEmpty();
        }
    }

    @Test
    void offItWorksWithoutOpenTelemetryOnTheClassPath() throws Exception {
        URL[] others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("opentelemetry")).map(TracerTest::url).toArray(URL[]::new);
        try (URLClassLoader without = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
            Class<?> tracer = without.loadClass(Tracer.class.getName());
            Object settings = without.loadClass(SettingsReader.class.getName()).getMethod("from", Map.class).invoke(null,
                    Map.of());
            Object traces = without.loadClass(Settings.class.getName()).getMethod("traces").invoke(settings);
            Class<?> mid = without.loadClass(MID.class.getName());
            Object made = tracer
                    .getMethod("of", without.loadClass(Settings.Traces.class.getName()), mid)
                    .invoke(null, traces, mid.getMethod("parse", String.class).invoke(null, WHO.toString()));
            assertThat(made).isSameAs(tracer.getField("OFF").get(null));
        }
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "00-" + TRACE + "-" + CALLER, "00-00000000000000000000000000000000-" + CALLER + "-01",
            "00-" + TRACE + "-0000000000000000-01", "ff-" + TRACE + "-" + CALLER + "-01", "00-" + TRACE + "-" + CALLER + "-0g",
            "00_" + TRACE + "_" + CALLER + "_01", "00-" + TRACE + "é" + CALLER + "-01"})
    void aMalformedContextIsAsGoodAsNone(String parent) {
        try (TraceCollector collector = TraceCollector.start(); Tracer tracer = to(collector.endpoint(), "1")) {
            TraceContext read = tracer.read(headers("traceparent", parent, "tracestate", "a=b"));
            assertThat(read).isEqualTo(TraceContext.NONE);
            assertThat(tracer.next(read, SpanName.DOWNLOAD, RUN, URL)).isSameAs(Span.NONE);
        }
    }

    @Test
    void aStepGoesOnWithTheTraceOfItsRecordAndSaysWhatItIsAbout() {
        try (TraceCollector collector = TraceCollector.start()) {
            Headers next = headers();
            try (Tracer tracer = to(collector.endpoint(), "0")) {
                TraceContext seed = tracer.read(headers("traceparent", FOLLOWED, "tracestate", "vendor=1"));
                Span span = tracer.next(seed, SpanName.DOWNLOAD, RUN, URL).with(Span.STATUS, 200);
                TraceHeaders.write(span.context(), next);
                span.end();
            }
            Told told = collector.spans().getFirst();
            assertThat(told.trace()).isEqualTo(TRACE);
            assertThat(told.parent()).isEqualTo(CALLER);
            assertThat(told.name()).isEqualTo("download");
            assertThat(told.service()).isEqualTo("trawl-downloader");
            assertThat(told.attributes()).isEqualTo(Map.of("url.full", URL, "trawl.crawl", "docs", "trawl.run", "docs/1",
                    "http.response.status_code", "200"));
            assertThat(text(next, "traceparent")).isEqualTo("00-" + TRACE + "-" + told.id() + "-01");
            assertThat(text(next, "tracestate")).isEqualTo("vendor=1");
        }
    }

    @Test
    void whatSomebodyElseDoesNotFollowIsNotFollowedHereButCarriedOn() {
        try (TraceCollector collector = TraceCollector.start()) {
            try (Tracer tracer = to(collector.endpoint(), "1")) {
                Span span = tracer.next(tracer.read(headers("traceparent", NOT_FOLLOWED)), SpanName.ANALYSIS, RUN, URL);
                assertThat(span.context().parent()).startsWith("00-" + TRACE).endsWith("-00");
                span.end();
            }
            assertThat(collector.spans()).isEmpty();
        }
    }

    @Test
    void aStateThatIsLongerThanAnybodyMustCarryIsLeftOut() {
        try (TraceCollector collector = TraceCollector.start(); Tracer tracer = to(collector.endpoint(), "1")) {
            TraceContext read = tracer.read(headers("traceparent", FOLLOWED, "tracestate", "a=" + "b".repeat(600)));
            assertThat(read).isEqualTo(new TraceContext(FOLLOWED, ""));
        }
    }

    @Test
    void aTraceOfItsOwnLinksToWhatLedToItAndWithAShareOfZeroThereIsNone() {
        try (TraceCollector collector = TraceCollector.start()) {
            try (Tracer all = to(collector.endpoint(), "1"); Tracer none = to(collector.endpoint(), "0")) {
                all.first(SpanName.ADMISSION, RUN, URL, new TraceContext(FOLLOWED, "")).end();
                Span unfollowed = none.first(SpanName.ADMISSION, RUN, URL, new TraceContext(FOLLOWED, ""));
                assertThat(unfollowed).isSameAs(Span.NONE);
            }
            assertThat(collector.spans()).hasSize(1);
            Told told = collector.spans().getFirst();
            assertThat(told.trace()).isNotEqualTo(TRACE);
            assertThat(told.parent()).isEmpty();
            assertThat(told.links()).containsExactly(CALLER);
        }
    }

    @Test
    void aStepThatIsNeverEndedIsNeverTold() {
        try (TraceCollector collector = TraceCollector.start()) {
            try (Tracer tracer = to(collector.endpoint(), "1")) {
                tracer.first(SpanName.ADMISSION, RUN, URL, TraceContext.NONE);
                tracer.first(SpanName.STORING, RUN, URL, TraceContext.NONE).end();
            }
            assertThat(collector.spans()).extracting(Told::name).containsExactly("storing");
        }
    }

    @Test
    void aCollectorThatIsAwayIsNamedOnceAndOnceMoreWhenItIsBack() {
        TraceCollector before = TraceCollector.start();
        String endpoint = before.endpoint();
        before.close();
        Logger log = (Logger) LoggerFactory.getLogger(WatchedExporter.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setLevel(ch.qos.logback.classic.Level.INFO);
        try (Tracer tracer = to(endpoint, "1")) {
            // Batches of 512, so many calls fail.
            for (int i = 0; i < 20_000; i++) {
                tracer.first(SpanName.ADMISSION, RUN, URL, TraceContext.NONE).end();
            }
            await().atMost(SOON).until(() -> !List.copyOf(lines.list).isEmpty());
            try (TraceCollector after = TraceCollector.start(URI.create(endpoint).getPort())) {
                await().atMost(SOON).untilAsserted(() -> {
                    tracer.first(SpanName.ADMISSION, RUN, URL, TraceContext.NONE).end();
                    assertThat(after.spans()).isNotEmpty();
                });
                await().atMost(SOON).until(() -> List.copyOf(lines.list).size() > 1);
                assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).satisfiesExactly(
                        lost -> assertThat(lost).startsWith("traces are lost until " + endpoint).endsWith("ConnectException"),
                        back -> assertThat(back).isEqualTo("traces are taken again at " + endpoint));
            }
        } finally {
            log.detachAppender(lines);
        }
    }

    private static Tracer to(String endpoint, String share) {
        return Tracer.of(SettingsReader.from(Map.of("trawl.traces.endpoint", endpoint, "trawl.traces.share", share)).traces(),
                WHO);
    }

    private static Headers headers(String... namesAndValues) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return headers;
    }

    private static String text(Headers headers, String name) {
        return new String(headers.lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
