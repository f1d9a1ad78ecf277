package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.store.LogEndStore;
import io.trawl.store.LogEndStore.LogEnd;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Map;
import java.util.Optional;

/** The ends, and what was found lost, each as one JSON document in a list of one, and the epochs as a hash. */
record RedisLogEnds(RedisConnection redis, RedisKeys redisKeys) implements LogEndStore {
    /** @param ends by {@code topic-partition} */
    private record Ends(Map<String, LogEnd> ends) {
        Ends {
            FieldRules.present("ends", ends);
        }
    }

    /** @param lost by {@code topic-partition} */
    private record Lost(Map<String, Long> lost) {
        Lost {
            FieldRules.present("lost", lost);
        }
    }

    @Override
    public Map<String, LogEnd> noted() {
        return document(redisKeys.logEnds(), Ends.class).map(Ends::ends).orElse(Map.of());
    }

    @Override
    public void note(Map<String, LogEnd> ends) {
        redis.number(RedisScript.NOTE, redisKeys.logEnds(), Json.bytes(new Ends(ends)), text(1));
    }

    @Override
    public Map<String, Long> lost() {
        return document(redisKeys.lost(), Lost.class).map(Lost::lost).orElse(Map.of());
    }

    @Override
    public void lost(Map<String, Long> handled) {
        redis.number(RedisScript.NOTE, redisKeys.lost(), Json.bytes(new Lost(handled)), text(1));
    }

    private <T> Optional<T> document(String key, Class<T> type) {
        for (byte[] json : redis.list(RedisScript.NOTES, key)) {
            try {
                return Optional.of(Json.read(json, type));
            } catch (MalformedRecordException e) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public int newestEpoch(CrawlId crawl) {
        return (int) redis.number(RedisScript.NUMBER_READ, redisKeys.epochs(), text(crawl.value()));
    }

    @Override
    public void begun(CrawlRun run) {
        redis.number(RedisScript.NUMBER_WRITE, redisKeys.epochs(), text(run.crawl().value()), text(run.epoch()));
    }
}
