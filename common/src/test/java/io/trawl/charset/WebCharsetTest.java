package io.trawl.charset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebCharsetTest {
    private static final List<String> NAMES = names().keySet().stream().filter(name -> !name.startsWith("UTF-"))
            .sorted().toList();

    private static Map<String, List<String>> names() {
        try (InputStream in = Objects.requireNonNull(WebCharset.class.getResourceAsStream("labels.txt"))) {
            Map<String, List<String>> names = new HashMap<>();
            new String(in.readAllBytes(), UTF_8).lines().map(line -> line.split("\t"))
                    .forEach(parts -> names.put(parts[0], List.of(parts[1].split(" "))));
            return names;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Charset charset(String label) {
        return WebCharset.forLabel(label).orElseThrow();
    }

    private static String decoded(String label, String hex) {
        return new String(HexFormat.of().parseHex(hex), charset(label));
    }

    @Test
    void eachLabelOfTheStandardHasItsCharsetInAnyCaseAndUnknownOnesHaveNone() {
        assertThat(names()).hasSize(40);
        assertThat(names().values().stream().mapToInt(List::size).sum()).isEqualTo(228);
        names().forEach((name, labels) -> labels
                .forEach(label -> assertThat(charset(" " + label.toUpperCase(java.util.Locale.ROOT))).as(label)
                        .isSameAs(charset(name))));
        assertThat(WebCharset.forLabel("no-such-charset")).isEmpty();
        assertThat(WebCharset.forLabel("??")).isEmpty();
    }

    /** Where a label stands is checked by another list: what is one charset there is one here. */
    @Test
    void allLabelsOfACharsetOfTheJdkAreThoseOfOneCharset() {
        Map<Charset, Set<String>> names = new HashMap<>();
        // The JDK reads this label in the other order.
        names().forEach((name, labels) -> labels.stream()
                .filter(label -> Charset.isSupported(label) && !label.equals("iso-10646-ucs-2"))
                .forEach(label -> names.computeIfAbsent(Charset.forName(label), _ -> new HashSet<>()).add(name)));
        assertThat(names).hasSizeGreaterThan(30).allSatisfy((_, standard) -> assertThat(standard).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"big5|十卅═|a451a4caf9f9", "gbk|€𐀀|803f", "gb18030|€𐀀|a2e390308130",
            "shift_jis|¥‾−|5c7e817c", "euc-jp|¥−|5ca1dd", "windows-1252|€|80"})
    void textIsWrittenAsTheStandardSays(String label, String text, String hex) {
        assertThat(HexFormat.of().formatHex(text.getBytes(charset(label)))).isEqualTo(hex);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"iso-8859-1|93e994|“é”", "windows-1252|81|\u0081", "iso-8859-10|de|Þ",
            "latin6|af|Ŋ", "iso-8859-8-i|f9ece5ed|שלום", "x-mac-cyrillic|91|С", "mac|8a|ä", "dos-874|ca|ส",
            "koi8-ru|b4|Є", "iso-8859-14|a1|Ḃ", "euc-jp|ada1adeaadd1|①㈱㎝", "euc-jp|8fb0a1|丂", "euc-jp|8eb1|ｱ",
            "shift_jis|8740878afa58|①㈱㈱", "x-sjis|f040|\uE000", "big5|f9da|恒", "big5|f9d69d73|碁䲤", "big5|8862|Ê̄",
            "big5|8740|䏰", "korean|8141b0a1|갂가", "gb_2312-80|c1aa|联", "gbk|80a2e3|€€",
            "gb18030|813081318135f437|\u0081\uE7C7", "gb18030|903081308431a437|𐀀�", "gb18030|a6d9fe59|︐龴",
            "iso-2022-jp|1b24422d211b2842|①", "x-user-defined|41ff|A\uF7FF", "hz-gb-2312|414243|\uFFFD"})
    void bytesAreReadAsTheStandardSays(String label, String hex, String text) {
        assertThat(decoded(label, hex)).isEqualTo(text);
    }

    @Test
    void whereTheCharsetIsThatOfTheJdkItReadsEverySequenceAsTheStandardDoes() {
        names().keySet().stream().filter(name -> !name.startsWith("UTF-") && !(charset(name) instanceof SequenceCharset)
                && !(charset(name) instanceof ReplacementCharset)).forEach(name -> {
                    if (name.equals("ISO-2022-JP")) {
                        EncodingIndex index = EncodingIndex.of("jis0208");
                        for (int pointer = 0; pointer < 94 * 94; pointer++) {
                            byte[] bytes = {0x1b, '$', 'B', (byte) (pointer / 94 + 0x21), (byte) (pointer % 94 + 0x21),
                                    0x1b, '(', 'B'};
                            int codePoint = index.codePoint(pointer);
                            assertThat(new String(bytes, charset(name)))
                                    .isEqualTo(Character.toString(codePoint == 0 ? 0xFFFD : codePoint));
                        }
                    } else {
                        Charset table = new SequenceCharset("x-table", () -> new SingleByte(EncodingIndex.of(
                                name.equals("ISO-8859-8-I") ? "iso-8859-8" : name.toLowerCase(java.util.Locale.ROOT))));
                        byte[] all = new byte[256];
                        for (int i = 0; i < all.length; i++) {
                            all[i] = (byte) i;
                        }
                        assertThat(new String(all, charset(name))).as(name).isEqualTo(new String(all, table));
                    }
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"big5|813c|�<", "big5|81|�", "euc-kr|a13c41|�<A", "euc-jp|8fa13c|�<",
            "shift_jis|813c|�<", "shift_jis|ff41|�A", "gbk|813c|�<", "gb18030|81308141|�0丄", "gb18030|8130|�",
            "gb18030|8431a53041|�A", "windows-1253|d241|�A"})
    void whatIsNoCharacterSwallowsNoMarkup(String label, String hex, String text) {
        assertThat(decoded(label, hex)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"big5", "euc-jp", "euc-kr", "shift_jis", "gbk", "gb18030", "iso-8859-2", "windows-1252",
            "koi8-u", "x-user-defined", "iso-8859-8-i"})
    void whatIsWrittenIsReadAsItWas(String label) {
        int[] written = IntStream.range(0, Character.MAX_CODE_POINT + 1)
                .filter(c -> (c < 0xD800 || c > 0xDFFF) && (c < 0x30000 || c % 97 == 0)).toArray();
        String all = new String(written, 0, written.length);
        int[] read = new String(all.getBytes(charset(label)), charset(label)).codePoints().toArray();
        // What the charset lacks is written as a question mark.
        assertThat(read).hasSameSizeAs(written);
        assertThat(IntStream.of(read).filter(c -> c != '?').count())
                .isGreaterThan(label.equals("gb18030") ? 180_000 : 200);
        // The standard writes these as another character that looks the same, or as earlier editions of GB18030 do.
        assertThat(IntStream.range(0, read.length).filter(i -> read[i] != written[i] && read[i] != '?')
                .map(i -> written[i]).boxed())
                .allMatch(c -> Set.of(0xA5, 0x203E, 0x2212).contains(c)
                        || label.startsWith("gb") && c >= 0xE78D && c <= 0xE864);
    }

    @Property(tries = 2000)
    void anyBytesAreAText(@ForAll @Size(max = 12) byte[] bytes) {
        for (String name : NAMES) {
            String text = new String(bytes, charset(name));
            assertThat(text.length()).isLessThanOrEqualTo(bytes.length);
            String around = new String(("<p>" + new String(bytes, ISO_8859_1) + " <p>").getBytes(ISO_8859_1),
                    charset(name));
            assertThat(name.equals("ISO-2022-JP") || name.equals("replacement") || around.endsWith("<p>")).as(name)
                    .isTrue();
        }
    }
}
