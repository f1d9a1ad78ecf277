package io.trawl.downloader.frontier.inflight;

import io.trawl.control.StopSign;
import io.trawl.downloader.frontier.fairness.SlotShares;
import io.trawl.downloader.frontier.fairness.SlotShares.Charge;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.frontier.queue.PendingRequest.RequestKey;
import io.trawl.model.Request;
import io.trawl.module.Deal.Oldest;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The exchanges in flight, each with its slot: fetches, and robots.txt in the turn of a request. Belongs to the
 * frontier's thread.
 */
public final class InFlightRequests {
    private final Map<Long, Flight> flights = new HashMap<>();
    private final SlotPool slots;
    private final SlotShares<HostQueue> slotShares;
    private final StopSignProgress stopSignProgress;

    /**
     * @param sent the request with the depth known then, which is in no queue meanwhile; empty for the robots.txt that
     * it needs
     */
    public record Flight(PendingRequest pending, Optional<Request> sent, HostQueue host, Slot slot, Charge charge,
            long began) {
        /** The request whose turn it is. */
        public Request request() {
            return sent.orElseGet(pending::request);
        }
    }

    public InFlightRequests(int concurrency, SlotShares<HostQueue> slotShares, StopSignProgress stopSignProgress) {
        this.slots = new SlotPool(concurrency);
        this.slotShares = slotShares;
        this.stopSignProgress = stopSignProgress;
    }

    public SlotPool slots() {
        return slots;
    }

    /** Begins an exchange; only while a slot is available. */
    public void begin(long ticket, HostQueue host, PendingRequest p, Optional<Request> sent, long now) {
        Charge charge = slotShares.begins(host.claim(), p.run(), host.use(), p.priority());
        flights.put(ticket, new Flight(p, sent, host, slots.take().orElseThrow(), charge, now));
        host.begins();
        stopSignProgress.begins(p);
    }

    public Flight find(long ticket) {
        Flight flight = flights.get(ticket);
        if (flight == null) {
            throw new IllegalArgumentException("no exchange in flight has ticket " + ticket);
        }
        return flight;
    }

    /**
     * Ends an exchange.
     *
     * @param took how long the exchange took, in nanoseconds
     */
    public Flight end(long ticket, long took, long now) {
        Flight flight = remove(ticket);
        flight.host().pace().ended(now, took);
        return flight;
    }

    /** Ends a look-up of robots.txt that has sent nothing: the host may be asked as if it had not begun. */
    public Flight endUnasked(long ticket) {
        Flight flight = remove(ticket);
        flight.host().pace().sentNothing(flight.began());
        return flight;
    }

    private Flight remove(long ticket) {
        Flight flight = find(ticket);
        flights.remove(ticket);
        slots.giveBack(flight.slot());
        slotShares.ends(flight.charge());
        flight.host().ends();
        stopSignProgress.ends(flight.pending());
        return flight;
    }

    /** Whether an exchange is in flight for a request of this partition. */
    public boolean any(int partition) {
        return flights.values().stream().anyMatch(flight -> flight.pending().partition() == partition);
    }

    /** The exchange of a URL. */
    public Optional<Flight> of(RequestKey key) {
        return flights.values().stream().filter(flight -> flight.pending().key().equals(key)).findFirst();
    }

    /** The exchange in the scope of a sign that began first. */
    public Optional<Oldest> oldest(StopSign sign, long now) {
        return flights.values().stream()
                .filter(flight -> sign.crawl().filter(crawl -> !crawl.equals(flight.pending().run().crawl())).isEmpty())
                .filter(flight -> sign.host().filter(host -> !flight.pending().server().isOf(host)).isEmpty())
                .min(Comparator.comparingLong(Flight::began))
                .map(flight -> new Oldest(flight.request().url(), Duration.ofNanos(now - flight.began())));
    }

    /** The hosts of exchanges that began at this time or before. */
    void longSince(long began, Consumer<HostQueue> action) {
        flights.values().stream().filter(flight -> flight.began() <= began)
                .forEach(flight -> action.accept(flight.host()));
    }

    /** The requests that are fetched now. */
    Stream<PendingRequest> fetched() {
        return flights.values().stream().filter(flight -> flight.sent().isPresent()).map(Flight::pending);
    }

    public void forEach(Consumer<PendingRequest> action) {
        flights.values().forEach(flight -> action.accept(flight.pending()));
    }
}
