package io.trawl.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.Body;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BodyPackingTest {
    private final BodyPacking packing = new BodyPacking();

    @Property(tries = 60)
    void aBodyIsReadAsItWasAndSeveralTimes(@ForAll @IntRange(max = 2_000_000) int length,
            @ForAll @IntRange(min = 1, max = 256) int letters, @ForAll long seed) {
        byte[] bytes = text(length, letters, seed);
        Body packed = packing.pack(new Body(bytes));
        Body read = BodyPacking.body(packed.held(),
                packed.isPacked() ? Optional.of(BodyPacking.header(length)) : Optional.empty());
        assertThat(read.length()).isEqualTo(packed.length()).isEqualTo(length);
        assertThat(read.bytes()).isEqualTo(bytes);
        assertThat(read.unpacked().bytes()).isEqualTo(bytes);
    }

    @Test
    void aSmallBodyAndOneThatDoesNotShrinkAreLeftAsTheyAre() {
        assertThat(packing.pack(new Body(text(60_000, 2, 1))).isPacked()).isFalse();
        assertThat(packing.pack(new Body(text(500_000, 256, 1))).isPacked()).isFalse();
        assertThat(packing.pack(new Body(text(500_000, 2, 1))).held().length).isLessThan(300_000);
    }

    /** Whatever another program writes, the memory that is taken is bounded, and the fault is named. */
    @Property(tries = 300)
    void aDamagedValueOrLengthIsAMalformedRecord(@ForAll @IntRange(max = 100_000) int at, @ForAll byte other,
            @ForAll @IntRange(max = 200_000) int length) {
        byte[] body = text(100_000, 4, 7);
        byte[] packed = packing.pack(new Body(body)).held();
        byte[] damaged = Arrays.copyOf(packed, Math.max(1, packed.length - at % 3));
        damaged[at % damaged.length] = other;
        try {
            Body read = BodyPacking.body(damaged, Optional.of(BodyPacking.header(length)));
            assertThat(read.bytes()).hasSize(length);
        } catch (MalformedRecordException e) {
            assertThat(e.getMessage()).containsAnyOf("packed", "LZ4");
        }
    }

    @Test
    void aLengthThatNoBlockHasIsRefusedBeforeMemoryIsTaken() {
        for (String length : new String[]{"", "0", "-1", "1.5", "99999999999", "2147483647", "70000000"}) {
            assertThatThrownBy(
                    () -> BodyPacking.body(new byte[1000], Optional.of(length.getBytes(StandardCharsets.US_ASCII))))
                    .as(length).isInstanceOf(MalformedRecordException.class)
                    .hasMessageContaining("packed: '" + length + "'");
        }
    }

    private static byte[] text(int length, int letters, long seed) {
        byte[] bytes = new byte[length];
        Random random = new Random(seed);
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) random.nextInt(letters);
        }
        return bytes;
    }
}
