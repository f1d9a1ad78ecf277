package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
            assertThatThrownBy(() -> DataFolder.open(path)).isInstanceOf(DataFolderInUse.class)
                    .hasMessageContaining(path.toString());
        }
        DataFolder.open(path).close();
    }

    @Test
    void saysWhyItCannotBeMade() throws IOException {
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertThatThrownBy(() -> DataFolder.open(file)).isInstanceOf(DataFolderNotWritable.class)
                .hasMessage("the data folder " + file + " cannot be written to (" + file + " is not a folder)");
        assertThatThrownBy(() -> DataFolder.open(file.resolve("below"))).isInstanceOf(DataFolderNotWritable.class);
    }

    @Test
    void isTheSameFolderThroughALink() throws IOException {
        Path real = Files.createDirectory(temp.resolve("real"));
        Path link = Files.createSymbolicLink(temp.resolve("link"), real);
        try (DataFolder first = DataFolder.open(link)) {
            assertThat(first.path()).isEqualTo(real.toRealPath());
            assertThatThrownBy(() -> DataFolder.open(real)).isInstanceOf(DataFolderInUse.class);
        }
    }
}
