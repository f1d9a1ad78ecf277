package io.trawl.bench.web;

/** What a web consists of. Called on the server's one thread for every request, in the order of arrival, so it must be quick. */
@FunctionalInterface
public interface Pages {
    /**
     * The answer to one request.
     *
     * @param host the number of the loopback address that was asked, see {@link Loopback}
     * @param path with the query
     */
    Answer answer(int host, String path);
}
