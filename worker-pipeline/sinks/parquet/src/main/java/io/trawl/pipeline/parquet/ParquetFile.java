package io.trawl.pipeline.parquet;

import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.spi.FileWriters.RowFile;
import io.trawl.pipeline.spi.FileWriters.RowFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * Writes a Parquet file to a stream. Keeps at most a row group in memory, {@value #ROW_GROUP} bytes before compression
 * and {@value #UNCHECKED} more items; what follows the last row group, and the footer, without which nothing can be
 * read, is written by {@link #close}. Not thread-safe.
 */
public final class ParquetFile implements RowFile {
    /** The largest row group, in bytes before compression. */
    public static final int ROW_GROUP = 8 << 20;
    /** The items after which the size of the row group is looked at. */
    private static final int UNCHECKED = 8;
    private static final int PAGE = 256 << 10;
    private final ParquetWriter<FileLine> writer;

    /** @param out is not closed with this */
    public ParquetFile(FileFormat format, OutputStream out) throws IOException {
        this.writer = new CellWriterBuilder(format, new StreamFile(out)).withRowGroupSize((long) ROW_GROUP)
                .withPageSize(PAGE).withDictionaryPageSize(PAGE).withMinRowCountForPageSizeCheck(1)
                .withMaxRowCountForPageSizeCheck(UNCHECKED)
                .withCompressionCodec(format.compression() == FileCompression.ZSTD
                        ? CompressionCodecName.ZSTD
                        : CompressionCodecName.SNAPPY)
                .build();
    }

    @Override
    public void write(FileLine line) throws IOException {
        writer.write(line);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }

    /** Parquet files. */
    public static final class ParquetFormat implements RowFormat {
        @Override
        public RowFile open(FileFormat format, OutputStream out) throws IOException {
            return new ParquetFile(format, out);
        }

        @Override
        public long rows(Path file) throws IOException {
            try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
                return reader.getRecordCount();
            }
        }
    }

    /** Makes the writer of a format. */
    private static final class CellWriterBuilder extends ParquetWriter.Builder<FileLine, CellWriterBuilder> {
        private final FileFormat format;

        CellWriterBuilder(FileFormat format, OutputFile file) {
            super(file);
            this.format = format;
            withConf(new PlainParquetConfiguration());
            withCodecFactory(new PageCompressors());
            config("parquet.block.size.row.check.min", "1");
            config("parquet.block.size.row.check.max", Integer.toString(UNCHECKED));
        }

        @Override
        protected CellWriterBuilder self() {
            return this;
        }

        @Override
        protected WriteSupport<FileLine> getWriteSupport(ParquetConfiguration configuration) {
            return new CellWriter(format.columns());
        }

        @Override
        @Deprecated
        protected WriteSupport<FileLine> getWriteSupport(org.apache.hadoop.conf.Configuration configuration) {
            return new CellWriter(format.columns());
        }
    }

    /** A file that is a stream. */
    private record StreamFile(OutputStream out) implements OutputFile {
        @Override
        public PositionOutputStream create(long blockSize) {
            return new CountedStream(out);
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSize) {
            return create(blockSize);
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }

    /** Counts what it passes on; its close leaves the other stream open. */
    private static final class CountedStream extends PositionOutputStream {
        private final OutputStream out;
        private long position;

        CountedStream(OutputStream out) {
            this.out = out;
        }

        @Override
        public long getPos() { return position; }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
            position++;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            position += length;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.flush();
        }
    }
}
