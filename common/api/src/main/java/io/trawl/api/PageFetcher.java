package io.trawl.api;

/**
 * A way to fetch pages, which a crawl ({@code fetch.fetcher}) or a seed ({@code fetcher}) chooses by its name. The jar
 * of a fetcher names its class in {@code META-INF/services/io.trawl.api.PageFetcher}; the class has a public
 * constructor without arguments. One instance serves all requests of a downloader, so it must be thread-safe.
 *
 * <p>
 * It fetches by GET only: a request with another method that names it fails.
 *
 * <p>
 * The downloader calls it in the turn of the host, after the delay, when robots.txt permits the URL. It should use
 * {@link FetchTask#get} for all that it sends. A fetcher that opens connections of its own has the rights of the
 * process: no address guard, delay or limit binds them.
 */
public interface PageFetcher extends AutoCloseable {
    /**
     * {@return the name by which crawls and seeds choose it; unique, of {@code a-z 0-9 -}, not
     * {@code http}, which is the built-in one}
     */
    String name();

    /**
     * {@return how many calls may run at the same time; further ones wait, without time-out. By default as many as the
     * downloader fetches}
     */
    default int concurrency() {
        return Integer.MAX_VALUE;
    }

    /**
     * Fetches one page, on a virtual thread of its own. When the total time-out is over the request has failed, and the
     * thread is interrupted; the call should return soon after that. A call that does not return keeps its place among
     * the {@link #concurrency()}.
     *
     * @param task the request
     * @return its answer; a body beyond the limit is cut
     * @throws Exception if there is none: a time-out ({@link java.util.concurrent.TimeoutException},
     * {@link java.net.SocketTimeoutException}) fails as {@code TIMEOUT}, another {@link java.io.IOException} as
     * {@code CONNECT}, a {@link FetchFailedException} of the task as it would without this fetcher, and anything else
     * as {@code OTHER}, which is not retried
     */
    FetchAnswer fetch(FetchTask task) throws Exception;

    /** Ends what the fetcher has started. Called once, when the downloader stops. */
    @Override
    default void close() {}
}
