package io.trawl.downloader.fetch.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchFailedException;
import io.trawl.api.FetchTask;
import io.trawl.api.render.PageNotReadyException;
import io.trawl.api.render.Rendering;
import io.trawl.api.render.SubrequestRefusal;
import io.trawl.downloader.fetch.browser.PageReader.PageContent;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One page in a {@link PageSession} of its own. Every request of the page stops at this class: frames, scripts, and
 * what scripts get by {@code fetch} and {@code XMLHttpRequest}, come through the task, one after the other; everything
 * else is refused, and named. What the protocol cannot stop, such as WebSockets, finds no network. Used by one thread.
 */
final class BrowserPage implements AutoCloseable {
    /** A page is complete when it is loaded and has got nothing for so long. */
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Set<String> SERVED = Set.of("Document", "Script", "XHR", "Fetch");
    /** What no part of the page asks for, such as the icon of its site. */
    private static final String OF_THE_BROWSER = "Other";
    /** Empty: the browser has ended. */
    private static final Set<String> WANTED = Set.of("Page.loadEventFired", "Page.frameStoppedLoading",
            "Page.javascriptDialogOpening", "Inspector.targetCrashed", "");
    private static final int MOST_REDIRECTS = 5;
    private static final int MOST_EVENTS = 256;
    private static final int LONGEST_URL = 8192;
    private final PageSession session;
    private final FetchTask task;
    private final Time time;
    private final long began;
    private final RefusalList refused = new RefusalList();
    /** What has been served; a page that asks for the same again gets no nearer to its end by that. */
    private final Set<String> served = new HashSet<>();
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>(MOST_EVENTS);
    private boolean documentGiven;
    private boolean loaded;
    private boolean cut;
    private volatile boolean over;
    private long progress;

    /**
     * A page as its scripts have left it.
     *
     * @param rendering how it was rendered
     */
    record RenderedPage(String html, Rendering rendering) {}

    private BrowserPage(BrowserProcess process, FetchTask task, Time time) {
        this.session = new PageSession(process);
        this.task = task;
        this.time = time;
        this.began = time.nanos();
    }

    /** Opens an empty page. */
    static BrowserPage open(BrowserProcess process, FetchTask task, Time time)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        BrowserPage page = new BrowserPage(process, task, time);
        try {
            page.session.open(task.headers().getOrDefault("User-Agent", ""), page::received);
            return page;
        } catch (BrowserGoneException | IOException | TimeoutException | InterruptedException e) {
            page.close();
            throw e;
        }
    }

    /**
     * The page when it is complete, or at the latest when four fifths of the task's time are over.
     *
     * @throws PageNotReadyException if it has no text then, or its scripts do not let it be read
     */
    RenderedPage render(FetchAnswer document)
            throws BrowserGoneException, IOException, PageNotReadyException, InterruptedException {
        long end = time.nanos() + task.remaining().toNanos() / 5 * 4;
        session.tell("Page.navigate", Map.of("url", task.url()));
        progress = time.nanos();
        for (long left = left(end); left > 0; left = left(end)) {
            JsonNode event = events.poll(left, TimeUnit.NANOSECONDS);
            if (event != null) {
                handle(event, document, end);
            }
        }
        boolean partial = cut || !loaded || progress + QUIET.toNanos() > time.nanos();
        over = true;
        events.forEach(this::tooLate);
        try {
            PageContent content = PageReader.read(session::call, session.target());
            if (partial && !content.text()) {
                Rendering soFar = rendering(true);
                throw new PageNotReadyException(
                        "the page had no text when its time was over; " + soFar.requests()
                                + " requests were sent for it, " + soFar.refusals() + " that it made were refused",
                        soFar);
            }
            return new RenderedPage(content.html(), rendering(partial));
        } catch (PageNotReadyException e) {
            throw e;
        } catch (TimeoutException e) {
            throw new PageNotReadyException(String.valueOf(e.getMessage()), rendering(true));
        }
    }

    private Rendering rendering(boolean partial) {
        return new Rendering(TimeUnit.NANOSECONDS.toMillis(time.nanos() - began), task.requests(), refused.named(),
                refused.counts(), partial);
    }

    private long left(long end) {
        long now = time.nanos();
        return loaded ? Math.min(end - now, progress + QUIET.toNanos() - now) : end - now;
    }

    /** Runs on the thread of the pipe. A page that asks faster than it is served is refused. */
    private void received(JsonNode event) {
        if (!event.path("method").asText().equals("Fetch.requestPaused")) {
            if (WANTED.contains(event.path("method").asText())) {
                events.offer(event);
            }
            return;
        }
        JsonNode paused = event.path("params");
        if (over || paused.path("resourceType").asText().equals(OF_THE_BROWSER)) {
            session.abort(paused);
        } else {
            refusal(paused).or(() -> events.offer(event) ? Optional.empty() : Optional.of(SubrequestRefusal.LIMIT))
                    .ifPresent(why -> refuse(paused, why));
        }
    }

    private Optional<SubrequestRefusal> refusal(JsonNode paused) {
        String type = paused.path("resourceType").asText();
        JsonNode request = paused.path("request");
        if (!SERVED.contains(type)) {
            return Optional.of(SubrequestRefusal.TYPE);
        }
        if (!request.path("method").asText().equals("GET")) {
            return Optional.of(SubrequestRefusal.METHOD);
        }
        return request.path("url").asText().length() > LONGEST_URL
                ? Optional.of(SubrequestRefusal.LIMIT)
                : Optional.empty();
    }

    private void tooLate(JsonNode event) {
        if (event.path("method").asText().equals("Fetch.requestPaused")) {
            refuse(event.path("params"), SubrequestRefusal.TIME);
        }
    }

    private void handle(JsonNode event, FetchAnswer document, long end)
            throws BrowserGoneException, InterruptedException {
        JsonNode parameters = event.path("params");
        switch (event.path("method").asText()) {
            case "Fetch.requestPaused" -> paused(parameters, document, end);
            case "Page.loadEventFired" -> loaded();
            case "Page.frameStoppedLoading" -> {
                // A page whose scripts have tried to leave it has no load event.
                if (parameters.path("frameId").asText().equals(session.target())) {
                    loaded();
                }
            }
            case "Page.javascriptDialogOpening" -> session.tell("Page.handleJavaScriptDialog", Map.of("accept", false));
            case "Inspector.targetCrashed" -> throw new BrowserGoneException("the process of the page has crashed");
            case "" -> throw new BrowserGoneException("the browser has ended");
            default -> {
                // of no interest
            }
        }
    }

    private void loaded() {
        loaded = documentGiven;
        progress = time.nanos();
    }

    private void paused(JsonNode paused, FetchAnswer document, long end) throws InterruptedException {
        boolean navigation = paused.path("resourceType").asText().equals("Document")
                && paused.path("frameId").asText().equals(session.target());
        if (!navigation) {
            serve(paused, end);
        } else if (documentGiven) {
            refuse(paused, SubrequestRefusal.NAVIGATION);
        } else {
            documentGiven = true;
            session.fulfil(paused.path("requestId").asText(), document);
        }
    }

    private void serve(JsonNode paused, long end) throws InterruptedException {
        String url = url(paused);
        int before = task.requests();
        try {
            session.fulfil(paused.path("requestId").asText(), followed(url, end));
        } catch (FetchFailedException e) {
            refuse(paused, e.reason());
        } catch (TimeoutException e) {
            cut = true;
            refuse(paused, SubrequestRefusal.TIME);
        }
        if (task.requests() > before || served.add(url)) {
            progress = time.nanos();
        }
    }

    /** The answer to a request, whose waiting ends with the time of the page. */
    private FetchAnswer followed(String url, long end)
            throws FetchFailedException, TimeoutException, InterruptedException {
        FutureTask<FetchAnswer> answer = new FutureTask<>(() -> followed(url));
        Thread asking = Thread.ofVirtual().name("browser-request").start(answer);
        try {
            return answer.get(end - time.nanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof FetchFailedException failed) {
                throw failed;
            }
            throw new FetchFailedException(String.valueOf(e.getCause()));
        } finally {
            asking.interrupt();
            asking.join();
        }
    }

    private FetchAnswer followed(String url) throws FetchFailedException, InterruptedException {
        FetchAnswer answer = task.get(url);
        String at = url;
        for (int i = 0; i < MOST_REDIRECTS && answer.status() / 100 == 3
                && answer.headers().containsKey("location"); i++) {
            at = URI.create(at).resolve(Optional.ofNullable(answer.headers().get("location")).orElse("")).toString();
            answer = task.get(at);
        }
        return answer;
    }

    private static String url(JsonNode paused) {
        return paused.path("request").path("url").asText();
    }

    private void refuse(JsonNode paused, SubrequestRefusal why) {
        refused.add(url(paused), why);
        session.abort(paused);
    }

    @Override
    public void close() {
        session.close();
    }
}
