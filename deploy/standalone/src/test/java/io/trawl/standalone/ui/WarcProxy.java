package io.trawl.standalone.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;

/** A proxy of HTTP that answers from the WARC files in a folder alone, and notes what they do not have. */
final class WarcProxy implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Answer> answers = new HashMap<>();
    /** Of URLs whose bodies stand in the records of others. */
    private final Map<String, String> revisits = new HashMap<>();
    private final Queue<String> missing = new ConcurrentLinkedQueue<>();
    private final Queue<String> served = new ConcurrentLinkedQueue<>();

    private record Answer(int status, String type, byte[] body) {}

    WarcProxy(Path archive) throws IOException {
        try (Stream<Path> files = Files.walk(archive)) {
            files.filter(file -> file.toString().endsWith(".warc.gz")).forEach(this::read);
        }
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    private void read(Path file) {
        try (WarcReader reader = new WarcReader(file)) {
            for (WarcRecord record : reader) {
                if (record instanceof WarcResponse response) {
                    answers.put(response.target(),
                            new Answer(response.http().status(),
                                    response.http().headers().first("Content-Type").orElse(""),
                                    response.http().body().stream().readAllBytes()));
                } else if (record instanceof WarcRevisit revisit) {
                    revisits.put(revisit.target(), revisit.refersToTargetURI().orElseThrow().toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        String url = exchange.getRequestURI().toString();
        Answer answer = answers.get(revisits.getOrDefault(url, url));
        try (exchange) {
            if (answer == null) {
                missing.add(url);
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            served.add(url);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        }
    }

    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** The URLs that were asked for in vain. */
    List<String> missing() {
        return List.copyOf(missing);
    }

    /** The URLs that were answered. */
    TreeSet<String> served() {
        return new TreeSet<>(served);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
