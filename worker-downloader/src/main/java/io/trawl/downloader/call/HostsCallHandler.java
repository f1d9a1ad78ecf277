package io.trawl.downloader.call;

import io.trawl.downloader.generation.HostAnswers;
import io.trawl.direct.HostOrder;
import io.trawl.direct.HostListing;
import io.trawl.direct.HostListing.HostRow;
import io.trawl.downloader.generation.HostAnswers.AnswerCount;
import io.trawl.downloader.generation.ServedGeneration;
import io.trawl.http.CallRefusedException;
import io.trawl.http.Route;
import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.model.Choice;
import io.trawl.model.CrawlId;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * {@code GET /hosts}: a table of the hosts of this downloader. The frontier describes {@value #STEP} hosts at a time
 * and gives turns between these steps; hosts that come and go meanwhile may be missing. One call at a time.
 * Thread-safe.
 */
public final class HostsCallHandler {
    private static final int STEP = 200;
    private static final int LIMIT_SECONDS = 4;
    /** Rows of the pages before the requested one count. */
    private static final int MOST = 11_000;
    private final MID mid;
    private final HostAnswers answers;
    private final Semaphore room = new Semaphore(1);
    private final Supplier<Optional<ServedGeneration>> served;

    private record HostQuery(Optional<CrawlId> crawl, String part, HostOrder order, int limit) {
        static HostQuery of(Call call) {
            return new HostQuery(call.text("crawl").map(CrawlId::new),
                    call.text("q").orElse("").toLowerCase(Locale.ROOT),
                    Choice.of("sort", HostOrder.values(), call.text("sort").orElse(HostOrder.WAITING.word())),
                    call.number("limit", 100, 0, MOST));
        }
    }

    /**
     * @param answers what hosts have answered so far
     * @param served the request topics that are served now
     */
    public HostsCallHandler(MID mid, HostAnswers answers, Supplier<Optional<ServedGeneration>> served) {
        this.mid = mid;
        this.answers = answers;
        this.served = served;
    }

    /** The route that it answers. */
    public Route call() {
        return Route.get(HostListing.PATH, this::answer);
    }

    private CallResponse answer(Call call) throws InterruptedException {
        HostQuery query = HostQuery.of(call);
        ServedGeneration now = served.get()
                .orElseThrow(() -> new CallRefusedException(503, "the downloader is starting"));
        if (!room.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            throw new CallRefusedException(503, "another call reads the hosts");
        }
        try {
            return CallResponse.json(rows(query, now));
        } catch (TimeoutException | ExecutionException e) {
            throw new CallRefusedException(503, "the frontier does not answer");
        } finally {
            room.release();
        }
    }

    private HostListing rows(HostQuery query, ServedGeneration now)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<HostKey, AnswerCount> counts = answers.by(query.crawl(), now.keys()::of);
        Set<HostKey> hosts = new HashSet<>(counts.keySet());
        hosts.addAll(answered(now.frontier().ask((f, _) -> f.hostsOf(query.crawl()))));
        List<HostKey> matching = hosts.stream().filter(host -> host.value().contains(query.part())).toList();
        List<HostRow> rows = new ArrayList<>();
        for (int from = 0; from < matching.size(); from += STEP) {
            List<HostKey> step = matching.subList(from, Math.min(from + STEP, matching.size()));
            rows.addAll(
                    answered(now.frontier().ask((f, at) -> step.stream().map(host -> f.row(host, mid, at)).toList())));
        }
        rows.replaceAll(row -> {
            AnswerCount count = counts.getOrDefault(row.host(), AnswerCount.NONE);
            return row.counted(count.answered(), count.errors());
        });
        return new HostListing(rows.size(), rows.stream().sorted(query.order().rows()).limit(query.limit()).toList());
    }

    private static <T> T answered(CompletableFuture<T> future)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
