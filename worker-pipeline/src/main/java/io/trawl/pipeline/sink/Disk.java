package io.trawl.pipeline.sink;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where new files come from: a port, so that a test can hand out one on a full disk. */
@FunctionalInterface
public interface Disk {
    /** The file system. */
    Disk REAL = path -> {
        Files.createDirectories(path.getParent());
        return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    };

    /** A new file for writing; its folder is made if it is missing. */
    FileChannel create(Path path) throws IOException;
}
