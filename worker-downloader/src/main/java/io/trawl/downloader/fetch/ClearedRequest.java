package io.trawl.downloader.fetch;

import java.io.IOException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.RequestChannel;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.protocol.HttpContext;

/** A request without a body that leaves only under clearance: asked once more when the connection stands and its bytes are wanted. */
final class ClearedRequest extends BasicRequestProducer {
    private final Clearance clearance;

    /** The clearance has ended: nothing was sent. */
    static final class NotCleared extends HttpException {
        NotCleared() {
            super("the partition was given back before the request was sent");
        }
    }

    ClearedRequest(BasicHttpRequest request, Clearance clearance) {
        super(request, null);
        this.clearance = clearance;
    }

    @Override
    public void sendRequest(RequestChannel channel, HttpContext context) throws HttpException, IOException {
        if (!clearance.holds()) {
            throw new NotCleared();
        }
        super.sendRequest(channel, context);
    }
}
