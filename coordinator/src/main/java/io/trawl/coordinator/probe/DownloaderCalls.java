package io.trawl.coordinator.probe;

import io.trawl.channel.RequestOwnerLookup;
import io.trawl.codec.Json;
import io.trawl.control.Channels;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.probe.WorkerCalls.NoWorkerException;
import io.trawl.coordinator.probe.WorkerCalls.WorkerReply;
import io.trawl.direct.DownloadCall;
import io.trawl.direct.FramedResponse;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.module.Registrar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets a downloader fetch a URL now. The owner of the host's partition is called first, because it enforces the host's
 * pauses for the whole fleet. If there is no owner, or it does not answer, the other downloaders are called in the
 * order of their load, as stand-ins: these only consider their own requests to the host. If a downloader reports that
 * the host must wait, the call fails. Thread-safe; calls block.
 */
public final class DownloaderCalls {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final int NOT_MINE = 421;
    private static final int LATER = 503;
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final RequestOwnerLookup owners;

    /**
     * The result of a fetch.
     *
     * @param owner whether the host's owner fetched it
     */
    public record Fetched(MID by, boolean owner, Response response) {}

    public DownloaderCalls(WorkerCalls calls, Registrar registrar, RequestOwnerLookup owners) {
        this.calls = calls;
        this.registrar = registrar;
        this.owners = owners;
    }

    /**
     * Fetches a URL.
     *
     * @param channels the request topics; empty if they are not known
     * @param patience the time limit, including the host's pauses
     * @throws HostBusyException if the host's pause is longer than that
     * @throws NoWorkerException if no downloader answers
     */
    public Fetched fetch(Request request, CrawlDefinition definition, Optional<Channels> channels, Duration patience)
            throws InterruptedException {
        List<MID> live = registrar.byLoad(ModuleKind.DOWNLOADER).stream().map(r -> r.mid()).toList();
        Optional<MID> owner = channels.isEmpty()
                ? Optional.empty()
                : owners.owner(request.host(), channels.get(), live);
        List<MID> order = new ArrayList<>(live);
        owner.ifPresent(mid -> {
            order.remove(mid);
            order.addFirst(mid);
        });
        List<String> tried = new ArrayList<>();
        for (MID mid : order) {
            boolean own = owner.filter(mid::equals).isPresent();
            byte[] body = Json.bytes(new DownloadCall(request, definition, own, patience));
            WorkerReply workerReply = calls.post(mid, DownloadCall.PATH, "application/json", body,
                    patience.plus(MARGIN));
            if (workerReply instanceof WorkerReply.SuccessfulReply(byte[] framed)) {
                return new Fetched(mid, own, FramedResponse.read(framed));
            }
            tried.add(mid + ": " + refusal(workerReply));
        }
        throw new NoWorkerException(ModuleKind.DOWNLOADER, tried);
    }

    private static String refusal(WorkerReply workerReply) {
        return switch (workerReply) {
            case WorkerReply.RefusedReply(int status, String detail, Optional<Duration> pause) when status == LATER
                    && pause.isPresent() ->
                throw new HostBusyException(detail, pause.get());
            case WorkerReply.RefusedReply(int status, String detail, _) ->
                status == NOT_MINE ? "it does not own this host" : detail;
            case WorkerReply.NoReply(String why) -> why;
            case WorkerReply.SuccessfulReply _ -> "";
        };
    }

    /** The pause of a host is longer than the time limit. The message may be shown to users. */
    public static final class HostBusyException extends RuntimeException {
        private final Duration pause;

        /** @param pause the time after which to retry */
        public HostBusyException(String message, Duration pause) {
            super(message);
            this.pause = pause;
        }

        /** The time after which to retry. */
        public Duration pause() {
            return pause;
        }
    }
}
