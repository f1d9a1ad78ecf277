package io.trawl.downloader.fetch.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.nio.DefaultAsyncClientConnectionOperator;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionOperator;
import org.apache.hc.client5.http.nio.ManagedAsyncClientConnection;
import org.apache.hc.core5.concurrent.CallbackContribution;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ConnectionReuseStrategy;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpMessage;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ParseException;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.nio.ChunkDecoder;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseFactory;
import org.apache.hc.core5.http.impl.nio.ClientHttp1IOEventHandler;
import org.apache.hc.core5.http.impl.nio.ClientHttp1StreamDuplexer;
import org.apache.hc.core5.http.impl.nio.DefaultHttpRequestWriterFactory;
import org.apache.hc.core5.http.impl.nio.DefaultHttpResponseParser;
import org.apache.hc.core5.http.message.LazyLaxLineParser;
import org.apache.hc.core5.http.nio.ContentDecoder;
import org.apache.hc.core5.http.nio.SessionInputBuffer;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ProtocolIOSession;
import org.apache.hc.core5.util.CharArrayBuffer;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Connections that read the heads and trailers of HTTP/1.1 answers as browsers do. A line that is no header is skipped,
 * the transfer coding {@code identity} is ignored, and equal lengths count once (RFC 9110 section 8.6). Unequal lengths
 * and other codings stay violations, since the end of the answer is not known then. The limits of the client count all
 * lines.
 *
 * <p>
 * The client has no setting for its parser. It hands each connection to its connection operator before the first event,
 * and there the connection gets a handler with this parser instead.
 */
final class LenientHttp1 extends PoolingAsyncClientConnectionManagerBuilder {
    private static final String IDENTITY = "identity";

    private final Http1Config config;
    private final ConnectionReuseStrategy reuse;

    LenientHttp1(Http1Config config, ConnectionReuseStrategy reuse) {
        this.config = config;
        this.reuse = reuse;
    }

    @Override
    protected AsyncClientConnectionOperator createConnectionOperator(TlsStrategy tls, SchemePortResolver ports,
            DnsResolver names) {
        return new Operator(tls, ports, names);
    }

    private void adapt(IOSession session) {
        if (session instanceof ProtocolIOSession connection) {
            connection.registerProtocol(ApplicationProtocol.HTTP_1_1.id, this::upgrade);
            if (connection.getHandler() instanceof ClientHttp1IOEventHandler) {
                connection.upgrade(new ClientHttp1IOEventHandler(new Duplexer(connection)));
            }
        }
    }

    /** What {@code ClientHttp1UpgradeHandler} does when TLS has chosen the protocol. */
    private void upgrade(ProtocolIOSession connection, @Nullable FutureCallback<ProtocolIOSession> upgraded) {
        ClientHttp1IOEventHandler handler = new ClientHttp1IOEventHandler(new Duplexer(connection));
        connection.upgrade(handler);
        try {
            handler.connected(connection);
            if (upgraded != null) {
                upgraded.completed(connection);
            }
        } catch (IOException e) {
            handler.exception(connection, e);
        }
    }

    private final class Duplexer extends ClientHttp1StreamDuplexer {
        Duplexer(ProtocolIOSession connection) {
            super(connection, HttpProcessorBuilder.create().build(), config, CharCodingConfig.DEFAULT, reuse,
                    new HeadParser(config), DefaultHttpRequestWriterFactory.INSTANCE.create(), null, null, null);
        }

        @Override
        protected ContentDecoder createContentDecoder(long length, ReadableByteChannel channel,
                SessionInputBuffer buffer, BasicHttpTransportMetrics metrics) throws HttpException {
            return length == ContentLengthStrategy.CHUNKED
                    ? new Chunks(channel, buffer, config, metrics)
                    : super.createContentDecoder(length, channel, buffer, metrics);
        }
    }

    private static final class Chunks extends ChunkDecoder {
        Chunks(ReadableByteChannel channel, SessionInputBuffer buffer, Http1Config config,
                BasicHttpTransportMetrics metrics) {
            super(channel, buffer, config, metrics);
        }

        /**
         * The client parses the trailers when the body is complete, so a line among them that is no header ends
         * nothing.
         */
        @Override
        public int read(ByteBuffer to) throws IOException {
            int before = to.position();
            try {
                return super.read(to);
            } catch (IOException e) {
                if (isCompleted() && e.getCause() instanceof ParseException) {
                    return to.position() - before;
                }
                throw e;
            }
        }
    }

    private final class Operator extends DefaultAsyncClientConnectionOperator {
        Operator(TlsStrategy tls, SchemePortResolver ports, DnsResolver names) {
            super(RegistryBuilder.<TlsStrategy>create().register(URIScheme.HTTPS.getId(), tls).build(), ports, names);
        }

        @Override
        public Future<ManagedAsyncClientConnection> connect(ConnectionInitiator initiator, HttpHost host,
                @Nullable Path unixSocket, NamedEndpoint name, SocketAddress local, Timeout timeout, Object attachment,
                HttpContext context, FutureCallback<ManagedAsyncClientConnection> callback) {
            return super.connect((to, remote, from, within, kind, opened) -> initiator.connect(to, remote, from, within,
                    kind, new CallbackContribution<>(opened) {
                        @Override
                        public void completed(IOSession session) {
                            adapt(session);
                            opened.completed(session);
                        }
                    }), host, unixSocket, name, local, timeout, attachment, context, callback);
        }
    }

    private static final class HeadParser extends DefaultHttpResponseParser<HttpResponse> {
        HeadParser(Http1Config config) {
            super(config, new HeaderLines(), DefaultHttpResponseFactory.INSTANCE);
        }

        @Override
        public @Nullable HttpResponse parse(SessionInputBuffer buffer, boolean endOfStream)
                throws IOException, HttpException {
            HttpResponse head = super.parse(buffer, endOfStream);
            if (head != null) {
                ignoreIdentity(head);
                mergeLengths(head);
            }
            return head;
        }
    }

    private static final class HeaderLines extends LazyLaxLineParser {
        /** Null, which the message does not add, if the line has no name. */
        @Override
        public @Nullable Header parseHeader(CharArrayBuffer line) {
            try {
                return super.parseHeader(line);
            } catch (ParseException e) {
                return null;
            }
        }
    }

    private static void ignoreIdentity(HttpMessage head) {
        if (!head.containsHeader(HttpHeaders.TRANSFER_ENCODING)) {
            return;
        }
        List<String> named = elements(head, HttpHeaders.TRANSFER_ENCODING);
        List<String> codings = named.stream().filter(coding -> !coding.equalsIgnoreCase(IDENTITY)).toList();
        if (codings.isEmpty() || codings.size() < named.size()) {
            replace(head, HttpHeaders.TRANSFER_ENCODING, codings);
        }
    }

    private static void mergeLengths(HttpMessage head) {
        Header first = head.getFirstHeader(HttpHeaders.CONTENT_LENGTH);
        if (first == null || isNumber(first.getValue()) && head.countHeaders(HttpHeaders.CONTENT_LENGTH) == 1) {
            return;
        }
        List<String> lengths = elements(head, HttpHeaders.CONTENT_LENGTH).stream()
                .map(length -> isNumber(length) ? length.replaceFirst("^0+(?=.)", "") : length).distinct().toList();
        if (lengths.size() < 2) {
            replace(head, HttpHeaders.CONTENT_LENGTH, lengths);
        }
    }

    private static void replace(HttpMessage head, String name, List<String> elements) {
        head.removeHeaders(name);
        if (!elements.isEmpty()) {
            head.addHeader(name, String.join(", ", elements));
        }
    }

    private static boolean isNumber(String value) {
        return !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Those of a list that may have several lines (RFC 9110 section 5.6.1), without empty ones. */
    private static List<String> elements(HttpMessage head, String name) {
        List<String> elements = new ArrayList<>();
        for (Iterator<Header> lines = head.headerIterator(name); lines.hasNext();) {
            Stream.of(lines.next().getValue().split("[ \t]*,[ \t]*")).filter(element -> !element.isEmpty())
                    .forEach(elements::add);
        }
        return elements;
    }
}
