package io.trawl.launch;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The main class of every runnable jar. On an outdated Java version it reports that in one line, where the process
 * itself would fail on a class version; otherwise it calls the main class that the jar's manifest names as
 * {@code Trawl-Main}.
 */
public final class Launcher {
    private static final int NEEDED = 25;

    private Launcher() {}

    /** Starts the process with these arguments, or exits with 1. */
    public static void main(String[] args) throws Throwable {
        int version = Runtime.version().feature();
        if (version < NEEDED) {
            fail("Trawl needs Java " + NEEDED + " or newer; this is Java " + version + " at "
                    + System.getProperty("java.home")
                    + ". Start it with another java, or by ./trawl, which looks for one.");
        }
        try {
            Class.forName(mainClass()).getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static String mainClass() throws IOException {
        String jar = System.getProperty("java.class.path");
        try (JarFile file = new JarFile(jar)) {
            Manifest manifest = file.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue("Trawl-Main");
            if (name == null) {
                throw new IOException("its manifest has no Trawl-Main");
            }
            return name;
        } catch (IOException e) {
            fail("cannot start from " + jar + ": " + e.getMessage() + "; use java -jar");
            throw e;
        }
    }

    private static void fail(String line) {
        System.err.println("trawl: " + line);
        System.exit(1);
    }
}
