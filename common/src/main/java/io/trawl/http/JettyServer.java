package io.trawl.http;

import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.io.BufferedOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiFunction;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server: HTTP/1.1 only, one virtual thread for each call, none for a connection that waits. A caller that
 * takes more than 30 seconds for its headers, or pauses so long in a body, loses its connection. Thread-safe.
 */
final class JettyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JettyServer.class);
    private static final int MOST_CONNECTIONS = 2000;
    private static final int QUEUED_CONNECTIONS = 256;
    private static final int HEADER_BYTES = 16 << 10;
    private static final int MOST_THREADS = 8;
    private static final int LEAST_COMPRESSED = 1500;
    private static final Duration LONGEST_HEADERS = Duration.ofSeconds(30);
    private static final Duration MOST_SILENT = Duration.ofSeconds(1);
    private static final int MOST_READ_AWAY = 64 << 20;
    private static final Duration LOOK = Duration.ofSeconds(5);
    /** What the server calls the target of a request line that it cannot read. */
    private static final String NO_TARGET = "/badMessage";
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Server server;
    private final ServerConnector connector;
    private final Answering answering;
    private final BiFunction<Exception, String, CallResponse> problem;
    private final SlowCallers slowCallers = new SlowCallers();

    /** Answers a call. */
    interface Answering {
        CallResponse answer(CallHead head, InputStream body) throws InterruptedException;
    }

    /**
     * Starts.
     *
     * @param problem the answer to a call that ended with an exception, at a path
     * @throws InvalidValueException if the address cannot be listened on
     */
    JettyServer(Settings.HttpSettings http, int port, Answering answering,
            BiFunction<Exception, String, CallResponse> problem) {
        this.answering = answering;
        this.problem = problem;
        QueuedThreadPool pool = new QueuedThreadPool(MOST_THREADS, 2);
        pool.setVirtualThreadsExecutor(threads);
        server = new Server(pool);
        server.setStopTimeout(0);
        HttpConfiguration rules = new HttpConfiguration();
        rules.setRequestHeaderSize(HEADER_BYTES);
        rules.setSendServerVersion(false);
        // An encoded slash or bar is a part of a parameter: routes match paths as they were sent.
        rules.setUriCompliance(UriCompliance.RFC3986.with("routes", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR));
        connector = new ServerConnector(server, 0, 1, new HttpConnectionFactory(rules));
        connector.setHost(http.bind());
        connector.setPort(port);
        connector.setAcceptQueueSize(QUEUED_CONNECTIONS);
        connector.addBean(slowCallers);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(MOST_CONNECTIONS, server));
        server.setHandler(new Calls());
        server.setErrorHandler(this::refuse);
        start(http);
        slowCallers.task.start();
    }

    private void start(Settings.HttpSettings http) {
        try {
            connector.open();
            server.start();
        } catch (Exception e) {
            close();
            boolean taken = e instanceof BindException || e.getCause() instanceof BindException;
            throw taken
                    ? new InvalidValueException("TRAWL_HTTP_PORT", http.bind() + ":" + http.port(),
                            "a free port of this machine (" + e.getMessage() + ")")
                    : new InvalidValueException("TRAWL_HTTP_BIND", http.bind(),
                            "an address of this machine (" + e.getMessage() + ")");
        }
    }

    /** Answers what the server itself refuses, before it is a call: what is no HTTP, or beyond a limit. */
    private boolean refuse(Request request, Response response, Callback callback) {
        String path = request.getHttpURI().getPath();
        CallResponse answer = problem.apply(
                new CallRefusedException(response.getStatus(),
                        String.valueOf(request.getAttribute(ErrorHandler.ERROR_MESSAGE))),
                NO_TARGET.equals(path) ? "" : String.valueOf(path));
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        response.write(true, ByteBuffer.wrap(answer.body()), callback);
        return true;
    }

    int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        slowCallers.task.close();
        threads.shutdownNow();
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server does not stop", e);
        }
    }

    /** Translates between the server and routes. */
    private final class Calls extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            slowCallers.calls(request);
            // A handler may take longer than a connection may be idle.
            request.addIdleTimeoutListener(_ -> false);
            CallHead head = new CallHead(request.getMethod(), request.getHttpURI().getPathQuery(),
                    name -> Optional.ofNullable(request.getHeaders().get(name)));
            InputStream body = new Body(Content.Source.asInputStream(request));
            try {
                try {
                    send(request, response, answering.answer(head, body));
                } catch (InterruptedException | RuntimeException e) {
                    if (response.isCommitted()) {
                        throw e;
                    }
                    response.reset();
                    send(request, response, problem.apply(e, head.path()));
                }
                readAway(request, body);
                callback.succeeded();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                callback.failed(e);
            } catch (IOException e) {
                // The caller has left.
                callback.failed(e);
            } catch (RuntimeException e) {
                LOG.warn("the answer to {} broke off: {}", head.path(), e.getMessage());
                callback.failed(e);
            }
            return true;
        }

        private void send(Request request, Response response, CallResponse answer)
                throws IOException, InterruptedException {
            response.setStatus(answer.status());
            answer.headers().forEach(response.getHeaders()::put);
            if (!answer.contentType().isEmpty()) {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
            }
            boolean compressed = compressed(request, answer);
            if (compressed) {
                response.getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
            }
            if (answer.stream().isEmpty() && !compressed && answer.status() != 204 && answer.status() != 304) {
                response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.body().length);
            }
            if (!request.getMethod().equals("HEAD")) {
                OutputStream sent = new BufferedOutputStream(Content.Sink.asOutputStream(response));
                OutputStream out = compressed ? new GZIPOutputStream(sent, true) : sent;
                answer.stream().orElse(whole -> whole.write(answer.body())).write(out);
                // Not after an exception: it would say that the body is whole.
                out.close();
            }
        }

        /**
         * Reads what a caller still sends after its answer: a connection that is closed before is reset, and the caller
         * loses the answer (RFC 9112, section 9.6).
         */
        private void readAway(Request request, InputStream body) {
            // A caller that waits for permission to send (RFC 9110, section 10.1.1) sends nothing after its answer.
            boolean waits = request.getHeaders().contains(HttpHeader.EXPECT)
                    && Request.getContentBytesRead(request) == 0;
            boolean sends = request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
            if (waits || !sends) {
                return;
            }
            EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
            connection.setIdleTimeout(MOST_SILENT.toMillis());
            byte[] unused = new byte[1 << 16];
            try {
                for (int read = 0, all = 0; read >= 0 && all < MOST_READ_AWAY; all += read) {
                    read = body.read(unused);
                }
            } catch (IOException e) {
                LOG.debug("a caller left before its answer: {}", e.getMessage());
            }
            connection.setIdleTimeout(connector.getIdleTimeout());
        }

        private static boolean compressed(Request request, CallResponse answer) {
            String accepted = Optional.ofNullable(request.getHeaders().get(HttpHeader.ACCEPT_ENCODING)).orElse("");
            // Events must not wait in a buffer.
            boolean large = answer.stream().isPresent()
                    ? !answer.contentType().equals("text/event-stream")
                    : answer.body().length >= LEAST_COMPRESSED;
            return large
                    && accepted.toLowerCase(Locale.ROOT).matches(".*\\bgzip\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$)).*");
        }
    }

    /** A body. Where it is no HTTP it breaks off, as where its caller has left. */
    private static final class Body extends FilterInputStream {
        Body(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            try {
                return super.read(into, from, length);
            } catch (RuntimeException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    /**
     * Closes connections on which no call has come for too long, or none has come to the end of its headers: the idle
     * time of the server begins anew with each byte. Thread-safe.
     */
    private static final class SlowCallers implements Connection.Listener {
        private final Time time = Time.system();
        /** When the last call of a connection ended that has none now, or when it was opened. */
        private final Map<Connection, Long> waiting = new ConcurrentHashMap<>();
        private final PeriodicTask task = new PeriodicTask("slow-callers", LOOK, time, this::look);

        @Override
        public void onOpened(Connection connection) {
            waiting.put(connection, time.nanos());
        }

        @Override
        public void onClosed(Connection connection) {
            waiting.remove(connection);
        }

        void calls(Request request) {
            Connection connection = request.getConnectionMetaData().getConnection();
            waiting.remove(connection);
            Request.addCompletionListener(request, _ -> waiting.put(connection, time.nanos()));
        }

        private void look() {
            long oldest = time.nanos() - LONGEST_HEADERS.toNanos();
            waiting.forEach((connection, since) -> {
                if (since - oldest < 0 && waiting.remove(connection, since)) {
                    connection.getEndPoint().close();
                }
            });
        }
    }
}
