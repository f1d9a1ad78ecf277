package io.trawl.standalone.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeedFileReaderTest {
    private static SeedFileReader of(String text) {
        return new SeedFileReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void urlsBecomeSeedsObjectsStayAsTheyAreAndEveryLineKeepsItsNumber() throws IOException {
        try (SeedFileReader lines = of(
                "\uFEFFhttp://a.example/ü\"\r\n\n# a comment\n  {\"url\":\"http://b.example/\",\"priority\":2}\nhttp://c.example/")) {
            assertThat(new String(lines.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("""
                    {"url":"http://a.example/ü\\""}


                    {"url":"http://b.example/","priority":2}
                    {"url":"http://c.example/"}
                    """);
            assertThat(lines.count()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 26, 27, 8192})
    void theSeedsAreTheSameForEveryBufferSize(int size) throws IOException {
        StringBuilder read = new StringBuilder();
        try (SeedFileReader lines = of("http://a.example/\nhttp://b.example/\n\n")) {
            byte[] buffer = new byte[size];
            for (int n = lines.read(buffer); n >= 0; n = lines.read(buffer)) {
                assertThat(n).isPositive();
                read.append(new String(buffer, 0, n, StandardCharsets.US_ASCII));
            }
        }
        assertThat(read.toString()).isEqualTo("{\"url\":\"http://a.example/\"}\n{\"url\":\"http://b.example/\"}\n\n");
    }

    @Test
    void aLineOfASlowPipeIsHandedOnBeforeTheNextOneComes() throws IOException {
        InputStream slow = new InputStream() {
            private final byte[] line = "http://a.example/\n".getBytes(StandardCharsets.US_ASCII);
            private int position;

            @Override
            public int read() {
                if (position == line.length) {
                    throw new AssertionError("waits for what has not come yet");
                }
                return line[position++];
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                if (position == line.length) {
                    throw new AssertionError("waits for what has not come yet");
                }
                into[offset] = (byte) read();
                return 1;
            }

            @Override
            public int available() {
                return line.length - position;
            }
        };
        SeedFileReader lines = new SeedFileReader(slow);
        byte[] buffer = new byte[100];
        assertThat(new String(buffer, 0, lines.read(buffer), StandardCharsets.US_ASCII))
                .isEqualTo("{\"url\":\"http://a.example/\"}\n");
    }

    @Test
    void aFileOfCommentsHasNoSeeds() throws IOException {
        assertThat(of("\n# only a comment\n").readAllBytes()).containsOnly('\n');
    }
}
