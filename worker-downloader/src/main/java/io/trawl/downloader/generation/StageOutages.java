package io.trawl.downloader.generation;

import io.trawl.telemetry.Outage;
import java.util.Optional;
import java.util.stream.Stream;

/** What the servers do not answer at the moment; they outlive a generation. */
public record StageOutages(Outage redis, Outage reading, Outage bodies, Outage writing, Outage names) {
    /** None has begun. */
    public StageOutages() {
        this(new Outage("redis"), new Outage("kafka (requests)"), new Outage("kafka (bodies of requests)"),
                new Outage("kafka (responses)"), new Outage("name servers"));
    }

    /** One that Kafka causes now. */
    public Optional<Outage> ofKafka() {
        return Stream.of(reading, bodies, writing).filter(Outage::now).findFirst();
    }
}
