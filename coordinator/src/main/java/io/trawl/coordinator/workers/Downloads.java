package io.trawl.coordinator.workers;

import io.trawl.channel.RequestOwners;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.workers.WorkerCalls.Reply;
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
 * Has a downloader fetch a URL now. First the one is asked to which Kafka has given the partition of the host, at whose gate the host's pauses hold in the
 * whole fleet. If there is none, or it does not answer, the others are asked in the order of their load, as stand-ins: there only their own exchanges with
 * the host are minded. Whoever says that the host must wait is believed. Thread-safe; calls block.
 */
public final class Downloads {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final int NOT_MINE = 421;
    private static final int LATER = 503;
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final RequestOwners owners;

    /**
     * What was fetched.
     *
     * @param owner whether it went by the gate of the host's owner
     */
    public record Fetched(MID by, boolean owner, Response response) {}

    /** With these ways to ask. */
    public Downloads(WorkerCalls calls, Registrar registrar, RequestOwners owners) {
        this.calls = calls;
        this.registrar = registrar;
        this.owners = owners;
    }

    /**
     * Fetches.
     *
     * @param channels the request topics; empty if they are not known
     * @param patience for how long at most, the host's pauses included
     * @throws HostBusy if the host may not be asked in that time
     * @throws NoWorker if no downloader answers
     */
    public Fetched fetch(Request request, CrawlDefinition definition, Optional<Channels> channels, Duration patience)
            throws InterruptedException {
        List<MID> live = registrar.byLoad(ModuleKind.DOWNLOADER).stream().map(r -> r.mid()).toList();
        Optional<MID> owner = channels.isEmpty() ? Optional.empty() : owners.owner(request.host(), channels.get(), live);
        List<MID> order = new ArrayList<>(live);
        owner.ifPresent(mid -> {
            order.remove(mid);
            order.addFirst(mid);
        });
        List<String> tried = new ArrayList<>();
        for (MID mid : order) {
            boolean own = owner.filter(mid::equals).isPresent();
            byte[] body = Json.bytes(new DownloadCall(request, definition, own, patience));
            Reply reply = calls.post(mid, DownloadCall.PATH, "application/json", body, patience.plus(MARGIN));
            if (reply instanceof Reply.Done(byte[] framed)) {
                return new Fetched(mid, own, FramedResponse.read(framed));
            }
            tried.add(mid + ": " + refusal(reply));
        }
        throw new NoWorker(ModuleKind.DOWNLOADER, tried);
    }

    private static String refusal(Reply reply) {
        return switch (reply) {
            case Reply.Turned(int status, String detail, Optional<Duration> pause) when status == LATER && pause.isPresent() ->
                throw new HostBusy(detail, pause.get());
            case Reply.Turned(int status, String detail, _) -> status == NOT_MINE ? "it does not have this host" : detail;
            case Reply.Silent(String why) -> why;
            case Reply.Done _ -> "";
        };
    }
}
