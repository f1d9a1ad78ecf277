package io.trawl.downloader.fetch;

import io.trawl.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Caches names with their addresses that passed the {@link AddressGuard}. It is also the only resolver of the HTTP
 * client, so connections only go to checked addresses. The client resolves in threads that must not block, so a name is
 * {@link #prepare prepared} first. Lookups run on a few platform threads, not on virtual ones: they block in a native
 * call, and two dead name servers would block every virtual thread of a machine with two cores.
 */
final class HostResolver implements DnsResolver, AutoCloseable {
    private static final Duration KEPT = Duration.ofMinutes(5);
    /** How much longer the client may use a prepared name: longer than any fetch takes from preparing to connecting. */
    private static final Duration KEPT_FOR_CLIENT = KEPT.plusMinutes(10);
    private static final Duration FAILURE_KEPT = Duration.ofSeconds(10);
    private static final int HOSTS = 50_000;
    private static final int THREADS = 32;
    /** The client tries one after the other. A name server may send thousands. */
    private static final int ADDRESSES = 16;

    /** A name service: the system's, or that of a test. */
    interface Names {
        InetAddress[] allOf(String host) throws UnknownHostException;
    }

    /** @param since when the lookup began, from which all times count */
    private record Known(CompletableFuture<List<InetAddress>> addresses, long since) {}

    private final AddressGuard guard;
    private final Names names;
    private final Time time;
    private final ExecutorService lookups = Executors.newFixedThreadPool(THREADS,
            Thread.ofPlatform().daemon().name("names-", 0).factory());
    private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > HOSTS;
        }
    };

    HostResolver(AddressGuard guard, Names names, Time time) {
        this.guard = guard;
        this.names = names;
        this.time = time;
    }

    /**
     * Looks up a name or an address literal; concurrent callers share one lookup. The future is already complete if the
     * name is known. It fails with {@link UnknownHostException}, or {@link AddressGuard.AddressRefused} if the guard
     * refuses all addresses.
     */
    CompletableFuture<List<InetAddress>> prepare(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        CompletableFuture<List<InetAddress>> fresh;
        synchronized (known) {
            Known entry = known.get(name);
            if (entry != null && isFresh(entry)) {
                return entry.addresses;
            }
            fresh = new CompletableFuture<>();
            known.put(name, new Known(fresh, time.nanos()));
        }
        try {
            lookups.execute(() -> complete(name, fresh));
        } catch (RejectedExecutionException e) {
            fresh.completeExceptionally(new UnknownHostException("the downloader is closing"));
        }
        return fresh;
    }

    private boolean isFresh(Known entry) {
        boolean failed = entry.addresses.isCompletedExceptionally();
        return !entry.addresses.isDone() || age(entry).compareTo(failed ? FAILURE_KEPT : KEPT) < 0;
    }

    private Duration age(Known entry) {
        return Duration.ofNanos(time.nanos() - entry.since);
    }

    private void complete(String name, CompletableFuture<List<InetAddress>> result) {
        try {
            result.complete(lookUp(name));
        } catch (UnknownHostException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private List<InetAddress> lookUp(String name) throws UnknownHostException {
        InetAddress[] addresses = names.allOf(name);
        if (addresses.length == 0) {
            throw new UnknownHostException(name);
        }
        return guard.admitted(name, List.of(addresses)).stream().limit(ADDRESSES).toList();
    }

    /**
     * The addresses that the client connects to. Blocks only if the name was not prepared within the last minutes;
     * never returns an unchecked address.
     */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        String name = host.toLowerCase(Locale.ROOT);
        Known entry;
        synchronized (known) {
            entry = known.get(name);
        }
        List<InetAddress> addresses;
        if (entry != null && entry.addresses.isDone() && age(entry).compareTo(KEPT_FOR_CLIENT) < 0) {
            try {
                addresses = entry.addresses.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof UnknownHostException unknown ? unknown : new UnknownHostException(host);
            }
        } else {
            addresses = lookUp(name);
        }
        return addresses.toArray(InetAddress[]::new);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }
}
