package io.trawl.coordinator.seedlist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.coordinator.seedlist.SeedList.ListedSeed;
import io.trawl.model.InvalidValueException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcRequest;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcWriter;

class SeedListTest {
    private static final Optional<String> NO_COLUMN = Optional.empty();

    @Test
    void linesAreUrlsAndSeedsAndEachKeepsItsNumber() throws IOException {
        List<String> read = read(
                "\uFEFFhttp://a.example/ü with space\r\n\r\n# a remark\n  {\"url\":\"http://b.example/\","
                        + "\"priority\":2}\r\"http://c.example/\"\nhttp://d.example/a#part");
        assertThat(read).containsExactly("line 1 http://a.example/ü with space", "line 4 http://b.example/",
                "line 5 http://c.example/", "line 6 http://d.example/a#part");
        assertThat(read("\n# only a remark\n")).isEmpty();
        assertThat(read("")).isEmpty();
    }

    @Test
    void everyFaultOfAListIsNamedWithItsLine() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write("http://a.example/\nhttp://a.example/caf".getBytes(StandardCharsets.US_ASCII));
        bytes.write(0xE9);
        bytes.write(("-latin1\nhttp://a.example/ # the first\n{\"url\":\"http://a.example/\",\"depht\":1}\n"
                + "x".repeat(200_000) + "\nhttp://b.example/").getBytes(StandardCharsets.US_ASCII));
        assertThat(read(bytes.toByteArray(), NO_COLUMN)).satisfiesExactly(
                good -> assertThat(good).isEqualTo("line 1 http://a.example/"),
                latin -> assertThat(latin).contains("line 2", "caf\\xe9-latin1", "UTF-8, or UTF-16"),
                remark -> assertThat(remark).contains("line 3", "begins with #"),
                field -> assertThat(field).contains("line 4.depht", "depth"),
                large -> assertThat(large).contains("line 5", "131072 bytes"),
                good -> assertThat(good).isEqualTo("line 6 http://b.example/"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void utf16IsReadIfItsMarkSaysSo(String name) throws IOException {
        Charset charset = Charset.forName(name);
        byte[] text = "\uFEFFhttp://a.example/ü\r\n\r\nhttp://b.example/č\n".getBytes(charset);
        assertThat(read(text, NO_COLUMN)).containsExactly("line 1 http://a.example/ü", "line 3 http://b.example/č");
        byte[] cut = Arrays.copyOf(text, text.length - 3);
        assertThat(read(cut, NO_COLUMN)).last().asString().contains("line 3", "is not valid");
    }

    @Test
    void aCompressedListIsReadAlsoInPartsThatComeLate() throws IOException {
        byte[] first = gzip("http://a.example/\nhttp://b.");
        byte[] second = gzip("example/\n");
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        InputStream slow = new ByteArrayInputStream(both) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
        assertThat(read(slow, NO_COLUMN)).containsExactly("line 1 http://a.example/", "line 2 http://b.example/");
        assertThat(read(Arrays.copyOf(first, first.length - 12), NO_COLUMN)).last().asString()
                .contains("gzip that is complete");
    }

    /** Whatever byte it is: no list ends with an exception of the reader of gzip. */
    @ParameterizedTest
    @ValueSource(strings = {"lines", "csv"})
    void aCompressedListThatIsDamagedIsAMistakeWithItsPlace(String kind) throws IOException {
        byte[] whole = gzip("url\nhttp://a.example/\nhttp://b.example/\n");
        for (int i = 2; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= (byte) 0xFF;
            for (byte[] damaged : List.of(changed, Arrays.copyOf(whole, i))) {
                try {
                    read(damaged, kind.equals("csv") ? Optional.of("url") : NO_COLUMN);
                } catch (InvalidValueException e) {
                    assertThat(e).hasMessageContaining("line");
                }
            }
        }
    }

    @Test
    void aColumnOfCsvHasTheUrls() throws IOException {
        String csv = """
                name,"the url",rank
                "A ""first"" one",http://a.example/,1

                "two
                lines","http://b.example/x,y",2
                empty,,3
                short
                http://c.example/,"http://c.example/",4
                """;
        assertThat(read(csv.getBytes(StandardCharsets.UTF_8), Optional.of("the url"))).satisfiesExactly(
                one -> assertThat(one).isEqualTo("line 2 http://a.example/"),
                two -> assertThat(two).isEqualTo("line 4 http://b.example/x,y"),
                three -> assertThat(three).contains("line 7", "at least 2 columns"),
                four -> assertThat(four).isEqualTo("line 8 http://c.example/"));
        assertThat(read("1,http://a.example/\n".getBytes(StandardCharsets.UTF_8), Optional.of("2")))
                .containsExactly("line 1 http://a.example/");
        assertThatThrownBy(() -> read(csv.getBytes(StandardCharsets.UTF_8), Optional.of("url")))
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("name, the url, rank");
        assertThat(read("a,\"b\nhttp://a.example/".getBytes(StandardCharsets.UTF_8), Optional.of("1"))).first()
                .asString().contains("line 1", "CSV");
    }

    @Test
    void theCapturesOfACdxjFileAreUrls() throws IOException {
        assertThat(read("""
                !OpenWayback-CDXJ 1.0
                example,a)/ 20260101000000 {"url": "http://a.example/", "mime": "text/html", "status": "200"}
                example,a)/x 20260101000001 {"url":"https://a.example/x","length":7,"filename":"a.warc.gz"}
                dns:a.example 20260101000001 {"url":"dns:a.example"}
                """)).containsExactly("line 2 http://a.example/", "line 3 https://a.example/x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GZIP", "NONE"})
    void theResponsesOfAWarcFileAreUrls(WarcCompression compression) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (WarcWriter writer = new WarcWriter(Channels.newChannel(bytes), compression)) {
            for (String url : List.of("http://a.example/", "dns:a.example", "https://a.example/x")) {
                URI target = URI.create(url);
                writer.write(new WarcRequest.Builder(target).date(Instant.EPOCH)
                        .body(MediaType.HTTP_REQUEST, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII))
                        .build());
                writer.write(new WarcResponse.Builder(target).date(Instant.EPOCH)
                        .body(MediaType.HTTP_RESPONSE,
                                "HTTP/1.1 200 OK\r\n\r\nhttp://no.example/\n".getBytes(StandardCharsets.US_ASCII))
                        .build());
            }
        }
        assertThat(read(bytes.toByteArray(), NO_COLUMN)).containsExactly("record 2 http://a.example/",
                "record 6 https://a.example/x");
        byte[] cut = Arrays.copyOf(bytes.toByteArray(), bytes.size() - 30);
        assertThat(read(cut, NO_COLUMN)).first().isEqualTo("record 2 http://a.example/");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static List<String> read(String text) throws IOException {
        return read(text.getBytes(StandardCharsets.UTF_8), NO_COLUMN);
    }

    private static List<String> read(byte[] bytes, Optional<String> column) throws IOException {
        return read(new ByteArrayInputStream(bytes), column);
    }

    /** Each seed with its place, or the message of its fault. */
    private static List<String> read(InputStream in, Optional<String> column) throws IOException {
        SeedList list = SeedList.of(in, column);
        List<String> read = new ArrayList<>();
        while (true) {
            try {
                Optional<ListedSeed> next = list.next();
                if (next.isEmpty()) {
                    return read;
                }
                read.add(next.get().place() + " " + next.get().seed().url().orElse(""));
            } catch (InvalidValueException e) {
                read.add(e.getMessage());
            }
        }
    }
}
