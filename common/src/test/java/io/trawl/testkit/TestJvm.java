package io.trawl.testkit;

import io.trawl.codec.Json;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A class of the tests' class path, run in its own small JVM that starts fast: a process that a test may kill. */
public final class TestJvm {
    private TestJvm() {}

    /**
     * Standard error is redirected to standard output. The caller redirects the output, sets the environment and ends
     * the process.
     *
     * @param main the class to run
     * @param options of the JVM
     */
    public static ProcessBuilder of(Class<?> main, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>(StartCache.JAVA);
        command.add("-cp");
        String classPath = System.getProperty("java.class.path");
        jarWithAllModules(classPath).ifPresentOrElse(jar -> {
            command.add(jar + File.pathSeparator + classPath);
            command.addAll(StartCache.options(jar));
        }, () -> command.add(classPath));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(arguments);
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /**
     * Where all integration tests run together it is on the class path; a module's own tests run its classes, and that
     * jar may be older than they are.
     */
    private static Optional<Path> jarWithAllModules(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator)).filter(f -> f.endsWith(".jar")).map(Path::of)
                .filter(StartCache::serves).findFirst();
    }

    /** Settings, with names such as {@code trawl.kafka.bootstrap-servers}, as one argument of a process. */
    public static String argument(Map<String, String> properties) {
        return Json.text(properties);
    }

    /** The inverse of {@link #argument}. */
    public static Settings settings(String argument) throws IOException {
        Map<String, String> properties = new HashMap<>();
        Json.mapper().readTree(argument).properties()
                .forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
        return SettingsReader.from(properties);
    }
}
