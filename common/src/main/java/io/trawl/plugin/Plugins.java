package io.trawl.plugin;

import io.trawl.model.InvalidValueException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The class path of a process, followed by all jars of one folder. A jar names its classes in {@code META-INF/services/} and may come with libraries
 * as further jars; classes of Trawl take precedence. Thread-safe.
 */
public final class Plugins implements AutoCloseable {
    /** The setting that names the folder. */
    public static final String SETTING = "TRAWL_PLUGINS";
    private final URLClassLoader loader;

    private Plugins(List<Path> jars) {
        this.loader = new URLClassLoader("plugins", jars.stream().map(Plugins::url).toArray(URL[]::new),
                Plugins.class.getClassLoader());
    }

    /**
     * Opens the jars of a folder, in the order of their names; other files are ignored. Without a folder, only the class path is used.
     *
     * @throws InvalidValueException if it is not a readable folder
     */
    public static Plugins in(Optional<Path> folder) {
        return new Plugins(folder.map(Plugins::jars).orElse(List.of()));
    }

    private static List<Path> jars(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new InvalidValueException(SETTING, folder.toString(), "a folder");
        }
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
            found.forEach(jars::add);
        } catch (IOException e) {
            throw new InvalidValueException(SETTING, folder.toString(), "a folder that can be read (" + e.getMessage() + ")");
        }
        jars.sort(Comparator.naturalOrder());
        return jars;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * One instance of each provider of a service, those of Trawl first.
     *
     * @throws InvalidValueException if a provider cannot be instantiated
     */
    public <T> List<T> of(Class<T> service) {
        try {
            return ServiceLoader.load(service, loader).stream().map(ServiceLoader.Provider::get).toList();
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new InvalidValueException("META-INF/services", service.getName(),
                    "classes that can be loaded (" + e.getMessage() + ")");
        }
    }

    /** Closes the jars: classes that are not loaded yet can no longer be loaded. */
    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
