package io.trawl.bench.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.bench.fleet.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The cases in docs/evidence/hostile-web.md are generated: {@code -Ddocs.write=true} writes them again. */
class HostileDocumentTest {
    private static final Path DOCUMENT = Checkout.root().resolve("docs/evidence/hostile-web.md");
    private static final String BEGIN = "<!-- The rest of this file is generated from HostileCorpus.java, see CONTRIBUTING.md. -->\n";

    @Test
    void theDocumentListsEveryCaseWithItsOutcome() throws IOException {
        String present = Files.readString(DOCUMENT);
        assertThat(present).containsOnlyOnce(BEGIN);
        String wanted = present.substring(0, present.indexOf(BEGIN)) + BEGIN + HostileCorpus.table();

        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(DOCUMENT, wanted);
        } else {
            assertThat(present).as("run this test with -Ddocs.write=true to write %s", DOCUMENT).isEqualTo(wanted);
        }
    }

    @Test
    void thereAreMoreThan120CasesOfEveryGroupAndTheirNamesAreUnique() {
        assertThat(HostileCorpus.cases()).hasSizeGreaterThan(120);
        assertThat(HostileCorpus.cases()).extracting(HostileCase::name).doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).matches("[a-z0-9.-]+"));
        assertThat(HostileCorpus.cases()).extracting(HostileCase::group).contains(HostileCase.CaseGroup.values());
        assertThat(HostileCorpus.cases()).allSatisfy(each -> assertThat(each.outcomes()).as(each.name()).isNotEmpty());
    }
}
