package io.trawl.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.standalone.client.ServerSentEvents.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventParserTest {
    private final EventParser parser = new EventParser();

    private List<Event> take(String lines) {
        List<Event> events = new ArrayList<>();
        for (String line : lines.split("\n", -1)) {
            parser.take(line).ifPresent(events::add);
        }
        return events;
    }

    @Test
    void anEventIsCompleteWithTheEmptyLineAfterIt() {
        assertThat(take("event: error\nid: 0:7\ndata: {\"a\":\ndata:1}\n\n"))
                .containsExactly(new Event("error", "0:7", "{\"a\":\n1}"));
        assertThat(take("data: unfinished")).isEmpty();
    }

    @Test
    void theIdHoldsUntilAnotherComes() {
        assertThat(take("id: 1\ndata: a\n\ndata: b\n\n")).extracting(Event::id).containsExactly("1", "1");
        assertThat(parser.lastId()).contains("1");
    }

    @Test
    void heartbeatsAreNotEvents() {
        assertThat(take(": still here\n\n:\n\n")).isEmpty();
    }

    @Test
    void anIncompleteEventOfABrokenConnectionIsDropped() {
        take("id: 1\ndata: a\n\nid: 2\ndata: half");
        parser.begin();
        assertThat(parser.lastId()).contains("1");
        assertThat(take("id: 2\ndata: whole\n\n")).containsExactly(new Event("message", "2", "whole"));
    }

    @Test
    void theServerSetsTheDelayBeforeAReconnect() {
        assertThat(parser.retry()).isEqualTo(Duration.ofSeconds(1));
        take("retry: 250\nretry: soon\n\n");
        assertThat(parser.retry()).isEqualTo(Duration.ofMillis(250));
    }
}
