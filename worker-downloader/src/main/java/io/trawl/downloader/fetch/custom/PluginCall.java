package io.trawl.downloader.fetch.custom;

import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchFailedException;
import io.trawl.api.FetchTask;
import io.trawl.api.PageFetcher;
import io.trawl.api.render.PageNotReadyException;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.RequestHeaders;
import io.trawl.downloader.fetch.http.AnswerCache;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call of a {@link PageFetcher}. The first result wins; from then on nothing more is sent, and what is in flight is
 * cut, so that the host's next turn does not overlap with this one.
 */
final class PluginCall implements FetchTask {
    private static final int MOST_REQUESTS = 100;
    private static final int MOST_BODIES = 4;
    /** The limit of all headers together, as of the built-in fetcher. */
    private static final int HEADERS = 128 * 1024;
    private static final int LONGEST_MESSAGE = 300;

    private final PageFetcher plugin;
    private final FetchBounds bounds;
    private final AnswerCache cache;
    private final Request request;
    private final FetchProfile profile;
    private final FetchPermit fetchPermit;
    private final HostKey server;
    /** Its own object, so that only the requests of this call are cut with it. */
    private final FetchPermit own = this::mayGoOn;
    private final CompletableFuture<FetchResult> result = new CompletableFuture<>();
    private final ReentrantLock turn = new ReentrantLock(true);
    private final AtomicBoolean over = new AtomicBoolean();
    private final PoliteExchanges exchanges;
    private volatile Optional<Thread> running = Optional.empty();
    private volatile Map<String, String> headers = Map.of();
    private volatile long began;
    private volatile boolean statusSeen;
    private final AtomicInteger sent = new AtomicInteger();
    private int held;
    private boolean hostBusy;

    /** A request of the call without an answer. */
    private static final class UnansweredException extends FetchFailedException {
        private static final long serialVersionUID = 1;
        private final transient FetchResult unanswered;

        UnansweredException(FetchResult unanswered, String message) {
            super(message);
            this.unanswered = unanswered;
        }
    }

    PluginCall(PageFetcher plugin, FetchBounds bounds, AnswerCache cache, Request request, FetchProfile profile,
            FetchPermit fetchPermit) {
        this.plugin = plugin;
        this.bounds = bounds;
        this.cache = cache;
        this.request = request;
        this.profile = profile;
        this.fetchPermit = fetchPermit;
        this.server = HostKeyFactory.of(request.url());
        this.began = bounds.time().nanos();
        this.exchanges = new PoliteExchanges(bounds, server, profile, own);
    }

    /** Never completes exceptionally. */
    CompletableFuture<FetchResult> result() {
        return result;
    }

    boolean isOver() { return over.get(); }

    /** Whether it began under this permit. */
    boolean under(FetchPermit which) {
        return fetchPermit == which;
    }

    private boolean mayGoOn() {
        return !over.get() && fetchPermit.holds();
    }

    /** Starts the plug-in on a thread of its own, which ends soon after the call is over. */
    Thread begin() {
        began = bounds.time().nanos();
        Thread thread = Thread.ofVirtual().name("fetch-" + plugin.name()).unstarted(this::run);
        running = Optional.of(thread);
        thread.start();
        if (over.get()) {
            thread.interrupt();
        }
        return thread;
    }

    private void run() {
        if (!mayGoOn()) {
            withdraw();
            return;
        }
        try {
            headers = RequestHeaders.of(request.url(), request.options(), profile);
            end(answered(plugin.fetch(this)));
        } catch (RequestHeaders.ForbiddenHeader e) {
            fail(FailureReason.OTHER, String.valueOf(e.getMessage()));
        } catch (UnansweredException e) {
            FetchResult unanswered = e.unanswered;
            end(unanswered.withdrawn()
                    ? FetchResult.withdrawn(took(), bounds.time().now())
                    : without(unanswered.outcome()));
        } catch (PageNotReadyException e) {
            end(without(new Outcome.Failure(FailureReason.TIMEOUT, message(e))).withRender(Optional.of(e.rendering())));
        } catch (TimeoutException | SocketTimeoutException e) {
            fail(FailureReason.TIMEOUT, message(e));
        } catch (IOException e) {
            fail(e instanceof FetchFailedException ? FailureReason.OTHER : FailureReason.CONNECT, message(e));
        } catch (Throwable e) {
            // A plug-in may throw anything, and a library of it may be missing: only this request is lost.
            fail(FailureReason.OTHER, message(e));
        }
    }

    /** The longest time of the call. */
    Duration limit() {
        return profile.timeouts().total(bounds.settings().totalTimeout());
    }

    private String message(Throwable e) {
        String text = Optional.ofNullable(e.getMessage()).filter(m -> !m.isBlank()).orElse(e.getClass().getSimpleName())
                .replaceAll("\\p{Cntrl}+", " ").strip();
        return "the fetcher '" + plugin.name() + "' failed: "
                + (text.length() > LONGEST_MESSAGE ? text.substring(0, LONGEST_MESSAGE) + "…" : text);
    }

    private FetchResult answered(FetchAnswer answer) {
        int size = answer.headers().entrySet().stream().mapToInt(h -> h.getKey().length() + h.getValue().length() + 4)
                .sum();
        if (size > HEADERS) {
            return without(new Outcome.Failure(FailureReason.TOO_LARGE,
                    "the headers of the answer are longer than " + HEADERS + " characters together"));
        }
        boolean cut = answer.body().length > bodyLimit();
        byte[] body = cut ? Arrays.copyOf(answer.body(), bodyLimit()) : answer.body();
        return FetchResult.answered(answer.status(), answer.headers(), new Body(body), cut || answer.truncated(),
                took(), bounds.time().now()).withRender(answer.rendering());
    }

    /** Ends the call with a failure. */
    void fail(FailureReason reason, String cause) {
        end(without(new Outcome.Failure(reason, cause)));
    }

    /** Ends the call because its permit has ended. */
    void withdraw() {
        end(FetchResult.withdrawn(took(), bounds.time().now()));
        result.join();
    }

    private FetchResult without(Outcome outcome) {
        return statusSeen
                ? FetchResult.broken(outcome, took(), bounds.time().now())
                : FetchResult.without(outcome, took(), bounds.time().now());
    }

    private void end(FetchResult last) {
        if (over.compareAndSet(false, true)) {
            bounds.http().cut(own);
            result.complete(last);
            running.filter(thread -> thread != Thread.currentThread()).ifPresent(Thread::interrupt);
        }
    }

    /** Gives back the memory of what it has received; called when the plug-in has returned. */
    synchronized void release() {
        bounds.memory().release(held);
        held = 0;
    }

    private Duration took() {
        return Duration.ofNanos(bounds.time().nanos() - began);
    }

    @Override
    public String url() {
        return request.url();
    }

    @Override
    public String crawl() {
        return request.run().crawl().value();
    }

    @Override
    public Map<String, String> metadata() {
        return request.options().metadata();
    }

    @Override
    public Map<String, String> headers() {
        return headers;
    }

    @Override
    public int bodyLimit() {
        return bounds.settings().bodyLimit();
    }

    @Override
    public Duration remaining() {
        Duration left = limit().minus(took());
        return over.get() || left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public int requests() {
        return sent.get();
    }

    @Override
    public FetchAnswer get(String url) throws FetchFailedException, InterruptedException {
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
    private FetchResult cached(String target) throws FetchFailedException, InterruptedException {
        FetchOptions own = request.options();
        String owner = request.run() + " " + new TreeMap<>(own.headers()) + " " + own.cookie() + " " + own.proxy();
        try {
            return cache.get(owner, target, RequestHeaders.of(target, own, profile),
                    conditions -> send(target, conditions));
        } catch (FetchFailedException e) {
            throw e;
        } catch (IOException | RequestHeaders.ForbiddenHeader e) {
            throw new FetchFailedException(message(e));
        }
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
        if (over.get()) {
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
        if (over.get()) {
            throw new FetchFailedException("the fetch is over");
        }
        if (held + bytes > MOST_BODIES * (long) bodyLimit()) {
            throw new FetchFailedException(
                    "the answers to a page's requests are longer than " + MOST_BODIES + " bodies",
                    SubrequestRefusal.LIMIT);
        }
        bounds.memory().hold(bytes);
        held += bytes;
    }
}
