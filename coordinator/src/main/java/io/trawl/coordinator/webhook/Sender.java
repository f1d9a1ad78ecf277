package io.trawl.coordinator.webhook;

import io.trawl.codec.Json;
import io.trawl.coordinator.events.CrawlEvent;
import io.trawl.model.Webhook;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Sends one event to one receiver, once. Follows no redirect, reads nothing of the answer but its status. Thread-safe. */
final class Sender implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int GONE = 410;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(Duration.ofSeconds(5)).build();

    /** What came of it. */
    sealed interface Result {
        /** It was taken. */
        record Taken() implements Result {}

        /** It was not. @param last whether the receiver says that it wants nothing any more */
        record NotTaken(String why, boolean last) implements Result {}
    }

    /** The body, as the specification suggests. */
    private record Message(String type, Instant timestamp, CrawlEvent data) {}

    Result send(Webhook to, CrawlEvent event, Instant now) throws InterruptedException {
        byte[] body = Json.bytes(new Message(event.type(), event.at(), event));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(to.url())).timeout(LIMIT)
                .header("Content-Type", "application/json").header("User-Agent", "Trawl")
                .header("webhook-id", event.id()).header("webhook-timestamp", Long.toString(now.getEpochSecond()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        to.secret().flatMap(Webhook::key).ifPresent(
                key -> request.header("webhook-signature", Signature.of(key, event.id(), now.getEpochSecond(), body)));
        try {
            int status = client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
            return status / 100 == 2 ? new Result.Taken() : new Result.NotTaken("status " + status, status == GONE);
        } catch (IOException e) {
            return new Result.NotTaken(Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName()), false);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
