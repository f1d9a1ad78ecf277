package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.trawl.ledger.UrlFacts;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PackedFactsTest {
    @Property
    void writtenFactsAreReadAsTheSame(@ForAll @IntRange(max = 255) int known,
            @ForAll @LongRange(min = 0, max = UrlFacts.NO_OFFSET) long first, @ForAll @IntRange(max = 255) int depth,
            @ForAll @LongRange(min = 0, max = UrlFacts.NO_OFFSET) long done) {
        UrlFacts facts = new UrlFacts(known, first, depth, done);
        ByteBuffer packed = ByteBuffer.allocate(PackedFacts.LENGTH);
        PackedFacts.write(facts, packed);
        assertThat(PackedFacts.read(packed.flip())).isEqualTo(facts);
    }

    @Test
    void valuesThatDoNotFitAreRefused() {
        ByteBuffer packed = ByteBuffer.allocate(PackedFacts.LENGTH);
        assertThatIllegalArgumentException().isThrownBy(() -> PackedFacts.write(UrlFacts.requested(256), packed));
        assertThatIllegalArgumentException().isThrownBy(() -> PackedFacts.write(UrlFacts.requested(-1), packed));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PackedFacts.write(UrlFacts.responded(0, 1L << 40), packed.clear()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PackedFacts.write(UrlFacts.responded(0, -1), packed.clear()));
    }
}
