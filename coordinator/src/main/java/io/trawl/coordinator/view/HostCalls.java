package io.trawl.coordinator.view;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.probe.WorkerCalls;
import io.trawl.coordinator.probe.WorkerCalls.NoWorkerException;
import io.trawl.coordinator.probe.WorkerCalls.WorkerReply;
import io.trawl.direct.HostOrder;
import io.trawl.direct.HostListing;
import io.trawl.direct.HostListing.HostRow;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Merges the tables of hosts of all downloaders. Thread-safe; calls block for some seconds at most. */
public final class HostCalls {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private final WorkerCalls calls;
    private final Registrar registrar;

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

    private record Part(MID mid, WorkerReply reply) {}

    public HostCalls(WorkerCalls calls, Registrar registrar) {
        this.calls = calls;
        this.registrar = registrar;
    }

    /** @throws NoWorkerException if no downloader is registered, or none answers */
    public HostList hosts(HostQuery query) throws InterruptedException {
        String path = HostListing.PATH + "?limit=" + (query.offset() + query.limit()) + "&sort=" + query.order().word()
                + "&q=" + URLEncoder.encode(query.part(), StandardCharsets.UTF_8)
                + query.crawl().map(id -> "&crawl=" + id).orElse("");
        List<HostRow> rows = new ArrayList<>();
        List<String> silent = new ArrayList<>();
        long matching = 0;
        List<Part> parts = parts(path);
        for (Part part : parts) {
            try {
                switch (part.reply()) {
                    case WorkerReply.SuccessfulReply(byte[] json) -> {
                        HostListing read = Json.read(json, HostListing.class);
                        rows.addAll(read.rows());
                        matching += read.matching();
                    }
                    case WorkerReply.RefusedReply(_, String detail, _) -> silent.add(part.mid() + ": " + detail);
                    case WorkerReply.NoReply(String why) -> silent.add(part.mid() + ": " + why);
                }
            } catch (MalformedRecordException e) {
                silent.add(part.mid() + ": its answer is not valid: " + e.getMessage());
            }
        }
        if (silent.size() == parts.size()) {
            throw new NoWorkerException(ModuleKind.DOWNLOADER, silent);
        }
        return new HostList(matching,
                rows.stream().sorted(query.order().rows()).skip(query.offset()).limit(query.limit()).toList(), silent);
    }

    private List<Part> parts(String path) throws InterruptedException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Part> parts = new ArrayList<>();
            for (Future<Part> part : threads.invokeAll(registrar.all(ModuleKind.DOWNLOADER).stream().map(
                    r -> (java.util.concurrent.Callable<Part>) () -> new Part(r.mid(), calls.get(r.mid(), path, LIMIT)))
                    .toList())) {
                parts.add(part.get());
            }
            return parts;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
