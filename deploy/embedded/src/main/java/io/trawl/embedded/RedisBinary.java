package io.trawl.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/**
 * A redis-server program that runs on this machine.
 *
 * @param file the program
 * @param version as it reports it
 */
record RedisBinary(Path file, String version) {
    private static final Pattern VERSION = Pattern.compile("v=((\\d+)\\.(\\d+)[\\d.]*)");

    /**
     * The first redis-server on the search path that is new enough, else the one from the jar.
     *
     * @param searchPath folders, separated as in {@code PATH}
     * @param unpackTo where the one from the jar is put
     * @throws ServerFailed if none runs here
     */
    static RedisBinary find(String searchPath, Path unpackTo) {
        return Arrays.stream(searchPath.split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .flatMap(folder -> Stream.of("redis-server", "redis-server.exe").map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .flatMap(file -> usable(file).stream())
                .findFirst()
                .or(() -> bundled(unpackTo))
                .orElseThrow(() -> new ServerFailed("no redis-server that runs here: put version 6.2 or newer on the PATH"));
    }

    private static Optional<RedisBinary> bundled(Path unpackTo) {
        try {
            Files.createDirectories(unpackTo);
            return usable(ExecutableProvider.newJarResourceProvider(unpackTo.toFile()).get().toPath());
        } catch (IOException | RuntimeException e) {
            // No program for this system in the jar; the caller says what to do.
            return Optional.empty();
        }
    }

    /** The program, if it starts and has the commands that the ledger needs (6.2). */
    static Optional<RedisBinary> usable(Path file) {
        try {
            Process process = new ProcessBuilder(file.toString(), "--version").redirectErrorStream(true).start();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher m = VERSION.matcher(out);
            return process.waitFor(10, TimeUnit.SECONDS) && m.find()
                    && newEnough(Integer.parseInt(m.group(2)), Integer.parseInt(m.group(3)))
                            ? Optional.of(new RedisBinary(file, m.group(1)))
                            : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static boolean newEnough(int major, int minor) {
        return major > 6 || major == 6 && minor >= 2;
    }
}
