package io.trawl.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class JavaVersionTest {
    @Test
    void plugInsCanBeCompiledWithJava21() throws IOException {
        try (DataInputStream in = new DataInputStream(Page.class.getResourceAsStream("Page.class"))) {
            in.skipNBytes(6);
            assertThat(in.readUnsignedShort()).as("version of the class file").isEqualTo(65);
        }
    }
}
