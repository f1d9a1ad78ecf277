package io.trawl.standalone.client;

import io.trawl.standalone.client.ServerSentEvents.Event;
import java.time.Duration;
import java.util.Optional;

/** Parses the lines of a stream of server-sent events (WHATWG HTML, section 9.2.6). Not thread-safe. */
final class EventParser {
    private static final String USUAL = "message";
    private final StringBuilder data = new StringBuilder();
    private String type = USUAL;
    private String pendingId = "";
    private String id = "";
    private Duration retry = Duration.ofSeconds(1);

    /** Resets the parser for a new connection, which repeats an incomplete event. */
    void begin() {
        data.setLength(0);
        type = USUAL;
        pendingId = id;
    }

    /** Parses a line; an empty line completes an event. */
    Optional<Event> take(String line) {
        if (line.isEmpty()) {
            return dispatched();
        }
        int colon = line.indexOf(':');
        String field = colon < 0 ? line : line.substring(0, colon);
        String value = colon < 0 ? "" : line.substring(colon + 1);
        field(field, value.startsWith(" ") ? value.substring(1) : value);
        return Optional.empty();
    }

    private void field(String field, String value) {
        switch (field) {
            case "data" -> data.append(value).append('\n');
            case "event" -> type = value;
            case "id" -> pendingId = value.indexOf('\0') < 0 ? value : pendingId;
            case "retry" -> retry = value.matches("[0-9]{1,6}") ? Duration.ofMillis(Long.parseLong(value)) : retry;
            default -> {
                // A comment, such as a heartbeat, or a field of a later version.
            }
        }
    }

    private Optional<Event> dispatched() {
        id = pendingId;
        String text = data.isEmpty() ? "" : data.substring(0, data.length() - 1);
        Optional<Event> event = data.isEmpty()
                ? Optional.empty()
                : Optional.of(new Event(type.isEmpty() ? USUAL : type, id, text));
        data.setLength(0);
        type = USUAL;
        return event;
    }

    /** The id of the last complete event, if it has one. */
    Optional<String> lastId() {
        return Optional.of(id).filter(last -> !last.isEmpty());
    }

    /** The time to wait before reconnecting. */
    Duration retry() {
        return retry;
    }
}
