package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.TestJvm;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small JSON that is large in memory, read in a process with a heap of 80 MiB; its answers are lines. */
class DenseBodiesTest {
    private static List<String> run(String... bodies) throws IOException, InterruptedException {
        Process process = TestJvm.of(DenseBodies.class, List.of("-Xmx80m"), List.of(bodies)).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed.lines().filter(line -> line.startsWith("read ")).toList();
    }

    @Test
    void manyEmptySeedsInADefinitionAreTooMuchOrAHundredFaults() throws Exception {
        assertThat(run("definition 200000", "definition 340000")).satisfiesExactly(
                faults -> assertThat(faults).contains("100 faults", "... and 199900 more"),
                tooMuch -> assertThat(tooMuch).contains("too much JSON"));
    }

    @Test
    void manyUnknownFieldsAreAHundredFaults() throws Exception {
        assertThat(run("unknown 60000")).singleElement().asString().contains("100 faults", "... and 59900 more");
    }

    @Test
    void aLongNameIsComparedWithNoField() throws Exception {
        assertThat(run("long 40000", "long 1000000")).satisfiesExactly(fault -> assertThat(fault).contains("1 faults"),
                tooMuch -> assertThat(tooMuch).contains("too much JSON"));
    }

    @Test
    void yamlHasTheLevelsAndValuesOfJson() throws Exception {
        assertThat(run("yaml-many 500000", "yaml-seeds 200000")).satisfiesExactly(
                tooMuch -> assertThat(tooMuch).contains("too much YAML", "500000 values"),
                faults -> assertThat(faults).contains("100 faults", "... and 199900 more"));
    }

    @Test
    void deepNestingIsRefused() throws Exception {
        assertThat(run("deep 500000")).singleElement().asString().contains("too much JSON");
    }

    @Test
    void aListOfMillionsOfSeedsIsRefused() throws Exception {
        for (String body : List.of("list 8000000", "nulls 5000000")) {
            assertThat(run(body)).singleElement().asString().contains("too much JSON");
        }
    }
}
