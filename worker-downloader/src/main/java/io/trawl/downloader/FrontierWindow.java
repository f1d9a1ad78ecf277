package io.trawl.downloader;

import io.trawl.admission.HostKeys;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.channel.RequestPartitions;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.direct.FrontierView;
import io.trawl.downloader.frontier.Frontier.Sight;
import io.trawl.downloader.frontier.FrontierStatus;
import io.trawl.downloader.frontier.QueueKeys;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.InvalidValue;
import io.trawl.model.MID;
import io.trawl.time.Time;
import io.trawl.worker.DirectCall;
import io.trawl.worker.DirectCall.Answer;
import io.trawl.worker.DirectCall.Question;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** {@code GET /frontier}: shows how a host, or a request to it, stands here. The frontier answers between two steps, in microseconds. Thread-safe. */
final class FrontierWindow {
    private static final int LIMIT_SECONDS = 4;
    private final MID mid;
    private final Supplier<String> state;
    private final Time time;
    private volatile Optional<Open> open = Optional.empty();

    private record Open(FrontierLoop frontier, QueueKeys keys, Channels channels) {}

    FrontierWindow(MID mid, Supplier<String> state, Time time) {
        this.mid = mid;
        this.state = state;
        this.time = time;
    }

    /** From now on there is something to see. */
    void open(FrontierLoop frontier, QueueKeys keys, Channels channels) {
        open = Optional.of(new Open(frontier, keys, channels));
    }

    DirectCall call() {
        return DirectCall.get(FrontierView.PATH, this::answer);
    }

    private Answer answer(Question question) throws InterruptedException {
        CrawlRun run = CrawlRun.parse(question.query().getOrDefault("run", ""));
        Optional<String> url = given(question, "url").map(FrontierWindow::normal);
        HostKey host = url.map(HostKeys::of).or(() -> given(question, "host").map(HostKey::new))
                .orElseThrow(() -> new InvalidValue("url", "", "a URL, or a host as host:port"));
        Optional<Open> now = open;
        if (now.isEmpty()) {
            return Answer.problem(503, "the downloader is " + state.get(), Map.of("Retry-After", "1"));
        }
        now.get().keys().learn(List.of(host));
        int partition = RequestPartitions.of(host, now.get().channels());
        try {
            Sight sight = now.get().frontier().ask((f, at) -> f.look(host, partition, run, url, at))
                    .get(LIMIT_SECONDS, TimeUnit.SECONDS);
            FrontierStatus status = now.get().frontier().status();
            return Answer.json(Json.bytes(new FrontierView(mid, time.now(), state.get(), partition, sight.leased(), sight.held(),
                    status.slotsTotal(), status.slotsUsed(), sight.host(), sight.request())));
        } catch (TimeoutException | ExecutionException e) {
            return Answer.problem(503, "the frontier does not answer", Map.of("Retry-After", "1"));
        }
    }

    private static Optional<String> given(Question question, String name) {
        return Optional.ofNullable(question.query().get(name)).filter(value -> !value.isEmpty());
    }

    private static String normal(String url) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> normal.text();
            case io.trawl.admission.Refused no -> throw new InvalidValue("url", url, no.cause());
        };
    }
}
