package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./trawl}, with a program in the place of Java. */
class LauncherTest {
    @TempDir
    Path temp;

    @Test
    void aServiceWithoutHomeStarts() throws Exception {
        Path script = Files.copy(Repository.file("trawl"), temp.resolve("trawl"));
        Path target = temp.resolve("deploy/standalone/target");
        Files.createDirectories(target.resolve("lib"));
        Files.createFile(target.resolve("trawl-standalone-1.jar"));
        Path java = Files.createDirectories(temp.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(temp.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
        ProcessBuilder start = new ProcessBuilder("/bin/sh", script.toString(), "status", "docs")
                .redirectErrorStream(true);
        start.environment().clear();
        start.environment().putAll(Map.of("PATH", "/usr/bin:/bin", "JAVA_HOME", temp.resolve("jdk").toString()));
        Process process = start.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(".jar status docs");
        assertThat(process.waitFor()).isZero();
    }
}
