package io.trawl.bench.floor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/**
 * Fetches the URLs of a queue, 64 at a time, until the queue is over.
 *
 * @param received is given each body, on a thread of its own; until it returns, no other fetch takes the place of this
 * one
 */
record BodyFetch(UrlQueue queue, Received received) {
    private static final int IN_FLIGHT = 64;

    /** What is done with a body. */
    @FunctionalInterface
    interface Received {
        void take(String url, byte[] body) throws IOException;
    }

    /** @throws IllegalStateException if the crawl fails */
    void run() throws InterruptedException {
        Semaphore slots = new Semaphore(IN_FLIGHT);
        try (CloseableHttpClient http = client()) {
            for (Optional<String> url = queue.next(); url.isPresent(); url = queue.next()) {
                String next = url.get();
                slots.acquire();
                Thread.ofVirtual().start(() -> fetch(http, next, slots));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void fetch(CloseableHttpClient http, String url, Semaphore slots) {
        try {
            received.take(url,
                    http.execute(new HttpGet(url), response -> EntityUtils.toByteArray(response.getEntity())));
        } catch (IOException | RuntimeException e) {
            queue.fail(e);
        } finally {
            slots.release();
        }
    }

    private static CloseableHttpClient client() {
        return HttpClients.custom().disableCookieManagement().disableAuthCaching().disableRedirectHandling()
                .disableAutomaticRetries().disableContentCompression().disableConnectionState()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create().setMaxConnTotal(IN_FLIGHT * 4)
                        .setMaxConnPerRoute(IN_FLIGHT).build())
                .build();
    }
}
