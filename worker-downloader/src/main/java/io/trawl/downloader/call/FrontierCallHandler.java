package io.trawl.downloader.call;

import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.channel.HostPartitioner;
import io.trawl.direct.FrontierView;
import io.trawl.downloader.frontier.Frontier.FrontierSnapshot;
import io.trawl.downloader.frontier.inflight.FrontierStatus;
import io.trawl.downloader.generation.ServedGeneration;
import io.trawl.http.CallRefusedException;
import io.trawl.http.Route;
import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.module.StageState;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * {@code GET /frontier}: shows the state of a host, or of a request to it. The frontier answers between two steps, in
 * microseconds. Thread-safe.
 *
 * @param state of the stage, while no frontier works
 * @param served the request topics that are served now
 */
public record FrontierCallHandler(MID mid, Supplier<StageState> state, Time time,
        Supplier<Optional<ServedGeneration>> served) {
    private static final int LIMIT_SECONDS = 4;

    /** The route that it answers. */
    public Route call() {
        return Route.get(FrontierView.PATH, this::answer);
    }

    private CallResponse answer(Call call) throws InterruptedException {
        CrawlRun run = CrawlRun.parse(call.text("run").orElse(""));
        Optional<String> url = call.text("url").map(FrontierCallHandler::normal);
        HostKey host = url.map(HostKeyFactory::of).or(() -> call.text("host").map(HostKey::new))
                .orElseThrow(() -> new InvalidValueException("url", "", "a URL, or a host as host:port"));
        Optional<String> identity = call.text(FrontierView.IDENTITY).or(() -> url);
        ServedGeneration now = served.get()
                .orElseThrow(() -> new CallRefusedException(503, "the downloader is " + state.get().text()));
        now.keys().learn(List.of(host));
        int partition = HostPartitioner.of(host, now.channels());
        try {
            FrontierSnapshot frontierSnapshot = now.frontier()
                    .ask((f, at) -> f.look(host, partition, run, identity, at)).get(LIMIT_SECONDS, TimeUnit.SECONDS);
            FrontierStatus status = now.frontier().status();
            return CallResponse.json(new FrontierView(mid, time.now(), state.get(), partition,
                    frontierSnapshot.leased(), frontierSnapshot.held(), status.slotsTotal(), status.slotsUsed(),
                    frontierSnapshot.host(), frontierSnapshot.request()));
        } catch (TimeoutException | ExecutionException e) {
            throw new CallRefusedException(503, "the frontier does not answer");
        }
    }

    private static String normal(String url) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> normal.text();
            case io.trawl.admission.Refusal no -> throw new InvalidValueException("url", url, no.cause());
        };
    }
}
