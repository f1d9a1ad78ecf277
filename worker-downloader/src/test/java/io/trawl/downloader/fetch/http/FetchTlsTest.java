package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.ProxyAddress;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncServer;
import org.apache.hc.core5.http.message.BasicHttpResponse;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler.ResponseTrigger;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.DiscardingEntityConsumer;
import org.apache.hc.core5.http.nio.support.AbstractServerExchangeHandler;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.nio.support.BasicResponseProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2ServerBootstrap;
import org.apache.hc.core5.http2.ssl.H2ServerTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ListenerEndpoint;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real HTTP/2 server with a certificate of the test. */
class FetchTlsTest extends FetchFixture {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final CrawlVariables SECRETS = new CrawlVariables(Map.of("TRAWL_SECRET_P", "hush"));
    private static SSLContext tls;
    private final List<String> versions = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void makeCertificate(@TempDir Path folder)
            throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(keytool, "-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname",
                "CN=localhost", "-ext", "SAN=DNS:localhost,IP:127.0.0.1", "-keystore", store.toString(), "-storetype",
                "PKCS12", "-storepass", "changeit").redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.Charset.defaultCharset());
        assertThat(process.waitFor()).as(said).isZero();
        tls = SSLContexts.custom().loadKeyMaterial(store, PASSWORD, PASSWORD).loadTrustMaterial(store, PASSWORD)
                .build();
    }

    private PooledWebClient trusting() {
        return trusting(Map.of("trawl.downloader.response-timeout", "5s", "trawl.downloader.http2", "true"));
    }

    private PooledWebClient trusting(Map<String, String> own) {
        var settings = settings(own).downloader();
        return closing(new PooledWebClient(settings,
                new HostResolver(AddressGuard.allowing(List.of("127.0.0.0/8")), NameService.system(), Time.system()),
                tls, new BodyMemory(BodyMemory.LEAST_SHARE, 64, BODY_LIMIT, Time.system()), Time.system()));
    }

    private int server(HttpVersionPolicy policy) throws Exception {
        HttpAsyncServer server = H2ServerBootstrap.bootstrap().setVersionPolicy(policy)
                .setTlsStrategy(new H2ServerTlsStrategy(tls)).setCanonicalHostName("localhost")
                .register("*", Answering::new).create();
        server.start();
        closing(() -> server.close(CloseMode.IMMEDIATE));
        ListenerEndpoint endpoint = server
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), URIScheme.HTTPS)
                .get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
        return ((InetSocketAddress) endpoint.getAddress()).getPort();
    }

    private final class Answering extends AbstractServerExchangeHandler<Message<HttpRequest, Void>> {
        @Override
        protected AsyncRequestConsumer<Message<HttpRequest, Void>> supplyConsumer(HttpRequest request,
                EntityDetails entity, HttpContext context) {
            return new BasicRequestConsumer<>(new DiscardingEntityConsumer<>());
        }

        @Override
        protected void handle(Message<HttpRequest, Void> message, ResponseTrigger trigger, HttpContext context)
                throws org.apache.hc.core5.http.HttpException, IOException {
            versions.add(context.getProtocolVersion().toString());
            byte[] body = message.getHead().getPath().equals("/large")
                    ? new byte[5_000_000]
                    : "secure".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
            trigger.submitResponse(new BasicResponseProducer(new BasicHttpResponse(200),
                    new BasicAsyncEntityProducer(body, ContentType.TEXT_PLAIN)), context);
        }
    }

    private FetchResult get(PooledWebClient web, String url) {
        return web.send(new FetchRequest(url, RequestHeaders.defaults("Trawl/1", "*/*"), List.of(), BODY_LIMIT),
                () -> true).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Test
    void http2IsOffByDefault() throws Exception {
        String url = "https://localhost:" + server(HttpVersionPolicy.NEGOTIATE);
        PooledWebClient web = trusting(Map.of("trawl.downloader.response-timeout", "5s"));
        assertThat(text(get(web, url + "/"))).isEqualTo("secure");
        assertThat(versions).containsExactly("HTTP/1.1");
    }

    @Test
    void http2IsSpokenWhereItIsOnAndTheServerOffersIt() throws Exception {
        String url = "https://localhost:" + server(HttpVersionPolicy.NEGOTIATE);
        PooledWebClient web = trusting();
        for (int i = 0; i < 3; i++) {
            assertThat(text(get(web, url + "/" + i))).isEqualTo("secure");
        }
        assertThat(versions).containsOnly("HTTP/2.0").hasSize(3);
    }

    @Test
    void http1IsSpokenOverTlsWhereTheServerOffersNothingElse() throws Exception {
        String url = "https://localhost:" + server(HttpVersionPolicy.FORCE_HTTP_1);
        assertThat(text(get(trusting(), url + "/"))).isEqualTo("secure");
        assertThat(versions).containsExactly("HTTP/1.1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void oddLinesOfHeadsAndTrailersAreSkippedOverTlsToo(String http2) throws Exception {
        int port = raw("http/1.1", socket -> {
            socket.getInputStream().read();
            socket.getOutputStream().write("""
                    HTTP/1.1 200 OK\r
                    no colon\r
                    Transfer-Encoding: chunked\r
                    \r
                    6\r
                    secure\r
                    0\r
                    no colon\r
                    \r
                    """.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        });
        FetchResult page = get(trusting(Map.of("trawl.downloader.http2", http2)), "https://localhost:" + port + "/");
        assertThat(page.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(text(page)).isEqualTo("secure");
    }

    @Test
    void aStreamIsResetAtTheLimitAndTheNextFetchWorks() throws Exception {
        String url = "https://localhost:" + server(HttpVersionPolicy.NEGOTIATE);
        PooledWebClient web = trusting();
        for (int i = 0; i < 3; i++) {
            FetchResult cut = get(web, url + "/large");
            assertThat(cut.outcome()).isEqualTo(new Outcome.Success(200, true));
            assertThat(cut.body().length()).isEqualTo(BODY_LIMIT);
            assertThat(text(get(web, url + "/"))).isEqualTo("secure");
        }
    }

    @Test
    void aTunnelOfAProxyCarriesTlsEndToEnd() throws Exception {
        int port = server(HttpVersionPolicy.NEGOTIATE);
        ForwardProxy proxy = closing(new ForwardProxy(""));
        String authorized = proxy.url("crawler:${env:TRAWL_SECRET_P}");
        PooledWebClient web = trusting();
        for (int i = 0; i < 2; i++) {
            FetchRequest fetchRequest = new FetchRequest("https://localhost:" + port + "/" + i,
                    RequestHeaders.defaults("Trawl/1", "*/*"), List.of(ProxyAddress.of(authorized, SECRETS)),
                    BODY_LIMIT);
            FetchResult fetchResult = web.send(fetchRequest, () -> true)
                    .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
            assertThat(fetchResult.outcome()).isEqualTo(new Outcome.Success(200, false));
            assertThat(text(fetchResult)).isEqualTo("secure");
        }
        assertThat(proxy.heads()).singleElement().asString().startsWith("CONNECT localhost:" + port + " ")
                .contains("\r\nProxy-Authorization: Basic Y3Jhd2xlcjpodXNo\r\n").doesNotContain("Trawl/1");
    }

    @Test
    void aSelfSignedCertificateIsATlsFailure() throws Exception {
        FetchResult fetchResult = fetch(
                request("https://localhost:" + server(HttpVersionPolicy.NEGOTIATE) + "/", FetchOptions.NONE));
        assertFailure(fetchResult, FailureReason.TLS, "handshake");
        assertThat(versions).isEmpty();
    }

    static Stream<byte[]> controlFrames() {
        byte[] ping = new byte[17];
        ping[2] = 8;
        ping[3] = 6;
        byte[] windowUpdate = {0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1};
        byte[] unknown = {0, 0, 0, 99, 0, 0, 0, 0, 0};
        return Stream.of(ping, SETTINGS, windowUpdate, unknown);
    }

    @ParameterizedTest
    @MethodSource("controlFrames")
    void controlFramesWithoutEndFromAServerThatStopsReadingAreCounted(byte[] frame) throws Exception {
        AtomicInteger bursts = new AtomicInteger();
        int port = raw("h2", socket -> {
            socket.getOutputStream().write(SETTINGS);
            readUntilHeaders(new DataInputStream(socket.getInputStream()));
            writeWithoutEnd(frame, socket, bursts);
        });
        assertFailure(getHttp2(port), FailureReason.PROTOCOL, "control frames");
        assertThat(bursts.get()).as("no more than the socket buffers hold").isLessThan(5_000);
    }

    @Test
    void controlFramesBeforeTheRequestAreCounted() throws Exception {
        AtomicInteger bursts = new AtomicInteger();
        int port = raw("h2", socket -> writeWithoutEnd(SETTINGS, socket, bursts));
        assertThat(getHttp2(port).outcome()).isInstanceOfSatisfying(Outcome.Failure.class,
                failure -> assertThat(failure.reason()).isIn(FailureReason.PROTOCOL, FailureReason.CONNECT));
        assertThat(bursts.get()).isLessThan(5_000);
    }

    private FetchResult getHttp2(int port) {
        return get(trusting(Map.of("trawl.downloader.response-timeout", "4s", "trawl.downloader.http2", "true")),
                "https://localhost:" + port + "/");
    }

    /** Reads the preface and the frames up to the request (RFC 9113 sections 3.4 and 4.1). */
    private static void readUntilHeaders(DataInputStream in) throws IOException {
        in.skipNBytes(24);
        for (int type = -1; type != 1;) {
            int lengthAndType = in.readInt();
            type = lengthAndType & 0xff;
            in.skipNBytes(5 + (lengthAndType >>> 8));
        }
    }

    private static void writeWithoutEnd(byte[] frame, Socket socket, AtomicInteger bursts) throws IOException {
        ByteArrayOutputStream burst = new ByteArrayOutputStream();
        for (int i = 0; i < 500; i++) {
            burst.writeBytes(frame);
        }
        while (true) {
            socket.getOutputStream().write(burst.toByteArray());
            bursts.incrementAndGet();
        }
    }

    @Test
    void aDripInTheHandshakeEndsAtTheTotalTimeOut() throws Exception {
        ServerSocket server = closing(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        CompletableFuture<Boolean> gone = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (Socket socket = server.accept()) {
                socket.getOutputStream().write(new byte[]{22, 3, 3, 0x3f, 0, 2, 0, 0x3e, (byte) 0xfc});
                while (!gone.isDone()) {
                    Thread.sleep(Duration.ofMillis(50));
                    socket.getOutputStream().write(0);
                }
            } catch (IOException e) {
                gone.complete(true);
            } catch (InterruptedException e) {
                gone.complete(false);
            }
        });
        PooledWebClient web = trusting(Map.of("trawl.downloader.total-timeout", "1s"));
        assertFailure(get(web, "https://localhost:" + server.getLocalPort() + "/"), FailureReason.TIMEOUT);
        assertThat(gone.get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).as("the connection was closed").isTrue();
    }

    private interface Conversation {
        void with(SSLSocket socket) throws IOException;
    }

    /** A server that negotiates a protocol and then writes whatever the test wants. */
    private int raw(String protocol, Conversation conversation) throws IOException {
        SSLServerSocket server = closing((SSLServerSocket) tls.getServerSocketFactory().createServerSocket(0, 5,
                InetAddress.getLoopbackAddress()));
        SSLParameters parameters = server.getSSLParameters();
        parameters.setApplicationProtocols(new String[]{protocol});
        server.setSSLParameters(parameters);
        Thread.ofPlatform().daemon().start(() -> {
            while (!server.isClosed()) {
                try (SSLSocket socket = (SSLSocket) server.accept()) {
                    conversation.with(socket);
                } catch (IOException e) {
                    // the client has gone, or the test is over
                }
            }
        });
        return server.getLocalPort();
    }
}
