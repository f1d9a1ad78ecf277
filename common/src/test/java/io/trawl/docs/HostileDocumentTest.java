package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.hostile.HostileCase;
import io.trawl.testkit.hostile.HostileCorpus;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The cases in docs/evidence/hostile-web.md are generated: {@code -Ddocs.write=true} writes them again. */
class HostileDocumentTest {
    @Test
    void theDocumentListsEveryCaseWithItsOutcome() throws IOException {
        Documents.endsWithGenerated("docs/evidence/hostile-web.md", "HostileCorpus.java", HostileCorpus.table());
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
