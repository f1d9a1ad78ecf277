package io.trawl.analyzer.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.analyzer.batch.PagePlaces.ItemPlace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PagePlacesTest {
    private static final ItemPlace GAP = ItemPlace.of("type offer", 12);

    private static Optional<PagePlaces> again(PagePlaces places) {
        return PagePlaces.known(places.encoded());
    }

    private static PagePlaces places(Stream<ItemPlace> places) {
        Map<ItemPlace, Optional<Integer>> digests = new LinkedHashMap<>();
        places.forEach(place -> digests.put(place, Optional.of(place.hashCode())));
        return new PagePlaces(digests);
    }

    private static PagePlaces row(int count) {
        return places(IntStream.rangeClosed(1, count).mapToObj(i -> ItemPlace.of("type row", i)));
    }

    private static PagePlaces keyed(int count) {
        return places(IntStream.rangeClosed(1, count).mapToObj(i -> ItemPlace.ofKey("type row", "sku " + i)));
    }

    @Test
    void whatAnEntryHoldsIsReadAsItWas() {
        for (PagePlaces places : List.of(places(Stream.of(GAP)), row(1000), keyed(400),
                places(Stream.of(ItemPlace.ofKey("type offer", "b"), GAP, ItemPlace.of("type offer", 2), ItemPlace.OWN,
                        ItemPlace.of("feed", 1), ItemPlace.ofKey("type offer", "a"))))) {
            assertThat(again(places)).contains(places);
        }
        assertThat(again(places(Stream.of(GAP))).orElseThrow().has(GAP)).isTrue();
        assertThat(again(row(12)).orElseThrow().has(GAP)).isFalse();
    }

    @Test
    void anItemIsTheSameIfItsContentIs() {
        PagePlaces other = new PagePlaces(Map.of(GAP, Optional.of(1)));
        assertThat(again(other).orElseThrow().same(GAP, other)).isTrue();
        assertThat(other.same(GAP, new PagePlaces(Map.of(GAP, Optional.of(2))))).isFalse();
        assertThat(other.same(GAP, row(12))).isFalse();
        assertThat(new PagePlaces(Map.of(GAP, Optional.empty())).same(GAP, other)).as("it is not known").isFalse();
    }

    @Test
    void aPageWithItsOwnItemAloneCostsNothingAndOneWithTooManyIsNotKnown() {
        assertThat(places(Stream.of(ItemPlace.OWN)).encoded()).isEmpty();
        assertThat(again(row(10_000)).orElseThrow().places()).as("without digests").isEqualTo(row(10_000).places());
        assertThat(again(row(10_000)).orElseThrow().same(ItemPlace.of("type row", 1), row(1))).isFalse();
        assertThat(again(keyed(500)).orElseThrow().places()).containsExactlyInAnyOrderElementsOf(keyed(500).places());
        assertThat(keyed(1000).encoded()).contains(Map.of());
        assertThat(again(keyed(1000))).isEmpty();
        assertThat(again(places(IntStream.range(0, 101).mapToObj(i -> ItemPlace.of("type " + i, 1))))).isEmpty();
    }
}
