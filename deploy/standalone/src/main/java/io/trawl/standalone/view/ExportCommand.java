package io.trawl.standalone.view;

import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.text.Figures;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.changes.RunKeys;
import io.trawl.pipeline.diff.ComparedItems;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.manifest.RunExport;
import io.trawl.pipeline.manifest.RunExport.ExportCounts;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.standalone.client.ExitCode;
import io.trawl.standalone.client.LogSetup;
import io.trawl.standalone.client.NotFoundException;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.crawl.OutputFolder;
import io.trawl.standalone.text.Printer;
import io.trawl.standalone.text.Terminal;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trawl export}: the items that there are after a finished run. Reads files only. */
@Command(name = "export", sortOptions = false, description = "Write all items that there were after a finished run, each once and as it was stored last. Reads the files in the folder with the pages, calls no server.", footerHeading = "%nExamples:%n", footer = {
        "  trawl export docs --out docs-today", "  trawl export docs --out docs-3 --run 3 --compress zstd"})
public final class ExportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ID", description = "The crawl.")
    private String crawl = "";

    @Option(names = "--out", paramLabel = "DIR", required = true, description = "The folder to write to. It is empty, or does not exist.")
    private Path out = Path.of("");

    @Option(names = "--from", paramLabel = "DIR", defaultValue = "pages", description = "The folder with the pages. Default: ${DEFAULT-VALUE}.")
    private Path from = Path.of("pages");

    @Option(names = "--run", paramLabel = "EPOCH", description = "A run. Default: the newest finished one.")
    private @Nullable Integer epoch;

    @Option(names = "--compress", paramLabel = "BY", defaultValue = "none", description = "none, gzip or zstd. Default: ${DEFAULT-VALUE}.")
    private FileCompression compression = FileCompression.NONE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        LogSetup.none();
        ComparedItems run = ComparedItems.of(from, new CrawlId(crawl), Optional.ofNullable(epoch));
        List<ComparedItems> holders = run.holders();
        try (RunKeys keys = run.keys()) {
            Instant end = ManifestWriter.end(run.items())
                    .orElseThrow(() -> new NoSuchFileException(run.items().resolve(ManifestWriter.SUCCESS).toString()));
            long items = export(keys, end, holders);
            String runs = holders.size() == 1
                    ? ""
                    : " (runs " + holders.getFirst().run().epoch() + " to " + run.run().epoch() + ")";
            new Printer(spec.commandLine().getOut(), Terminal.ofLauncher().output(), false)
                    .note("exported " + Figures.count(items, "item") + " of run " + run.run().epoch() + runs);
            return ExitCode.DONE;
        } catch (NoSuchFileException e) {
            throw new NotFoundException(
                    e.getFile() + " is not there any more: newer runs have finished, or it was moved");
        } catch (EOFException | ZipException | MalformedRecordException e) {
            throw new UserMistakeException("a file of " + run.items() + " is damaged: " + e.getMessage());
        }
    }

    private long export(RunKeys keys, Instant end, List<ComparedItems> holders) throws IOException {
        List<Path> files = new ArrayList<>();
        for (ComparedItems holder : holders) {
            files.addAll(holder.itemFiles());
        }
        OutputFolder.writable(out);
        try (Stream<Path> there = Files.list(out)) {
            there.findFirst().ifPresent(file -> {
                throw new InvalidValueException("--out", out.toString(),
                        "a folder that is empty or does not exist (it has " + file.getFileName() + ")");
            });
        }
        ExportCounts found = new RunExport(out, compression, FaultPoint.NONE).write(keys, end, files);
        if (found.missing() > 0) {
            throw new NotFoundException(Figures.count(found.missing(), "item") + " of " + keys.head().run()
                    + (found.missing() == 1 ? " is" : " are") + " in none of its files: some have been moved");
        }
        return found.items();
    }
}
