package io.trawl.bench.text;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a benchmark's own Python script. */
final class Script {
    private Script() {}

    /**
     * What it prints.
     *
     * @throws IOException if it cannot be started, or fails
     */
    static String run(Path folder, Path script, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3", script.toAbsolutePath().toString()));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + printed.strip());
        }
        return printed;
    }
}
