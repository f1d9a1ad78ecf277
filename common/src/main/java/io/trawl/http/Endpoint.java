package io.trawl.http;

import io.trawl.http.RouteTable.RouteMatch;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Role;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint at a module's address: finds the route of a call, judges who is asking and how much is sent, and
 * turns exceptions into problem documents. It is bound when it is made, since the port is part of the MID, and answers
 * 503 until it is told which pages to serve. Thread-safe.
 */
public class Endpoint implements AutoCloseable {
    /** After how many seconds a call may come again that found the heap full. */
    private static final int AGAIN = 5;
    private final Access access;
    private final SiteGuard siteGuard;
    private final RouteTable table;
    private final CallMemory memory = CallMemory.ofHeap();
    private final AtomicReference<@Nullable ModulePages> pages = new AtomicReference<>();
    private final JettyServer server;
    private volatile BooleanSupplier full = () -> false;

    /** The endpoint of a worker. @throws InvalidValueException if the address cannot be listened on */
    public Endpoint(Settings settings, int port) {
        this(settings, port, RouteTable.ofWorker());
    }

    /** @throws InvalidValueException if the address cannot be listened on */
    @SuppressWarnings("this-escape") // The server is the last field: a call finds all others.
    public Endpoint(Settings settings, int port, RouteTable table) {
        this.access = Access.of(settings, Time.system());
        this.siteGuard = SiteGuard.of(settings);
        this.table = table;
        this.server = new JettyServer(settings.http(), port, this::answer, table.problems()::response);
    }

    /** The port that it listens on. */
    public final int port() {
        return server.port();
    }

    /** Serves these pages from now on. */
    public final void serve(ModulePages now) {
        pages.set(now);
    }

    /** Refuses calls whose routes are not small while this holds. */
    public final void spareWhile(BooleanSupplier heapFull) {
        full = heapFull;
    }

    /** The pages of the module. @throws CallRefusedException 503 until there are any */
    private ModulePages pages() {
        ModulePages now = pages.get();
        if (now == null) {
            throw CallRefusedException.starting();
        }
        return now;
    }

    private CallResponse answer(CallHead head, InputStream body) throws InterruptedException {
        siteGuard.admit(head);
        ModulePages now = pages.get();
        List<Route> more = now == null ? ModulePages.STARTING : now.routes();
        Optional<RouteMatch> match = table.find(more, head.method(), head.path());
        if (match.isEmpty()) {
            pages();
            throw CallRefusedException.noSuchPage();
        }
        return answer(head, match.get(), body);
    }

    private CallResponse answer(CallHead head, RouteMatch match, InputStream body) throws InterruptedException {
        Call call = new Call(head, match, admit(head, match), body);
        CallResponse response;
        try {
            response = answer(call);
        } catch (RuntimeException e) {
            response = table.problems().response(e, call.path());
        }
        table.answered().accept(call, response.status());
        return response;
    }

    private CallResponse answer(Call call) throws InterruptedException {
        if (!call.route().small() && full.getAsBoolean()) {
            throw CallRefusedException.unavailable("the heap of this process is nearly full", AGAIN);
        }
        try (CallMemory.Reservation _ = memory.reserve(call.memory())) {
            table.check().accept(call);
            call.checkType();
            return call.route().handler().answer(call);
        }
    }

    /** @throws CallRefusedException 401 if the caller is not known, 403 if it is known and may not do that */
    private Caller admit(CallHead head, RouteMatch match) {
        Route route = match.route();
        if (route.needed() == Role.NONE) {
            return Caller.of(Caller.ANYONE, Role.NONE);
        }
        Optional<String> crawl = route.anyPrefix()
                ? access.admit(head, Role.READ, Optional.empty(), this::address).prefix()
                : Optional.ofNullable(match.parameters().get(Route.CRAWL));
        return access.admit(head, route.needed(), crawl, this::address);
    }

    private String address() {
        return pages().address();
    }

    /** Every method and path of the table that it was made with: {@code GET /api/v1/crawls/{id}}. */
    public final List<String> routes() {
        return table.routes().stream().filter(route -> !route.rest()).map(route -> route.method() + " " + route.path())
                .sorted().toList();
    }

    @Override
    public void close() {
        server.close();
    }
}
