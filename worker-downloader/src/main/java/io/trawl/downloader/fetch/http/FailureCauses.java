package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.budget.ReceiveBudget;
import io.trawl.downloader.fetch.http.AddressGuard.AddressRefused;
import io.trawl.downloader.fetch.http.Exchange.Peer;
import io.trawl.downloader.fetch.name.UnknownNameException;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStreamResetException;
import org.apache.hc.core5.http.MessageConstraintException;

/** Maps exceptions of the HTTP client to outcomes with a message for people. */
final class FailureCauses {
    private FailureCauses() {}

    /**
     * The failure for an exception.
     *
     * @param peer for the message; before a proxy has answered, failures are attributed to the proxy
     * @param headSeen whether status and headers had arrived: then the connection worked and the answer is broken
     * @param silence the response time-out, for the message
     */
    static Outcome outcome(Throwable error, Peer peer, boolean headSeen, Duration silence) {
        FailureReason unreachable = peer.proxy().isPresent() ? FailureReason.PROXY : FailureReason.CONNECT;
        return switch (error) {
            case AddressRefused e -> new Outcome.Refused(RefusalReason.ADDRESS, String.valueOf(e.getMessage()));
            case UnknownHostException e -> failure(peer.proxy().isPresent() ? unreachable : FailureReason.DNS,
                    "the name of " + peer.proxy().map(p -> "the proxy " + p).orElse(peer.target()) + " has no address"
                            + (e instanceof UnknownNameException ? " (" + e.getMessage() + ")" : ""));
            case ConnectTimeoutException _ -> failure(peer.proxy().isPresent() ? unreachable : FailureReason.TIMEOUT,
                    "no connection to " + peer + " in time");
            case SocketTimeoutException _ -> failure(FailureReason.TIMEOUT,
                    headSeen
                            ? peer + " sent no data for " + shown(silence) + " in the middle of its answer"
                            : peer + " did not answer within " + shown(silence));
            case ReceiveBudget.TooLate e -> failure(FailureReason.TIMEOUT, peer + " " + e.getMessage());
            case MessageConstraintException _ when headSeen -> failure(FailureReason.PROTOCOL,
                    "the chunk headers or trailers of " + peer + " are longer than allowed");
            case MessageConstraintException _ -> failure(FailureReason.TOO_LARGE,
                    "the status line or the headers of " + peer + " are longer than allowed");
            case ReceiveBudget.Violation e ->
                failure(FailureReason.PROTOCOL, "the answer of " + peer + " violates HTTP: " + e.getMessage());
            case ReceiveBudget.TooLarge e -> failure(FailureReason.TOO_LARGE, String.valueOf(e.getMessage()));
            case SSLException e when !headSeen ->
                failure(FailureReason.TLS, "the TLS handshake with " + peer + " failed" + because(e));
            case ConnectionClosedException _ -> headSeen
                    ? failure(FailureReason.PROTOCOL, peer + " closed the connection before the end of its answer")
                    : failure(unreachable, peer + " closed the connection without an answer");
            case HttpStreamResetException e -> failure(FailureReason.PROTOCOL, peer + " reset the stream" + because(e));
            case IOException e when headSeen ->
                failure(FailureReason.PROTOCOL, "the answer of " + peer + " was truncated" + because(e));
            case IOException e -> failure(unreachable, "no connection to " + peer + because(e));
            case HttpException e ->
                failure(FailureReason.PROTOCOL, "the answer of " + peer + " violates HTTP" + because(e));
            case Error e -> failure(FailureReason.OTHER,
                    "the fetch from " + peer + " ended with an error in the client, " + e.getClass().getSimpleName());
            default -> failure(FailureReason.OTHER, "the fetch from " + peer + " failed" + because(error));
        };
    }

    private static Outcome failure(FailureReason reason, String cause) {
        return new Outcome.Failure(reason, cause);
    }

    private static String shown(Duration d) {
        return Durations.format(d);
    }

    /** The innermost message, after a colon; without one, the kind of the exception in words, in brackets. */
    private static String because(Throwable error) {
        Optional<String> message = Optional.empty();
        int depth = 0;
        for (Throwable t = error; t != null && depth < 8; t = t.getCause(), depth++) {
            if (t.getMessage() != null && !t.getMessage().isBlank()) {
                message = Optional.of(t.getMessage());
            }
        }
        return message.map(m -> ": " + clean(m)).orElseGet(() -> " (" + words(error) + ")");
    }

    private static String clean(String message) {
        String line = message.replaceAll("^(?:[a-z][A-Za-z0-9]*\\.){1,20}[A-Z][A-Za-z0-9$]*: ", "")
                .replaceAll("\\p{Cntrl}+", " ").strip();
        return line.length() > 300 ? line.substring(0, 300) + "…" : line;
    }

    /** {@code ClosedChannelException} as "closed channel". */
    private static String words(Throwable error) {
        return error.getClass().getSimpleName().replaceAll("(Exception|Error)$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
