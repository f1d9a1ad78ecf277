package io.trawl.downloader;

import io.trawl.channel.RequestPartitions;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.CrawlDefinition;
import io.trawl.direct.DownloadCall;
import io.trawl.direct.FramedResponse;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.QueueKeys;
import io.trawl.downloader.frontier.Reply;
import io.trawl.downloader.frontier.Visit;
import io.trawl.downloader.frontier.Visited;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.module.Counters;
import io.trawl.time.Time;
import io.trawl.worker.DirectCall;
import io.trawl.worker.DirectCall.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * {@code POST /download}: one URL, now, in the next turn of its host. Asked of the owner of the host's partition, no request of the whole fleet comes
 * closer to it than politeness allows, robots.txt included. Asked of another downloader, only that one's own exchanges are minded: a stand-in for when
 * the owner is not known or does not answer. In either case robots.txt, the address guard and all limits of a fetch hold, nothing is retried, and
 * redirects are not followed. Thread-safe.
 */
final class DirectDownloads {
    private static final int LARGEST_CALL = 1 << 20;
    private static final Duration FRONTIER_LIMIT = Duration.ofSeconds(5);
    private final MID mid;
    private final Counters counters;
    private final Time time;
    private volatile Optional<Open> open = Optional.empty();

    private record Open(FrontierLoop frontier, QueueKeys keys, Channels channels) {}

    DirectDownloads(MID mid, Counters counters, Time time) {
        this.mid = mid;
        this.counters = counters;
        this.time = time;
    }

    /** From now on visits can be made. */
    void open(FrontierLoop frontier, QueueKeys keys, Channels channels) {
        open = Optional.of(new Open(frontier, keys, channels));
    }

    DirectCall call() {
        return DirectCall.post(DownloadCall.PATH, "application/json", LARGEST_CALL, question -> {
            counters.called(1);
            DownloadCall wanted = Json.read(question.body(), DownloadCall.class);
            Optional<Open> now = open;
            return now.isEmpty()
                    ? busy("the request topics are not known yet", Duration.ofSeconds(1))
                    : counted(now.get(), wanted);
        });
    }

    private Answer counted(Open now, DownloadCall wanted) throws InterruptedException {
        counters.accepted(1);
        boolean completed = false;
        try {
            Visited visited = visit(now, wanted);
            completed = visited instanceof Visited.Answered answered && !(answered.outcome() instanceof Outcome.Failure);
            return answer(wanted, visited);
        } finally {
            counters.completed(completed ? 1 : 0);
            counters.failed(completed ? 0 : 1);
        }
    }

    private static Visited visit(Open now, DownloadCall wanted) throws InterruptedException {
        now.keys().learn(List.of(wanted.request().host()));
        CrawlDefinition definition = wanted.definition();
        CompletableFuture<Visited> visited = new CompletableFuture<>();
        Visit visit = new Visit(wanted.request(),
                new FetchProfile(definition.userAgent(), definition.profile(), definition.proxy()), definition.delay(),
                RequestPartitions.of(wanted.request().host(), now.channels()), wanted.owner(), wanted.patience(),
                visited::complete);
        now.frontier().tell((f, at) -> f.visit(visit, at));
        try {
            return visited.get(wanted.patience().plus(FRONTIER_LIMIT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // It is stopping, or it has far too much to do.
            return new Visited.Late("the downloader does not come to it", Duration.ofSeconds(1));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private Answer answer(DownloadCall wanted, Visited visited) {
        return switch (visited) {
            case Visited.Answered answered -> {
                Reply reply = new Reply(wanted.request(), answered.outcome(), answered.fetched(),
                        answered.fetched().isPresent() ? 1 : 0, OptionalInt.empty());
                yield new Answer(200, FramedResponse.CONTENT_TYPE, FramedResponse.write(reply.response(mid, time.now())),
                        Map.of());
            }
            case Visited.Late late -> busy(late.why(), late.pause());
            case Visited.Elsewhere _ -> Answer.problem(421, "another downloader has this host", Map.of());
        };
    }

    private static Answer busy(String why, Duration wait) {
        return Answer.problem(503, why, Map.of("Retry-After", Long.toString(Math.max(1, wait.plusMillis(999).toSeconds()))));
    }
}
