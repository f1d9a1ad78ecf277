package io.trawl.downloader.fetch.coding;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.trawl.downloader.fetch.coding.ContentDecoder.BrokenCodingException;
import io.trawl.downloader.fetch.coding.ContentDecoder.Inflated;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import io.trawl.model.Outcome.Damage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentDecoderTest {
    private static final String TEXT = "Trawl reads every coding of the web. ".repeat(40);
    private static final int LIMIT = 100_000;
    /** TEXT encoded by another implementation, since the library only decodes. */
    private static final byte[] BROTLI = Base64.getDecoder()
            .decode("G8cF+I2Uq+1oQeU2tq5jNb+V0AiCCEpJBvItaTiooVh+Y8UsUcwm3tWV8HID");
    /** 64 MiB of zeros. */
    private static final byte[] BROTLI_BOMB = Base64.getDecoder().decode(
            "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LADQvf/L//8//BMAcVgAoHv/Bw==");

    private static byte[] encoded(String coding, byte[] plain) {
        return switch (coding) {
            case "gzip" -> through(plain, GZIPOutputStream::new);
            case "deflate" -> through(plain, DeflaterOutputStream::new);
            case "raw deflate" -> through(plain, out -> new DeflaterOutputStream(out, new Deflater(9, true)));
            case "zstd" -> through(plain, ZstdOutputStream::new);
            default -> BROTLI;
        };
    }

    private interface Encoder {
        OutputStream over(OutputStream out) throws IOException;
    }

    private static byte[] through(byte[] plain, Encoder encoder) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream encoding = encoder.over(out)) {
            encoding.write(plain);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private static String text(Inflated inflated) {
        return new String(inflated.body().bytes(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw deflate", "zstd", "br"})
    void everyCodingIsDecoded(String coding) throws BrokenCodingException {
        Inflated inflated = ContentDecoder.inflate(header(coding), encoded(coding, TEXT.getBytes(UTF_8)), false, LIMIT);
        assertThat(text(inflated)).isEqualTo(TEXT);
        assertThat(inflated.truncated()).isFalse();
    }

    private static String header(String coding) {
        return coding.replace("raw ", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw deflate", "zstd"})
    void aBodyOfExactlyTheLimitIsWholeAndOneByteMoreIsCut(String coding) throws BrokenCodingException {
        assertThat(ContentDecoder.inflate(header(coding), encoded(coding, new byte[LIMIT]), false, LIMIT).truncated())
                .isFalse();
        Inflated cut = ContentDecoder.inflate(header(coding), encoded(coding, new byte[LIMIT + 1]), false, LIMIT);
        assertThat(cut.truncated()).isTrue();
        assertThat(cut.body().length()).isEqualTo(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw deflate", "zstd", "br"})
    void aBombIsCutAtTheLimit(String coding) throws BrokenCodingException {
        byte[] bomb = coding.equals("br") ? BROTLI_BOMB : encoded(coding, new byte[20_000_000]);
        Inflated inflated = ContentDecoder.inflate(header(coding), bomb, false, LIMIT);
        assertThat(inflated.truncated()).isTrue();
        assertThat(inflated.body().length()).isEqualTo(LIMIT);
    }

    @Test
    void aBombInsideABombIsCutInEveryLayer() throws BrokenCodingException {
        byte[] bomb = encoded("gzip", encoded("gzip", new byte[100_000_000]));
        Inflated inflated = ContentDecoder.inflate("gzip, gzip", bomb, false, LIMIT);
        assertThat(inflated.truncated()).isTrue();
        assertThat(inflated.body().length()).isLessThanOrEqualTo(LIMIT);
    }

    /** Within a layer that is broken at once a bomb is read for what is left. */
    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw deflate", "zstd"})
    void whatIsLeftOfADamagedBombIsBounded(String coding) {
        byte[] bomb = encoded(coding, new byte[20_000_000]);
        DamagedBody.of(List.of(header(coding)), bomb, LIMIT)
                .ifPresent(left -> assertThat(left.bytes().length).isLessThanOrEqualTo(LIMIT));
        assertThatThrownBy(() -> ContentDecoder.inflate("deflate, " + header(coding), bomb, false, LIMIT))
                .isInstanceOf(BrokenCodingException.class);
    }

    @Test
    void codingsAreDecodedInReverseOrder() throws BrokenCodingException {
        byte[] twice = encoded("zstd", encoded("gzip", TEXT.getBytes(UTF_8)));
        assertThat(text(ContentDecoder.inflate("gzip, zstd", twice, false, LIMIT))).isEqualTo(TEXT);
    }

    @Test
    void thousandsOfEmptyGzipMembersAreBroken() {
        byte[] empty = encoded("gzip", new byte[0]);
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int i = 0; i < 300_000; i++) {
            members.writeBytes(empty);
        }
        assertThatThrownBy(() -> ContentDecoder.inflate("gzip", members.toByteArray(), false, LIMIT))
                .isInstanceOf(BrokenCodingException.class);
    }

    @Test
    void manyGzipMembersAreOneBody() throws BrokenCodingException {
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        for (int i = 0; i < 5_000; i++) {
            members.writeBytes(encoded("gzip", new byte[]{'x'}));
            members.writeBytes(encoded("gzip", new byte[0]));
        }
        assertThat(text(ContentDecoder.inflate("gzip", members.toByteArray(), false, LIMIT)))
                .isEqualTo("x".repeat(5_000));
    }

    @Test
    void tooManyLayersAreBroken() {
        assertThatThrownBy(() -> ContentDecoder.inflate("gzip,gzip,gzip,gzip", new byte[]{1}, false, LIMIT))
                .isInstanceOf(BrokenCodingException.class).hasMessageContaining("4 times");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "zstd"})
    void aBodyThatEndsWithinItsFirstBlockIsBrokenUnlessItWasCutHere(String coding) throws BrokenCodingException {
        byte[] whole = encoded(coding, TEXT.getBytes(UTF_8));
        byte[] half = Arrays.copyOf(whole, whole.length - 9);
        assertThatThrownBy(() -> ContentDecoder.inflate(coding, half, false, LIMIT))
                .isInstanceOf(BrokenCodingException.class).hasMessage("the body is not valid " + coding);
        Inflated kept = ContentDecoder.inflate(coding, half, true, LIMIT);
        assertThat(kept.truncated()).isTrue();
        assertThat(TEXT).startsWith(text(kept));
    }

    @ParameterizedTest
    @CsvSource({"gzip,8,CHECKSUM", "gzip,1,CHECKSUM", "deflate,4,CHECKSUM", "deflate,1,CHECKSUM"})
    void aBodyThatLacksOnlyItsChecksumIsKept(String coding, int missing, Damage damage) throws BrokenCodingException {
        byte[] whole = encoded(coding, TEXT.getBytes(UTF_8));
        assertKept(ContentDecoder.inflate(coding, Arrays.copyOf(whole, whole.length - missing), false, LIMIT), TEXT,
                damage);
    }

    @ParameterizedTest
    @CsvSource({"gzip,8", "gzip,1", "deflate,1"})
    void aBodyWithAWrongChecksumIsKept(String coding, int fromTheEnd) throws BrokenCodingException {
        byte[] wrong = encoded(coding, TEXT.getBytes(UTF_8));
        wrong[wrong.length - fromTheEnd] ^= 1;
        assertKept(ContentDecoder.inflate(coding, wrong, false, LIMIT), TEXT, Damage.CHECKSUM);
    }

    private static void assertKept(Inflated inflated, String text, Damage damage) {
        assertThat(text(inflated)).isEqualTo(text);
        assertThat(inflated.truncated()).isTrue();
        assertThat(inflated.damage()).contains(damage);
    }

    @Test
    void whatComesBeforeABrokenMemberIsKeptAndOtherBytesBehindABodyAreNoDamage() throws BrokenCodingException {
        byte[] page = encoded("gzip", TEXT.getBytes(UTF_8));
        byte[] broken = encoded("gzip", new byte[0]);
        broken[10] = 7;
        assertKept(ContentDecoder.inflate("gzip", joined(page, broken), false, LIMIT), TEXT, Damage.CODING);
        Inflated whole = ContentDecoder.inflate("gzip", joined(page, "<!-- cached -->".getBytes(UTF_8)), false, LIMIT);
        assertThat(text(whole)).isEqualTo(TEXT);
        assertThat(whole.truncated()).isFalse();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Test
    void damageInAnyLayerIsTold() throws BrokenCodingException {
        byte[] inner = encoded("gzip", TEXT.getBytes(UTF_8));
        byte[] cutWithin = encoded("deflate", Arrays.copyOf(inner, inner.length - 8));
        assertKept(ContentDecoder.inflate("gzip, deflate", cutWithin, false, LIMIT), TEXT, Damage.CHECKSUM);
        byte[] broken = encoded("gzip", new byte[0]);
        broken[10] = 7;
        byte[] both = encoded("deflate", joined(inner, broken));
        assertKept(ContentDecoder.inflate("gzip, deflate", Arrays.copyOf(both, both.length - 4), false, LIMIT), TEXT,
                Damage.CODING);
    }

    @Test
    void aWrongChecksumBeforeAnotherMemberIsOneOfTheCodingSinceTheRestIsLost() throws BrokenCodingException {
        byte[] wrong = encoded("gzip", TEXT.getBytes(UTF_8));
        wrong[wrong.length - 8] ^= 1;
        byte[] more = encoded("gzip", "more".getBytes(UTF_8));
        assertKept(ContentDecoder.inflate("gzip", joined(wrong, more), false, LIMIT), TEXT, Damage.CODING);
    }

    /** RFC 1952 section 2.3. */
    @Property
    void whatStandsInTheHeadOfAGzipMemberIsNoPartOfItsBody(@ForAll @IntRange(max = 31) int flags,
            @ForAll @Size(max = 300) byte[] extra, @ForAll @StringLength(max = 20) @AlphaChars String name) {
        byte[] raw = encoded("raw deflate", TEXT.getBytes(UTF_8));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(new byte[]{0x1f, (byte) 0x8b, 8, (byte) flags, 0, 0, 0, 0, 0, 3});
        if ((flags & 4) != 0) {
            body.write(extra.length);
            body.write(extra.length >> 8);
            body.writeBytes(extra);
        }
        for (int text = Integer.bitCount(flags & (8 | 16)); text > 0; text--) {
            body.writeBytes((name + "\0").getBytes(UTF_8));
        }
        body.writeBytes(new byte[(flags & 2) == 0 ? 0 : 2]);
        body.writeBytes(raw);
        assertThat(DamagedBody.of(List.of("gzip"), body.toByteArray(), LIMIT)).get().satisfies(kept -> {
            assertThat(new String(kept.bytes(), UTF_8)).isEqualTo(TEXT);
            assertThat(kept.damage()).isEqualTo(Damage.CHECKSUM);
        });
        byte[] unknown = body.toByteArray();
        unknown[3] |= 0x20;
        assertThat(DamagedBody.of(List.of("gzip"), unknown, LIMIT)).as("a flag that is reserved").isEmpty();
    }

    @Property(tries = 300)
    void aDamagedBodyIsKeptFromItsFirstWholeBlockOn(@ForAll("codings") String coding,
            @ForAll @Size(min = 1, max = 5) List<@StringLength(min = 1, max = 300) String> parts,
            @ForAll @IntRange(max = 10_000) int place, @ForAll boolean broken) {
        // The decoder of zstd loses what it has when it meets something else.
        boolean cut = !broken || coding.equals("zstd");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Integer> ends = new ArrayList<>();
        try (OutputStream encoding = switch (coding) {
            case "gzip" -> new GZIPOutputStream(out, 512, true);
            case "zstd" -> new ZstdOutputStream(out);
            case "deflate" -> new DeflaterOutputStream(out, new Deflater(6), 512, true);
            default -> new DeflaterOutputStream(out, new Deflater(6, true), 512, true);
        }) {
            for (String part : parts) {
                encoding.write(part.getBytes(UTF_8));
                encoding.flush();
                ends.add(out.size());
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        byte[] body = out.toByteArray();
        int at = ends.getFirst() + place % (body.length - ends.getFirst());
        byte[] damaged = cut ? Arrays.copyOf(body, at) : body.clone();
        if (!cut) {
            Arrays.fill(damaged, at, damaged.length, (byte) 0xff);
        }
        byte[] text = parts.stream().map(part -> part.getBytes(UTF_8)).reduce(new byte[0], ContentDecoderTest::joined);
        try {
            byte[] kept = ContentDecoder.inflate(header(coding), damaged, false, LIMIT).body().bytes();
            assertThat(kept.length).isGreaterThanOrEqualTo(parts.getFirst().getBytes(UTF_8).length);
            if (cut) {
                assertThat(text).startsWith(kept);
            }
        } catch (BrokenCodingException e) {
            throw new AssertionError("broken at " + at + " of " + body.length, e);
        }
    }

    @Provide
    Arbitrary<String> codings() {
        return Arbitraries.of("gzip", "deflate", "raw deflate", "zstd");
    }

    /** New bytes, and copies of what came before, from any distance and of any length. */
    @Provide
    Arbitrary<byte[]> repetitive() {
        Arbitrary<byte[]> piece = Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(300);
        Arbitrary<Integer> distance = Arbitraries.frequencyOf(Tuple.of(1, Arbitraries.just(0)),
                Tuple.of(3, Arbitraries.integers().between(1, 10)),
                Tuple.of(3, Arbitraries.integers().between(1, 3_000)));
        return Combinators.combine(piece, distance, Arbitraries.integers().between(3, 600))
                .as((bytes, back,
                        length) -> (UnaryOperator<byte[]>) before -> back == 0 || back > before.length
                                ? joined(before, bytes)
                                : copied(before, back, length))
                .list().ofMaxSize(12).map(steps -> {
                    byte[] all = {};
                    for (UnaryOperator<byte[]> step : steps) {
                        all = step.apply(all);
                    }
                    return all;
                });
    }

    private static byte[] copied(byte[] before, int distance, int length) {
        byte[] all = Arrays.copyOf(before, before.length + length);
        for (int i = before.length; i < all.length; i++) {
            all[i] = all[i - distance];
        }
        return all;
    }

    @Property(tries = 300)
    void aBlockIsWholeWithItsLastByteOnly(@ForAll("repetitive") byte[] bytes, @ForAll @IntRange(max = 9) int level,
            @ForAll @IntRange(max = 2) int strategy) {
        Deflater deflater = new Deflater(level, true);
        deflater.setStrategy(strategy);
        byte[] block = through(bytes, out -> new DeflaterOutputStream(out, deflater));
        deflater.end();
        assertThat(new DeflateBlock(block).isWhole()).isTrue();
        assertThat(new DeflateBlock(Arrays.copyOf(block, block.length - 1)).isWhole()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "zstd", "br"})
    void somethingElseIsBroken(String coding) {
        assertThatThrownBy(
                () -> ContentDecoder.inflate(coding, "<html>not coded at all</html>".getBytes(UTF_8), false, LIMIT))
                .isInstanceOf(BrokenCodingException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "identity", "none", "utf-8", "binary, identity"})
    void aCodingThatDoesNotExistIsIgnored(String coding) {
        assertThat(ContentDecoder.isCoded(coding)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GZip", " x-gzip ", "identity, gzip"})
    void namesAreComparedWithoutCaseAndPrefix(String coding) throws BrokenCodingException {
        assertThat(ContentDecoder.isCoded(coding)).isTrue();
        assertThat(text(ContentDecoder.inflate(coding, encoded("gzip", TEXT.getBytes(UTF_8)), false, LIMIT)))
                .isEqualTo(TEXT);
    }

    @Test
    void anEmptyBodyIsNotDecoded() throws BrokenCodingException {
        assertThat(ContentDecoder.inflate("gzip", new byte[0], false, LIMIT).body().length()).isZero();
    }

    @Test
    void aZstdWindowLargerThanTheWebAllowsIsRefused() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZstdOutputStream zstd = new ZstdOutputStream(out)) {
            zstd.setLong(27);
            zstd.write(new byte[100]);
            zstd.flush();
            zstd.write(new byte[100]);
        }
        assertThatThrownBy(() -> ContentDecoder.inflate("zstd", out.toByteArray(), false, LIMIT))
                .isInstanceOf(BrokenCodingException.class);
        assertThat(Zstd.maxCompressionLevel()).isPositive();
    }

    @Property(tries = 300)
    void noBytesCauseAnotherException(@ForAll byte[] bytes) {
        for (String coding : new String[]{"gzip", "deflate", "br", "zstd"}) {
            try {
                assertThat(ContentDecoder.inflate(coding, bytes, false, 1000).body().length())
                        .isLessThanOrEqualTo(1000);
            } catch (BrokenCodingException e) {
                assertThat(e.getMessage()).contains(coding);
            }
        }
    }
}
