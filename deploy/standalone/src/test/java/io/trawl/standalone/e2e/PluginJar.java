package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A jar with classes of the tests as plug-ins. */
final class PluginJar {
    private PluginJar() {}

    /**
     * Writes the jar.
     *
     * @param classes by the interface of plug-ins
     * @return the folder that holds it, for {@code TRAWL_PLUGINS}
     */
    static Path write(Path folder, Map<Class<?>, Class<?>> classes) throws IOException {
        Files.createDirectories(folder);
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(folder.resolve("test.jar")))) {
            for (Map.Entry<Class<?>, Class<?>> each : classes.entrySet()) {
                zip.putNextEntry(new ZipEntry("META-INF/services/" + each.getKey().getName()));
                zip.write(each.getValue().getName().getBytes(StandardCharsets.UTF_8));
                String file = each.getValue().getName().replace('.', '/') + ".class";
                zip.putNextEntry(new ZipEntry(file));
                zip.write(requireNonNull(PluginJar.class.getClassLoader().getResourceAsStream(file)).readAllBytes());
            }
        }
        return folder;
    }
}
