package io.trawl.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files and folders that other users of the machine cannot read. File systems without POSIX permissions keep their own
 * rules.
 */
public final class OwnerOnly {
    private static final boolean POSIX = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

    private OwnerOnly() {}

    /**
     * Creates the folder and its missing parents; takes the permissions of others from one that exists. A folder that
     * belongs to another user keeps its permissions.
     *
     * @return the folder
     * @throws IOException if it cannot be created
     */
    public static Path folder(Path folder) throws IOException {
        Files.createDirectories(folder, attributes(FOLDER));
        try {
            if (POSIX && !Files.getPosixFilePermissions(folder).equals(FOLDER)) {
                Files.setPosixFilePermissions(folder, FOLDER);
            }
        } catch (FileSystemException e) {
            // Only the owner may change it. What is secret is in files of mode 600.
        }
        return folder;
    }

    /**
     * Replaces the file atomically, so that a kill during the write leaves the old content.
     *
     * @return the file
     */
    public static Path write(Path file, String text) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.deleteIfExists(part);
        Files.createFile(part, attributes(FILE));
        Files.writeString(part, text, StandardCharsets.UTF_8);
        return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] attributes(Set<PosixFilePermission> permissions) {
        return POSIX
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
