package io.trawl.testkit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.Outcome.OutcomeKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkGraphTest {
    @ParameterizedTest
    @CsvSource({"1,100", "2,0", "3,2", "4,3", "5,1"})
    void aPlainWalkFindsExactlyTheReachablePages(long seed, int depth) throws Exception {
        try (FakeWeb web = FakeWeb.start(4); PlainWalk walk = new PlainWalk(u -> true)) {
            LinkGraph graph = LinkGraph.serve(web, 150, 3, seed);
            Map<String, Expected> expected = graph.reachable(List.of(graph.url(0)), depth);
            Map<String, PlainWalk.Seen> seen = walk.walk(graph.url(0), depth);

            assertThat(seen.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
            assertThat(seen).allSatisfy((url, s) -> {
                assertThat(Integer.toString(s.status())).isEqualTo(requireNonNull(expected.get(url)).detail());
                assertThat(s.depth()).isEqualTo(expected.get(url).depth());
                assertThat(s.links()).isEqualTo(expected.get(url).links());
            });
            assertThat(web.counts()).hasSameSizeAs(expected).allSatisfy((url, n) -> assertThat(n).isOne());
        }
    }

    @Test
    void aGraphHasNodesOfEachKindAndIsTheSameForTheSameSeed() {
        try (FakeWeb web = FakeWeb.start(3)) {
            LinkGraph graph = LinkGraph.serve(web, 200, 4, 42);
            Map<String, Expected> all = graph.reachable(List.of(graph.url(0)), 100);
            assertThat(all.values().stream().map(Expected::kind).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrder(OutcomeKind.PAGE, OutcomeKind.REDIRECT, OutcomeKind.HTTP_ERROR);
            assertThat(all.size()).isGreaterThan(150);
            assertThat(LinkGraph.serve(web, 200, 4, 42).reachable(List.of(graph.url(0)), 100)).isEqualTo(all);
        }
    }

    @Test
    void hostsThatAreNotAcceptedAreUnreachable() {
        try (FakeWeb web = FakeWeb.start(3)) {
            LinkGraph graph = LinkGraph.serve(web, 200, 4, 7);
            String own = web.hosts().stream().filter(h -> graph.url(0).startsWith(h.url("/"))).findFirst().orElseThrow()
                    .address();
            Map<String, Expected> some = graph.reachable(List.of(graph.url(0)), 100, Set.of(own));
            assertThat(some).isNotEmpty().allSatisfy((url, e) -> assertThat(url).startsWith("http://" + own + ":"));
            assertThat(some.size()).isLessThan(graph.reachable(List.of(graph.url(0)), 100).size());
        }
    }
}
