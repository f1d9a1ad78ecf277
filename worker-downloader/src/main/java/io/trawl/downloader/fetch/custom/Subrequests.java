package io.trawl.downloader.fetch.custom;

import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchFailedException;
import io.trawl.api.PageFetcher;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.RequestHeaders;
import io.trawl.downloader.fetch.http.AnswerCache;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/** The requests of one call of a {@link PageFetcher}, all to the server of its page, one after the other. */
final class Subrequests {
    private static final int MOST_REQUESTS = 100;
    private static final int MOST_BODIES = 4;
    private final FetchBounds bounds;
    private final AnswerCache cache;
    private final Request request;
    private final FetchProfile profile;
    private final BooleanSupplier over;
    private final HostKey server;
    private final PoliteExchanges exchanges;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final AtomicInteger sent = new AtomicInteger();
    private volatile boolean statusSeen;
    private int held;
    private boolean hostBusy;

    /** A request of the call without an answer. */
    static final class UnansweredException extends FetchFailedException {
        private static final long serialVersionUID = 1;
        private final transient FetchResult unanswered;

        UnansweredException(FetchResult unanswered, String message) {
            super(message);
            this.unanswered = unanswered;
        }

        /** What there is instead. */
        FetchResult unanswered() {
            return unanswered;
        }
    }

    /**
     * @param own the permit of these requests, with which they are cut
     * @param over whether the call is over: then nothing more is sent
     */
    Subrequests(FetchBounds bounds, AnswerCache cache, Request request, FetchProfile profile, FetchPermit own,
            BooleanSupplier over) {
        this.bounds = bounds;
        this.cache = cache;
        this.request = request;
        this.profile = profile;
        this.over = over;
        this.server = HostKeyFactory.of(request.url());
        this.exchanges = new PoliteExchanges(bounds, server, profile, own);
    }

    /** How many were sent. */
    int sent() {
        return sent.get();
    }

    /** Whether the status of an answer has arrived. */
    boolean statusSeen() {
        return statusSeen;
    }

    /** The answer for a URL. */
    FetchAnswer get(String url) throws IOException, RequestHeaders.ForbiddenHeader, InterruptedException {
        turn.lockInterruptibly();
        try {
            String target = admitted(url);
            if (!target.equals(request.url()) && !exchanges.allowed(target)) {
                throw new FetchFailedException("robots.txt forbids " + target, SubrequestRefusal.ROBOTS);
            }
            return answer(target, target.equals(request.url()) ? send(target, Map.of()) : cached(target));
        } finally {
            turn.unlock();
        }
    }

    /**
     * The same URL has the same answer for requests of a run that say the same of themselves, as far as the server lets
     * it.
     */
    private FetchResult cached(String target) throws IOException, RequestHeaders.ForbiddenHeader, InterruptedException {
        FetchOptions own = request.options();
        String owner = request.run() + " " + new TreeMap<>(own.headers()) + " " + own.cookie() + " " + own.proxy();
        return cache.get(owner, target, RequestHeaders.of(target, own, profile),
                conditions -> send(target, conditions));
    }

    private FetchResult send(String target, Map<String, String> conditions)
            throws FetchFailedException, InterruptedException {
        if (sent.get() == MOST_REQUESTS) {
            throw new FetchFailedException("a page sends " + MOST_REQUESTS + " requests at most",
                    SubrequestRefusal.LIMIT);
        }
        exchanges.awaitDelay();
        sent.incrementAndGet();
        return exchanges.exchange(request.forUrl(target).withOptions(request.options().with(conditions)));
    }

    /** The URL in normal form, if the call may ask for it. */
    private String admitted(String url) throws FetchFailedException {
        if (over.getAsBoolean()) {
            throw new FetchFailedException("the fetch is over");
        }
        if (hostBusy) {
            throw new FetchFailedException(server.value() + " asked for a pause");
        }
        if (!(UrlNormalizer.normalize(url) instanceof NormalUrl normal)
                || !HostKeyFactory.of(normal.text()).equals(server)) {
            throw new FetchFailedException(
                    "a page asks its own server only, " + server.value() + ", not " + UrlNormalizer.shown(url),
                    SubrequestRefusal.SERVER);
        }
        return normal.text();
    }

    private FetchAnswer answer(String target, FetchResult exchanged) throws FetchFailedException {
        statusSeen |= exchanged.statusSeen();
        hold(exchanged.body().length());
        return switch (exchanged.outcome()) {
            case Outcome.Success page -> answer(page.status(), exchanged, page.truncated());
            case Outcome.Redirect redirect -> answer(redirect.status(), exchanged, false);
            case Outcome.HttpError error -> {
                hostBusy |= error.status() == 429 || error.status() == 503;
                yield answer(error.status(), exchanged, false);
            }
            case Outcome.Failure failure -> throw new UnansweredException(exchanged, failure.cause());
            case Outcome.Refused refused -> throw new UnansweredException(exchanged, refused.cause());
            case Outcome.Unchanged _,Outcome.Duplicate _ ->
                throw new IllegalStateException("a fetch of " + target + " has no such outcome");
        };
    }

    private static FetchAnswer answer(int status, FetchResult exchanged, boolean truncated) {
        return new FetchAnswer(status, exchanged.headers(), exchanged.body().bytes(), truncated);
    }

    /** Nothing is held for threads that a plug-in has left behind. */
    private synchronized void hold(int bytes) throws FetchFailedException {
        if (over.getAsBoolean()) {
            throw new FetchFailedException("the fetch is over");
        }
        if (held + bytes > MOST_BODIES * (long) bounds.settings().bodyLimit()) {
            throw new FetchFailedException(
                    "the answers to a page's requests are longer than " + MOST_BODIES + " bodies",
                    SubrequestRefusal.LIMIT);
        }
        bounds.memory().hold(bytes);
        held += bytes;
    }

    /** Gives back the memory of what it has received; called when the plug-in has returned. */
    synchronized void release() {
        bounds.memory().release(held);
        held = 0;
    }
}
