package io.trawl.downloader.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncServer;
import org.apache.hc.core5.http.message.BasicHttpResponse;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.entity.DiscardingEntityConsumer;
import org.apache.hc.core5.http.nio.support.AbstractServerExchangeHandler;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.nio.support.BasicResponseProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler.ResponseTrigger;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2ServerBootstrap;
import org.apache.hc.core5.http2.ssl.H2ServerTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ListenerEndpoint;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a real HTTP/2 server with a certificate made for the occasion. */
class FetchTlsTest extends FetchFixture {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static SSLContext tls;
    private final List<String> versions = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        Path store = folder.resolve("store.p12");
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Process process = new ProcessBuilder(keytool, "-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=localhost",
                "-ext", "SAN=DNS:localhost,IP:127.0.0.1",
                "-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", "changeit").redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.Charset.defaultCharset());
        assertThat(process.waitFor()).as(said).isZero();
        tls = SSLContexts.custom().loadKeyMaterial(store, PASSWORD, PASSWORD).loadTrustMaterial(store, PASSWORD).build();
    }

    private PooledWebClient trusting() {
        var settings = settings(Map.of("trawl.downloader.response-timeout", "5s")).downloader();
        return closing(new PooledWebClient(settings,
                new HostAddresses(AddressGuard.allowing(List.of("127.0.0.0/8")), InetAddress::getAllByName, Time.system()), tls,
                Time.system()));
    }

    private int server(HttpVersionPolicy policy) throws Exception {
        HttpAsyncServer server = H2ServerBootstrap.bootstrap().setVersionPolicy(policy)
                .setTlsStrategy(new H2ServerTlsStrategy(tls)).setCanonicalHostName("localhost")
                .register("*", Answering::new).create();
        server.start();
        closing(() -> server.close(CloseMode.IMMEDIATE));
        ListenerEndpoint endpoint = server.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), URIScheme.HTTPS)
                .get(5, TimeUnit.SECONDS);
        return ((InetSocketAddress) endpoint.getAddress()).getPort();
    }

    private final class Answering extends AbstractServerExchangeHandler<Message<HttpRequest, Void>> {
        @Override
        protected AsyncRequestConsumer<Message<HttpRequest, Void>> supplyConsumer(HttpRequest request, EntityDetails entity,
                HttpContext context) {
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

    private Fetched get(PooledWebClient web, String url) {
        return web
                .get(new Get(url, RequestHeaders.defaults("Trawl/1", "*/*"), java.util.Optional.empty(), BODY_LIMIT), () -> true)
                .orTimeout(20, TimeUnit.SECONDS).join();
    }

    @Test
    void http2IsSpokenWhereTheServerOffersIt() throws Exception {
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

    @Test
    void aStreamIsBrokenOffAtTheLimitAndTheNextFetchWorks() throws Exception {
        String url = "https://localhost:" + server(HttpVersionPolicy.NEGOTIATE);
        PooledWebClient web = trusting();
        for (int i = 0; i < 3; i++) {
            Fetched cut = get(web, url + "/large");
            assertThat(cut.outcome()).isEqualTo(new Outcome.Page(200, true));
            assertThat(cut.body().length()).isEqualTo(BODY_LIMIT);
            assertThat(text(get(web, url + "/"))).isEqualTo("secure");
        }
    }

    @Test
    void aTunnelOfAProxyCarriesTlsEndToEnd() throws Exception {
        int port = server(HttpVersionPolicy.NEGOTIATE);
        ForwardProxy proxy = closing(new ForwardProxy(""));
        PooledWebClient web = trusting();
        for (int i = 0; i < 2; i++) {
            Get get = new Get("https://localhost:" + port + "/" + i, RequestHeaders.defaults("Trawl/1", "*/*"),
                    java.util.Optional.of(proxy.url()), BODY_LIMIT);
            Fetched fetched = web.get(get, () -> true).orTimeout(20, TimeUnit.SECONDS).join();
            assertThat(fetched.outcome()).isEqualTo(new Outcome.Page(200, false));
            assertThat(text(fetched)).isEqualTo("secure");
        }
        assertThat(proxy.heads()).singleElement().asString().startsWith("CONNECT localhost:" + port + " ")
                .doesNotContain("Trawl/1");
    }

    @Test
    void aCertificateThatNobodySignedIsATlsFailure() throws Exception {
        Fetched fetched = fetch(request("https://localhost:" + server(HttpVersionPolicy.NEGOTIATE) + "/", FetchOptions.NONE));
        assertFailure(fetched, FailureReason.TLS, "handshake");
        assertThat(versions).isEmpty();
    }
}
