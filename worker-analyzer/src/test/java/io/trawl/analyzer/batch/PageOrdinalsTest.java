package io.trawl.analyzer.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.batch.PageOrdinals.ItemPlace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PageOrdinalsTest {
    private static final ItemPlace GAP = new ItemPlace("type offer", 12);

    private static Optional<PageOrdinals> again(List<ItemPlace> places) {
        return PageOrdinals.known(PageOrdinals.of(places).encoded());
    }

    private static List<ItemPlace> row(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> new ItemPlace("type row", i)).toList();
    }

    @Test
    void whatAnEntryHoldsIsReadAsItWas() {
        for (List<ItemPlace> places : List.of(List.of(ItemPlace.OWN), List.of(GAP),
                List.of(ItemPlace.OWN, new ItemPlace("feed", 1), GAP), row(1000))) {
            assertThat(again(places).orElseThrow().places()).containsExactlyInAnyOrderElementsOf(places);
        }
        assertThat(again(List.of(GAP)).orElseThrow().has(GAP)).isTrue();
        assertThat(again(row(12)).orElseThrow().has(GAP)).isFalse();
    }

    @Test
    void aPageWithItsOwnItemAloneCostsNothingAndOneWithTooManyIsNotKnown() {
        assertThat(PageOrdinals.of(List.of(ItemPlace.OWN)).encoded()).isEmpty();
        assertThat(again(row(5000))).isPresent();
        assertThat(PageOrdinals.of(row(10_000)).encoded()).contains(Map.of());
        assertThat(again(row(10_000))).isEmpty();
        assertThat(again(IntStream.range(0, 101).mapToObj(i -> new ItemPlace("type " + i, 1)).toList())).isEmpty();
    }
}
