package io.trawl.pipeline.sink;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the files of one span of offsets, in every run's folder: {@code part-03-00000000000000000120.jsonl}. An
 * unfinished file has the suffix {@code .<nonce>.part}. The nonce is new for every attempt, so that two attempts never
 * write to the same file.
 *
 * @param partition of {@code items}
 * @param first the first offset of the span
 */
record PartFileName(int partition, long first) {
    private static final Pattern UNFINISHED = Pattern.compile("part-([0-9]{2,9})-([0-9]{20})\\.jsonl\\.([0-9a-z-]{1,40})\\.part");

    /** The name of a finished file. */
    String finished() {
        return String.format(Locale.ROOT, "part-%02d-%020d.jsonl", partition, first);
    }

    /** A glob for the finished files of the partition; their names have the order of their offsets. */
    String finishedOfPartition() {
        return String.format(Locale.ROOT, "part-%02d-*.jsonl", partition);
    }

    /** The name of an unfinished file. */
    String unfinished(String nonce) {
        return finished() + "." + nonce + ".part";
    }

    /** The span and the nonce of an unfinished file. */
    record Unfinished(PartFileName name, String nonce) {
        /** Parses a file name; empty if it does not have this form. */
        static Optional<Unfinished> parse(String fileName) {
            Matcher m = UNFINISHED.matcher(fileName);
            try {
                return m.matches()
                        ? Optional.of(new Unfinished(new PartFileName(Integer.parseInt(m.group(1)), Long.parseLong(m.group(2))),
                                m.group(3)))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }
}
