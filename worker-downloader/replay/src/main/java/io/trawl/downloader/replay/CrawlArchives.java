package io.trawl.downloader.replay;

import io.trawl.downloader.fetch.ArchiveSource;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of crawls from archives in the folder of a downloader. It reads an archive once, for the first
 * request, and keeps where its answers are for the last few archives. Where an archive cannot be read, requests fail,
 * and nothing is sent. Thread-safe.
 */
public final class CrawlArchives implements Fetcher {
    private static final Logger LOG = LoggerFactory.getLogger(CrawlArchives.class);
    private static final int MOST = 4;
    private final Optional<Path> root;
    private final int bodyLimit;
    private final Time time;
    /** The one that was asked last is the last. */
    private final Map<String, CompletableFuture<Fetcher>> open = new LinkedHashMap<>(MOST, 0.75f, true);

    /** @param root the folder that has the folders of archives; absent: there are none */
    public CrawlArchives(Optional<Path> root, int bodyLimit, Time time) {
        this.root = root;
        this.bodyLimit = bodyLimit;
        this.time = time;
    }

    /** The archives of the crawls of a downloader. */
    public static final class CrawlArchiveSource implements ArchiveSource {
        @Override
        public Fetcher fetcher(Optional<Path> folder, int bodyLimit, Time time) {
            return new CrawlArchives(folder, bodyLimit, time);
        }
    }

    /** The answer of the archive that the profile names by its path below the folder of archives. */
    @Override
    public CompletableFuture<FetchResult> fetch(Request request, FetchProfile profile, FetchPermit fetchPermit) {
        String archive = profile.replay().orElseThrow();
        return archive(archive).thenCompose(fetcher -> fetcher.fetch(request, profile, fetchPermit))
                .exceptionally(e -> {
                    Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
                    return FetchResult.without(
                            new Outcome.Failure(FailureReason.OTHER,
                                    "the archive " + archive + " cannot be read: " + cause.getMessage()),
                            Duration.ZERO, time.now());
                });
    }

    private synchronized CompletableFuture<Fetcher> archive(String name) {
        CompletableFuture<Fetcher> known = open.get(name);
        if (known != null && !known.isCompletedExceptionally()) {
            return known;
        }
        open.remove(name);
        if (open.size() >= MOST) {
            open.remove(open.keySet().iterator().next());
        }
        CompletableFuture<Fetcher> read = new CompletableFuture<>();
        open.put(name, read);
        Thread.ofPlatform().daemon().name("archive").start(() -> {
            try {
                read.complete(read(name));
            } catch (IOException | RuntimeException e) {
                read.completeExceptionally(e);
            }
        });
        return read;
    }

    private Fetcher read(String name) throws IOException {
        Path folder = root.orElseThrow(() -> new IOException("TRAWL_DOWNLOADER_ARCHIVES is not set here"))
                .resolve(name);
        List<Path> files = Files.isDirectory(folder) ? ArchiveFolder.files(folder) : List.of();
        if (files.isEmpty()) {
            throw new IOException("the folder " + folder + " is missing, or has no WARC files");
        }
        ArchiveIndex index = new ArchiveIndex();
        Consumer<Seed> known = _ -> {
            // The crawl has got its seeds already.
        };
        for (Path file : files) {
            index.read(file, known);
        }
        index.resolve(known);
        LOG.info("the archive {} answers {} requests", folder, index.size());
        return index.fetcher(root, bodyLimit, time);
    }
}
