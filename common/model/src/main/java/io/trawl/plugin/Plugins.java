package io.trawl.plugin;

import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Sha256;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.zip.ZipFile;

/**
 * The class path of a process, followed by all jars of one folder. A jar names its classes in
 * {@code META-INF/services/} and may come with libraries as further jars; classes of Trawl take precedence.
 * Thread-safe.
 */
public final class Plugins implements AutoCloseable {
    /** The setting that names the folder. */
    public static final String SETTING = "TRAWL_PLUGINS";
    /** Bytes. */
    private static final int DIGEST = 8;
    private final URLClassLoader loader;
    private final Optional<String> digest;

    private Plugins(List<Path> jars) {
        this.digest = jars.isEmpty() ? Optional.empty() : Optional.of(digest(jars));
        this.loader = new URLClassLoader("plugins", jars.stream().map(Plugins::url).toArray(URL[]::new),
                Plugins.class.getClassLoader());
    }

    /**
     * Opens the jars of a folder, in the order of their names. Without a folder, only the class path is used.
     *
     * @throws InvalidValueException if it is not a readable folder, or a file in it is no jar
     */
    public static Plugins in(Optional<Path> folder) {
        folder.map(Plugins::faults).filter(faults -> !faults.isEmpty()).map(List::getFirst).ifPresent(fault -> {
            throw new InvalidValueException(fault.field(), fault.value(), fault.rule());
        });
        return new Plugins(folder.map(Plugins::files).orElse(List.of()));
    }

    /**
     * What is wrong with a folder of plug-ins: each file in it that is no jar, since its classes would be missing
     * without a word.
     */
    public static List<Fault> faults(Path folder) {
        try {
            return files(folder).stream().filter(file -> !jar(file))
                    .map(file -> new Fault(SETTING, file.toString(), "a folder with jars only")).toList();
        } catch (InvalidValueException e) {
            return List.of(e.fault());
        }
    }

    private static boolean jar(Path file) {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return file.toString().endsWith(".jar");
        } catch (IOException e) {
            return false;
        }
    }

    /** All files but hidden ones and folders, such as those of mounted volumes. */
    private static List<Path> files(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new InvalidValueException(SETTING, folder.toString(), "a folder");
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            found.forEach(files::add);
        } catch (IOException e) {
            throw new InvalidValueException(SETTING, folder.toString(),
                    "a folder that can be read (" + e.getMessage() + ")");
        }
        files.removeIf(file -> Files.isDirectory(file) || file.getFileName().toString().startsWith("."));
        files.sort(Comparator.naturalOrder());
        return files;
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(List<Path> jars) {
        MessageDigest digest = Sha256.digest();
        try (OutputStream all = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            for (Path jar : jars) {
                Files.copy(jar, all);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return HexFormat.of().formatHex(digest.digest(), 0, DIGEST);
    }

    /** A digest of the jars of the folder, in hexadecimal digits; empty if there are none. */
    public Optional<String> digest() {
        return digest;
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
