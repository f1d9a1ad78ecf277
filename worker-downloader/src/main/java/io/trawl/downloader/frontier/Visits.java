package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.Clearance;
import io.trawl.downloader.fetch.Fetched;
import io.trawl.downloader.politeness.Politeness;
import io.trawl.downloader.politeness.SilentHosts;
import io.trawl.downloader.politeness.Wish;
import io.trawl.downloader.retry.Decision;
import io.trawl.downloader.retry.RetryPolicy;
import io.trawl.downloader.robots.RobotsRules;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The {@link Visit}s. Each takes the next turn of its host, before the host's requests: it waits for the same pauses, counts among the exchanges in
 * flight, takes a slot, begins a pause of its own, and heeds robots.txt, which is asked for in a turn before. What the host says to it (a
 * {@code Retry-After}, a 503) holds for the requests, too; that it does not answer at all is not counted against the host. Under a lease nothing more is
 * needed for a host to be asked politely by the whole fleet. Without one only this process's own exchanges are minded. Belongs to the frontier's thread.
 */
final class Visits {
    /** More would wait for longer than anybody has patience. */
    private static final int MOST = 64;
    private final FrontierSettings settings;
    private final RulesByHost rules;
    private final HostBoard board;
    private final Leaseholds leaseholds;
    private final SilentHosts silence;
    private final Places places;
    private final SlotPool slots;
    private final RetryPolicy retryPolicy;
    private final Todo todo;
    private final List<Guest> waiting = new ArrayList<>();
    private final Map<Long, Flight> flights = new HashMap<>();
    private long next = Long.MAX_VALUE;

    /** Somebody who waits, until a moment. */
    private static final class Guest {
        private final Visit visit;
        private final long until;
        private boolean told;

        Guest(Visit visit, long until) {
            this.visit = visit;
            this.until = until;
        }

        HostKey server() {
            return visit.request().host();
        }

        void tell(Visited visited) {
            if (!told) {
                told = true;
                visit.told().accept(visited);
            }
        }
    }

    /** An exchange for a guest, with its slot. */
    private record Flight(Guest guest, HostQueue host, Slot slot, long began) {}

    Visits(FrontierSettings settings, RulesByHost rules, HostBoard board, Leaseholds leaseholds, SilentHosts silence,
            Places places, SlotPool slots, RetryPolicy retryPolicy, Todo todo) {
        this.settings = settings;
        this.rules = rules;
        this.board = board;
        this.leaseholds = leaseholds;
        this.silence = silence;
        this.places = places;
        this.slots = slots;
        this.retryPolicy = retryPolicy;
        this.todo = todo;
    }

    void add(Visit visit, long now) {
        Guest guest = new Guest(visit, Politeness.after(now, Politeness.nanos(visit.patience())));
        if (waiting.size() >= MOST) {
            guest.tell(new Visited.Late("too many direct calls wait", Duration.ofSeconds(1)));
        } else {
            waiting.add(guest);
        }
    }

    /** Nothing begins any more. */
    void stop() {
        waiting.forEach(guest -> guest.tell(new Visited.Elsewhere()));
        waiting.clear();
    }

    /** Gives turns to those whose host may be asked now, and ends those whose time is over. */
    void advance(long now) {
        next = Long.MAX_VALUE;
        for (Guest guest : List.copyOf(waiting)) {
            if (served(guest, now)) {
                waiting.remove(guest);
            }
        }
        for (Flight flight : flights.values()) {
            Guest guest = flight.guest();
            if (!guest.told && guest.until <= now) {
                // The exchange goes on all the same, and its host is left alone until it ends.
                guest.tell(new Visited.Answered(new Outcome.Failure(FailureReason.TIMEOUT, guest.server()
                        + " did not complete its answer within " + Durations.format(guest.visit.patience())), Optional.empty()));
            }
            next = guest.told ? next : Math.min(next, guest.until);
        }
    }

    /** When {@link #advance} is needed although nothing happens. */
    long next() {
        return next;
    }

    /** Whether an exchange is under way for a host of this partition. */
    boolean any(int partition) {
        return flights.values().stream().anyMatch(flight -> flight.guest().visit.partition() == partition);
    }

    /** Whether the guest waits no longer. */
    private boolean served(Guest guest, long now) {
        Visit visit = guest.visit;
        Optional<Clearance> lease = leaseholds.lease(visit.partition());
        if (visit.owner() && lease.isEmpty()) {
            guest.tell(new Visited.Elsewhere());
            return true;
        }
        Optional<RobotsRules> robots = rules.cached(guest.server(), visit.profile().userAgent())
                .filter(known -> !known.unavailable());
        if (robots.isPresent() && !robots.get().isAllowed(visit.request().url())) {
            guest.tell(new Visited.Answered(Turns.forbidden(robots.get()), Optional.empty()));
            return true;
        }
        HostQueue host = board.host(settings.keys().of(guest.server()));
        Wish wish = wish(guest);
        long start = mayStart(guest, host, wish, lease.isPresent(), now);
        if (start > guest.until || now >= guest.until) {
            guest.tell(late(guest, start, now));
            return true;
        }
        boolean busy = host.inFlight() >= (silence.probing(guest.server()) ? 1 : settings.perHost());
        if (busy || start > now || !slots.available()) {
            next = Math.min(next, start > now ? start : guest.until);
            return false;
        }
        Clearance clearance = lease.orElse(() -> true);
        takeOff(guest, host, wish, now, ticket -> robots.isPresent()
                ? new Action.Fetch(ticket, visit.request(), visit.profile(), clearance)
                : new Action.LoadRobots(ticket, guest.server(), visit.request().url().startsWith("https:") ? "https" : "http",
                        visit.profile().through(visit.request().options().proxy()), clearance));
        return true;
    }

    private static Visited.Late late(Guest guest, long start, long now) {
        String host = guest.server().value();
        return start > now
                ? new Visited.Late(
                        host + " must be left alone for " + Durations.format(Duration.ofMillis((start - now) / 1_000_000))
                                + " more",
                        Duration.ofNanos(start - now))
                : new Visited.Late(host + " has had other requests under way all the time", Duration.ofSeconds(1));
    }

    /** Not sooner than whoever asked last would have asked again. */
    private long mayStart(Guest guest, HostQueue host, Wish wish, boolean leased, long now) {
        long own = Math.max(host.pace().mayStart(wish, settings.politeness()), host.pace().openAt(settings.politeness()));
        return leased
                ? Math.max(own,
                        leaseholds.mayStart(guest.visit.partition(), host.key(), settings.politeness().pause(wish, 0), now))
                : own;
    }

    private Wish wish(Guest guest) {
        Visit visit = guest.visit;
        return places.wish(guest.server(), visit.profile().userAgent(), visit.delay(), visit.request().options().waitTime());
    }

    private void takeOff(Guest guest, HostQueue host, Wish wish, long now, LongFunction<Action> exchange) {
        long ticket = todo.ticket();
        flights.put(ticket, new Flight(guest, host, slots.take().orElseThrow(), now));
        next = Math.min(next, guest.until);
        host.begins();
        host.pace().began(now, wish, guest.visit.partition());
        todo.add(exchange.apply(ticket));
        places.place(host, now);
    }

    /** {@link Action.LoadRobots} is done; false if it was for no visit. */
    boolean robotsLoaded(long ticket, RobotsRules loaded, long now) {
        Flight flight = flights.remove(ticket);
        if (flight == null) {
            return false;
        }
        land(flight, now - flight.began(), now);
        Guest guest = flight.guest();
        loaded.trouble().ifPresent(trouble -> heard(flight, trouble, now));
        if (loaded.trouble().filter(Fetched::withdrawn).isPresent()) {
            guest.tell(new Visited.Elsewhere());
        } else if (loaded.unavailable()) {
            guest.tell(new Visited.Answered(Turns.forbidden(loaded), Optional.empty()));
        } else if (!guest.told) {
            waiting.addFirst(guest);
        }
        places.place(flight.host(), now);
        return true;
    }

    /** {@link Action.Fetch} is over; false if it was for no visit. */
    boolean fetched(long ticket, Fetched fetched, long now) {
        Flight flight = flights.remove(ticket);
        if (flight == null) {
            return false;
        }
        land(flight, fetched.took().toNanos(), now);
        heard(flight, fetched, now);
        flight.guest().tell(fetched.withdrawn()
                ? new Visited.Elsewhere()
                : new Visited.Answered(fetched.outcome(), Optional.of(fetched)));
        places.place(flight.host(), now);
        return true;
    }

    private void land(Flight flight, long took, long now) {
        slots.giveBack(flight.slot());
        flight.host().ends();
        flight.host().pace().ended(now, took);
    }

    /** A wish of the server to be left alone holds for everybody. */
    private void heard(Flight flight, Fetched fetched, long now) {
        boolean wishes = fetched.outcome() instanceof Outcome.HttpError;
        if (wishes && retryPolicy.decide(fetched, 1) instanceof Decision.RetryAfter again && again.hostWaits()) {
            places.close(flight.host(), flight.guest().visit.partition(), again.pause(), now);
        }
    }
}
