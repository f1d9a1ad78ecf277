package io.trawl.downloader.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.url.LoginForm;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.testkit.SeenRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A site whose pages are for users only. */
class FormLoginTest extends SessionFixture {
    private static final FetchPermit OWNER = () -> true;
    private static final String FORM = """
            <form action="/search"><input name="q"></form>
            <form id="in" method="post" action="%s"><input type="hidden" name="token" value="t &amp; 1">
            <input name="user" value="you"><input type="password" name="password"><input type="submit" value="Go"></form>""";
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private volatile String form = FORM.formatted("/login?step=2");
    private volatile int answer = 303;

    @BeforeEach
    void site() {
        host.route("/login", exchange -> {
            if (exchange.getRequestMethod().equals("POST")) {
                posted(exchange);
            } else {
                exchange.getResponseHeaders().add("Set-Cookie", "pre=1");
                answer(exchange, 200, form);
            }
        });
        host.route("/home", exchange -> answer(exchange, 200, "<a class='out'>log out</a>"));
        host.route("/page", exchange -> {
            boolean user = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Cookie")).orElse("")
                    .contains("sid=7");
            answer(exchange, user ? 200 : 403, "for users");
        });
    }

    private void posted(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        sent.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("Cookie") + " " + body);
        if (answer != 303) {
            answer(exchange, answer, "");
        } else if (body.contains("password=hush")) {
            exchange.getResponseHeaders().add("Set-Cookie", "sid=7; Path=/; HttpOnly");
            exchange.getResponseHeaders().add("Location", "/home");
            answer(exchange, 303, "");
        } else {
            answer(exchange, 200, "<p class='wrong'>No</p>" + form);
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private FetchProfile login(Map<String, String> fields, Optional<String> success, Optional<String> failure) {
        return profile(FetchRules.DEFAULT.with(fetch -> fetch.delay(Duration.ZERO)
                .login(List.of(new LoginForm(host.url("/login"), fields, Optional.empty(), success, failure)))));
    }

    private FetchProfile login() {
        return login(Map.of("user", "reader", "password", "${env:TRAWL_SECRET_P}"), Optional.empty(), Optional.empty());
    }

    private FetchResult page(Member member, FetchProfile profile) {
        return member.begin("/page", profile, OWNER).join();
    }

    private void assertRefused(FetchResult result, String why) {
        assertThat(result.outcome()).isInstanceOfSatisfying(Outcome.Failure.class, failure -> {
            assertThat(failure.reason()).isEqualTo(FailureReason.LOGIN);
            assertThat(failure.cause()).contains("the login at " + host.name(), why).doesNotContain("hush", "reader");
        });
        assertThat(web.count(host.url("/page"))).as("requests for the page").isZero();
    }

    @Test
    void aHostIsLoggedInBeforeItsFirstPageOnceInARun() {
        Member member = new Member();
        List<CompletableFuture<FetchResult>> pages = List.of(member.begin("/page", login(), OWNER),
                member.begin("/page", login(), OWNER));
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.join().outcome()).isEqualTo(new Outcome.Success(200, false)));
        assertThat(page(member, login()).outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(sent).singleElement().asString().startsWith("/login?step=2 pre=1 ")
                .contains("token=t+%26+1", "user=reader", "password=hush").doesNotContain("user=you", "q=");
        assertThat(web.count(host.url("/home"))).isOne();
    }

    @Test
    void theNextOwnerGoesOnWithTheSessionAndALoginThatHasChangedIsDone() {
        Member first = new Member();
        page(first, login());
        first.sessions.flush();
        Member next = new Member();
        FetchPermit lease = () -> true;
        assertThat(next.begin("/page", login(), lease).join().outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(sent).hasSize(1);
        next.begin("/page",
                login(Map.of("user", "other", "password", "${env:TRAWL_SECRET_P}"), Optional.empty(), Optional.empty()),
                lease).join();
        assertThat(sent).hasSize(2);
    }

    @Test
    void aRefusedLoginFailsThePagesOfTheHostAndIsNotRepeated() {
        Member member = new Member();
        FetchProfile wrong = login(Map.of("user", "reader", "password", "wrong"), Optional.empty(), Optional.empty());
        for (int i = 0; i < 3; i++) {
            assertRefused(page(member, wrong), "shows the form again");
        }
        assertThat(sent).hasSize(1);
        assertRefused(page(member,
                login(Map.of("user", "a", "password", "${env:TRAWL_SECRET_NONE}"), Optional.empty(), Optional.empty())),
                "TRAWL_SECRET_NONE");
        assertRefused(page(member, login(Map.of("name", "a"), Optional.empty(), Optional.empty())),
                "no form with the fields name");
    }

    @Test
    void theConditionsOfTheDefinitionDecide() {
        Map<String, String> right = Map.of("user", "reader", "password", "${env:TRAWL_SECRET_P}");
        assertRefused(page(new Member(), login(right, Optional.of(".no"), Optional.empty())), "nothing matches '.no'");
        assertRefused(page(new Member(), login(right, Optional.empty(), Optional.of(".out"))),
                "something matches '.out'");
        answer = 403;
        assertRefused(page(new Member(), login()), "403");
        answer = 303;
        assertThat(page(new Member(), login(right, Optional.of("a.out"), Optional.of(".wrong"))).outcome())
                .isEqualTo(new Outcome.Success(200, false));
    }

    @Test
    void aHostThatIsOverloadedIsAskedAgain() {
        Member member = new Member();
        answer = 503;
        assertThat(page(member, login()).outcome()).isEqualTo(new Outcome.HttpError(503));
        answer = 303;
        assertThat(page(member, login()).outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(sent).hasSize(2);
    }

    @Test
    void theFieldsGoToNoOtherServerIntoNoUrlAndWhereRobotsTxtAllows() {
        form = FORM.formatted(web.host(1).url("/login"));
        assertRefused(page(new Member(), login()), "another server");
        form = FORM.formatted("/login").replace("method=\"post\"", "");
        assertRefused(page(new Member(), login()), "GET");
        form = FORM.formatted("/login");
        host.robots("User-agent: *\nDisallow: /login\n");
        assertRefused(page(new Member(), login()), "robots.txt forbids");
        assertThat(sent).isEmpty();
        assertThat(web.visits(web.host(1))).isEmpty();
    }

    @Test
    void betweenTheRequestsOfALoginIsThePauseOfTheHost() {
        FetchProfile slow = profile(FetchRules.DEFAULT.with(fetch -> fetch.delay(Duration.ofMillis(300))
                .login(login().session().login(request(RUN, host, "/page").host()).stream().toList())));
        page(new Member(), slow);
        List<SeenRequest> visits = web.visits(host);
        assertThat(visits).hasSize(5);
        for (int i = 1; i < visits.size(); i++) {
            assertThat(Duration.ofNanos(visits.get(i).arrived() - visits.get(i - 1).ended().orElseThrow()))
                    .as("before %s", visits.get(i)).isGreaterThan(Duration.ofMillis(290));
        }
    }
}
