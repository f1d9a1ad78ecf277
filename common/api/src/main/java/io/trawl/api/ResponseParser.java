package io.trawl.api;

/**
 * Reads fields, links and items out of pages. The jar of a parser names its class in
 * {@code META-INF/services/io.trawl.api.ResponseParser}; the class has a public constructor without arguments. One
 * instance serves all parsing threads, so it must be thread-safe. The built-in parser {@code html} runs first, the
 * others follow in the order of their names; their results are merged.
 */
public interface ResponseParser {
    /** {@return the name by which requests choose the parser in their {@code parser} option; unique, not empty} */
    String name();

    /**
     * Decides whether {@link #parse} is called for a page. Must be quick and should not read the body.
     *
     * @param page valid for this call only
     * @return whether this parser reads the page
     */
    boolean handles(Page page);

    /**
     * Reads the page. The analyzer interrupts the thread when the time-out of the page expires; the parser should
     * return soon after that.
     *
     * @param page valid for this call only
     * @return fields, links, items and errors
     * @throws Exception if the page cannot be read: the analyzer reports an error of this parser and keeps the results
     * of the others
     */
    Parsed parse(Page page) throws Exception;
}
