package io.trawl.pipeline.manifest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.changes.ChangeCounts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the files of a finished run are: {@code _manifest.json}.
 *
 * @param schema of this record, {@value #SCHEMA}
 * @param crawl of the run
 * @param epoch of the run
 * @param finishedAt the end of the run, as in its summary
 * @param items in all files; an item counts in each sink that has it, and archives have none
 * @param chunks in all files, which are no items
 * @param bytes of all files
 * @param files in the order of their paths
 * @param changes since the finished run before; empty if both were not compared
 */
record RunManifest(@JsonProperty("schema") int schema, @JsonProperty("crawl") String crawl,
        @JsonProperty("epoch") int epoch, @JsonProperty("finishedAt") Instant finishedAt,
        @JsonProperty("items") long items,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonProperty("chunks") long chunks,
        @JsonProperty("bytes") long bytes, @JsonProperty("files") List<ManifestFile> files,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonProperty("changes") Optional<ChangeCounts> changes) {
    static final int SCHEMA = 1;

    /**
     * A file.
     *
     * @param path relative to the output folder
     * @param items that it holds
     * @param chunks that it holds: then it holds no items
     * @param bytes its size
     * @param sha256 of its bytes, in hexadecimal digits
     */
    record ManifestFile(@JsonProperty("path") String path, @JsonProperty("items") long items,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonProperty("chunks") long chunks,
            @JsonProperty("bytes") long bytes, @JsonProperty("sha256") String sha256) {}

    RunManifest {
        files = List.copyOf(files);
    }

    /** That of a run with these files, which has ended at this time. */
    static RunManifest of(CrawlRun run, Instant end, List<ManifestFile> files, Optional<ChangeCounts> changes) {
        return new RunManifest(SCHEMA, run.crawl().value(), run.epoch(), end,
                files.stream().mapToLong(ManifestFile::items).sum(),
                files.stream().mapToLong(ManifestFile::chunks).sum(),
                files.stream().mapToLong(ManifestFile::bytes).sum(), files, changes);
    }
}
