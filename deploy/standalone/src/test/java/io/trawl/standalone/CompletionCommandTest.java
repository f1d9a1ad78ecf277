package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

        assertThat(completions(bash, script, "trawl", "st")).contains("status", "start", "stop")
                .doesNotContain("warm-up");
        assertThat(completions(bash, script, "trawl", "errors", "--fo")).contains("--follow");
    }

    @Test
    void bashCompletesIdsOfCrawls() throws Exception {
        Path bash = Path.of("/bin/bash");
        assumeTrue(Files.isExecutable(bash), "needs bash");
        Path script = Files.writeString(folder.resolve("trawl.bash"), TrawlCommand.run("completion", "bash").out());
        Path trawl = Files.writeString(folder.resolve("trawl"),
                "#!/bin/sh\n[ \"$*\" = 'crawls --ids' ] && printf 'docs\\nblog\\n'\n");
        assertThat(trawl.toFile().setExecutable(true)).isTrue();

        assertThat(completions(bash, script, trawl.toString(), "status", "d")).isEqualTo("docs\n");
        assertThat(completions(bash, script, trawl.toString(), "errors", "--crawl", "''")).isEqualTo("docs\nblog\n");
        assertThat(completions(bash, script, trawl.toString(), "stop", "--fl")).contains("--fleet");
        assertThat(completions(bash, script, "/no/such/trawl", "status", "d")).as("no coordinator").isBlank();
    }

    @Test
    void onlyShellsThatUnderstandTheScriptAreAccepted() {
        assertThat(TrawlCommand.run("completion", "zsh").out()).isEqualTo(TrawlCommand.run("completion").out());
        assertThat(TrawlCommand.run("completion", "fish")).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).startsWith("trawl: SHELL: 'fish' is not valid: bash or zsh");
        });
    }

    /** The completions that bash offers for the last word. */
    private static String completions(Path bash, Path script, String... words)
            throws IOException, InterruptedException {
        String program = "source '" + script + "'; COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD="
                + (words.length - 1) + "; COMP_LINE='" + String.join(" ", words)
                + "'; COMP_POINT=${#COMP_LINE}; _complete_trawl_with_ids 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process process = new ProcessBuilder(bash.toString(), "--norc", "-c", program).redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
        return printed;
    }
}
