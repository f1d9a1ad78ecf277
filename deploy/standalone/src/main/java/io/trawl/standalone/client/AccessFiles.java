package io.trawl.standalone.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * How a command finds the deployment that runs on a data folder: the files {@code address}, while it runs, and
 * {@code token}, for good. Only their owner can read them.
 */
public final class AccessFiles {
    private static final String TOKEN_FORM = "[A-Za-z0-9_-]{43}";
    private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
            PosixFilePermission.OWNER_WRITE);
    private static final int TOKEN_BYTES = 32;
    private final Path address;
    private final Path token;

    /** @param data the data folder of one deployment */
    public AccessFiles(Path data) {
        this.address = data.resolve("address");
        this.token = data.resolve("token");
    }

    /**
     * The token of the deployment: random, made at its first start, and again if others could read it.
     *
     * @throws UserMistakeException if the folder cannot be written to
     */
    public String token() {
        Optional<String> known = known();
        if (known.isPresent()) {
            return known.get();
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String made = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        write(token, made);
        return made;
    }

    private Optional<String> known() {
        try {
            return Files.exists(token) && OWNER.containsAll(Files.getPosixFilePermissions(token))
                    ? read(token).filter(t -> t.matches(TOKEN_FORM))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The deployment has a token of the user's: no file tells it. */
    public void dropToken() {
        delete(token);
    }

    /** A command finds the deployment at this address from now on. */
    public void announce(URI coordinator) {
        write(address, coordinator.toString());
    }

    /** The deployment stops. */
    public void withdraw() {
        delete(address);
    }

    /** The deployment that runs on the folder, or did when its process was killed. */
    Optional<Api.Server> server(Optional<String> given) {
        return read(address).map(URI::create).map(base -> Api.Server.found(base, given.or(() -> read(token))));
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Replaces a file at once, so that no other user ever reads it and no command reads half of it. */
    private static void write(Path file, String text) {
        Path made = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(made);
            Files.createFile(made, PosixFilePermissions.asFileAttribute(OWNER));
            Files.write(made, (text + "\n").getBytes(StandardCharsets.US_ASCII));
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UserMistakeException(file + " cannot be written: " + e.getMessage());
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (NoSuchFileException e) {
            // The folder is gone as well.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
