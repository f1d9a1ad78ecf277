package io.trawl.embedded;

import static java.util.Objects.requireNonNull;

import io.trawl.embedded.EmbeddedServerException.ServerStartException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A redis-server executable for this machine.
 *
 * @param file the program
 * @param version the version that it reports
 * @param origin who provides it, and so who fixes it
 */
record RedisBinary(Path file, String version, Origin origin) {
    private static final Pattern VERSION = Pattern.compile("v=([0-9]{1,4})\\.([0-9]{1,4})[0-9.]*");
    private static final String BUNDLED = "7.0.15";

    /** Where an executable comes from. */
    enum Origin {
        PATH, JAR
    }

    /**
     * The first redis-server of version 7.0 or newer on the search path, else the one from the jar, else the first of
     * version 6.2 on the search path. Distributions fix the servers that they install; the one in the jar gets no
     * fixes.
     *
     * @param searchPath folders, separated as in {@code PATH}
     * @param unpackTo the folder for the executable from the jar
     * @throws ServerStartException if there is no usable executable
     */
    static RedisBinary find(String searchPath, Path unpackTo) {
        List<RedisBinary> installed = Arrays.stream(searchPath.split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .flatMap(folder -> Stream.of("redis-server", "redis-server.exe").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable).flatMap(file -> usable(file, Origin.PATH).stream()).toList();
        return installed.stream().filter(Predicate.not(RedisBinary::outdated)).findFirst().or(() -> bundled(unpackTo))
                .or(() -> installed.stream().findFirst()).orElseThrow(() -> new ServerStartException(
                        "no usable redis-server found: put version 7.0 or newer on the PATH"));
    }

    private static Optional<RedisBinary> bundled(Path unpackTo) {
        String name = "redis-server-" + BUNDLED + "-" + system() + "-" + processor();
        try (InputStream program = RedisBinary.class.getClassLoader().getResourceAsStream(name)) {
            // Without the file, the jar has no executable for this system.
            return program == null ? Optional.empty() : usable(unpacked(program, unpackTo.resolve(name)), Origin.JAR);
        } catch (IOException e) {
            throw new ServerStartException(
                    "redis-server cannot be written to " + unpackTo + ": " + EmbeddedServerException.reason(e), e);
        }
    }

    private static Path unpacked(InputStream program, Path file) throws IOException {
        if (Files.isExecutable(file)) {
            return file;
        }
        Files.createDirectories(requireNonNull(file.getParent()));
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.copy(program, part, StandardCopyOption.REPLACE_EXISTING);
        if (!part.toFile().setExecutable(true)) {
            throw new IOException(part + " cannot be made executable");
        }
        return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String system() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : name;
    }

    private static String processor() {
        return switch (System.getProperty("os.arch", "")) {
            case "x86_64", "amd64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            case "x86", "i386", "i686" -> "386";
            case String other -> other;
        };
    }

    /** The executable, if it starts and supports the commands of the ledger (6.2). */
    static Optional<RedisBinary> usable(Path file, Origin origin) {
        try {
            Process process = new ProcessBuilder(file.toString(), "--version").redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher m = VERSION.matcher(out);
            return process.waitFor(10, TimeUnit.SECONDS) && m.find() && atLeast(m, 6, 2)
                    ? Optional.of(new RedisBinary(file, m.group().substring(2), origin))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static boolean atLeast(Matcher version, int major, int minor) {
        int first = Integer.parseInt(version.group(1));
        return first > major || first == major && Integer.parseInt(version.group(2)) >= minor;
    }

    private boolean outdated() {
        return version.startsWith("6.");
    }

    /** One line for the operator, if the program gets no security fixes. */
    Optional<String> warning() {
        return origin == Origin.JAR || outdated()
                ? Optional.of("redis-server " + version + (origin == Origin.JAR ? " of Trawl's jar" : " at " + file)
                        + " gets no more security fixes. Install your system's, 7.0 or newer (apt install redis-server,"
                        + " brew install redis): the next start uses it")
                : Optional.empty();
    }
}
