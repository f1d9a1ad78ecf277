package io.trawl.coordinator.channel;

import static java.util.Objects.requireNonNull;

import io.trawl.model.InvalidValueException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What brokers and topics are configured with.
 *
 * @param admin lent
 */
record BrokerConfigs(Admin admin) {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerConfigs.class);
    private static final String AUTO_CREATE = "auto.create.topics.enable";
    private static final String SESSION = "group.consumer.session.timeout.ms";
    private static final long SLOW_SESSION = 45_000;
    /**
     * What the broker forgets after some time, with its unit in milliseconds, and what is endangered when that is less
     * than a day.
     */
    private static final List<ForgottenState> FORGOTTEN = List.of(new ForgottenState("offsets.retention.minutes",
            60_000,
            "events may be sent to webhooks again, and the topic positions alone says how far the groups have come"),
            new ForgottenState("transactional.id.expiration.ms", 1,
                    "a process that was paused for longer may not be fenced"));
    /** A setting of the broker. */
    private record ForgottenState(String setting, long unit, String endangered) {
        Optional<String> warning(Map<String, String> broker) {
            return Optional.ofNullable(broker.get(setting))
                    .filter(value -> Long.parseLong(value) * unit < Duration.ofDays(1).toMillis())
                    .map(value -> "the broker has " + setting + "=" + value
                            + ", less than a day: when no process runs for longer, " + endangered);
        }
    }

    /** Warns of what endangers a promise. @throws InvalidValueException if the broker creates topics automatically */
    void check() throws InterruptedException {
        Map<String, String> broker;
        try {
            int node = anyBroker(BrokerCall.get(() -> admin.describeCluster().nodes().get()));
            ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(node));
            broker = requireNonNull(of(List.of(resource)).get(resource));
        } catch (AuthorizationException e) {
            LOG.warn("not authorised to read the broker's settings: make sure that {} is false", AUTO_CREATE);
            return;
        }
        if ("true".equals(broker.get(AUTO_CREATE))) {
            throw new InvalidValueException(AUTO_CREATE, "true",
                    "false on every broker: a deleted topic must not be recreated automatically");
        }
        FORGOTTEN.stream().map(state -> state.warning(broker)).flatMap(Optional::stream).forEach(LOG::warn);
        String session = broker.getOrDefault(SESSION, "0");
        if (Long.parseLong(session) >= SLOW_SESSION) {
            LOG.warn(
                    "the broker has {}={}: after a crash, other processes take over only after this time; 6000 is better (see docs/configuration.md, Kafka and Redis)",
                    SESSION, session);
        }
    }

    /**
     * @throws BrokerNotAvailableException if there is none: the controller has fenced all, or knows none yet, which is
     * temporary
     */
    static int anyBroker(Collection<Node> nodes) {
        return nodes.stream().findFirst().orElseThrow(() -> new BrokerNotAvailableException("no broker is ready")).id();
    }

    /** The values that are set, or that the broker has by default. */
    Map<ConfigResource, Map<String, String>> of(Collection<ConfigResource> resources) throws InterruptedException {
        Map<ConfigResource, Map<String, String>> configs = new HashMap<>();
        BrokerCall.get(() -> admin.describeConfigs(resources).all().get()).forEach((resource, config) -> {
            Map<String, String> values = new HashMap<>();
            config.entries().stream().filter(e -> e.value() != null).forEach(e -> values.put(e.name(), e.value()));
            configs.put(resource, values);
        });
        return configs;
    }
}
