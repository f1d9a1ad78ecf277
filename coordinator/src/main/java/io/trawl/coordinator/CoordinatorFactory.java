package io.trawl.coordinator;

import io.trawl.coordinator.channel.TopicMaker;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.coordinator.api.ApiEndpoint;
import io.trawl.http.Endpoint;
import io.trawl.model.ModuleKind;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the topics, the coordinator and its endpoint, which it holds until the coordinator is created. */
final class CoordinatorFactory implements StageFactory {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorFactory.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private @Nullable ApiEndpoint api;

    @Override
    public ModuleKind kind() {
        return ModuleKind.COORDINATOR;
    }

    @Override
    public Endpoint endpoint(Settings settings, int port) {
        ApiEndpoint made = new ApiEndpoint(settings, port);
        api = made;
        return made;
    }

    @Override
    public void prepare(Settings settings, TopicNames topicNames, KafkaClients kafka, Time time) {
        try (Admin admin = kafka.admin()) {
            TopicMaker maker = new TopicMaker(settings, topicNames, admin, time);
            String logged = "";
            for (Optional<String> obstacle = obstacle(maker); obstacle.isPresent(); obstacle = obstacle(maker)) {
                if (!obstacle.get().equals(logged)) {
                    logged = obstacle.get();
                    LOG.warn("cannot create the topics yet, retrying every {} s: {}", AGAIN.toSeconds(), logged);
                }
                time.pause(AGAIN);
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /**
     * The temporary error that prevents creating the topics: a broker is still starting, or there are fewer brokers
     * than replicas.
     */
    private static Optional<String> obstacle(TopicMaker maker) throws InterruptedException {
        try {
            maker.prepare();
            return Optional.empty();
        } catch (AuthenticationException | AuthorizationException | UnsupportedVersionException
                | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Stage create(WorkerContext context) {
        Coordinator coordinator = new Coordinator(context);
        ApiEndpoint made = api;
        if (made != null) {
            made.open(coordinator.services(), context.telemetry().heap()::full);
        }
        return coordinator;
    }
}
