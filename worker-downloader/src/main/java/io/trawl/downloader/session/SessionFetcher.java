package io.trawl.downloader.session;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.session.LoginResult.LoggedIn;
import io.trawl.downloader.session.LoginResult.LoginRefused;
import io.trawl.downloader.session.LoginResult.LoginUnanswered;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Gives requests of crawls that keep cookies those of their host, once the crawl is logged in there if it has a form
 * for that. Requests of other crawls pass. Thread-safe.
 */
public final class SessionFetcher implements Fetcher {
    private final Fetcher fetcher;
    private final HostSessions sessions;
    private final FetchBounds bounds;

    /** @param bounds of the requests of logins */
    public SessionFetcher(Fetcher fetcher, HostSessions sessions, FetchBounds bounds) {
        this.fetcher = fetcher;
        this.sessions = sessions;
        this.bounds = bounds;
    }

    @Override
    public CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        if (!profile.session().keeps(request.host())) {
            return fetcher.fetch(request, profile, fetchPermit);
        }
        LiveSession session = sessions.of(request.run(), request.host(), fetchPermit);
        return session.ready()
                .thenCompose(known -> known
                        ? fetch(session, request, profile.withSession(profile.session().with(session.cookies())),
                                fetchPermit)
                        : completed(FetchResult.withdrawn(Duration.ZERO, bounds.time().now())));
    }

    private CompletableFuture<FetchResult> fetch(LiveSession session, Request request, FetchProfile profile,
            FetchPermit fetchPermit) {
        CompletableFuture<LoginResult> login = profile.session().login(request.host()).map(
                form -> session.login(form, () -> new FormLogin(form, bounds, request, profile, fetchPermit).begin()))
                .orElseGet(() -> completed(new LoggedIn()));
        CompletableFuture<FetchResult> fetched = login.thenCompose(result -> switch (result) {
            case LoggedIn _ -> {
                String asked = session.cookies().state();
                if (isUnchanged(request, asked)) {
                    yield completed(FetchResult.without(
                            new Outcome.Refused(RefusalReason.SEEN,
                                    "no cookie of its host has changed since it was asked"),
                            Duration.ZERO, bounds.time().now()));
                }
                yield fetcher.fetch(request, profile, fetchPermit)
                        .thenApply(answer -> answer.with(new Outcome.CookieStates(asked, session.cookies().state())));
            }
            case LoginRefused refused -> completed(FetchResult.without(
                    new Outcome.Failure(FailureReason.LOGIN,
                            "the login at " + request.host() + " has failed: " + refused.cause()),
                    Duration.ZERO, bounds.time().now()));
            case LoginUnanswered unanswered -> completed(unanswered.fetchResult());
        });
        return fetched.whenComplete((_, _) -> sessions.keep(session));
    }

    /** Whether a URL that is asked again would be asked with the same cookies. */
    private static boolean isUnchanged(Request request, String state) {
        return request.options().again() && request.chain().stream().filter(hop -> hop.url().equals(request.url()))
                .flatMap(hop -> hop.cookies().stream()).map(Outcome.CookieStates::asked).findFirst()
                .filter(state::equals).isPresent();
    }

    private static <T> CompletableFuture<T> completed(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
