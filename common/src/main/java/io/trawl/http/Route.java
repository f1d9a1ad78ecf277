package io.trawl.http;

import io.trawl.settings.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One row of the table of routes of an endpoint: what it answers, for whom, and how much it reads. Immutable.
 *
 * @param method in capitals; GET also answers HEAD
 * @param path with parameters in braces as whole parts, without a slash at the end; one that ends with {@value #REST}
 * answers what no other route of the table does, with any method
 * @param needed the role that a caller needs. A caller whose changes are limited to some crawls may only change the one
 * that {@value #CRAWL} names
 * @param anyPrefix whether such a caller may make the call for any crawl, since it changes none
 * @param small whether it is answered even when the heap is nearly full
 * @param body what it reads
 * @param handler answers
 */
public record Route(String method, String path, Role needed, boolean anyPrefix, boolean small, BodyRule body,
        Handler handler) {
    /** The end of a path that stands for any further parts. */
    public static final String REST = "/**";
    /** The parameter that names the crawl that a call changes. */
    public static final String CRAWL = "id";

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
        CallResponse answer(Call call) throws InterruptedException;
    }

    /**
     * Which bodies are read.
     *
     * @param types their media types, never one that a browser sends across sites without asking first; none if the
     * body means nothing
     * @param largest in bytes
     * @param streamed media types of bodies of any length, which the handler reads piece by piece
     * @param expansion how many bytes of memory one byte of it may take once it is parsed, at most
     */
    public record BodyRule(Set<String> types, int largest, Set<String> streamed, int expansion) {
        private static final int COPIES = 3;
        private static final int MOST_EXPANDED = 40 << 20;
        /** What one piece of a stream takes at most. */
        private static final int PIECE = 2 << 20;

        /** The memory for a body, its parsed form, and the answer. @param length in bytes */
        long memory(long length, boolean stream) {
            return stream ? PIECE : COPIES * length + Math.min(expansion * length, MOST_EXPANDED);
        }
    }

    /** A call that looks at something. */
    public static Route get(String path, Handler handler) {
        return new Route("GET", path, Role.READ, false, false, new BodyRule(Set.of(), 0, Set.of(), 0), handler);
    }

    /** A page that needs no token. */
    public static Route open(String path, Handler handler) {
        return new Route("GET", path, Role.NONE, false, true, new BodyRule(Set.of(), 0, Set.of(), 0), handler);
    }

    /** A call that has something done, with a body. */
    public static Route post(String path, String type, int largest, Handler handler) {
        return change("POST", path, new BodyRule(Set.of(type), largest, Set.of(), 0), handler);
    }

    /** A call that changes something. One that deletes or patches is small. */
    public static Route change(String method, String path, BodyRule body, Handler handler) {
        boolean small = !method.equals("PUT") && !method.equals("POST");
        return new Route(method, path, Role.WRITE, false, small, body, handler);
    }

    /** The same, answered even when the heap is nearly full. */
    public Route asSmall() {
        return new Route(method, path, needed, anyPrefix, true, body, handler);
    }

    /** The same for every caller that may change some crawl. */
    public Route forAnyPrefix() {
        return new Route(method, path, needed, true, small, body, handler);
    }

    /** Whether it answers what no other does. */
    boolean rest() {
        return path.endsWith(REST);
    }

    /** The parameters in a path, decoded; empty if it is not one of this route. @param parts of the path, decoded */
    Optional<Map<String, String>> match(String[] parts) {
        String[] own = path.split("/", -1);
        boolean rest = rest();
        if (rest ? parts.length < own.length - 1 : parts.length != own.length) {
            return Optional.empty();
        }
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < own.length - (rest ? 1 : 0); i++) {
            if (own[i].startsWith("{") && !parts[i].isEmpty()) {
                parameters.put(own[i].substring(1, own[i].length() - 1), parts[i]);
            } else if (!own[i].equals(parts[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(parameters);
    }
}
