package io.trawl.pipeline.parquet;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/** Compresses the pages of a file, a page at a time. Parquet-java's own factory asks Hadoop for codecs. */
final class PageCompressors implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        return new PageCompressor(name);
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        throw new UnsupportedOperationException("files are only written");
    }

    @Override
    public void release() {
        // Nothing is kept between two pages.
    }

    private record PageCompressor(CompressionCodecName name) implements CompressionCodecFactory.BytesInputCompressor {
        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
            ByteArrayOutputStream copy = new ByteArrayOutputStream(Math.toIntExact(bytes.size()));
            bytes.writeAllTo(copy);
            byte[] page = copy.toByteArray();
            return BytesInput.from(name == CompressionCodecName.ZSTD ? Zstd.compress(page) : Snappy.compress(page));
        }

        @Override
        public CompressionCodecName getCodecName() { return name; }

        @Override
        public void release() {
            // As above.
        }
    }
}
