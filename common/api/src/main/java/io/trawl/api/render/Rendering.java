package io.trawl.api.render;

import java.util.List;
import java.util.Map;

/**
 * How a page was rendered, as its item says in the field {@code render}.
 *
 * @param ms how long it took, in milliseconds, with the delays between its requests
 * @param requests how many requests were sent for it, itself included; what a cache answered was not sent
 * @param refused some requests that the page made and that were not answered, at most {@value #MOST_REFUSED}; no URL is
 * longer than {@value #LONGEST_URL} characters
 * @param refusedByReason the numbers of all of these requests
 * @param partial whether its time was over before it came to rest, so that it may lack a part
 */
public record Rendering(long ms, int requests, List<RefusedRequest> refused,
        Map<SubrequestRefusal, Integer> refusedByReason, boolean partial) {
    /** How many refused requests are named. */
    public static final int MOST_REFUSED = 50;
    /** The rest of a longer URL is left out. */
    public static final int LONGEST_URL = 500;

    /**
     * A request that a page made and that was not answered.
     *
     * @param url as the page asked for it
     * @param reason why
     */
    public record RefusedRequest(String url, SubrequestRefusal reason) {
        /** Cuts a long URL. */
        public RefusedRequest {
            url = url.substring(0, Math.min(url.length(), LONGEST_URL));
        }
    }

    /** Copies the list and the map; absent ones are empty. */
    public Rendering {
        refused = refused == null ? List.of() : List.copyOf(refused);
        refusedByReason = refusedByReason == null ? Map.of() : Map.copyOf(refusedByReason);
    }

    /** {@return how many requests were refused} */
    public int refusals() {
        return refusedByReason.values().stream().mapToInt(Integer::intValue).sum();
    }
}
