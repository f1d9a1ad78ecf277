package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks all Markdown files: links resolve, lines fit, and nothing refers to files outside the repository. */
class MarkdownTest {
    private static final int WIDTH = 120;
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^\\s*```.*?^\\s*```\\s*?$");
    private static final Pattern ABSENT = Pattern
            .compile("\\b(?:DESIGN|PROTOCOL|MISSION|STYLE|FACTS|PEERS)(?:\\.md|,? [Ss]ection)");

    @Test
    void relativeLinksAndTheirAnchorsResolve() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : Documents.markdown()) {
            String prose = CODE_BLOCK.matcher(Files.readString(document)).replaceAll("").replaceAll("`[^`\n]*`",
                    "code");
            for (String link : LINK.matcher(prose).results().map(MarkdownTest::target).toList()) {
                if (!link.matches("[a-z]+:.*") && !resolves(document, link)) {
                    broken.add(Documents.ROOT.relativize(document) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void linesOfProseAreAtMost120CharactersLong() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path document : Documents.markdown()) {
            String prose = CODE_BLOCK.matcher(Files.readString(document))
                    .replaceAll(block -> "\n".repeat((int) block.group().lines().count() - 1));
            List<String> lines = prose.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).length() > WIDTH && !lines.get(i).matches("\\s*(?:\\||<|!\\[).*")) {
                    tooLong.add(Documents.ROOT.relativize(document) + ":" + (i + 1));
                }
            }
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void theReadmeIsShort() throws IOException {
        Path readme = Documents.ROOT.resolve("README.md");
        assertThat(Files.readAllLines(readme)).hasSizeLessThanOrEqualTo(150);
        assertThat(Files.size(readme)).isLessThanOrEqualTo(10_000);
    }

    @Test
    void sourcesAndDocumentsReferOnlyToFilesInTheRepository() throws IOException {
        List<String> references = new ArrayList<>();
        for (Path file : Documents.texts()) {
            if (!file.endsWith("MarkdownTest.java")) {
                ABSENT.matcher(Files.readString(file)).results()
                        .forEach(found -> references.add(Documents.ROOT.relativize(file) + ": " + found.group()));
            }
        }
        assertThat(references).isEmpty();
    }

    private static String target(MatchResult link) {
        return link.group(1) != null ? link.group(1) : link.group(2);
    }

    private static boolean resolves(Path document, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
        return Files.exists(file) && (parts.length == 1 || anchors(Files.readString(file)).contains(parts[1]));
    }

    /** The anchors that GitHub derives from the headings of a text. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new TreeSet<>();
        Map<String, Integer> seen = new HashMap<>();
        HEADING.matcher(CODE_BLOCK.matcher(text).replaceAll("")).results().forEach(heading -> {
            String plain = heading.group(1).replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT);
            String anchor = plain.replaceAll("[^\\p{L}\\p{N} _-]", "").strip().replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        });
        return anchors;
    }
}
