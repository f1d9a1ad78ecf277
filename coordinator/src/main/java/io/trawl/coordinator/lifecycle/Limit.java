package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.coordinator.summary.Totals;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** How much a run may do before it is stopped. What is in flight then is still stored, so a limit is exceeded by that. */
enum Limit {
    /** {@code maxPages} */
    PAGES("pages", "maxPages", EndReason.PAGE_LIMIT),
    /** {@code maxBytes} */
    BYTES("bytes", "maxBytes", EndReason.BYTE_LIMIT),
    /** {@code maxTime} */
    TIME("time", "maxTime", EndReason.TIME_LIMIT);

    private final String word;
    private final String field;
    private final EndReason reason;

    Limit(String word, String field, EndReason reason) {
        this.word = word;
        this.field = field;
        this.reason = reason;
    }

    /** What it limits, for people. */
    String word() {
        return word;
    }

    /** The field of the definition. */
    String field() {
        return field;
    }

    /** Why a crawl ends that has reached it. */
    EndReason reason() {
        return reason;
    }

    /** The limit for whose sake a crawl ended, if it was one. */
    static Optional<Limit> of(EndReason reason) {
        return Arrays.stream(values()).filter(limit -> limit.reason == reason).findFirst();
    }

    /** The first limit of the definition that the run has reached. */
    static Optional<Limit> reached(CrawlStatus status, Totals totals, Instant now) {
        return Arrays.stream(values()).filter(limit -> switch (limit) {
            case PAGES -> status.definition().maxPages().filter(most -> totals.pages() >= most).isPresent();
            case BYTES -> status.definition().maxBytes().filter(most -> totals.bytes() >= most).isPresent();
            case TIME -> status.definition().maxTime().filter(most -> status.spentAt(now).compareTo(most) >= 0).isPresent();
        }).findFirst();
    }
}
