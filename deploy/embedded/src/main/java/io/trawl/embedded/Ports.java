package io.trawl.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports that stay the same from run to run, kept in a file. They are taken from below the range from which systems give client sockets
 * their ports: a client that keeps connecting to a stopped server in that range can end up connected to itself, and then the server cannot come back.
 */
final class Ports {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private final Notes notes;

    Ports(Path file) {
        this.notes = new Notes(file);
    }

    /**
     * A port that can be listened on now.
     *
     * @param name whose port it is
     * @param wanted the port to use, or 0 for the one of the last run, or any free one if that is taken
     * @throws PortTaken if the wanted port is taken
     */
    int take(String name, int wanted) {
        if (wanted != 0) {
            if (!free(wanted)) {
                throw new PortTaken(name, wanted);
            }
            // Not looked at again: what takes it from here on must be an error, not another port.
            notes.put(name, Integer.toString(wanted));
            return wanted;
        }
        int port = known(name);
        while (port == 0 || !free(port)) {
            port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        }
        notes.put(name, Integer.toString(port));
        return port;
    }

    /** The port of the last run, or 0. */
    int known(String name) {
        return notes.get(name).map(Integer::parseInt).orElse(0);
    }

    private static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
