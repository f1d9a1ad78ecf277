package io.trawl.standalone.crawl;

import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.url.DiscoverRules;
import io.trawl.definition.url.DiscoverRules.Origin;
import io.trawl.downloader.replay.ArchiveFolder;
import io.trawl.downloader.replay.ArchiveIndex;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Seed;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.ProgressDisplay;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * WARC files that are analyzed again, as a crawl.
 *
 * @param index the answers in them
 * @param seeds a file with the request of each answer, a seed per line
 */
public record ReplayedArchives(ArchiveIndex index, Path seeds) {
    /**
     * Reads all files.
     *
     * @param option what the user named them by
     * @param from WARC files, or folders of them
     * @param seeds the file that is written
     * @throws InvalidValueException if one cannot be read, or none has an answer
     */
    public static ReplayedArchives read(String option, List<Path> from, Path seeds, ProgressDisplay progress) {
        ArchiveIndex index = new ArchiveIndex();
        try (OutputStream lines = Files.newOutputStream(seeds)) {
            Consumer<Seed> line = seed -> write(lines, Json.text(seed) + "\n");
            for (Path file : files(option, from)) {
                progress.say("reading " + file + ", " + index.size() + " answers so far");
                try {
                    index.read(file, line);
                } catch (IOException e) {
                    throw new InvalidValueException(option, file.toString(),
                            "a WARC file that can be read (" + e.getMessage() + ")");
                }
            }
            index.resolve(line);
        } catch (IOException | UncheckedIOException e) {
            throw new UserMistakeException(seeds + " cannot be written: " + e.getMessage());
        }
        if (index.size() == 0) {
            throw new InvalidValueException(option, from.toString(), "WARC files with at least one response");
        }
        if (index.skipped() > 0) {
            progress.note(
                    index.skipped() + " records are of no use: revisits of what no file has, and URLs that are none");
        }
        return new ReplayedArchives(index, seeds);
    }

    private static List<Path> files(String option, List<Path> from) {
        List<Path> files = new ArrayList<>();
        for (Path path : from) {
            if (!Files.exists(path)) {
                throw new InvalidValueException(option, path.toString(), "a file or folder that exists");
            }
            try {
                files.addAll(ArchiveFolder.files(path));
            } catch (IOException e) {
                throw new InvalidValueException(option, path.toString(), "a folder that can be read");
            }
        }
        if (files.isEmpty()) {
            throw new InvalidValueException(option, from.toString(), "WARC files, or folders that have some");
        }
        return files.stream().sorted().toList();
    }

    private static void write(OutputStream lines, String line) {
        try {
            lines.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A definition without what is about hosts, time and the web, and without seeds.
     *
     * @param follow whether links are followed, as far as the scope and the archives have them
     * @param folder the archive of a deployment; absent: the process that runs the crawl has the archives
     */
    public CrawlDefinition definition(CrawlDefinition written, boolean follow, Optional<String> folder) {
        List<String> domains = written.scope().domains().isEmpty() ? index.domains() : written.scope().domains();
        return written.with(made -> made.seeds(List.of())
                .scope(written.scope().with(scope -> scope.domains(domains).maxPages(List.of())))
                .discover(follow
                        ? written.discover().withRequisites(List.of())
                        : DiscoverRules.DEFAULT.with(only -> only.from(Origin.SEEDS).links(written.discover().links())))
                .limits(CrawlDefinition.CrawlLimits.DEFAULT.withDepth(written.limits().depth()))
                .fetch(CrawlDefinition.FetchRules.DEFAULT.withDelay(Duration.ZERO).withReplay(folder))
                .sinks(written.sinks().stream().filter(sink -> !sink.isArchive()).toList()).schedule(Optional.empty())
                .webhooks(List.of()));
    }
}
