package io.trawl.standalone.crawl;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.standalone.UserMistake;
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
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder that a crawl writes to. A marker in it says whose it is, so that two crawls never mix and a crawl never goes on without what it wrote
 * before. The marker is there before the first page, and is replaced as a whole.
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
     * Looks at the folder, changing nothing but to make it.
     *
     * @throws UserMistake if it cannot be written to, or belongs to another crawl
     */
    public static OutputFolder open(Path folder, CrawlId crawl) {
        writable(folder);
        marker(folder).filter(marker -> !marker.crawl().equals(Optional.of(crawl))).ifPresent(other -> {
            throw new UserMistake(folder + " holds "
                    + other.crawl().map(id -> "another crawl, " + id).orElse("the crawls of trawl up")
                    + " (this one is " + crawl + "): name another --out, or give the URLs, --domain and --depth of that crawl");
        });
        return new OutputFolder(folder, crawl);
    }

    /**
     * Takes a folder for all crawls of a cluster; it may be theirs already.
     *
     * @throws UserMistake if it holds a single crawl, or the crawls of another data folder
     */
    static void takeForAll(Path folder, String cluster) {
        Marker wanted = Marker.ofAll(cluster);
        marker(folder).filter(marker -> !marker.equals(wanted)).ifPresent(other -> {
            throw new UserMistake(folder + " holds " + other.crawl().map(id -> "a single crawl, " + id + ": name another --out")
                    .orElse("crawls that another data folder knows about: name that one with --data, or name another --out"));
        });
        write(folder, wanted);
    }

    /**
     * Makes the folder if it is not there.
     *
     * @throws UserMistake if it cannot be made or written to
     */
    static void writable(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserMistake("the output folder " + folder + " cannot be made (" + reason(e) + ")");
        }
        if (!Files.isWritable(folder)) {
            throw new UserMistake("the output folder " + folder + " cannot be written to");
        }
    }

    /**
     * Takes the folder for the crawl, before anything is asked of it. A fresh crawl first deletes what was written for the same crawl of another data
     * folder.
     *
     * @param cluster the Kafka cluster of the data folder
     * @param begun whether the crawl has begun there already
     * @throws UserMistake if what the crawl wrote before is not in the folder, or what is in the folder is not known to the cluster
     */
    public void take(String cluster, boolean begun, boolean fresh) {
        Optional<Marker> marker = marker(folder);
        boolean known = marker.filter(m -> m.cluster().equals(cluster)).isPresent();
        if (!known && fresh) {
            delete(epoch -> true);
        } else if (!known && (marker.isPresent() || !runs().isEmpty())) {
            throw new UserMistake(folder + " holds pages of " + crawl
                    + " that another data folder knows about: name that one with --data, name another --out,"
                    + " or delete them with --fresh");
        } else if (!known && begun) {
            throw new UserMistake("crawl " + crawl + " has begun with another output folder than " + folder
                    + ": name that one with --out, or begin anew with --fresh");
        }
        if (!known) {
            write(folder, Marker.intent(cluster, crawl));
        }
    }

    /** Notes the run that writes to the folder, and deletes what older runs of the crawl wrote. Can be repeated. */
    public void belongsTo(String cluster, CrawlRun run) {
        delete(epoch -> epoch != run.epoch());
        write(folder, Marker.of(cluster, run));
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

    private static Optional<Marker> marker(Path folder) {
        Path file = folder.resolve(MARKER);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(Files.readAllBytes(file), Marker.class));
        } catch (IOException | MalformedRecord e) {
            throw new UserMistake(file + " cannot be read (" + reason(e) + "): name another --out");
        }
    }

    private static void write(Path folder, Marker marker) {
        Path file = folder.resolve(MARKER);
        Path part = folder.resolve(MARKER + ".part");
        try {
            Files.write(part, Json.bytes(marker));
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserMistake("the output folder " + folder + " cannot be written to (" + reason(e) + ")");
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
            throw new UserMistake("what the crawl wrote before cannot be deleted (" + reason(e) + ")");
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
}
