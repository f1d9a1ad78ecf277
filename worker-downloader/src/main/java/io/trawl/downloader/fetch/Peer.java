package io.trawl.downloader.fetch;

import java.util.Optional;

/**
 * Whom an exchange is with, for people.
 *
 * @param target {@code host} or {@code host:port}
 * @param proxy the same of the proxy between, if there is one
 * @param tls whether the target is spoken to by TLS: then a proxy only makes a tunnel
 */
record Peer(String target, Optional<String> proxy, boolean tls) {
    @Override
    public String toString() {
        return target + proxy.map(p -> " by the proxy " + p).orElse("");
    }
}
