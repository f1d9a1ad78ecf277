package io.trawl.standalone.client;

import io.trawl.http.HttpCaller;
import io.trawl.standalone.client.Api.Server;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to the first coordinator that can be reached, and stays with it until it cannot be reached any more. No
 * call is sent twice. Thread-safe.
 */
final class FailoverCaller implements AutoCloseable {
    private final Iterator<Server> others;
    private final HttpCaller http = new HttpCaller(Long.MAX_VALUE);
    private @Nullable Server chosen;

    /** @param candidates at least one, the best first */
    FailoverCaller(Iterator<Server> candidates) {
        this.others = candidates;
    }

    /** A call, as it is sent to a server. */
    interface Call {
        HttpRequest.Builder at(Server server);
    }

    /** A server has taken a call, and closed it without a whole answer. */
    static final class BrokenOffException extends CoordinatorUnavailableException {
        BrokenOffException(String message) {
            super(message);
        }
    }

    /** @throws BrokenOffException if the call may have been carried out, but has no whole answer */
    <T> HttpResponse<T> send(Call call, BodyHandler<T> handler) throws InterruptedException {
        while (true) {
            Server server = server();
            try {
                return http.send(call.at(server).build(), handler);
            } catch (ConnectException | HttpConnectTimeoutException e) {
                // Nothing was sent, so any call may go to another coordinator.
                if (!another(server)) {
                    throw new CoordinatorUnavailableException("no coordinator answers at " + server.base());
                }
            } catch (IOException e) {
                throw new BrokenOffException("the coordinator at " + server.base() + " broke off: " + e.getMessage());
            }
        }
    }

    /** The server that is called. */
    synchronized Server server() {
        if (chosen == null) {
            chosen = others.next();
        }
        return chosen;
    }

    private synchronized boolean another(Server unreachable) {
        if (unreachable.equals(chosen) && others.hasNext()) {
            chosen = others.next();
        }
        return !unreachable.equals(chosen);
    }

    @Override
    public void close() {
        http.close();
    }
}
