package io.trawl.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The container engine of this machine, through its command line. Tests check whether it exists and has the images
 * before they start anything: no test waits for a download that never comes. {@code -Dtrawl.containers=required} makes
 * an absence a failure.
 */
public final class ContainerEngine {
    private static final String MODE = "trawl.containers";
    private static final long LONGEST_MINUTES = 5;

    private ContainerEngine() {}

    /** The output of a command, both streams, and its exit status. */
    public record Printed(int status, String text) {
        /** The output, if the exit status is 0. */
        public String good() {
            if (status != 0) {
                throw new IllegalStateException("exit status " + status + ": " + text);
            }
            return text.strip();
        }
    }

    /** Why containers of these images cannot be started here; empty if they can. Takes at most one second. */
    public static Optional<String> obstacle(String... images) {
        try {
            if (docker("version", "--format", "{{.Server.Version}}").status() != 0) {
                return Optional.of("no container engine answers");
            }
        } catch (IllegalStateException e) {
            return Optional.of("there is no docker client");
        }
        List<String> missing = new ArrayList<>();
        for (String image : images) {
            if (docker("image", "inspect", image).status() != 0) {
                missing.add(image);
            }
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("images are missing: " + String.join(", ", missing)
                        + "; docker pull them, or run deploy/images/airgap/build.sh");
    }

    /**
     * Skips the test, with the reason, if containers of these images cannot be started here; fails it if they are
     * required.
     */
    public static void demand(String... images) {
        obstacle(images).ifPresent(ContainerEngine::without);
    }

    /** Skips the test for this reason; fails it if containers are required. */
    public static void without(String reason) {
        if ("required".equals(System.getProperty(MODE))) {
            Assertions.fail("containers are required, but " + reason);
        }
        System.out.println("without containers: " + reason);
        Assumptions.abort(reason);
    }

    /** Runs the engine's client. */
    public static Printed docker(String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return run(command, Map.of(), "");
    }

    /** Runs a program to its end, for at most five minutes, with additional environment variables and this input. */
    public static Printed run(List<String> command, Map<String, String> environment, String input) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException("did not end within " + LONGEST_MINUTES + " min: " + command);
            }
            return new Printed(process.exitValue(), text.join());
        } catch (IOException e) {
            throw new IllegalStateException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String text(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(" + e.getMessage() + ")";
        }
    }
}
