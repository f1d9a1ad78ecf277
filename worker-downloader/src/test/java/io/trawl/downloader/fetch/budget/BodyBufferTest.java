package io.trawl.downloader.fetch.budget;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class BodyBufferTest {
    private static final int MANY = 300_000;

    @Property(tries = 200)
    void holdsWhatCameUpToTheLimitWhateverTheServerPromises(
            @ForAll @Size(max = 12) List<@IntRange(max = 70_000) Integer> pieces,
            @ForAll @IntRange(max = MANY) int limit, @ForAll @IntRange(min = -1, max = 2 * MANY) int promised) {
        BodyBuffer buffer = new BodyBuffer(limit, promised);
        byte[] sent = numbered(pieces.stream().mapToInt(Integer::intValue).sum());
        int at = 0;
        for (int piece : pieces) {
            buffer.write(ByteBuffer.wrap(sent, at, piece));
            at += piece;
        }
        byte[] expected = Arrays.copyOf(sent, Math.min(limit, sent.length));
        assertThat(buffer.length()).isEqualTo(expected.length);
        assertThat(buffer.finish()).isEqualTo(expected);
    }

    @Test
    void holdsNoMoreThanIsTrustedOfALengthThatIsOnlyPromised() {
        ByteBuffer sent = ByteBuffer.allocate(BodyMemory.LEAST_SHARE + 1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        new BodyBuffer(100 * MANY, 100 * MANY).write(sent);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10L * BodyMemory.LEAST_SHARE);
    }

    private static byte[] numbered(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 >> 3);
        }
        return bytes;
    }
}
