package io.trawl.coordinator.workers;

import io.trawl.channel.RequestOwners;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.coordinator.workers.WorkerCalls.Reply;
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

/** Asks the downloader that has a host how it stands there. Thread-safe; calls block for some seconds at most. */
public final class Frontiers {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final RequestOwners owners;

    /** What came of asking. */
    public sealed interface Look {
        /** It has answered. */
        record Seen(FrontierView view) implements Look {}

        /** Nobody could be asked. @param downloaders how many are registered */
        record NoOwner(int downloaders) implements Look {}

        /** It has not answered. @param why in words for people */
        record Silent(MID mid, String why) implements Look {}
    }

    /** With these ways to ask. */
    public Frontiers(WorkerCalls calls, Registrar registrar, RequestOwners owners) {
        this.calls = calls;
        this.registrar = registrar;
        this.owners = owners;
    }

    /**
     * How a host stands.
     *
     * @param run whose delay and user agent hold
     * @param url of a request, if one is meant
     */
    public Look look(HostKey host, CrawlRun run, Optional<String> url, Channels channels) throws InterruptedException {
        List<MID> live = registrar.all(ModuleKind.DOWNLOADER).stream().map(Registration::mid).toList();
        Optional<MID> owner = owners.owner(host, channels, live);
        if (owner.isEmpty()) {
            return new Look.NoOwner(live.size());
        }
        String query = "?run=" + encoded(run.toString())
                + url.map(u -> "&url=" + encoded(u)).orElseGet(() -> "&host=" + encoded(host.value()));
        return switch (calls.get(owner.get(), FrontierView.PATH + query, LIMIT)) {
            case Reply.Done(byte[] json) -> seen(owner.get(), json);
            case Reply.Turned(_, String detail, _) -> new Look.Silent(owner.get(), detail);
            case Reply.Silent(String why) -> new Look.Silent(owner.get(), why);
        };
    }

    private static Look seen(MID owner, byte[] json) {
        try {
            return new Look.Seen(Json.read(json, FrontierView.class));
        } catch (MalformedRecord e) {
            return new Look.Silent(owner, "its answer cannot be read: " + e.getMessage());
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
