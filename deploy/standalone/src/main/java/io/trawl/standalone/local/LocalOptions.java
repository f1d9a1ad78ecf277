package io.trawl.standalone.local;

import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.downloader.fetch.http.AddressGuard;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Request;
import io.trawl.scope.ScopeRules;
import io.trawl.settings.Settings;
import io.trawl.standalone.crawl.CrawlFile;
import io.trawl.standalone.crawl.LocalSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of what runs without servers. */
public final class LocalOptions {
    @Option(names = "--file", paramLabel = "FILE", description = "A crawl file whose rules apply. Needs no server: this process fetches, analyzes and runs the item processors.")
    private @Nullable Path file;

    @Option(names = "--allow-network", paramLabel = "CIDR", split = ",", description = "A private or loopback network that this process may fetch from; can be repeated. Default: none.")
    private List<String> allowNetwork = List.of();

    @Option(names = "--fetcher", paramLabel = "NAME", description = "The fetcher of the page, instead of the crawl's: http, browser (needs TRAWL_DOWNLOADER_BROWSER), or that of a plug-in.")
    private @Nullable String fetcher;

    /** The name of a fetcher instead of that of the crawl. */
    public Optional<String> fetcher() {
        return Optional.ofNullable(fetcher);
    }

    /** Whether this process fetches: by a crawl file, or from networks that it may fetch from. */
    public boolean given() {
        return file != null || !allowNetwork.isEmpty();
    }

    /** The settings: those of stages from the environment. */
    Settings settings() {
        return settings(allowNetwork);
    }

    /** The settings with these networks. @throws InvalidValueException if one is none */
    public static Settings settings(List<String> allowNetwork) {
        try {
            AddressGuard.allowing(allowNetwork);
        } catch (InvalidValueException e) {
            throw new InvalidValueException("--allow-network", e.value(), e.rule());
        }
        return LocalSettings.withoutServers(allowNetwork, System.getenv());
    }

    /**
     * What holds for a URL.
     *
     * @throws InvalidValueException if the URL cannot be fetched, or the name of the file is no name of a crawl
     * @throws io.trawl.coordinator.definition.InvalidDefinitionException with every fault of the file
     */
    LocalCrawl crawl(String url, Settings settings) {
        Candidate.Open target = target(url, settings);
        return Optional.ofNullable(file).map(CrawlFile::checked).map(checked -> LocalCrawl.of(checked, target))
                .orElseGet(() -> LocalCrawl.of(target));
    }

    /** A URL that can be fetched. @throws InvalidValueException if it cannot */
    public static Candidate.Open target(String url, Settings settings) {
        return switch (new Admission(settings.analyzer().urlLength()).seed(Optional.of(url), 0, Request.MOST_LEVELS,
                ScopeRules.within(0))) {
            case Candidate.Open open -> open;
            case Refusal no -> throw new InvalidValueException("URL", UrlNormalizer.shown(url),
                    "an absolute http or https URL such as https://example.org/ (" + no.cause() + ")");
        };
    }
}
