package io.trawl.coordinator.api;

import io.trawl.model.Sha256;
import io.trawl.http.Call;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The dashboard: plain files of the class path at {@code /}, which get all data from the REST interface. They need no
 * token, since they contain no data. Their policy makes the browser run no other scripts, load nothing from other
 * servers and show them in no frame. Pure, but for the files.
 */
final class DashboardFiles {
    private static final String FOLDER = "/dashboard/";
    private static final Pattern FILE = Pattern.compile("/([a-z][a-z.-]*\\.([a-z]+))");
    private static final Map<String, String> TYPES = Map.of("html", "text/html; charset=utf-8", "js",
            "text/javascript; charset=utf-8", "css", "text/css; charset=utf-8", "svg", "image/svg+xml", "json",
            "application/json");
    /**
     * The dashboard shows content of crawled pages as text only; should that ever fail, this policy makes it harmless.
     */
    private static final String POLICY = String.join("; ", "default-src 'none'", "script-src 'self'",
            "style-src 'self'", "img-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'");

    private DashboardFiles() {}

    /** Serves the files wherever nothing else is. */
    static Route route() {
        return Route.open(Route.REST, DashboardFiles::answer);
    }

    private static CallResponse answer(Call call) {
        if (!call.head().looks()) {
            throw CallRefusedException.noSuchPage();
        }
        Matcher name = FILE.matcher(call.path().equals("/") ? "/index.html" : call.path());
        Optional<String> type = name.matches() ? Optional.ofNullable(TYPES.get(name.group(2))) : Optional.empty();
        CallResponse file = read(type.orElseThrow(CallRefusedException::noSuchPage), name.group(1));
        String tag = file.headers().getOrDefault("ETag", "");
        return call.header("If-None-Match").filter(tags -> tags.contains(tag)).isPresent()
                ? new CallResponse(304, "", new byte[0], file.headers())
                : file;
    }

    private static CallResponse read(String type, String name) {
        try (InputStream in = DashboardFiles.class.getResourceAsStream(FOLDER + name)) {
            if (in == null) {
                throw CallRefusedException.noSuchPage();
            }
            byte[] file = in.readAllBytes();
            return new CallResponse(200, type, file,
                    Map.of("Content-Security-Policy", POLICY, "X-Content-Type-Options", "nosniff", "Referrer-Policy",
                            "no-referrer", "Cache-Control", "no-cache", "ETag",
                            '"' + HexFormat.of().formatHex(Sha256.of(file), 0, 8) + '"'));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
