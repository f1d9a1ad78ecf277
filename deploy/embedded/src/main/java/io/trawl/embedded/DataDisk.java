package io.trawl.embedded;

import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether the servers can write to a folder: a server that has ended, or does not start, seldom says that its disk is
 * the reason.
 *
 * @param folder the data of a server
 */
record DataDisk(Path folder) {
    private static final String PROBE = "probe";
    /** A batch of large pages: a disk may have room for a few bytes and none for that. */
    private static final int SIZE = 4 << 20;
    private static final String ADVICE = ": make room on this disk, or repair it; the same command resumes from here";

    /** Why nothing can be written, and what to do; empty if some megabytes can be written, and are on the disk. */
    Optional<String> trouble() {
        try {
            write();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of("nothing can be written to " + folder + " (" + DataFolderNotWritableException.explain(e)
                    + room() + ")" + ADVICE);
        }
    }

    private void write() throws IOException {
        Path probe = folder.resolve(PROBE);
        try (FileChannel channel = FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(SIZE);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private String room() {
        try {
            FileStore disk = Files.getFileStore(folder);
            return String.format(Locale.ROOT, ", %,d of %,d MB are free", disk.getUsableSpace() >> 20,
                    disk.getTotalSpace() >> 20);
        } catch (IOException e) {
            return "";
        }
    }
}
