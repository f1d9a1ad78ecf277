package io.trawl.standalone.start;

import io.trawl.standalone.client.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Writes a second runnable jar beside the one that runs, which starts the same program with the classes of {@link ScalaLambdas} in front of those of its
 * libraries. The libraries themselves stay as they are.
 */
@Command(name = "start-jar", hidden = true, description = "Write a jar that starts faster; used by the launcher.")
public final class StartJarCommand implements Callable<Integer> {
    private static final List<String> OF_SCALA = List.of("kafka/", "scala/");
    private static final String CLASS = ".class";
    @Parameters(paramLabel = "FILE", description = "The jar to write, in the folder of the one that runs.")
    private Path file = Path.of("");

    @Override
    public Integer call() throws IOException {
        Path program = Path.of(System.getProperty("java.class.path"));
        try (JarFile jar = new JarFile(program.toFile())) {
            Manifest manifest = jar.getManifest();
            List<Path> libraries = libraries(program, manifest);
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, String.valueOf(program.getFileName()));
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
                ScalaLambdas lambdas = new ScalaLambdas();
                for (Path library : libraries) {
                    rewrite(library, lambdas, out);
                }
            }
        }
        return ExitCode.DONE;
    }

    private static List<Path> libraries(Path program, Manifest manifest) {
        return Stream.of(manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH).split(" "))
                .map(program.toAbsolutePath()::resolveSibling).filter(Files::isRegularFile).toList();
    }

    private static void rewrite(Path library, ScalaLambdas lambdas, JarOutputStream out) throws IOException {
        try (JarFile jar = new JarFile(library.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.getName().endsWith(CLASS) && OF_SCALA.stream().anyMatch(entry.getName()::startsWith)) {
                    Optional<byte[]> rewritten = lambdas.rewritten(jar.getInputStream(entry).readAllBytes());
                    if (rewritten.isPresent()) {
                        out.putNextEntry(new JarEntry(entry.getName()));
                        out.write(rewritten.get());
                    }
                }
            }
        }
    }
}
