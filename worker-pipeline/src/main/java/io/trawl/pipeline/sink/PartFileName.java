package io.trawl.pipeline.sink;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of the files of one span of offsets, in every run's folder: {@code part-03-00000000000000000120} and the
 * ending of their format, such as {@code .jsonl}. An unfinished file has the suffix {@code .<nonce>.part}. The nonce is
 * new for every attempt, so that two attempts never write to the same file.
 *
 * @param partition of {@code items}
 * @param first the first offset of the span
 */
record PartFileName(int partition, long first) {
    private static final Pattern UNFINISHED = Pattern
            .compile("part-([0-9]{2,9})-([0-9]{20})\\.([a-z][a-z0-9.-]*)\\.([0-9a-z-]{1,40})\\.part");
    private static final String UNFINISHED_ENDING = ".part";

    /** The name without an ending. */
    String stem() {
        return String.format(Locale.ROOT, "part-%02d-%020d", partition, first);
    }

    /** The name of a finished file. @param ending of its format */
    String finished(String ending) {
        return stem() + "." + ending;
    }

    /** A glob for the files of the span. */
    String files() {
        return stem() + ".*";
    }

    /** A glob for the files of the partition; their names have the order of their offsets. */
    String filesOfPartition() {
        return String.format(Locale.ROOT, "part-%02d-*", partition);
    }

    /** The name of an unfinished file. */
    String unfinished(String ending, String nonce) {
        return finished(ending) + unfinishedSuffix(nonce);
    }

    /** What the names of unfinished files have behind those of the finished ones. */
    static String unfinishedSuffix(String nonce) {
        return "." + nonce + UNFINISHED_ENDING;
    }

    /** Whether a file of this form is unfinished. */
    static boolean unfinished(Path file) {
        return file.getFileName().toString().endsWith(UNFINISHED_ENDING);
    }

    /** The span, the ending and the nonce of an unfinished file. */
    record Unfinished(PartFileName name, String ending, String nonce) {
        /** Parses a file name; empty if it does not have this form. */
        static Optional<Unfinished> parse(String fileName) {
            Matcher m = UNFINISHED.matcher(fileName);
            try {
                return m.matches()
                        ? Optional.of(new Unfinished(
                                new PartFileName(Integer.parseInt(m.group(1)), Long.parseLong(m.group(2))), m.group(3),
                                m.group(4)))
                        : Optional.empty();
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
    }
}
