package io.trawl.coordinator.definition;

import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.sink.SinkDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What the operator of a crawl should know about its definition, although nothing in it is wrong. Pure functions. */
public final class CrawlNotes {
    private CrawlNotes() {}

    /**
     * A sentence for each.
     *
     * @param domains the accepted domains, or the hosts of the seeds
     */
    public static List<String> of(FetchRules fetch, Collection<String> domains) {
        List<String> notes = new ArrayList<>();
        if (!fetch.ignoreRobots().isEmpty()) {
            notes.add("robots.txt is not read on " + String.join(", ", fetch.ignoreRobots())
                    + ": fetch.ignoreRobots names hosts of your own only");
        }
        if (!fetch.namesContact() && !domains.stream().allMatch(CrawlNotes::loopback)) {
            notes.add(
                    "the user agent names no contact, so site owners cannot reach you: set fetch.contact (--contact)");
        }
        return List.copyOf(notes);
    }

    /**
     * What keeps the items of every run; empty if all of them are in files, of which those of older runs are deleted,
     * or in sinks that upsert, which keep the newest.
     */
    public static List<String> ofRuns(CrawlDefinition definition) {
        List<String> sinks = definition.sinks().stream()
                .filter(sink -> sink.isArchive() || !sink.isFiles() && !sink.upserts()).map(SinkDefinition::named)
                .toList();
        return sinks.isEmpty()
                ? List.of()
                : List.of("keep is about files of items and errors: " + String.join(", ", sinks)
                        + (sinks.size() == 1 ? " keeps" : " keep") + " what every run gave");
    }

    /** A name or address of this machine (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3). */
    private static boolean loopback(String host) {
        return host.equals("localhost") || host.endsWith(".localhost") || host.equals("[::1]")
                || host.matches("127\\.[0-9.]{1,11}");
    }
}
