package io.trawl.channel.offset;

import io.trawl.model.CrawlId;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * How far the items of a partition are stored. The committed offset is the smallest of its positions, so that nothing
 * is deleted that a sink lacks; its metadata has the rest: {@code ~120+140 docs/index=17 ; part-...}, and only the note
 * if all positions are the front. Before it stands the last loss in Kafka that the process knew, if there was one:
 * {@code @1f3a }.
 *
 * @param front everything below it is stored in all sinks but those that are behind; -1 if nothing was ever committed
 * @param note {@link #NOTHING_PENDING}, or what names files that are to be renamed
 * @param topics sinks in topics of the cluster have everything below it, but those that are behind; not below the front
 * @param behind by sink ({@code crawl/name}) its position, if that is below the front, or below {@code topics}
 */
public record StoredPosition(long front, String note, long topics, Map<String, Long> behind) {
    /** The note of a position without pending renames. */
    public static final String NOTHING_PENDING = "";
    /** The most sinks that may be behind, so that the metadata fits in a commit. */
    public static final int MOST_BEHIND = 16;
    /** The position of a partition whose items were never stored. */
    public static final StoredPosition NONE = new StoredPosition(-1, NOTHING_PENDING, Map.of());
    private static final Pattern LOSS = Pattern.compile("^@([0-9a-f]{1,16}) ");
    private static final String MARK = "~";
    private static final String BEFORE_NOTE = " ; ";
    private static final Pattern FORM = Pattern
            .compile("~([0-9]{1,18})(?:\\+([0-9]{1,18}))?((?: [a-z0-9._-]+/[a-z0-9-]+=[0-9]{1,18})*)(?: ; (.+))?");

    /** Copies the positions. */
    public StoredPosition {
        behind = Map.copyOf(behind);
    }

    /** The sinks in topics have what files have. */
    public StoredPosition(long front, String note, Map<String, Long> behind) {
        this(front, note, front, behind);
    }

    /** A position that all sinks have reached. */
    public static StoredPosition of(long front) {
        return new StoredPosition(front, NOTHING_PENDING, Map.of());
    }

    /** What a commit says. Metadata of an unknown form is a note. */
    public static StoredPosition of(OffsetAndMetadata committed) {
        String metadata = LOSS.matcher(committed.metadata()).replaceFirst("");
        Matcher m = FORM.matcher(metadata);
        if (!m.matches()) {
            return new StoredPosition(committed.offset(), metadata, Map.of());
        }
        Map<String, Long> behind = new TreeMap<>();
        for (String sink : m.group(3).isEmpty() ? new String[0] : m.group(3).strip().split(" ")) {
            int equals = sink.indexOf('=');
            behind.put(sink.substring(0, equals), Long.valueOf(sink.substring(equals + 1)));
        }
        long front = Long.parseLong(m.group(1));
        return new StoredPosition(front, Optional.ofNullable(m.group(4)).orElse(NOTHING_PENDING),
                Optional.ofNullable(m.group(2)).map(Long::valueOf).orElse(front), behind);
    }

    /** The tag of the last loss in Kafka that whoever has committed this knew; empty if it knew none. */
    public static String lossKnownTo(OffsetAndMetadata committed) {
        Matcher m = LOSS.matcher(committed.metadata());
        return m.find() ? m.group(1) : "";
    }

    /** The key of a sink. */
    public static String key(String crawl, String sink) {
        return crawl + "/" + sink;
    }

    /** Whether this is the key of a sink of a crawl. */
    public static boolean isOf(String crawl, String key) {
        return key.startsWith(key(crawl, ""));
    }

    /** Whether all sinks have what files have. */
    public boolean even() {
        return behind.isEmpty() && topics == front;
    }

    /** The offset that is committed: below it, every sink has everything. */
    public long lowest() {
        return behind.values().stream().reduce(front, Math::min);
    }

    /** Whether it says everything: no files are to be renamed, and no sink is behind. */
    public boolean complete() {
        return even() && note.isEmpty();
    }

    /** The commit of a process that knows this loss in Kafka. @param loss its tag; empty if there was none */
    public OffsetAndMetadata commit(String loss) {
        OffsetAndMetadata plain = commit();
        return loss.isEmpty() ? plain : new OffsetAndMetadata(plain.offset(), "@" + loss + " " + plain.metadata());
    }

    /** The commit that says it. */
    public OffsetAndMetadata commit() {
        if (even()) {
            return new OffsetAndMetadata(front, note);
        }
        String sinks = new TreeMap<>(behind).entrySet().stream()
                .map(sink -> " " + sink.getKey() + "=" + sink.getValue()).collect(Collectors.joining());
        return new OffsetAndMetadata(lowest(), MARK + front + (topics == front ? "" : "+" + topics) + sinks
                + (note.isEmpty() ? "" : BEFORE_NOTE + note));
    }

    /** The same with files that are to be renamed. */
    public StoredPosition with(String files) {
        return new StoredPosition(front, files, topics, behind);
    }

    /** The same in a log that ends here: if Kafka has lost items above it, others will have their offsets. */
    public StoredPosition upTo(long end) {
        Map<String, Long> within = new TreeMap<>(behind);
        within.replaceAll((sink, at) -> Math.min(at, end));
        return new StoredPosition(Math.min(front, end), note, Math.min(topics, end), within);
    }

    /** The same in a log that begins here, by a group that goes on there. */
    public StoredPosition from(long start) {
        return new StoredPosition(Math.max(front, start), note, behind);
    }

    /** Whether all items of a crawl below an offset are stored, and no file is to be renamed. */
    public boolean holds(CrawlId crawl, long end) {
        return front >= end && note.isEmpty() && behind.entrySet().stream()
                .allMatch(sink -> sink.getValue() >= end || !isOf(crawl.value(), sink.getKey()));
    }
}
