package io.trawl.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.TraceContext;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.telemetry.Tracing.SpanStep;
import io.trawl.testkit.TraceCollector;
import io.trawl.testkit.TraceCollector.Told;
import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class TracingTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final String FOLLOWED = "00-" + TRACE + "-" + CALLER + "-01";
    private static final String NOT_FOLLOWED = "00-" + TRACE + "-" + CALLER + "-00";
    private static final String URL = "http://example.org/";
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    private static final MID MODULE = MID.parse("D3|10.0.0.7:8081");

    @Test
    void disabledTracingReadsAndWritesNoHeadersAndContinuesNoTrace() {
        try (Tracing off = Tracing.of(SettingsReader.from(Map.of()).traces(), MODULE)) {
            assertThat(off).isSameAs(Tracing.OFF);
            assertThat(off.read(headers("traceparent", FOLLOWED))).isEqualTo(TraceContext.NONE);
            TraceContext before = new TraceContext(FOLLOWED, "");
            assertThat(List.of(off.step(before, SpanStep.DOWNLOAD, RUN, URL), off.admission(link(before)),
                    off.admission(seed(before)), off.admission(seed(TraceContext.NONE)))).allSatisfy(span -> {
                        assertThat(span.getSpanContext().isValid()).isFalse();
                        Headers written = headers();
                        Tracing.write(Tracing.context(span), written);
                        assertThat(written).isEmpty();
                    });
        }
    }

    @Test
    void disabledTracingNeedsNoOpenTelemetrySdkOnTheClassPath() throws Exception {
        URL[] others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("opentelemetry")
                        || entry.matches(".*opentelemetry-(api|context|common)-[0-9.]+jar"))
                .map(TracingTest::url).toArray(URL[]::new);
        try (URLClassLoader without = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> without.loadClass(SdkTracerProvider.class.getName()))
                    .isInstanceOf(ClassNotFoundException.class);
            Class<?> tracing = without.loadClass(Tracing.class.getName());
            Object settings = without.loadClass(SettingsReader.class.getName()).getMethod("from", Map.class)
                    .invoke(null, Map.of());
            Object traces = without.loadClass(Settings.class.getName()).getMethod("traces").invoke(settings);
            Class<?> mid = without.loadClass(MID.class.getName());
            Object made = tracing.getMethod("of", without.loadClass(Settings.TraceSettings.class.getName()), mid)
                    .invoke(null, traces, mid.getMethod("parse", String.class).invoke(null, MODULE.toString()));
            assertThat(made).isSameAs(tracing.getField("OFF").get(null));
            Class<?> request = without.loadClass(Request.class.getName());
            Object seed = without.loadClass(Codec.class.getName()).getMethod("request", byte[].class).invoke(null,
                    (Object) Codec.encode(seed(TraceContext.NONE)));
            assertThat(tracing.getMethod("admission", request).invoke(made, seed))
                    .hasToString(Span.getInvalid().toString());
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
    @ValueSource(strings = {"", "x", "00-" + TRACE + "-" + CALLER,
            "00-00000000000000000000000000000000-" + CALLER + "-01", "00-" + TRACE + "-0000000000000000-01",
            "ff-" + TRACE + "-" + CALLER + "-01", "00-" + TRACE + "-" + CALLER + "-0g",
            "00_" + TRACE + "_" + CALLER + "_01", "00-" + TRACE + "é" + CALLER + "-01"})
    void aMalformedContextCountsAsAbsent(String parent) {
        try (TraceCollector collector = TraceCollector.start(); Tracing tracing = to(collector.endpoint(), "1")) {
            TraceContext read = tracing.read(headers("traceparent", parent, "tracestate", "a=b"));
            assertThat(read).isEqualTo(TraceContext.NONE);
            assertThat(tracing.step(read, SpanStep.DOWNLOAD, RUN, URL)).isSameAs(Span.getInvalid());
        }
    }

    @Test
    void aStepContinuesTheTraceOfItsRecordAndHasItsAttributes() {
        try (TraceCollector collector = TraceCollector.start()) {
            Headers next = headers();
            try (Tracing tracing = to(collector.endpoint(), "0")) {
                TraceContext seed = tracing.read(headers("traceparent", FOLLOWED, "tracestate", "vendor=1"));
                Span span = tracing.step(seed, SpanStep.DOWNLOAD, RUN, URL).setAttribute(Tracing.STATUS, 200);
                Tracing.write(Tracing.context(span), next);
                span.end();
            }
            Told exported = only(collector);
            assertThat(exported.trace()).isEqualTo(TRACE);
            assertThat(exported.parent()).isEqualTo(CALLER);
            assertThat(exported.name()).isEqualTo("download");
            assertThat(exported.service()).isEqualTo("trawl-downloader");
            assertThat(exported.attributes()).isEqualTo(Map.of("url.full", URL, "trawl.crawl", "docs", "trawl.run",
                    "docs/1", "http.response.status_code", "200"));
            assertThat(text(next, "traceparent")).isEqualTo("00-" + TRACE + "-" + exported.id() + "-01");
            assertThat(text(next, "tracestate")).isEqualTo("vendor=1");
        }
    }

    @Test
    void anUnsampledTraceStaysUnsampledAndIsPassedOn() {
        try (TraceCollector collector = TraceCollector.start()) {
            try (Tracing tracing = to(collector.endpoint(), "1")) {
                Span span = tracing.step(tracing.read(headers("traceparent", NOT_FOLLOWED)), SpanStep.ANALYSIS, RUN,
                        URL);
                assertThat(Tracing.context(span).parent()).startsWith("00-" + TRACE).endsWith("-00");
                span.end();
            }
            assertThat(collector.spans()).isEmpty();
        }
    }

    @Test
    void aTraceStateBeyondTheRequiredLengthIsDropped() {
        try (TraceCollector collector = TraceCollector.start(); Tracing tracing = to(collector.endpoint(), "1")) {
            TraceContext read = tracing.read(headers("traceparent", FOLLOWED, "tracestate", "a=" + "b".repeat(600)));
            assertThat(read).isEqualTo(new TraceContext(FOLLOWED, ""));
        }
    }

    @Test
    void aNewTraceLinksToItsOriginAndAShareOfZeroCreatesNone() {
        try (TraceCollector collector = TraceCollector.start()) {
            try (Tracing all = to(collector.endpoint(), "1"); Tracing none = to(collector.endpoint(), "0")) {
                all.admission(link(new TraceContext(FOLLOWED, ""))).end();
                assertThat(none.admission(link(new TraceContext(FOLLOWED, "")))).isSameAs(Span.getInvalid());
            }
            Told exported = only(collector);
            assertThat(exported.trace()).isNotEqualTo(TRACE);
            assertThat(exported.parent()).isEmpty();
            assertThat(exported.links()).containsExactly(CALLER);
        }
    }

    @Test
    void aStepThatIsNeverEndedIsNeverExported() {
        try (TraceCollector collector = TraceCollector.start()) {
            try (Tracing tracing = to(collector.endpoint(), "1")) {
                Span never = tracing.admission(seed(TraceContext.NONE));
                tracing.step(Tracing.context(never), SpanStep.STORING, RUN, URL).end();
            }
            assertThat(only(collector).name()).isEqualTo("storing");
        }
    }

    @Test
    void anUnavailableCollectorIsLoggedOnceAndSoIsItsRecovery() {
        TraceCollector before = TraceCollector.start();
        String endpoint = before.endpoint();
        before.close();
        Logger log = (Logger) LoggerFactory.getLogger(WatchedExporter.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setLevel(ch.qos.logback.classic.Level.INFO);
        try (Tracing tracing = to(endpoint, "1")) {
            // Batches of 512, so many calls fail.
            for (int i = 0; i < 20_000; i++) {
                tracing.admission(seed(TraceContext.NONE)).end();
            }
            await().until(() -> !List.copyOf(lines.list).isEmpty());
            try (TraceCollector after = TraceCollector.start(URI.create(endpoint).getPort())) {
                await().untilAsserted(() -> {
                    tracing.admission(seed(TraceContext.NONE)).end();
                    assertThat(after.spans()).isNotEmpty();
                });
                await().until(() -> List.copyOf(lines.list).size() > 1);
                assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).satisfiesExactly(
                        lost -> assertThat(lost).startsWith("traces are dropped until " + endpoint)
                                .endsWith("ConnectException"),
                        back -> assertThat(back).isEqualTo("traces are exported again to " + endpoint));
            }
        } finally {
            log.detachAppender(lines);
        }
    }

    @Test
    void aSeedAndARedirectContinueTheirTraceAndALinkStartsItsOwn() {
        TraceContext before = new TraceContext(FOLLOWED, "");
        Request link = link(before);
        Request redirect = RequestBuilder.builder().id(link.id()).run(RUN).url(URL).host(link.host()).depth(1)
                .redirects(1).parent(Optional.of(URL)).build().withTrace(before);
        try (TraceCollector collector = TraceCollector.start(); Tracing tracing = to(collector.endpoint(), "1")) {
            assertThat(Stream.of(seed(before), redirect, link, seed(TraceContext.NONE))
                    .map(request -> tracing.admission(request).getSpanContext().getTraceId().equals(TRACE)))
                    .containsExactly(true, true, false, false);
        }
    }

    /** Closing waits at most one second, which may be too short on a busy machine. */
    private static Told only(TraceCollector collector) {
        await().until(() -> !collector.spans().isEmpty());
        assertThat(collector.spans()).hasSize(1);
        return collector.spans().getFirst();
    }

    private static Request seed(TraceContext trace) {
        return RequestBuilder.builder().id(new RequestId(1)).run(RUN).url(URL).host(new HostKey("example.org:80"))
                .seed(true).build().withTrace(trace);
    }

    private static Request link(TraceContext trace) {
        return RequestBuilder.builder().id(new RequestId(1)).run(RUN).url(URL).host(new HostKey("example.org:80"))
                .depth(1).parent(Optional.of(URL)).build().withTrace(trace);
    }

    private static Tracing to(String endpoint, String share) {
        return Tracing.of(
                SettingsReader.from(Map.of("trawl.traces.endpoint", endpoint, "trawl.traces.share", share)).traces(),
                MODULE);
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
