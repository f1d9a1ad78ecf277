package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a whole deployment allocates for each byte of a page, servers included. Pages have the sizes and the parts of
 * those of 2025: scripts and data are half of one, and most have characters that are not Latin.
 */
@Tag("nightly")
class AllocatedBytesIT {
    private static final int HOSTS = 20;
    private static final int PAGES = 60;
    private static final int TIMES = 4;
    /** Other work on the machine makes batches smaller, and so only adds: the least is what pages take. */
    private static final int ATTEMPTS = 3;
    /** 19 with packed bodies; the floor of the benchmarks takes 16 for real pages. */
    private static final double MOST = 21;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final Pattern OF_PAGES = Pattern
            .compile("fetch-.*|answers|data-plane-kafka-.*|analyzer|parse|pipeline");
    @TempDir
    private Path folder;

    @Test
    void aPageIsCopiedAFewTimesOnItsWayFromTheSocketToItsItem() throws InterruptedException {
        try (FakeWeb web = FakeWeb.start(HOSTS); OneJvmFleet fleet = new OneJvmFleet(folder.resolve("pages"))) {
            long bytes = IntStream.range(0, PAGES).mapToLong(number -> serve(web, number)).sum();
            crawl(web, fleet, "first", 1);
            double least = Double.MAX_VALUE;
            for (int attempt = 1; attempt <= ATTEMPTS && least >= MOST; attempt++) {
                long once = crawl(web, fleet, "once-" + attempt, 1);
                long several = crawl(web, fleet, "several-" + attempt, 1 + TIMES);
                least = Math.min(least, (double) (several - once) / (TIMES * bytes));
            }
            assertThat(least).isLessThan(MOST);
        }
    }

    private static int serve(FakeWeb web, int number) {
        String page = page(number);
        host(web, number).page(path(number), page);
        return page.getBytes(StandardCharsets.UTF_8).length;
    }

    private static FakeHost host(FakeWeb web, int number) {
        return web.host(number % HOSTS);
    }

    private static String path(int number) {
        return "/" + number;
    }

    /** @param times at how many URLs each page is */
    private static long crawl(FakeWeb web, OneJvmFleet fleet, String name, int times) throws InterruptedException {
        CrawlId crawl = new CrawlId(name);
        CrawlDefinition definition = CrawlDefinition
                .of(IntStream.range(0, PAGES * times)
                        .mapToObj(n -> host(web, n % PAGES).url(path(n % PAGES) + "?" + n / PAGES))
                        .map(url -> Seed.of(crawl, url, Optional.empty())).toList())
                .with(copy -> copy.limits(CrawlLimits.DEFAULT.withDepth(0))
                        .fetch(FetchRules.DEFAULT.withDelay(Duration.ZERO)));
        long before = allocated();
        fleet.client().define(crawl, definition, false);
        assertThat(fleet.awaitFinished(crawl).totals().pages()).isEqualTo((long) PAGES * times);
        return allocated() - before;
    }

    /** The bytes of the threads through which pages pass: others allocate with the time, not with the pages. */
    private static long allocated() {
        return Stream.of(THREADS.getThreadInfo(THREADS.getAllThreadIds())).filter(Objects::nonNull)
                .filter(thread -> OF_PAGES.matcher(thread.getThreadName()).matches())
                .mapToLong(thread -> THREADS.getThreadAllocatedBytes(thread.getThreadId())).sum();
    }

    /** A page of 20 KB to 1 MB, the mean of which is 280 KB. */
    private static String page(int number) {
        SplittableRandom random = new SplittableRandom(number);
        int length = (int) (20_000 * Math.pow(50, Math.pow((number * 7 % PAGES) / (double) PAGES, 1.2)));
        StringBuilder html = new StringBuilder("<!doctype html><html lang=en><head><meta charset=utf-8><title>Page ")
                .append(number)
                .append("</title><script type=\"application/ld+json\">{\"@type\": \"Article\"}</script>");
        while (html.length() < length * 6 / 10) {
            html.append("<script>window.data").append(random.nextInt(1000)).append(" = {\"id\": \"")
                    .append(random.nextLong()).append("\", \"items\": [").append("1, 2, 3, ".repeat(100))
                    .append("4]};</script>\n");
        }
        html.append("</head><body><nav class=\"site-menu top\"><ul>");
        for (int i = 0; i < 60; i++) {
            html.append("<li class=\"item item-").append(i).append("\"><a href=\"/topic/").append(i)
                    .append("?from=menu\">Topic ").append(i).append("</a></li>");
        }
        html.append("</ul></nav><main>");
        while (html.length() < length) {
            html.append("<div class=\"card c").append(random.nextInt(400)).append(" wide\" data-id=\"")
                    .append(random.nextInt()).append("\"><h2>“Part ").append(random.nextInt(100)).append("” – ")
                    .append("a heading</h2><p>").append("The page has text that somebody reads. ".repeat(6))
                    .append("It has <b>marks</b> and <a href=\"/p/").append(random.nextInt(10_000))
                    .append("\">a link</a>, and it’s long enough.</p></div>\n");
        }
        return html.append("</main></body></html>").toString();
    }
}
