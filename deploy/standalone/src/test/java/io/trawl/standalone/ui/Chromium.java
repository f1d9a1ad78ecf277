package io.trawl.standalone.ui;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A headless Chromium, Chrome or Edge of this machine with a profile of its own. */
final class Chromium implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome-stable",
            "google-chrome", "microsoft-edge");
    private static final List<String> PLACES = List.of("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            "/Applications/Chromium.app/Contents/MacOS/Chromium", "/snap/bin/chromium",
            "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
            "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe");
    private final Process process;
    private final Path profile;

    private Chromium(Process process, Path profile) {
        this.process = process;
        this.profile = profile;
    }

    /** The path of a browser: {@code CHROMIUM_PATH}, else the first on the PATH, else one of the usual places. */
    static Optional<Path> find() {
        Stream<String> said = Stream.ofNullable(System.getenv("CHROMIUM_PATH"));
        Stream<String> onPath = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name).toString()));
        return Stream.of(said, onPath, PLACES.stream()).flatMap(all -> all).map(Path::of).filter(Files::isExecutable)
                .findFirst();
    }

    /** The same; without one the test is skipped, or fails if {@code UI_TESTS_REQUIRED} is true. */
    static Path demand() {
        Optional<Path> program = find();
        if (program.isEmpty() && "true".equals(System.getenv("UI_TESTS_REQUIRED"))) {
            throw new IllegalStateException("UI_TESTS_REQUIRED=true, but there is no Chromium, Chrome or Edge");
        }
        assumeTrue(program.isPresent(), "there is no Chromium, Chrome or Edge: install one, or set CHROMIUM_PATH");
        return program.orElseThrow();
    }

    /** Starts one, and returns when it answers. @param options more of its own */
    static Chromium start(Path program, String... options) {
        try {
            Path profile = Files.createTempDirectory("trawl-browser-");
            List<String> command = new ArrayList<>(
                    List.of(program.toString(), "--headless=new", "--remote-debugging-port=0",
                            "--user-data-dir=" + profile, "--no-first-run", "--no-default-browser-check",
                            "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
                            "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--lang=en"));
            command.addAll(List.of(options));
            if ("root".equals(System.getProperty("user.name"))) {
                // Chromium has no sandbox for root, as in containers.
                command.add("--no-sandbox");
            }
            command.add("about:blank");
            Process process = new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(profile.resolve("printed.log").toFile()).start();
            Chromium chromium = new Chromium(process, profile);
            Awaitility.await().until(() -> !process.isAlive() || chromium.listening());
            return chromium;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether its port is known: the file exists for a moment before it has its two lines. */
    private boolean listening() throws IOException {
        return Files.exists(port()) && Files.readAllLines(port()).size() > 1;
    }

    private Path port() {
        return profile.resolve("DevToolsActivePort");
    }

    /** Opens a page of its own, empty. */
    Tab open(int width, int height) {
        try {
            List<String> lines = Files.readAllLines(port());
            return new Tab(URI.create("ws://127.0.0.1:" + lines.getFirst() + lines.get(1)), width, height);
        } catch (IOException e) {
            throw new IllegalStateException("the browser did not start: " + printed(), e);
        }
    }

    private String printed() {
        try {
            return Files.readString(profile.resolve("printed.log"));
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
            delete();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Best effort: children of the browser may still be writing. */
    private void delete() {
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            profile.toFile().deleteOnExit();
        }
    }
}
