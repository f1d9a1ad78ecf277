package io.trawl.downloader.replay;

import java.util.Arrays;
import io.trawl.codec.ArchiveFields;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.replay.ArchiveIndex.Place;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;

/**
 * Answers requests from archives: the answer is the one that was archived, at its time, after its attempts.
 * Thread-safe.
 *
 * @param readers read files
 */
public record ReplayFetcher(ArchiveIndex index, int bodyLimit, Executor readers, Time time) implements Fetcher {
    private static final String ORIGINAL = ArchiveFields.ORIGINAL.toLowerCase(Locale.ROOT);
    private static final String LENGTH = "content-length";
    private static final MID ARCHIVE = new MID(ModuleKind.DOWNLOADER, 1, "archive", 1);

    /** What was received. @param body as far as it is read */
    private record Answer(int status, Map<String, String> headers, byte[] body, boolean cut, Instant at) {}

    @Override
    public CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        Optional<Place> place = index.place(request.url(), request.options());
        if (place.isEmpty()) {
            return CompletableFuture.completedFuture(
                    FetchResult.without(new Outcome.Refused(RefusalReason.NOT_INCLUDED, "the archive does not have it"),
                            Duration.ZERO, time.now()));
        }
        return CompletableFuture.supplyAsync(() -> {
            try {
                return FetchResult.of(recorded(request, place.get())).of(profile.mediaTypes());
            } catch (IOException | RuntimeException e) {
                return FetchResult.broken(
                        new Outcome.Failure(FailureReason.OTHER,
                                "the archive " + place.get().file() + " cannot be read: " + e.getMessage()),
                        Duration.ZERO, time.now());
            }
        }, readers);
    }

    private Response recorded(Request request, Place place) throws IOException {
        if (place.metadata() == ArchiveIndex.NONE) {
            Answer answer = answer(place);
            FetchResult made = FetchResult.answered(answer.status(), answer.headers(), new Body(answer.body()),
                    answer.cut(), Duration.ZERO, answer.at());
            return new Response(request, made.outcome(), ARCHIVE, answer.at(), Duration.ZERO, 1, answer.headers(),
                    made.body());
        }
        Response description = ArchiveIndex.description(read(place.file(), place.metadata(),
                record -> ((WarcMetadata) record).fields().first(ArchiveFields.DESCRIPTION).orElseThrow()));
        if (place.answer() == ArchiveIndex.NONE) {
            return description;
        }
        Answer answer = answer(place);
        return description.with(copy -> copy.headers(received(answer.headers()))
                .body(description.outcome() instanceof Outcome.Success ? new Body(answer.body()) : Body.EMPTY));
    }

    private Answer answer(Place place) throws IOException {
        return read(place.file(), place.answer(), record -> {
            HttpResponse http = record instanceof WarcRevisit revisit ? revisit.http() : ((WarcResponse) record).http();
            byte[] body = record instanceof WarcResponse
                    ? body(http)
                    : read(place.body().file(), place.body().position(),
                            original -> body(((WarcResponse) original).http()));
            boolean cut = body.length > bodyLimit;
            return new Answer(http.status(), headers(http), cut ? Arrays.copyOf(body, bodyLimit) : body, cut,
                    record.date());
        });
    }

    private byte[] body(HttpResponse http) throws IOException {
        return http.bodyDecoded().stream().readNBytes(bodyLimit + 1);
    }

    /** As downloaders make them: names in lower case, repeated values joined. */
    private static Map<String, String> headers(HttpResponse http) {
        Map<String, String> headers = new HashMap<>();
        for (Map.Entry<String, List<String>> header : http.headers().map().entrySet()) {
            String name = header.getKey().toLowerCase(Locale.ROOT);
            for (String value : header.getValue()) {
                headers.merge(name, value, (a, b) -> FetchResult.joined(name, a, b));
            }
        }
        return headers;
    }

    /** Undoes what the archive has renamed and added. */
    private static Map<String, String> received(Map<String, String> archived) {
        Map<String, String> headers = new HashMap<>(archived);
        headers.remove(LENGTH);
        archived.forEach((name, value) -> {
            if (name.startsWith(ORIGINAL)) {
                headers.remove(name);
                headers.put(name.substring(ORIGINAL.length()), value);
            }
        });
        return headers;
    }

    private interface RecordReading<T> {
        T of(WarcRecord record) throws IOException;
    }

    private static <T> T read(Path file, long position, RecordReading<T> reading) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.position(position);
            try (WarcReader reader = new WarcReader(channel)) {
                return reading.of(reader.next().orElseThrow(() -> new IOException("no record at " + position)));
            }
        }
    }
}
