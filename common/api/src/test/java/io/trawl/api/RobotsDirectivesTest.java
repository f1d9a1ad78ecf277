package io.trawl.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RobotsDirectivesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"''|false|false", "noindex|true|false", "NoFollow|false|true", "none|true|true",
            "all|false|false",
            "noindex, nofollow|true|true", "trawl: nofollow|false|true", "otherbot: none|false|false",
            "otherbot: none, trawl: noindex|true|false",
            "noindex, otherbot: nofollow|true|false", "unavailable_after: 25 Jun 2010 15:00:00 PST, noindex|true|false",
            "max-snippet: 20, nofollow|false|true", "*: nofollow|false|true", "noimageindex|false|false"})
    void theHeaderAppliesToTheCrawlersThatItNames(String header, boolean noindex, boolean nofollow) {
        assertThat(RobotsDirectives.ofHeader(header, "trawl")).isEqualTo(new RobotsDirectives(noindex, nofollow));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"robots|noindex|true", " Robots |NONE|true", "Trawl|noindex|true",
            "googlebot|noindex|false", "description|noindex|false"})
    void theMetaElementAppliesToTheCrawlersThatItNames(String name, String content, boolean noindex) {
        assertThat(RobotsDirectives.ofMeta(name, content, "trawl").noindex()).isEqualTo(noindex);
    }
}
