package io.trawl.pipeline.s3;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.trawl.pipeline.remote.ServerProcess;
import io.trawl.testkit.Repository;
import io.trawl.testkit.FreePort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server of S3 with the bucket {@code bucket}, as the build copies it. It checks no signatures. */
public final class S3Server {
    private static final Path SERVER = Repository.file("worker-pipeline/target/servers/s3mock.jar");

    private S3Server() {}

    /** Starts it in a folder. */
    public static ServerProcess start(Path folder) throws Exception {
        assumeThat(SERVER).as("the server, which the build copies").exists();
        int port = FreePort.find();
        return ServerProcess.start(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
                        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + folder, "-jar",
                        SERVER.toAbsolutePath().toString(), "--com.adobe.testing.s3mock.httpPort=" + port,
                        "--server.port=" + FreePort.find(),
                        "--com.adobe.testing.s3mock.store.root=" + Files.createDirectory(folder.resolve("root")),
                        "--com.adobe.testing.s3mock.store.retainFilesOnExit=true",
                        "--com.adobe.testing.s3mock.store.initialBuckets=bucket"),
                Files.createFile(folder.resolve("log")), port);
    }
}
