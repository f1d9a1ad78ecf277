package io.trawl.embedded;

/** A port that was asked for is in use by another program. */
public final class PortTaken extends EmbeddedFailure {
    private final int port;

    PortTaken(String server, int port) {
        super("port " + port + " for " + server + " is taken by another program: choose another one");
        this.port = port;
    }

    /** The port that was asked for. */
    public int port() {
        return port;
    }
}
