package io.trawl.standalone.crawl;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.standalone.client.UserMistakeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The output folder of a crawl. A marker file names its owner, so that two crawls never mix and a crawl never resumes
 * without its earlier output. The marker is written before the first page, and replaced atomically.
 */
public final class OutputFolder {
    /** The marker's name. */
    static final String MARKER = ".trawl-crawl.json";
    private static final List<String> KINDS = List.of("items", "errors");
    private final Path folder;
    private final CrawlId crawl;

    private OutputFolder(Path folder, CrawlId crawl) {
        this.folder = folder;
        this.crawl = crawl;
    }

    /**
     * Checks the folder, and creates it if it is missing.
     *
     * @throws UserMistakeException if it cannot be written to, or belongs to another crawl
     */
    public static OutputFolder open(Path folder, CrawlId crawl) {
        writable(folder);
        marker(folder).filter(folderMarker -> !folderMarker.crawl().equals(Optional.of(crawl))).ifPresent(other -> {
            throw new UserMistakeException(folder + " holds "
                    + other.crawl().map(id -> "another crawl, " + id).orElse("the crawls of trawl up")
                    + " (this one is " + crawl + "): use another --out, or the URLs, --domain and --depth of that crawl");
        });
        return new OutputFolder(folder, crawl);
    }

    /**
     * Claims a folder for all crawls of a cluster; it may belong to them already.
     *
     * @throws UserMistakeException if it belongs to a single crawl, or to the crawls of another data folder
     */
    static void takeForAll(Path folder, String cluster) {
        FolderMarker wanted = FolderMarker.ofAll(cluster);
        marker(folder).filter(folderMarker -> !folderMarker.equals(wanted)).ifPresent(other -> {
            throw new UserMistakeException(
                    folder + " holds " + other.crawl().map(id -> "a single crawl, " + id + ": use another --out")
                            .orElse("crawls of another data folder: use that one with --data, or use another --out"));
        });
        write(folder, wanted);
    }

    /**
     * Creates the folder if it is missing.
     *
     * @throws UserMistakeException if it cannot be created or written to
     */
    static void writable(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserMistakeException("the output folder " + folder + " cannot be created (" + reason(e) + ")");
        }
        if (!Files.isWritable(folder)) {
            throw new UserMistakeException("the output folder " + folder + " cannot be written to");
        }
    }

    /**
     * Claims the folder for the crawl before it is defined. A fresh crawl first deletes the output of the same crawl of
     * another data folder.
     *
     * @param cluster the Kafka cluster of the data folder
     * @param begun whether the crawl exists there already
     * @throws UserMistakeException if the crawl's earlier output is not in the folder, or the folder's content belongs
     *         to another cluster
     */
    public void take(String cluster, boolean begun, boolean fresh) {
        Optional<FolderMarker> folderMarker = marker(folder);
        boolean known = folderMarker.filter(m -> m.cluster().equals(cluster)).isPresent();
        if (!known && fresh) {
            delete(epoch -> true);
        } else if (!known && (folderMarker.isPresent() || !runs().isEmpty())) {
            throw new UserMistakeException(folder + " holds pages of " + crawl
                    + " of another data folder: use that one with --data, use another --out,"
                    + " or delete them with --fresh");
        } else if (!known && begun) {
            throw new UserMistakeException("crawl " + crawl + " was started with another output folder than " + folder
                    + ": use that one with --out, or start over with --fresh");
        }
        if (!known) {
            write(folder, FolderMarker.intent(cluster, crawl));
        }
    }

    /** Records the run that writes to the folder, and deletes the output of older runs. Idempotent. */
    public void belongsTo(String cluster, CrawlRun run) {
        delete(epoch -> epoch != run.epoch());
        write(folder, FolderMarker.of(cluster, run));
    }

    /** The folder of a run's pages. */
    public Path items(CrawlRun run) {
        return runFolder("items", run.epoch());
    }

    /** The folder of a run's errors. */
    public Path errors(CrawlRun run) {
        return runFolder("errors", run.epoch());
    }

    private Path runFolder(String kind, int epoch) {
        return folder.resolve(kind).resolve(crawl + "-" + epoch);
    }

    private static Optional<FolderMarker> marker(Path folder) {
        Path file = folder.resolve(MARKER);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(Files.readAllBytes(file), FolderMarker.class));
        } catch (IOException | MalformedRecordException e) {
            throw new UserMistakeException(file + " cannot be read (" + reason(e) + "): use another --out");
        }
    }

    private static void write(Path folder, FolderMarker folderMarker) {
        Path file = folder.resolve(MARKER);
        Path part = folder.resolve(MARKER + ".part");
        try {
            Files.write(part, Json.bytes(folderMarker));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserMistakeException("the output folder " + folder + " cannot be written to (" + reason(e) + ")");
        }
    }

    /** The folders of this crawl's runs: the names of other crawls may begin with this one's. */
    private List<Path> runs() {
        return KINDS.stream().flatMap(kind -> list(folder.resolve(kind))).filter(path -> epoch(path) > 0).toList();
    }

    private int epoch(Path path) {
        Matcher m = Pattern.compile(Pattern.quote(crawl + "-") + "([1-9][0-9]{0,8})").matcher(path.getFileName().toString());
        return m.matches() ? Integer.parseInt(m.group(1)) : 0;
    }

    private void delete(IntPredicate epochs) {
        runs().stream().filter(path -> epochs.test(epoch(path))).forEach(OutputFolder::deleteTree);
    }

    private static Stream<Path> list(Path path) {
        if (!Files.isDirectory(path)) {
            return Stream.of();
        }
        try (Stream<Path> entries = Files.list(path)) {
            return entries.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deleteTree(Path tree) {
        try (Stream<Path> files = Files.walk(tree)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UserMistakeException("cannot delete the earlier output of the crawl (" + reason(e) + ")");
        }
    }

    private static String reason(Exception e) {
        return switch (e) {
            case AccessDeniedException denied -> "no permission";
            case FileAlreadyExistsException file -> file.getFile() + " is not a folder";
            case NoSuchFileException missing -> missing.getFile() + " does not exist";
            default -> String.valueOf(e.getMessage());
        };
    }

    /**
     * The owner of an output folder.
     *
     * @param cluster the Kafka cluster of the crawl's data folder
     * @param crawl the crawl; absent if all crawls of the cluster write there
     * @param epoch of the run that writes there; absent before the start
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    private record FolderMarker(@JsonProperty("cluster") String cluster, @JsonProperty("crawl") Optional<CrawlId> crawl,
            @JsonProperty("epoch") OptionalInt epoch) {
        FolderMarker {
            epoch = epoch == null ? OptionalInt.empty() : epoch;
        }

        /** The folder belongs to all crawls of a cluster. */
        static FolderMarker ofAll(String cluster) {
            return new FolderMarker(cluster, Optional.empty(), OptionalInt.empty());
        }

        /** The folder is claimed by this crawl. */
        static FolderMarker intent(String cluster, CrawlId crawl) {
            return new FolderMarker(cluster, Optional.of(crawl), OptionalInt.empty());
        }

        /** The folder belongs to this run. */
        static FolderMarker of(String cluster, CrawlRun run) {
            return new FolderMarker(cluster, Optional.of(run.crawl()), OptionalInt.of(run.epoch()));
        }
    }
}
