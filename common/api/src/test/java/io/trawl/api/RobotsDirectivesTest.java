package io.trawl.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RobotsDirectivesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"''|false|false", "noindex|true|false", "NoFollow|false|true",
            "none|true|true", "all|false|false", "noindex, nofollow|true|true", "trawl: nofollow|false|true",
            "otherbot: none|false|false", "otherbot: none, trawl: noindex|true|false",
            "noindex, otherbot: nofollow|true|false", "unavailable_after: 25 Jun 2031 15:00:00 PST, noindex|true|false",
            "otherbot: nofollow^noindex|true|false", "otherbot: noindex^nofollow|false|true",
            "trawl: noindex^otherbot: nofollow|true|false", "otherbot: noindex, trawl: nofollow^none|true|true",
            "otherbot: none^otherbot: none|false|false",
            "unavailable_after: Saturday, 01-Jan-31 15:00:00 GMT, noindex|true|false",
            "unavailable_after: Saturday, 01-Jan-31 15:00:00 GMT, nofollow|false|true",
            "unavailable_after: Saturday, 01-Jan-50 15:00:00 GMT|true|false",
            "unavailable_after: 25 Jun 2010 15:00:00 PST|true|false",
            "trawl: unavailable_after : 25 Jun 2010|true|false", "otherbot: unavailable_after: 25 Jun 2010|false|false",
            "unavailable_after: 25 Jun 2031^noindex|true|false", "unavailable_after|false|false",
            "unavailable_after: soon, nofollow|false|true", "max-snippet: 20, nofollow|false|true",
            "*: nofollow|false|true", "noimageindex|false|false"})
    void theHeaderAppliesToTheCrawlersThatItNames(String header, boolean noindex, boolean nofollow) {
        assertThat(RobotsDirectives.ofHeader(header.replace('^', '\n'), "trawl",
                date -> date.contains("2010") || date.contains("-50")))
                .isEqualTo(new RobotsDirectives(noindex, nofollow));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"robots|noindex|true", " Robots |NONE|true", "Trawl|noindex|true",
            "robots|unavailable_after: 2010-06-25|true", "robots|unavailable_after: 2031-06-25|false",
            "googlebot|noindex|false", "description|noindex|false"})
    void theMetaElementAppliesToTheCrawlersThatItNames(String name, String content, boolean noindex) {
        assertThat(RobotsDirectives.ofMeta(name, content, "trawl", date -> date.equals("2010-06-25")).noindex())
                .isEqualTo(noindex);
    }
}
