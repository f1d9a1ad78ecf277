package io.trawl.downloader.fetch.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.budget.BoundedIOSession.FrameCounter;
import io.trawl.testkit.ManualTime;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.hc.core5.reactor.IOSession;
import org.junit.jupiter.api.Test;

class BoundedIOSessionTest {
    /** A connection whose server sends faster than anybody reads. */
    private static IOSession flood() {
        return (IOSession) Proxy.newProxyInstance(IOSession.class.getClassLoader(), new Class<?>[]{IOSession.class},
                (_, method, arguments) -> {
                    if (!method.getName().equals("read")) {
                        return null;
                    }
                    ByteBuffer target = (ByteBuffer) arguments[0];
                    int n = target.remaining();
                    target.position(target.limit());
                    return n;
                });
    }

    private final BoundedIOSession session = new BoundedIOSession(flood(), Duration.ofMinutes(1), ManualTime.flowing());

    private int readAll() throws IOException {
        int total = 0;
        for (int n = 1; n > 0; total += n) {
            ByteBuffer target = ByteBuffer.allocate(10_000);
            n = session.read(target);
            assertThat(target.limit()).as("the caller's buffer keeps its limit").isEqualTo(10_000);
        }
        return total;
    }

    @Test
    void anEventReadsNoMoreThanItsTurn() throws IOException {
        assertThat(readAll()).isEqualTo(BoundedIOSession.TURN);
        assertThat(readAll()).isZero();
        session.updateReadTime();
        assertThat(readAll()).isEqualTo(BoundedIOSession.TURN);
    }

    @Test
    void bytesBeforeTheHeadersAreBounded() {
        assertThatThrownBy(() -> {
            for (int i = 0; i < 10; i++) {
                session.updateReadTime();
                readAll();
            }
        }).isInstanceOf(ReceiveBudget.TooLarge.class);
    }

    @Test
    void framesAreCountedAcrossBuffers() {
        byte[] dataOfThree = {0, 0, 3, 0, 0, 0, 0, 0, 1, 'a', 'b', 'c'};
        byte[] emptyData = {0, 0, 0, 0, 0, 0, 0, 0, 1};
        byte[] ping = {0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
        ByteBuffer all = ByteBuffer.allocate(200).put(dataOfThree).put(ping).put(emptyData).put(dataOfThree).put(ping)
                .flip();
        for (int piece = 1; piece <= all.limit(); piece++) {
            FrameCounter frames = new FrameCounter();
            int count = 0;
            for (int at = 0; at < all.limit(); at += piece) {
                count += frames.control(all.slice(at, Math.min(piece, all.limit() - at)));
            }
            assertThat(count).as("pieces of %d bytes", piece).isEqualTo(3);
        }
    }
}
