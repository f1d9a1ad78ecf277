package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
    @TempDir
    private Path folder;

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        Path bash = Path.of("/bin/bash");
        assumeTrue(Files.isExecutable(bash), "needs bash");
        Path script = Files.writeString(folder.resolve("trawl.bash"), TrawlCommand.run("completion").out());

        assertThat(completions(bash, script, "trawl", "st")).contains("status", "start", "stop").doesNotContain("warm-up");
        assertThat(completions(bash, script, "trawl", "errors", "--fo")).contains("--follow");
    }

    /** The completions that bash offers for the last word. */
    private static String completions(Path bash, Path script, String... words) throws IOException, InterruptedException {
        String program = "source '" + script + "'; COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD=" + (words.length - 1)
                + "; COMP_LINE='" + String.join(" ", words)
                + "'; COMP_POINT=${#COMP_LINE}; _complete_trawl; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process process = new ProcessBuilder(bash.toString(), "--norc", "-c", program).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return printed;
    }
}
