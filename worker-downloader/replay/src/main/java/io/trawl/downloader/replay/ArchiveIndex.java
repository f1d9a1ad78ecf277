package io.trawl.downloader.replay;

import io.trawl.downloader.fetch.ArchiveSource;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.model.Body;
import io.trawl.codec.ArchiveFields;
import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.UrlNormalizer;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.ledger.Fingerprint;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestIdentity;
import io.trawl.model.Response;
import io.trawl.model.Seed;
import io.trawl.model.SeedBuilder;
import io.trawl.scope.ScopeRules;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.netpreserve.jwarc.MediaType;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcMetadata;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;

/**
 * Where WARC files have the answer to each request: the first one of each identity. Files of Trawl say with which depth
 * and options a request was sent; in files of others every response is one to a GET at depth 0. Not thread-safe while
 * it reads; after that, only read.
 */
public final class ArchiveIndex implements ArchiveSource {
    /** A place that a file does not have. */
    static final long NONE = -1;
    private static final Admission ADMISSION = new Admission(Request.LONGEST_URL);
    private final Map<String, Place> places = new HashMap<>();
    /** By URL and date, to which a revisit in another file may refer. */
    private final Map<Fingerprint, RecordPlace> bodies = new HashMap<>();
    private final List<UnresolvedRevisit> unresolved = new ArrayList<>();
    private final Set<String> domains = new LinkedHashSet<>();
    private long skipped;

    /**
     * The records of one answer.
     *
     * @param answer the position of the response or revisit record; {@link #NONE}: the fetch failed
     * @param body the record with the body; meaningless if the fetch failed
     * @param metadata that of Trawl's metadata record; {@link #NONE} in files of others
     */
    record Place(Path file, long answer, RecordPlace body, long metadata) {}

    /** A record in a file. */
    record RecordPlace(Path file, long position) {}

    /**
     * An answer without a body of its own.
     *
     * @param target the record with the body; empty if it does not say which
     * @param unchanged whether the server has said so: then that record is the answer
     */
    private record Revisit(Optional<Fingerprint> target, boolean unchanged) {
        static Revisit of(WarcRevisit record) {
            return new Revisit(
                    record.headers().first("WARC-Refers-To-Target-URI")
                            .flatMap(url -> record.headers().first("WARC-Refers-To-Date").map(date -> key(url, date))),
                    record.headers().first("WARC-Profile").orElse("").endsWith("/server-not-modified"));
        }
    }

    /** A revisit of what no file has yet. */
    private record UnresolvedRevisit(Revisit revisit, Path file, long answer, long metadata, Seed seed,
            FetchOptions options) {}

    /** The state while one file is read. */
    private final class OneFile {
        private final Path file;
        private final Consumer<Seed> seeds;
        private final Map<URI, RecordPlace> responses = new HashMap<>();
        /** An answer whose metadata may follow. */
        private Optional<WaitingAnswer> waiting = Optional.empty();

        /** @param revisit empty if it has a body of its own */
        private record WaitingAnswer(URI id, String url, long answer, Optional<RecordPlace> body,
                Optional<Revisit> revisit) {}

        OneFile(Path file, Consumer<Seed> seeds) {
            this.file = file;
            this.seeds = seeds;
        }

        void take(WarcRecord record, long position) throws IOException {
            switch (record) {
                case WarcResponse response -> {
                    flush();
                    if (response.contentType().base().equals(MediaType.HTTP)) {
                        RecordPlace body = new RecordPlace(file, position);
                        responses.put(response.id(), body);
                        response.headers().first("WARC-Date")
                                .ifPresent(date -> bodies.putIfAbsent(key(response.target(), date), body));
                        waiting = Optional.of(new WaitingAnswer(response.id(), response.target(), position,
                                Optional.of(body), Optional.empty()));
                    }
                }
                case WarcRevisit revisit -> {
                    flush();
                    Revisit its = Revisit.of(revisit);
                    waiting = Optional.of(new WaitingAnswer(revisit.id(), revisit.target(), position,
                            revisit.refersTo().map(responses::get).or(() -> its.target().map(bodies::get)),
                            Optional.of(its)));
                }
                case WarcMetadata metadata -> described(metadata, position);
                default -> {
                    // Requests and the rest say nothing of an answer.
                }
            }
        }

        private void described(WarcMetadata metadata, long position) throws IOException {
            Optional<String> json = metadata.contentType().base().equals(MediaType.WARC_FIELDS)
                    ? metadata.fields().first(ArchiveFields.DESCRIPTION)
                    : Optional.empty();
            if (json.isEmpty()) {
                return;
            }
            Optional<WaitingAnswer> answer = waiting.filter(own -> metadata.concurrentTo().contains(own.id()));
            try {
                Response response = description(json.get());
                Seed seed = seed(response);
                FetchOptions options = response.request().options();
                if (answer.isPresent()) {
                    add(answer.get(), position, seed, options);
                    waiting = Optional.empty();
                } else {
                    ArchiveIndex.this.add(new Place(file, NONE, new RecordPlace(file, NONE), position), seed, options,
                            seeds);
                }
            } catch (MalformedRecordException e) {
                skipped++;
            }
        }

        /** The answer has no metadata of Trawl. */
        void flush() {
            waiting.ifPresent(answer -> {
                if (UrlNormalizer.normalize(answer.url()) instanceof NormalUrl url) {
                    add(answer, NONE, Seed.of(url.text()), FetchOptions.NONE);
                } else {
                    skipped++;
                }
            });
            waiting = Optional.empty();
        }

        private void add(WaitingAnswer answer, long metadata, Seed seed, FetchOptions options) {
            if (answer.body().isEmpty()) {
                unresolved.add(new UnresolvedRevisit(answer.revisit().orElseThrow(), file, answer.answer(), metadata,
                        seed, options));
            } else if (answer.revisit().filter(Revisit::unchanged).isEmpty()) {
                ArchiveIndex.this.add(new Place(file, answer.answer(), answer.body().get(), metadata), seed, options,
                        seeds);
            }
        }
    }

    @Override
    public Fetcher fetcher(Optional<Path> folder, int bodyLimit, Time time) {
        return new ReplayFetcher(this, bodyLimit, work -> Thread.ofVirtual().name("replay").start(work), time);
    }

    private static Fingerprint key(String url, String date) {
        return Fingerprint.of(date + ' ' + url);
    }

    private void add(Place place, Seed seed, FetchOptions options, Consumer<Seed> seeds) {
        String url = seed.url().orElse("");
        if (options.page() && places.putIfAbsent(RequestIdentity.of(url, options), place) == null) {
            if (!options.again()) { // the redirect that asked again does so once more
                seeds.accept(seed);
            }
            if (ADMISSION.seed(Optional.of(url), 0, 1, ScopeRules.within(0)) instanceof Candidate.Open open) {
                domains.add(open.domain());
            }
        }
    }

    private static Seed seed(Response response) {
        FetchOptions sent = response.request().options();
        return SeedBuilder.builder().url(Optional.of(response.url())).depth(Optional.of(response.request().depth()))
                .parser(sent.parser()).metadata(sent.metadata()).method(sent.method()).body(sent.body()).build();
    }

    /** @throws MalformedRecordException if it is none */
    static Response description(String json) {
        return Codec.response(json.getBytes(StandardCharsets.UTF_8), Body.EMPTY);
    }

    /**
     * Reads a file to its end.
     *
     * @param seeds gets a seed for each request that no file before has answered
     * @throws IOException if it cannot be read, or is no WARC file
     */
    public void read(Path file, Consumer<Seed> seeds) throws IOException {
        OneFile one = new OneFile(file, seeds);
        try (WarcReader reader = new WarcReader(file)) {
            for (Optional<WarcRecord> record = reader.next(); record.isPresent(); record = reader.next()) {
                one.take(record.get(), reader.position());
            }
        } catch (ParsingException e) {
            throw new IOException("it is no WARC file, or damaged: " + e.getMessage(), e);
        }
        one.flush();
    }

    /**
     * Ends the reading: revisits of what only a later file holds are answers, too, where no file has another one.
     *
     * @param seeds as that of {@link #read}
     */
    public void resolve(Consumer<Seed> seeds) {
        for (UnresolvedRevisit answer : unresolved) {
            Optional<RecordPlace> body = answer.revisit().target().map(bodies::get);
            if (body.isEmpty()) {
                skipped++;
            } else if (!answer.revisit().unchanged()) {
                add(new Place(answer.file(), answer.answer(), body.get(), answer.metadata()), answer.seed(),
                        answer.options(), seeds);
            }
        }
        unresolved.clear();
        bodies.clear();
    }

    /** The number of answers. */
    public int size() {
        return places.size();
    }

    /** The number of records that are of no use: revisits of what no file holds, and URLs that are none. */
    public long skipped() {
        return skipped;
    }

    /** The primary domains of all URLs. */
    public List<String> domains() {
        return List.copyOf(domains);
    }

    /** Where the answer to a request is. */
    Optional<Place> place(String url, FetchOptions options) {
        return Optional.ofNullable(places.get(RequestIdentity.of(url, options)));
    }
}
