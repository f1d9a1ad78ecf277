package io.trawl.standalone.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the JVM what its optimising compiler compiles when a whole deployment runs in one process: the code that runs
 * for every byte of a page, the patterns of {@code compiler.json}, by directives (JEP 165). The rest, which is most of
 * the code, stays with the fast compiler: to optimise it costs more than it saves, see docs/adr/0064.
 *
 * <p>
 * A JVM that reads a cache of classes compiles a method as the JVM did that recorded the cache. The launcher records it
 * with the fast compiler alone, so that most methods are compiled once and without counters. The listed methods are not
 * compiled there: about them nothing is recorded, and they are optimised when they have run often enough.
 */
public final class CompilerDirectives {
    private static final Logger LOG = LoggerFactory.getLogger(CompilerDirectives.class);
    private static final String RESOURCE = "compiler.json";
    private static final String RECORDS = "-XX:AOTCacheOutput=";

    private CompilerDirectives() {}

    /** Applies to all code that is compiled from now on. A JVM that knows no directives runs as it always does. */
    public static void apply() {
        try {
            Path file = Files.createTempFile("trawl-", "-" + RESOURCE);
            try {
                Files.writeString(file, directives());
                Object answer = ManagementFactory.getPlatformMBeanServer().invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"), "compilerDirectivesAdd",
                        new Object[]{new String[]{file.toString()}}, new String[]{String[].class.getName()});
                LOG.debug("compiler directives: {}", answer);
            } finally {
                Files.delete(file);
            }
        } catch (JMException e) {
            LOG.debug("this JVM takes no compiler directives: {}", e.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String directives() throws IOException {
        String optimised;
        try (InputStream patterns = Objects.requireNonNull(CompilerDirectives.class.getResourceAsStream(RESOURCE))) {
            optimised = new String(patterns.readAllBytes(), StandardCharsets.UTF_8);
        }
        boolean records = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(argument -> argument.startsWith(RECORDS));
        return records
                ? "[{match: " + optimised + ", Exclude: true}]"
                : "[{match: " + optimised + ", BackgroundCompilation: true}, {match: [\"*.*\"], c2: {Exclude: true}}]";
    }
}
