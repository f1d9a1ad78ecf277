package io.trawl.downloader.fetch.custom;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.politeness.Politeness.RequestedDelays;
import io.trawl.downloader.politeness.RobotsRules;
import io.trawl.downloader.politeness.RobotsSource.LoadedRobots;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.scope.MediaTypeRules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Exchanges with one server in the turn of one page: between two of them is the pause of the host, and robots.txt can
 * be asked. A thread that is interrupted leaves nothing in flight. For one thread at a time.
 */
public final class PoliteExchanges {
    private final FetchBounds bounds;
    private final HostKey server;
    private final FetchProfile profile;
    private final FetchPermit own;
    private Optional<EndedExchange> last = Optional.empty();
    private OptionalLong opensAt = OptionalLong.empty();

    /** When an exchange ended, and how long it took. */
    private record EndedExchange(long at, Duration took) {}

    /** @param own the permit of these exchanges, with which they are cut */
    public PoliteExchanges(FetchBounds bounds, HostKey server, FetchProfile profile, FetchPermit own) {
        this.bounds = bounds;
        this.server = server;
        this.profile = profile;
        this.own = own;
    }

    /** Whether robots.txt allows a URL of the server. */
    public boolean allowed(String target) throws InterruptedException {
        if (profile.ignoresRobots(server)) {
            return true;
        }
        Optional<RobotsRules> cached = bounds.robots().cached(server, profile.userAgent());
        RobotsRules known = cached.isPresent() ? cached.orElseThrow() : robots(target);
        return await(bounds.robots().check(known, List.of(target))).getFirst() == RobotsVerdict.ALLOWED;
    }

    /** Usually a turn of the frontier has loaded them; if they are gone since, they are loaded here. */
    private RobotsRules robots(String target) throws InterruptedException {
        awaitDelay();
        LoadedRobots loaded = await(
                bounds.robots().load(server, target.substring(0, target.indexOf(':')), profile, own));
        if (loaded.hostAsked()) {
            ended(Duration.ZERO);
        }
        leaveAlone(Optional.of(loaded.rules()));
        return loaded.rules();
    }

    /** Waits until the server may be asked again. */
    public void awaitDelay() throws InterruptedException {
        if (opensAt.isPresent()) {
            for (long left = left(); left > 0; left = left()) {
                bounds.time().pause(Duration.ofNanos(left));
            }
        }
    }

    private long left() {
        return opensAt.orElseThrow() - bounds.time().nanos();
    }

    private void ended(Duration took) {
        last = Optional.of(new EndedExchange(bounds.time().nanos(), took));
    }

    /** The pause after the last exchange begins at its end, also if the rules that prolong it are loaded later. */
    private void leaveAlone(Optional<RobotsRules> rules) {
        RequestedDelays delays = new RequestedDelays(profile.delay(), rules.flatMap(RobotsRules::crawlDelay),
                Optional.empty());
        last.ifPresent(exchange -> opensAt = OptionalLong
                .of(exchange.at() + bounds.politeness().pause(delays, exchange.took().toNanos())));
    }

    /**
     * Sends a request after the pause. What a page needs besides itself may have any type; of the page itself the type
     * is judged at the end.
     */
    public FetchResult exchange(Request request) throws InterruptedException {
        awaitDelay();
        FetchResult exchanged = await(bounds.http().fetch(request, profile.withMediaTypes(MediaTypeRules.ALL), own));
        ended(exchanged.took());
        leaveAlone(bounds.robots().cached(server, profile.userAgent()));
        return exchanged;
    }

    private <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            bounds.http().cut(own);
            throw e;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
