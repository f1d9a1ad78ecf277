package io.trawl.testkit;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/**
 * The response of a path. Called on a new virtual thread for every request, so it may block; the exchange is closed
 * afterwards.
 */
@FunctionalInterface
public interface Behaviour {
    /** Answers one request; an exception breaks the connection. */
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
}
