package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.ModuleKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisKeysTest {
    @Test
    void eachKeyOfANamespaceIsAmongThoseThatAreDeletedWithIt() {
        RedisKeys keys = RedisKeys.of("test.", "cluster", "responses");
        CrawlRun run = new CrawlRun(new CrawlId("docs"), 1);
        List<String> all = List.of(keys.logEnds(), keys.lost(), keys.ledger(run), keys.budgets(run), keys.permits(run),
                keys.marks(new LogPartition("requests", "id", 0)), keys.attempts("items"), keys.domains(run),
                keys.forgotten(), keys.robots(new HostKey("example.org:443"), "trawl"), keys.storeGeneration(),
                keys.epochs(), RedisKeys.modules("test."), RedisKeys.stopSignHistory("test."),
                RedisKeys.leases("test."), RedisKeys.serials("test.", ModuleKind.ANALYZER));
        List<String> prefixes = RedisKeys.patterns("test.").stream()
                .map(pattern -> pattern.substring(0, pattern.length() - 1)).toList();
        assertThat(all).allSatisfy(key -> assertThat(prefixes).anyMatch(key::startsWith));
    }
}
