package io.trawl.coordinator.probe;

import io.trawl.channel.RequestOwnerLookup;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.Channels;
import io.trawl.coordinator.probe.WorkerCalls.WorkerReply;
import io.trawl.direct.FrontierView;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads the state of a host from the downloader that owns it. Thread-safe; calls block for some seconds at most. */
public final class FrontierCalls {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final RequestOwnerLookup owners;

    /** The reply of a host's owner. */
    public sealed interface FrontierReply {
        /** The owner has answered. */
        record OwnerView(FrontierView view) implements FrontierReply {}

        /** The host has no owner. @param downloaders the number of registered downloaders */
        record NoOwner(int downloaders) implements FrontierReply {}

        /** The owner has not answered. @param why as text */
        record SilentOwner(MID mid, String why) implements FrontierReply {}
    }

    public FrontierCalls(WorkerCalls calls, Registrar registrar, RequestOwnerLookup owners) {
        this.calls = calls;
        this.registrar = registrar;
        this.owners = owners;
    }

    /**
     * Reads the state of a host.
     *
     * @param run whose delay and user agent apply
     * @param request a request of the host, if the call is about one
     */
    public FrontierReply reply(HostKey host, CrawlRun run, Optional<ExplainedRequest> request, Channels channels)
            throws InterruptedException {
        List<MID> live = registrar.all(ModuleKind.DOWNLOADER).stream().map(Registration::mid).toList();
        Optional<MID> owner = owners.owner(host, channels, live);
        if (owner.isEmpty()) {
            return new FrontierReply.NoOwner(live.size());
        }
        String query = "?run=" + encoded(run.toString())
                + request.map(
                        of -> "&url=" + encoded(of.url()) + "&" + FrontierView.IDENTITY + "=" + encoded(of.identity()))
                        .orElseGet(() -> "&host=" + encoded(host.value()));
        return switch (calls.get(owner.get(), FrontierView.PATH + query, LIMIT)) {
            case WorkerReply.SuccessfulReply(byte[] json) -> view(owner.get(), json);
            case WorkerReply.RefusedReply(_, String detail, _) -> new FrontierReply.SilentOwner(owner.get(), detail);
            case WorkerReply.NoReply(String why) -> new FrontierReply.SilentOwner(owner.get(), why);
        };
    }

    private static FrontierReply view(MID owner, byte[] json) {
        try {
            return new FrontierReply.OwnerView(Json.read(json, FrontierView.class));
        } catch (MalformedRecordException e) {
            return new FrontierReply.SilentOwner(owner, "its answer is not valid: " + e.getMessage());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
