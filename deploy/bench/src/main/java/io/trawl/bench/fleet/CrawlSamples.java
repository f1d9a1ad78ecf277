package io.trawl.bench.fleet;

import io.trawl.bench.web.TimedPages;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Samples four times a second, until it is closed, how many pages were asked for and what that has cost. Thread-safe.
 */
public final class CrawlSamples implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private final URI web;
    private final Supplier<Usage> usage;
    private final Time time;
    private final List<Sample> samples = new ArrayList<>();
    private final PeriodicTask watch;

    /** @param cpu of all processes since their start */
    private record Sample(long at, long pages, Duration cpu) {}

    /** What the web server knows: two times in milliseconds since 1970, and a number of pages. */
    public record Asked(long first, long last, long pages) {
        /** Asks the web server now. */
        public static Asked at(URI web) {
            try (InputStream in = web.resolve(TimedPages.PATH).toURL().openStream()) {
                String[] answer = new String(in.readAllBytes(), StandardCharsets.US_ASCII).split(" ");
                return new Asked(Long.parseLong(answer[0]), Long.parseLong(answer[1]), Long.parseLong(answer[2]));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /**
     * The time in which the web server was asked for some pages.
     *
     * @param from the number of pages before
     * @param to the number of pages at its end
     * @param cpu of all processes in that time
     */
    public record PageWindow(long from, long to, Duration took, Duration cpu) {
        /** Pages asked for in a second. */
        public double pagesPerSecond() {
            return (to - from) * 1e9 / took.toNanos();
        }

        /** Milliseconds of CPU time for a page. */
        public double cpuMillisPerPage() {
            return cpu.toNanos() / 1e6 / (to - from);
        }
    }

    /**
     * Begins to sample.
     *
     * @param web the address of the web server
     * @param usage of the processes that crawl, so far
     */
    public CrawlSamples(URI web, Supplier<Usage> usage, Time time) {
        this.web = web;
        this.usage = usage;
        this.time = time;
        this.watch = new PeriodicTask("crawl-samples", INTERVAL, time, this::sample);
        watch.start();
    }

    private void sample() {
        Sample sample = new Sample(time.nanos(), Asked.at(web).pages(), usage.get().cpu());
        synchronized (samples) {
            samples.add(sample);
        }
    }

    /** Windows of at least so many pages, from the first page on; what is left at the end is in none. */
    public List<PageWindow> of(int pages) {
        List<PageWindow> windows = new ArrayList<>();
        synchronized (samples) {
            List<Sample> crawling = samples.stream().filter(sample -> sample.pages() > 0).toList();
            Sample begin = crawling.isEmpty() ? new Sample(0, 0, Duration.ZERO) : crawling.getFirst();
            for (Sample sample : crawling) {
                if (sample.pages() - begin.pages() >= pages) {
                    windows.add(new PageWindow(begin.pages(), sample.pages(),
                            Duration.ofNanos(sample.at() - begin.at()), sample.cpu().minus(begin.cpu())));
                    begin = sample;
                }
            }
        }
        return windows;
    }

    @Override
    public void close() {
        watch.close();
    }
}
