package io.trawl.pipeline.manifest;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.pipeline.changes.ChangeCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** What differs between a finished run and the one before it, as its files say. Stateless. */
public final class ChangesFile {
    /** The file of the changes, a {@link io.trawl.pipeline.changes.RunChange} a line, by change and URL. */
    public static final String FILE = "_changes.ndjson";

    private ChangesFile() {}

    /**
     * The counts in the manifest of a run; empty if it has none, or was not compared.
     *
     * @param items the folder of its items
     * @throws IOException if the manifest cannot be read
     */
    public static Optional<ChangeCounts> counts(Path items) throws IOException {
        try {
            return Json.read(Files.readAllBytes(items.resolve(ManifestWriter.MANIFEST)), RunManifest.class).changes();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (MalformedRecordException e) {
            throw new IOException(items.resolve(ManifestWriter.MANIFEST) + ": " + e.getMessage(), e);
        }
    }
}
