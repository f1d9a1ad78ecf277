package io.trawl.coordinator.probe;

import io.trawl.control.Channels;
import io.trawl.definition.CrawlDefinition;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleCalls.DownloaderOrder;
import io.trawl.coordinator.call.ModuleCalls.NoWorkerException;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.coordinator.call.ModuleReply.CallReply;
import io.trawl.direct.DownloadCall;
import io.trawl.direct.FramedResponse;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Request;
import io.trawl.model.Response;
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
public record DownloaderCalls(ModuleCalls calls) {
    private static final Duration MARGIN = Duration.ofSeconds(10);
    private static final int NOT_MINE = 421;
    private static final int LATER = 503;

    /**
     * The result of a fetch.
     *
     * @param owner whether the host's owner fetched it
     */
    public record Fetched(MID by, boolean owner, Response response) {}

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
        DownloaderOrder downloaders = calls.downloaders(request.host(), channels);
        List<String> tried = new ArrayList<>();
        for (MID mid : downloaders.order()) {
            boolean own = downloaders.owner().filter(mid::equals).isPresent();
            CallReply<Response> reply = calls.ask(mid, ModuleQuestion.post(DownloadCall.PATH,
                    new DownloadCall(request, definition, own, patience), patience.plus(MARGIN), FramedResponse::read));
            switch (reply) {
                case ModuleReply.AnswerOf<Response>(_, Response response) -> {
                    return new Fetched(mid, own, response);
                }
                case ModuleReply.RefusalOf<Response>(_, int status, String detail, _, Optional<Duration> pause) when status == LATER
                        && pause.isPresent() ->
                    throw new HostBusyException(detail, pause.get());
                case ModuleReply.RefusalOf<Response>(_, int status, _, _, _) when status == NOT_MINE ->
                    tried.add(mid + ": it does not own this host");
                case CallReply<Response> other -> other.failure().ifPresent(tried::add);
            }
        }
        throw new NoWorkerException(ModuleKind.DOWNLOADER, tried);
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
