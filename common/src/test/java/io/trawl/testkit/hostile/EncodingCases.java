package io.trawl.testkit.hostile;

import static io.trawl.testkit.hostile.HostileCorpus.CUT;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE;
import static io.trawl.testkit.hostile.HostileCorpus.PAGE_OR_CUT;
import static io.trawl.testkit.hostile.HostileCorpus.answering;
import static io.trawl.testkit.hostile.HostileCorpus.either;
import static io.trawl.testkit.hostile.HostileCorpus.failure;
import static io.trawl.model.FailureReason.PROTOCOL;

import com.github.luben.zstd.ZstdOutputStream;
import io.trawl.testkit.hostile.HostileCase.CaseGroup;
import io.trawl.testkit.hostile.HostileCase.HostileServer;
import io.trawl.testkit.hostile.HostileCorpus.Cases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Bodies whose Content-Encoding is a bomb or a lie. */
final class EncodingCases {
    private static final byte[] HTML = "<title>own</title>".getBytes(StandardCharsets.UTF_8);
    private static final int BOMB = 16 << 20;
    /** 64 MiB of zeros. The library only decodes brotli. */
    private static final byte[] BROTLI_BOMB = Base64.getDecoder().decode(
            "y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//B/8EQBwWAOje//H//w/+CYA4LA"
                    + "DQvf/L//8//BMAcVgAoHv/Bw==");
    /** A frame that asks for a window of 2 GiB (RFC 8878). */
    private static final byte[] ZSTD_WINDOW = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0, (byte) 0xa8, 1, 0, 0};

    private interface Encoder {
        OutputStream of(OutputStream out) throws IOException;
    }

    private EncodingCases() {}

    static List<HostileCase> all() {
        Cases cases = new Cases(CaseGroup.ENCODINGS);
        bombs(cases);
        lies(cases);
        chains(cases);
        return cases.list();
    }

    private static HostileServer sends(String coding, byte[] body) {
        return answering(
                (wire, _) -> wire.answer("200 OK", body, "Content-Type: text/html", "Content-Encoding: " + coding));
    }

    /** A body that is made when it is asked for, and not kept. */
    private static HostileServer sends(String coding, Encoder encoder, int zeros) {
        return answering((wire, _) -> wire.answer("200 OK", encoded(encoder, new byte[zeros]),
                "Content-Type: text/html", "Content-Encoding: " + coding));
    }

    private static byte[] encoded(Encoder encoder, byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = encoder.of(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    static byte[] gzip(byte[] plain) {
        return encoded(GZIPOutputStream::new, plain);
    }

    private static void bombs(Cases cases) {
        cases.add("gzip-bomb", "16 MiB of zeros in 16 KB of gzip", CUT, sends("gzip", GZIPOutputStream::new, BOMB))
                .add("deflate-bomb", "16 MiB of zeros in deflate", CUT,
                        sends("deflate", DeflaterOutputStream::new, BOMB))
                .add("raw-deflate-bomb", "16 MiB of zeros in deflate without its wrapper", CUT,
                        sends("deflate", out -> new DeflaterOutputStream(out, new Deflater(1, true)), BOMB))
                .add("zstd-bomb", "16 MiB of zeros in zstd", CUT, sends("zstd", ZstdOutputStream::new, BOMB))
                .add("brotli-bomb", "64 MiB of zeros in 130 bytes of brotli", CUT, sends("br", BROTLI_BOMB))
                .add("gzip-bomb-in-gzip", "a gzip bomb in gzip", CUT,
                        sends("gzip, gzip", out -> new GZIPOutputStream(new GZIPOutputStream(out)), BOMB))
                .add("zstd-window", "zstd that asks for a window of 2 GiB", failure(PROTOCOL),
                        sends("zstd", ZSTD_WINDOW))
                .add("gzip-members-empty", "300,000 empty gzip members", either(PAGE_OR_CUT, failure(PROTOCOL)),
                        answering((wire, _) -> members(wire, gzip(new byte[0]), 300_000)))
                .add("gzip-members", "50,000 gzip members of a paragraph each", either(PAGE_OR_CUT, failure(PROTOCOL)),
                        answering((wire, _) -> members(wire, gzip("<p>x".getBytes(StandardCharsets.UTF_8)), 50_000)));
    }

    private static void members(Wire wire, byte[] member, int count) throws IOException {
        byte[] all = new byte[member.length * count];
        for (int i = 0; i < count; i++) {
            System.arraycopy(member, 0, all, i * member.length, member.length);
        }
        wire.answer("200 OK", all, "Content-Type: text/html", "Content-Encoding: gzip");
    }

    private static void lies(Cases cases) {
        byte[] gzip = gzip(HTML);
        byte[] wrongSum = gzip.clone();
        wrongSum[gzip.length - 8] ^= 1;
        for (String coding : List.of("gzip", "deflate", "br", "zstd")) {
            cases.add("plain-as-" + coding, "plain text that claims to be " + coding, failure(PROTOCOL),
                    sends(coding, HTML));
        }
        cases.add("gzip-cut", "gzip that ends within its only block", failure(PROTOCOL),
                sends("gzip", Arrays.copyOf(gzip, gzip.length - 9)))
                .add("gzip-without-trailer", "gzip without its checksum and length", CUT,
                        sends("gzip", Arrays.copyOf(gzip, gzip.length - 8)))
                .but(c -> c.titled("own"))
                .add("gzip-wrong-checksum", "gzip with a wrong checksum", CUT, sends("gzip", wrongSum))
                .but(c -> c.titled("own"))
                .add("gzip-name-without-end", "a gzip header whose file name has no end", failure(PROTOCOL),
                        sends("gzip",
                                ("\37\213\10\10\0\0\0\0\0\3" + "x".repeat(1_000_000))
                                        .getBytes(StandardCharsets.ISO_8859_1)))
                .add("gzip-then-garbage", "gzip, followed by other bytes", either(PAGE, failure(PROTOCOL)),
                        sends("gzip", concat(gzip, "garbage".getBytes(StandardCharsets.UTF_8))))
                .add("encoding-unknown", "Content-Encoding: snake, and a plain page", PAGE, sends("snake", HTML))
                .but(c -> c.titled("own"))
                .add("encoding-is-a-charset", "Content-Encoding: utf-8", PAGE, sends("utf-8", HTML))
                .but(c -> c.titled("own"))
                .add("encoding-of-an-empty-body", "gzip without a byte", PAGE, sends("gzip", new byte[0]));
    }

    private static byte[] concat(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static void chains(Cases cases) {
        byte[] three = gzip(gzip(gzip(HTML)));
        cases.add("encoded-three-times", "gzip in gzip in gzip", PAGE, sends("gzip, gzip, gzip", three))
                .but(c -> c.titled("own"))
                .add("encoded-four-times", "four layers of gzip", failure(PROTOCOL),
                        sends("gzip, gzip, gzip, gzip", gzip(three)))
                .add("encoded-5000-times", "a Content-Encoding that names gzip 5,000 times", failure(PROTOCOL),
                        sends("gzip,".repeat(5_000) + "gzip", three))
                .add("encoding-of-30-kb-of-commas", "a Content-Encoding of 30,000 commas, and a plain page", PAGE,
                        sends(",".repeat(30_000), HTML));
    }
}
