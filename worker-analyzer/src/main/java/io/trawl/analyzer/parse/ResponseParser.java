package io.trawl.analyzer.parse;

import io.trawl.model.Response;
import io.trawl.plugin.Plugins;

/**
 * Reads something out of a response. A parser of your own comes in a jar among the {@link Plugins} that names its class in
 * {@code META-INF/services/io.trawl.analyzer.parse.ResponseParser}; it has a public constructor without arguments. One instance serves all parsing threads, so it must be
 * thread-safe. Parsers run in the order of their names, the built-in {@code html} first; their results are merged.
 */
public interface ResponseParser {
    /** What requests call it by in their {@code parser} option: unique, not empty. */
    String name();

    /** Whether it has something to say about this response; must be quick and not read the body. */
    boolean handles(Response response);

    /**
     * Reads the page. Whatever it throws is reported as an error of this parser alone. It should end soon after its thread is interrupted: that is how
     * it is told that the time is up.
     *
     * @param page for this call only; its reader starts at the first byte
     */
    Parsed parse(Page page) throws Exception;
}
