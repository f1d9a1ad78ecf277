package io.trawl.downloader.fetch.name;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Asks the resolver of the system for the names that name servers do not know: those of {@code /etc/hosts}, names
 * without a dot, as those of containers, and those in {@code localhost} (RFC 6761) and {@code local} (RFC 6762). Nobody
 * is asked for names in {@code invalid} (RFC 6761). Where no name server is known, it asks the system for all.
 * Thread-safe.
 *
 * @param hosts the names of {@code /etc/hosts}
 * @param servers those that {@code others} asks
 */
record LocalNames(Supplier<Set<String>> hosts, NameService system, Supplier<List<InetSocketAddress>> servers,
        NameService others) implements NameService {
    @Override
    public CompletableFuture<NameAnswer> find(String name) {
        if (name.endsWith(".invalid")) {
            return CompletableFuture
                    .failedFuture(new UnknownNameException("names in invalid have none", DnsNames.NEGATIVE));
        }
        return isLocal(name) || servers.get().isEmpty() ? system.find(name) : others.find(name);
    }

    private boolean isLocal(String name) {
        return name.indexOf('.') < 0 || name.endsWith(".localhost") || name.endsWith(".local")
                || hosts.get().contains(name);
    }

    @Override
    public void close() {
        others.close();
        system.close();
    }
}
