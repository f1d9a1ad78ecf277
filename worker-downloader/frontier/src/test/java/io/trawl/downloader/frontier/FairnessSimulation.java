package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.FrontierAction.BeginFetch;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.downloader.trap.SpiderTraps;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.testkit.web.BacklogShare;
import io.trawl.testkit.web.GeneratedSites;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Runs sites of different kinds beside each other through the frontier, in simulated time, and counts their requests.
 */
public final class FairnessSimulation {
    private static final int LEVELS = 1;
    private static final int BATCH = 500;
    private static final RequestPartition PARTITION = new RequestPartition(0, 0);
    private static final int DIFFERENT_PAGES = 1_000_000;
    private static final byte[] SAME = "<title>Calendar</title><a href=next>next</a>".getBytes(StandardCharsets.UTF_8);
    private final SiteMix shape;
    private final RequestLog log;
    private final World world;
    private final SpiderTraps traps = new SpiderTraps();
    private final boolean judged;
    private final GeneratedSites pages;
    private final PriorityQueue<Running> inFlight = new PriorityQueue<>(Comparator.comparingLong(Running::endsAt));
    private final long[] fetches;
    private final List<HostTime> hosts;

    /** What a site answers. */
    public enum AnswerKind {
        /** A new page each time. */
        PAGES,
        /** The same page under each URL. */
        SAME_PAGE,
        /** Nothing until the time-out. */
        NOTHING
    }

    /**
     * A number of hosts of one kind.
     *
     * @param name of the site; with {@code %d} its hosts have domains of their own
     * @param pages requests of each host
     * @param took the duration of a fetch
     */
    public record Site(String name, int hosts, int pages, Duration took, AnswerKind answers) {}

    /**
     * The parameters of a simulation.
     *
     * @param sites the first is the one that others disturb
     * @param slots exchanges in flight
     * @param lead how long the first site is alone
     * @param limit the simulated time after which it ends, if the first site is not complete before
     */
    public record SiteMix(List<Site> sites, int slots, Duration delay, Duration lead, Duration limit) {}

    /**
     * The measurements.
     *
     * @param fetches by site
     * @param busy by site, of the time in which a host had requests and might be asked, the part with one in flight
     * @param simulated the simulated duration
     */
    public record FairnessReport(List<Long> fetches, List<Double> busy, Duration simulated) {
        /** Fetches of a site per simulated second. */
        public double rate(int site) {
            return fetches.get(site) * 1000.0 / simulated.toMillis();
        }

        /** The part of all fetches that a site had. */
        public double part(int site) {
            return (double) fetches.get(site) / fetches.stream().mapToLong(Long::longValue).sum();
        }
    }

    private record Running(BeginFetch begun, int host, int site, long endsAt) {}

    /** A host: since when it may be asked or has a request in flight, and how long it did both so far. */
    private static final class HostTime {
        private final int site;
        private long since;
        private long ready;
        private long flying;
        private int left;
        private boolean flies;

        HostTime(int site, long since, int left) {
            this.site = site;
            this.since = since;
            this.left = left;
        }

        void begins(long now) {
            ready += Math.max(0, now - since);
            since = now;
            flies = true;
        }

        void ends(long now, long pause) {
            flying += now - since;
            since = now + pause;
            flies = false;
            left--;
        }

        void over(long now) {
            if (flies) {
                flying += now - since;
            } else if (left > 0) {
                ready += Math.max(0, now - since);
            }
        }
    }

    /** Prepares a simulation. */
    public FairnessSimulation(SiteMix shape) {
        this.shape = shape;
        BacklogPlan plan = new BacklogPlan(
                shape.sites().stream().map(site -> new BacklogShare(site.hosts(), site.pages(), 0)).toList(),
                shape.lead().isZero());
        IntFunction<String> names = host -> "h" + host + "."
                + shape.sites().get(siteOf(host)).name().replace("%d", Integer.toString(host)) + ".test";
        this.log = new RequestLog(plan, LEVELS, names);
        this.world = World.of(log, shape.slots(), shape.delay());
        this.pages = new GeneratedSites(plan.hosts(), DIFFERENT_PAGES);
        this.judged = shape.sites().stream().anyMatch(site -> site.answers() == AnswerKind.SAME_PAGE);
        this.fetches = new long[shape.sites().size()];
        this.hosts = IntStream.range(0, plan.hosts()).mapToObj(host -> {
            int site = siteOf(host);
            return new HostTime(site, site == 0 ? 0 : shape.lead().toNanos(), shape.sites().get(site).pages());
        }).toList();
    }

    private int siteOf(int host) {
        int site = 0;
        for (int first = shape.sites().getFirst().hosts(); host >= first; first += shape.sites().get(site).hosts()) {
            site++;
        }
        return site;
    }

    /** Runs the simulation. To be called once. */
    public FairnessReport run() {
        Site first = shape.sites().getFirst();
        int own = first.hosts() * first.pages();
        deliver(0, shape.lead().isZero() ? log.end(PARTITION) : own);
        world.settle().takeFetches().forEach(this::begin);
        boolean alone = !shape.lead().isZero();
        while (fetches[0] < own && world.now < shape.limit().toNanos()) {
            Running next = inFlight.peek();
            long due = world.frontier.due().orElse(Long.MAX_VALUE);
            if (alone && Math.min(due, next == null ? Long.MAX_VALUE : next.endsAt()) >= shape.lead().toNanos()) {
                world.now = shape.lead().toNanos();
                deliver(own, log.end(PARTITION));
                alone = false;
            } else if (next != null && next.endsAt() <= due) {
                world.now = next.endsAt();
                end(inFlight.remove());
            } else {
                world.now = Math.max(world.now, due);
            }
            world.settle().takeFetches().forEach(this::begin);
            world.acknowledgeOnly();
        }
        hosts.forEach(host -> host.over(world.now));
        return new FairnessReport(IntStream.range(0, fetches.length).mapToObj(site -> fetches[site]).toList(),
                IntStream.range(0, fetches.length).mapToObj(this::busy).toList(), Duration.ofNanos(world.now));
    }

    private void deliver(int from, int to) {
        for (int next = from; next < to; next += BATCH) {
            world.deliver(log, PARTITION, next, Math.min(to, next + BATCH));
        }
    }

    private double busy(int site) {
        double flying = hosts.stream().filter(host -> host.site == site).mapToDouble(host -> host.flying).sum();
        return flying
                / (flying + hosts.stream().filter(host -> host.site == site).mapToDouble(host -> host.ready).sum());
    }

    private void begin(BeginFetch begun) {
        int host = Integer.parseInt(begun.request().host().value().split("[h.]")[1]);
        int site = siteOf(host);
        hosts.get(host).begins(world.now);
        inFlight.add(new Running(begun, host, site, world.now + shape.sites().get(site).took().toNanos()));
    }

    private void end(Running running) {
        FetchResult fetchResult = result(running);
        fetches[running.site()]++;
        long delay = shape.delay().toNanos();
        hosts.get(running.host()).ends(world.now,
                delay == 0 ? 0 : Math.max(delay, shape.sites().get(running.site()).took().toNanos()));
        world.frontier.fetched(running.begun().ticket(), fetchResult, world.now);
        if (judged) {
            traps.fetched(running.begun().request(), fetchResult)
                    .forEach(change -> world.frontier.postpone(change.host(), change.trap(), world.now));
        }
    }

    private FetchResult result(Running running) {
        Site site = shape.sites().get(running.site());
        if (site.answers() == AnswerKind.NOTHING) {
            return FetchResult.without(new Outcome.Failure(FailureReason.TIMEOUT, "simulated"), site.took(),
                    Instant.EPOCH);
        }
        int page = (int) (running.begun().request().id().value() % DIFFERENT_PAGES);
        byte[] body = site.answers() == AnswerKind.SAME_PAGE
                ? SAME
                : !judged ? new byte[0] : pages.answer(running.host(), GeneratedSites.path(page)).bytes();
        return new FetchResult(new Outcome.Success(200, false), Map.of("content-type", "text/html"), new Body(body),
                site.took(), Optional.empty(), Instant.EPOCH);
    }
}
