package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.budget.SlotLimit;
import io.trawl.downloader.fetch.budget.BoundedIOSession;
import io.trawl.downloader.fetch.budget.ReceiveBudget;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.nio.channels.ClosedSelectorException;
import java.util.ConcurrentModificationException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.DefaultAuthenticationStrategy;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.async.AsyncConnectExec;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManager;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.concurrent.DefaultThreadFactory;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpRequestInterceptor;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpResponseInterceptor;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.protocol.DefaultHttpProcessor;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.http2.frame.FrameConsts;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.util.TimeValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures the HTTP client, with the reasons. */
final class HttpClientFactory {
    /** A kept connection uses 27 KB of memory with this buffer, and 103 KB with the library's default. */
    private static final int BUFFER = 8 * 1024;
    /** The longest header line: longer than existing content policies and cookies. */
    private static final int LINE = 32 * 1024;
    private static final int HEADER_COUNT = 500;
    /**
     * How long an idle connection is kept if the server sets no limit: longer than usual delays, shorter than usual
     * servers keep it.
     */
    private static final TimeValue IDLE = TimeValue.ofSeconds(20);
    /** TLS sessions kept for resumption, each with the certificates of its server. The library's default is 20,480. */
    private static final int TLS_SESSIONS = 1_000;
    /** CONTINUATION frames of 16 KiB in one HTTP/2 header block: twice the limit of the headers. */
    private static final int CONTINUATIONS = 2 * ResponseConsumer.HEADERS / FrameConsts.MIN_FRAME_SIZE;

    private static final Logger LOG = LoggerFactory.getLogger(HttpClientFactory.class);

    private static final Http1Config HTTP_1 = Http1Config.custom().setBufferSize(BUFFER).setMaxLineLength(LINE)
            .setMaxHeaderCount(HEADER_COUNT).build();

    private HttpClientFactory() {}

    /**
     * Limits of each request. Redirects, authentication and upgrades of the library are off: the crawl decides about
     * them.
     */
    static RequestConfig requests(Settings.DownloaderSettings settings) {
        return RequestConfig.custom().setRedirectsEnabled(false).setAuthenticationEnabled(false)
                .setProtocolUpgradeEnabled(false).setContentCompressionEnabled(false)
                .setResponseTimeout(PooledWebClient.timeout(settings.responseTimeout()))
                .setConnectionRequestTimeout(PooledWebClient.timeout(settings.totalTimeout()))
                .setConnectionKeepAlive(IDLE).build();
    }

    static CloseableHttpAsyncClient client(Settings.DownloaderSettings settings, DnsResolver resolver, SSLContext tls,
            Time time) {
        tls.getClientSessionContext().setSessionCacheSize(TLS_SESSIONS);
        return HttpAsyncClientBuilder.create().setConnectionManager(pool(settings, resolver, tls))
                .setHttp1Config(HTTP_1)
                .setH2Config(H2Config.custom().setPushEnabled(false).setMaxHeaderListSize(ResponseConsumer.HEADERS)
                        .setMaxFrameSize(FrameConsts.MIN_FRAME_SIZE).setMaxContinuations(CONTINUATIONS).build())
                .setIOReactorConfig(IOReactorConfig.custom().setTcpNoDelay(true).build())
                .setIoSessionDecorator(session -> new BoundedIOSession(session, settings.totalTimeout(), time))
                .setConnectionReuseStrategy(HttpClientFactory::isReusable)
                .replaceExecInterceptor(ChainElement.CONNECT.name(), tunnels())
                .addRequestInterceptorLast(new PermitCheck()).setThreadFactory(new DefaultThreadFactory("fetch", true))
                .setIoReactorExceptionCallback(HttpClientFactory::report).setUserAgent("").disableRedirectHandling()
                .disableCookieManagement().disableAutomaticRetries().disableAuthCaching().disableConnectionState()
                .disableContentCompression().disableRequestPriority().evictExpiredConnections()
                .evictIdleConnections(IDLE).build();
    }

    /** As the client's own, but CONNECT carries who the crawler is for the proxy, without being asked. */
    private static AsyncConnectExec tunnels() {
        ProxyTunnel proxyTunnel = new ProxyTunnel();
        HttpProcessor processor = new DefaultHttpProcessor(
                new HttpRequestInterceptor[]{new RequestTargetHost(), proxyTunnel},
                new HttpResponseInterceptor[]{proxyTunnel});
        return new AsyncConnectExec(processor, DefaultAuthenticationStrategy.INSTANCE,
                DefaultSchemePortResolver.INSTANCE, true);
    }

    /** The client asks this after each 100 (Continue), which it reports nowhere else, and after each final response. */
    private static boolean isReusable(HttpRequest request, HttpResponse response, HttpContext context) {
        if (response.getCode() == HttpStatus.SC_CONTINUE) {
            ReceiveBudget.of(context).ifPresent(ReceiveBudget::interim);
            return true;
        }
        return DefaultClientConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context);
    }

    /**
     * Errors that belong to no exchange. An immediate close empties the selector while the reactor walks it, which is
     * reported here, too.
     */
    private static void report(Exception error) {
        if (error instanceof ClosedSelectorException || error instanceof ConcurrentModificationException) {
            LOG.debug("Reactor closed", error);
        } else {
            LOG.warn("The HTTP client's reactor reports a fault", error);
        }
    }

    /**
     * The buffers of TLS, 50 KB, are there while bytes are in them: one that waits for its first byte costs as much as
     * without TLS.
     */
    private static PoolingAsyncClientConnectionManager pool(Settings.DownloaderSettings settings, DnsResolver resolver,
            SSLContext tls) {
        SlotLimit limit = SlotLimit.of(settings);
        ConnectionConfig connections = ConnectionConfig.custom()
                .setConnectTimeout(PooledWebClient.timeout(settings.connectTimeout()))
                .setSocketTimeout(PooledWebClient.timeout(settings.responseTimeout())).build();
        TlsConfig handshake = TlsConfig.custom()
                .setVersionPolicy(settings.http2() ? HttpVersionPolicy.NEGOTIATE : HttpVersionPolicy.FORCE_HTTP_1)
                .setHandshakeTimeout(PooledWebClient.timeout(settings.connectTimeout())).build();
        return new LenientHttp1(HTTP_1, HttpClientFactory::isReusable).setDnsResolver(resolver)
                .setTlsStrategy(ClientTlsStrategyBuilder.create().setSslContext(tls)
                        .setSslBufferMode(SSLBufferMode.DYNAMIC).buildAsync())
                .setDefaultTlsConfig(handshake).setDefaultConnectionConfig(connections)
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.STRICT).setMaxConnTotal(limit.connections())
                .setMaxConnPerRoute(limit.connections()).build();
    }
}
