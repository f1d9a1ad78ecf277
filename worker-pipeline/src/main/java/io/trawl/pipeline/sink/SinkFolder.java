package io.trawl.pipeline.sink;

import static java.util.Objects.requireNonNull;
import static java.util.function.Predicate.not;

import io.trawl.model.Sha256;
import io.trawl.api.ItemKind;
import io.trawl.channel.KafkaIdentity.Ids;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.spi.FileWriters;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The output folder: {@code items/<crawl>-<epoch>/}, {@code errors/} and {@code chunks/}. All pipelines of a deployment
 * share it, and other deployments may write to it: an empty file {@code .owner-<owner>} in the folder of a run names
 * the deployment that writes there. A deployment leaves the folders of others alone, and writes a run of which a folder
 * belongs to another one to {@code <crawl>-<epoch>@<owner>/}. The folders of a run have one name, chosen with the
 * first: later it stays, whatever others write or remove. Users may remove finished files at any time. Stateless.
 *
 * @param root {@code TRAWL_OUT}
 * @param owner the deployment, see {@link #owner}
 * @param kinds the folders of the runs, relative to the root: those of items and chunks, or that of archives
 * @param writers of files that are no lines
 */
public record SinkFolder(Path root, String owner, List<String> kinds, FileWriters writers) {
    private static final List<String> OF_ITEMS = Stream.of(ItemKind.values()).map(SinkFolder::kind).toList();
    /** The folder of chunks. */
    public static final String CHUNKS = "chunks";
    /** The folders that hold what is deleted with its run. */
    public static final List<String> OF_RUNS = Stream.concat(OF_ITEMS.stream(), Stream.of(CHUNKS)).toList();
    static final String ARCHIVE = "archive";
    /** All folders of runs: what one is called is decided for all of them. */
    private static final List<String> ALL = Stream.concat(OF_RUNS.stream(), Stream.of(ARCHIVE)).toList();
    /** In bytes: several times the buffer of a file. */
    private static final int PROBE = 64 * 1024;
    private static final String MARK = ".owner-";
    private static final int OWNER_DIGITS = 8;

    /** The folders of items, errors and chunks, with lines only. */
    public SinkFolder(Path root, String owner) {
        this(root, owner, FileWriters.NONE);
    }

    /** The folders of items, errors and chunks. */
    public SinkFolder(Path root, String owner, FileWriters writers) {
        this(root, owner, OF_RUNS, writers);
    }

    /** The folder of archives: {@code archive/<crawl>-<epoch>/}. */
    public static SinkFolder ofArchives(Path root, String owner, FileWriters writers) {
        return new SinkFolder(root, owner, List.of(ARCHIVE), writers);
    }

    /**
     * The short name of a deployment: 8 hex digits that depend on its Kafka cluster, its namespace, and the id of its
     * topic {@code control}. A namespace that was cleared has other runs of the same names.
     */
    public static String owner(Ids ids, String namespace) {
        return Sha256.hex(ids.cluster() + '/' + namespace + '/' + ids.control()).substring(0, OWNER_DIGITS);
    }

    /**
     * Creates the folders and a test file in each. Does not detect a full disk: {@link #probe} does.
     *
     * @throws InvalidValueException if that fails
     */
    public static void check(Path root) {
        try {
            for (String kind : OF_ITEMS) {
                Files.createDirectories(root.resolve(kind));
                write(root, kind, UUID.randomUUID().toString(), FileOpener.REAL, 0);
            }
            sync(root);
        } catch (IOException e) {
            throw new InvalidValueException("TRAWL_OUT", root.toString(),
                    "a folder that can be written (" + StorageException.reason(e) + ": " + e.getMessage() + ")");
        }
    }

    /**
     * Writes a test file and deletes it.
     *
     * @param nonce of this process
     * @throws StorageException if that fails, for example because the disk is full
     */
    void probe(String nonce, FileOpener fileOpener) {
        try {
            write(root, kinds.getFirst(), nonce, fileOpener, PROBE);
        } catch (IOException e) {
            throw new StorageException("write to", root, e);
        }
    }

    /** Writes a file with a unique name and deletes it. */
    private static void write(Path root, String kind, String nonce, FileOpener fileOpener, int bytes)
            throws IOException {
        Path file = root.resolve(kind).resolve(".writable-" + nonce + ".probe");
        Files.deleteIfExists(file);
        try (FileChannel channel = fileOpener.create(file)) {
            Channels.newOutputStream(channel).write(new byte[bytes]);
            channel.force(true);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** The folder for items of a kind, relative to the root. */
    public static String kind(ItemKind kind) {
        return switch (kind) {
            case PAGE -> "items";
            case ERROR -> "errors";
        };
    }

    /** The folder of the items of a kind of a run such as {@code docs/1}: {@code items/docs-1}. */
    public Path of(ItemKind kind, CrawlRun run) {
        return root.resolve(kind(kind)).resolve(name(run.toString()));
    }

    /** The folder of the chunks of a run: {@code chunks/docs-1}. */
    public Path chunks(CrawlRun run) {
        return root.resolve(CHUNKS).resolve(name(run.toString()));
    }

    /** The folder of the archive of a run: {@code archive/docs-1}. */
    public Path archive(CrawlRun run) {
        return root.resolve(ARCHIVE).resolve(name(run.toString()));
    }

    /** What the folders of a run are called: as the first of them, or as that would be. */
    private String name(String run) {
        String plain = run.replace('/', '-');
        String apart = plain + '@' + owner;
        if (claims(apart)) {
            return apart;
        }
        return claims(plain) || ALL.stream().noneMatch(kind -> foreign(root.resolve(kind).resolve(plain)))
                ? plain
                : apart;
    }

    private boolean claims(String name) {
        return ALL.stream().anyMatch(kind -> owns(root.resolve(kind).resolve(name)));
    }

    /**
     * Creates the folder of a run if it is missing, and marks it as this deployment's, after that of its items: by it
     * all see the name that was chosen.
     *
     * @return its path relative to the root
     */
    public String claimed(String kind, String run) throws IOException {
        String name = name(run);
        for (String claimed : List.of(OF_ITEMS.getFirst(), kind)) {
            Path folder = Files.createDirectories(root.resolve(claimed).resolve(name));
            try {
                if (!owns(folder)) {
                    Files.createFile(folder.resolve(mark(owner)));
                }
            } catch (FileAlreadyExistsException e) {
                // Another pipeline of this deployment was faster.
            }
        }
        return kind + '/' + name;
    }

    /** Whether this deployment has marked the folder. */
    public boolean owns(Path runFolder) {
        return Files.exists(runFolder.resolve(mark(owner)));
    }

    /** The name of the file by which a deployment marks a folder. */
    public static String mark(String owner) {
        return MARK + owner;
    }

    /** The deployment that has marked a folder; empty if none has. */
    public static Optional<String> ownerOf(Path runFolder) {
        return marks(runFolder).stream().map(mark -> mark.getFileName().toString().substring(MARK.length()))
                .findFirst();
    }

    /** Whether only other deployments have marked the folder. */
    private boolean foreign(Path runFolder) {
        if (owns(runFolder)) {
            return false;
        }
        // Meanwhile another pipeline of this deployment may have marked it.
        List<Path> marks = marks(runFolder);
        return !marks.isEmpty() && !marks.contains(runFolder.resolve(mark(owner)));
    }

    /** The files by which deployments have marked a folder. */
    public static List<Path> marks(Path runFolder) {
        return list(runFolder, MARK + "*");
    }

    /** The run of a folder; empty if the name does not have the form of a run's folder. */
    public static Optional<CrawlRun> run(String runFolder) {
        String name = runFolder.substring(runFolder.indexOf('/') + 1).replaceFirst("@.*", "");
        int dash = name.lastIndexOf('-');
        try {
            return dash < 1
                    ? Optional.empty()
                    : Optional.of(new CrawlRun(new CrawlId(name.substring(0, dash)),
                            Integer.parseInt(name.substring(dash + 1))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The existing folders of all runs, without those that only other deployments have marked. */
    public List<Path> runFolders() {
        return kinds.stream().flatMap(kind -> list(root.resolve(kind), "*").stream()).filter(not(this::foreign))
                .toList();
    }

    /** All unfinished files of these partitions. */
    List<Path> unfinished(Set<Integer> partitions) {
        return ofRuns("part-*.part").filter(file -> PartFileName.Unfinished.parse(file.getFileName().toString())
                .filter(f -> partitions.contains(f.name().partition())).isPresent()).toList();
    }

    /** The finished files of a partition that begin at this offset or after it. */
    List<Path> finishedFrom(PartFileName first) {
        return ofRuns(first.filesOfPartition()).filter(not(PartFileName::unfinished))
                .filter(file -> file.getFileName().toString().compareTo(first.stem()) >= 0).toList();
    }

    /** The files of a span, finished or not. */
    List<Path> files(PartFileName name) {
        return ofRuns(name.files()).toList();
    }

    private Stream<Path> ofRuns(String glob) {
        return runFolders().stream().flatMap(folder -> list(folder, glob).stream());
    }

    /** This path, or if it is taken, one with a number. */
    static Path free(Path path) {
        Path free = path;
        for (int n = 2; Files.exists(free); n++) {
            free = path.resolveSibling(path.getFileName().toString().replaceFirst("(-[0-9]{20})", "$1-" + n));
        }
        return free;
    }

    private static List<Path> list(Path folder, String glob) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(found::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            // removed by a user, or not a run's folder
        } catch (DirectoryIteratorException e) {
            throw new StorageException("read", folder, requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw new StorageException("read", folder, e);
        }
        return found;
    }

    /** Forces a folder's entries to disk, so that creations and renames survive a power failure. */
    public static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Creates new files. A test can supply an implementation that behaves like a full disk. */
    @FunctionalInterface
    public interface FileOpener {
        /** The file system. */
        FileOpener REAL = path -> {
            Files.createDirectories(path.getParent());
            return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        };

        /** Creates a file for writing, and its folder if it is missing. */
        FileChannel create(Path path) throws IOException;
    }
}
