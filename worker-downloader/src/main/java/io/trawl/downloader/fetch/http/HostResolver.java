package io.trawl.downloader.fetch.http;

import static java.util.Objects.requireNonNull;

import io.trawl.downloader.fetch.http.AddressGuard.AddressRefused;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.name.NameService.NameAnswer;
import io.trawl.downloader.fetch.name.UnknownNameException;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.jspecify.annotations.Nullable;

/**
 * Keeps names with those of their addresses that passed the {@link AddressGuard}, for as long as they count. It is also
 * the only resolver of the HTTP client, so connections only go to checked addresses. The client resolves in threads
 * that must not block, so a name is {@link #prepare prepared} first. Thread-safe.
 */
final class HostResolver implements DnsResolver, AutoCloseable {
    /** How much longer a turn may use a name that was known when it was prepared. */
    private static final Duration STALE = Duration.ofMinutes(10);
    private static final Duration STALE_FAILURE = Duration.ofMinutes(1);
    /** How long a failure counts that is the fault of no name. */
    private static final Duration FAILURE_KEPT = Duration.ofSeconds(10);
    private static final int HOSTS = 50_000;
    /** The client tries one after the other. A name server may send thousands. */
    private static final int ADDRESSES = 16;
    /** How long the client waits for a name that was not prepared. */
    private static final long LATE_SECONDS = 5;

    /** A name that is known, or is looked up. */
    private static final class KnownName {
        private final CompletableFuture<List<InetAddress>> addresses = new CompletableFuture<>();
        /** Until when they count, once they are known. */
        private volatile long until;
        /** What the client may use until they are known. */
        private volatile @Nullable KnownName before;

        private KnownName usable() {
            KnownName last = before;
            return addresses.isDone() || last == null ? this : last;
        }
    }

    private final AddressGuard guard;
    private final NameService names;
    private final Time time;
    private final Map<String, KnownName> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, KnownName> eldest) {
            return size() > HOSTS;
        }
    };

    /** @param names is closed with this */
    HostResolver(AddressGuard guard, NameService names, Time time) {
        this.guard = guard;
        this.names = names;
        this.time = time;
    }

    /**
     * Looks up a name or an address literal; concurrent callers share one lookup. The future is already complete if the
     * name is known. It fails with {@link UnknownHostException}, or {@link AddressRefused} if the guard refuses all
     * addresses.
     */
    CompletableFuture<List<InetAddress>> prepare(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (isLiteral(name)) {
            return literal(name);
        }
        KnownName fresh = new KnownName();
        synchronized (known) {
            KnownName before = known.get(name);
            if (before != null && (!before.addresses.isDone() || time.nanos() - before.until < 0)) {
                return before.addresses;
            }
            fresh.before = before;
            known.put(name, fresh);
        }
        names.find(name).whenComplete((answer, failure) -> complete(name, fresh, answer, failure));
        return fresh.addresses;
    }

    /**
     * As {@link #prepare}, in the turn of a host: what counted when the turn was prepared counts still, for as long as
     * a host may wait for its part of the slots.
     */
    CompletableFuture<List<InetAddress>> inTurn(String host) {
        Optional<KnownName> before = usable(host);
        return before.isPresent() ? before.get().addresses : prepare(host);
    }

    /** What was known of a name within the last minutes. */
    private Optional<KnownName> usable(String host) {
        synchronized (known) {
            return Optional.ofNullable(known.get(host.toLowerCase(Locale.ROOT))).map(KnownName::usable)
                    .filter(of -> of.addresses.isDone() && time.nanos() - of.until
                            - (of.addresses.isCompletedExceptionally() ? STALE_FAILURE : STALE).toNanos() < 0);
        }
    }

    /**
     * Whether {@link #prepare} would be complete at once: an address, or a name with an answer that still counts,
     * whatever it is. Never blocks.
     */
    boolean isKnown(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (isLiteral(name)) {
            return true;
        }
        synchronized (known) {
            KnownName of = known.get(name);
            return of != null && of.addresses.isDone() && time.nanos() - of.until < 0;
        }
    }

    /** Whether a host is an address, and no name. */
    static boolean isLiteral(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.');
    }

    private CompletableFuture<List<InetAddress>> literal(String host) {
        try {
            return CompletableFuture.completedFuture(guard.admitted(host, List.of(InetAddress.ofLiteral(host))));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(new UnknownHostException(host));
        } catch (AddressRefused e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** What is known counts from now on. Among more names than are kept, this one may have been forgotten meanwhile. */
    private void complete(String name, KnownName found, @Nullable NameAnswer answer, @Nullable Throwable failure) {
        if (answer == null) {
            keep(name, found, failure instanceof UnknownNameException unknown ? unknown.kept() : FAILURE_KEPT);
            found.addresses.completeExceptionally(requireNonNull(failure));
            return;
        }
        keep(name, found, answer.kept());
        try {
            found.addresses.complete(guard.admitted(name, answer.addresses()).stream().limit(ADDRESSES).toList());
        } catch (AddressRefused e) {
            found.addresses.completeExceptionally(e);
        }
    }

    private void keep(String name, KnownName found, Duration kept) {
        found.until = time.nanos() + kept.toNanos();
        found.before = null;
        synchronized (known) {
            known.put(name, found);
        }
    }

    /**
     * The addresses that the client connects to. Blocks, for some seconds at most, only if the name was not prepared
     * within the last minutes; never returns an unchecked address.
     */
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        try {
            return inTurn(host).get(LATE_SECONDS, TimeUnit.SECONDS).toArray(InetAddress[]::new);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof UnknownHostException unknown ? unknown : new UnknownHostException(host);
        } catch (TimeoutException e) {
            throw new UnknownHostException(host);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnknownHostException(host);
        }
    }

    @Override
    public String resolveCanonicalHostname(String host) {
        return host;
    }

    @Override
    public void close() {
        names.close();
    }
}
