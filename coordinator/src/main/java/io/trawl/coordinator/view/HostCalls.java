package io.trawl.coordinator.view;

import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleCalls.NoWorkerException;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.coordinator.call.ModuleReply.CallReply;
import io.trawl.direct.HostListing;
import io.trawl.direct.HostListing.HostRow;
import io.trawl.direct.HostOrder;
import io.trawl.model.CrawlId;
import io.trawl.model.ModuleKind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Merges the tables of hosts of all downloaders. Thread-safe; calls block for some seconds at most. */
public record HostCalls(ModuleCalls calls) {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /**
     * What is looked for.
     *
     * @param part a part of the host's name; empty for all
     * @param offset how many hosts of the order come before
     */
    public record HostQuery(Optional<CrawlId> crawl, String part, HostOrder order, int offset, int limit) {}

    /**
     * A page of the table. A host that moved has a row at each downloader that has answered its requests.
     *
     * @param matching hosts that match, over all pages
     * @param silent downloaders that did not answer, with the reason: their hosts are missing
     */
    public record HostList(long matching, List<HostRow> hosts, List<String> silent) {}

    /** @throws NoWorkerException if no downloader is registered, or none answers */
    public HostList hosts(HostQuery query) throws InterruptedException {
        Map<String, String> parameters = new HashMap<>(Map.of("limit", Integer.toString(query.offset() + query.limit()),
                "sort", query.order().word(), "q", query.part()));
        query.crawl().ifPresent(id -> parameters.put("crawl", id.toString()));
        List<CallReply<HostListing>> replies = calls.all(ModuleKind.DOWNLOADER,
                ModuleQuestion.get(HostListing.PATH, parameters, LIMIT, HostListing.class));
        List<HostListing> parts = replies.stream().flatMap(reply -> reply.answer().stream()).toList();
        List<String> silent = replies.stream().flatMap(reply -> reply.failure().stream()).toList();
        if (parts.isEmpty()) {
            throw new NoWorkerException(ModuleKind.DOWNLOADER, silent);
        }
        return new HostList(parts.stream().mapToLong(HostListing::matching).sum(),
                parts.stream().flatMap(part -> part.rows().stream()).sorted(query.order().rows()).skip(query.offset())
                        .limit(query.limit()).toList(),
                silent);
    }
}
