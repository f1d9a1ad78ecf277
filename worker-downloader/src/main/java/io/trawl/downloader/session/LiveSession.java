package io.trawl.downloader.session;

import io.trawl.definition.url.LoginForm;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.http.HostCookies;
import io.trawl.downloader.session.LoginResult.LoggedIn;
import io.trawl.downloader.session.LoginResult.LoginUnanswered;
import io.trawl.ledger.Fingerprint;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.politeness.KeptSession;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The session of a run at a host, while this process owns the host under one permit. Thread-safe. */
final class LiveSession {
    private final CrawlRun run;
    private final HostKey host;
    private final FetchPermit permit;
    private final Time time;
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private volatile HostCookies cookies;
    private Optional<String> login = Optional.empty();
    private long number;
    private long keptChanges;
    private boolean loginChanged;
    private boolean queued;
    private boolean over;
    private Optional<Attempt> attempt = Optional.empty();

    /** A login that this process has begun. */
    private record Attempt(String print, CompletableFuture<LoginResult> result) {
        boolean stands() {
            return !result.isDone() || !(result.join() instanceof LoginUnanswered);
        }
    }

    LiveSession(CrawlRun run, HostKey host, FetchPermit permit, Time time) {
        this.run = run;
        this.host = host;
        this.permit = permit;
        this.time = time;
        this.cookies = new HostCookies(List.of(), time);
    }

    CrawlRun run() {
        return run;
    }

    HostKey host() {
        return host;
    }

    boolean under(FetchPermit which) {
        return permit == which;
    }

    boolean owned() {
        return permit.holds();
    }

    /** Completes when what the owner before has kept is known: true, or false if the permit has ended before. */
    CompletableFuture<Boolean> ready() {
        return ready;
    }

    HostCookies cookies() {
        return cookies;
    }

    /** It begins where the owner before has ended; once, even if it is read again. */
    void begin(KeptSession kept) {
        synchronized (this) {
            if (ready.isDone()) {
                return;
            }
            number = kept.number();
            login = kept.login();
            cookies = new HostCookies(kept.cookies(), time);
        }
        ready.complete(true);
    }

    /** The permit has ended: requests that wait for this session give up. */
    void end() {
        ready.complete(false);
        Optional<Attempt> under;
        synchronized (this) {
            over = true;
            under = attempt;
        }
        under.ifPresent(login -> login.result().complete(withdrawn()));
    }

    private LoginResult withdrawn() {
        return new LoginUnanswered(FetchResult.withdrawn(Duration.ZERO, time.now()));
    }

    /**
     * How the login by a form has ended: that of an owner before, or that of the first caller, for which the others
     * wait. One without an answer is tried again; one that was refused is not, as long as this session is in memory.
     */
    CompletableFuture<LoginResult> login(LoginForm form, Supplier<CompletableFuture<LoginResult>> begin) {
        String print = fingerprint(form);
        CompletableFuture<LoginResult> fresh = new CompletableFuture<>();
        synchronized (this) {
            if (over) {
                return CompletableFuture.completedFuture(withdrawn());
            }
            if (login.filter(print::equals).isPresent()) {
                return CompletableFuture.completedFuture(new LoggedIn());
            }
            Optional<Attempt> known = attempt.filter(before -> before.print().equals(print) && before.stands());
            if (known.isPresent()) {
                return known.get().result();
            }
            attempt = Optional.of(new Attempt(print, fresh));
        }
        begin.get().thenAccept(result -> {
            if (result instanceof LoggedIn) {
                loggedIn(print);
            }
            fresh.complete(result);
        });
        return fresh;
    }

    /** Of the form as it is written: with references, and without the secrets that they stand for. */
    private static String fingerprint(LoginForm form) {
        Fingerprint print = Fingerprint.of(String.join("\n", form.page(), form.form().orElse(""),
                form.success().orElse(""), form.failure().orElse(""), new TreeMap<>(form.fields()).toString()));
        return Long.toHexString(print.high()) + Long.toHexString(print.low());
    }

    /** Whether it has changed and no write of it is queued: then the caller queues one. */
    synchronized boolean toBeKept() {
        boolean changed = !queued && (cookies.changes() != keptChanges || loginChanged);
        queued |= changed;
        return changed;
    }

    /** What is to be kept now. */
    synchronized KeptSession next() {
        queued = false;
        keptChanges = cookies.changes();
        loginChanged = false;
        return new KeptSession(number + 1, cookies.kept(), login);
    }

    /** What is kept has this number. */
    synchronized void kept(long now) {
        number = now;
    }

    private synchronized void loggedIn(String fingerprint) {
        login = Optional.of(fingerprint);
        loginChanged = true;
    }
}
