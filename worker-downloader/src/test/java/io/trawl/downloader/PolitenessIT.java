package io.trawl.downloader;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.SeenRequest;
import io.trawl.time.Time;
import io.trawl.worker.Worker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Politeness while downloaders come and go, as the hosts themselves have recorded it. Some hosts have a delay that is
 * longer than the group takes to notice a killed downloader, so its successor must obey pauses that it cannot know.
 * Others are asked so often that a request of a downloader that wakes up would be detected at once.
 */
class PolitenessIT {
    private static final Logger LOG = LoggerFactory.getLogger(PolitenessIT.class);
    private static final Duration DELAY = Duration.ofMillis(250);
    private static final Duration LONG_DELAY = Duration.ofSeconds(5);
    /** The hosts record the time when they have read a request, which may be late for one and in time for the next. */
    private static final Duration CLOCK = Duration.ofMillis(5);
    private static final CrawlRun SLOW = new CrawlRun(new CrawlId("slow"), 1);
    private static final int QUICK_HOSTS = 24;
    private static final int SLOW_HOSTS = 60;
    private static final int QUICK_PAGES = 160;
    private static final int SLOW_PAGES = 5;
    private static final int PARTITIONS = 8;
    private static final String WAKES = "it wakes up";
    private final Map<String, Long> events = new LinkedHashMap<>();

    @Test
    void noHostIsEverAskedTooSoonOrTwiceAtATimeWhileDownloadersComeAndGo() throws Exception {
        try (FakeWeb web = FakeWeb.start(QUICK_HOSTS + SLOW_HOSTS); Fleet fleet = new Fleet(Map.of(), PARTITIONS)) {
            Set<String> urls = backlog(web, fleet);
            comeAndGo(web, fleet);
            await().pollInterval(Duration.ofMillis(500)).until(() -> fleet.uncommitted() == 0);
            report(web);
            Set<String> fetched = fleet.responses().stream().filter(r -> r.outcome() instanceof Outcome.Success)
                    .map(Response::url).collect(Collectors.toSet());
            assertThat(fetched).as("none lost").isEqualTo(urls);
            assertThat(Stream.concat(Stream.of(Optional.<SeenRequest>empty()), atWakeUp(web))
                    .map(late -> trouble(web, late)).toList())
                    .as("with each request at the wake-up left out in turn, and first with none")
                    .anyMatch(List::isEmpty);
        }
    }

    /**
     * A process that is paused between its last look at its lease and the socket may send one of these (P2 of
     * docs/protocol-politeness.md).
     */
    private Stream<Optional<SeenRequest>> atWakeUp(FakeWeb web) {
        long wakes = requireNonNull(events.get(WAKES));
        return web.visits().stream()
                .filter(visit -> visit.arrived() > wakes && visit.arrived() < wakes + Duration.ofSeconds(1).toNanos())
                .map(Optional::of);
    }

    /** @param late a request that does not count */
    private static List<String> trouble(FakeWeb web, Optional<SeenRequest> late) {
        List<String> trouble = new ArrayList<>();
        for (int i = 0; i < QUICK_HOSTS + SLOW_HOSTS; i++) {
            List<SeenRequest> visits = web.visits(web.host(i)).stream()
                    .filter(visit -> late.filter(visit::equals).isEmpty()).toList();
            trouble.addAll(trouble(visits, i < QUICK_HOSTS ? DELAY : LONG_DELAY));
        }
        return trouble;
    }

    private static Set<String> backlog(FakeWeb web, Fleet fleet) {
        fleet.crawl(DELAY);
        fleet.crawl(SLOW, LONG_DELAY);
        Set<String> urls = new TreeSet<>();
        for (int i = 0; i < QUICK_HOSTS + SLOW_HOSTS; i++) {
            FakeHost host = web.host(i);
            CrawlRun run = i < QUICK_HOSTS ? Fleet.RUN : SLOW;
            for (int page = 0; page < (i < QUICK_HOSTS ? QUICK_PAGES : SLOW_PAGES); page++) {
                String url = host.page("/" + page, "page " + page).url("/" + page);
                fleet.submit(page % 3, fleet.request(run, url));
                urls.add(url);
            }
        }
        fleet.flush();
        return urls;
    }

    private void comeAndGo(FakeWeb web, Fleet fleet) throws Exception {
        Process killed = fleet.process("killed-politely");
        Process paused = fleet.process("paused-politely");
        try {
            Worker first = fleet.start();
            await().until(() -> served(first) >= 2 && served(first) <= 3);
            Worker second = event("one joins", fleet::start);
            await().until(() -> served(first) == 2 && served(second) == 2);
            await().pollInterval(Duration.ofMillis(20)).until(() -> slowHostsWereJustAsked(web));
            event("one is killed", () -> killed.destroyForcibly().waitFor());
            await().until(() -> served(first) + served(second) >= 5);
            event("one is paused", () -> signal(paused, "STOP"));
            await().until(() -> served(first) + served(second) == PARTITIONS);
            event(WAKES, () -> signal(paused, "CONT"));
            await().until(() -> served(first) + served(second) < PARTITIONS);
            event("one is stopped", () -> {
                first.stop(Duration.ofSeconds(5));
                return 0;
            });
            await().until(() -> served(second) >= 4);
            assertThat(web.visits(web.host(0)).size()).as("there was something to fetch all the time")
                    .isLessThan(QUICK_PAGES);
        } finally {
            killed.destroyForcibly();
            fleet.onClose(paused::destroyForcibly);
        }
    }

    /** They are all asked at about the same time: a successor that does not wait for their delay is then detected. */
    private static boolean slowHostsWereJustAsked(FakeWeb web) {
        long since = Time.system().nanos() - Duration.ofMillis(500).toNanos();
        Set<String> quick = web.hosts().stream().limit(QUICK_HOSTS).map(FakeHost::name).collect(Collectors.toSet());
        return web.visits().stream().filter(v -> !quick.contains(v.host()) && v.arrived() > since).count() > SLOW_HOSTS
                / 4;
    }

    private interface Step<T> {
        T take() throws Exception;
    }

    private <T> T event(String what, Step<T> step) throws Exception {
        events.put(what, Time.system().nanos());
        return step.take();
    }

    private static int signal(Process process, String name) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    static int served(Worker worker) {
        return worker.summary().extra().get("partitions") instanceof Integer n ? n : 0;
    }

    static List<String> trouble(List<SeenRequest> visits, Duration delay) {
        List<String> trouble = new ArrayList<>();
        for (int i = 1; i < visits.size(); i++) {
            SeenRequest before = visits.get(i - 1);
            SeenRequest visit = visits.get(i);
            long gap = visit.arrived() - before.arrived();
            if (gap < delay.minus(CLOCK).toNanos()) {
                trouble.add(
                        visit + " came " + gap / 1_000_000 + " ms after " + before + " instead of " + delay.toMillis());
            }
            if (before.ended().orElse(Long.MAX_VALUE) > visit.arrived()) {
                trouble.add(visit + " came while " + before + " was in flight");
            }
        }
        return trouble;
    }

    /** The pauses of the quick hosts around each event. */
    private void report(FakeWeb web) {
        List<Map.Entry<String, Long>> all = List.copyOf(events.entrySet());
        for (int e = 0; e < all.size(); e++) {
            long from = all.get(e).getValue();
            long to = e + 1 < all.size() ? all.get(e + 1).getValue() : Long.MAX_VALUE;
            long longest = web.hosts().stream().limit(QUICK_HOSTS).flatMap(host -> gaps(web.visits(host), from, to))
                    .mapToLong(g -> g).max().orElse(0);
            LOG.info("{}: the longest silence of a host is {} ms", all.get(e).getKey(), longest / 1_000_000);
        }
    }

    /** The gaps between requests that begin in this time, or in which it begins. */
    private static Stream<Long> gaps(List<SeenRequest> visits, long from, long to) {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < visits.size(); i++) {
            if (visits.get(i).arrived() > from && visits.get(i - 1).arrived() < to) {
                gaps.add(visits.get(i).arrived() - visits.get(i - 1).arrived());
            }
        }
        return gaps.stream();
    }
}
