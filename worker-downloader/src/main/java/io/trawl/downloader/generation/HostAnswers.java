package io.trawl.downloader.generation;

import io.trawl.admission.HostKeyFactory;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.model.CrawlId;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How many requests of each host and crawl this process has answered, for people. Beyond {@value #MOST} entries the one
 * that was changed longest ago is forgotten. Thread-safe.
 */
public final class HostAnswers {
    private static final int MOST = 50_000;
    private final Map<HostOfCrawl, AnswerCount> counts = new LinkedHashMap<>(16, 0.75f, true);

    private record HostOfCrawl(HostKey host, CrawlId crawl) {}

    /** The answers of a host. @param errors HTTP errors and failures */
    public record AnswerCount(long answered, long errors) {
        /** None. */
        public static final AnswerCount NONE = new AnswerCount(0, 0);

        AnswerCount plus(AnswerCount other) {
            return new AnswerCount(answered + other.answered, errors + other.errors);
        }
    }

    /** Counts an answer. Takes a moment. */
    void answered(RequestAnswer answer) {
        boolean error = switch (answer.outcome()) {
            case Outcome.HttpError _,Outcome.Failure _ -> true;
            case Outcome.Success _,Outcome.Unchanged _,Outcome.Redirect _,Outcome.Refused _,Outcome.Duplicate _ ->
                false;
        };
        HostOfCrawl key = new HostOfCrawl(HostKeyFactory.of(answer.request().url()), answer.request().run().crawl());
        synchronized (counts) {
            counts.merge(key, new AnswerCount(1, error ? 1 : 0), AnswerCount::plus);
            if (counts.size() > MOST) {
                counts.remove(counts.keySet().iterator().next());
            }
        }
    }

    /**
     * The counts by key.
     *
     * @param crawl only of this crawl; empty for all
     * @param keys the key under which a host is filed
     */
    public Map<HostKey, AnswerCount> by(Optional<CrawlId> crawl, UnaryOperator<HostKey> keys) {
        Map<HostOfCrawl, AnswerCount> now;
        synchronized (counts) {
            now = Map.copyOf(counts);
        }
        Map<HostKey, AnswerCount> byKey = new HashMap<>();
        now.forEach((key, count) -> {
            if (crawl.isEmpty() || crawl.get().equals(key.crawl())) {
                byKey.merge(keys.apply(key.host()), count, AnswerCount::plus);
            }
        });
        return byKey;
    }
}
