package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents that name the test of each promise. */
class NamedTestsTest {
    private static final Pattern TEST = Pattern.compile("`([A-Z][a-z]\\w*(?:IT|Test|Contract))(?:\\.(\\w+))?`");

    @ParameterizedTest
    @ValueSource(strings = {"docs/evidence/requirements.md", "docs/evidence/protocol.md", "docs/protocol.md",
            "docs/troubleshooting.md", "CONTRIBUTING.md"})
    void everyTestThatADocumentNamesExists(String document) throws IOException {
        Map<String, Path> classes = Documents.texts().stream().filter(file -> file.toString().endsWith(".java"))
                .collect(Collectors.toMap(file -> file.getFileName().toString(), file -> file, (one, _) -> one));
        List<String> missing = new ArrayList<>();
        for (MatchResult named : TEST.matcher(Files.readString(Documents.ROOT.resolve(document))).results().toList()) {
            Path file = classes.get(named.group(1) + ".java");
            if (file == null
                    || named.group(2) != null && !Files.readString(file).contains(" " + named.group(2) + "(")) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
    }
}
