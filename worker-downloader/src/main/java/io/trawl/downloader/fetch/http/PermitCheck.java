package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.FetchPermit;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpRequestInterceptor;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the permit of a request once more, on the thread that writes it when the connection is open. The client
 * hands a request over long before.
 */
final class PermitCheck implements HttpRequestInterceptor {
    private static final String PERMIT = "trawl.permit";

    /** The permit has ended: nothing was sent. */
    static final class NotCleared extends HttpException {
        NotCleared() {
            super("the partition was revoked before the request was sent");
        }
    }

    static void attach(FetchPermit fetchPermit, HttpContext context) {
        context.setAttribute(PERMIT, fetchPermit);
    }

    @Override
    public void process(HttpRequest request, @Nullable EntityDetails entity, HttpContext context) throws HttpException {
        if (!(context.getAttribute(PERMIT) instanceof FetchPermit fetchPermit) || !fetchPermit.holds()) {
            throw new NotCleared();
        }
    }
}
