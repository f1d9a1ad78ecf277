package io.trawl.bench.web;

import io.trawl.testkit.web.WebPages;
import io.trawl.testkit.web.WebResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Quick hosts with a number of pages each, followed by slow ones with {@value #SLOW_PAGES}, whose answers begin late,
 * trickle, or never come. The first page of a host links to all others. The server's thread calls {@link #answer}; any
 * thread may read the figures.
 */
public final class SlowHostsWeb implements WebPages {
    private static final Duration NEVER = Duration.ofHours(1);
    /** More than a slow host answers meanwhile: what links cost is not measured here. */
    private static final int SLOW_PAGES = 12;
    private final int quick;
    private final int pages;
    private final Duration delay;
    private final Slowness slowness;
    private final LongSupplier nanos;
    private final WebResponse list;
    private final WebResponse shortList;
    private final WebResponse page = WebResponse.page("<title>page</title>", Duration.ZERO);
    private final long[] since;
    private long waited;
    private long flown;
    private long begin;
    private volatile long last;
    private volatile int asked;

    /** How slow hosts are slow. */
    public enum Slowness {
        /** There are none. */
        NONE,
        /** The first byte comes late. */
        LATE,
        /** The bytes come one by one. */
        TRICKLE,
        /** No byte comes. */
        SILENT,
        /** No name server answers for their names, so that none is asked. */
        NAMELESS;

        /** Whether its requests end when the server says so, so that it is known how long each is in flight. */
        public boolean answers() {
            return this == LATE || this == TRICKLE;
        }

        private WebResponse of(WebResponse page, Duration takes) {
            return switch (this) {
                case NONE, NAMELESS -> page;
                case LATE -> new WebResponse(page.bytes(), takes, Duration.ZERO);
                case TRICKLE -> page.trickled(takes);
                case SILENT -> new WebResponse(page.bytes(), NEVER, Duration.ZERO);
            };
        }
    }

    private final Duration takes;

    /**
     * @param quick hosts, numbered from 0
     * @param slow hosts after them
     * @param pages of each quick host
     * @param delay of each host in the crawl
     * @param takes the time of a slow page
     */
    public SlowHostsWeb(int quick, int slow, int pages, Duration delay, Slowness slowness, Duration takes,
            LongSupplier nanos) {
        this.quick = quick;
        this.pages = pages;
        this.delay = delay;
        this.slowness = slowness;
        this.takes = takes;
        this.nanos = nanos;
        this.since = new long[quick + slow];
        Arrays.fill(since, Long.MAX_VALUE);
        this.list = listOf(pages);
        this.shortList = listOf(SLOW_PAGES);
    }

    private static WebResponse listOf(int pages) {
        return WebResponse.page(IntStream.range(1, pages).mapToObj(k -> "<a href=/" + k + ">p</a>")
                .collect(Collectors.joining("", "<title>first</title>", "")), Duration.ZERO);
    }

    @Override
    public WebResponse answer(int host, String path) {
        if (path.equals("/robots.txt")) {
            return WebResponse.notFound();
        }
        long now = nanos.getAsLong();
        boolean first = path.equals("/0");
        if (host < quick) {
            begin = asked == 0 ? now : begin;
            last = now;
            asked++;
            return first ? list : page;
        }
        begins(host, now);
        return slowness.of(first ? shortList : page, takes);
    }

    /** A slow host may be asked again when its answer and a pause of the same time are over. */
    private synchronized void begins(int host, long now) {
        if (since[host] != Long.MAX_VALUE) {
            waited += Math.max(0, now - since[host]);
        }
        flown += takes.toNanos();
        since[host] = now + takes.plus(takes.compareTo(delay) > 0 ? takes : delay).toNanos();
    }

    /** The number of requested pages of quick hosts. */
    public int asked() {
        return asked;
    }

    /** Whether all pages of quick hosts were requested. */
    public boolean complete() {
        return asked >= quick * pages;
    }

    /** Pages of quick hosts a second, from the first request to the last. */
    public double rate() {
        return (asked - 1) * 1e9 / (last - begin);
    }

    /**
     * Of the time in which a slow host might be asked and had pages, the part in which a request was in flight. It is
     * known only of hosts that answer.
     */
    public synchronized double busy() {
        long end = nanos.getAsLong();
        long open = 0;
        for (int host = quick; host < since.length; host++) {
            open += since[host] == Long.MAX_VALUE ? end - begin : Math.max(0, end - since[host]);
        }
        return (double) flown / (flown + waited + open);
    }
}
