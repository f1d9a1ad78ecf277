package io.trawl.testkit;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** How a path answers. Called on a virtual thread of its own for every request, so it may block; the exchange is closed afterwards. */
@FunctionalInterface
public interface Behaviour {
    /** Answers one request; whatever it throws breaks the connection. */
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
}
