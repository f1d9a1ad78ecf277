package io.trawl.http;

import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Calls other servers than those that are crawled: HTTP/1.1, without redirects, and reads answers up to a size. Calls
 * of processes of this deployment, whose addresses come from Redis, are signed. Thread-safe; calls block.
 */
public final class HttpCaller implements AutoCloseable {
    private final HttpClient client;
    private final Optional<CallSignature> signature;
    private final InstantSource clock;
    private final long largestAnswer;

    /** One that signs nothing. @param largestAnswer in bytes */
    public HttpCaller(long largestAnswer) {
        this(Optional.empty(), Time.system(), largestAnswer, Duration.ofSeconds(5));
    }

    /**
     * One that signs {@link #request requests} to processes.
     *
     * @param signature if the deployment has a key
     * @param clock of the machine
     * @param largestAnswer in bytes
     */
    public HttpCaller(Optional<CallSignature> signature, InstantSource clock, long largestAnswer) {
        this(signature, clock, largestAnswer, Duration.ofSeconds(2));
    }

    private HttpCaller(Optional<CallSignature> signature, InstantSource clock, long largestAnswer, Duration connect) {
        this.client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER).connectTimeout(connect).build();
        this.signature = signature;
        this.clock = clock;
        this.largestAnswer = largestAnswer;
    }

    /**
     * A signed request to a process.
     *
     * @param address as in its MID
     * @param target path and query, encoded
     * @param body empty for none, and for one that the caller of this adds and sends as it comes
     * @param caller the name of the caller that it is passed on for, if there is one
     * @throws IllegalArgumentException if address and target are no URI
     */
    public HttpRequest.Builder request(String method, String address, String target, Optional<byte[]> body,
            Optional<String> caller) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address + target)).method(method,
                body.map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
        signature.ifPresent(
                s -> s.headers(method, address, target, body, clock.instant(), caller).forEach(request::header));
        return request;
    }

    /** The answer to a request. @throws IOException if there is none in time, or a larger one; its message says it */
    public HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        try {
            return send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), largestAnswer));
        } catch (IOException e) {
            throw e.getMessage() == null ? new IOException(e.getClass().getSimpleName(), e) : e;
        }
    }

    /** The same for a body of any size. */
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        return client.send(request, body);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
