package io.trawl.worker;

/**
 * The HTTP endpoint at a module's address. It is bound when it is made, since the port is part of the MID, and answers 503 until it is told what to
 * serve.
 */
public interface Endpoint extends AutoCloseable {
    /** The port that it listens on. */
    int port();

    /** Serves these pages from now on. */
    void serve(ModulePages pages);

    @Override
    void close();
}
