package io.trawl.pipeline.warc;

import static java.util.Objects.requireNonNull;

import io.trawl.codec.ArchiveFields;
import io.trawl.model.Sha256;
import io.trawl.codec.Json;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.pipeline.spi.Capture;
import io.trawl.pipeline.spi.FileWriters.ArchiveFile;
import io.trawl.pipeline.spi.FileWriters.ArchiveFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.MessageVersion;
import org.netpreserve.jwarc.URIs;
import org.netpreserve.jwarc.WarcCaptureRecord;
import org.netpreserve.jwarc.WarcCompression;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcRequest;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;
import org.netpreserve.jwarc.WarcTruncationReason;
import org.netpreserve.jwarc.WarcWriter;
import org.netpreserve.jwarc.Warcinfo;

/**
 * The contents of a WARC 1.1 file of one run, and of its index in CDXJ: the bytes of each response are to be written in
 * the order in which they are asked for. Every record is a gzip member. A body that the file holds already becomes a
 * revisit record, and so does one that the page had at its visit before (WARC 1.1, section 6.7). A record to which one
 * of a later run may refer is whole. Not thread-safe.
 */
public final class WarcSegment implements ArchiveFile {
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final String DIGEST = "sha256";
    /**
     * In hexadecimal digits, as in items: jwarc would write it in base 32 with a padding that its validator refuses.
     */
    private static final String PAYLOAD_DIGEST = "WARC-Payload-Digest";
    /** jwarc sets these only together with the id of the record, which is not known of one of an earlier run. */
    private static final String REFERS_TO_URI = "WARC-Refers-To-Target-URI";
    private static final String REFERS_TO_DATE = "WARC-Refers-To-Date";
    private static final String UNCHANGED = "warc/revisit";
    private final String fileName;
    private final UUID info = UUID.randomUUID();
    private final Map<String, Original> bodies = new HashMap<>();
    private final List<String> index = new ArrayList<>();
    private long position;

    /** The record that holds a body. @param id empty if it is in the archive of an earlier run */
    private record Original(Optional<UUID> id, String url, Instant date) {}

    /** @param fileName without folders */
    public WarcSegment(String fileName) {
        this.fileName = fileName;
    }

    /** WARC files. */
    public static final class WarcFormat implements ArchiveFormat {
        @Override
        public ArchiveFile open(String name) {
            return new WarcSegment(name);
        }
    }

    @Override
    public byte[] header(CrawlRun run, Instant now) {
        Map<String, List<String>> fields = new LinkedHashMap<>();
        fields.put("software", List.of("Trawl"));
        fields.put("format", List.of("WARC File Format 1.1"));
        fields.put("conformsTo",
                List.of("http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"));
        fields.put("isPartOf", List.of(run.toString()));
        byte[] header = bytes(List.of(new Warcinfo.Builder().version(MessageVersion.WARC_1_1).recordId(info)
                .date(now.truncatedTo(ChronoUnit.MILLIS)).filename(fileName).fields(fields).build()));
        position += header.length;
        return header;
    }

    @Override
    public byte[] add(Capture capture) {
        Response response = capture.response();
        Optional<WarcCaptureRecord> answer = capture.received() ? Optional.of(answer(capture)) : Optional.empty();
        Optional<String> main = answer.map(record -> record.id().toString());
        ByteArrayOutputStream out = new ByteArrayOutputStream(512 + response.body().length() / 2);
        answer.ifPresent(record -> {
            byte[] bytes = bytes(List.of(record));
            index.add(line(capture, record, bytes.length));
            out.writeBytes(bytes);
        });
        List<WarcRecord> others = new ArrayList<>();
        response.exchange().filter(_ -> answer.isPresent())
                .ifPresent(exchange -> others.add(request(capture, exchange, main)));
        others.add(metadata(capture, main));
        out.writeBytes(bytes(others));
        position += out.size();
        return out.toByteArray();
    }

    @Override
    public byte[] index() {
        return (String.join("\n", index.stream().sorted().toList()) + (index.isEmpty() ? "" : "\n"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private WarcCaptureRecord answer(Capture capture) {
        Response response = capture.response();
        Optional<Original> known = capture.known()
                .map(its -> new Original(Optional.empty(), response.url(), its.date()));
        Optional<String> knownDigest = capture.known().map(its -> DIGEST + ":" + its.hex());
        if (response.outcome() instanceof Outcome.Unchanged) {
            return revisit(capture, WarcRevisit.SERVER_NOT_MODIFIED_1_1, knownDigest.orElseThrow(),
                    known.orElseThrow());
        }
        String digest = DIGEST + ":" + Sha256.hex(response.body().bytes());
        boolean whole = response.body().length() > 0 && !capture.truncated();
        Optional<Original> original = known.filter(_ -> knownDigest.equals(Optional.of(digest)))
                .or(() -> Optional.ofNullable(bodies.get(digest)).filter(_ -> !capture.mayBeReferredTo()))
                .filter(_ -> whole);
        if (original.isPresent()) {
            return revisit(capture, WarcRevisit.IDENTICAL_PAYLOAD_DIGEST_1_1, digest, original.get());
        }
        byte[] head = HttpHead.of(response);
        UUID id = capture.id("response");
        WarcResponse.Builder record = common(capture,
                new WarcResponse.Builder(response.url()).recordId(id).setHeader(PAYLOAD_DIGEST, digest)
                        .body(MediaType.HTTP_RESPONSE, joined(head, response.body().bytes())));
        if (capture.truncated()) {
            record.truncated(WarcTruncationReason.LENGTH);
        } else if (whole) {
            bodies.put(digest, new Original(Optional.of(id), response.url(), date(response)));
        }
        return record.build();
    }

    private WarcCaptureRecord revisit(Capture capture, URI profile, String digest, Original original) {
        WarcRevisit.Builder record = common(capture,
                new WarcRevisit.Builder(capture.response().url(), profile).recordId(capture.id("revisit"))
                        .setHeader(REFERS_TO_URI, original.url()).setHeader(REFERS_TO_DATE, original.date().toString())
                        .setHeader(PAYLOAD_DIGEST, digest)
                        .body(MediaType.HTTP_RESPONSE, HttpHead.of(capture.response())));
        original.id().ifPresent(record::refersTo);
        return record.build();
    }

    private WarcRecord request(Capture capture, ArchivedExchange exchange, Optional<String> main) {
        byte[] body = capture.response().request().options().body().orElse("").getBytes(StandardCharsets.UTF_8);
        WarcRequest.Builder record = common(capture,
                new WarcRequest.Builder(capture.response().url()).recordId(capture.id("request")).body(
                        MediaType.HTTP_REQUEST,
                        joined(exchange.request().getBytes(StandardCharsets.ISO_8859_1), body)));
        main.ifPresent(id -> record.concurrentTo(URI.create(id)));
        return record.build();
    }

    private WarcRecord metadata(Capture capture, Optional<String> main) {
        Response response = capture.response();
        Map<String, List<String>> fields = new LinkedHashMap<>();
        fields.put("isPartOf", List.of(response.run().toString()));
        fields.put("depth", List.of(Integer.toString(response.request().depth())));
        response.request().parent().ifPresent(parent -> fields.put("via", List.of(parent)));
        response.request().options().parser().ifPresent(parser -> fields.put("parser", List.of(parser)));
        fields.put("fetchTimeMs", List.of(Long.toString(response.took().toMillis())));
        fields.put(ArchiveFields.DESCRIPTION, List.of(capture.description()));
        WarcMetadata.Builder record = new WarcMetadata.Builder().targetURI(response.url())
                .recordId(capture.id("metadata")).version(MessageVersion.WARC_1_1).date(date(response))
                .warcinfoId(uri(info)).fields(fields);
        main.ifPresent(id -> record.concurrentTo(URI.create(id)));
        return record.build();
    }

    private <R extends WarcCaptureRecord, B extends WarcCaptureRecord.AbstractBuilder<R, B>> B common(Capture capture,
            B record) {
        Response response = capture.response();
        record.version(MessageVersion.WARC_1_1).date(date(response)).warcinfoId(uri(info));
        response.exchange().ifPresent(exchange -> {
            record.setHeader("WARC-Protocol", exchange.protocol());
            exchange.address().ifPresent(address -> record.ipAddress(InetAddress.ofLiteral(address)));
        });
        return record;
    }

    private static Instant date(Response response) {
        return response.fetchedAt().truncatedTo(ChronoUnit.MILLIS);
    }

    private static URI uri(UUID id) {
        return URI.create("urn:uuid:" + id);
    }

    private static byte[] joined(byte[] head, byte[] body) {
        byte[] joined = new byte[head.length + body.length];
        System.arraycopy(head, 0, joined, 0, head.length);
        System.arraycopy(body, 0, joined, head.length, body.length);
        return joined;
    }

    /** The fields of pywb: a line begins with the key by which it is sorted. */
    private String line(Capture capture, WarcCaptureRecord record, int length) {
        Response response = capture.response();
        boolean revisit = record instanceof WarcRevisit;
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("url", response.url());
        fields.put("mime", revisit ? UNCHANGED : response.header("content-type").replaceFirst(";.*", "").strip());
        fields.put("status", response.outcome().detail());
        fields.put("digest", record.headers().first(PAYLOAD_DIGEST).orElseThrow());
        fields.put("length", Integer.toString(length));
        fields.put("offset", Long.toString(position));
        fields.put("filename", fileName);
        return requireNonNull(URIs.toNormalizedSurt(response.url())) + " " + TIMESTAMP.format(response.fetchedAt())
                + " " + new String(Json.bytes(fields), StandardCharsets.UTF_8);
    }

    private byte[] bytes(List<? extends WarcRecord> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        try (WarcWriter writer = new WarcWriter(Channels.newChannel(out), WarcCompression.GZIP)) {
            for (WarcRecord record : records) {
                writer.write(record);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no such failures", e);
        }
        return out.toByteArray();
    }
}
