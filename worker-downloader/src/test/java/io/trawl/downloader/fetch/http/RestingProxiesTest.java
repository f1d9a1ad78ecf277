package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlVariables;
import io.trawl.definition.ProxyAddress;
import io.trawl.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestingProxiesTest {
    private static final CrawlVariables NONE = new CrawlVariables(Map.of());
    private static final ProxyAddress A = ProxyAddress.of("http://a:1", NONE);
    private static final ProxyAddress B = ProxyAddress.of("http://b:1", NONE);
    private static final List<ProxyAddress> BOTH = List.of(A, B);
    private final ManualTime time = ManualTime.standing();
    private final RestingProxies proxies = new RestingProxies(time);

    @Test
    void theRestOfAProxyGrowsUpToTenMinutesAndOneRequestTriesItAfterwards() {
        for (int seconds : new int[]{10, 20, 40, 80, 160, 320, 600, 600}) {
            proxies.failed(A, time.nanos(), "x");
            assertThat(proxies.next(BOTH)).contains(B);
            time.advance(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(proxies.next(BOTH)).as("before %d s", seconds).contains(B);
            assertThat(proxies.names()).containsExactly("a:1");
            time.advance(Duration.ofMillis(1));
            assertThat(proxies.next(BOTH)).as("after %d s", seconds).contains(A);
            assertThat(proxies.next(BOTH)).as("while one tries it").contains(B);
        }
        proxies.answered(A);
        assertThat(proxies.next(BOTH)).contains(A);
        assertThat(proxies.names()).isEmpty();
        proxies.failed(A, time.nanos(), "x");
        time.advance(Duration.ofSeconds(10));
        assertThat(proxies.next(BOTH)).as("an answer ends the growth").contains(A);
    }

    @Test
    void manyRequestsThatFailAtOnceCountAsOne() {
        long began = time.nanos();
        time.advance(Duration.ofSeconds(1));
        for (int i = 0; i < 20; i++) {
            proxies.failed(A, began, "x");
        }
        time.advance(Duration.ofSeconds(10));
        assertThat(proxies.next(BOTH)).contains(A);
    }

    @Test
    void ifAllRestTheSoonestIsKnown() {
        proxies.failed(B, time.nanos(), "x");
        time.advance(Duration.ofSeconds(1));
        proxies.failed(A, time.nanos(), "x");
        assertThat(proxies.next(BOTH)).isEmpty();
        assertThat(proxies.soonest(BOTH)).isEqualTo(B);
    }
}
