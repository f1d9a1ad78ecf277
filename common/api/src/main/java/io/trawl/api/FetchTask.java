package io.trawl.api;

import java.time.Duration;
import java.util.Map;

/**
 * One GET whose turn it is, and the way to send it. What {@link #get} sends is bound by all that binds the built-in
 * fetcher. Thread-safe; valid until {@link PageFetcher#fetch} has returned.
 */
public interface FetchTask {
    /** {@return the normalized URL to fetch} */
    String url();

    /** {@return the name of the crawl} */
    String crawl();

    /** {@return the metadata of the seed that led to this request} */
    Map<String, String> metadata();

    /**
     * {@return the headers of the request, as {@link #get} sends them: the user agent of the crawl, and the headers and
     * the cookie of the seed}
     */
    Map<String, String> headers();

    /** {@return how many bytes of a body are kept; a longer one is cut} */
    int bodyLimit();

    /** {@return how much of the total time-out is left; zero when it is over} */
    Duration remaining();

    /** {@return how many requests this call has sent} */
    int requests();

    /**
     * Sends one GET and waits for its answer. It does not follow redirects. A call sends one request at a time, and the
     * next one after the delay of the host. What an earlier request of the run has got from the same URL, other than
     * {@link #url()}, is used again without a request, if the server lets it be kept (RFC 9111). It asks only the
     * server of {@link #url()}, since the turns of other servers may belong to other downloaders, and it heeds
     * robots.txt, the address guard, and the limits of time, headers and body. One call sends a hundred requests at
     * most, and receives four times the limit of a body.
     *
     * @param url absolute, of the server of {@link #url()}
     * @return the answer; only that of a page has a body
     * @throws FetchFailedException if there is no answer, or the request may not be sent
     * @throws InterruptedException if the time-out is over, or the host has moved to another downloader
     */
    FetchAnswer get(String url) throws FetchFailedException, InterruptedException;
}
