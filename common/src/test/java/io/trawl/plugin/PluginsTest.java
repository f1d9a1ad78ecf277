package io.trawl.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Counts;
import io.trawl.api.ScoreCalculator;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds jars as users do: compiled against Trawl's API and put into a folder. */
class PluginsTest {
    private static final String SERVICE = "META-INF/services/" + ScoreCalculator.class.getName();
    private static final Counts IDLE = new Counts(0, 0, 0, 0, 0, 0);
    @TempDir
    private Path folder;

    @Test
    void aClassInAJarOfTheFolderIsFoundWithTheLibraryThatItNeeds() throws Exception {
        Path classes = compiled(Map.of("Steady",
                "public class Steady implements io.trawl.api.ScoreCalculator {"
                        + " public long score(io.trawl.api.Counts counts) { return Wisdom.ANSWER.length(); } }",
                "Wisdom", "class Wisdom { static final String ANSWER = \"12345\".trim(); }"));
        jar("steady.jar", Map.of(SERVICE, "Steady".getBytes(StandardCharsets.UTF_8), "Steady.class",
                Files.readAllBytes(classes.resolve("Steady.class"))));
        jar("wisdom.jar", Map.of("Wisdom.class", Files.readAllBytes(classes.resolve("Wisdom.class"))));

        try (Plugins plugins = Plugins.in(Optional.of(folder))) {
            assertThat(plugins.of(ScoreCalculator.class)).singleElement().extracting(steady -> steady.score(IDLE))
                    .isEqualTo(5L);
        }
    }

    @Test
    void withoutAFolderOrWithAnEmptyOneOnlyTrawlsClassesAreFound() {
        try (Plugins none = Plugins.in(Optional.empty()); Plugins empty = Plugins.in(Optional.of(folder))) {
            assertThat(none.of(ScoreCalculator.class)).isEmpty();
            assertThat(empty.of(ScoreCalculator.class)).isEmpty();
        }
    }

    @Test
    void theDigestIsThatOfTheContentOfTheJars() throws Exception {
        jar("a.jar", Map.of("A.class", new byte[]{1}));
        Optional<String> first = digest();
        Files.move(folder.resolve("a.jar"), folder.resolve("renamed.jar"));
        assertThat(first).isPresent().isEqualTo(digest());
        jar("renamed.jar", Map.of("A.class", new byte[]{2}));
        assertThat(digest()).isNotEqualTo(first);
        Optional<String> second = digest();
        jar("z.jar", Map.of("Z.class", new byte[]{1}));
        assertThat(digest()).isNotEqualTo(second);
        Files.delete(folder.resolve("renamed.jar"));
        Files.delete(folder.resolve("z.jar"));
        assertThat(digest()).isEmpty();
    }

    private Optional<String> digest() {
        try (Plugins plugins = Plugins.in(Optional.of(folder))) {
            return plugins.digest();
        }
    }

    @Test
    void everyFileThatIsNoJarIsNamed() throws IOException {
        Path notes = Files.writeString(folder.resolve("notes.txt"), "no jar");
        Path broken = Files.writeString(folder.resolve("broken.jar"), "no jar");
        Files.writeString(folder.resolve(".hidden"), "");
        Files.createDirectory(folder.resolve("lost+found"));
        assertThat(Plugins.faults(folder)).extracting(Fault::value).containsExactly(broken.toString(),
                notes.toString());
        assertThatThrownBy(() -> Plugins.in(Optional.of(folder))).isInstanceOf(InvalidValueException.class)
                .hasMessage("TRAWL_PLUGINS: '" + broken + "' is not valid: a folder with jars only");
    }

    @Test
    void aMissingFolderIsReportedWithItsSetting() {
        assertThatThrownBy(() -> Plugins.in(Optional.of(folder.resolve("away"))))
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("TRAWL_PLUGINS")
                .hasMessageContaining("away");
    }

    @Test
    void aClassThatCannotBeInstantiatedIsReported() throws IOException {
        jar("broken.jar", Map.of(SERVICE, "com.example.Missing".getBytes(StandardCharsets.UTF_8)));

        try (Plugins plugins = Plugins.in(Optional.of(folder))) {
            assertThatThrownBy(() -> plugins.of(ScoreCalculator.class)).isInstanceOf(InvalidValueException.class)
                    .hasMessageContaining("com.example.Missing");
        }
    }

    private Path compiled(Map<String, String> sources) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Files.writeString(classes.resolve(source.getKey() + ".java"), source.getValue());
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = ToolProvider.getSystemJavaCompiler().run(null, said, said, "-cp",
                System.getProperty("java.class.path"), "-d", classes.toString(),
                classes.resolve("Steady.java").toString(), classes.resolve("Wisdom.java").toString());
        assertThat(status).as(said.toString(StandardCharsets.UTF_8)).isZero();
        return classes;
    }

    private void jar(String name, Map<String, byte[]> entries) throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(folder.resolve(name)))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new ZipEntry(entry.getKey()));
                jar.write(entry.getValue());
                jar.closeEntry();
            }
        }
    }
}
