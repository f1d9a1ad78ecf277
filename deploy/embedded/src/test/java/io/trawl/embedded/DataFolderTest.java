package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.embedded.EmbeddedServerException.DataFolderInUseException;
import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    private Path temp;

    @Test
    void belongsToOneRunAtATime() {
        Path path = temp.resolve("data");
        try (DataFolder first = DataFolder.open(path)) {
            assertThat(first.path()).isDirectory();
            assertThatThrownBy(() -> DataFolder.open(path)).isInstanceOf(DataFolderInUseException.class)
                    .hasMessageContaining(path.toString());
        }
        DataFolder.open(path).close();
    }

    @Test
    void reportsWhyItCannotBeCreated() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertThatThrownBy(() -> DataFolder.open(file)).isInstanceOf(DataFolderNotWritableException.class)
                .hasMessage("the data folder " + file + " cannot be written to (" + file + " is not a folder)");
        assertThatThrownBy(() -> DataFolder.open(file.resolve("below")))
                .isInstanceOf(DataFolderNotWritableException.class);
    }

    @Test
    void isReadableByItsOwnerOnly() throws IOException {
        Path old = Files.createDirectory(temp.resolve("old"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        DataFolder.open(old).close();
        DataFolder.open(temp.resolve("new").resolve("up")).close();
        for (Path folder : List.of(old, temp.resolve("new"), temp.resolve("new").resolve("up"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))).isEqualTo("rwx------");
        }
    }

    @Test
    void isTheSameFolderThroughALink() throws IOException {
        Path real = Files.createDirectory(temp.resolve("real"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), real);
        try (DataFolder first = DataFolder.open(link)) {
            assertThat(first.path()).isEqualTo(real.toRealPath());
            assertThatThrownBy(() -> DataFolder.open(real)).isInstanceOf(DataFolderInUseException.class);
        }
    }
}
