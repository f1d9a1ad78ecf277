package io.trawl.analyzer.batch;

import io.trawl.model.Request;
import io.trawl.model.Response;

/**
 * A response with the decision of the ledger rules.
 *
 * @param stores whether it is the first response of its URL
 * @param follows whether it is the first response of its URL at this depth or a smaller one
 */
record JudgedResponse(ReceivedResponse received, boolean stores, boolean follows) {
    /** The same with a body that is not packed. */
    JudgedResponse unpacked() {
        return new JudgedResponse(
                new ReceivedResponse(response().unpacked(), received.partition(), received.position()), stores,
                follows);
    }

    Response response() {
        return received.response();
    }

    Request request() {
        return received.response().request();
    }
}
