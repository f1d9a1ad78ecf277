package io.trawl.coordinator.api;

import io.trawl.coordinator.api.LeaderForwarder.LeaderLostException;
import io.trawl.coordinator.api.SeedRoutes.PartlyTakenException;
import io.trawl.coordinator.channel.ReplacementInProgressException;
import io.trawl.coordinator.definition.DefinitionTag.ChangedMeanwhileException;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.leader.CrawlControl.ClosedCrawlException;
import io.trawl.coordinator.leader.CrawlControl.SeedsPendingException;
import io.trawl.coordinator.leader.StopSignControl.LastCoordinatorException;
import io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.coordinator.lifecycle.IllegalMoveException;
import io.trawl.coordinator.lifecycle.LifecycleCommands.OtherDefinitionException;
import io.trawl.coordinator.probe.DownloaderCalls.HostBusyException;
import io.trawl.coordinator.call.ModuleCalls.SilentModuleException;
import io.trawl.coordinator.call.ModuleCalls.UnknownModuleException;
import io.trawl.coordinator.call.ModuleCalls.NoWorkerException;
import io.trawl.coordinator.queue.ChannelFullException;
import io.trawl.coordinator.seed.QuotaRules.QuotaExceededException;
import io.trawl.http.Problem;
import io.trawl.http.ProblemMapping;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.KafkaException;

/** Which exceptions of the coordinator are which problems. */
class CoordinatorProblems extends ProblemMapping {
    /** After how many seconds to try again, if an exception knows that. */
    @Override
    protected OptionalLong again(Exception e) {
        return e instanceof QuotaExceededException quota ? OptionalLong.of(quota.again()) : super.again(e);
    }

    @Override
    public Problem problem(Exception e, String path) {
        return switch (e) {
            case InvalidDefinitionException invalid ->
                Problem.of("invalid", "The request breaks rules", 400, message(invalid), path, invalid.faults())
                        .withMore(invalid.more());
            case PartlyTakenException partly -> problem(partly.why(), path).after(partly.taken());
            case UnknownModuleException unknown ->
                Problem.of("unknown-module", "No such module", 404, message(unknown), path);
            case SilentModuleException silent ->
                Problem.of("silent-module", "The module does not answer", 502, message(silent), path);
            case UnknownCrawlException unknown ->
                Problem.of("unknown-crawl", "No such crawl", 404, message(unknown), path);
            case IllegalMoveException illegal ->
                Problem.of("illegal-move", "The crawl's state forbids it", 409, message(illegal), path);
            case OtherDefinitionException other ->
                Problem.of("other-definition", "The crawl exists with another definition", 409, message(other), path);
            case ChangedMeanwhileException changed ->
                Problem.of("changed", "The definition is not the expected one", 412, message(changed), path);
            case ClosedCrawlException closed -> Problem.of("closed", "The crawl is closed", 409, message(closed), path);
            case ReplacementInProgressException running ->
                Problem.of("replacement-in-progress", "The channels are being changed", 409, message(running), path);
            case LastCoordinatorException last ->
                Problem.of("last-coordinator", "No other coordinator could reset the sign", 409, message(last), path);
            case ChannelFullException full ->
                Problem.of("channel-full", "No room at that priority", 429, message(full), path);
            case QuotaExceededException quota ->
                Problem.of("quota", "A quota is spent", quota.status(), message(quota), path, List.of(quota.fault()));
            case HostBusyException busy ->
                Problem.of("host-busy", "The host may not be asked now", 503, message(busy), path);
            case NoWorkerException none -> Problem.of("no-worker", "No worker answers", 503, message(none), path);
            case NotLeadingException _ -> Problem.of("no-leader", "No coordinator leads", 503,
                    "no coordinator leads at this moment: try again", path);
            case LeaderLostException lost ->
                Problem.of("leader-lost", "The leader does not answer", 503, message(lost), path);
            case SeedsPendingException pending ->
                Problem.of("seeds-pending", "Seeds are still being admitted", 503, message(pending), path);
            case ControlNotWrittenException kafka ->
                Problem.of("unavailable", "Kafka does not answer", 503, message(kafka), path);
            case KafkaException kafka -> Problem.of("unavailable", "Kafka does not answer", 503, message(kafka), path);
            default -> super.problem(e, path);
        };
    }
}
