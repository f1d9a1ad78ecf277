package io.trawl.ledger;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.FieldRules;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * How responses are laid out over the partitions of their topic (docs/protocol-resizing.md, Other partitions for
 * responses). Each response names its layout. All that count of one layout have smaller positions than those of the
 * next one, and are handled before them; what was written to a layout after it ended is void: the analyzer copies it to
 * the layout that holds.
 *
 * @param number of the layout, from 0
 * @param shift what is added to an offset, so that positions grow from layout to layout
 * @param former to how many partitions responses were written before, in the order of time
 * @param closing present while this layout ends, until its ends are known
 * @param left present while responses of the layout before are handled; no others are
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record ResponseLayout(int number, long shift, List<Integer> former, Optional<Closing> closing,
        Optional<Left> left) {
    /** That of a deployment whose responses have always been written to the same partitions. */
    public static final ResponseLayout FIRST = new ResponseLayout(0, 0, List.of(), Optional.empty(), Optional.empty());

    private static final int MOST = 1_000_000;

    /** @throws io.trawl.model.InvalidValueException if a number is out of its range */
    public ResponseLayout {
        FieldRules.range("layout.number", number, 0, MOST);
        FieldRules.count("layout.shift", shift);
        former = former == null ? List.of() : List.copyOf(former);
        former.forEach(count -> FieldRules.range("layout.former", count, 1, MOST));
    }

    /** The change to another layout that is decided. @param partitions to which responses will be written */
    public record Closing(int partitions, Instant since) {
        /** @throws io.trawl.model.InvalidValueException if the number is out of its range */
        public Closing {
            FieldRules.range("layout.closing.partitions", partitions, 1, MOST);
            FieldRules.present("layout.closing.since", since);
        }
    }

    /**
     * The layout before, as far as it counts.
     *
     * @param shift of that layout
     * @param ends the offset at which it ends in each partition
     * @param since when the change was decided
     */
    public record Left(long shift, List<Long> ends, Instant since) {
        /** @throws io.trawl.model.InvalidValueException if a number is out of its range */
        public Left {
            FieldRules.count("layout.left.shift", shift);
            ends = ends == null ? List.of() : List.copyOf(ends);
            FieldRules.counts("layout.left.ends", ends);
            FieldRules.present("layout.left.since", since);
        }

        /** Where it ends in a partition; 0 in one that it did not have. */
        public long end(int partition) {
            return partition < ends.size() ? ends.get(partition) : 0;
        }
    }

    /** Whether a change is under way. */
    @JsonIgnore
    public boolean changing() {
        return closing.isPresent() || left.isPresent();
    }

    /** The offset in a partition from which on no response may be handled now. */
    public long limit(int partition) {
        return closing.isPresent() ? 0 : left.map(before -> before.end(partition)).orElse(Long.MAX_VALUE);
    }

    /**
     * The position of a response below {@link #limit}.
     *
     * @param written the layout that it names
     * @return empty if it is void
     */
    public OptionalLong position(int written, long offset) {
        if (left.isPresent()) {
            return written == number - 1 ? OptionalLong.of(left.get().shift() + offset) : OptionalLong.empty();
        }
        return written == number ? OptionalLong.of(shift + offset) : OptionalLong.empty();
    }

    /** The offset of a response of this layout with this position; empty if it is of an earlier one. */
    public OptionalLong offset(long position) {
        return position >= shift ? OptionalLong.of(position - shift) : OptionalLong.empty();
    }

    /** This layout, which ends. */
    public ResponseLayout closingFor(int partitions, Instant at) {
        return new ResponseLayout(number, shift, former, Optional.of(new Closing(partitions, at)), Optional.empty());
    }

    /**
     * The next layout.
     *
     * @param partitions of this one
     * @param ends of all partitions that are read, which were asked for after this one was said to end
     */
    public ResponseLayout next(int partitions, List<Long> ends) {
        Closing change = closing.orElseThrow();
        long lowest = change.partitions() > ends.size() ? 0 : Collections.min(ends);
        return new ResponseLayout(number + 1, shift + Collections.max(ends) - lowest,
                Stream.concat(former.stream(), Stream.of(partitions)).toList(), Optional.empty(),
                Optional.of(new Left(shift, ends, change.since())));
    }

    /** This layout, when all that counts of the one before is handled. */
    public ResponseLayout alone() {
        return new ResponseLayout(number, shift, former, Optional.empty(), Optional.empty());
    }
}
