package io.trawl.pipeline.format;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.trawl.definition.sink.SinkDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How files are compressed. */
public enum FileCompression {
    /** Not at all. */
    NONE(""),
    /** By gzip, one member per file. */
    GZIP(".gz"),
    /** By Zstandard, one frame per file. */
    ZSTD(".zst");

    private static final int BUFFER = 8 * 1024;
    private final String ending;

    FileCompression(String ending) {
        this.ending = ending;
    }

    /** What the names of files end with. */
    public String ending() {
        return ending;
    }

    /** The compression that a definition names. */
    static FileCompression of(Optional<String> word) {
        return word.map(w -> w.equals(SinkDefinition.GZIP) ? GZIP : ZSTD).orElse(NONE);
    }

    /** The compression of a file with this name. */
    public static FileCompression ofName(String name) {
        return name.endsWith(GZIP.ending) ? GZIP : name.endsWith(ZSTD.ending) ? ZSTD : NONE;
    }

    /** What was compressed. Its close closes the other stream, too. */
    public InputStream reading(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GZIPInputStream(in, BUFFER);
            case ZSTD -> new ZstdInputStreamNoFinalizer(in);
        };
    }

    /** A stream whose close writes the end of the compressed data, frees its memory and closes the other one. */
    public OutputStream over(OutputStream out) throws IOException {
        return switch (this) {
            case NONE -> out;
            case GZIP -> new GZIPOutputStream(out, BUFFER);
            case ZSTD -> new ZstdOutputStreamNoFinalizer(out);
        };
    }
}
