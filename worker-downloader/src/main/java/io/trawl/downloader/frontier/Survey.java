package io.trawl.downloader.frontier;

import io.trawl.control.ControlView.Standing;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.direct.FrontierView.Where;
import io.trawl.downloader.frontier.Crawls.Terms;
import io.trawl.downloader.frontier.Flights.Flight;
import io.trawl.downloader.frontier.Pending.UrlKey;
import io.trawl.downloader.politeness.SilentHosts;
import io.trawl.downloader.politeness.Wish;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at where hosts and requests stand, for people, and changes nothing. Belongs to the frontier's thread, which it holds up for a moment only. */
final class Survey {
    private static final int MOST_URLS = 10;
    private final FrontierSettings settings;
    private final RulesByHost rules;
    private final RunTerms terms;
    private final HostBoard board;
    private final Leaseholds leaseholds;
    private final SilentHosts silence;
    private final Places places;
    private final Flights flights;
    private final Answers answers;
    private final Retries retries;

    Survey(FrontierSettings settings, RulesByHost rules, RunTerms terms, HostBoard board, Leaseholds leaseholds,
            SilentHosts silence, Places places, Flights flights, Answers answers, Retries retries) {
        this.settings = settings;
        this.rules = rules;
        this.terms = terms;
        this.board = board;
        this.leaseholds = leaseholds;
        this.silence = silence;
        this.places = places;
        this.flights = flights;
        this.answers = answers;
        this.retries = retries;
    }

    /** A host, as a request of this run that wishes for nothing special would meet it. */
    HostView host(HostKey server, int partition, CrawlRun run, long now) {
        Terms of = terms.look(run);
        HostKey key = settings.keys().of(server);
        Optional<HostQueue> known = board.find(key);
        Optional<RobotsRules> robots = rules.cached(server, of.userAgent());
        Wish wish = new Wish(of.delay(), robots.flatMap(RobotsRules::crawlDelay), Optional.empty());
        long opens = Math.max(known.map(h -> h.pace().mayStart(wish, settings.politeness())).orElse(0L),
                leaseholds.mayStart(partition, key, settings.politeness().pause(wish, 0), now));
        List<String> fetching = new ArrayList<>();
        flights.forEach(p -> {
            if (fetching.size() < MOST_URLS && settings.keys().of(p.server()).equals(key)) {
                fetching.add(p.request().url());
            }
        });
        return new HostView(server, key, known.map(HostQueue::sizes).orElse(Map.of()),
                known.map(HostQueue::unreadCount).orElse(0L), known.map(HostQueue::inFlight).orElse(0), settings.perHost(),
                fetching,
                left(opens, now), known.flatMap(h -> left(h.pace().closedUntil(), now)),
                Duration.ofNanos(known.map(h -> h.pace().expected(wish, settings.politeness()))
                        .orElse(settings.politeness().pause(wish, 0))),
                robots.flatMap(RobotsRules::crawlDelay), robots(known, server, of.userAgent(), robots, now),
                silence.of(server, now));
    }

    private Robots robots(Optional<HostQueue> host, HostKey server, String userAgent, Optional<RobotsRules> cached, long now) {
        if (host.flatMap(h -> h.robots(server)).flatMap(known -> known.of(userAgent, () -> cached, now)).isPresent()) {
            return Robots.GIVEN_UP;
        }
        return cached.map(known -> known.unavailable() ? Robots.UNAVAILABLE : Robots.KNOWN).orElse(Robots.NOT_ASKED);
    }

    private static Optional<Duration> left(long at, long now) {
        return at > now && at != Long.MAX_VALUE ? Optional.of(Duration.ofNanos(at - now)) : Optional.empty();
    }

    /** A request, if it is in memory with its URL; what is known by its offset alone is not found. */
    Optional<RequestView> request(UrlKey url, HostKey server, long now) {
        Optional<Flight> flight = flights.of(url);
        if (flight.isPresent()) {
            Flight f = flight.get();
            Where where = places.active(url).filter(f.pending()::equals).isPresent() ? Where.FETCHING : Where.ASKING_ROBOTS;
            return Optional.of(view(f.pending(), where, Optional.of(Duration.ofNanos(now - f.began())), Optional.empty(), 0));
        }
        return answers.of(url).map(p -> view(p, Where.ANSWERING))
                .or(() -> retry(url, now))
                .or(() -> places.aside(url).map(p -> view(p, terms.look(p.run()).standing() == Standing.PRESENT
                        ? Where.CRAWL_STOPPED
                        : Where.CRAWL_UNKNOWN)))
                .or(() -> queued(url, server));
    }

    private Optional<RequestView> retry(UrlKey url, long now) {
        return retries.of(url).map(retry -> view(retry.request(), Where.RETRY, Optional.empty(), left(retry.at(), now), 0));
    }

    private Optional<RequestView> queued(UrlKey url, HostKey server) {
        return board.find(settings.keys().of(server)).flatMap(host -> host.find(url).map(
                found -> view(found.request(), Where.QUEUE, Optional.empty(), Optional.empty(), found.ahead())));
    }

    private static RequestView view(Pending p, Where where) {
        return view(p, where, Optional.empty(), Optional.empty(), 0);
    }

    private static RequestView view(Pending p, Where where, Optional<Duration> since, Optional<Duration> until, long ahead) {
        return new RequestView(where, since, until, p.attempts(), p.trouble(), p.priority(), p.offset(), ahead);
    }
}
