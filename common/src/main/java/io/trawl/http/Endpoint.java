package io.trawl.http;

import io.trawl.http.DirectCall.CallResponse;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint at a module's address. It is bound when it is made, since the port is part of the MID, and answers
 * 503 until it is told which pages to serve. A subclass brings the server; what is answered is decided here.
 * Thread-safe.
 */
public abstract class Endpoint implements AutoCloseable {
    private final Access access;
    private final SiteGuard siteGuard;
    private final ProblemMapping problems;
    private final AtomicReference<@Nullable ModulePages> pages = new AtomicReference<>();

    /** @param problems which exception is which problem in this process */
    protected Endpoint(Settings settings, ProblemMapping problems) {
        this.access = Access.of(settings, Time.system());
        this.siteGuard = SiteGuard.of(settings);
        this.problems = problems;
    }

    /** What a taken port is reported as. */
    protected static InvalidValueException portTaken(Settings.HttpSettings http, Exception e) {
        return new InvalidValueException("TRAWL_HTTP_PORT", http.bind() + ":" + http.port(),
                "a free port of this machine (" + e.getMessage() + ")");
    }

    /** The port that it listens on. */
    public abstract int port();

    /** Serves these pages from now on. */
    public final void serve(ModulePages now) {
        pages.set(now);
    }

    /** The pages of the module. @throws CallRefusedException 503 until there are any */
    protected final ModulePages pages() {
        ModulePages now = pages.get();
        if (now == null) {
            throw CallRefusedException.starting();
        }
        return now;
    }

    /**
     * The answer to a call of one of the four pages that every module has; empty for other paths.
     *
     * @throws CallRefusedException 405 for a method that only looks at nothing, 503 until there are pages
     */
    protected final Optional<CallResponse> page(String method, String path) {
        if (!ModulePages.PATHS.contains(path)) {
            return Optional.empty();
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            throw CallRefusedException.otherMethod("GET, HEAD");
        }
        return Optional.of(pages().page(path));
    }

    /**
     * Checks any call, before all else. @throws CallRefusedException 403 for a call that a page of another site makes
     */
    protected final void guard(CallHead call) {
        siteGuard.admit(call);
    }

    /**
     * Lets a call in.
     *
     * @param needed what it is about to do
     * @param crawl the id of the crawl that it changes, if it changes one and nothing else
     * @return who calls
     * @throws CallRefusedException 401 if the caller is not known, 403 if it is known and may not do that
     */
    protected final Caller admit(CallHead call, Role needed, Optional<String> crawl) {
        return access.admit(call, needed, crawl, () -> pages().address());
    }

    /** The problem document for an exception that a call ended with. */
    protected final CallResponse problem(Exception e, String path) {
        return problems.response(e, path);
    }

    @Override
    public abstract void close();
}
