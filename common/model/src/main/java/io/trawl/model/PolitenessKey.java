package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The scope of politeness limits: its requests share one pause, one limit of requests in flight, and one partition. */
public enum PolitenessKey {
    /** A host and port. */
    HOST,
    /** All hosts of a registered domain, on all ports. */
    DOMAIN,
    /** Within one downloader, all hosts that resolve to the same address; between processes, a host and port. */
    IP;

    /** The form in settings and JSON: {@code host}, {@code domain}, {@code ip}. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws InvalidValueException if the key is unknown */
    @JsonCreator
    public static PolitenessKey of(String word) {
        Optional<PolitenessKey> key = Arrays.stream(values()).filter(k -> k.word().equals(word)).findFirst();
        return key.orElseThrow(() -> new InvalidValueException("politeness key", word, "host, domain or ip"));
    }
}
