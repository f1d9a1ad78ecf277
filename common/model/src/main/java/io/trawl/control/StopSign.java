package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import java.time.Instant;
import java.util.Optional;

/**
 * A stop sign (S4), for one crawl, one host or one module or, if none is named, for the whole fleet.
 *
 * @param host a host name, with or without a port, whose requests are not fetched in any crawl
 * @param module that gives its partitions back and waits
 * @param version that of a crawl's sign is the version of the status that was written with it, so that it grows even
 * when a crawl is deleted and defined again
 * @param signed whether it is in force; false after a reset
 */
public record StopSign(Optional<CrawlId> crawl, Optional<String> host, Optional<MID> module, long version,
        boolean signed, Instant at) implements ControlRecord {
    /** @throws io.trawl.model.InvalidValueException if a field is absent or out of its range */
    public StopSign {
        FieldRules.count("version", version);
        FieldRules.present("at", at);
    }

    /** A sign of a scope. */
    public StopSign(SignScope scope, long version, boolean signed, Instant at) {
        this(scope.crawl(), scope.host(), scope.module(), version, signed, at);
    }

    /** The sign of a crawl or, without one, of the fleet. */
    public StopSign(Optional<CrawlId> crawl, long version, boolean signed, Instant at) {
        this(crawl, Optional.empty(), Optional.empty(), version, signed, at);
    }

    /** The key of the stop sign of a crawl, or of the fleet. */
    public static String key(Optional<CrawlId> crawl) {
        return new SignScope(crawl, Optional.empty(), Optional.empty()).key();
    }

    @Override
    @JsonIgnore
    public String key() {
        return scope().key();
    }

    /** What it stops. */
    @JsonIgnore
    public SignScope scope() {
        return new SignScope(crawl, host, module);
    }

    /** What a sign stops: at most one of the three; without any the whole fleet. */
    public record SignScope(Optional<CrawlId> crawl, Optional<String> host, Optional<MID> module) {
        /** All crawls of all modules. */
        public static final SignScope FLEET = new SignScope(Optional.empty(), Optional.empty(), Optional.empty());

        /** One crawl. */
        public static SignScope of(CrawlId crawl) {
            return new SignScope(Optional.of(crawl), Optional.empty(), Optional.empty());
        }

        /** One host, in all crawls. */
        public static SignScope ofHost(String host) {
            return new SignScope(Optional.empty(), Optional.of(host), Optional.empty());
        }

        /** One module. */
        public static SignScope of(MID module) {
            return new SignScope(Optional.empty(), Optional.empty(), Optional.of(module));
        }

        /** The key of its sign. No crawl has an id with a colon. */
        public String key() {
            return "stop/" + crawl.map(CrawlId::value).or(() -> host.map(name -> "host:" + name))
                    .or(() -> module.map(mid -> "module:" + mid)).orElse("*");
        }

        /** Whether it is the whole fleet. */
        public boolean fleet() {
            return equals(FLEET);
        }

        /** Whether this module deals with signs of this scope: one of a host is for downloaders. */
        public boolean concerns(MID mid) {
            return host.isPresent()
                    ? mid.kind() == ModuleKind.DOWNLOADER
                    : module.isEmpty() || module.get().equals(mid);
        }
    }
}
