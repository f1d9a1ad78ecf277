package io.trawl.downloader.fetch.http;

import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpRequestInterceptor;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpResponseInterceptor;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.protocol.HttpContext;

/**
 * The request for a tunnel: says to the proxy who the crawler is, which the host behind it does not see, and notes that
 * the tunnel is open.
 */
public final class ProxyTunnel implements HttpRequestInterceptor, HttpResponseInterceptor {
    private static final String AUTHORIZATION = "trawl.proxy.authorization";
    private static final String OPEN = "trawl.proxy.tunnel";

    /**
     * The value that the tunnel of an exchange is asked for with. Tunnels of others are not used for it, although they
     * lead to the same host.
     */
    public static void authorize(HttpClientContext context, String value) {
        context.setAttribute(AUTHORIZATION, value);
        context.setUserToken(value);
    }

    /** Whether the proxy has opened a tunnel in this exchange. */
    public static boolean open(HttpClientContext context) {
        return context.getAttribute(OPEN) != null;
    }

    @Override
    public void process(HttpRequest request, EntityDetails entity, HttpContext context) {
        if (context.getAttribute(AUTHORIZATION) instanceof String value) {
            request.setHeader(HttpHeaders.PROXY_AUTHORIZATION, value);
        }
    }

    @Override
    public void process(HttpResponse response, EntityDetails entity, HttpContext context) {
        if (response.getCode() == HttpStatus.SC_OK) {
            context.setAttribute(OPEN, true);
        }
    }
}
