package io.trawl.pipeline.opensearch;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What became of each document of a bulk request. A document that is there already, or a newer version of it, counts as
 * stored: it was given before.
 *
 * @param refused by place in the request, why the index refuses a document for good
 * @param again the places of those that the server was too busy for
 * @param busy why
 */
record BulkAnswer(Map<Integer, String> refused, List<Integer> again, String busy) {
    private static final int CONFLICT = 409;
    /** What a deletion of no document answers. */
    private static final int NOT_FOUND = 404;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final int MOST_SHOWN = 300;

    /**
     * Reads an answer.
     *
     * @param documents in the request
     * @throws IOException if a document has a failure that is neither its own nor one of load, such as an index that is
     * closed: then all is to be tried again
     */
    static BulkAnswer read(byte[] body, int documents) throws IOException {
        JsonNode items = Json.mapper().readTree(body).path("items");
        if (items.size() != documents) {
            throw new IOException("the bulk request has " + documents + " documents, and its answer " + items.size());
        }
        Map<Integer, String> refused = new TreeMap<>();
        List<Integer> again = new ArrayList<>();
        String busy = "";
        for (int i = 0; i < documents; i++) {
            int status = items.get(i).findPath("status").asInt();
            JsonNode error = items.get(i).findPath("error");
            String cause = cause(error);
            if (status == TOO_MANY || status >= SERVER_ERROR) {
                again.add(i);
                busy = cause;
            } else if (status == BAD_REQUEST && isOfDocument(cause)) {
                refused.put(i, cause);
            } else if (status / 100 != 2 && status != CONFLICT && !(status == NOT_FOUND && error.isMissingNode())) {
                throw new IOException("the index answers " + status + ": " + cause);
            }
        }
        return new BulkAnswer(refused, again, busy);
    }

    /** An alias without an index to write to, or a pipeline that is missing, is no fault of a document. */
    private static boolean isOfDocument(String cause) {
        return cause.startsWith("mapper_parsing_exception") || cause.startsWith("strict_dynamic_mapping_exception")
                || cause.startsWith("document_parsing_exception") || cause.startsWith("illegal_argument_exception")
                        && !cause.contains("alias") && !cause.contains("pipeline");
    }

    private static String cause(JsonNode error) {
        String cause = error.path("type").asText() + ": " + error.path("reason").asText();
        return cause.substring(0, Math.min(cause.length(), MOST_SHOWN));
    }
}
