package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Attempts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Attempts as one small hash per topic. A call is one round trip per topic, of which there is one. */
final class RedisAttempts implements Attempts {
    private final RedisConnection redis;
    private final Keys keys;
    private final String owner;

    /** @param owner this process, unlike any before */
    RedisAttempts(RedisConnection redis, Keys keys, String owner) {
        this.redis = redis;
        this.keys = keys;
        this.owner = owner;
    }

    @Override
    public int begin(Collection<Place> places) {
        return (int) byTopic(places, Script.BEGIN, p -> List.of(text(p.partition()), text(p.offset()))).stream()
                .mapToLong(Long::longValue)
                .max().orElse(1);
    }

    @Override
    public void withdraw(Collection<Place> places) {
        byTopic(places, Script.WITHDRAW, p -> List.of(text(p.partition())));
    }

    @Override
    public void end(Collection<Place> places) {
        byTopic(places, Script.END, p -> List.of(text(p.partition())));
    }

    private List<Long> byTopic(Collection<Place> places, Script script, Function<Place, List<byte[]>> arguments) {
        Map<String, List<Place>> byTopic = places.stream().collect(Collectors.groupingBy(Place::topic));
        List<Long> answers = new ArrayList<>();
        byTopic.forEach((topic, there) -> {
            List<byte[]> all = new ArrayList<>(List.of(owner.getBytes(StandardCharsets.UTF_8)));
            there.forEach(p -> all.addAll(arguments.apply(p)));
            answers.add(redis.number(script, keys.attempts(topic), all.toArray(byte[][]::new)));
        });
        return answers;
    }
}
