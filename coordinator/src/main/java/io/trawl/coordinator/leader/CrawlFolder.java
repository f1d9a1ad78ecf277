package io.trawl.coordinator.leader;

import io.trawl.model.Sha256;
import io.trawl.codec.MalformedRecordException;
import io.trawl.control.ControlRecord.AppliedFile;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.worker.WorkerContext;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the crawl files of a folder while this coordinator leads: each file when its digest is another than that of
 * the file that was applied last, and was the same at two looks, so that no half of a file counts. So a change by a
 * call stands until the file changes, also with another leader, and a file that goes away leaves its crawl. What is
 * wrong with a file stops nothing: it is logged and reported once, and shown in the summary as long as it lasts. A
 * crash between the definition and its note has the file applied once more. Belongs to its thread, but for
 * {@link #notes}.
 */
public final class CrawlFolder implements AutoCloseable {
    /** The kind of the reported error. */
    static final String KIND = "CRAWL_FILE";
    private static final Logger LOG = LoggerFactory.getLogger(CrawlFolder.class);
    private static final Duration EVERY = Duration.ofSeconds(2);
    private final WorkerContext context;
    private final Optional<Path> folder;
    private final ControlState controlState;
    private final DefinitionControl definitions;
    private final BooleanSupplier leading;
    private final Thread thread;
    private Map<Path, String> seen = Map.of();
    /** What is wrong, by the name of the file or of the folder. */
    private Map<String, FileProblem> problems = Map.of();
    private volatile List<String> notes = List.of();

    /** What is wrong with a version of a file. */
    private record FileProblem(String digest, String text) {}

    /** A file as it was read. */
    private record FileVersion(Path path, byte[] bytes, String digest) {}

    /** @param leading whether this coordinator leads */
    public CrawlFolder(WorkerContext context, ControlState controlState, DefinitionControl definitions,
            BooleanSupplier leading) {
        this.context = context;
        this.folder = context.settings().crawls();
        this.controlState = controlState;
        this.definitions = definitions;
        this.leading = leading;
        this.thread = Thread.ofVirtual().name("crawl-folder").unstarted(this::run);
    }

    /** Begins, if there is a folder. */
    public void start() {
        if (folder.isPresent()) {
            thread.start();
        }
    }

    /** What is wrong with files now, for the summary. */
    public List<String> notes() {
        return notes;
    }

    private void run() {
        try {
            while (true) {
                context.time().pause(EVERY);
                look(folder.orElseThrow());
            }
        } catch (InterruptedException e) {
            LOG.debug("the watch of crawl files stops");
        }
    }

    private void look(Path where) throws InterruptedException {
        if (!leading.getAsBoolean()) {
            notes = List.of();
            return;
        }
        Map<String, FileProblem> found = new TreeMap<>();
        Map<Path, String> read = new TreeMap<>();
        try {
            for (Path path : files(where)) {
                FileVersion file = read(path);
                read.put(path, file.digest);
                if (file.digest.equals(seen.get(path))) {
                    apply(file).ifPresent(text -> found.put(name(path), new FileProblem(file.digest, text)));
                }
            }
        } catch (IOException e) {
            found.put(where.toString(), new FileProblem("", "the folder of crawl files cannot be read: " + where));
        }
        seen = read;
        report(found);
    }

    /** The crawl files of a folder. Mounts of Kubernetes keep their own entries under names that begin with a dot. */
    private static List<Path> files(Path where) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(where,
                path -> DefinitionText.isCrawlFile(path) && Files.isRegularFile(path))) {
            entries.forEach(files::add);
        }
        return files.stream().sorted().toList();
    }

    private static FileVersion read(Path path) throws IOException {
        byte[] bytes = DefinitionText.bytes(path);
        return new FileVersion(path, bytes, Sha256.hex(bytes));
    }

    /** @return what is wrong */
    private Optional<String> apply(FileVersion file) throws InterruptedException {
        String name = name(file.path);
        Optional<FileProblem> known = Optional.ofNullable(problems.get(name)).filter(p -> p.digest.equals(file.digest));
        try {
            CrawlId crawl = DefinitionText.crawl(file.path);
            if (controlState.file(crawl).map(AppliedFile::digest).filter(file.digest::equals).isPresent()) {
                return Optional.empty();
            }
            definitions.apply(crawl, DefinitionText.of(file.path, file.bytes), file.digest);
            LOG.info("{} is applied", name);
            return Optional.empty();
        } catch (InvalidDefinitionException e) {
            return Optional.of(e.faults().stream().map(Fault::placed).reduce((a, b) -> a + "; " + b).orElse(""));
        } catch (MalformedRecordException e) {
            return Optional.of(e.fault().map(Fault::placed).orElse(String.valueOf(e.getMessage())));
        } catch (NotLeadingException | ControlNotWrittenException | KafkaException | LedgerUnavailableException e) {
            LOG.debug("{} is not applied now: {}", name, e.getMessage());
            return known.map(FileProblem::text);
        } catch (InvalidValueException e) {
            return Optional.of(e.fault().text());
        } catch (RuntimeException e) {
            // The crawl's state, a quota or the capacity forbids it; it is tried again, since that may pass.
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    /** Tells each problem once. */
    private void report(Map<String, FileProblem> found) {
        found.forEach((name, problem) -> {
            if (!problem.equals(problems.get(name))) {
                String text = problem.digest.isEmpty()
                        ? problem.text
                        : "the crawl file " + name + " is not applied: " + problem.text;
                LOG.warn(text);
                context.kafka().errors().report(CrawlerError.of(context.mid(), Optional.empty(), Optional.empty(), KIND,
                        text, 1, context.time().now()));
            }
        });
        problems = found;
        notes = found.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue().text).toList();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
