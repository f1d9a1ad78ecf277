package io.trawl.standalone.client;

import io.trawl.codec.Json;
import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.text.Figures;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.model.RefusalReason;
import io.trawl.model.Seed;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A list of seeds that a user names. The coordinator reads it, so its bytes are sent as they are.
 *
 * @param name a file, {@code -} for standard input, or the URL of a sitemap, which is a seed itself: the downloaders
 * fetch it
 * @param column of a CSV file; empty: the list is no CSV
 */
public record SeedSource(String name, Optional<String> column) {
    private static final String INPUT = "-";
    private static final Duration QUIET = Duration.ofSeconds(2);

    /** @throws InvalidValueException if there is no such file, or it is CSV and no column is named */
    public SeedSource {
        if (!name.equals(INPUT) && !sitemap(name)) {
            Path file = Path.of(name);
            if (!Files.isReadable(file) || Files.isDirectory(file)) {
                throw new InvalidValueException("--seeds", name,
                        "a file that can be read, - for standard input, or the URL of a sitemap");
            }
            if (column.isEmpty() && name.matches("(?i).*\\.csv(\\.gz)?")) {
                throw new InvalidValueException("--seeds", name, "a CSV file with the column of its URLs: --column url,"
                        + " or --column 1 if its first line has no names");
            }
        }
    }

    private static boolean sitemap(String name) {
        return name.matches("(?i)https?://.*");
    }

    /** The name that means the same in every folder. */
    public String path() {
        return name.equals(INPUT) || sitemap(name) ? name : Path.of(name).toAbsolutePath().normalize().toString();
    }

    private InputStream open() throws IOException {
        if (sitemap(name)) {
            return new ByteArrayInputStream(Json.bytes(Seed.ofSitemap(name, 0)));
        }
        return name.equals(INPUT) ? new BufferedInputStream(System.in) : Files.newInputStream(Path.of(name));
    }

    /** How much there is to send; nothing if that is not known. */
    private String whole() throws IOException {
        return name.equals(INPUT) || sitemap(name) || !Files.isRegularFile(Path.of(name))
                ? ""
                : " of " + Figures.bytes(Files.size(Path.of(name)));
    }

    /**
     * Submits the seeds, and waits until they are admitted or refused.
     *
     * @param progress is told every two seconds what is sent so far, and when that is all, how many requests the crawl
     * has
     * @return the answer, a {@link SubmittedSeeds}
     * @throws ApiRefusal if the coordinator refuses
     */
    public ApiResponse submit(Api api, CrawlId crawl, Consumer<String> progress) throws InterruptedException {
        String query = column.map(c -> "?column=" + URLEncoder.encode(c, StandardCharsets.UTF_8)).orElse("");
        try (Watched in = new Watched(open(), whole())) {
            FutureTask<ApiResponse> answer = new FutureTask<>(
                    () -> api.stream("/api/v1/crawls/" + crawl + "/seeds" + query,
                            column.isPresent() ? "text/csv" : "text/uri-list", in));
            Thread.ofVirtual().name("seeds").start(answer);
            while (true) {
                try {
                    return answer.get(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    String rest = in.whole.isEmpty()
                            ? ", waiting for more of " + (name.equals(INPUT) ? "standard input" : name)
                            : "";
                    progress.accept(Figures.bytes(in.bytes.get()) + in.whole + " of seeds sent"
                            + (in.ended ? ", waiting until they are admitted" + requests(api, crawl) : rest));
                }
            }
        } catch (IOException e) {
            throw new UserMistakeException("--seeds: " + name + " cannot be read (" + e.getMessage() + ")");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refused ? refused : new IllegalStateException(e.getCause());
        }
    }

    /** How far the crawl is; nothing if it cannot be asked: the call that submits says what is wrong. */
    private static String requests(Api api, CrawlId crawl) throws InterruptedException {
        try {
            CrawlSummary now = api.get("/api/v1/crawls/" + crawl + "?brief=true").as(CrawlSummary.class);
            return ": the crawl has " + Figures.count(now.totals().emitted(), "request");
        } catch (UserMistakeException | CoordinatorUnavailableException e) {
            return "";
        }
    }

    /** Why a list has made no request, in words; empty if it may have: a crawl without one waits for its first. */
    public static Optional<String> useless(SubmittedSeeds answer) {
        return answer.seeds() == 0
                ? Optional.of("--seeds: the list has no seed")
                : Optional.of("--seeds: all seeds were refused: " + refusals(answer)).filter(_ -> answer.allRefused());
    }

    /** Which seeds became no requests, in words: {@code 3 refused: DOMAIN 2, EXCLUDED 1; 5 known before}. */
    public static String refusals(SubmittedSeeds answer) {
        Map<String, Long> refused = new TreeMap<>(answer.refused());
        long known = Optional.ofNullable(refused.remove(RefusalReason.SEEN.name())).orElse(0L);
        String reasons = refused.isEmpty()
                ? ""
                : Figures.count(refused.values().stream().mapToLong(n -> n).sum()) + " refused: "
                        + refused.entrySet().stream().map(e -> e.getKey() + " " + Figures.count(e.getValue()))
                                .collect(Collectors.joining(", "));
        String seen = known == 0 ? "" : Figures.count(known) + " known before";
        String due = answer.due() == 0 ? "" : Figures.count(answer.due()) + " known and due for the next refresh";
        String waiting = answer.waiting() == 0 ? "" : Figures.count(answer.waiting()) + " not admitted yet";
        return Stream.of(reasons, seen, due, waiting).filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
    }

    /** Counts what is read. */
    private static final class Watched extends FilterInputStream {
        private final String whole;
        private final AtomicLong bytes = new AtomicLong();
        private volatile boolean ended;

        Watched(InputStream in, String whole) {
            super(in);
            this.whole = whole;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            bytes.addAndGet(Math.max(read, 0));
            ended = read < 0;
            return read;
        }
    }
}
