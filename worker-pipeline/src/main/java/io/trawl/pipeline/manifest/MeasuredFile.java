package io.trawl.pipeline.manifest;

import io.trawl.model.Sha256;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.manifest.RunManifest.ManifestFile;
import io.trawl.pipeline.sink.SinkFolder;
import io.trawl.pipeline.spi.FileWriters;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Reads a file of a sink once, from its beginning to its end: its size, its digest and the number of its items or
 * chunks.
 */
final class MeasuredFile {
    private static final int BUFFER = 64 * 1024;

    private MeasuredFile() {}

    /** @param root the output folder */
    static ManifestFile of(Path root, Path file, FileWriters writers) throws IOException {
        MessageDigest digest = Sha256.digest();
        long rows;
        try (InputStream raw = new DigestInputStream(Files.newInputStream(file), digest)) {
            String name = file.getFileName().toString();
            rows = name.endsWith("." + SinkDefinition.PARQUET)
                    ? writers.ofRows().rows(file)
                    : FileFormat.ofArchive(name) ? 0 : items(name, raw);
            raw.transferTo(OutputStream.nullOutputStream());
        }
        String path = root.relativize(file).toString().replace('\\', '/');
        boolean chunks = path.startsWith(SinkFolder.CHUNKS + '/');
        return new ManifestFile(path, chunks ? 0 : rows, chunks ? rows : 0, Files.size(file),
                HexFormat.of().formatHex(digest.digest()));
    }

    private static long items(String name, InputStream raw) throws IOException {
        FileCompression compression = FileCompression.ofName(name);
        boolean csv = name.endsWith(".csv" + compression.ending());
        InputStream lines = compression.reading(raw);
        return Math.max(0, lines(lines, csv) - (csv ? 1 : 0));
    }

    /** The lines; in comma-separated values a line feed between quotation marks ends none. */
    private static long lines(InputStream in, boolean csv) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long lines = 0;
        boolean quoted = false;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            for (int i = 0; i < read; i++) {
                quoted ^= csv && buffer[i] == '"';
                lines += buffer[i] == '\n' && !quoted ? 1 : 0;
            }
        }
        return lines;
    }
}
