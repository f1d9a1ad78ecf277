package io.trawl.worker;

import io.trawl.model.Role;
import io.trawl.codec.Json;
import java.util.Map;

/**
 * One thing that a module does at once for whoever asks at its address.
 *
 * @param method GET or POST
 * @param path the whole path, without a slash at the end
 * @param needed the role that a caller needs
 * @param accepts the media type of the body; never one that a browser sends across sites without asking first; empty for a GET
 * @param largestBody in bytes
 * @param handler does it
 */
public record DirectCall(String method, String path, Role needed, String accepts, int largestBody, Handler handler) {
    /** What somebody who looks asks for. */
    public static DirectCall get(String path, Handler handler) {
        return new DirectCall("GET", path, Role.READ, "", 0, handler);
    }

    /** What somebody asks for who has something done. */
    public static DirectCall post(String path, String accepts, int largestBody, Handler handler) {
        return new DirectCall("POST", path, Role.WRITE, accepts, largestBody, handler);
    }

    /** Does what is asked. Called by many threads, which it may block. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Answers.
         *
         * @throws io.trawl.model.InvalidValue if the question breaks a rule: 400
         * @throws io.trawl.codec.MalformedRecord if its body cannot be read: 400
         * @throws io.trawl.ledger.LedgerUnavailable if Redis does not answer: 503
         * @throws InterruptedException if the process ends
         */
        Answer answer(Question question) throws InterruptedException;
    }

    /**
     * What is asked.
     *
     * @param query the parameters, decoded; of one that is repeated the last
     * @param body empty for a GET
     */
    public record Question(Map<String, String> query, byte[] body) {}

    /**
     * What is answered.
     *
     * @param contentType of the body
     * @param headers further ones
     */
    public record Answer(int status, String contentType, byte[] body, Map<String, String> headers) {
        /** JSON with status 200. */
        public static Answer json(byte[] body) {
            return new Answer(200, "application/json", body, Map.of());
        }

        /** A problem document (RFC 9457). @param detail for people */
        public static Answer problem(int status, String detail, Map<String, String> headers) {
            byte[] body = Json.bytes(Map.of("status", status, "detail", detail));
            return new Answer(status, "application/problem+json", body, headers);
        }
    }
}
