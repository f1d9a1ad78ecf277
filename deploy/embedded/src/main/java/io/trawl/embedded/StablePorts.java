package io.trawl.embedded;

import io.trawl.embedded.EmbeddedServerException.PortTakenException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Loopback ports that stay the same across runs, recorded in a file. They lie below the ephemeral port range: a client
 * that keeps connecting to a stopped server in that range can connect to itself, and then the server cannot restart.
 */
final class StablePorts {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private final PropertiesFile propertiesFile;

    StablePorts(Path file) {
        this.propertiesFile = new PropertiesFile(file);
    }

    /**
     * A port that is free now.
     *
     * @param name the server's name
     * @param wanted the port to use, or 0 for the port of the last run, or any free one if that is in use
     * @throws PortTakenException if the wanted port is in use
     */
    int take(String name, int wanted) {
        if (wanted != 0) {
            if (!free(wanted)) {
                throw new PortTakenException(name, wanted);
            }
            // If another program takes the port after this check, the server must fail and not move to another port.
            propertiesFile.put(name, Integer.toString(wanted));
            return wanted;
        }
        int port = known(name);
        while (port == 0 || !free(port)) {
            port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
        }
        propertiesFile.put(name, Integer.toString(port));
        return port;
    }

    /** The port of the last run, or 0. */
    int known(String name) {
        return propertiesFile.get(name).map(Integer::parseInt).orElse(0);
    }

    /** Whether a server could listen on the port now. */
    static boolean free(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
