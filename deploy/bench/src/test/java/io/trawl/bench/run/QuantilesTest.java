package io.trawl.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QuantilesTest {
    @Test
    void aQuantileIsTheNearestRank() {
        Quantiles hundred = new Quantiles(LongStream.rangeClosed(1, 100).map(i -> 101 - i).toArray());
        assertThat(hundred.at(0.5)).isEqualTo(50);
        assertThat(hundred.at(0.99)).isEqualTo(99);
        assertThat(hundred.at(1)).isEqualTo(100);
        assertThat(new Quantiles(new long[]{7}).at(0.99)).isEqualTo(7);
    }

    @Test
    void theMedianOfAnEvenNumberIsTheLowerOne() {
        assertThat(Quantiles.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2);
        assertThat(Quantiles.median(List.of(4.0, 1.0, 3.0, 2.0))).isEqualTo(2);
    }
}
