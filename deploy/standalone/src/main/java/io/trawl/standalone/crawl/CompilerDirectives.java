package io.trawl.standalone.crawl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the JVM what its optimising compiler compiles when a whole deployment runs in one process: the code that runs for
 * every byte of a page, listed in {@code compiler.json} (JEP 165). The rest, which is most of the code, stays with the fast
 * compiler: to optimise it costs more than it saves, see docs/benchmarks.md.
 */
public final class CompilerDirectives {
    private static final Logger LOG = LoggerFactory.getLogger(CompilerDirectives.class);
    private static final String RESOURCE = "compiler.json";

    private CompilerDirectives() {}

    /** Applies to all code that is compiled from now on. A JVM that knows no directives runs as it always does. */
    public static void apply() {
        try {
            Path file = Files.createTempFile("trawl-", "-" + RESOURCE);
            try (InputStream directives = Objects.requireNonNull(CompilerDirectives.class.getResourceAsStream(RESOURCE))) {
                Files.copy(directives, file, StandardCopyOption.REPLACE_EXISTING);
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
}
