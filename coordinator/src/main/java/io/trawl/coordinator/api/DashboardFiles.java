package io.trawl.coordinator.api;

import io.javalin.config.JavalinConfig;
import io.javalin.http.staticfiles.Location;
import java.util.Map;

/**
 * The dashboard: plain files of the class path at {@code /}, which ask the REST interface for everything they show. They are open to everybody, since
 * they say nothing; the browser is told to run no script that is not one of them, to load nothing from anywhere else and to show them in no frame.
 */
final class DashboardFiles {
    private static final String FOLDER = "/dashboard";
    /** What crawled pages say is shown as text only; should that ever fail, this keeps it from doing anything. */
    private static final String POLICY = String.join("; ", "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'");

    private DashboardFiles() {}

    /** Serves the files. */
    static void register(JavalinConfig config) {
        config.staticFiles.add(files -> {
            files.hostedPath = "/";
            files.directory = FOLDER;
            files.location = Location.CLASSPATH;
            files.headers = Map.of("Content-Security-Policy", POLICY, "X-Content-Type-Options", "nosniff", "Referrer-Policy",
                    "no-referrer", "Cache-Control", "no-cache");
        });
    }
}
