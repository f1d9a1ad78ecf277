package io.trawl.redis;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.Body;
import io.trawl.model.Outcome;
import io.trawl.politeness.RobotsAnswer;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A robots.txt answer as bytes: a line of JSON, then the file, deflated if that is shorter. Pure functions. */
final class PackedRobots {
    /** Files up to this length, which are most, are not deflated. */
    private static final int SHORT = 512;

    private PackedRobots() {}

    private enum Kind {
        FILE, NONE, UNREACHABLE
    }

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record Head(Kind kind, Optional<String> contentType, boolean truncated, boolean deflated,
            Optional<Outcome> outcome, Optional<Duration> retryAfter) {
        static Head of(Kind kind) {
            return new Head(kind, Optional.empty(), false, false, Optional.empty(), Optional.empty());
        }
    }

    static byte[] pack(RobotsAnswer answer) {
        return switch (answer) {
            case RobotsAnswer.File file -> {
                byte[] body = file.body().bytes();
                byte[] small = body.length > SHORT ? deflate(body) : body;
                boolean pays = small.length < body.length;
                yield join(new Head(Kind.FILE, Optional.of(file.contentType()), file.truncated(), pays,
                        Optional.empty(), Optional.empty()), pays ? small : body);
            }
            case RobotsAnswer.None _ -> join(Head.of(Kind.NONE), new byte[0]);
            case RobotsAnswer.Unreachable away -> join(new Head(Kind.UNREACHABLE, Optional.empty(), false, false,
                    Optional.of(away.outcome()), away.retryAfter()), new byte[0]);
        };
    }

    /** Empty if the bytes cannot be read: another version may have written them, and the site can be fetched again. */
    static Optional<RobotsAnswer> unpack(byte[] bytes) {
        int line = 0;
        while (line < bytes.length && bytes[line] != '\n') {
            line++;
        }
        if (line == bytes.length) {
            return Optional.empty();
        }
        try {
            Head head = Json.read(Arrays.copyOf(bytes, line), Head.class);
            return head.kind() == null
                    ? Optional.empty()
                    : answer(head, Arrays.copyOfRange(bytes, line + 1, bytes.length));
        } catch (MalformedRecordException | DataFormatException e) {
            return Optional.empty();
        }
    }

    private static Optional<RobotsAnswer> answer(Head head, byte[] rest) throws DataFormatException {
        return switch (head.kind()) {
            case FILE -> Optional.of(new RobotsAnswer.File(head.contentType().orElse(""), head.truncated(),
                    new Body(head.deflated() ? inflate(rest) : rest)));
            case NONE -> Optional.of(new RobotsAnswer.None());
            case UNREACHABLE -> head.outcome().map(outcome -> new RobotsAnswer.Unreachable(outcome, head.retryAfter()));
        };
    }

    private static byte[] join(Head head, byte[] rest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(rest.length + 128);
        out.writeBytes(Json.bytes(head));
        out.write('\n');
        out.writeBytes(rest);
        return out.toByteArray();
    }

    private static byte[] deflate(byte[] body) {
        try (Deflater deflater = new Deflater()) {
            deflater.setInput(body);
            deflater.finish();
            byte[] out = new byte[body.length];
            int length = deflater.deflate(out);
            return deflater.finished() ? Arrays.copyOf(out, length) : body;
        }
    }

    private static byte[] inflate(byte[] packed) throws DataFormatException {
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(packed);
            byte[] out = new byte[RobotsAnswer.LIMIT];
            int length = inflater.inflate(out);
            if (!inflater.finished()) {
                throw new DataFormatException("longer than a file may be, or cut");
            }
            return Arrays.copyOf(out, length);
        }
    }
}
