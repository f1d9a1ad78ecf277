package io.trawl.http;

import io.trawl.settings.Role;
import java.util.Map;

/**
 * One thing that a module does at once for callers at its address.
 *
 * @param method GET or POST
 * @param path the whole path, without a slash at the end
 * @param needed the role that a caller needs
 * @param accepts the media type of the body; never one that a browser sends across sites without asking first; empty
 * for a GET
 * @param largestBody in bytes
 * @param handler does it
 */
public record DirectCall(String method, String path, Role needed, String accepts, int largestBody, Handler handler) {
    /** A call that looks at something. */
    public static DirectCall get(String path, Handler handler) {
        return new DirectCall("GET", path, Role.READ, "", 0, handler);
    }

    /** A call that has something done. */
    public static DirectCall post(String path, String accepts, int largestBody, Handler handler) {
        return new DirectCall("POST", path, Role.WRITE, accepts, largestBody, handler);
    }

    /** Does what is asked. Called by many threads, which it may block. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Answers. What it throws becomes a problem document.
         *
         * @throws CallRefusedException if the call gets no other answer: its status
         * @throws io.trawl.model.InvalidValueException if the question breaks a rule: 400
         * @throws io.trawl.codec.MalformedRecordException if its body cannot be read: 400
         * @throws io.trawl.ledger.LedgerUnavailableException if Redis does not answer: 503
         * @throws InterruptedException if the process ends
         */
        CallResponse answer(CallRequest callRequest) throws InterruptedException;
    }

    /**
     * A call.
     *
     * @param query the parameters, decoded; of one that is repeated the last
     * @param body empty for a GET
     */
    public record CallRequest(Map<String, String> query, byte[] body) {}

    /**
     * The answer to a call.
     *
     * @param contentType of the body
     * @param headers further ones
     */
    public record CallResponse(int status, String contentType, byte[] body, Map<String, String> headers) {
        /** JSON with status 200. */
        public static CallResponse json(byte[] body) {
            return new CallResponse(200, "application/json", body, Map.of());
        }
    }
}
