package io.trawl.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that cannot choose one themselves, or must have the same one after a restart. */
public final class FreePort {
    private FreePort() {}

    /**
     * A port that nothing listens on, from 12,000 to 19,999. Systems give connections larger ports: otherwise a
     * connection of another process could take it before the server does, and a client that waits for the server could
     * connect to itself. The port of a Redis node's cluster bus, 10,000 above, is below those of connections, too.
     */
    public static int find() {
        while (true) {
            try (ServerSocket socket = new ServerSocket(ThreadLocalRandom.current().nextInt(12_000, 20_000))) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // In use: try another one.
            }
        }
    }
}
