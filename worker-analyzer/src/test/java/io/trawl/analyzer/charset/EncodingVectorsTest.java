package io.trawl.analyzer.charset;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.charset.WebCharset;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors of packages that {@code .ci/vectors} fetches at night; {@code docs/vectors.md} names them. */
@EnabledIfSystemProperty(named = "trawl.vectors", matches = ".+", disabledReason = "their packages are fetched at night")
class EncodingVectorsTest {
    /** Private characters, which have been those of GB 18030-2022 in the standard since 2023. */
    private static final Set<String> BEFORE_2023 = Stream
            .of("E78D E78E E78F E790 E791 E792 E793 E794 E795 E796 E81E E826 E82B", "E82C E832 E843 E854 E864")
            .flatMap(hex -> Stream.of(hex.split(" "))).map(hex -> Character.toString(Integer.parseInt(hex, 16)))
            .collect(Collectors.toUnmodifiableSet());

    private static byte[] read(String set, String file) throws IOException {
        return Files.readAllBytes(Path.of(System.getProperty("trawl.vectors"), set, file));
    }

    @ParameterizedTest
    @CsvSource({"big5,big5", "euc_kr,euc-kr", "gb18030,gb18030", "gb18030,gbk", "iso_2022_jp,iso-2022-jp",
            "jis0208,euc-jp", "jis0212,euc-jp", "shift_jis,shift_jis"})
    void eachByteSequenceIsReadAsTheStandardReadsIt(String file, String label) throws IOException {
        List<String> ours = DecodedText.of(read("encoding_rs", file + "_in.txt"), "text/html; charset=" + label).text()
                .lines().toList();
        List<String> theirs = new String(read("encoding_rs", file + "_in_ref.txt"), UTF_8).lines().toList();
        assertThat(ours).hasSizeGreaterThan(6000).hasSameSizeAs(theirs);
        Set<String> different = IntStream.range(0, ours.size()).filter(i -> !ours.get(i).equals(theirs.get(i)))
                .mapToObj(theirs::get).collect(Collectors.toSet());
        assertThat(different).isEqualTo(label.startsWith("gb") ? BEFORE_2023 : Set.of());
    }

    @ParameterizedTest
    @CsvSource({"big5,big5", "euc_kr,euc-kr", "gb18030,gb18030", "jis0208,euc-jp", "shift_jis,shift_jis"})
    void eachQueryIsWrittenAsTheStandardWritesIt(String file, String label) throws IOException {
        Charset charset = WebCharset.forLabel(label).orElseThrow();
        BaseUrl page = BaseUrl.of(new NormalUrl("http://example.org/"), charset);
        List<String> text = new String(read("encoding_rs", file + "_out.txt"), UTF_8).lines().skip(5).toList();
        List<String> theirs = new String(read("encoding_rs", file + "_out_ref.txt"), ISO_8859_1).lines().skip(5)
                .toList();
        assertThat(text).hasSizeGreaterThan(6000).hasSameSizeAs(theirs);
        for (int i = 0; i < text.size(); i++) {
            assertThat(query(page, text.get(i))).as(text.get(i)).isEqualTo(theirs.get(i));
        }
    }

    private static String query(BaseUrl page, String text) {
        String url = page.resolve("/?q=" + text) instanceof NormalUrl(String normal) ? normal : "";
        String query = url.substring(url.indexOf('=') + 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < query.length(); i++) {
            boolean encoded = query.charAt(i) == '%';
            bytes.write(encoded ? Integer.parseInt(query.substring(i + 1, i + 3), 16) : query.charAt(i));
            i += encoded ? 2 : 0;
        }
        return bytes.toString(ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({"HTTP-charset,iso-8859-15,iso-8859-15", "UTF-16LE-BOM,,utf-16le", "UTF-16BE-BOM,,utf-16be",
            "meta-content-attribute,,iso-8859-15", "meta-charset-attribute,,iso-8859-15",
            "No-encoding-declaration,,utf-8", "HTTP-vs-UTF-8-BOM,iso-8859-15,utf-8",
            "HTTP-vs-meta-content,iso-8859-15,iso-8859-15", "HTTP-vs-meta-charset,iso-8859-15,iso-8859-15",
            "UTF-8-BOM-vs-meta-content,,utf-8", "UTF-8-BOM-vs-meta-charset,,utf-8"})
    void pagesOfTheW3cAreReadInTheirEncoding(String page, String header, String expected) throws IOException {
        Charset charset = DecodedText
                .of(read("html-charset", page + ".html"), header == null ? "text/html" : "text/html; charset=" + header)
                .charset();
        assertThat(charset).isEqualTo(WebCharset.forLabel(expected).orElseThrow());
    }
}
