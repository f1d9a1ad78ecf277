package io.trawl.pipeline.sink;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the files of one span of offsets are called, in every run's folder: {@code part-03-00000000000000000120.jsonl}. While it is written,
 * {@code .<nonce>.part} is added; the nonce is new for every attempt, so that nobody ever writes into another's file.
 *
 * @param partition of {@code items}
 * @param first the offset at which the span begins
 */
record PartName(int partition, long first) {
    private static final Pattern UNFINISHED = Pattern.compile("part-([0-9]{2,9})-([0-9]{20})\\.jsonl\\.([0-9a-z-]{1,40})\\.part");

    /** The name of a finished file. */
    String finished() {
        return String.format(Locale.ROOT, "part-%02d-%020d.jsonl", partition, first);
    }

    /** The name of a file that is being written. */
    String unfinished(String nonce) {
        return finished() + "." + nonce + ".part";
    }

    /** The span and the nonce of a file that is being written. */
    record Unfinished(PartName name, String nonce) {
        /** Reads a file name; empty if it is not one of ours. */
        static Optional<Unfinished> parse(String fileName) {
            Matcher m = UNFINISHED.matcher(fileName);
            try {
                return m.matches()
                        ? Optional.of(new Unfinished(new PartName(Integer.parseInt(m.group(1)), Long.parseLong(m.group(2))),
                                m.group(3)))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }
}
