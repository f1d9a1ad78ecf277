package io.trawl.downloader.session;

import io.trawl.admission.HostKeyFactory;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.definition.CrawlVariables.UnsetVariableException;
import io.trawl.definition.url.LoginForm;
import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.custom.FetchBounds;
import io.trawl.downloader.fetch.custom.PoliteExchanges;
import io.trawl.downloader.session.LoginResult.LoggedIn;
import io.trawl.downloader.session.LoginResult.LoginRefused;
import io.trawl.downloader.session.LoginResult.LoginUnanswered;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Connection.KeyVal;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.FormElement;

/**
 * One login: asks for the page with the form, fills it in, sends it, and follows redirects, with the pause of the host
 * between two requests, and as far as robots.txt allows. All of it stays at the server of the page. What it reports has
 * neither the fields nor what the host has answered.
 */
final class FormLogin {
    private static final int REDIRECTS = 5;
    private static final int LONGEST_PAGE = 1 << 20;
    private static final Pattern CHARSET = Pattern.compile("(?i)charset\\s*=\\s*\"?([A-Za-z0-9_:.+-]{1,40})");
    private final LoginForm form;
    private final Request request;
    private final FetchProfile profile;
    private final PoliteExchanges exchanges;
    private final FetchBounds bounds;

    /** Where a request and its redirects have led. @param document empty: to another server, or to no page */
    private record Landing(String url, Optional<Document> document) {}

    /** The login ends here. */
    private static final class Ended extends Exception {
        private static final long serialVersionUID = 1;
        private final transient LoginResult result;

        Ended(LoginResult result) {
            this.result = result;
        }

        static Ended refused(String cause) {
            return new Ended(new LoginRefused(cause));
        }
    }

    /** @param request the first one that needs the login */
    FormLogin(LoginForm form, FetchBounds bounds, Request request, FetchProfile profile, FetchPermit fetchPermit) {
        this.form = form;
        this.bounds = bounds;
        this.request = request;
        this.profile = profile;
        this.exchanges = new PoliteExchanges(bounds, request.host(), profile, fetchPermit);
    }

    /** Begins it on a thread of its own. Never completes exceptionally. */
    CompletableFuture<LoginResult> begin() {
        CompletableFuture<LoginResult> result = new CompletableFuture<>();
        Thread.ofVirtual().name("login").start(() -> result.complete(run()));
        return result;
    }

    private LoginResult run() {
        try {
            FetchOptions plain = FetchOptions.NONE.withProxy(request.options().proxy());
            Landing page = follow(form.page(), plain);
            FormElement found = find(page)
                    .orElseThrow(
                            () -> Ended
                                    .refused(
                                            "there is no form "
                                                    + form.form().map(css -> "'" + css + "'")
                                                            .orElse("with the fields " + String.join(", ",
                                                                    new TreeSet<>(form.fields().keySet())))
                                                    + " on " + form.page()));
            String body = filledIn(found);
            Landing last = follow(target(found, page), FetchOptions.NONE.with().proxy(plain.proxy())
                    .method(Optional.of("POST")).body(Optional.of(body)).build());
            judge(last);
            exchanges.awaitDelay();
            return new LoggedIn();
        } catch (Ended e) {
            return e.result;
        } catch (UnsetVariableException e) {
            return new LoginRefused(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new LoginUnanswered(FetchResult.withdrawn(Duration.ZERO, bounds.time().now()));
        } catch (IOException | RuntimeException e) {
            return new LoginRefused("the page " + form.page() + " cannot be read");
        }
    }

    private Landing follow(String first, FetchOptions options) throws Ended, InterruptedException, IOException {
        String url = first;
        FetchOptions sent = options;
        for (int i = 0; i <= REDIRECTS; i++) {
            if (!exchanges.allowed(url)) {
                throw Ended.refused("robots.txt forbids a page of the login");
            }
            FetchResult fetched = exchanges.exchange(request.forUrl(url).withOptions(sent));
            switch (fetched.outcome()) {
                case Outcome.Success _ -> {
                    return new Landing(url, Optional.of(parsed(fetched, url)));
                }
                case Outcome.Redirect redirect -> {
                    if (!(UrlNormalizer.resolve(url, redirect.location()) instanceof NormalUrl(String next))
                            || !isOwn(next)) {
                        return new Landing(url, Optional.empty());
                    }
                    url = next;
                    sent = sent.redirected(redirect.status());
                }
                case Outcome.HttpError error when error.status() != 429 && error.status() < 500 ->
                    throw Ended.refused("the server answered a request of the login with status " + error.status());
                default -> throw new Ended(new LoginUnanswered(fetched));
            }
        }
        throw Ended.refused("more than " + REDIRECTS + " redirects in a row");
    }

    private boolean isOwn(String url) {
        return HostKeyFactory.of(url).equals(request.host());
    }

    private Document parsed(FetchResult fetched, String url) throws IOException {
        byte[] body = fetched.body().bytes();
        bounds.memory().hold(body.length);
        try {
            Matcher named = CHARSET.matcher(fetched.headers().getOrDefault("content-type", ""));
            String charset = named.find() && Charset.isSupported(named.group(1)) ? named.group(1) : null;
            return Jsoup.parse(new ByteArrayInputStream(body, 0, Math.min(body.length, LONGEST_PAGE)), charset, url);
        } finally {
            bounds.memory().release(body.length);
        }
    }

    /** The form of a page; empty if it has none. */
    private Optional<FormElement> find(Landing page) {
        return page.document()
                .flatMap(document -> form.form().isPresent()
                        ? document.select(form.form().orElseThrow()).stream().filter(FormElement.class::isInstance)
                                .map(FormElement.class::cast).findFirst()
                        : document.forms().stream().filter(this::hasFields).findFirst());
    }

    private boolean hasFields(FormElement candidate) {
        return form.fields().keySet().stream().allMatch(name -> candidate.elements().stream().map(Element::attributes)
                .anyMatch(a -> a.get("name").equals(name)));
    }

    /** Where the form goes. */
    private String target(FormElement found, Landing page) throws Ended {
        if (!found.attr("method").equalsIgnoreCase("post")) {
            throw Ended.refused("the form is sent with GET, which would put its fields into a URL");
        }
        if (!found.attr("enctype").isEmpty()
                && !found.attr("enctype").equalsIgnoreCase("application/x-www-form-urlencoded")) {
            throw Ended.refused("the form is sent as " + found.attr("enctype") + ", which is not supported");
        }
        String base = page.document().map(Document::baseUri).orElse(page.url());
        String action = found.hasAttr("action") && !found.attr("action").isBlank() ? found.absUrl("action") : base;
        if (!(UrlNormalizer.resolve(page.url(), action) instanceof NormalUrl(String url)) || !isOwn(url)) {
            throw Ended.refused("the form goes to another server, which is not told who the crawler is");
        }
        return url;
    }

    /** The fields of the form as they are, such as tokens against forged requests, and those of the definition. */
    private String filledIn(FormElement found) {
        Map<String, String> own = new HashMap<>(form.fields());
        own.replaceAll((_, value) -> profile.variables().resolve(value));
        Stream<String> kept = found.formData().stream().filter(field -> !own.containsKey(field.key()))
                .map(field -> pair(field.key(), valueOf(field)));
        return Stream.concat(kept, own.entrySet().stream().map(field -> pair(field.getKey(), field.getValue())))
                .collect(Collectors.joining("&"));
    }

    private static String valueOf(KeyVal field) {
        return Optional.ofNullable(field.value()).orElse("");
    }

    private static String pair(String name, String value) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8) + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private void judge(Landing last) throws Ended {
        if (form.success().isPresent() && last.document().filter(page -> has(page, form.success())).isEmpty()) {
            throw Ended.refused("after the login, nothing matches '" + form.success().orElseThrow() + "'");
        }
        if (last.document().filter(page -> has(page, form.failure())).isPresent()) {
            throw Ended.refused("after the login, something matches '" + form.failure().orElseThrow() + "'");
        }
        if (form.success().isEmpty() && find(last).isPresent()) {
            throw Ended.refused("the server shows the form again");
        }
    }

    private static boolean has(Document page, Optional<String> css) {
        return css.filter(selector -> page.selectFirst(selector) != null).isPresent();
    }
}
