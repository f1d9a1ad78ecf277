package io.trawl.standalone;

import io.trawl.downloader.fetch.AddressGuard;
import io.trawl.model.InvalidValue;
import java.util.List;
import picocli.CommandLine.Option;

/** How the downloader of this machine works, as options: the same for {@code crawl} and {@code up}. */
final class DownloadOptions {
    private static final int MOST_CONCURRENCY = 100_000;

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "64", description = "Requests in flight in all. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--allow-network", paramLabel = "CIDR", split = ",", description = "A private or loopback network that may be fetched from; can be repeated. "
            + "Default: none.")
    private List<String> allowNetwork = List.of();

    /**
     * Requests in flight in all.
     *
     * @throws InvalidValue if there are too few or too many
     */
    int concurrency() {
        if (concurrency < 1 || concurrency > MOST_CONCURRENCY) {
            throw new InvalidValue("--concurrency", Integer.toString(concurrency), "1 to " + MOST_CONCURRENCY);
        }
        return concurrency;
    }

    /**
     * The networks, as they were typed.
     *
     * @throws InvalidValue if one is no network
     */
    List<String> allowNetwork() {
        guard();
        return allowNetwork;
    }

    /**
     * What judges addresses by these networks.
     *
     * @throws InvalidValue if one is no network
     */
    AddressGuard guard() {
        try {
            return AddressGuard.allowing(allowNetwork);
        } catch (InvalidValue e) {
            throw new InvalidValue("--allow-network", e.value(), e.rule());
        }
    }
}
