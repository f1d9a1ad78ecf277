package io.trawl.http;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LedgerUnavailableException.WritesRefusedException;
import io.trawl.model.InvalidValueException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which exception is which problem. A module with exceptions of its own extends it. Pure, but for a line in the log
 * about an unexpected exception.
 */
public class ProblemMapping {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemMapping.class);

    /**
     * The problem that an exception is.
     *
     * @param path what was asked for
     */
    public Problem problem(Exception e, String path) {
        return switch (e) {
            case CallRefusedException refused -> refused(refused, path);
            case InvalidValueException invalid -> Problem.of("invalid", "The request breaks rules", 400,
                    message(invalid), path, List.of(invalid.fault()));
            case MalformedRecordException malformed -> malformed.fault()
                    .map(fault -> fault.field().isEmpty() ? fault.of("body") : fault)
                    .map(fault -> Problem.of("malformed", "The body cannot be read", 400,
                            message(new MalformedRecordException(fault)), path, List.of(fault)))
                    .orElseGet(() -> Problem.of("malformed", "The body cannot be read", 400, message(malformed), path));
            case WritesRefusedException redis ->
                Problem.of("unavailable", "Redis refuses writes", 503, message(redis), path);
            case LedgerUnavailableException redis ->
                Problem.of("unavailable", "Redis does not answer", 503, message(redis), path);
            case InterruptedException _ -> Problem.of("http-503", title(503), 503, "stopping", path);
            default -> {
                LOG.error("error while answering {}", path, e);
                yield Problem.of("internal", "An error of this process", 500, "see its log", path);
            }
        };
    }

    private static Problem refused(CallRefusedException refused, String path) {
        int status = refused.status();
        String word = refused.isStarting() ? "starting" : status == 401 || status == 403 ? "access" : "http-" + status;
        return Problem.of(word, title(status), status, message(refused), path);
    }

    private static String title(int status) {
        return switch (status) {
            case 401 -> "A token is needed";
            case 403 -> "Not allowed";
            case 400 -> "The request cannot be read";
            case 404 -> "No such page";
            case 405 -> "Not a method of this page";
            case 406 -> "Not a media type of the answer";
            case 412 -> "Changed in the meantime";
            case 413 -> "The body is too large";
            case 414 -> "The address is too long";
            case 415 -> "Not a media type of this page";
            case 421 -> "Another process answers this";
            case 431 -> "The headers are too large";
            case 505 -> "Not a version of HTTP that is spoken here";
            default -> "The request cannot be answered";
        };
    }

    /** After how many seconds to try again, if an exception knows that. */
    protected OptionalLong again(Exception e) {
        return OptionalLong.empty();
    }

    /** The message of an exception as the detail of a problem. */
    protected static String message(Exception e) {
        return String.valueOf(e.getMessage());
    }

    /**
     * The answer to a call that ended with an exception: a problem document, with the headers that its status asks for.
     */
    final CallResponse response(Exception e, String path) {
        Problem problem = problem(e, path);
        Map<String, String> headers = new HashMap<>();
        switch (problem.status()) {
            case 401 -> headers.put("WWW-Authenticate", "Bearer realm=\"trawl\"");
            case 429 -> headers.put("Retry-After", Long.toString(again(e).orElse(5)));
            case 503 -> headers.put("Retry-After", "1");
            default -> {
            }
        }
        if (e instanceof CallRefusedException refused) {
            headers.putAll(refused.headers());
        }
        return new CallResponse(problem.status(), Problem.CONTENT_TYPE, Json.bytes(problem), headers);
    }
}
