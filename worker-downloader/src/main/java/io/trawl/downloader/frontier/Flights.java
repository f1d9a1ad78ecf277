package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.Pending.UrlKey;
import io.trawl.model.Request;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The exchanges that are under way, each with its slot: fetches, and robots.txt in the turn of a request. Belongs to the frontier's thread. */
final class Flights {
    private final Map<Long, Flight> flights = new HashMap<>();
    private final SlotPool slots;
    private final Dealing dealing;

    /** @param request as it was sent: at the depth known then */
    record Flight(Pending pending, Request request, HostQueue host, Slot slot, long began) {}

    Flights(int concurrency, Dealing dealing) {
        this.slots = new SlotPool(concurrency);
        this.dealing = dealing;
    }

    SlotPool slots() {
        return slots;
    }

    /** Only while a slot is available. */
    void takeOff(long ticket, HostQueue host, Pending p, Request request, long now) {
        flights.put(ticket, new Flight(p, request, host, slots.take().orElseThrow(), now));
        host.begins();
        dealing.begins(p.run().crawl());
    }

    Flight find(long ticket) {
        Flight flight = flights.get(ticket);
        if (flight == null) {
            throw new IllegalArgumentException("no flight " + ticket);
        }
        return flight;
    }

    /** @param took how long the exchange took, in nanoseconds */
    Flight land(long ticket, long took, long now) {
        Flight flight = find(ticket);
        flights.remove(ticket);
        slots.giveBack(flight.slot());
        flight.host().ends();
        flight.host().pace().ended(now, took);
        dealing.ends(flight.pending().run().crawl());
        return flight;
    }

    /** Whether one is under way for a request of this partition. */
    boolean any(int partition) {
        return flights.values().stream().anyMatch(flight -> flight.pending().partition() == partition);
    }

    /** The one of a URL. */
    Optional<Flight> of(UrlKey url) {
        return flights.values().stream().filter(flight -> flight.pending().url().equals(url)).findFirst();
    }

    void forEach(Consumer<Pending> action) {
        flights.values().forEach(flight -> action.accept(flight.pending()));
    }
}
