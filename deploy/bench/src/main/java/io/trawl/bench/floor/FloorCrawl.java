package io.trawl.bench.floor;

import io.trawl.admission.Admission;
import io.trawl.admission.AdmissionVerdict.Admitted;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.codec.Json;
import io.trawl.scope.ScopeRules;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/**
 * A crawler in memory without any promise: it fetches, parses with jsoup, takes links and text and writes JSON lines.
 * No queue outlives it, no host is spared, nothing is written twice only because nothing fails. What Trawl costs more
 * than this is the price of its promises. Used once.
 */
public final class FloorCrawl {
    private static final int IN_FLIGHT = 64;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final LinkedBlockingQueue<String> waiting = new LinkedBlockingQueue<>();
    private final Semaphore slots = new Semaphore(IN_FLIGHT);
    private final AtomicLong open = new AtomicLong();
    private final AtomicLong pages = new AtomicLong();
    private static final ScopeRules EVERYWHERE = ScopeRules.within(Integer.MAX_VALUE);
    private final Admission admission = new Admission(2048);
    private final Set<String> domains;

    /** @param domains the hosts to stay on */
    public FloorCrawl(Set<String> domains) {
        this.domains = Set.copyOf(domains);
    }

    /**
     * Crawls everything that is reachable from the seeds.
     *
     * @param seeds URLs in normal form
     * @return the number of pages
     */
    public long run(List<String> seeds, Path file) throws InterruptedException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file));
                CloseableHttpClient http = client()) {
            seeds.forEach(this::found);
            while (open.get() > 0) {
                String url = waiting.take();
                if (url.isEmpty()) {
                    break;
                }
                slots.acquire();
                Thread.ofVirtual().start(() -> page(http, url, out));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages.get();
    }

    private static CloseableHttpClient client() {
        return HttpClients.custom().disableCookieManagement().disableAuthCaching().disableRedirectHandling()
                .disableAutomaticRetries()
                .disableContentCompression().disableConnectionState()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create().setMaxConnTotal(IN_FLIGHT * 4)
                        .setMaxConnPerRoute(IN_FLIGHT).build())
                .build();
    }

    private void found(String url) {
        if (seen.add(url)) {
            open.incrementAndGet();
            waiting.add(url);
        }
    }

    private void page(CloseableHttpClient http, String url, OutputStream out) {
        try {
            byte[] body = http.execute(new HttpGet(url), response -> EntityUtils.toByteArray(response.getEntity()));
            Document document = Jsoup.parse(new String(body, StandardCharsets.UTF_8), url);
            List<String> links = links(document, url);
            byte[] line = Json
                    .bytes(Map.of("url", url, "title", document.title(), "text", document.body().text(), "links", links));
            synchronized (out) {
                out.write(line);
                out.write('\n');
            }
            pages.incrementAndGet();
            links.forEach(this::found);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            slots.release();
            if (open.decrementAndGet() == 0) {
                waiting.add("");
            }
        }
    }

    private List<String> links(Document document, String url) {
        BaseUrl base = BaseUrl.of((NormalUrl) UrlNormalizer.normalize(url));
        List<String> links = new ArrayList<>();
        for (Element anchor : document.select("a[href]")) {
            if (admission.reference(base, anchor.attr("href"), 0, EVERYWHERE)
                    .verdict(domains) instanceof Admitted admitted) {
                links.add(admitted.url());
            }
        }
        return links;
    }
}
