package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A program for Node.js with one package of npm, to read files with a library in another language.
 *
 * @param folder where the package is installed
 * @param library with its version
 */
public record NodeProgram(Path folder, String library, String text) {
    /** What it prints. Skips the test where Node.js or its registry is not there. */
    public String run(Path file) throws IOException, InterruptedException {
        run("npm", "install", "--no-audit", "--no-fund", "--prefix", folder.toString(), library);
        Files.writeString(folder.resolve("read.mjs"), text);
        return run("node", folder.resolve("read.mjs").toString(), file.toString());
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path out = folder.resolve(command[0] + ".out");
        int status = -1;
        try {
            Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectOutput(out.toFile())
                    .redirectErrorStream(true).start();
            status = process.waitFor(TestTimeouts.LIMIT) ? process.exitValue() : -1;
        } catch (IOException e) {
            assumeTrue(false, command[0] + " is not there: " + e.getMessage());
        }
        assumeTrue(command[0].equals("node") || status == 0, "npm cannot install " + library);
        assertThat(status).as(Files.readString(out)).isZero();
        return Files.readString(out);
    }
}
