package io.trawl.bench.floor;

import io.trawl.bench.floor.PageContent.PageParser;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A crawler in memory without any promise: it fetches, parses with jsoup, takes links and text and writes JSON lines.
 * No queue outlives it, no host is spared, nothing is written twice only because nothing fails. What Trawl costs more
 * than this is the price of its promises.
 */
public final class FloorCrawl {
    private final PageParser parser;

    /** @param domains the hosts to stay on */
    public FloorCrawl(Set<String> domains) {
        this.parser = new PageParser(domains);
    }

    /**
     * Crawls everything that is reachable from the seeds.
     *
     * @param seeds URLs in normal form
     * @return the number of pages
     * @throws IllegalStateException if a page cannot be fetched or written
     */
    public long run(List<String> seeds, Path file) throws InterruptedException {
        UrlQueue queue = new UrlQueue(seeds);
        AtomicLong pages = new AtomicLong();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            new BodyFetch(queue, (url, body) -> {
                PageContent page = parser.parse(url, body);
                synchronized (out) {
                    out.write(page.json());
                    out.write('\n');
                }
                pages.incrementAndGet();
                page.links().forEach(queue::add);
                queue.done(url);
            }).run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages.get();
    }
}
