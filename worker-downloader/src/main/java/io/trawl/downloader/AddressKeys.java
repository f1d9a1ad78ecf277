package io.trawl.downloader;

import io.trawl.admission.HostKeys;
import io.trawl.downloader.frontier.QueueKeys;
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
 * Politeness by address: a server's key is the smallest address that its name had when its first request was scanned, IPv4 before IPv6. A name that had
 * none by then, or none that may be connected to, keeps {@code host:port}. The first answer holds for as long as the name is remembered, also when the
 * name moves: a server with two queues would be asked twice as often. Thread-safe.
 */
final class AddressKeys implements QueueKeys {
    /** Of more names those that were not met for longest are forgotten: some 150 bytes each. */
    private static final int NAMES = 200_000;
    /** How long all new names of a batch may take; the consumer's group waits meanwhile. */
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

    /** @param lookUp begins to find the addresses of a host; must not block */
    AddressKeys(Function<String, CompletableFuture<List<InetAddress>>> lookUp) {
        this.lookUp = lookUp;
    }

    /** A name that was not learnt, as that of a record with a wrong key, is not learnt later either. */
    @Override
    public HostKey of(HostKey server) {
        return HostKeys.name(server).flatMap(name -> settle(name, Optional.empty())).orElse(server);
    }

    @Override
    public void learn(Collection<HostKey> servers) {
        Map<String, CompletableFuture<List<InetAddress>>> asked = new HashMap<>();
        for (HostKey server : servers) {
            HostKeys.name(server).filter(this::unknown).ifPresent(name -> asked.computeIfAbsent(name, lookUp));
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

    /** What holds from now on: what was found first. */
    private Optional<HostKey> settle(String name, Optional<HostKey> found) {
        synchronized (known) {
            return known.computeIfAbsent(name, n -> found);
        }
    }

    private static void await(Collection<? extends CompletableFuture<?>> all) {
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // Each says for itself whether it has come to something.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A slash stands in no host and port. */
    private static Optional<HostKey> smallest(CompletableFuture<List<InetAddress>> addresses) {
        return addresses.state() != CompletableFuture.State.SUCCESS
                ? Optional.empty()
                : addresses.resultNow().stream().min(Comparator.comparing(InetAddress::getAddress, NUMERIC))
                        .map(address -> new HostKey("ip/" + address.getHostAddress()));
    }
}
