package io.trawl.coordinator.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.TestJvm;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small JSON that is large in memory, read in a process with a heap of 80 MiB. */
class DenseBodiesTest {
    private static String run(String what) throws IOException, InterruptedException {
        Process process = TestJvm.of(DenseBodies.class, List.of("-Xmx80m"), List.of(what)).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    @Test
    void manyEmptySeedsInADefinitionAreTooMuchOrAHundredFaults() throws Exception {
        assertThat(run("definition 200000")).contains("100 faults", "... and 199900 more");
        assertThat(run("definition 340000")).contains("too much JSON");
    }

    @Test
    void manyUnknownFieldsAreAHundredFaults() throws Exception {
        assertThat(run("unknown 60000")).contains("100 faults", "... and 59900 more");
    }

    @Test
    void aLongNameIsComparedWithNoField() throws Exception {
        assertThat(run("long 40000")).contains("1 faults");
        assertThat(run("long 1000000")).contains("too much JSON");
    }

    @Test
    void deepNestingIsRefused() throws Exception {
        assertThat(run("deep 500000")).contains("too much JSON");
    }

    @Test
    void yamlHasTheLevelsAndValuesOfJson() throws Exception {
        assertThat(run("yaml-many 500000")).contains("too much YAML", "500000 values");
        assertThat(run("yaml-seeds 200000")).contains("100 faults", "... and 199900 more");
    }

    @Test
    void aListOfMillionsOfSeedsIsRefused() throws Exception {
        for (String kind : List.of("list 8000000", "nulls 5000000")) {
            assertThat(run(kind)).contains("too much JSON");
        }
    }
}
