package io.trawl.direct;

import io.trawl.direct.HostListing.HostRow;
import io.trawl.model.Choice;
import java.time.Duration;
import java.util.Comparator;

/** The orders of a table of hosts. Equal hosts are in the order of their names, so that the order is total. */
public enum HostOrder implements Choice {
    /** The most waiting requests first. */
    WAITING(Comparator.comparingLong(HostRow::waiting).reversed()),
    /** The most answers first. */
    ANSWERED(Comparator.comparingLong(HostRow::answered).reversed()),
    /** The most errors and failed tries first. */
    ERRORS(Comparator.comparingLong((HostRow row) -> row.errors() + row.failures()).reversed()),
    /** The longest pause first. */
    PAUSE(Comparator.comparing((HostRow row) -> row.pause().orElse(Duration.ZERO)).reversed()),
    /** The farthest next turn first. */
    NEXT(Comparator.comparing((HostRow row) -> row.nextIn().orElse(Duration.ZERO)).reversed()),
    /** By name. */
    HOST(Comparator.comparing(row -> row.host().value()));

    private final Comparator<HostRow> rows;

    HostOrder(Comparator<HostRow> rows) {
        this.rows = rows.thenComparing(row -> row.host().value()).thenComparing(row -> row.mid().toString());
    }

    /** Compares rows. */
    public Comparator<HostRow> rows() {
        return rows;
    }
}
