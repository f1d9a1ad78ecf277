package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.redis.FactCall.OtherCopyException;
import io.trawl.redis.FactCall.Question;
import io.trawl.redis.FactHashes.FactHash;
import io.trawl.redis.FactHashes.Levels;
import io.trawl.redis.RedisConnection.ScriptCall;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Facts about URLs in small hashes, which Redis keeps in its compact encoding as long as they hold at most
 * {@code hash-max-ziplist-entries} fields. A full one splits into four ({@link FactHashes}), so that a URL takes about
 * as much in a run of any size. Up to {@value FactCall#LARGEST} URLs take one round trip, if this process knows on
 * which levels the hashes of the run are; more are sent in several parts. The first proposed number of tags of a run,
 * by which a Redis Cluster spreads the hashes over its masters, stays in force.
 */
final class RedisLedger implements Ledger {
    /** Hashes in one call of a script, and scripts in one round trip. */
    private static final int HASHES = 200;
    private static final int SCRIPTS = 64;
    private static final int MOST_PASSES = 20;
    private static final char YES = '1';
    private static final String ANY_NOTE = "";
    /** Longer than any process is paused. */
    private static final Duration NOTED = Duration.ofDays(1);

    private final RedisConnection redis;
    private final RedisKeys redisKeys;
    private final Map<String, Known> runs = new ConcurrentHashMap<>();

    RedisLedger(RedisConnection redis, RedisKeys redisKeys) {
        this.redis = redis;
        this.redisKeys = redisKeys;
    }

    /** The hashes of a run, and on which levels most of those were that this process has asked for last. */
    private record Known(FactHashes hashes, Levels likely) {}

    @Override
    public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
        return ask(run, new Question<>(RedisScript.LOOK, url -> url, (_, _) -> {}, ANY_NOTE), urls);
    }

    @Override
    public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
        return ask(run, new Question<>(RedisScript.LEARN, Fact::request,
                (fact, packed) -> PackedFacts.write(fact.facts(), packed), ANY_NOTE), facts);
    }

    private <T> List<UrlFacts> ask(CrawlRun run, Question<T> question, List<T> asked) {
        List<UrlFacts> answers = new ArrayList<>(asked.size());
        for (int from = 0; from < asked.size(); from += FactCall.LARGEST) {
            Known known = known(run);
            FactCall<T> call = new FactCall<>(redis, known.hashes(), question,
                    asked.subList(from, Math.min(asked.size(), from + FactCall.LARGEST)));
            answers.addAll(call.answers(known.likely()));
            split(known.hashes(), List.copyOf(call.full()));
            Levels likely = call.likely();
            if (!likely.equals(known.likely())) {
                runs.put(tagsKey(run), new Known(known.hashes(), likely));
            }
        }
        return answers;
    }

    private void split(FactHashes hashes, List<FactHash> full) {
        for (List<FactHash> left = full; !left.isEmpty();) {
            left = left.stream().gather(Gatherers.windowFixed(SCRIPTS))
                    .flatMap(part -> chosen(part.stream().flatMap(hash -> hash.children().stream()).toList(),
                            redis.bytesOfEach(RedisScript.SPLIT, part.stream().map(
                                    hash -> new ScriptCall(hashes.keysWithChildren(hash), List.of(text(hash.level()))))
                                    .toList()))
                            .stream())
                    .toList();
        }
    }

    /** Those for which the replies of scripts have a yes, in a character each. */
    private static List<FactHash> chosen(List<FactHash> hashes, List<byte[]> replies) {
        String answers = replies.stream().map(reply -> new String(reply, StandardCharsets.UTF_8))
                .collect(Collectors.joining());
        return IntStream.range(0, hashes.size()).filter(i -> answers.charAt(i) == YES).mapToObj(hashes::get).toList();
    }

    private Known known(CrawlRun run) {
        Known known = runs.get(tagsKey(run));
        if (known == null) {
            // Outside computeIfAbsent: a call to Redis inside would block other runs.
            FactHashes hashes = agreed(run, redis.servers().tags());
            known = new Known(hashes, hashes.unknown());
            runs.put(tagsKey(run), known);
        }
        return known;
    }

    private FactHashes agreed(CrawlRun run, int tags) {
        byte[] agreed = redis.bytes(RedisScript.AGREE, tagsKey(run), text(tags), text(RedisServers.MOST_TAGS));
        return new FactHashes(redisKeys, run, Integer.parseInt(new String(agreed, StandardCharsets.UTF_8)));
    }

    private String tagsKey(CrawlRun run) {
        return redisKeys.ledger(run) + "tags";
    }

    /**
     * {@inheritDoc} It takes two round trips and two more for each level of its hashes, and for a large run bounded
     * calls, one after the other.
     */
    @Override
    public void forget(CrawlRun run) {
        FactHashes hashes = known(run).hashes();
        unlink(IntStream.range(0, hashes.tags()).mapToObj(hashes::note).toArray(String[]::new));
        forget(hashes, ANY_NOTE);
    }

    private void forget(FactHashes hashes, String note) {
        CrawlRun run = hashes.run();
        forgetHashes(hashes, note);
        runs.remove(tagsKey(run));
        unlink(tagsKey(run));
        unlink(redisKeys.budgets(run));
        unlink(redisKeys.permits(run));
        unlink(redisKeys.items(run).toArray(String[]::new));
        unlink(redisKeys.sessions(run));
        unlink(redisKeys.domains(run), redisKeys.seedDomains(run));
    }

    private void unlink(String... keys) {
        redis.call("forget", client -> client.getKeys().unlinkAsync(keys));
    }

    /**
     * From the deepest level on: what a process that is killed leaves is a tree. A hash that was split meanwhile takes
     * one more pass.
     */
    private void forgetHashes(FactHashes hashes, String note) {
        List<FactHash> stay = hashes.roots();
        for (int pass = 0; !stay.isEmpty(); pass++) {
            if (pass == MOST_PASSES) {
                throw new IllegalStateException("the facts of " + hashes.run() + " are still written");
            }
            List<List<FactHash>> levels = new ArrayList<>(List.of(hashes.roots()));
            for (List<FactHash> level = hashes.roots(); !level.isEmpty();) {
                List<FactHash> split = each(RedisScript.ARE_SPLIT, hashes, level,
                        part -> new ScriptCall(part.stream().map(hashes::key).toList(), List.of()));
                levels.addFirst(split);
                level = split.stream().flatMap(hash -> hash.children().stream()).toList();
            }
            stay = levels.stream().flatMap(level -> each(RedisScript.FORGET, hashes, level,
                    part -> new ScriptCall(withNote(hashes, part, hashes::keysWithChildren), List.of(text(note))))
                    .stream()).toList();
        }
    }

    /** The hashes to which a script says yes, of which each call gets some of one tag. */
    private List<FactHash> each(RedisScript script, FactHashes hashes, List<FactHash> level,
            Function<List<FactHash>, ScriptCall> call) {
        return hashes.parts(level, HASHES).stream().gather(Gatherers.windowFixed(SCRIPTS)).flatMap(parts -> {
            List<byte[]> replies = redis.bytesOfEach(script, parts.stream().map(call).toList());
            replies.forEach(reply -> OtherCopyException.checked(reply, hashes.run()));
            return chosen(parts.stream().flatMap(List::stream).toList(), replies).stream();
        }).toList();
    }

    private static List<String> withNote(FactHashes hashes, List<FactHash> part,
            Function<FactHash, List<String>> keys) {
        return Stream.concat(Stream.of(hashes.note(hashes.tag(part.getFirst()))),
                part.stream().flatMap(hash -> keys.apply(hash).stream())).toList();
    }

    /**
     * {@inheritDoc} A note in Redis ends the copy of a caller that was paused, when another one begins.
     */
    @Override
    public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
        FactHashes hashes = known(from).hashes();
        FactHashes copies = new FactHashes(redisKeys, to, hashes.tags());
        String note = from.epoch() + " " + UUID.randomUUID();
        IntStream.range(0, hashes.tags()).forEach(tag -> copied(hashes, copies, note, List.of(copies.note(tag))));
        forget(copies, note);
        agreed(to, hashes.tags());
        for (List<FactHash> level = hashes.roots(); !level.isEmpty();) {
            level = hashes.parts(level, HASHES).stream()
                    .flatMap(part -> chosen(part,
                            List.of(copied(hashes, copies, note,
                                    withNote(copies, part, hash -> List.of(hashes.key(hash), copies.key(hash))))))
                            .stream())
                    .flatMap(hash -> hash.children().stream()).toList();
        }
        ask(to, new Question<>(RedisScript.OMIT, url -> url, (_, _) -> {}, note), List.copyOf(without));
    }

    private byte[] copied(FactHashes hashes, FactHashes copies, String note, List<String> keys) {
        return OtherCopyException.checked(
                redis.bytes(RedisScript.COPY, keys, text(hashes.run().epoch()), text(note), text(NOTED.toSeconds())),
                copies.run());
    }

    @Override
    public void forgetThrough(CrawlRun last) {
        String crawl = last.crawl().value();
        long done = redis.number(RedisScript.NUMBER_READ, redisKeys.forgotten(), text(crawl));
        for (long epoch = done + 1; epoch <= last.epoch(); epoch++) {
            forget(new CrawlRun(last.crawl(), (int) epoch));
            redis.number(RedisScript.NUMBER_WRITE, redisKeys.forgotten(), text(crawl), text(epoch));
        }
    }
}
