package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.politeness.KeptSession.KeptCookie;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;

class HostCookiesTest {
    private static final String PAGE = "http://www.example.org:8080/a/b?q=/x";
    private final ManualTime time = ManualTime.standing();
    private final HostCookies cookies = new HostCookies(List.of(), Time.system());

    private void take(String... lines) {
        cookies.take(PAGE, List.of(lines));
    }

    @Test
    void cookiesGoToTheUrlsOfTheirPathLongerPathsFirst() {
        take("a=1", "b=2; Path=/", "c=3; Path=/a/b/c; HttpOnly; SameSite=Lax", "d=\"4 5\"; path=/ab");
        assertThat(cookies.pairs(PAGE)).containsExactly("a=1", "b=2");
        assertThat(cookies.pairs("http://www.example.org:8080/")).containsExactly("b=2");
        assertThat(cookies.pairs("http://www.example.org:8080/a/b/c/d")).containsExactly("c=3", "a=1", "b=2");
        assertThat(cookies.pairs("http://www.example.org:8080/ab/x")).containsExactly("d=\"4 5\"", "b=2");
        assertThat(cookies.pairs("http://www.example.org:8080?q=1")).containsExactly("b=2");
    }

    @Test
    void aCookieThatIsSetAgainOrHasExpiredIsReplacedOrGone() {
        take("a=1; Path=/", "b=2; Path=/");
        take("a=3; Path=/", "b=; Path=/; Max-Age=0");
        assertThat(cookies.pairs(PAGE)).containsExactly("a=3");
        take("a=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(cookies.pairs(PAGE)).isEmpty();
        HostCookies kept = new HostCookies(
                List.of(new KeptCookie("s", "1", "/", false, Optional.of(time.now().plusSeconds(60)))), time);
        assertThat(kept.pairs(PAGE)).containsExactly("s=1");
        time.advance(Duration.ofSeconds(60));
        assertThat(kept.pairs(PAGE)).isEmpty();
        assertThat(kept.kept()).isEmpty();
    }

    @Test
    void aCookieForTlsGoesNowhereElse() {
        cookies.take("https://www.example.org/", List.of("a=1; Secure; Path=/"));
        assertThat(cookies.pairs("https://www.example.org/x")).containsExactly("a=1");
        assertThat(cookies.pairs("http://www.example.org/x")).isEmpty();
    }

    @Test
    void whatIsForAnotherDomainOrNoHeaderIsIgnored() {
        take("a=1; Domain=other.org", "b=2; Domain=example.org; Path=/", "", "=x", "c=\u0001", "d=é");
        assertThat(cookies.pairs(PAGE)).containsExactly("b=2");
    }

    @Test
    void theOldestGoIfThereAreTooManyOrTheyAreTooLong() {
        for (int i = 0; i < 60; i++) {
            take("n" + i + "=1; Path=/");
        }
        assertThat(cookies.pairs(PAGE)).hasSize(50).contains("n59=1", "n10=1").doesNotContain("n9=1");
        for (int i = 0; i < 10; i++) {
            take("long" + i + "=" + "x".repeat(4000));
        }
        take("longer=" + "x".repeat(5000));
        assertThat(cookies.pairs(PAGE).stream().mapToInt(String::length).sum()).isLessThan(17_000);
        assertThat(cookies.pairs(PAGE)).anyMatch(pair -> pair.startsWith("long9="))
                .noneMatch(pair -> pair.startsWith("longer="));
    }

    @Test
    void onlyAChangeCounts() {
        take("a=1; Path=/", "b=; Max-Age=0");
        long changes = cookies.changes();
        take("a=1; Path=/");
        assertThat(cookies.changes()).isEqualTo(changes).isPositive();
        take("a=2; Path=/");
        assertThat(cookies.changes()).isGreaterThan(changes);
    }

    /** Without a colon there is no time, so there is no date (RFC 6265 section 5.1.1). */
    @Property(tries = 300)
    void aDateThatCannotBeReadMakesACookieOfTheSession(@ForAll @CharRange(from = ' ', to = '~') String date) {
        HostCookies own = new HostCookies(List.of(), Time.system());
        own.take(PAGE, List.of("sid=1; path=/; expires=" + date.replaceAll("[;:]", "")));
        assertThat(own.pairs(PAGE)).containsExactly("sid=1");
        assertThat(own.kept()).allSatisfy(cookie -> assertThat(cookie.expires()).isEmpty());
    }

    @Test
    void anExpiryThatIsNoDateIsIgnored() {
        take("a=1; Path=/; expires=0", "b=2; Path=/; Expires=", "c=3; Path=/; Expires=Thu, 99 Foo 2020 99:00:00",
                "d=4; Path=/; Expires=-1");
        assertThat(cookies.pairs(PAGE)).containsExactly("a=1", "b=2", "c=3", "d=4");
        assertThat(cookies.kept()).allSatisfy(cookie -> assertThat(cookie.expires()).isEmpty());
    }

    @Test
    void theStateChangesWithNamesValuesAndPathsOnly() {
        String before = cookies.state();
        take("a=1; Path=/; Max-Age=100", "b=2; Path=/");
        String set = cookies.state();
        assertThat(set).isNotEqualTo(before);
        take("b=2; Path=/; Max-Age=50", "a=1; Path=/; Max-Age=200");
        assertThat(cookies.state()).as("kept for longer").isEqualTo(set);
        assertThat(new HostCookies(cookies.kept(), Time.system()).state()).as("of the next owner").isEqualTo(set);
        take("b=2; Path=/x");
        String another = cookies.state();
        assertThat(another).isNotEqualTo(set);
        take("a=2; Path=/");
        assertThat(cookies.state()).isNotIn(set, another);
    }

    @Test
    void theStateIsWithoutCookiesThatHaveExpired() {
        String before = cookies.state();
        HostCookies kept = new HostCookies(
                List.of(new KeptCookie("a", "1", "/", false, Optional.of(time.now().plusSeconds(60)))), time);
        assertThat(kept.state()).isNotEqualTo(before);
        time.advance(Duration.ofSeconds(60));
        assertThat(kept.state()).isEqualTo(before);
    }

    /** RFC 6265 section 5.2. */
    @Test
    void aDomainWithoutANameAPathThatIsNoneAndAQuoteCountForNothing() {
        take("a=1; Domain=; Path=/", "b=2; domain = ; Path=/", "c=3; Path=elsewhere", "d=4; x=\"y; Path=/");
        assertThat(cookies.pairs(PAGE)).containsExactly("c=3", "a=1", "b=2", "d=4");
    }
}
