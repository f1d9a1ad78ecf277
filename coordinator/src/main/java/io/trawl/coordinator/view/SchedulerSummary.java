package io.trawl.coordinator.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.QueueSummary;
import io.trawl.coordinator.summary.QueueSummary.ChannelBacklog;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.ModuleSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The summary of a scheduler in one process (S15), for programs that know its fields: the same numbers as
 * {@link FleetSummary}, of one crawl or of all.
 *
 * @param requestArgs the arguments of requests
 * @param dataArgs the sizes of the buffers
 * @param moduleArgs how many modules there are
 * @param status the state of the crawl, or of the channels
 * @param downloaders the modules of this kind
 * @param requestBufferPool the channels of requests: a buffer for each priority
 * @param responseBufferPool the channel of responses
 * @param urlNumber the URLs that the ledger knows
 * @param stopSign of the crawl, or of the fleet
 */
@JsonNaming(SnakeCaseStrategy.class)
public record SchedulerSummary(RequestArguments requestArgs, DataArguments dataArgs, ModuleArguments moduleArgs,
        String status, List<SchedulerModule> downloaders, List<SchedulerModule> analyzers,
        List<SchedulerModule> pipelines, BufferPool requestBufferPool, BufferPool responseBufferPool,
        BufferPool itemBufferPool, BufferPool errorBufferPool, long urlNumber, StopSignSummary stopSign) {
    /**
     * The arguments of requests.
     *
     * @param acceptedPrimaryDomains in alphabetical order
     * @param maxDepth of all crawls the greatest
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record RequestArguments(List<String> acceptedPrimaryDomains, int maxDepth) {}

    /** The capacity of a buffer, 0 if it has no limit, and the number of buffers, of each kind of data. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record DataArguments(long reqBufferCap, int reqMaxBufferNumber, long respBufferCap, int respMaxBufferNumber,
            long itemBufferCap, int itemMaxBufferNumber, long errorBufferCap, int errorMaxBufferNumber) {}

    /** The number of live modules of each kind. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record ModuleArguments(int downloaderListSize, int analyzerListSize, int pipelineListSize) {}

    /**
     * A module.
     *
     * @param extra values of this kind of module; absent if the module did not answer
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record SchedulerModule(MID id, long called, long accepted, long completed, long handling,
            Optional<Map<String, Object>> extra) {}

    /**
     * The state of the buffers of a kind of data.
     *
     * @param bufferCap the capacity of the smallest; 0 if there is no limit
     * @param total what waits in all of them
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record BufferPool(long bufferCap, int maxBufferNumber, int bufferNumber, long total) {
        static BufferPool of(ChannelBacklog channel) {
            return new BufferPool(channel.limit().orElse(0L), 1, 1,
                    channel.unfinished().or(channel::backlog).orElse(0L));
        }
    }

    /**
     * The summary of these crawls.
     *
     * @param answers the summaries of the modules that have answered
     * @param status the state of the crawl, or of the channels
     * @param urls that the ledger knows of these crawls
     */
    public static SchedulerSummary of(FleetSummary fleet, List<CrawlSummary> crawls, Map<MID, ModuleSummary> answers,
            String status, long urls, StopSignSummary stopSign) {
        QueueSummary queue = fleet.queue();
        long base = queue.levels().stream().flatMap(level -> level.capacity().stream()).min(Long::compare).orElse(0L);
        int levels = queue.levels().size();
        BufferPool requests = new BufferPool(base, levels, levels,
                queue.levels().stream().mapToLong(level -> level.backlog().orElse(0L)).sum());
        BufferPool responses = BufferPool.of(queue.responses());
        BufferPool items = BufferPool.of(queue.items());
        BufferPool errors = BufferPool.of(queue.errors());
        List<SchedulerModule> downloaders = modules(fleet, ModuleKind.DOWNLOADER, answers);
        List<SchedulerModule> analyzers = modules(fleet, ModuleKind.ANALYZER, answers);
        List<SchedulerModule> pipelines = modules(fleet, ModuleKind.PIPELINE, answers);
        return new SchedulerSummary(
                new RequestArguments(
                        crawls.stream().flatMap(crawl -> crawl.domains().stream()).distinct().sorted().toList(),
                        crawls.stream().mapToInt(crawl -> crawl.definition().limits().depth()).max().orElse(0)),
                new DataArguments(requests.bufferCap(), levels, responses.bufferCap(), 1, items.bufferCap(), 1,
                        errors.bufferCap(), 1),
                new ModuleArguments(downloaders.size(), analyzers.size(), pipelines.size()), status, downloaders,
                analyzers, pipelines, requests, responses, items, errors, urls, stopSign);
    }

    private static List<SchedulerModule> modules(FleetSummary fleet, ModuleKind kind, Map<MID, ModuleSummary> answers) {
        return fleet.modules().stream().filter(module -> module.mid().kind() == kind)
                .map(module -> new SchedulerModule(module.mid(), module.counts().called(), module.counts().accepted(),
                        module.counts().completed(), module.counts().handling(),
                        Optional.ofNullable(answers.get(module.mid())).map(ModuleSummary::extra)))
                .toList();
    }
}
