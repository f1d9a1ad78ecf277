package io.trawl.testkit;

import io.trawl.admission.BaseUrl;
import io.trawl.admission.Normalized;
import io.trawl.admission.Normalized.NormalUrl;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The simplest correct crawler, one request at a time: it checks that the testkit serves the pages that it expects. */
final class PlainWalk implements AutoCloseable {
    private static final Pattern TAG = Pattern.compile("<(base|a|area|iframe|meta)\\b([^>]*)>",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=(['\"])(.*?)\\1");
    private static final Pattern NOFOLLOW = Pattern.compile("\\brel=[^>]*nofollow");
    private static final Pattern META_NOFOLLOW = Pattern.compile("name=robots content='?nofollow",
            Pattern.CASE_INSENSITIVE);
    private final HttpClient client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).build();
    private final Predicate<String> allowed;
    private final Map<String, Seen> seen = new LinkedHashMap<>();

    /** The result for a URL. */
    record Seen(int status, int depth, List<String> links) {}

    private record Step(String url, int depth) {}

    /** @param allowed which URLs may be fetched */
    PlainWalk(Predicate<String> allowed) {
        this.allowed = allowed;
    }

    /** All results within a depth, by URL. */
    Map<String, Seen> walk(String seed, int depth) throws IOException, InterruptedException {
        Deque<Step> queue = new ArrayDeque<>(List.of(new Step(seed, 0)));
        while (!queue.isEmpty()) {
            Step step = queue.removeFirst();
            if (step.depth() <= depth && allowed.test(step.url()) && !seen.containsKey(step.url())) {
                visit(step, queue);
            }
        }
        return seen;
    }

    private void visit(Step step, Deque<Step> queue) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(HttpRequest.newBuilder(URI.create(step.url())).build(),
                BodyHandlers.ofString(StandardCharsets.UTF_8));
        BaseUrl page = BaseUrl.of(new NormalUrl(step.url()));
        Set<String> listed = new LinkedHashSet<>();
        Set<String> followed = new LinkedHashSet<>();
        boolean html = response.headers().firstValue("Content-Type").orElse("").startsWith("text/html");
        if (response.statusCode() == 200 && html) {
            read(page, response.body(), listed, followed);
        }
        if (response.headers().firstValue("X-Robots-Tag").isEmpty()) {
            followed.forEach(u -> queue.addLast(new Step(u, step.depth() + 1)));
        }
        response.headers().firstValue("Location").map(page::resolve)
                .ifPresent(t -> queue.addFirst(new Step(((NormalUrl) t).text(), step.depth())));
        seen.put(step.url(), new Seen(response.statusCode(), step.depth(), List.copyOf(listed)));
    }

    private static void read(BaseUrl page, String html, Set<String> listed, Set<String> followed) {
        BaseUrl base = page;
        boolean follow = true;
        Matcher tag = TAG.matcher(html);
        while (tag.find()) {
            Matcher reference = REFERENCE.matcher(tag.group(2));
            Normalized url = reference.find()
                    ? base.resolve(reference.group(2).replace("&amp;", "&"))
                    : base.resolve("ftp:");
            follow &= !META_NOFOLLOW.matcher(tag.group(2)).find();
            if (url instanceof NormalUrl normal && tag.group(1).equals("base")) {
                base = BaseUrl.of(normal);
            } else if (url instanceof NormalUrl normal) {
                listed.add(normal.text());
                if (follow && !NOFOLLOW.matcher(tag.group(2)).find()) {
                    followed.add(normal.text());
                }
            }
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
