package io.trawl.coordinator.feed;

import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.FailureReason;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome.OutcomeKind;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A filter of errors; an empty component matches all.
 *
 * @param crawl of that crawl
 * @param kind of that kind ({@code HTTP_ERROR}, {@code TIMEOUT}, {@code FAILURE} for all failures) or from that kind of
 * module ({@code analyzer})
 * @param host about a URL of that host: {@code example.org}, or {@code example.org:8080} for one port
 */
public record ErrorFilter(Optional<CrawlId> crawl, Optional<String> kind,
        Optional<String> host) implements Predicate<CrawlerError> {
    @Override
    public boolean test(CrawlerError error) {
        return (crawl.isEmpty() || crawl.equals(error.crawl()))
                && (kind.isEmpty() || kind.filter(k -> names(error, k)).isPresent()) && (host.isEmpty()
                        || error.url().filter(url -> at(url, host.get().toLowerCase(Locale.ROOT))).isPresent());
    }

    private static boolean names(CrawlerError error, String kind) {
        return kind.equalsIgnoreCase(error.kind()) || kind.equalsIgnoreCase(error.module().word())
                || kind.equalsIgnoreCase(OutcomeKind.FAILURE.name())
                        && Arrays.stream(FailureReason.values()).anyMatch(r -> r.name().equals(error.kind()));
    }

    private static boolean at(String url, String host) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> at(HostKeyFactory.of(normal.text()), host);
            case Refusal none -> false;
        };
    }

    private static boolean at(HostKey server, String host) {
        return host.equals(HostKeyFactory.host(server)) || host.equals(server.value());
    }
}
