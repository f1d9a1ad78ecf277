package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.coordinator.summary.Totals;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The limits at which a run is stopped. Fetches of pages begin only within them ({@link PermitAccount}); what is in
 * flight when the bytes are reached, or when the time is over, is still stored.
 */
enum RunLimit {
    /** {@code limits.maxPages} */
    PAGES("pages", "limits.maxPages", EndReason.PAGE_LIMIT),
    /** {@code limits.maxBytes} */
    BYTES("bytes", "limits.maxBytes", EndReason.BYTE_LIMIT),
    /** {@code limits.maxTime} */
    TIME("time", "limits.maxTime", EndReason.TIME_LIMIT);

    private final String word;
    private final String field;
    private final EndReason reason;

    RunLimit(String word, String field, EndReason reason) {
        this.word = word;
        this.field = field;
        this.reason = reason;
    }

    /** The limited quantity, for messages. */
    String word() {
        return word;
    }

    /** The field of the definition. */
    String field() {
        return field;
    }

    /** The end reason of a crawl that has reached the limit. */
    EndReason reason() {
        return reason;
    }

    /** The limit that belongs to an end reason, if there is one. */
    static Optional<RunLimit> of(EndReason reason) {
        return Arrays.stream(values()).filter(runLimit -> runLimit.reason == reason).findFirst();
    }

    /**
     * The first limit of the definition that the run has reached. That of its pages is reached when their requisites
     * are answered, too.
     */
    static Optional<RunLimit> reached(CrawlStatus status, Totals totals, Instant now) {
        return Arrays.stream(values()).filter(runLimit -> switch (runLimit) {
            case PAGES -> status.definition().limits().maxPages().filter(most -> totals.pages() >= most).isPresent()
                    && totals.waitingExempt() == 0;
            case BYTES -> status.definition().limits().maxBytes().filter(most -> totals.bytes() >= most).isPresent();
            case TIME -> status.definition().limits().maxTime().filter(most -> status.spentAt(now).compareTo(most) >= 0)
                    .isPresent();
        }).findFirst();
    }
}
