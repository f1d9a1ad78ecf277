package io.trawl.downloader.fetch.name;

import io.trawl.settings.NameServerAddress;
import io.trawl.settings.Settings;
import io.trawl.telemetry.Outage;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Finds the addresses of names. Thread-safe. */
@FunctionalInterface
public interface NameService extends AutoCloseable {
    /**
     * The addresses of a name.
     *
     * @param addresses in the order in which they are tried; at least one
     * @param kept how long they count
     */
    record NameAnswer(List<InetAddress> addresses, Duration kept) {
        /** Copies the list. */
        public NameAnswer {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * Begins to look up a name in lower case, which is no address; never blocks. The future fails with
     * {@link UnknownNameException} if the name has no address. While no name server answers anything, it waits.
     */
    CompletableFuture<NameAnswer> find(String name);

    /** Ends; look-ups under way fail. */
    @Override
    default void close() {}

    /** The resolver of the system. */
    static NameService system() {
        return new SystemNames(InetAddress::getAllByName);
    }

    /**
     * The name service of a process, by its settings.
     *
     * @param outage begins when no name server answers, and ends when one does
     */
    static NameService open(Settings.DownloaderSettings settings, Outage outage, Time time) {
        NameService system = system();
        List<String> listed = settings.nameServers().orElse(List.of());
        if (listed.contains(NameServerAddress.SYSTEM)) {
            return system;
        }
        List<InetSocketAddress> given = listed.stream().map(NameServerAddress::of).toList();
        Supplier<List<InetSocketAddress>> servers = given.isEmpty() ? SystemFiles.nameServers() : () -> given;
        return new LocalNames(SystemFiles.hosts(), system, servers, new DnsNames(servers, outage, time));
    }
}
