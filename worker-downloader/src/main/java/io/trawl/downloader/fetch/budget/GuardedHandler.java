package io.trawl.downloader.fetch.budget;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Charges decrypted bytes, and turns every error into an exception, which the client hands to the exchange. */
record GuardedHandler(IOEventHandler handler) implements IOEventHandler {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedHandler.class);

    private interface Step {
        void run() throws IOException;
    }

    private static void guard(Step step) throws IOException {
        try {
            step.run();
        } catch (Error e) {
            LOG.warn("An exchange and its connection end with {}", e.toString());
            throw new IllegalStateException("an error in the HTTP client, " + e.getClass().getSimpleName(), e);
        }
    }

    @Override
    public void connected(IOSession session) throws IOException {
        guard(() -> handler.connected(session));
    }

    /** What the parsers throw unchecked is the fault of the bytes: a negative size of a chunk, for example. */
    @Override
    public void inputReady(IOSession session, ByteBuffer source) throws IOException {
        if (session instanceof BoundedIOSession bounded) {
            bounded.checkTime();
            if (source != null) {
                bounded.decrypted(source);
            }
        }
        try {
            guard(() -> handler.inputReady(session, source));
        } catch (CancelledKeyException e) {
            throw e;
        } catch (RuntimeException e) {
            if (e.getCause() instanceof Error) {
                throw e;
            }
            throw new ReceiveBudget.Violation("its bytes cannot be parsed", e);
        }
    }

    @Override
    public void outputReady(IOSession session) throws IOException {
        guard(() -> handler.outputReady(session));
    }

    @Override
    public void timeout(IOSession session, Timeout timeout) throws IOException {
        if (session instanceof BoundedIOSession bounded && bounded.waitedWithin(timeout.toDuration())) {
            return;
        }
        guard(() -> handler.timeout(session, timeout));
    }

    @Override
    public void exception(IOSession session, Exception cause) {
        last(() -> handler.exception(session, cause));
    }

    @Override
    public void disconnected(IOSession session) {
        last(() -> handler.disconnected(session));
    }

    /** No caller is left that could be told. */
    private static void last(Runnable step) {
        try {
            step.run();
        } catch (Error e) {
            LOG.warn("A connection ends with {}", e.toString());
        }
    }
}
