package io.trawl.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Packages of npm in a folder, for programs of others that read what Trawl writes.
 *
 * @param folder where they are installed
 */
public record NodePackages(Path folder) {
    /** Installs packages, each with its version. Skips the test where npm or its registry is not there. */
    public static NodePackages install(Path folder, String... packages) throws IOException, InterruptedException {
        NodePackages installed = new NodePackages(folder);
        List<String> install = List.of("npm", "install", "--no-audit", "--no-fund", "--prefix", folder.toString());
        int status;
        try {
            status = installed.status(Stream.concat(install.stream(), Stream.of(packages)).toList());
        } catch (IOException e) {
            status = -1;
        }
        assumeTrue(status == 0, "npm is not there, or cannot install " + String.join(", ", packages));
        return installed;
    }

    /** What a program in JavaScript prints, which must succeed. */
    public String node(String program, String... arguments) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("program.mjs"), program);
        List<String> command = new ArrayList<>(List.of("node", file.toString()));
        command.addAll(List.of(arguments));
        return printed(command);
    }

    /** What a command of the packages prints, which must succeed. */
    public String run(String name, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(folder.resolve("node_modules/.bin").resolve(name).toString()));
        command.addAll(List.of(arguments));
        return printed(command);
    }

    private String printed(List<String> command) throws IOException, InterruptedException {
        int status = status(command);
        String printed = Files.readString(output());
        assertThat(status).as(printed).isZero();
        return printed;
    }

    private Path output() {
        return folder.resolve("out");
    }

    private int status(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
                .redirectOutput(output().toFile()).redirectErrorStream(true);
        // Tests send no reports of their use.
        builder.environment().put("REDOCLY_TELEMETRY", "off");
        builder.environment().put("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        Process process = builder.start();
        boolean ended = process.waitFor(TestTimeouts.LIMIT);
        if (!ended) {
            process.destroyForcibly();
        }
        return ended ? process.exitValue() : -1;
    }
}
