package io.trawl.analyzer.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.batch.PagePlaces.ItemPlace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PagePlacesTest {
    private static final ItemPlace GAP = ItemPlace.of("type offer", 12);

    private static Optional<PagePlaces> again(List<ItemPlace> places) {
        return PagePlaces.known(PagePlaces.of(places).encoded());
    }

    private static List<ItemPlace> row(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> ItemPlace.of("type row", i)).toList();
    }

    private static List<ItemPlace> keyed(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> ItemPlace.ofKey("type row", "sku " + i)).toList();
    }

    @Test
    void whatAnEntryHoldsIsReadAsItWas() {
        for (List<ItemPlace> places : List.of(List.of(ItemPlace.OWN), List.of(GAP),
                List.of(ItemPlace.OWN, ItemPlace.of("feed", 1), ItemPlace.ofKey("type offer", "a"), GAP), row(1000))) {
            assertThat(again(places).orElseThrow().places()).containsExactlyInAnyOrderElementsOf(places);
        }
        assertThat(again(List.of(GAP)).orElseThrow().has(GAP)).isTrue();
        assertThat(again(row(12)).orElseThrow().has(GAP)).isFalse();
    }

    @Test
    void aPageWithItsOwnItemAloneCostsNothingAndOneWithTooManyIsNotKnown() {
        assertThat(PagePlaces.of(List.of(ItemPlace.OWN)).encoded()).isEmpty();
        assertThat(again(row(10_000))).isPresent();
        assertThat(again(keyed(500)).orElseThrow().places()).containsExactlyInAnyOrderElementsOf(keyed(500));
        assertThat(PagePlaces.of(keyed(1000)).encoded()).contains(Map.of());
        assertThat(again(keyed(1000))).isEmpty();
        assertThat(again(IntStream.range(0, 101).mapToObj(i -> ItemPlace.of("type " + i, 1)).toList())).isEmpty();
    }
}
