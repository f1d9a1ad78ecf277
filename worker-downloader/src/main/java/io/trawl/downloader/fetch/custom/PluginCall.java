package io.trawl.downloader.fetch.custom;

import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchFailedException;
import io.trawl.api.FetchTask;
import io.trawl.api.PageFetcher;
import io.trawl.api.render.PageNotReadyException;
import io.trawl.downloader.fetch.custom.Subrequests.UnansweredException;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.RequestHeaders;
import io.trawl.downloader.fetch.http.AnswerCache;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call of a {@link PageFetcher}. The first result wins; from then on nothing more is sent, and what is in flight is
 * cut, so that the host's next turn does not overlap with this one.
 */
final class PluginCall implements FetchTask {
    /** The limit of all headers together, as of the built-in fetcher. */
    private static final int HEADERS = 128 * 1024;
    private static final int LONGEST_MESSAGE = 300;

    private final PageFetcher plugin;
    private final FetchBounds bounds;
    private final Request request;
    private final FetchProfile profile;
    private final FetchPermit fetchPermit;
    /** Its own object, so that only the requests of this call are cut with it. */
    private final FetchPermit own = this::mayGoOn;
    private final CompletableFuture<FetchResult> result = new CompletableFuture<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Subrequests subrequests;
    private volatile Optional<Thread> running = Optional.empty();
    private volatile Map<String, String> headers = Map.of();
    private volatile long began;

    PluginCall(PageFetcher plugin, FetchBounds bounds, AnswerCache cache, Request request, FetchProfile profile,
            FetchPermit fetchPermit) {
        this.plugin = plugin;
        this.bounds = bounds;
        this.request = request;
        this.profile = profile;
        this.fetchPermit = fetchPermit;
        this.began = bounds.time().nanos();
        this.subrequests = new Subrequests(bounds, cache, request, profile, own, over::get);
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
            FetchResult unanswered = e.unanswered();
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
        return subrequests.statusSeen()
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
    void release() {
        subrequests.release();
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
        return subrequests.sent();
    }

    @Override
    public FetchAnswer get(String url) throws FetchFailedException, InterruptedException {
        try {
            return subrequests.get(url);
        } catch (FetchFailedException e) {
            throw e;
        } catch (IOException | RequestHeaders.ForbiddenHeader e) {
            throw new FetchFailedException(message(e));
        }
    }
}
