package io.trawl.standalone.local;

import io.trawl.admission.Candidate;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.probe.Preview.PreviewAnswer;
import io.trawl.coordinator.text.PreviewText;
import io.trawl.coordinator.text.Screen;
import io.trawl.coordinator.text.TerminalText;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Response;
import io.trawl.settings.Settings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * The commands of the shell on one page after the other. What is printed comes from the web and is untrusted. Used by
 * one thread.
 */
final class ShellSession {
    /** The commands, with what they take and do. */
    static final List<String> HELP = List.of("css SELECTOR     the texts of the elements that a CSS selector finds",
            "xpath PATH       the same of an XPath", "json POINTER     the value at a JSON Pointer",
            "links            the links with their verdicts", "item             the items that would be stored",
            "headers          the headers of the response", "open URL         fetch another URL, politely",
            "help             this list", "quit             the end, like Ctrl-D");
    private final LocalPreviewer previewer;
    private final LocalOptions options;
    private final Settings settings;
    private final PrintWriter out;
    private final PrintWriter errors;
    private final Screen screen;
    private Optional<ShellPage> page = Optional.empty();

    /** @param errors for what is no result: the outcomes of fetches */
    ShellSession(LocalPreviewer previewer, LocalOptions options, Settings settings, PrintWriter out, PrintWriter errors,
            Screen screen) {
        this.previewer = previewer;
        this.options = options;
        this.settings = settings;
        this.out = out;
        this.errors = errors;
        this.screen = screen;
    }

    /** Whether a line ends the session. */
    static boolean ends(String line) {
        return List.of("quit", "exit").contains(line.strip());
    }

    /** The links of the page, for completion. */
    List<String> links() {
        return page.map(shown -> shown.preview().links().stream().map(LinkVerdict::url).toList()).orElse(List.of());
    }

    /**
     * Executes a line.
     *
     * @throws InvalidValueException if it is no command, or its argument is not valid
     */
    void execute(String line) throws InterruptedException {
        String[] words = line.strip().split("\\s+", 2);
        String argument = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "" -> {
                // An empty line does nothing.
            }
            case "css" -> print(page().css(needed("css", argument)));
            case "xpath" -> print(page().xpath(needed("xpath", argument)));
            case "json" -> print(page().json(argument));
            case "links" -> lines(PreviewText.links(page().preview().links(), screen));
            case "item" -> items(page().preview());
            case "headers" -> print(page().headers());
            case "open" -> open(needed("open", argument));
            case "help" -> lines(HELP);
            default -> throw new InvalidValueException("command", words[0],
                    "one of css, xpath, json, links, item, headers, open, help, quit");
        }
        out.flush();
    }

    private static String needed(String command, String argument) {
        if (argument.isEmpty()) {
            throw new InvalidValueException(command, "", HELP.stream().filter(line -> line.startsWith(command))
                    .findFirst().orElse("").replaceAll("\\s{2,}", ": "));
        }
        return argument;
    }

    /** Fetches a URL; the commands are about its page from here on. */
    void open(String url) throws InterruptedException {
        LocalCrawl crawl = options.crawl(url, settings);
        Candidate.Open target = LocalOptions.target(url, settings);
        Response response = previewer.fetch(target, crawl, options.fetcher());
        Preview preview = previewer.preview(target, response, crawl);
        page = Optional.of(new ShellPage(response, previewer.selectors(response, crawl), preview));
        errors.println(outcome());
        errors.flush();
    }

    /** The URL and the outcome of the last fetch, in one line. */
    String outcome() {
        PreviewAnswer answer = page().preview().response();
        return TerminalText.safe(page().preview().url() + ": " + answer.outcome()
                + answer.status().map(status -> " " + status).orElse("")
                + answer.contentType().map(type -> ", " + type).orElse("") + ", " + answer.bytes() + " bytes"
                + answer.redirect().map(target -> ", to " + target).orElse("")
                + answer.failure().map(why -> ", " + why).orElse(""));
    }

    /** Whether the last fetch gave a page. */
    boolean fetched() {
        return page().preview().response().outcome() == OutcomeKind.PAGE;
    }

    private ShellPage page() {
        return page.orElseThrow(() -> new IllegalStateException("open comes first"));
    }

    private void items(Preview preview) {
        lines(PreviewText.items(preview.items(), screen));
        print(preview.dropped().stream().map(why -> "dropped by " + why).toList());
        print(preview.errors());
    }

    private void print(List<String> untrusted) {
        untrusted.forEach(line -> line.lines().forEach(part -> out.println(TerminalText.safe(part))));
    }

    private void lines(List<String> safe) {
        safe.forEach(out::println);
    }
}
