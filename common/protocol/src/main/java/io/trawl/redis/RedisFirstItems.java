package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.FirstItemStore;
import io.trawl.model.CrawlRun;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The first items of a run, by content and by key, which are deleted with the facts of the run. Up to
 * {@value #LARGEST_CALL} items take one round trip.
 */
record RedisFirstItems(RedisConnection redis, RedisKeys redisKeys) implements FirstItemStore {
    private static final int LARGEST_CALL = 1000;

    @Override
    public List<Boolean> learn(CrawlRun run, List<ContentOfItem> items) {
        return asked(RedisScript.FIRST_ITEMS, run, items,
                one -> arguments(one.content().map(RedisFirstItems::field), one.item()))
                .map(answer -> !answer.isEmpty()).toList();
    }

    @Override
    public List<Optional<SimilarItem>> similar(CrawlRun run, List<HashOfItem> items) {
        return asked(RedisScript.SIMILAR_ITEMS, run, items,
                one -> arguments(one.hash().map(hash -> ByteBuffer.allocate(Long.BYTES).putLong(hash).array()),
                        one.item()))
                .map(RedisFirstItems::found).toList();
    }

    @Override
    public void inherit(CrawlRun from, CrawlRun to) {
        Iterator<String> heirs = redisKeys.items(to).iterator();
        redis.bytes(RedisScript.INHERIT,
                redisKeys.items(from).stream().flatMap(key -> Stream.of(key, heirs.next())).toList());
    }

    @Override
    public List<Boolean> released(CrawlRun run, List<VisitedPage> pages) {
        return asked(RedisScript.RELEASED_PAGES, run, pages,
                one -> Stream.of(text(one.page()), text(one.missing() ? "1" : ""))).map(answer -> !answer.isEmpty())
                .toList();
    }

    /** The answers, in order. @param arguments of each */
    private <T> Stream<String> asked(RedisScript script, CrawlRun run, List<T> asked,
            Function<T, Stream<byte[]>> arguments) {
        List<String> answers = new ArrayList<>(asked.size());
        for (int from = 0; from < asked.size(); from += LARGEST_CALL) {
            byte[] epoch = ByteBuffer.allocate(Integer.BYTES).putInt(run.epoch()).array();
            Stream<byte[]> of = asked.subList(from, Math.min(asked.size(), from + LARGEST_CALL)).stream()
                    .flatMap(arguments);
            redis.list(script, redisKeys.items(run), Stream.concat(Stream.of(epoch), of).toArray(byte[][]::new))
                    .forEach(answer -> answers.add(new String(answer, StandardCharsets.UTF_8)));
        }
        return answers.stream();
    }

    private static Stream<byte[]> arguments(Optional<byte[]> content, JudgedItem item) {
        return Stream.of(content.orElseGet(() -> new byte[0]), text(item.id()), text(item.key().orElse("")));
    }

    /** @param answer the bits and the item, or nothing */
    private static Optional<SimilarItem> found(String answer) {
        return answer.isEmpty()
                ? Optional.empty()
                : Optional.of(new SimilarItem(answer.substring(1), answer.charAt(0) - '0'));
    }

    private static byte[] field(Fingerprint content) {
        return ByteBuffer.allocate(2 * Long.BYTES).putLong(content.high()).putLong(content.low()).array();
    }
}
