package io.trawl.testkit.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GeneratedSitesTest {
    private static final Pattern LINK = Pattern.compile("href=\"([^\"]+)\"");

    @Test
    void everyPageIsReachableFromTheRootAndNoLinkIsDead() {
        GeneratedSites sites = new GeneratedSites(2, 537);
        Set<String> seen = new HashSet<>(Set.of("/"));
        Queue<String> open = new ArrayDeque<>(seen);
        while (!open.isEmpty()) {
            String html = text(sites.answer(1, open.remove()));
            assertThat(html).startsWith("HTTP/1.1 200");
            for (Matcher link = LINK.matcher(html); link.find();) {
                if (seen.add(link.group(1))) {
                    open.add(link.group(1));
                }
            }
        }
        assertThat(seen).hasSize(537);
    }

    @Test
    void anUnknownPathIsNotFound() {
        GeneratedSites sites = new GeneratedSites(2, 537);
        assertThat(sites.answer(2, "/")).isSameAs(WebResponse.notFound());
        assertThat(sites.answer(0, "/p/537.html")).isSameAs(WebResponse.notFound());
        assertThat(sites.answer(0, "/robots.txt")).isSameAs(WebResponse.notFound());
    }

    private static String text(WebResponse webResponse) {
        return new String(webResponse.bytes(), StandardCharsets.UTF_8);
    }
}
