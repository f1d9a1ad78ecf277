package io.trawl.standalone.client;

/**
 * A server-sent event.
 *
 * @param type its name, {@code message} if it has none
 * @param id the last id that the stream has given; empty if none was
 * @param data its lines, joined
 */
public record Event(String type, String id, String data) {}
