package io.trawl.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.trawl.model.MID;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once when a collector stops accepting spans and once when it accepts them again, in place of the library's
 * repeated messages in its own log.
 */
final class WatchedExporter implements SpanExporter {
    private static final Duration LONGEST_SEND = Duration.ofSeconds(5);
    /** The delay before a batch is sent that is not full. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Logger LOG = LoggerFactory.getLogger(WatchedExporter.class);
    private final SpanExporter exporter;
    private final String endpoint;
    private final AtomicBoolean away = new AtomicBoolean();
    /** A strong reference, since the JDK drops the level of a logger without references. */
    private final java.util.logging.Logger library = java.util.logging.Logger.getLogger("io.opentelemetry");

    WatchedExporter(SpanExporter exporter, String endpoint) {
        this.exporter = exporter;
        this.endpoint = endpoint;
        library.setLevel(Level.OFF);
    }

    /**
     * Traces to a collector, in batches by OTLP over HTTP on a thread of the library. Spans that do not fit into its
     * queue are dropped, so that a slow or unavailable collector costs only traces.
     *
     * @param endpoint an OTLP/HTTP address of traces
     * @param share the sampled share of the traces that start here, 0 to 1; for traces that started elsewhere the
     * decision made there applies
     */
    static Tracing tracing(String endpoint, double share, MID mid) {
        // No retries: they would delay later batches.
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder().setEndpoint(endpoint).setCompression("gzip")
                .setConnectTimeout(LONGEST_SEND).setTimeout(LONGEST_SEND).setRetryPolicy(null).build();
        Resource resource = Resource.create(Attributes.of(AttributeKey.stringKey("service.name"),
                "trawl-" + mid.kind().word(), AttributeKey.stringKey("service.namespace"), "trawl",
                AttributeKey.stringKey("service.instance.id"), mid.toString()));
        SdkTracerProvider provider = SdkTracerProvider.builder().setResource(resource)
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(share))).addSpanProcessor(BatchSpanProcessor
                        .builder(new WatchedExporter(exporter, endpoint)).setScheduleDelay(LONGEST_WAIT).build())
                .build();
        return new Tracing(provider, () -> provider.shutdown().join(1, TimeUnit.SECONDS));
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            if (result.isSuccess() && away.compareAndSet(true, false)) {
                LOG.info("traces are exported again to {}", endpoint);
            } else if (!result.isSuccess() && away.compareAndSet(false, true)) {
                LOG.warn("traces are dropped until {} (TRAWL_TRACES_ENDPOINT) accepts them: {}", endpoint,
                        reason(result.getFailureThrowable()));
            }
        });
    }

    /** The cause of the failure, or the response: the library wraps it several times. */
    private static String reason(@Nullable Throwable cause) {
        Throwable inner = cause;
        while (inner != null && !(inner instanceof IOException) && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner == null ? "no answer" : inner.toString();
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
