package io.trawl.standalone;

import io.trawl.downloader.fetch.AddressGuard;
import io.trawl.model.InvalidValueException;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of the local downloader, for {@code crawl} and {@code up}. */
final class DownloadOptions {
    private static final int MOST_CONCURRENCY = 100_000;

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "64", description = "Maximum number of requests in flight. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--allow-network", paramLabel = "CIDR", split = ",", description = "A private or loopback network to allow; can be repeated. "
            + "Default: none.")
    private List<String> allowNetwork = List.of();

    /**
     * The maximum number of requests in flight.
     *
     * @throws InvalidValueException if there are too few or too many
     */
    int concurrency() {
        if (concurrency < 1 || concurrency > MOST_CONCURRENCY) {
            throw new InvalidValueException("--concurrency", Integer.toString(concurrency), "1 to " + MOST_CONCURRENCY);
        }
        return concurrency;
    }

    /**
     * The networks, as given.
     *
     * @throws InvalidValueException if one is not a valid network
     */
    List<String> allowNetwork() {
        guard();
        return allowNetwork;
    }

    /**
     * The address guard that allows these networks.
     *
     * @throws InvalidValueException if one is not a valid network
     */
    AddressGuard guard() {
        try {
            return AddressGuard.allowing(allowNetwork);
        } catch (InvalidValueException e) {
            throw new InvalidValueException("--allow-network", e.value(), e.rule());
        }
    }
}
