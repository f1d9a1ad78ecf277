package io.trawl.coordinator.api;

import io.javalin.http.HttpResponseException;
import io.trawl.codec.MalformedRecord;
import io.trawl.coordinator.lifecycle.ChannelFull;
import io.trawl.coordinator.lifecycle.Fault;
import io.trawl.coordinator.lifecycle.IllegalMove;
import io.trawl.coordinator.lifecycle.InvalidDefinition;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeading;
import io.trawl.coordinator.lifecycle.OtherDefinition;
import io.trawl.coordinator.lifecycle.Scribe.NotWritten;
import io.trawl.coordinator.lifecycle.UnknownCrawl;
import io.trawl.coordinator.workers.HostBusy;
import io.trawl.coordinator.workers.NoWorker;
import io.trawl.coordinator.workers.SilentModule;
import io.trawl.coordinator.workers.UnknownModule;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.InvalidValue;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which exception is which problem. Pure, but for a line in the log about an error of our own. */
final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private Problems() {}

    /** @param path what was asked for */
    static Problem of(Exception e, String path) {
        return switch (e) {
            case InvalidDefinition invalid ->
                Problem.of("invalid", "The request breaks rules", 400, message(invalid), path, invalid.faults());
            case InvalidValue invalid ->
                Problem.of("invalid", "The request breaks rules", 400, message(invalid), path, List.of(Fault.of(invalid)));
            case MalformedRecord malformed -> Problem.of("malformed", "The body cannot be read", 400, message(malformed), path);
            case AccessRefused refused ->
                Problem.of("access", refused.status() == 401 ? "Who is asking?" : "Not allowed", refused.status(),
                        message(refused), path);
            case PartlyTaken partly -> of(partly.why(), path).after(partly.taken());
            case UnknownModule unknown -> Problem.of("unknown-module", "No such module", 404, message(unknown), path);
            case SilentModule silent -> Problem.of("silent-module", "The module does not answer", 502, message(silent), path);
            case UnknownCrawl unknown -> Problem.of("unknown-crawl", "No such crawl", 404, message(unknown), path);
            case IllegalMove illegal -> Problem.of("illegal-move", "The crawl's state forbids it", 409, message(illegal), path);
            case OtherDefinition other ->
                Problem.of("other-definition", "The crawl exists with another definition", 409, message(other), path);
            case ChannelFull full ->
                Problem.of("channel-full", "No room at that priority", 429, message(full), path);
            case HostBusy busy -> Problem.of("host-busy", "The host may not be asked now", 503, message(busy), path);
            case NoWorker nobody -> Problem.of("no-worker", "No worker answers", 503, message(nobody), path);
            case NotLeading nobody ->
                Problem.of("no-leader", "No coordinator leads", 503, "no coordinator leads at this moment: try again", path);
            case LedgerUnavailable redis -> Problem.of("unavailable", "Redis does not answer", 503, message(redis), path);
            case NotWritten kafka -> Problem.of("unavailable", "Kafka does not answer", 503, message(kafka), path);
            case KafkaException kafka -> Problem.of("unavailable", "Kafka does not answer", 503, message(kafka), path);
            case HttpResponseException http ->
                Problem.of("http-" + http.getStatus(), title(http.getStatus()), http.getStatus(), message(http), path);
            default -> own(e, path);
        };
    }

    /** After how many seconds it may be worth while to ask again; empty if the answer would be the same. */
    static Optional<String> retryAfter(int status) {
        return switch (status) {
            case 429 -> Optional.of("5");
            case 503 -> Optional.of("1");
            default -> Optional.empty();
        };
    }

    private static Problem own(Exception e, String path) {
        LOG.error("error while answering {}", path, e);
        return Problem.of("internal", "An error of the coordinator", 500, "see its log", path);
    }

    private static String title(int status) {
        return switch (status) {
            case 404 -> "No such page";
            case 405 -> "Not a method of this page";
            case 413 -> "The body is too large";
            case 421 -> "Not the leader";
            default -> "The request cannot be answered";
        };
    }

    private static String message(Exception e) {
        return String.valueOf(e.getMessage());
    }
}
