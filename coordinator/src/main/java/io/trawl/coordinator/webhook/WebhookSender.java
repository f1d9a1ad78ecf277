package io.trawl.coordinator.webhook;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.CrawlVariables.UnsetVariableException;
import io.trawl.definition.Webhook;
import io.trawl.definition.WebhookEvent;
import io.trawl.http.HttpCaller;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Sends one event to one receiver, once. Does not follow redirects and looks only at the status of the response.
 * Thread-safe.
 */
final class WebhookSender implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final int GONE = 410;
    private static final long LARGEST_ANSWER = 1 << 20;
    private final CrawlVariables variables = CrawlVariables.ofProcess();
    private final HttpCaller caller = new HttpCaller(LARGEST_ANSWER);

    /** The result of an attempt. */
    sealed interface Result {
        /** The receiver has accepted the event. */
        record Delivered() implements Result {}

        /** The attempt failed. @param last whether the receiver does not accept any more events */
        record Failed(String why, boolean last) implements Result {}
    }

    /** The body in the format of Standard Webhooks. */
    private record Message(String type, Instant timestamp, WebhookEvent data) {}

    /** @param named as the definition has it, with references to variables */
    Result send(Webhook named, WebhookEvent event, Instant now) throws InterruptedException {
        Webhook to;
        try {
            to = named.resolved(variables);
        } catch (UnsetVariableException e) {
            return new Result.Failed(String.valueOf(e.getMessage()), false);
        }
        if (named.secret().isPresent() && to.secret().flatMap(Webhook::key).isEmpty()) {
            return new Result.Failed("its secret is not " + Webhook.SECRET_RULE, true);
        }
        if (!Webhook.isUrl(to.url())) {
            // A variable has it.
            return new Result.Failed("its URL is not " + Webhook.URL_RULE, true);
        }
        byte[] body = Json.bytes(new Message(event.type(), event.at(), event));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(to.url())).timeout(LIMIT)
                .header("Content-Type", "application/json").header("User-Agent", "Trawl")
                .header("webhook-id", event.id()).header("webhook-timestamp", Long.toString(now.getEpochSecond()))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        to.secret().flatMap(Webhook::key).ifPresent(key -> request.header("webhook-signature",
                WebhookSignature.of(key, event.id(), now.getEpochSecond(), body)));
        try {
            int status = caller.send(request.build()).statusCode();
            return status / 100 == 2 ? new Result.Delivered() : new Result.Failed("status " + status, status == GONE);
        } catch (IOException e) {
            return new Result.Failed(String.valueOf(e.getMessage()), false);
        }
    }

    @Override
    public void close() {
        caller.close();
    }

    /** Signs messages by the Standard Webhooks specification, version 1: HMAC-SHA256 over id, time and body. Pure. */
    private static final class WebhookSignature {
        private static final String ALGORITHM = "HmacSHA256";

        private WebhookSignature() {}

        /** @param timestamp in seconds since 1970 */
        static String of(byte[] key, String id, long timestamp, byte[] body) {
            ByteArrayOutputStream signed = new ByteArrayOutputStream();
            signed.writeBytes((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            signed.writeBytes(body);
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(new SecretKeySpec(key, ALGORITHM));
                return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
            } catch (NoSuchAlgorithmException | InvalidKeyException e) {
                throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
            }
        }
    }
}
