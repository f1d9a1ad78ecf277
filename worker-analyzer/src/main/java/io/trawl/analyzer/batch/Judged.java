package io.trawl.analyzer.batch;

import io.trawl.model.Request;
import io.trawl.model.Response;

/**
 * A response with what the ledger rules decided about it.
 *
 * @param stores whether it is the first response of its URL
 * @param follows whether it is the first at its depth or less
 */
record Judged(Received received, boolean stores, boolean follows) {
    Response response() {
        return received.response();
    }

    Request request() {
        return received.response().request();
    }
}
