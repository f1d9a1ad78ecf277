package io.trawl.testkit;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;

/** A collector that receives spans by OTLP over HTTP, like a real one, and keeps them. Thread-safe. */
public final class TraceCollector implements AutoCloseable {
    private static final String PATH = "/v1/traces";
    private final HttpServer server;
    private final Queue<Told> received = new ConcurrentLinkedQueue<>();

    /**
     * A span.
     *
     * @param service the service that sent it
     * @param trace in hexadecimal, as all ids
     * @param parent empty for the first span of a trace
     * @param links the ids of spans that it links to
     */
    public record Told(String service, String name, String trace, String id, String parent, List<String> links,
            Map<String, String> attributes) {
        /** Its URL. */
        public String url() {
            return attributes.getOrDefault("url.full", "");
        }
    }

    private TraceCollector(HttpServer server) {
        this.server = server;
        server.createContext(PATH, this::take);
        server.start();
    }

    /** Listens on a free port of loopback. */
    public static TraceCollector start() {
        return start(0);
    }

    /** Listens on this port of loopback. */
    public static TraceCollector start(int port) {
        try {
            return new TraceCollector(
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL to which spans are sent. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
    }

    /** The spans received so far. */
    public List<Told> spans() {
        return List.copyOf(received);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange; InputStream body = exchange.getRequestBody()) {
            boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            for (ResourceSpans process : ExportTraceServiceRequest.parseFrom(packed ? new GZIPInputStream(body) : body)
                    .getResourceSpansList()) {
                String service = texts(process.getResource().getAttributesList()).getOrDefault("service.name", "");
                process.getScopeSpansList()
                        .forEach(scope -> scope.getSpansList().forEach(s -> received.add(span(service, s))));
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static Told span(String service, Span span) {
        return new Told(service, span.getName(), hex(span.getTraceId()), hex(span.getSpanId()),
                hex(span.getParentSpanId()), span.getLinksList().stream().map(link -> hex(link.getSpanId())).toList(),
                texts(span.getAttributesList()));
    }

    private static Map<String, String> texts(List<KeyValue> attributes) {
        Map<String, String> texts = new HashMap<>();
        attributes.forEach(a -> texts.put(a.getKey(), text(a.getValue())));
        return texts;
    }

    private static String text(AnyValue value) {
        return value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue();
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    /** Stops answering; keeps the received spans. */
    @Override
    public void close() {
        server.stop(0);
    }
}
