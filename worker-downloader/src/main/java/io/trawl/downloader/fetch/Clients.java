package io.trawl.downloader.fetch;

import io.trawl.settings.Settings;
import java.nio.channels.ClosedSelectorException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManager;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.core5.concurrent.DefaultThreadFactory;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.config.H2Config;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.TimeValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the HTTP client is set up, with the reasons. */
final class Clients {
    /** A kept connection holds 27 KB of memory with this buffer, and 103 KB with the library's own. */
    private static final int BUFFER = 8 * 1024;
    /** The longest header line: longer than the content policies and cookies that exist. */
    private static final int LINE = 32 * 1024;
    private static final int HEADER_COUNT = 500;
    /** How long an idle connection is kept where the server does not say: longer than usual delays, shorter than usual servers keep it. */
    private static final TimeValue IDLE = TimeValue.ofSeconds(20);
    /** Open connections, in use or kept, per fetch in flight: room to come back to a host after its delay. */
    private static final int KEPT_PER_FETCH = 8;
    private static final int LEAST_KEPT = 512;

    private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

    private Clients() {}

    /** Limits of each request. The library would follow redirects, answer authentication and offer upgrades: the crawl decides about all of them. */
    static RequestConfig requests(Settings.Downloader settings) {
        return RequestConfig.custom().setRedirectsEnabled(false).setAuthenticationEnabled(false).setProtocolUpgradeEnabled(false)
                .setContentCompressionEnabled(false).setResponseTimeout(PooledWebClient.timeout(settings.responseTimeout()))
                .setConnectionRequestTimeout(PooledWebClient.timeout(settings.totalTimeout())).setConnectionKeepAlive(IDLE)
                .build();
    }

    static CloseableHttpAsyncClient client(Settings.Downloader settings, DnsResolver resolver, SSLContext tls) {
        return HttpAsyncClientBuilder.create().setConnectionManager(pool(settings, resolver, tls))
                .setHttp1Config(
                        Http1Config.custom().setBufferSize(BUFFER).setMaxLineLength(LINE).setMaxHeaderCount(HEADER_COUNT).build())
                .setH2Config(H2Config.custom().setPushEnabled(false).setMaxHeaderListSize(AnswerConsumer.HEADERS).build())
                .setIOReactorConfig(IOReactorConfig.custom().setTcpNoDelay(true).build())
                .setThreadFactory(new DefaultThreadFactory("fetch", true))

                .setIoReactorExceptionCallback(Clients::report).setUserAgent("").disableRedirectHandling()
                .disableCookieManagement().disableAutomaticRetries().disableAuthCaching().disableConnectionState()
                .disableContentCompression().disableRequestPriority().evictExpiredConnections().evictIdleConnections(IDLE)
                .build();
    }

    /** What no exchange has been told. Closing at once interrupts the reactor's last round, which it reports as well. */
    private static void report(Exception error) {
        if (error instanceof ClosedSelectorException) {
            LOG.debug("Reactor closed", error);
        } else {
            LOG.warn("The HTTP client's reactor reports a fault", error);
        }
    }

    private static PoolingAsyncClientConnectionManager pool(Settings.Downloader settings, DnsResolver resolver, SSLContext tls) {
        ConnectionConfig connections = ConnectionConfig.custom()
                .setConnectTimeout(PooledWebClient.timeout(settings.connectTimeout()))
                .setSocketTimeout(PooledWebClient.timeout(settings.responseTimeout())).build();
        TlsConfig handshake = TlsConfig.custom().setVersionPolicy(HttpVersionPolicy.NEGOTIATE)
                .setHandshakeTimeout(PooledWebClient.timeout(settings.connectTimeout())).build();
        return PoolingAsyncClientConnectionManagerBuilder.create().setDnsResolver(resolver)
                .setTlsStrategy(ClientTlsStrategyBuilder.create().setSslContext(tls).buildAsync()).setDefaultTlsConfig(handshake)
                .setDefaultConnectionConfig(connections).setPoolConcurrencyPolicy(PoolConcurrencyPolicy.STRICT)
                .setMaxConnTotal(Math.max(LEAST_KEPT, settings.concurrency() * KEPT_PER_FETCH))
                .setMaxConnPerRoute(Math.max(LEAST_KEPT, settings.concurrency()))
                .build();
    }
}
