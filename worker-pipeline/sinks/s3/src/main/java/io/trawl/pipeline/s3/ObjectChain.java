package io.trawl.pipeline.s3;

import io.trawl.pipeline.spi.RemoteCalls;
import io.trawl.pipeline.spi.RemoteCalls.RemoteAnswer;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The objects that hold the items of one sink, crawl and partition. The name of an object says from which position on
 * it holds items: the position behind the last one of the object before. An object is only ever created, and a name can
 * be taken once, so of all processes that want to add the next object one succeeds; the others see up to where the
 * items are stored, and go on there. Whatever comes late, or again, is so in the chain once.
 *
 * @param stem what all names begin with
 * @param ending what new names end with
 */
record ObjectChain(S3Bucket bucket, String stem, String ending, RemoteCalls calls, Time time) {
    /** Metadata of an object: the position of its last item. */
    private static final String LAST = "x-amz-meta-trawl-last";
    private static final long NOTHING = -1;
    private static final long FIRST_WINDOW = 1000;
    private static final int WIDER = 10;
    private static final int OK = 200;
    private static final int TAKEN = 412;
    private static final int DIGITS = 20;

    /** What becomes of an object. */
    sealed interface Added {
        /** It is there. */
        record Created() implements Added {}

        /** Another process, or an earlier attempt, was faster. */
        record Taken() implements Added {}
    }

    /** The position of the last item. @param near a position that is probably not far behind it */
    long last(long near) throws IOException, InterruptedException {
        for (long window = 0; window < near; window = Math.max(FIRST_WINDOW, window * WIDER)) {
            Optional<String> newest = newest(name(near - window));
            if (newest.isPresent()) {
                return last(newest.get());
            }
        }
        Optional<String> newest = newest(stem);
        return newest.isPresent() ? last(newest.get()) : NOTHING;
    }

    /** The same, where an object behind this position is known to be. */
    long lastBehind(long position) throws IOException, InterruptedException {
        long last = last(position);
        if (last <= position) {
            throw new IOException(
                    "the list of " + bucket.url() + " lacks the object behind " + name(position) + ", which is there");
        }
        return last;
    }

    private String name(long from) {
        return stem + String.format(Locale.ROOT, "%0" + DIGITS + "d", from);
    }

    private Optional<String> newest(String after) throws IOException, InterruptedException {
        Optional<String> newest = Optional.empty();
        for (String from = after;;) {
            String start = from;
            RemoteAnswer answer = calls.send(() -> bucket.list(stem, start, time));
            if (answer.status() != OK) {
                throw answer.failure("the list of " + bucket.url());
            }
            String list = new String(answer.body(), StandardCharsets.UTF_8);
            List<String> keys = S3Bucket.keys(list).stream().filter(key -> key.startsWith(stem)).toList();
            newest = keys.isEmpty() ? newest : Optional.of(keys.getLast());
            if (keys.isEmpty() || !list.contains("<IsTruncated>true<")) {
                return newest;
            }
            from = keys.getLast();
        }
    }

    private long last(String key) throws IOException, InterruptedException {
        RemoteAnswer answer = calls.send(() -> bucket.head(key, time));
        if (answer.status() != OK) {
            throw answer.failure(bucket.url() + "/" + key);
        }
        return answer.header(LAST).filter(text -> text.matches("[0-9]{1,18}")).map(Long::valueOf)
                .orElseThrow(() -> new IOException(
                        bucket.url() + "/" + key + " lacks the metadata " + LAST + ": was it written by hand?"));
    }

    /** Adds an object behind a position. @param last the position of its last item */
    Added add(long behind, long last, String type, byte[] body) throws IOException, InterruptedException {
        return create(name(behind + 1) + "." + ending, type, Map.of(LAST, Long.toString(last)), body);
    }

    private Added create(String key, String type, Map<String, String> metadata, byte[] body)
            throws IOException, InterruptedException {
        RemoteAnswer answer = calls.send(() -> bucket.create(key, type, metadata, body, time));
        if (answer.status() / 100 != 2 && answer.status() != TAKEN) {
            throw answer.failure(bucket.url() + "/" + key);
        }
        return answer.status() == TAKEN ? new Added.Taken() : new Added.Created();
    }

    /** @throws IOException if the server creates an object twice, since then items could be stored twice */
    void mustBeConditional() throws IOException, InterruptedException {
        String key = bucket.prefix() + ".trawl-created-once";
        create(key, "text/plain", Map.of(), key.getBytes(StandardCharsets.UTF_8));
        if (create(key, "text/plain", Map.of(), key.getBytes(StandardCharsets.UTF_8)) instanceof Added.Created) {
            throw new IOException("the server of " + bucket.url()
                    + " has no conditional writes: it ignores If-None-Match, and would store items twice. Use one that has them");
        }
    }
}
