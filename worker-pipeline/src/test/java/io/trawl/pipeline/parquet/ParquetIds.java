package io.trawl.pipeline.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.xerial.snappy.Snappy;

/** Reads the column {@code id} of files with Snappy. */
public final class ParquetIds {
    private ParquetIds() {}

    /** In the order of the items. @throws RuntimeException if the file is not whole */
    public static List<String> of(Path file) throws IOException {
        List<String> ids = new ArrayList<>();
        ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withCodecFactory(new SnappyPages()).build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
            MessageType schema = reader.getFooter().getFileMetaData().getSchema();
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                RecordReader<Group> rows = new ColumnIOFactory().getColumnIO(schema).getRecordReader(pages,
                        new GroupRecordConverter(schema));
                for (long row = 0; row < pages.getRowCount(); row++) {
                    ids.add(rows.read().getString("id", 0));
                }
            }
        }
        return ids;
    }

    private static final class SnappyPages
            implements
                CompressionCodecFactory,
                CompressionCodecFactory.BytesInputDecompressor {
        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
            return this;
        }

        @Override
        public BytesInput decompress(BytesInput bytes, int size) throws IOException {
            return BytesInput.from(Snappy.uncompress(bytes(bytes)));
        }

        @Override
        public void decompress(ByteBuffer input, int compressed, ByteBuffer output, int size) throws IOException {
            output.put(Snappy.uncompress(bytes(input.slice(input.position(), compressed))));
        }

        private static byte[] bytes(BytesInput input) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            input.writeAllTo(bytes);
            return bytes.toByteArray();
        }

        private static byte[] bytes(ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            return bytes;
        }

        @Override
        public void release() {
            // Nothing is kept.
        }
    }
}
