package io.trawl.worker;

import io.trawl.model.CrawlId;
import java.util.Optional;

/**
 * What an operator should know about a module at this moment.
 *
 * @param kind of the error that reports it
 * @param about what it is about: a note is reported once for each, as long as it lasts
 * @param text a sentence without the name of the module, with a time and a cause if they are known
 * @param crawl that it concerns; empty if it concerns all
 */
public record StageNote(String kind, String about, String text, Optional<CrawlId> crawl) {
    /** The usual kind: a fault of the module. */
    static final String KIND = "MODULE_NOTE";
    /** About hosts of the web, which are slow or silent in every broad crawl. */
    private static final String HOSTS = "HOST_NOTE";

    /** A note of the usual kind. */
    public StageNote(String about, String text) {
        this(KIND, about, text);
    }

    /** A note that concerns all crawls. */
    StageNote(String kind, String about, String text) {
        this(kind, about, text, Optional.empty());
    }

    /** A note about hosts of the web. @param crawl whose requests they hold up; empty for those of all crawls */
    public static StageNote ofHosts(String about, String text, Optional<CrawlId> crawl) {
        return new StageNote(HOSTS, about, text, crawl);
    }

    /** Whether it is about the module, and not about the web. */
    boolean fault() {
        return !kind.equals(HOSTS);
    }
}
