package io.trawl.standalone;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class TrawlTest {
    @Test
    void theHelpOfACommandIsTheSameWhetherOrNotTheOthersAreRead() {
        Map<String, CommandLine> all = Trawl.commandLine(Map.of()).getSubcommands();
        assertThat(all).hasSizeGreaterThan(30);
        all.forEach((name, command) -> assertThat(help(Trawl.commandLine(Map.of(), name), name)).as(name)
                .isEqualTo(command.getUsageMessage()));
    }

    private static String help(CommandLine trawl, String subcommand) {
        return requireNonNull(trawl.getSubcommands().get(subcommand)).getUsageMessage();
    }

    @Test
    void onlyTheCommandThatIsGivenIsRead() {
        assertThat(Trawl.commandLine(Map.of(), "crawl", "--quiet").getSubcommands()).containsOnlyKeys("crawl");
        assertThat(Trawl.commandLine(Map.of(), "completion").getSubcommands()).as("it prints all").containsKeys("crawl",
                "status");
        assertThat(Trawl.commandLine(Map.of(), "crwal").getSubcommands()).as("the error names those like it")
                .containsKeys("crawl");
    }
}
