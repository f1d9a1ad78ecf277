package io.trawl.standalone;

import io.trawl.downloader.fetch.http.AddressGuard;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the local downloader, for {@code crawl} and {@code up}. */
final class DownloadOptions {
    private static final int MOST_CONCURRENCY = 100_000;

    @Option(names = "--concurrency", paramLabel = "N", description = "Maximum number of requests in flight. Default: as many as hosts are ready, "
            + "memory and open files allow.")
    private @Nullable Integer concurrency;

    @Option(names = "--allow-network", paramLabel = "CIDR", split = ",", description = "A private or loopback network to allow; can be repeated. "
            + "Default: none.")
    private List<String> allowNetwork = List.of();

    /** The maximum number of requests in flight, if there is one. */
    Optional<Integer> concurrency(FaultCollector faults) {
        return Optional.ofNullable(concurrency).flatMap(cap -> faults.note(() -> {
            FieldRules.range("--concurrency", cap, 1, MOST_CONCURRENCY);
            return cap;
        }));
    }

    /** The networks, as given; they are valid if {@link #guard} is. */
    List<String> allowNetwork() {
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
