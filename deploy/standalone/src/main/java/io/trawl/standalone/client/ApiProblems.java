package io.trawl.standalone.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which problem document (RFC 9457) is which exception. Pure. */
final class ApiProblems {
    private static final int FULL = 429;
    private static final String NO_SUCH_PAGE = "urn:trawl:problem:http-";
    private static final Set<String> NOT_CARRIED_OUT = Set.of("urn:trawl:problem:no-leader",
            "urn:trawl:problem:starting");

    private ApiProblems() {}

    /**
     * What an answer that is no success means; {@code call} is what was asked, for example {@code GET /api/v1/events}.
     */
    static RuntimeException of(String call, URI base, int status, HttpHeaders headers, byte[] body) {
        JsonNode problem = problem(body);
        String detail = problem.path("detail").asText("it answers " + status + " to " + call);
        if (status == FULL) {
            return new CoordinatorUnavailableException(detail
                    + headers.firstValue("Retry-After").map(seconds -> " (retry after " + seconds + " s)").orElse(""));
        }
        if (status >= 500) {
            return new CoordinatorUnavailableException("the coordinator at " + base + " cannot answer: " + detail);
        }
        if (noSuchPage(status, problem)) {
            return new CoordinatorUnavailableException((problem.has("type")
                    ? "the coordinator at " + base
                    : "the server at " + base + " is not a Trawl coordinator, or it") + " does not know " + call
                    + ": it is of another version than this command");
        }
        return new ApiRefusal(status,
                status == 401 || status == 403 ? List.of(denied(status, detail)) : lines(problem, detail));
    }

    /** Whether nothing was done, since the coordinator is starting or none leads now. */
    static boolean notCarriedOut(HttpResponse<byte[]> response) {
        return response.statusCode() == 503 && NOT_CARRIED_OUT.contains(problem(response.body()).path("type").asText());
    }

    /** Whether the path itself is unknown, and not the requested resource. */
    private static boolean noSuchPage(int status, JsonNode problem) {
        return (status == 404 || status == 405)
                && (!problem.hasNonNull("type") || problem.path("type").asText().startsWith(NO_SUCH_PAGE));
    }

    private static String denied(int status, String detail) {
        return detail + (status == 401
                ? ": set TRAWL_API_TOKEN to a token of this deployment"
                : ": the token in TRAWL_API_TOKEN is a read token");
    }

    private static List<String> lines(JsonNode problem, String detail) {
        List<String> lines = new ArrayList<>();
        problem.path("faults").forEach(fault -> lines.add(fault.path("field").asText() + ": '"
                + fault.path("value").asText() + "' is not valid: " + fault.path("rule").asText()));
        return lines.isEmpty() ? List.of(detail) : lines;
    }

    private static JsonNode problem(byte[] body) {
        try {
            return Json.mapper().readTree(body);
        } catch (IOException e) {
            // Not from a coordinator; the status is sufficient.
            return Json.mapper().createObjectNode();
        }
    }
}
