package io.trawl.bench.web;

import com.sun.net.httpserver.HttpExchange;
import io.trawl.model.FreshnessSimulation;
import io.trawl.model.FreshnessSimulation.Version;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Pages that change at the moments of a simulation, in seconds of the machine's clock, with an entity tag and the date
 * of the change; keeps which version each answer was. Until the moments begin, all pages show what they show at the
 * moment 0. Thread-safe.
 */
public final class ChangingPages {
    /** How many kinds of pages there are, whatever their rates are. */
    public static final int KINDS = 3;
    private final FreshnessSimulation trace;
    private final List<FakeHost> hosts;
    private final Time time;
    private final Instant started;
    private final List<List<SentVersion>> answers = new ArrayList<>();
    private volatile Optional<Begin> begin = Optional.empty();

    /** When the moments began. */
    private record Begin(long nanos, Instant at) {}

    /**
     * What an answer of a page was.
     *
     * @param moment of the request
     */
    public record SentVersion(double moment, int version) {}

    private ChangingPages(FreshnessSimulation trace, List<FakeHost> hosts, Time time) {
        this.trace = trace;
        this.hosts = hosts;
        this.time = time;
        this.started = time.now();
        IntStream.range(0, trace.pages()).forEach(_ -> answers.add(new ArrayList<>()));
    }

    /** Serves them from all hosts, each of which has a page that links to its own. */
    public static ChangingPages serve(FakeWeb web, FreshnessSimulation trace, Time time) {
        ChangingPages pages = new ChangingPages(trace, web.hosts(), time);
        IntStream.range(0, trace.pages())
                .forEach(page -> pages.host(page).route(path(page), exchange -> pages.answer(page, exchange)));
        pages.hosts.forEach(host -> host.route("/", Behaviours.tagged("<title>home</title>" + IntStream
                .range(0, trace.pages()).filter(page -> pages.host(page).equals(host))
                .mapToObj(page -> "<a href='" + path(page) + "'>" + page + "</a>").collect(Collectors.joining(" ")))));
        return pages;
    }

    private FakeHost host(int page) {
        return hosts.get(page % hosts.size());
    }

    /** The kind of a page is the first part of its path. */
    private static String path(int page) {
        return "/" + kind(page) + "/" + page;
    }

    /** From 0 on. */
    public static int kind(int page) {
        return page % KINDS;
    }

    /** The moments begin now. */
    public void begin() {
        begin = Optional.of(new Begin(time.nanos(), time.now()));
    }

    /** In seconds. */
    public double moment() {
        return begin.map(since -> (time.nanos() - since.nanos()) / 1e9).orElse(0.0);
    }

    /** In the order in which the page was asked for. */
    public List<SentVersion> answers(int page) {
        synchronized (answers) {
            return List.copyOf(answers.get(page));
        }
    }

    /** The title of a page: no two versions have the same. */
    public static String title(int page, int version) {
        return "page " + page + " version " + version;
    }

    private Version noted(int page) {
        synchronized (answers) {
            double moment = moment();
            Version version = trace.version(page, moment);
            answers.get(page).add(new SentVersion(moment, version.number()));
            return version;
        }
    }

    private void answer(int page, HttpExchange exchange) throws IOException, InterruptedException {
        Version version = noted(page);
        String tag = "\"" + version.number() + "\"";
        Instant zero = begin.filter(_ -> version.number() > 0).map(Begin::at).orElse(started);
        Instant changed = zero.plus(Duration.ofMillis(Math.round(1000 * version.from())));
        Map<String, String> headers = Map.of("Content-Type", "text/html; charset=utf-8", "ETag", tag, "Last-Modified",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(changed.atOffset(ZoneOffset.UTC)));
        boolean known = tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
        byte[] body = ("<title>" + title(page, version.number()) + "</title><main><p>"
                + ("This is what the page number " + page + " says in its version " + version.number() + ". ")
                        .repeat(20))
                .getBytes(StandardCharsets.UTF_8);
        Behaviours.answer(known ? 304 : 200, headers, known ? new byte[0] : body).answer(exchange);
    }
}
