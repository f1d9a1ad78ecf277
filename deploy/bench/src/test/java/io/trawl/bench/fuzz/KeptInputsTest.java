package io.trawl.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The inputs that fuzzing has found, and those that it begins with: a crash that was fixed stays fixed. */
class KeptInputsTest {
    @ParameterizedTest
    @EnumSource
    void everyKeptInputIsRead(FuzzTarget target) throws IOException {
        try (Stream<Path> files = Files.list(target.kept())) {
            List<Path> inputs = files.toList();
            assertThat(inputs).isNotEmpty();
            for (Path input : inputs) {
                byte[] bytes = Files.readAllBytes(input);
                assertThatCode(() -> target.read(bytes)).as(input.toString()).doesNotThrowAnyException();
            }
        }
    }
}
