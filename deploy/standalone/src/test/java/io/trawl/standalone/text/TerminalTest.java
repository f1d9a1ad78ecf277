package io.trawl.standalone.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.text.Screen;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    void coloursAreForTerminalsThatHaveThemAndUsersWhoWantThem() {
        assertThat(Terminal.screen(true, 120, Map.of("TERM", "xterm"))).isEqualTo(new Screen(120, true));
        assertThat(Terminal.screen(true, 120, Map.of("NO_COLOR", "1"))).isEqualTo(new Screen(120, false));
        assertThat(Terminal.screen(true, 120, Map.of("NO_COLOR", ""))).isEqualTo(new Screen(120, true));
        assertThat(Terminal.screen(true, 120, Map.of("TERM", "dumb"))).isEqualTo(new Screen(120, false));
        assertThat(Terminal.screen(false, 120, Map.of())).isEqualTo(Screen.FILE);
    }

    @Test
    void aCommandIsQuotedAsAShellNeedsIt() {
        assertThat(new Terminal(true, 80, "./trawl").typed(List.of("crawl", "http://a.example/?x=1&y", "it's")))
                .isEqualTo("./trawl crawl 'http://a.example/?x=1&y' 'it'\\''s'");
    }
}
