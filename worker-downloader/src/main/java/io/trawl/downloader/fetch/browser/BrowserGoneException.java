package io.trawl.downloader.fetch.browser;

/** The browser, or the process of a page, has ended: another one may do better. */
final class BrowserGoneException extends Exception {
    private static final long serialVersionUID = 1;

    BrowserGoneException(String message) {
        super(message);
    }
}
