package io.trawl.downloader.call;

import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.channel.HostPartitioner;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.CrawlVariables;
import io.trawl.direct.DownloadCall;
import io.trawl.direct.FramedResponse;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.SessionProfile;
import io.trawl.downloader.frontier.DirectFetch;
import io.trawl.downloader.frontier.DirectFetch.DirectFetchResult;
import io.trawl.downloader.generation.ServedGeneration;
import io.trawl.http.CallRefusedException;
import io.trawl.http.Route;
import io.trawl.http.CallResponse;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.module.Counters;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * {@code POST /download}: fetches one URL now, in the next turn of its host. If the owner of the host's partition
 * serves the call, no request of the whole fleet comes closer to it than politeness allows, robots.txt included.
 * Another downloader considers only its own exchanges: a fallback for when the owner is unknown or does not answer. In
 * either case robots.txt, the address guard and all limits of a fetch hold, nothing is retried, and redirects are not
 * followed. Thread-safe.
 *
 * @param variables what definitions name
 * @param served the request topics that are served now
 */
public record DownloadCallHandler(MID mid, Counters counters, CrawlVariables variables, Time time,
        Supplier<Optional<ServedGeneration>> served) {
    private static final int LARGEST_CALL = 1 << 20;
    private static final Duration FRONTIER_LIMIT = Duration.ofSeconds(5);

    /** The route that it answers. */
    public Route call() {
        return Route.post(DownloadCall.PATH, "application/json", LARGEST_CALL, call -> {
            counters.called(1);
            DownloadCall wanted = Json.read(call.body(), DownloadCall.class);
            return counted(served.get()
                    .orElseThrow(() -> new CallRefusedException(503, "the request topics are not served yet")), wanted);
        });
    }

    private CallResponse counted(ServedGeneration now, DownloadCall wanted) throws InterruptedException {
        counters.accepted(1);
        boolean completed = false;
        try {
            DirectFetchResult directFetchResult = fetch(now, wanted);
            completed = directFetchResult instanceof DirectFetchResult.Completed answered
                    && !(answered.outcome() instanceof Outcome.Failure);
            return answer(wanted, directFetchResult);
        } finally {
            counters.completed(completed ? 1 : 0);
            counters.failed(completed ? 0 : 1);
        }
    }

    private DirectFetchResult fetch(ServedGeneration now, DownloadCall wanted) throws InterruptedException {
        now.keys().learn(List.of(wanted.request().host()));
        FetchRules rules = wanted.definition().fetch();
        CompletableFuture<DirectFetchResult> directFetchResult = new CompletableFuture<>();
        DirectFetch directFetch = new DirectFetch(wanted.request(),
                FetchProfile.of(rules, variables).withMediaTypes(wanted.definition().scope().wantedTypes())
                        .withSession(SessionProfile.GUEST),
                rules.delay(), HostPartitioner.of(wanted.request().host(), now.channels()), wanted.owner(),
                wanted.patience(), directFetchResult::complete);
        now.frontier().send((f, at) -> f.fetchDirectly(directFetch, at));
        try {
            return directFetchResult.get(wanted.patience().plus(FRONTIER_LIMIT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // The frontier is stopping, or overloaded.
            return new DirectFetchResult.Late("the downloader is too busy to answer in time", Duration.ofSeconds(1));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private CallResponse answer(DownloadCall wanted, DirectFetchResult directFetchResult) {
        return switch (directFetchResult) {
            case DirectFetchResult.Completed answered -> {
                RequestAnswer requestAnswer = new RequestAnswer(wanted.request(), answered.outcome(),
                        answered.fetched(), answered.fetched().isPresent() ? 1 : 0, OptionalInt.empty());
                yield CallResponse.of(200, FramedResponse.CONTENT_TYPE,
                        FramedResponse.write(requestAnswer.response(mid, time.now())));
            }
            case DirectFetchResult.Late late -> throw CallRefusedException.unavailable(late.why(),
                    Math.max(1, late.pause().plusMillis(999).toSeconds()));
            case DirectFetchResult.Elsewhere _ ->
                throw new CallRefusedException(421, "another downloader owns this host");
        };
    }
}
