package io.trawl.standalone.client;

/** A command that can check its options without doing anything else. */
public interface CheckedOptions {
    /** @throws RuntimeException naming all options that are not valid */
    void check();
}
