package io.trawl.testkit.web;

/**
 * The contents of a web. The server calls it on its single thread for every request, in the order of arrival, so it
 * must be fast.
 */
@FunctionalInterface
public interface WebPages {
    /**
     * The response to one request.
     *
     * @param host the number of the requested loopback address, see {@link Loopback}
     * @param path the path with the query
     */
    WebResponse answer(int host, String path);
}
