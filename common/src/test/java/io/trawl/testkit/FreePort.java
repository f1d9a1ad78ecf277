package io.trawl.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for servers that cannot choose one themselves, or must have the same one after a restart. */
public final class FreePort {
    private static final int LOWEST = 12_000;
    /** Each JVM of the pool of tests has ports of its own: a server may begin to listen seconds after it got one. */
    private static final int OF_A_JVM = 1_000;
    private static final int JVMS = 8;
    private static final AtomicInteger NEXT = new AtomicInteger(ThreadLocalRandom.current().nextInt(OF_A_JVM));

    private FreePort() {}

    /**
     * A port that nothing listens on, from 12,000 to 19,999, and that this JVM was not given lately. Systems give
     * connections larger ports: otherwise a connection of another process could take it before the server does, and a
     * client that waits for the server could connect to itself. The port of a Redis node's cluster bus, 10,000 above,
     * is below those of connections, too.
     */
    public static int find() {
        int lowest = LOWEST + Integer.getInteger("trawl.test.fork", 0) % JVMS * OF_A_JVM;
        while (true) {
            try (ServerSocket socket = new ServerSocket(lowest + NEXT.getAndIncrement() % OF_A_JVM)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // In use: try another one.
            }
        }
    }
}
