package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDiskTest {
    private static final Path FULL = Path.of("/dev/full");
    @TempDir
    private Path temp;

    @Test
    void aDiskWithRoomIsNoTroubleAndKeepsNothing() throws IOException {
        assertThat(new DataDisk(temp).trouble()).isEmpty();
        assertThat(temp).isEmptyDirectory();
    }

    @Test
    void aFullDiskIsNamedWithItsRoomAndWhatToDo() throws IOException {
        assumeThat(FULL).exists();
        Files.createSymbolicLink(temp.resolve("probe"), FULL);
        assertThat(new DataDisk(temp).trouble()).hasValueSatisfying(
                line -> assertThat(line).startsWith("nothing can be written to " + temp + " (No space left on device, ")
                        .contains(" MB are free)", "make room", "the same command resumes").doesNotContain("\n"));
    }

    @Test
    void aFolderThatIsGoneIsNamed() {
        assertThat(new DataDisk(temp.resolve("gone")).trouble())
                .hasValueSatisfying(line -> assertThat(line).contains(temp + "/gone (it cannot be created there"));
    }
}
