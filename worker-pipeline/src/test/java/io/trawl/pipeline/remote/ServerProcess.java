package io.trawl.pipeline.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A server in a process of its own, which can be killed and started again. */
public final class ServerProcess implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private final List<String> command;
    private final Path log;
    private final URI url;
    private Process process;

    private ServerProcess(List<String> command, Path log, URI url) throws IOException {
        this.command = command;
        this.log = log;
        this.url = url;
        this.process = launch();
    }

    /** Starts a command, and returns when it answers at this port. */
    public static ServerProcess start(List<String> command, Path log, int port) throws IOException {
        ServerProcess server = new ServerProcess(command, log, URI.create("http://127.0.0.1:" + port));
        server.awaitAnswer();
        return server;
    }

    /** Its address. */
    public URI url() {
        return url;
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    }

    private void awaitAnswer() throws IOException {
        try {
            await().pollInterval(Duration.ofMillis(100)).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
                assertThat(process.isAlive()).as("the server runs").isTrue();
                return HTTP.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode() > 0;
            });
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(Files.readString(log), e);
        }
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    public void startAgain() throws IOException {
        process = launch();
        awaitAnswer();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
