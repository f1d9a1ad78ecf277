package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.store.DeliveryAttempts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Attempts as one small hash per topic. A call takes one round trip per topic; callers have one topic.
 *
 * @param owner a unique id of this process
 */
record RedisDeliveryAttempts(RedisConnection redis, RedisKeys redisKeys, String owner) implements DeliveryAttempts {
    @Override
    public int begin(Collection<LogPosition> logPositions) {
        return begin("together", logPositions);
    }

    @Override
    public int beginAlone(LogPosition logPosition) {
        return begin("alone", List.of(logPosition));
    }

    private int begin(String how, Collection<LogPosition> logPositions) {
        return (int) byTopic(logPositions, RedisScript.BEGIN, List.of(text(owner), text(how)),
                p -> List.of(text(p.partition()), text(p.offset()))).stream().mapToLong(Long::longValue).max()
                .orElse(1);
    }

    @Override
    public void withdraw(Collection<LogPosition> logPositions) {
        byTopic(logPositions, RedisScript.WITHDRAW, List.of(text(owner)), p -> List.of(text(p.partition())));
    }

    @Override
    public void end(Collection<LogPosition> logPositions) {
        byTopic(logPositions, RedisScript.END, List.of(text(owner)), p -> List.of(text(p.partition())));
    }

    private List<Long> byTopic(Collection<LogPosition> logPositions, RedisScript redisScript, List<byte[]> first,
            Function<LogPosition, List<byte[]>> arguments) {
        Map<String, List<LogPosition>> byTopic = logPositions.stream()
                .collect(Collectors.groupingBy(LogPosition::topic));
        List<Long> answers = new ArrayList<>();
        byTopic.forEach((topic, there) -> {
            List<byte[]> all = new ArrayList<>(first);
            there.forEach(p -> all.addAll(arguments.apply(p)));
            answers.add(redis.number(redisScript, redisKeys.attempts(topic), all.toArray(byte[][]::new)));
        });
        return answers;
    }
}
