package io.trawl.downloader.fetch.browser;

import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchFailedException;
import io.trawl.api.FetchTask;
import io.trawl.api.PageFetcher;
import io.trawl.downloader.fetch.browser.BrowserPage.RenderedPage;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * The fetcher {@code browser}: HTML as its scripts leave it, and everything else as the server sends it. One browser
 * serves all pages, each with a profile of its own; it is started by the first page, and again when it has crashed.
 * Thread-safe.
 */
public final class BrowserFetcher implements PageFetcher {
    private static final String NAME = "browser";
    /** A page that crashes one browser gets another one, but not a third. */
    private static final int TRIES = 2;
    /** The rendered page in JSON, escaped, per byte of the limit of a body; and what a message has besides. */
    private static final int ESCAPED = 3;
    private static final int BESIDES = 1 << 20;
    private final Path program;
    private final List<String> arguments;
    private final int pages;
    private final Time time;
    private Optional<BrowserProcess> browser = Optional.empty();
    private boolean closed;

    /**
     * @param program the browser
     * @param arguments further ones
     * @param pages how many it renders at a time
     */
    public BrowserFetcher(Path program, List<String> arguments, int pages, Time time) {
        this.program = program;
        this.arguments = List.copyOf(arguments);
        this.pages = pages;
        this.time = time;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int concurrency() {
        return pages;
    }

    @Override
    public FetchAnswer fetch(FetchTask task) throws IOException, TimeoutException, InterruptedException {
        FetchAnswer document = task.get(task.url());
        return document.isSuccess() && isHtml(document) ? rendered(task, document) : document;
    }

    private static boolean isHtml(FetchAnswer document) {
        String type = document.headers().getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        return type.startsWith("text/html") || type.startsWith("application/xhtml+xml");
    }

    private FetchAnswer rendered(FetchTask task, FetchAnswer document)
            throws IOException, TimeoutException, InterruptedException {
        for (int tries = 1;; tries++) {
            BrowserProcess process = running(task.bodyLimit());
            try (BrowserPage page = BrowserPage.open(process, task, time)) {
                return html(document, page.render(document));
            } catch (BrowserGoneException e) {
                if (tries == TRIES) {
                    throw new FetchFailedException("the page ends the browser: " + e.getMessage());
                }
            }
        }
    }

    /** The page in UTF-8. Parsers see a page that was sent so. */
    private static FetchAnswer html(FetchAnswer document, RenderedPage page) {
        Map<String, String> headers = new HashMap<>(document.headers());
        headers.keySet().removeAll(List.of("content-length", "content-encoding", "transfer-encoding"));
        headers.put("content-type", "text/html; charset=utf-8");
        return new FetchAnswer(document.status(), headers, page.html().getBytes(StandardCharsets.UTF_8),
                document.truncated(), Optional.of(page.rendering()));
    }

    private synchronized BrowserProcess running(int bodyLimit) throws FetchFailedException, InterruptedException {
        if (closed) {
            throw new FetchFailedException("the downloader is closing");
        }
        if (browser.filter(BrowserProcess::isAlive).isEmpty()) {
            browser.ifPresent(BrowserProcess::close);
            browser = Optional.empty();
            BrowserProcess started = BrowserProcess.start(program, arguments,
                    (int) Math.min(Integer.MAX_VALUE / 2, ESCAPED * (long) bodyLimit + BESIDES));
            browser = Optional.of(started);
            return started;
        }
        return browser.orElseThrow();
    }

    /** Ends the browser. */
    @Override
    public synchronized void close() {
        closed = true;
        browser.ifPresent(BrowserProcess::close);
    }
}
