package io.trawl.trace;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says once when a collector takes no spans, and once when it takes them again, in place of the library, which says it again and again and in a log of its own. */
final class WatchedExporter implements SpanExporter {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedExporter.class);
    private final SpanExporter exporter;
    private final String endpoint;
    private final AtomicBoolean away = new AtomicBoolean();
    /** Kept, since the JDK forgets the level of a logger that nobody has. */
    private final java.util.logging.Logger library = java.util.logging.Logger.getLogger("io.opentelemetry");

    WatchedExporter(SpanExporter exporter, String endpoint) {
        this.exporter = exporter;
        this.endpoint = endpoint;
        library.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        CompletableResultCode result = exporter.export(spans);
        return result.whenComplete(() -> {
            if (result.isSuccess() && away.compareAndSet(true, false)) {
                LOG.info("traces are taken again at {}", endpoint);
            } else if (!result.isSuccess() && away.compareAndSet(false, true)) {
                LOG.warn("traces are lost until {} (TRAWL_TRACES_ENDPOINT) takes them: {}", endpoint,
                        reason(result.getFailureThrowable()));
            }
        });
    }

    /** Why there was no answer, or what the answer was: the library wraps it several times. */
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
