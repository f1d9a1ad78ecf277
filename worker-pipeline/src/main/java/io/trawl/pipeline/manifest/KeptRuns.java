package io.trawl.pipeline.manifest;

import static java.util.Objects.requireNonNull;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which runs of a crawl stay in the output folder, and which of them {@code latest/<crawl>} names: a link to the items
 * of the newest run with {@code _SUCCESS}, of whatever deployment. A run is deleted only when a newer one of the same
 * deployment has its mark, so a run that fails or is killed costs nothing. Archives stay. All steps may be repeated,
 * and taken by several processes at once (docs/adr/0114-kept-runs.md). Thread-safe.
 */
public final class KeptRuns {
    /** The folder of links. */
    public static final String LATEST = "latest";
    private static final Logger LOG = LoggerFactory.getLogger(KeptRuns.class);
    private final Path root;
    private final List<SinkFolder> out;

    /**
     * @param root {@code TRAWL_OUT}
     * @param owners the deployments whose runs may be deleted, in the order in which they have crawled
     */
    public KeptRuns(Path root, List<String> owners) {
        this.root = root;
        this.out = owners.stream().map(owner -> new SinkFolder(root, owner)).toList();
    }

    /**
     * A run by the name of its folders.
     *
     * @param owner the place of its deployment; -1: none of ours
     * @param end in its mark; empty if it has none
     * @param whole whether its files hold all its pages, not only what has changed
     */
    private record KnownRun(String name, int owner, int epoch, Optional<Instant> end, boolean whole) {
        static final Comparator<KnownRun> OLDEST_FIRST = Comparator.comparingInt(KnownRun::owner)
                .thenComparingInt(KnownRun::epoch);
        /** Of those that have ended. */
        static final Comparator<KnownRun> NEWEST_LAST = Comparator.comparing((KnownRun run) -> run.end().orElseThrow())
                .thenComparing(OLDEST_FIRST);

        boolean ours() {
            return owner >= 0;
        }
    }

    /**
     * Points {@code latest} to the newest finished run of a crawl that is whole, and deletes the items and errors of
     * runs that are older than the newest finished one, but for the newest finished ones.
     *
     * @param keep how many finished runs stay that are whole; those that have refreshed one stay with it
     * @throws IOException if that fails now: the caller must retry
     */
    public void settle(CrawlId crawl, int keep) throws IOException {
        List<KnownRun> runs = runs(crawl);
        if (!pointed(crawl, runs)) {
            return;
        }
        List<KnownRun> finished = runs.stream().filter(run -> run.ours() && run.end().isPresent())
                .sorted(KnownRun.OLDEST_FIRST.reversed()).toList();
        Set<String> kept = kept(finished, keep);
        for (KnownRun run : runs) {
            if (run.ours() && !kept.contains(run.name()) && !finished.isEmpty()
                    && KnownRun.OLDEST_FIRST.compare(run, finished.getFirst()) < 0) {
                LOG.info("deleting the items and errors of {}: {} finished runs are kept", run.name(), keep);
                delete(run.name());
            }
        }
    }

    /** The newest ones, up to the last whole run: what has changed since needs that one. */
    private static Set<String> kept(List<KnownRun> finished, int keep) {
        Set<String> kept = new TreeSet<>();
        int whole = 0;
        for (KnownRun run : finished) {
            if (whole == keep) {
                return kept;
            }
            kept.add(run.name());
            whole += run.whole() ? 1 : 0;
        }
        return kept;
    }

    /** The folder of items that {@code latest} names; empty if there is none. */
    public static Optional<Path> latest(Path root, CrawlId crawl) {
        Path link = root.resolve(LATEST).resolve(crawl.value());
        try {
            return Optional.of(link.resolveSibling(Files.readSymbolicLink(link)).normalize()).filter(Files::exists);
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }

    /**
     * The folder of items of the newest finished run, whole or not, of whatever deployment; empty if there is none.
     *
     * @param epoch of the run; empty: any
     */
    public Optional<Path> newest(CrawlId crawl, Optional<Integer> epoch) throws IOException {
        return newest(runs(crawl), run -> epoch.filter(wanted -> wanted != run.epoch()).isEmpty());
    }

    private Optional<Path> newest(List<KnownRun> runs, Predicate<KnownRun> wanted) {
        return runs.stream().filter(run -> run.end().isPresent() && wanted.test(run)).max(KnownRun.NEWEST_LAST)
                .map(run -> items(run.name()));
    }

    private List<KnownRun> runs(CrawlId crawl) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String kind : SinkFolder.OF_RUNS) {
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(root.resolve(kind), crawl + "-*")) {
                folders.forEach(folder -> names.add(folder.getFileName().toString()));
            } catch (NoSuchFileException e) {
                // None of this kind.
            }
        }
        List<KnownRun> runs = new ArrayList<>();
        for (String name : names) {
            Optional<CrawlRun> run = SinkFolder.run(name).filter(known -> known.crawl().equals(crawl));
            if (run.isPresent()) {
                runs.add(new KnownRun(name, owner(name), run.get().epoch(), ManifestWriter.end(items(name)),
                        !Files.exists(items(name).resolve(ManifestWriter.REFRESH))));
            }
        }
        return runs;
    }

    private int owner(String name) {
        for (int owner = out.size() - 1; owner >= 0; owner--) {
            SinkFolder one = out.get(owner);
            if (folders(name).stream().anyMatch(one::owns)) {
                return owner;
            }
        }
        return -1;
    }

    /** Those of items last: what a run is called is decided by that of its items. */
    private List<Path> folders(String name) {
        return List.of(root.resolve(SinkFolder.CHUNKS).resolve(name),
                root.resolve(SinkFolder.kind(ItemKind.ERROR)).resolve(name), items(name));
    }

    private Path items(String name) {
        return root.resolve(SinkFolder.kind(ItemKind.PAGE)).resolve(name);
    }

    /** @return false if the link cannot be made: then it may name a run that is not the newest, and all stay */
    private boolean pointed(CrawlId crawl, List<KnownRun> runs) {
        Path link = root.resolve(LATEST).resolve(crawl.value());
        Optional<Path> target = newest(runs, KnownRun::whole).map(root.resolve(LATEST)::relativize);
        try {
            if (target.isEmpty()) {
                Files.deleteIfExists(link);
            } else if (!Files.isSymbolicLink(link) || !Files.readSymbolicLink(link).equals(target.get())) {
                Path made = Files.createDirectories(requireNonNull(link.getParent()))
                        .resolve("." + crawl + "-" + UUID.randomUUID());
                Files.createSymbolicLink(made, target.get());
                Files.move(made, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                SinkFolder.sync(requireNonNull(link.getParent()));
            }
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("the link {} to the newest finished run cannot be made, so older ones are not deleted: {}", link,
                    e.toString());
            return false;
        }
    }

    /**
     * The mark of success first, those of the deployment last: what a kill leaves is not finished, and has its owner.
     */
    private void delete(String name) throws IOException {
        Files.deleteIfExists(items(name).resolve(ManifestWriter.SUCCESS));
        for (Path folder : folders(name)) {
            if (Files.exists(folder)) {
                List<Path> marks = SinkFolder.marks(folder);
                Files.walkFileTree(folder, new Deletion(folder, marks));
                for (Path mark : marks) {
                    Files.deleteIfExists(mark);
                }
                Files.deleteIfExists(folder);
            }
        }
    }

    /** Deletes what is in a folder, while others may do the same. */
    private static final class Deletion extends SimpleFileVisitor<Path> {
        private final Path folder;
        private final List<Path> spared;

        Deletion(Path folder, List<Path> spared) {
            this.folder = folder;
            this.spared = spared;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!spared.contains(file)) {
                Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
            if (!visited.equals(folder)) {
                Files.deleteIfExists(visited);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
