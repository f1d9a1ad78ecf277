package io.trawl.downloader.generation;

import io.trawl.admission.HostKeyFactory;
import io.trawl.downloader.frontier.FrontierSettings.QueueKeys;
import io.trawl.model.HostKey;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Politeness by address: a server's key is the smallest address of its name when its first request was scanned, IPv4
 * before IPv6. A name without an address then, or without one that may be connected to, keeps {@code host:port}. The
 * first answer holds for as long as the name is in memory, even if the name moves: a server with two queues would be
 * asked twice as often. Thread-safe.
 */
final class AddressQueueKeys implements QueueKeys {
    /** Beyond this number the least recently used names are forgotten; each takes some 150 bytes. */
    private static final int NAMES = 200_000;
    /** The time limit for all new names of a batch; the consumer's group waits meanwhile. */
    private static final long LIMIT_SECONDS = 5;
    private static final Comparator<byte[]> NUMERIC = Comparator.<byte[]>comparingInt(a -> a.length)
            .thenComparing(Arrays::compareUnsigned);
    private final Function<String, CompletableFuture<List<InetAddress>>> lookUp;
    private final Map<String, Optional<HostKey>> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<HostKey>> eldest) {
            return size() > NAMES;
        }
    };

    /** @param lookUp starts to resolve a host; must not block */
    AddressQueueKeys(Function<String, CompletableFuture<List<InetAddress>>> lookUp) {
        this.lookUp = lookUp;
    }

    /** A name that was not learnt, as that of a record with a wrong key, is not learnt later either. */
    @Override
    public HostKey of(HostKey server) {
        return HostKeyFactory.name(server).flatMap(name -> settle(name, Optional.empty())).orElse(server);
    }

    @Override
    public void learn(Collection<HostKey> servers) {
        Map<String, CompletableFuture<List<InetAddress>>> asked = new HashMap<>();
        for (HostKey server : servers) {
            HostKeyFactory.name(server).filter(this::unknown).ifPresent(name -> asked.computeIfAbsent(name, lookUp));
        }
        if (!asked.isEmpty()) {
            await(asked.values());
            asked.forEach((name, addresses) -> settle(name, smallest(addresses)));
        }
    }

    private boolean unknown(String name) {
        synchronized (known) {
            return !known.containsKey(name);
        }
    }

    /** Returns the key that holds from now on: the one that was found first. */
    private Optional<HostKey> settle(String name, Optional<HostKey> found) {
        synchronized (known) {
            return known.computeIfAbsent(name, n -> found);
        }
    }

    private static void await(Collection<? extends CompletableFuture<?>> all) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Each future has its own state, which the caller checks.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The prefix has a slash, so it cannot be a host and port. */
    private static Optional<HostKey> smallest(CompletableFuture<List<InetAddress>> addresses) {
        return addresses.state() != CompletableFuture.State.SUCCESS
                ? Optional.empty()
                : addresses.resultNow().stream().min(Comparator.comparing(InetAddress::getAddress, NUMERIC))
                        .map(address -> new HostKey("ip/" + address.getHostAddress()));
    }
}
