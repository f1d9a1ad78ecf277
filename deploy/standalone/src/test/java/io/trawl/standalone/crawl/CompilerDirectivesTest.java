package io.trawl.standalone.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.TestTimeouts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompilerDirectivesTest {
    private static final String LISTED = "org/jsoup/nodes/*.*";
    private static final String ALL = "*.*";
    @TempDir
    private Path folder;

    @Test
    void onlyTheListedClassesAreOptimised() throws Exception {
        List<String> directives = directives();
        assertThat(directives).filteredOn(directive -> directive.contains(LISTED)).singleElement().asString()
                .doesNotContain("Exclude:true");
        assertThat(directives).filteredOn(directive -> directive.contains("matching: " + ALL + "\n")).singleElement()
                .asString().contains("Exclude:true");
    }

    @Test
    void theListedClassesAreNotCompiledWhileACacheIsRecorded() throws Exception {
        List<String> directives = directives("-XX:TieredStopAtLevel=1",
                "-XX:AOTCacheOutput=" + folder.resolve("cache"));
        assertThat(directives).filteredOn(directive -> directive.contains(LISTED)).singleElement().asString()
                .contains("Exclude:true").doesNotContain("Exclude:false");
        assertThat(directives).noneMatch(directive -> directive.contains("matching: " + ALL + "\n"));
    }

    /** Of a JVM with these options, as it prints them; without its default, which matches what no other does. */
    private List<String> directives(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), DirectivesProcess.class.getName()));
        File output = folder.resolve("output").toFile();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
        assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
        // Its exit status says nothing: there is no cache of classes in folders.
        return Stream.of(Files.readString(output.toPath()).split("Directive:"))
                .filter(directive -> !directive.startsWith(" (default)")).toList();
    }
}
