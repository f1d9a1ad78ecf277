package io.trawl.standalone;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.standalone.TrawlCommand.Said;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            up --data /proc/none                 | 0 |
            crawl http://h.example/ --data /proc/none | 0 |
            up --mistyped                        | 2 | Unknown option: '--mistyped'
            up --port 70000 --allow-network 10   | 2 | --port: '70000' is not valid
            crawl http://h.example/ --depth x    | 2 | --depth: 'x' is not valid
            crawl --file missing.yaml            | 2 | missing.yaml
            crawl --file /dev/null --depth -1    | 0 |
            crawl --file=/dev/null               | 0 |
            crawl --file=/dev/null --depth x     | 2 | --depth: 'x' is not valid
            replay                               | 2 | --from
            """)
    void aCommandThatIsCheckedTellsItsMistakesAndDoesNothing(String command, int code, @Nullable String said) {
        System.setProperty(Trawl.CHECK, "true");
        try {
            Said checked = TrawlCommand.run(command.split(" "));
            assertThat(checked.code()).isEqualTo(code);
            assertThat(checked.out()).isEmpty();
            assertThat(checked.err()).contains(said == null ? "" : said);
        } finally {
            System.clearProperty(Trawl.CHECK);
        }
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
