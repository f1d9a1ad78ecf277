package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What is asked only so often: whose requests share one pause, one limit of requests in flight, and one place among all partitions. */
public enum PolitenessKey {
    /** A host and port. */
    HOST,
    /** All hosts of a registered domain, on all ports. */
    DOMAIN,
    /** Within one downloader all hosts whose names it found at the same address; for everything between processes a host and port. */
    IP;

    /** As users write it: {@code host}, {@code domain}, {@code ip}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValue if there is no such key */
    @JsonCreator
    public static PolitenessKey of(String word) {
        Optional<PolitenessKey> key = Arrays.stream(values()).filter(k -> k.word().equals(word)).findFirst();
        return key.orElseThrow(() -> new InvalidValue("politeness key", word, "host, domain or ip"));
    }
}
